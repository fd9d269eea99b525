// Asking conditions.
#include "app/window/desk/conditions.h"

#include <fmt/format.h>

#include <vector>

namespace ts::ui {
namespace {

constexpr const char* kForm = "such as t2[1,5] > 3, or rec.pos > 100 and s0 == 2";

// Nothing: it is neither true nor false.
std::optional<bool> truth(const scripting::WatchResult& result) {
  if (!result.ok) return {};
  if (result.text == "true") return true;
  if (result.text == "false" || result.text == "nil") return false;
  return {};
}

}  // namespace

Condition condition(LiveSession& live, Walk& walk, std::string text) {
  const auto ask = [&live, &walk, text](std::uint32_t step) {
    const scripting::WatchResult result = live.console->watch(text);
    if (const auto answer = truth(result)) return *answer ? StopRule::Answer::Yes : StopRule::Answer::No;
    const std::string said = result.ok ? fmt::format("it is {}, neither true nor false", result.text) : result.text;
    walk.driver().reply([&walk, text, said, step] {
      walk.tell(fmt::format("the condition '{}' cannot be answered at step {}: {}", text, step, said), kForm, true);
    });
    return StopRule::Answer::Failed;
  };
  return {std::move(text), ask};
}

std::optional<Refusal> wrong_condition(LiveSession& live, const std::string& text) {
  const scripting::WatchResult result = live.console->watch(text);
  if (!result.ok || truth(result)) return {};
  return Refusal{fmt::format("a condition is true or false, and '{}' is {} here", text, result.text), kForm};
}

void bind_conditions(LiveSession& live, Walk& walk) {
  std::vector<StopId> ids;
  for (const StopEntry& stop : live.session->stops())
    if (condition_of(stop.rule) != nullptr) ids.push_back(stop.id);
  for (const StopId id : ids) {
    StopRule& rule = live.session->find_stop(id)->rule;
    rule.when = condition(live, walk, condition_of(rule)->text);
  }
}

}  // namespace ts::ui
