// Which cores are meant, where a recording has several: one, the same one of every block, or all of a block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/isa/refusal.h"
#include "core/record/recording.h"

namespace ts {

struct CoreChoice {
  std::optional<std::uint32_t> block = {}, in_block = {};  // nothing: any
  std::string text = {};                                   // as read_core takes it

  bool holds(const Recording& recording, std::uint32_t step) const;
};

// "AIV0", "1.AIV0", "block 1 AIV0", "block 1", or the number of a core, as rec:lanes() counts them.
std::variant<CoreChoice, Refusal> read_core(std::string_view text, const Recording& recording);

}  // namespace ts
