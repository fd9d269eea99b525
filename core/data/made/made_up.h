// What somebody asked an input to be made of, by kind: the same for a seed, a name and a type, on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/isa/dtype.h"

namespace ts::data {

enum class MadeUp : std::uint8_t { Seeded, Ramp, Zeros, Ones, Normal, Edge };

// One line a kind: the word that the command line, scripts, setups and the window have for it.
struct MadeUpRow {
  const char* word;
  const char* summary;
  MadeUp kind;
};
std::span<const MadeUpRow> made_up_kinds();
const char* name(MadeUp kind);
std::optional<MadeUp> find_made_up(std::string_view word);
std::string made_up_words();  // "seeded, ramp, zeros, ones, normal, edge"

std::vector<std::byte> made_up(MadeUp kind, std::uint64_t seed, std::string_view name, DType dtype,
                               std::uint64_t elements);

}  // namespace ts::data
