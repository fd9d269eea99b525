// Why something that was asked for cannot be done, and what can be done instead.
#pragma once

#include <string>

namespace ts {

struct Refusal {
  std::string text, hint;
};

}  // namespace ts
