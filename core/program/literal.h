// Numbers as program text writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/text/type.h"

namespace ts {

// 5, -1, 0xFF; nothing when it does not fit 64 bits (hexadecimal: unsigned, decimal: signed or unsigned).
std::optional<std::int64_t> parse_integer(std::string_view text);
// The bits of a literal in this type: "1.5", "-2e3", "0x7F800000" (the bit pattern of a float), "5", "true". Nothing
// when it is no number, or an integer too large for the type.
std::optional<std::uint64_t> parse_scalar(std::string_view text, text::ScalarKind kind);

}  // namespace ts
