// One row for each visit.
#include "app/cli/report/source_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "app/cli/report/source_line.h"
#include "app/cli/terminal/terminal.h"
#include "core/debug/session/source_visits.h"

namespace ts {
namespace {

constexpr std::size_t kFirstVisits = 200, kLastVisits = 50;  // of a long list
constexpr std::size_t kWidestLine = 60;

struct Row {
  std::string steps, from, line, wrote;
  bool marked = false;
};

std::string wrote_text(const Recording& recording, std::uint32_t first, std::uint32_t end) {
  constexpr std::size_t kMostNames = 8;
  const std::vector<std::string> names = written_names(recording, first, end, kMostNames + 1);
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kMostNames ? text + ", ..." : text;
}

std::string line_text(SourceTexts& sources, const SourceMap& map, std::optional<SourceLine> at) {
  const auto line = at ? sources.line(map.files()[at->file], at->line) : std::nullopt;
  if (!line) return "";
  const std::string shown(without_indent(line->text).substr(0, kWidestLine));
  return line->changed_since ? "(changed since) " + shown : shown;
}

Row row_of(const Recording& recording, const SourceMap& map, SourceTexts& sources, std::uint32_t first,
           std::uint32_t end) {
  const std::uint32_t instruction = recording.step(first).instruction;
  return {.steps = end - first == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, end - 1),
          .from = map.told_of(instruction),
          .line = line_text(sources, map, map.line_of(instruction)),
          .wrote = wrote_text(recording, first, end)};
}

void print_rows(std::FILE* out, const std::vector<Row>& rows, std::size_t left_out) {
  std::size_t steps = 5, from = 4, line = 4;
  for (const Row& row : rows) {
    steps = std::max(steps, row.steps.size());
    from = std::max(from, row.from.size());
    line = std::max(line, row.line.size());
  }
  const auto print = [&](const Row& row) {
    std::string text = fmt::format("{} {:>{}}  {:<{}}  {:<{}}  {}", row.marked ? ">" : " ", row.steps, steps, row.from,
                                   from, row.line, line, row.wrote);
    text.resize(text.find_last_not_of(' ') + 1);
    fmt::print(out, "{}\n", text);
  };
  fmt::print(out, "\n");
  print({"steps", "from", "line", "wrote"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (left_out > 0 && i == kFirstVisits) fmt::print(out, "    ... {} visits ...\n", left_out);
    print(rows[i]);
  }
}

}  // namespace

std::vector<std::string> written_names(const Recording& recording, std::uint32_t first, std::uint32_t end,
                                       std::size_t most) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (std::uint32_t step = first; step < end && names.size() < most; ++step)
    for (const Operand& operand : recording.bound(step).operands) {
      if (operand.spec->role != Role::Out || operand.spec->kind == OperandKind::Scalar) continue;
      std::string name = recording.program().operand_name(operand);
      if (seen.insert(name).second) names.push_back(std::move(name));
    }
  return names;
}

void print_visits(std::FILE* out, const Recording& recording, const SourceMap& map, SourceTexts& sources, int marked) {
  if (map.empty()) {
    fmt::print(out, "\n{}: nothing to list by them\n", no_sources().text);
    return;
  }
  const SourceVisits visits(recording, map, [] { return !interrupted(); });
  if (!visits.complete()) return;
  const auto firsts = visits.firsts();
  const bool all = firsts.size() <= kFirstVisits + kLastVisits;
  std::vector<Row> rows;
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    if (!all && i >= kFirstVisits && i < firsts.size() - kLastVisits) continue;
    const std::uint32_t end = i + 1 < firsts.size() ? firsts[i + 1] : recording.count();
    rows.push_back(row_of(recording, map, sources, firsts[i], end));
    rows.back().marked = static_cast<int>(firsts[i]) <= marked && marked < static_cast<int>(end);
  }
  print_rows(out, rows, all ? 0 : firsts.size() - rows.size());
}

}  // namespace ts
