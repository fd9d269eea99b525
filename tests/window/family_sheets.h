// A sheet for each family of drawings: its step on small tiles, on such as kernels have and on large ones, a row each, at
// three places of its move.
#pragma once

#include <optional>
#include <string>

#include "tests/support/text/sized_step.h"
#include "tests/support/window/picture.h"

namespace ts::test {

struct FamilySheet {
  const SizedFamily* family = nullptr;
  std::string size = {}, theme = {};  // of each picture on it: "700x480", "dark"
};

// Drawn now; nothing, and `problem` says why, when the program could not.
std::optional<Picture> render_sheet(const FamilySheet& sheet, std::string& problem);

}  // namespace ts::test
