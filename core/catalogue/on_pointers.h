// Rows of operations on pointers and numbers. They are no instructions on tiles; what one of their operands reaches through
// its pointer is a tile, of a type that the numbers give.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/catalogue/row.h"

namespace ts {

// What is known of a use of such a row: its numbers, where constants tell (else 0), and its attributes.
struct PointerUse {
  using Known = std::function<std::int64_t(std::string_view)>;
  Known number, attribute;
};
// Of one that runs: everything.
PointerUse use_of(const Bound& bound);

using PointedType = TileType (*)(std::string_view operand, DType type, const PointerUse& use);

// A pointer into global memory reaches a view: so many, so far apart, from the outermost dimension inwards. Both are names of
// numbers among the operands; empty: one.
struct PointedDimension {
  std::string_view count, stride;
  bool stride_in_bytes = false;  // else in elements
};
using PointedView = std::vector<PointedDimension> (*)(const PointerUse& use);

// Where the scales of an operand stand: in a memory of their own, at a sixteenth of its address. The text names the operand
// only; of a row that moves them both are one.
struct ScalesOf {
  std::string_view scales, operand;
};

struct PointerRow {
  const InstructionRow* row = nullptr;
  PointedType type_of = nullptr;
  PointedView view_of = nullptr;  // null: it reaches no global memory
  // Clauses and words of the text that change nothing, with blanks between them.
  std::string_view idle = {};
  std::span<const ScalesOf> scales = {};
  bool (*waits)(const PointerUse& use) = nullptr;  // whether nobody emulates a legal use of it yet; null: there is none
};
// By its name in the text, without the dialect. Null when unknown.
const PointerRow* find_on_pointers(std::string_view name);
inline constexpr std::uint32_t kMostPointed = 1 << 18;  // elements in a row, or rows
// What its pointers reach is of the sizes that its numbers have now: those of the text may be known to no constant. On the
// vector pipe, of whose operations programs have millions, sizes are what the text says.
void settle_pointed(Bound& bound);
struct RegisteredOnPointers {
  explicit RegisteredOnPointers(const PointerRow& row);
};

// What copies by pointers move: whole bytes, of A5 only.
inline constexpr DTypeSet kCopiedTypes = kAllTypes | kSmallFloats;
inline DTypeSet copied_types(Target target, const Options&) { return target == Target::A5 ? kCopiedTypes : DTypeSet{}; }

// So many bytes from the pointer on, as one row.
TileType row_of_bytes(DType type, std::int64_t bytes);

}  // namespace ts
