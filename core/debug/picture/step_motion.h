// A step as a move: which elements have left where they stood, are on their way, have landed, at a progress from 0 to 1. The
// order is that of the micro-operations, the ways are those of the data flow; every answer depends on nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/debug/picture/step_order.h"
#include "core/debug/picture/tile_picture.h"

namespace ts {

enum class MotionMode : std::uint8_t {
  AsItRuns,  // micro-operation by micro-operation
  ByRows,    // row by row of the results, in the order in which they are written
  AtOnce,    // all elements together
};

// From where to where on the way, in progress: it leaves at `departs` and stands there at `lands`.
struct Way {
  double departs = 0, lands = 1;
  // 0: it has not left; 1: it is there.
  double at(double progress) const {
    return progress >= lands ? 1 : progress <= departs ? 0 : (progress - departs) / (lands - departs);
  }
};

// Elements of a result that land together, and those of one operand that they are made of, which leave together: the
// smallest rectangles around them. Of a scalar the source is one element.
struct Travel {
  int from = -1, to = -1;  // operands
  Window source, result;
  bool decided = false;  // what leaves there chooses the values, and is no part of them
  StepElement first;     // of the result
  Way way;
};

class StepMotion {
 public:
  StepMotion() = default;
  // `flow` is that of the step. `most` bounds how many sources are looked at: then elements stand for their neighbours.
  StepMotion(const Recording& recording, std::uint32_t step, const Trace& trace, const Flow& flow,
             const std::function<bool()>& go_on = {}, std::size_t most = 3'000'000);

  const StepOrder& order() const { return order_; }
  // Nothing lands in this step.
  bool empty() const { return travels_[0].empty(); }
  std::size_t held_bytes() const;

  // --- single elements ---
  // Of an element of a result; nothing: the step does not write it.
  std::optional<double> lands(MotionMode mode, const StepElement& result) const;
  // Of what it is made of. Scalars, and what no trace has, leave a moment before it lands.
  std::optional<Way> way(MotionMode mode, const StepElement& result, const StepElement& source) const;
  // When an input is read for the first time; nothing: never.
  std::optional<double> leaves(MotionMode mode, const StepElement& source) const;

  // --- all ---
  // By when they land.
  const std::vector<Travel>& travels(MotionMode mode) const { return travels_[static_cast<std::size_t>(mode)]; }
  // Those on their way, in the order in which they land; at most so many.
  std::vector<const Travel*> under_way(MotionMode mode, double progress, std::size_t most) const;
  // What lands next, or, at the end, landed last.
  const Travel* current(MotionMode mode, double progress) const;
  // The next moment at which something lands, or the last one before.
  double next_landing(MotionMode mode, double progress) const;
  double previous_landing(MotionMode mode, double progress) const;
  // What runs. Nothing: nothing has been traced.
  std::optional<Beat> now(double progress) const;

 private:
  double in_progress(std::uint32_t beat) const;
  void add_result(const Recording& recording, std::uint32_t step, const class ResultSources& sources,
                  std::size_t result, std::uint32_t lattice, const std::function<bool()>& go_on);
  void order_rows();
  void make_by_rows();
  void make_at_once();

  struct Row {
    int operand = -1;
    std::uint32_t row = 0, written = 0;  // the first beat in which some of it was written for the last time
  };
  StepOrder order_;
  std::vector<Row> rows_;                                          // of the results, as they are written
  std::vector<std::pair<int, std::vector<std::uint32_t>>> place_;  // by result: of each row its number among them
  std::vector<Travel> travels_[3];
  double longest_[3] = {0, 0, 0};  // way
};

}  // namespace ts
