// Contact sheets: a family's step on small, usual and large tiles, each at three moments of its move, as one picture.
#pragma once

#include <optional>
#include <string>

#include "tests/support/text/sized_step.h"
#include "tests/support/window/picture.h"

namespace ts::test {

// The step in a pane of this size ("720x520") and theme. Nothing, and `problem` says why: it could not be drawn.
std::optional<Picture> contact_sheet(const SizedFamily& family, const std::string& size, const std::string& theme,
                                     std::string& problem);

}  // namespace ts::test
