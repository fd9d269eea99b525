// The Python that tests ask for a second opinion.
#pragma once

#include <string>

#include "tests/support/process/process.h"

namespace ts::test {

// One that has NumPy; the first one in PATH need not be the one that Debian's package belongs to. Empty: there is none.
inline std::string python_with_numpy() {
  for (const char* python : {"python3", "/usr/bin/python3"})
    if (run_process({python, "-c", "import numpy"}).status == 0) return python;
  return "";
}

}  // namespace ts::test
