// Values changed by hand, as people write them, read against the run in which they are to be changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/debug/origins/questions.h"
#include "core/isa/element.h"
#include "core/isa/refusal.h"

namespace ts {

// What one text changes, at one position: the state that step `position` meets.
struct ReadEdit {
  std::uint32_t position = 0;
  std::vector<Edit> bytes = {};
  std::vector<NumberEdit> numbers = {};
  std::string text = {};  // once more, with its position
};

// All forms, for help and refusals.
inline constexpr const char* kEditForms =
    "t2[1,5]=3@12, t2[0..1,0..3]=0@12, mask.bit[0,17]=1@12, ub[0x440]=00ff@12, n=5@12";

// "t2[1,5]=3@12": an element of a tile or buffer, from step 12 on; "t2[0..1,0..2]=1 2 3; 4 5 6" a part, row by row, or all
// of it the one value that is given; ".." leaves an element as it is. "mask.bit[0,17]=1": the bit of a lane. "ub[0x440]=00ff"
// or "ub[0x440,0x480)=00": bytes. "n=5": a number of the program. Without @ `here` is meant; nothing: it has to be said.
std::variant<ReadEdit, Refusal> read_edit(Questions& run, std::string_view text,
                                          std::optional<std::uint32_t> here = {});

// An element's bits from what a person types: 3, -1.5, 1e9, nan, inf, 0x40400000 (its bits), 0b1010.
std::variant<std::uint64_t, Refusal> read_value(const ElementFormat& format, std::string_view text);

}  // namespace ts
