// The style sheet of pages: dark and light as the reader's system has it, light on paper.
#pragma once

#include <cstddef>
#include <string>

#include "core/catalogue/row.h"

namespace ts {

std::string page_style();

// The class of an operand by its part: "a" for the first value, "b" for the others, "mask", "tmp", "out". `values`
// counts.
const char* role_style(Role role, std::size_t& values);

}  // namespace ts
