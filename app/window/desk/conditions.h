// Conditions of breakpoints that the user wrote, as watch expressions that are true or false: "t2[1,5] > 3".
#pragma once

#include <optional>
#include <string>

#include "app/window/desk/walk.h"
#include "core/debug/session/condition.h"

namespace ts::ui {

// In the session's thread, as all of these. Asked when the stop would stop, with the session standing there; what it is
// instead of true or false is told, and ends the run.
Condition condition(LiveSession& live, Walk& walk, std::string text);
// Why it can be none; an expression that only fails where the session stands now may hold elsewhere.
std::optional<Refusal> wrong_condition(LiveSession& live, const std::string& text);
// Conditions that came out of a file get somebody who answers.
void bind_conditions(LiveSession& live, Walk& walk);

}  // namespace ts::ui
