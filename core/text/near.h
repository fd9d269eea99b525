// Which known names a misspelt one is near to.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ts::text {

// Up to three of the known names within two edits, nearest first, then by name. Two neighbours changed is one edit.
std::vector<std::string> near_names(std::string_view name, std::span<const std::string_view> known);

}  // namespace ts::text
