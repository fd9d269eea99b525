// Writing and reading the words of memories.
#include "core/memory/place_word.h"

#include <charconv>
#include <limits>

namespace ts {

std::string place_word(Space space, CoreId core) {
  return core == 0 ? std::string(name(space)) : std::string(name(space)) + "@" + std::to_string(core);
}

std::optional<MemoryOfCore> memory_of_word(std::string_view word) {
  const std::size_t at = word.find('@');
  const auto space = space_from_name(word.substr(0, at));
  if (!space) return {};
  if (at == word.npos) return MemoryOfCore{*space, 0};
  CoreId core = 0;
  const auto [end, error] = std::from_chars(word.data() + at + 1, word.data() + word.size(), core);
  // One way to write each: no zeros before it, and none for the first core.
  if (error != std::errc() || end != word.data() + word.size() || word != place_word(*space, core)) return {};
  return MemoryOfCore{*space, core};
}

}  // namespace ts
