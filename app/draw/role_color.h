// The colour of an operand by the part it has in its instruction.
#pragma once

#include <cstddef>

#include "app/theme/color.h"
#include "core/catalogue/row.h"

namespace ts::ui {

// `values_before`: inputs and scalars that stand before it; the first has another colour than the others.
Color role_color(Role role, std::size_t values_before);

}  // namespace ts::ui
