// Which steps came from which line, of the program's text or of a file that it came from: how often a line ran until a
// position, and in all.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/debug/session/session.h"
#include "core/record/recording.h"

namespace ts {

class LineRuns {
 public:
  // Of the program's text. `go_on` is asked now and then; false: what is made is incomplete, and of no use. The findings are
  // not kept.
  LineRuns(const Recording& recording, std::span<const Finding> findings, const std::function<bool()>& go_on);
  // Of one of the session's sources: what counts is a visit to a line, or to what it calls, and not each of its steps.
  LineRuns(Session& session, std::uint32_t file, std::span<const Finding> findings, const std::function<bool()>& go_on);
  bool complete() const { return complete_; }

  // Steps of a line, or the first steps of its visits; ascending.
  std::span<const std::uint32_t> steps(std::uint32_t line) const;
  std::uint32_t total(std::uint32_t line) const { return static_cast<std::uint32_t>(steps(line).size()); }
  // Of those before a position.
  std::uint32_t until(std::uint32_t line, std::uint32_t position) const;
  // Which of the findings are of a line, by index; ascending.
  std::span<const std::uint32_t> findings(std::uint32_t line) const;

 private:
  // Things by line: those of line l are things[first[l] .. first[l + 1]).
  struct ByLine {
    std::vector<std::uint32_t> first, things;
    std::span<const std::uint32_t> of(std::uint32_t line) const;
  };
  // `for_each(put)` calls put(line, thing) for all that there are, in the same order each time; false: it was ended.
  template <class F>
  static bool sort(ByLine& out, F for_each);

  ByLine steps_, findings_;
  bool complete_ = false;
};

}  // namespace ts
