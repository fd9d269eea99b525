// The bits that a comparison packs, read off the data flow: which bit answers for which element, on this target.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/debug/picture/stage_rows.h"

namespace ts {

// Bytes of the result for one row of the source. Of a byte: `read` has the bits that answer for valid elements of the
// row; `lane_of_bit0` is the column that its first bit answers for, or would.
struct AnswerRow {
  std::vector<MaskByte> bytes;         // in the order of columns; behind those with answers the others that are written
  std::vector<std::uint32_t> padding;  // of each: the bits that answer for what is not valid
  std::uint32_t lanes = 0;             // columns, from 0 on, that these bytes have bits for
  // The other element, or the scalar, that all of the row is compared with.
  bool one_for_all = false;
};
// `after`: the memory that the bits are taken from.
AnswerRow answers_of_row(const StepFlow& flow, int result, int source, std::uint32_t row, const Memory& after);

// The first element of the source that a byte of the result answers for; nothing where it answers for none.
std::optional<StepElement> first_answered(const StepFlow& flow, ByteRange byte, int source);

// "<", "!=": what the step asks.
std::string question_of(const Bound& bound);

}  // namespace ts
