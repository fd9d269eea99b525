// Finding where something is to be printed, and printing it.
#include "app/cli/report/printed_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/program_file.h"
#include "app/cli/terminal/terminal.h"
#include "core/data/fields.h"
#include "core/debug/origins/printed_at.h"
#include "core/debug/origins/questions.h"
#include "core/debug/origins/trace_value.h"
#include "core/debug/session/source_visits.h"
#include "core/debug/session/stop_text.h"
#include "core/program/sync.h"
#include "core/text/count.h"
#include "core/text/tree.h"

namespace ts {
namespace {

using WishJson = nlohmann::ordered_json;
using Positions = std::vector<std::uint32_t>;

std::string place_text(const PrintWish& wish) {
  if (wish.line) return fmt::format("{}@{}", wish.name, *wish.line);
  if (wish.source) return fmt::format("{}@{}:{}", wish.name, wish.source->file, wish.source->line);
  return wish.name;
}

std::variant<Positions, Refusal> after_line(const Recording& recording, const PrintWish& wish) {
  Positions out;
  for (std::uint32_t step = 0; step < recording.count(); ++step)
    if (recording.program().instructions[recording.step(step).instruction].pos.line == *wish.line)
      out.push_back(step + 1);
  if (!out.empty()) return out;
  return Refusal{fmt::format("--print {}: no step of the run stands in line {}", place_text(wish), *wish.line),
                 "`tilescope run` lists the steps with their lines"};
}

std::variant<Positions, Refusal> after_visits(const Recording& recording, const PrintWish& wish) {
  const SourceMap map(recording.program());
  const auto file = map.find_file(wish.source->file);
  if (!file) {
    std::string files;
    for (std::uint32_t i = 0; i < map.files().size(); ++i) files += (i == 0 ? "" : ", ") + map.short_name(i);
    return Refusal{fmt::format("--print {}: the program came from no file {}", place_text(wish), wish.source->file),
                   files.empty() ? "its text says not where it came from" : "it came from " + files};
  }
  const SourceVisits visits(recording, map, [] { return !interrupted(); });
  Positions out;
  for (const std::uint32_t first : visits.firsts())
    if (visits.comes_to({*file, wish.source->line}, first)) out.push_back(visits.end_of(first));
  if (!out.empty()) return out;
  return Refusal{fmt::format("--print {}: the run comes to no such line", place_text(wish)),
                 "`tilescope run --step-by source` lists the lines that it comes to"};
}

WishJson value_json(const Elements& elements, std::uint32_t row, std::uint32_t col) {
  if (elements.worth_at(row, col) == Definedness::Never) return nullptr;
  const std::uint64_t bits = elements.at(row, col);
  if (!elements.format->is_float()) {
    if (elements.format->kind == NumberKind::Signed) return integer(*elements.format, bits);
    return bits;
  }
  const double value = number(*elements.format, bits);
  if (!std::isfinite(value)) return short_text(*elements.format, bits);
  return value;
}

WishJson printed_json(Questions& questions, const PrintWish& wish, std::uint32_t position) {
  const auto named = elements_called(questions, wish.name, position);
  if (!named) return {};
  const Elements& elements = named->elements;
  WishJson out{{"name", wish.name}};
  if (position > 0) {
    out["step"] = position - 1;
    out["line"] = questions.recording().bound(position - 1).pos.line;
  }
  out["type"] = name(named->dtype);
  out["rows"] = elements.rows;
  out["cols"] = elements.cols;
  out["valid"] = {elements.valid_rows, elements.valid_cols};
  out["values"] = WishJson::array();
  for (std::uint32_t row = 0; row < elements.rows; ++row) {
    WishJson values = WishJson::array();
    for (std::uint32_t col = 0; col < elements.cols; ++col) values.push_back(value_json(elements, row, col));
    out["values"].push_back(std::move(values));
  }
  return out;
}

// "value %d" of pto.print; empty: it has none.
std::string format_of(const Program& program, const Instruction& instruction) {
  if (program.tree == nullptr || instruction.op == text::kNoId) return "";
  const text::Tree& tree = *program.tree;
  const text::Item* ins = tree.find(tree.ops[instruction.op], "ins");
  if (ins == nullptr) return "";
  for (const text::Item& item : tree.children(*ins))
    if (item.kind == text::ItemKind::String) {
      const std::string_view quoted = tree.text(item);
      return std::string(quoted.substr(1, quoted.size() - 2));
    }
  return "";
}

// The number in place of the first %d, %f, ... of the format, else behind it, in the digits that say it exactly.
std::string with_number(std::string_view format, const std::string& number) {
  std::string out;
  bool there = false;
  for (std::size_t at = 0; at < format.size(); ++at) {
    const std::size_t letter =
        format[at] == '%' ? format.find_first_not_of("-+ #0123456789.lhzjt", at + 1) : std::string_view::npos;
    if (format.substr(at, 2) == "\\n") {
      if (at + 2 < format.size()) out += ' ';
      ++at;
    } else if (format.substr(at, 2) == "%%") {
      out += '%';
      ++at;
    } else if (!there && letter != std::string_view::npos && std::isalpha(static_cast<unsigned char>(format[letter]))) {
      out += number;
      there = true;
      at = letter;
    } else {
      out += format[at];
    }
  }
  return there ? out : out.empty() ? number : out + " " + number;
}

std::string printed_number(const Recording& recording, std::uint32_t step, const Operand& shown) {
  const Program& program = recording.program();
  const std::string number = short_text(element_format(shown.scalar.dtype), shown.scalar.bits);
  return fmt::format("{}, at step {} (print, line {})\n",
                     with_number(format_of(program, program.instructions[recording.step(step).instruction]), number),
                     step, recording.bound(step).pos.line);
}

// Calls f(questions, wish, position) for what is to be printed, and left_out(wish, positions) where there is more.
template <class F, class G>
bool for_wishes(const std::shared_ptr<const Recording>& recording, const std::vector<PrintWish>& wishes, F f,
                G left_out) {
  Questions questions(recording);
  bool all = true;
  for (const PrintWish& wish : wishes) {
    const auto found = print_positions(*recording, wish);
    if (const auto* refused = std::get_if<Refusal>(&found)) {
      fail(refused->text, refused->hint);
      all = false;
      continue;
    }
    const auto& positions = std::get<Positions>(found);
    for (std::size_t i = 0; i < std::min(positions.size(), kMostPrints) && !interrupted(); ++i)
      f(questions, wish, positions[i]);
    if (positions.size() > kMostPrints) left_out(wish, positions.size());
  }
  return all;
}

}  // namespace

std::variant<PrintWish, Refusal> read_print_wish(std::string_view text) {
  const std::size_t at = text.rfind('@');
  std::string_view name = text.substr(0, at);
  if (name.starts_with('%')) name.remove_prefix(1);
  PrintWish wish{.name = std::string(name)};
  const Refusal wrong{fmt::format("--print {}: wanted NAME, NAME@LINE or NAME@FILE:LINE", text),
                      "a tile or buffer, and after which line; without one at the end of the run"};
  if (name.empty()) return wrong;
  if (at == std::string_view::npos) return wish;
  const std::string_view place = text.substr(at + 1);
  std::uint32_t line = 0;
  if (text::parse_count(place, line)) wish.line = line;
  else if (!(wish.source = read_source_line(place))) return wrong;
  return wish;
}

std::variant<Positions, Refusal> print_positions(const Recording& recording, const PrintWish& wish) {
  const Program& program = recording.program();
  if (!has_elements(program, wish.name)) {
    return Refusal{fmt::format("--print {}: {} has no tile or buffer {}", place_text(wish), program.name, wish.name),
                   "`tilescope run --step-by instruction` shows what every step makes"};
  }
  if (wish.line) return after_line(recording, wish);
  if (wish.source) return after_visits(recording, wish);
  return Positions{recording.count()};
}

void print_what_program_prints(std::FILE* out, const std::shared_ptr<const Recording>& recording) {
  const auto& instructions = recording->program().instructions;
  const auto prints = [](const Instruction& instruction) { return instruction.row == &kPrint; };
  if (std::ranges::none_of(instructions, prints)) return;
  Questions questions(recording);
  std::size_t count = 0;
  for (std::uint32_t step = 0; step < recording->count() && !interrupted(); ++step) {
    const Bound& bound = recording->bound(step);
    if (bound.row != &kPrint || bound.operands.empty() || ++count > kMostPrints) continue;
    const Operand& shown = bound.operands.front();
    if (shown.spec->kind == OperandKind::Scalar) {
      fmt::print(out, "\n{}", printed_number(*recording, step, shown));
      continue;
    }
    const std::string& name = shown.spec->kind == OperandKind::Tile ? recording->program().tiles[shown.id].name
                                                                    : recording->program().buffers[shown.id].name;
    if (const auto text = printed_at(questions, name, step + 1)) fmt::print(out, "\n{}", *text);
  }
  if (count > kMostPrints) fmt::print(out, "\nand {} more that the program prints\n", count - kMostPrints);
}

bool print_wishes(std::FILE* out, const std::shared_ptr<const Recording>& recording,
                  const std::vector<PrintWish>& wishes) {
  return for_wishes(
      recording, wishes,
      [&](Questions& questions, const PrintWish& wish, std::uint32_t position) {
        if (const auto text = printed_at(questions, wish.name, position)) fmt::print(out, "\n{}", *text);
      },
      [&](const PrintWish& wish, std::size_t count) {
        fmt::print(out, "\n%{}: the first {} of {} times; `tilescope repl` shows the others\n", wish.name, kMostPrints,
                   count);
      });
}

bool json_wishes(std::string& out, const std::shared_ptr<const Recording>& recording,
                 const std::vector<PrintWish>& wishes) {
  out = "[";
  const bool all = for_wishes(
      recording, wishes,
      [&](Questions& questions, const PrintWish& wish, std::uint32_t position) {
        out += (out.size() == 1 ? "\n  " : ",\n  ") + data::json_text(printed_json(questions, wish, position));
      },
      [](const PrintWish&, std::size_t) {});
  out += "]";
  return all;
}

}  // namespace ts
