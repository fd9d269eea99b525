// The pictures that are kept: what is drawn in them, and how they are made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/support/window/picture.h"
#include "tests/window/family_sheets.h"

namespace ts::test {

struct Golden {
  std::string name;                       // of its file below tests/goldens, without .png
  std::string what;                       // a sentence for the sheet of all pictures
  std::vector<std::string> arguments;     // of `tilescope shot`
  std::optional<FamilySheet> sheet = {};  // instead of a shot
};

// In the order of the sheet.
const std::vector<Golden>& goldens();

inline constexpr const char* kDrawings =
    "tests/window/drawings.pto";  // one step for each drawing of the vector families

inline constexpr const char* kIndexed = "tests/window/indexed.pto";  // gathers and scatters by index

inline const std::string kGoldenFolder = "tests/goldens";
inline std::string golden_path(const Golden& golden) { return kGoldenFolder + "/" + golden.name + ".png"; }

// Drawn now; nothing, and `problem` says why, when the program could not.
std::optional<Picture> render(const Golden& golden, std::string& problem);

// Draws all pictures anew and writes them with their sheet. False when one could not be drawn.
bool renew_goldens();

}  // namespace ts::test
