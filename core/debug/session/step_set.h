// A set of steps of a recording: whether there are any in a range, how many, and which comes next, in time that does
// not grow with the recording. What is drawn of millions of steps is asked of these.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace ts {

class StepSet {
 public:
  // Of a recording with so many steps; empty.
  explicit StepSet(std::uint32_t steps = 0);

  void add(std::uint32_t step);
  // To be called when all have been added, before anything is asked.
  void finish();

  bool holds(std::uint32_t step) const { return (levels_[0][step / 64] >> step % 64 & 1) != 0; }
  std::uint32_t count() const { return before_.back(); }
  // Of [first, end).
  std::uint32_t count(std::uint32_t first, std::uint32_t end) const { return rank(end) - rank(first); }
  // The first one from `step` on.
  std::optional<std::uint32_t> next(std::uint32_t step) const;
  // The last one before `step`.
  std::optional<std::uint32_t> previous(std::uint32_t step) const;

  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t kWordsAGroup = 8;
  // How many stand before `step`.
  std::uint32_t rank(std::uint32_t step) const;

  std::uint32_t steps_ = 0;
  // The lowest has a bit for every step, each other one a bit for every word below that is not 0.
  std::vector<std::vector<std::uint64_t>> levels_;
  std::vector<std::uint32_t> before_;  // by group of words: how many stand before it; at last, all
};

}  // namespace ts
