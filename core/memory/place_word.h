// A memory of a core in one word: "ub", and of another core than the first one "ub@2".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/memory/memory.h"

namespace ts {

struct MemoryOfCore {
  Space space = Space::Ub;
  CoreId core = 0;
};
std::string place_word(Space space, CoreId core);
// Whether there is such a core is for a map to say. Nothing: the word is of another form.
std::optional<MemoryOfCore> memory_of_word(std::string_view word);

}  // namespace ts
