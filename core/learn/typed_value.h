// Values as learners type them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/isa/element.h"

namespace ts::learn {

// A typed value as an element of this type: "6", "6.0", "-1e3", "0x41200000", "nan", "inf".
std::optional<std::uint64_t> read_value(const ElementFormat& format, std::string_view text);
// Whether two elements are the same to a learner: equal bits, both NaN, or zeros of either sign.
bool same_value(const ElementFormat& format, std::uint64_t a, std::uint64_t b);

}  // namespace ts::learn
