// Which steps of a recording belong to which loops and turns: made of all steps once, small beside them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/record/recording.h"

namespace ts {

// Steps [first, end).
struct StepSpan {
  std::uint32_t first = 0, end = 0;
  bool operator==(const StepSpan&) const = default;
};

// Loops that stand in no other are of level 0. What a turn holds, and what stands outside all loops, is a row of items:
// steps of its own, and entries into loops.
class LoopIndex {
 public:
  // `go_on` is asked now and then; false: the index is left incomplete, and of no use.
  LoopIndex(const Recording& recording, const std::function<bool()>& go_on);
  bool complete() const { return complete_; }

  // One entry into a loop: steps [first, end).
  struct Loop {
    std::uint32_t first = 0, end = 0;
    std::uint32_t first_turn = 0;  // in `turns` of its level
    std::uint32_t item = 0;        // its number among the items of what it stands in
    StepSpan span() const { return {first, end}; }
  };
  struct Level {
    std::vector<Loop> loops;           // in the order of their steps
    std::vector<std::uint32_t> turns;  // first steps of turns that have steps, of one loop after the other
  };
  std::uint32_t steps() const { return steps_; }
  std::size_t levels() const { return levels_.size(); }
  const Level& level(std::size_t level) const { return levels_[level]; }

  std::uint32_t turn_count(std::size_t level, std::size_t loop) const;
  // The loop that a turn is of.
  std::size_t loop_of_turn(std::size_t level, std::size_t turn) const;
  std::uint32_t end_of_turn(std::size_t level, std::size_t turn) const;
  // The turn of a loop that holds a step.
  std::size_t turn_at(std::size_t level, std::size_t loop, std::uint32_t step) const;
  // The first step behind `step`, which is of a loop of this level, that is of a later turn, or the loop's end.
  std::uint32_t next_turn(std::size_t level, std::uint32_t step) const;

  // What holds items: a turn, or all steps.
  struct Container {
    std::uint32_t first = 0, end = 0;
    std::size_t inner = 0;  // the level of the loops in it
  };
  Container all() const { return {0, steps_, 0}; }
  Container turn(std::size_t level, std::size_t turn) const {
    return {levels_[level].turns[turn], end_of_turn(level, turn), level + 1};
  }
  struct Item {
    bool is_loop = false;
    std::size_t loop = 0;    // of the container's inner level
    std::uint32_t step = 0;  // the step, or the loop's first
  };
  std::uint32_t items(const Container& in) const;
  Item item(const Container& in, std::uint32_t number) const;
  // The number of the item that is or holds a step.
  std::uint32_t item_of(const Container& in, std::uint32_t step) const;
  // The loop of the container's inner level that holds a step; -1: it stands in none.
  std::ptrdiff_t loop_at(const Container& in, std::uint32_t step) const;
  std::size_t bytes() const;

 private:
  class Maker;
  std::vector<Level> levels_;
  std::uint32_t steps_ = 0;
  bool complete_ = false;
};

}  // namespace ts
