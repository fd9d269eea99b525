// A condition that a person wrote: a function that knows its text, so that lists show it and files keep it.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "core/debug/session/stops.h"

namespace ts {

struct Condition {
  std::string text;
  // Empty: nobody is there who could answer, and the stop stops.
  std::function<StopRule::Answer(std::uint32_t step)> ask = {};

  StopRule::Answer operator()(std::uint32_t step) const { return ask ? ask(step) : StopRule::Answer::Yes; }
};

// Null: there is none, or it is a script's own function.
inline const Condition* condition_of(const StopRule& rule) { return rule.when.target<Condition>(); }

// "line 40 when t2[1,5] > 3": what comes before, and the condition; empty: there is none.
inline std::pair<std::string, std::string> split_condition(const std::string& text) {
  constexpr std::string_view kWhen = " when ";
  const std::size_t at = text.find(kWhen);
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + kWhen.size())};
}

}  // namespace ts
