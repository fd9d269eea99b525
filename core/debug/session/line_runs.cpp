// Sorting steps by their lines, by counting.
#include "core/debug/session/line_runs.h"

#include <algorithm>

#include "core/isa/stop_question.h"

namespace ts {
namespace {

std::vector<std::uint32_t> lines_of_instructions(const Program& program) {
  std::vector<std::uint32_t> lines;
  for (const Instruction& instruction : program.instructions) lines.push_back(instruction.pos.line);
  return lines;
}

}  // namespace

std::span<const std::uint32_t> LineRuns::ByLine::of(std::uint32_t line) const {
  if (std::size_t{line} + 1 >= first.size()) return {};
  return {things.data() + first[line], first[line + 1] - first[line]};
}

LineRuns::LineRuns(const Recording& recording, std::span<const Finding> findings, const std::function<bool()>& go_on) {
  complete_ = index_steps(recording, go_on);
  if (complete_) index_findings(findings);
}

// Twice over the steps: how many each line has, then which.
bool LineRuns::index_steps(const Recording& recording, const std::function<bool()>& go_on) {
  const std::vector<std::uint32_t> lines = lines_of_instructions(recording.program());
  const std::uint32_t last = lines.empty() ? 0 : *std::ranges::max_element(lines);
  steps_.first.assign(std::size_t{last} + 2, 0);
  const auto for_steps = [&](auto f) {
    StopQuestion question(go_on);
    for (std::uint32_t step = 0; step < recording.count(); ++step) {
      if (question.stops()) return false;
      f(step, lines[recording.step(step).instruction]);
    }
    return true;
  };
  if (!for_steps([&](std::uint32_t, std::uint32_t line) { ++steps_.first[line + 1]; })) return false;
  for (std::size_t line = 1; line < steps_.first.size(); ++line) steps_.first[line] += steps_.first[line - 1];
  steps_.things.resize(recording.count());
  std::vector<std::uint32_t> next = steps_.first;
  return for_steps([&](std::uint32_t step, std::uint32_t line) { steps_.things[next[line]++] = step; });
}

void LineRuns::index_findings(std::span<const Finding> findings) {
  std::uint32_t last = 0;
  for (const Finding& finding : findings) last = std::max(last, finding.diagnostic.pos.line);
  findings_.first.assign(std::size_t{last} + 2, 0);
  for (const Finding& finding : findings) ++findings_.first[finding.diagnostic.pos.line + 1];
  for (std::size_t line = 1; line < findings_.first.size(); ++line) findings_.first[line] += findings_.first[line - 1];
  findings_.things.resize(findings.size());
  std::vector<std::uint32_t> next = findings_.first;
  for (std::uint32_t i = 0; i < findings.size(); ++i) findings_.things[next[findings[i].diagnostic.pos.line]++] = i;
}

std::span<const std::uint32_t> LineRuns::steps(std::uint32_t line) const { return steps_.of(line); }

std::uint32_t LineRuns::until(std::uint32_t line, std::uint32_t position) const {
  const auto all = steps(line);
  return static_cast<std::uint32_t>(std::ranges::lower_bound(all, position) - all.begin());
}

std::span<const std::uint32_t> LineRuns::findings(std::uint32_t line) const { return findings_.of(line); }

}  // namespace ts
