// A step in few words, for lists: what it does, to what, from what.
#pragma once

#include <string>

#include "core/record/recording.h"

namespace ts {

struct ShortStep {
  std::string op;       // "tadd"
  std::string results;  // "%sum"; empty: it makes nothing
  std::string inputs;   // "%a, %b"; of flags and barriers what they say: "MTE3, MTE2, ID0"
};
// Operands as they were bound: numbers are the ones it ran with.
ShortStep short_step(const Recording& recording, std::uint32_t step);

}  // namespace ts
