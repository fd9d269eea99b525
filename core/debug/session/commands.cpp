// The table of commands.
#include "core/debug/session/commands.h"

#include <algorithm>

namespace ts {
namespace {

constexpr auto kForward = Direction::Forward, kBackward = Direction::Backward;

Stopped to(Session& session, std::uint32_t position) {
  session.seek({position, 0});
  return {.reason = Stopped::Reason::Done, .step = position};
}

// Where there is nothing further that way, the session stays where it is and says so.
Stopped or_end(const Session& session, const std::optional<Stopped>& stop, Direction direction) {
  if (stop) return *stop;
  return {.reason = direction == kForward ? Stopped::Reason::End : Stopped::Reason::Start,
          .step = session.moment().position};
}

constexpr CommandRow kCommands[] = {
    {"continue", "Run", "Continue", "F5", "Runs on to the next stop, or to the end.",
     [](Session& s) { return s.run(kForward); }},
    {"reverse", "Run", "Continue backwards", "Shift+F5", "Runs back to the stop before, or to the start.",
     [](Session& s) { return s.run(kBackward); }},
    {"over", "Step", "Step over", "F10", "Makes one step, whole.", [](Session& s) { return s.over(kForward); }},
    {"overBack", "Step", "Step over backwards", "Shift+F10", "Takes one step back, whole.",
     [](Session& s) { return s.over(kBackward); }},
    {"into", "Step", "Step into", "F11", "Makes one micro-step of the step one stands before or in.",
     [](Session& s) { return s.into(kForward); }},
    {"intoBack", "Step", "Step into backwards", "Ctrl+F11", "Takes one micro-step back.",
     [](Session& s) { return s.into(kBackward); }},
    {"out", "Step", "Step out", "Shift+F11", "Runs out of the step one stands in, else of the loop, else of the block.",
     [](Session& s) { return s.out(kForward); }},
    {"outBack", "Step", "Step out backwards", "Ctrl+Shift+F11",
     "Runs back to where the step one stands in began, else the loop, else the block.",
     [](Session& s) { return s.out(kBackward); }},
    {"first", "Run", "To the first step", "Ctrl+Shift+F5", "Goes to position 0, where nothing has run yet.",
     [](Session& s) { return to(s, 0); }},
    {"last", "Run", "To the end", "", "Goes to where all steps have been made.",
     [](Session& s) { return to(s, s.count()); }},
    {"nextFinding", "Check", "Next finding", "F8", "Goes to the next step in which something was found.",
     [](Session& s) { return or_end(s, s.to_finding(kForward), kForward); }, "", "="},
    {"previousFinding", "Check", "Previous finding", "Shift+F8",
     "Goes back to the last step in which something was found.",
     [](Session& s) { return or_end(s, s.to_finding(kBackward), kBackward); }, "", "="},
    {"nextDifference", "Compare", "Next difference", "F7",
     "Goes behind the next step whose results are not those of the run that this one was compared with.",
     [](Session& s) { return or_end(s, s.to_difference(kForward), kForward); }, "", "="},
    {"previousDifference", "Compare", "Previous difference", "Shift+F7",
     "Goes behind the last step before whose results are not those of the run that this one was compared with.",
     [](Session& s) { return or_end(s, s.to_difference(kBackward), kBackward); }, "", "="},
    {"visitBack", "Run", "Back to where I was", "Alt+Left", "Goes to the place visited before this one.",
     [](Session& s) { return s.visit_back() ? Stopped{.step = s.moment().position} : or_end(s, {}, kBackward); }, "",
     "="},
    {"visitForward", "Run", "Forward again", "Alt+Right", "Goes to the place that one went back from.",
     [](Session& s) { return s.visit_forward() ? Stopped{.step = s.moment().position} : or_end(s, {}, kForward); }, "",
     "="},
    {"seek", "Run", "Go to position", "Ctrl+G", "Goes to a position: the state after so many steps.", nullptr,
     "(position)", "rec:seek($*)"},
    {"step", "Step", "Steps on", "", "Makes so many steps.", nullptr, "(n)", "rec:step($*)"},
    {"back", "Step", "Steps back", "", "Takes so many steps back.", nullptr, "(n)", "rec:back($*)"},
    {"runTo", "Run", "Run to cursor", "Ctrl+F10", "Runs on to the nth step of an op, line or number.", nullptr,
     "{op=, line=, step=, nth=}", "="},
    {"runBackTo", "Run", "Run back to cursor", "Ctrl+Shift+F10", "Runs back to the nth step of an op, line or number.",
     nullptr, "{op=, line=, step=, nth=}", "="},
    {"nextWrite", "Run", "Next write of the selection", "Alt+Down",
     "Goes behind the next step that writes these bytes.", nullptr, "(tile, row, col)", "rec:nextWrite($1)"},
    {"previousWrite", "Run", "Previous write of the selection", "Alt+Up",
     "Goes behind the last step before that wrote these bytes.", nullptr, "(tile, row, col)", "rec:previousWrite($1)"},
};

std::vector<const CommandRow*>& registered() {
  static std::vector<const CommandRow*> rows;
  return rows;
}

}  // namespace

RegisteredCommands::RegisteredCommands(const std::vector<const CommandRow*>& rows) {
  registered().insert(registered().end(), rows.begin(), rows.end());
}

std::span<const CommandRow* const> registered_commands() {
  return registered();
}

bool is_called_by_gui(const CommandRow& row) {
  const std::string_view lua = row.lua;
  return row.run == nullptr && (lua.empty() || lua == "=");
}

std::span<const CommandRow> commands() {
  return kCommands;
}

const CommandRow* find_command(std::string_view name) {
  const auto* found =
      std::ranges::find(kCommands, name, [](const CommandRow& row) { return std::string_view(row.name); });
  return found == std::end(kCommands) ? nullptr : found;
}

}  // namespace ts
