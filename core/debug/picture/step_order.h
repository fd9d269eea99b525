// In which order a step reads and writes the elements of its operands, as the trace of its micro-operations has it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/debug/picture/step_map.h"
#include "core/engine/trace/trace.h"

namespace ts {

// Time inside of a step is counted in beats. A micro-operation takes one; one that repeats itself, or reads or writes in
// pieces, one for each. What only notes that nobody promises a value takes none.
struct Beat {
  std::uint32_t micro = 0, part = 0, parts = 1;
  bool operator==(const Beat&) const = default;
};

// When the elements of an operand were read and written; row by row, of a view those of its buffer.
struct ElementTimes {
  int operand = -1;
  std::uint32_t rows = 0, cols = 0;
  std::vector<std::uint32_t> written = {};  // for the last time; or never
  std::vector<std::uint32_t> first_read = {},
                             reads = {};  // of element i: reads[first_read[i]...first_read[i + 1]), rising
  std::size_t index(std::uint32_t row, std::uint32_t col) const { return std::size_t{row} * cols + col; }
};

struct StepOrder {
  static constexpr std::uint32_t kNever = ~0u;

  std::uint32_t beats = 0;
  std::vector<const MicroOp*> micros = {};     // what runs
  std::vector<std::uint32_t> first_beat = {};  // of each micro-operation
  std::vector<std::uint32_t> beats_of = {};    // how many it takes
  std::vector<ElementTimes> operands = {};     // of tiles and views

  Beat at(std::uint32_t beat) const;
  const ElementTimes* of(int operand) const;  // null: it has no elements, or too many
  std::uint32_t written(const StepElement& element) const;
  // When it was read for the first time; or never.
  std::uint32_t first_read(const StepElement& element) const;
  // For what was written in a beat: when the element was read for the last time before. One micro-operation may read behind
  // what it writes, then it is the beginning of that; or never.
  std::uint32_t read_before(const StepElement& element, std::uint32_t written) const;
};

// `go_on` is asked now and then; false ends it early. Operands of more than `most` elements are left out.
StepOrder step_order(const Recording& recording, std::uint32_t step, const Trace& trace, const MemoryMap& map,
                     const std::function<bool()>& go_on = {}, std::size_t most = 1u << 22);

}  // namespace ts
