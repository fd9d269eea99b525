// Looks for samples from the project's root.
#include "tests/support/text/sample_file.h"

#include <filesystem>

namespace ts::test {

std::string sample_path(const std::string& name) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator("samples"))
    if (entry.path().filename() == name + ".pto") return entry.path();
  return "samples/" + name + ".pto";
}

}  // namespace ts::test
