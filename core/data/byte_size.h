// Sizes as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ts::data {

// "4096", "64KiB", "256 MiB", "2GiB"; nothing when it is none, or does not fit.
std::optional<std::uint64_t> parse_byte_size(std::string_view text);

}  // namespace ts::data
