// Elements as text, all of them, as pto.tprint shows a tile on a device: a bar behind the last valid column and a dashed
// line below the last valid row.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/debug/elements/elements.h"

namespace ts {

// ".." where it was never written, with a question mark where it is unspecified.
std::string printed(const ElementFormat& format, std::uint64_t bits, Definedness worth);
// Rows beyond `most_elements` are left out, and the last line says how many. Each line begins with `indent`.
std::string printed(const Elements& elements, std::string_view indent = "",
                    std::uint64_t most_elements = std::uint64_t{1} << 20);

}  // namespace ts
