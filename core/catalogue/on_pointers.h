// Rows of operations on pointers and numbers. They are no instructions on tiles; what one of their operands reaches through
// its pointer is a tile, of a type that the numbers give.
#pragma once

#include <functional>
#include <string_view>

#include "core/catalogue/row.h"

namespace ts {

// A number among the operands, where constants tell it; 0: nobody knows yet.
using KnownNumbers = std::function<std::int64_t(std::string_view)>;
using PointedType = TileType (*)(std::string_view operand, DType type, const KnownNumbers& number);

struct PointerRow {
  const InstructionRow* row = nullptr;
  PointedType type_of = nullptr;
};
// By its name in the text, without the dialect. Null when unknown.
const PointerRow* find_on_pointers(std::string_view name);
struct RegisteredOnPointers {
  RegisteredOnPointers(const InstructionRow& row, PointedType type_of);
};

// So many bytes from the pointer on, as one row.
TileType row_of_bytes(DType type, std::int64_t bytes);

}  // namespace ts
