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

// Twice over the things: how many each line has, then which.
template <class F>
bool LineRuns::sort(ByLine& out, F for_each) {
  out.first.assign(2, 0);
  const auto count = [&](std::uint32_t line, std::uint32_t) {
    if (out.first.size() < std::size_t{line} + 2) out.first.resize(std::size_t{line} + 2);
    ++out.first[line + 1];
  };
  if (!for_each(count)) return false;
  for (std::size_t line = 1; line < out.first.size(); ++line) out.first[line] += out.first[line - 1];
  out.things.resize(out.first.back());
  std::vector<std::uint32_t> next = out.first;
  return for_each([&](std::uint32_t line, std::uint32_t thing) { out.things[next[line]++] = thing; });
}

LineRuns::LineRuns(const Recording& recording, std::span<const Finding> findings, const std::function<bool()>& go_on) {
  const std::vector<std::uint32_t> lines = lines_of_instructions(recording.program());
  complete_ = sort(steps_,
                   [&](auto put) {
                     StopQuestion question(go_on);
                     for (std::uint32_t step = 0; step < recording.count(); ++step) {
                       if (question.stops()) return false;
                       put(lines[recording.step(step).instruction], step);
                     }
                     return true;
                   }) &&
              sort(findings_, [&](auto put) {
                for (std::uint32_t i = 0; i < findings.size(); ++i) put(findings[i].diagnostic.pos.line, i);
                return true;
              });
}

LineRuns::LineRuns(Session& session, std::uint32_t file, std::span<const Finding> findings,
                   const std::function<bool()>& go_on) {
  const SourceVisits* visits = session.source_visits();
  if (visits == nullptr) return;
  // Each line once, also where it calls itself.
  const auto for_lines = [&](std::uint32_t step, auto f) {
    const std::vector<SourceLine>& lines = session.sources().lines(visits->origin_of(step));
    for (auto line = lines.begin(); line != lines.end(); ++line)
      if (line->file == file && std::find(lines.begin(), line, *line) == line) f(*line);
  };
  complete_ = sort(steps_,
                   [&](auto put) {
                     StopQuestion question(go_on);
                     for (const std::uint32_t step : visits->firsts()) {
                       if (question.stops()) return false;
                       for_lines(step, [&](SourceLine line) {
                         if (visits->comes_to(line, step)) put(line.line, step);
                       });
                     }
                     return true;
                   }) &&
              sort(findings_, [&](auto put) {
                for (std::uint32_t i = 0; i < findings.size(); ++i)
                  if (findings[i].step < session.count())
                    for_lines(findings[i].step, [&](SourceLine line) { put(line.line, i); });
                return true;
              });
}

std::span<const std::uint32_t> LineRuns::steps(std::uint32_t line) const { return steps_.of(line); }

std::uint32_t LineRuns::until(std::uint32_t line, std::uint32_t position) const {
  const auto all = steps(line);
  return static_cast<std::uint32_t>(std::ranges::lower_bound(all, position) - all.begin());
}

std::span<const std::uint32_t> LineRuns::findings(std::uint32_t line) const { return findings_.of(line); }

}  // namespace ts
