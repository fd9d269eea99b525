// What the data flow of a step says of one row of its results: the stream that it was joined to or split from, and the
// choices that made it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/debug/picture/stage_window.h"
#include "core/debug/picture/step_map.h"

namespace ts {

// What is asked: a step's flow, with what is known of it kept in the map.
struct StepFlow {
  const Recording& recording;
  const Flow& flow;
  StepMap& map;
  const Bound& bound() const { return recording.bound(map.step()); }
  const std::vector<Source>& sources(const StepElement& element) const { return map.sources(recording, flow, element); }
};

// A value on its way from an element of an input to one of a result.
struct Strand {
  StepElement from, to;
  bool operator==(const Strand&) const = default;
};

// A row of the results in the order of the stream that it passes through.
struct Stream {
  // True: rows of inputs alternate in the stream, which is cut into rows of results. False: rows of inputs, one after
  // the other, are the stream, and its elements go to the results in turn.
  bool joins = true;
  std::vector<Strand> strands = {};
  // The first strand of every part: where the stream passes from one tile to the next. The first part begins at 0.
  std::vector<std::uint32_t> parts = {};
  // The part that a strand is in.
  std::uint32_t part_of(std::uint32_t strand) const;
};
Stream stream_of(const StepFlow& flow, std::uint32_t row);

// How an element was chosen by a bit of a mask.
struct Choice {
  int taken = -1;                  // the operand that it is the value of; -1: the step did not write it
  std::optional<Source> bit = {};  // that decided
};
std::vector<Choice> choices_of(const StepFlow& flow, int result, std::uint32_t row, Shown cols);

// Bits of one byte of a mask above the lanes that they govern, or would.
struct MaskByte {
  std::uint32_t address = 0, offset = 0;  // offset: from the mask's first byte
  std::uint32_t bits = 0;
  Definedness worth = Definedness::Written;
  std::int64_t lane_of_bit0 = 0;
  std::uint32_t read = 0;  // a bit for each that decided something
};
// The bytes that decided these lanes, in the order of lanes. `first_col` is the lane of the first choice.
std::vector<MaskByte> mask_bytes(const StepFlow& flow, const std::vector<Choice>& choices, std::uint32_t first_col,
                                 int mask, const Memory& before);

// The sign of an element-wise operation as its summary tells it: "+", "max", or "op" where it tells of none.
std::string sign_of(std::string_view summary);

// What it makes of two elements: "a - b", "max(a, b)", "exp(a - b)"; empty where the summary tells of no operation.
std::string expression_of(std::string_view summary, std::string_view a, std::string_view b);

// How a source is spread over a result, one element over a line of it.
struct Spread {
  int small = -1;    // the operand that is spread
  int full = -1;     // the operand that has an element for every one of the result; -1: there is none
  bool rows = true;  // over rows; else over columns
};
// Nothing where the step is no such thing, or writes nothing.
std::optional<Spread> spread_of(const StepFlow& flow, int result);

}  // namespace ts
