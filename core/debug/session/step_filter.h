// The filter line over the list of steps: `op:tsel writes:ub[0x400..0x800] nan`, and words of the step's text.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/debug/session/step_query.h"
#include "core/isa/refusal.h"

namespace ts {

// What is wrong with a filter, and where: characters [begin, end) of the text.
struct WrongFilter {
  Refusal refusal;
  std::size_t begin = 0, end = 0;
};

// What a filter's text asks of the steps of a recording; an empty text asks nothing.
std::variant<StepQuery, WrongFilter> read_filter(std::string_view text, const Recording& recording);
// The mnemonic that was asked for, or why no step can be of it.
std::variant<std::string, Refusal> known_op(const std::string& op);
// As it is called: "PIPE_V", "v" and "V" are "V". Empty: there is no such pipe.
std::string pipe_name(std::string_view text);

// What can stand in a filter, for help: "op:tadd", and what it asks.
struct FilterWord {
  const char* example;
  const char* meaning;
};
std::span<const FilterWord> filter_words();

}  // namespace ts
