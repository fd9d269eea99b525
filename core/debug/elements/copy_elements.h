// Elements as text for other programs. What is read back from it has the same bits, where the language can say them.
#pragma once

#include <cstdint>
#include <string>

#include "core/debug/elements/elements.h"

namespace ts {

enum class CopyAs : std::uint8_t {
  Text,   // rows, tabs between values; undefined elements are ".."
  C,      // an array with its initialiser; of types that C lacks the bits
  Lua,    // a table of rows
  NumPy,  // an expression; where a NaN is not the usual one, by its bits
};
inline constexpr int kCopyForms = 4;
const char* name(CopyAs form);  // "text", "C initialiser", ...

// A part of a tile, in elements.
struct CopyPart {
  std::uint32_t row = 0, col = 0, rows = 1, cols = 1;
};
// The part lies in the elements. `called` names the array.
std::string copy_text(const Elements& elements, const CopyPart& part, CopyAs form, const std::string& called);

}  // namespace ts
