// What went wrong with a file or its contents.
#pragma once

#include <string>

namespace ts::data {

// For people: names the file and the values.
struct Error {
  std::string text, hint;
};

}  // namespace ts::data
