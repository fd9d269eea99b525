// why: where an element's value was made, and what it came from.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/cases/case_run.h"
#include "app/cli/cases/traced_text.h"
#include "app/cli/commands.h"
#include "app/cli/program_file.h"
#include "app/cli/record_entry.h"
#include "app/cli/saved_recording.h"
#include "app/files/hint.h"
#include "core/data/fields.h"
#include "core/debug/origins/source_text.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

using WhyJson = nlohmann::ordered_json;

constexpr std::size_t kMostSources = 64;  // of a sum over a row

struct Asked {
  CellName cell;
  NamedElements in;
  std::uint32_t position = 0;
  TracedValue made = {};
  std::vector<SourceUse> sources = {};  // what the step made it of
};

// `sums`: of the files that a saved recording came from.
std::shared_ptr<const Recording> recording_for(const CaseRun& asked, std::map<std::string, std::string>& sums) {
  const RunArguments& arguments = asked.arguments;
  if (takes_recording(arguments)) {
    std::optional<RecordingFile> saved = open_saved(arguments);
    if (!saved) return nullptr;
    sums = std::move(saved->facts.sources);
    return std::move(saved->recording);
  }
  const auto program = open_one_entry(arguments.files.front(), arguments);
  if (!program) return nullptr;
  std::optional<RecordedEntry> recorded = record_entry(program->file, program->entry, asked.request, arguments);
  return recorded ? std::move(recorded->recording) : nullptr;
}

// Of everything that has a name.
std::string names_in(const Program& program) {
  std::set<std::string> names;
  for (const BufferDecl& buffer : program.buffers) names.insert(buffer.name);
  for (const TileDecl& tile : program.tiles)
    if (!tile.implicit) names.insert(tile.name);
  return fmt::format("it has {}", fmt::join(names, ", "));
}

// Nothing: there is no such element, and stderr says why.
std::optional<Asked> element_asked(Questions& questions, const WhyArguments& arguments) {
  const std::optional<CellName> cell = parse_cell(arguments.element);
  if (!cell) {
    fail(fmt::format("{}: wanted NAME[ROW,COLUMN]", arguments.element), "in a shell with quotes around it: 'out[0,4]'");
    return {};
  }
  const std::uint32_t count = questions.count();
  if (arguments.step >= static_cast<int>(count)) {
    fail(fmt::format("--step {}: the run has {} steps", arguments.step, count), "without it the end is meant");
    return {};
  }
  const std::uint32_t position = arguments.step < 0 ? count : static_cast<std::uint32_t>(arguments.step) + 1;
  auto in = elements_called(questions, cell->tile, position);
  const Program& program = questions.recording().program();
  if (!in) {
    fail(fmt::format("{} has no buffer or tile {}", program.name, cell->tile), names_in(program));
    return {};
  }
  if (cell->row < in->elements.rows && cell->col < in->elements.cols) return Asked{*cell, std::move(*in), position};
  fail(fmt::format("{}: %{} is {}x{}", arguments.element, cell->tile, in->elements.rows, in->elements.cols),
       "rows and columns count from 0");
  return {};
}

std::string value_text(const Asked& asked) {
  const Elements& all = asked.in.elements;
  const std::uint64_t bits = all.at(asked.cell.row, asked.cell.col);
  const std::string value = fmt::format("{} ({})", short_text(*all.format, bits), hex_text(*all.format, bits));
  switch (all.worth_at(asked.cell.row, asked.cell.col)) {
    case Definedness::Never: return "never written";
    case Definedness::Unspecified: return value + ", which nobody promises";
    default: return value;
  }
}

void print_why(const Recording& recording, const Asked& asked, SourceTexts& texts) {
  fmt::print("%{}[{},{}] = {}\n", asked.cell.tile, asked.cell.row, asked.cell.col, value_text(asked));
  print_traced(stdout, recording, SourceMap(recording.program()), asked.made, texts);
  for (std::size_t i = 0; i < std::min(asked.sources.size(), kMostSources); ++i)
    print_label(stdout, i == 0 ? "made" : "",
                source_text(recording, recording.bound(asked.sources[i].step), asked.sources[i].source));
  if (asked.sources.size() > kMostSources)
    print_label(stdout, "", fmt::format("and {} more", asked.sources.size() - kMostSources));
}

WhyJson source_json(const Recording& recording, const SourceUse& use) {
  const Bound& bound = recording.bound(use.step);
  WhyJson out{{"text", source_text(recording, bound, use.source)}, {"step", use.step}, {"decided", use.source.decided}};
  if (use.source.operand < 0) return out;
  out["name"] = recording.program().operand_name(bound.operands[static_cast<std::size_t>(use.source.operand)]);
  out["row"] = use.source.row;
  out["col"] = use.source.col;
  out["bits"] = use.source.bits;
  return out;
}

void print_json_why(const Recording& recording, const Asked& asked, SourceTexts& texts) {
  const Elements& all = asked.in.elements;
  const std::uint64_t bits = all.at(asked.cell.row, asked.cell.col);
  WhyJson out{{"program", recording.program().name},
              {"target", name(recording.program().target)},
              {"stopped", name(recording.stop_reason())},
              {"name", asked.cell.tile},
              {"row", asked.cell.row},
              {"col", asked.cell.col},
              {"position", asked.position},
              {"type", all.format->name},
              {"bits", hex_text(*all.format, bits)},
              {"value", short_text(*all.format, bits)},
              {"defined", all.worth_at(asked.cell.row, asked.cell.col) == Definedness::Written},
              {"made_of", WhyJson::array()}};
  add_traced_json(recording, SourceMap(recording.program()), asked.made, texts, out);
  for (const SourceUse& use : asked.sources) out["made_of"].push_back(source_json(recording, use));
  fmt::print("{}\n", data::json_text(out, 1));
}

}  // namespace

int why_command(const WhyArguments& arguments) {
  RunArguments of_file = arguments;
  of_file.files = {arguments.file};
  const std::optional<CaseRun> run = read_case(of_file);
  std::map<std::string, std::string> sums;
  const auto recording = run ? recording_for(*run, sums) : nullptr;
  if (recording == nullptr) return kCannotRun;
  Questions questions(recording);
  std::optional<Asked> asked = element_asked(questions, arguments);
  if (!asked) return kCannotRun;
  asked->made = trace_value(questions, asked->in.place(asked->cell.row, asked->cell.col), asked->position);
  if (asked->made.step) asked->sources = questions.flow().sources(asked->made.place, *asked->made.step + 1);
  SourceTexts texts(run->arguments.files.front(), run->arguments.sources, std::move(sums));
  arguments.json ? print_json_why(*recording, *asked, texts) : print_why(*recording, *asked, texts);
  return kOk;
}

}  // namespace ts
