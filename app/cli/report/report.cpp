// The terminal report.
#include "app/cli/report/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/digest.h"
#include "app/cli/report/source_report.h"
#include "app/cli/report/step_view.h"
#include "app/cli/report/trace_text.h"
#include "app/cli/terminal/terminal.h"
#include "app/cli/told.h"
#include "core/program/source_map.h"
#include "core/text/tree.h"

namespace ts {
namespace {

constexpr std::size_t kWidestText = 72;
constexpr std::uint32_t kFirstSteps = 200, kLastSteps = 50;  // of a long list
constexpr std::uint32_t kDigestSteps = 20'000;               // more would take as long again as the run

// In the memory of another core it says whose.
std::string write_text(const Recording& recording, std::uint32_t step, const WritePattern& pattern) {
  const ByteRange place = recording.map().locate(pattern.base);
  const bool elsewhere = place.space != Space::Gm && place.core != recording.bound(step).core;
  std::string text = elsewhere ? name_of_core(recording.program(), place.core) + " " : "";
  text += fmt::format("{} 0x{:x}+{}", name(place.space), place.address, pattern.size);
  if (pattern.count > 1) text += fmt::format(" x{} every {}", pattern.count, pattern.stride);
  return text;
}

std::string writes_text(const Recording& recording, std::uint32_t step) {
  std::string text;
  for (const WritePattern& pattern : recording.writes(step))
    text += (text.empty() ? "" : ", ") + write_text(recording, step, pattern);
  return text;
}

std::string thinning_text(const Recording& recording) {
  const Thinning& thinning = recording.thinning();
  if (!thinning) return "";
  return fmt::format(
      "\nsnapshots before step {0} are thinned to one every {1} steps; going there replays up to {1} steps\n",
      thinning.dense_start, std::min(thinning.interval, thinning.dense_start));
}

// Of many steps the first and the last.
bool skips(std::uint32_t step, std::uint32_t count) {
  return count > kFirstSteps + kLastSteps && step >= kFirstSteps && step < count - kLastSteps;
}

std::string short_text(const Recording& recording, std::uint32_t step) {
  std::string text = recording.program().short_text(recording.step(step).instruction);
  if (text.size() > kWidestText) text = text.substr(0, kWidestText - 3) + "...";
  return text;
}

// Core, or block, and loop variables: "AIV0 [16,0]".
std::string turn_text(const Recording& recording, std::uint32_t step) {
  std::string turn;
  const Program& program = recording.program();
  if (program.together()) turn = name_of_core(program, recording.bound(step).core);
  else if (program.blocks > 1) turn = fmt::format("block {}", recording.step(step).block);
  std::string variables;
  for (const LoopTurn& loop : recording.loops(step))
    if (!loop.is_region()) variables += fmt::format("{}{}", variables.empty() ? "" : ",", loop.variable);
  if (!variables.empty()) turn += fmt::format("{}[{}]", turn.empty() ? "" : " ", variables);
  return turn;
}

struct Columns {
  std::size_t text = 11, turn = 0;  // at least as wide as "instruction"
  std::size_t from = 0;             // 0: the program does not say which lines it came from
};

std::string from_text(const Recording& recording, const SourceMap& sources, std::uint32_t step) {
  return sources.told_of(recording.step(step).instruction);
}

// Of the steps that any list shows, so that a long trace need not be gone through twice.
Columns columns_of(const Recording& recording, const SourceMap& sources) {
  Columns columns;
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    if (skips(step, recording.count())) continue;
    columns.text = std::max(columns.text, short_text(recording, step).size());
    columns.turn = std::max(columns.turn, turn_text(recording, step).size());
    columns.from = std::max(columns.from, from_text(recording, sources, step).size());
  }
  if (columns.from != 0) columns.from = std::max<std::size_t>(columns.from, 4);
  if (columns.turn != 0) columns.turn = std::max<std::size_t>(columns.turn, 4);
  return columns;
}

std::string trimmed(std::string line) {
  line.resize(line.find_last_not_of(' ') + 1);
  return line;
}

void print_line(std::FILE* out, const Recording& recording, const SourceMap& sources, std::uint32_t step,
                const Columns& columns, bool marked) {
  const Bound& bound = recording.bound(step);
  const std::string turn = columns.turn == 0 ? "" : fmt::format("  {:<{}}", turn_text(recording, step), columns.turn);
  const std::string from =
      columns.from == 0 ? "" : fmt::format("  {:<{}}", from_text(recording, sources, step), columns.from);
  // The lines of a list of calls are nobody's.
  const std::string line = recording.program().listed ? "" : fmt::format(" {:>5}", bound.pos.line);
  fmt::print(
      out, "{}\n",
      trimmed(fmt::format("{} {:>5}{}{}  {:<4}  {:<{}}{}  {}", marked ? ">" : " ", step, line, from, name(bound.pipe),
                          short_text(recording, step), columns.text, turn, writes_text(recording, step))));
}

void print_steps(std::FILE* out, const Recording& recording, const SourceMap& sources, Inspector& inspector,
                 const ReportOptions& options) {
  if (recording.count() == 0) return;
  const Columns columns = columns_of(recording, sources);
  const std::string turn = columns.turn == 0 ? "" : fmt::format("  {:<{}}", "turn", columns.turn);
  const std::string from = columns.from == 0 ? "" : fmt::format("  {:<{}}", "from", columns.from);
  fmt::print(out, "\n   step{}{}  pipe  {:<{}}{}  writes\n", recording.program().listed ? "" : "  line", from,
             "instruction", columns.text, turn);
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    // The list of a run that was interrupted is short; all of its micro-operations are not.
    if (options.trace_all && interrupted()) return;
    if (!options.trace_all && skips(step, recording.count())) {
      if (step == kFirstSteps) fmt::print(out, "    ... {} steps ...\n", recording.count() - kFirstSteps - kLastSteps);
      continue;
    }
    print_line(out, recording, sources, step, columns, static_cast<int>(step) == options.step);
    if (options.trace_all) print_trace(out, recording, inspector, step, ~std::size_t{0}, true);
  }
}

}  // namespace

void print_report(std::FILE* out, const Recording& recording, const std::vector<InputSource>& inputs,
                  const Diagnostics& told, SourceTexts& sources, const ReportOptions& options) {
  const Program& program = recording.program();
  fmt::print(out, "{} on {}: {} step{}, {}\n", program.name, name(program.target), recording.count(),
             recording.count() == 1 ? "" : "s", name(recording.stop_reason()));
  if (!inputs.empty()) fmt::print(out, "\n");
  for (const InputSource& input : inputs) fmt::print(out, "  %{:<12} {}\n", input.name, input.text);
  fmt::print(out, "{}", thinning_text(recording));
  Inspector inspector(recording);
  const SourceMap map(program);
  if (options.by_source) print_visits(out, recording, map, sources, options.step);
  else print_steps(out, recording, map, inspector, options);
  print_findings(out, recording.findings(), *program.tree->source, told);
  if (options.step >= 0 && options.step < static_cast<int>(recording.count())) {
    print_step(out, recording, inspector, map, sources, options);
    fmt::print(out, "[x] outside the valid region   ..  never written   x?  unspecified\n");
  }
  if (recording.count() > kDigestSteps) return;
  if (const std::string digest = digest_of(recording); !digest.empty())
    fmt::print(out, "{}digest {}\n", options.trace_all ? "" : "\n", digest);
}

}  // namespace ts
