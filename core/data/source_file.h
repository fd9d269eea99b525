// Files that a stranger's text names, looked for in folders that the user named, and nowhere else.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ts::data {

// The file that a name such as "kernels/attn.py" or "/home/someone/kernels/attn.py" stands for: in one of the folders, under
// the whole name or as much of its end as is there. Never one outside of them, also by `..` or a link; only a regular file.
std::optional<std::string> find_below(std::span<const std::string> folders, std::string_view name);

}  // namespace ts::data
