// What a program's author finds worth looking at, in a comment of its text: `// show: --step 5 --cell im[1,7]`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/text/tree.h"

namespace ts {

struct CellName {
  std::string tile;
  std::uint32_t row = 0, col = 0;
};
// "im[1,7]", with or without %; nothing when it is not of that form.
std::optional<CellName> parse_cell(std::string_view text);

struct ShowHint {
  std::optional<std::uint32_t> step = {};
  std::optional<CellName> cell = {};
};
// The first one in the text; empty: there is none.
ShowHint read_hint(const text::Tree& tree);
ShowHint read_cpp_hint(std::string_view source);  // of a kernel, whose tree is not what somebody wrote

}  // namespace ts
