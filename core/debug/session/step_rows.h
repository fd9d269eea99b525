// The steps of a recording as a list whose loops fold: a loop unfolds to its turns, a turn to its steps and inner
// loops. Rows are found by halving: nothing here grows with the steps, only with what is unfolded.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/debug/session/loop_index.h"

namespace ts {

struct StepRow {
  enum class Kind : std::uint8_t { Step, Loop, Turn };
  Kind kind = Kind::Step;
  std::uint16_t indent = 0;          // loops and turns around it
  std::uint16_t level = 0;           // of the loop, or the turn's loop: index into the step's `loops`
  std::uint32_t first = 0, end = 0;  // its steps
  std::uint32_t turns = 0;           // of a loop: those that have steps
  bool open = false;
  bool operator==(const StepRow&) const = default;
};

class StepRows {
 public:
  // All folded.
  explicit StepRows(std::shared_ptr<const LoopIndex> index);

  std::uint32_t count() const { return top_ + extra_; }
  StepRow at(std::uint32_t row) const;
  // The row of a step, or of the folded loop or turn that holds it.
  std::uint32_t row_of(std::uint32_t step) const;

  // Unfolds or folds the loop or turn of a row. What was unfolded inside a fold is folded with it.
  void set_open(std::uint32_t row, bool open);
  // Unfolds what is around a step. What was unfolded only for another step is folded again.
  void follow(std::uint32_t step);
  void fold_all();

 private:
  // A loop or turn that is unfolded; what is around it is too.
  struct Opened {
    bool is_turn = false;
    bool by_hand = false;
    std::uint32_t level = 0, index = 0;  // in the loops or turns of the level
    std::uint32_t first = 0, end = 0;    // steps
    // Made by `settle`:
    std::int32_t parent = -1;    // -1: the top
    std::uint32_t row = 0;       // its own
    std::uint32_t rows = 0;      // under it, all
    std::uint32_t brothers = 0;  // rows under it and under those before it in the same parent
  };
  // Where a row or step stands among what is unfolded: the innermost that holds it, and the last inside of that which
  // comes before it, as indices; -1: none.
  struct Spot {
    std::int32_t in = -1, after = -1;
  };
  void settle();
  static bool same(const Opened& a, const Opened& b) {
    return a.is_turn == b.is_turn && a.level == b.level && a.index == b.index;
  }
  void open(Opened one);
  Spot spot_of_step(std::uint32_t step) const;
  Spot spot_of_row(std::uint32_t row) const;
  std::uint32_t before(const Spot& spot) const;
  std::uint32_t children(const Opened& one) const;
  LoopIndex::Container container(const Opened* one) const;
  std::uint32_t child_of(const Opened* one, std::uint32_t step) const;
  StepRow child(const Opened* one, std::uint32_t number) const;
  StepRow loop_row(std::size_t level, std::size_t loop) const;
  std::uint16_t indent_in(std::int32_t in) const;
  Opened as_opened(const StepRow& row) const;
  std::vector<Opened> around(std::uint32_t step) const;

  std::shared_ptr<const LoopIndex> index_;
  std::uint32_t top_ = 0;       // items outside all loops
  std::uint32_t extra_ = 0;     // rows under what is unfolded
  std::vector<Opened> opened_;  // by first step, the outer before the inner
  std::vector<Opened> folded_;  // by hand, where the session stands
};

}  // namespace ts
