// Where samples are.
#pragma once

#include <string>

namespace ts::test {

// Of a sample by its name, in samples or below it.
std::string sample_path(const std::string& name);

}  // namespace ts::test
