// Which steps came from which line of the program's text: how often a line ran until a position, and in all.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/record/recording.h"

namespace ts {

class LineRuns {
 public:
  // `go_on` is asked now and then; false: what is made is incomplete, and of no use. The findings are not kept.
  LineRuns(const Recording& recording, std::span<const Finding> findings, const std::function<bool()>& go_on);
  bool complete() const { return complete_; }

  // Steps of a line, ascending.
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
  bool index_steps(const Recording& recording, const std::function<bool()>& go_on);
  void index_findings(std::span<const Finding> findings);

  ByLine steps_, findings_;
  bool complete_ = false;
};

}  // namespace ts
