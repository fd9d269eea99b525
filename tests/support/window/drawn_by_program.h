// What the built program draws when it is told to on the command line: on the tests' screen, without the user's settings.
#pragma once

#include <string>
#include <vector>

#include "tests/support/process/temp_folder.h"

namespace ts::test {

// Runs `tilescope ARGUMENTS`, which write into the folder. False, and `problem` says why, when it could not.
bool draw_by_program(const std::vector<std::string>& arguments, const TempFolder& folder, std::string& problem);

}  // namespace ts::test
