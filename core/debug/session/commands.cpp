// The table of commands.
#include "core/debug/session/commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/debug/session/stop_text.h"

namespace ts {
namespace {

constexpr auto kForward = Direction::Forward, kBackward = Direction::Backward;
constexpr auto kInteger = CommandParameter::Type::Integer, kText = CommandParameter::Type::Text,
               kTile = CommandParameter::Type::Tile, kFlag = CommandParameter::Type::Flag,
               kAny = CommandParameter::Type::Any;
constexpr auto kMaybe = CommandParameter::Given::Sometimes;

using Answer = std::variant<Stopped, Refusal>;

// Where there is nothing further that way, the session stays where it is and says so.
Stopped or_end(const Session& session, const std::optional<Stopped>& stop, Direction direction) {
  if (stop) return *stop;
  return {.reason = direction == kForward ? Stopped::Reason::End : Stopped::Reason::Start,
          .step = session.moment().position};
}

Stopped to(Session& session, Moment moment) {
  session.seek(moment);
  return {.reason = Stopped::Reason::Done, .step = moment.position};
}

Answer seek(Session& session, const Command& command) {
  if (command.values.empty()) return Refusal{"nothing is said to go to", "a position: the state after so many steps"};
  return to(session, {command.count(0), command.count(1)});
}

Answer run_to(Session& session, const Command& command, Direction direction) {
  RunTarget target{.op = command.text(2), .nth = command.count(3, 1)};
  if (command.number(0, -1) >= 0) target.step = command.count(0);
  if (command.number(1, -1) >= 0) target.line = command.count(1);
  if (const std::string line = command.text(1); !line.empty()) {
    target.source = read_source_line(line);
    if (!target.source) return Refusal{fmt::format("'{}' is no line", line), "FILE:LINE, such as attn.py:41"};
  }
  return session.run_to(target, direction);
}

// Without a word, the other one.
Answer step_by(Session& session, const Command& command) {
  const std::string what =
      command.values.empty() ? session.steps_by_source() ? "instruction" : "source" : command.text(0);
  if (what != "source" && what != "instruction")
    return Refusal{fmt::format("'{}' is nothing to step by", what), "source or instruction"};
  if (auto refusal = session.step_by_source(what == "source")) return *refusal;
  return Stopped{.reason = Stopped::Reason::Done, .step = session.moment().position};
}

Answer follow(Session& session, const Command& command) {
  std::optional<CoreId> core;
  if (command.values.empty()) {
    const std::uint32_t step = std::min(session.moment().position, std::max(1u, session.count()) - 1);
    if (!session.followed() && session.count() != 0) core = static_cast<CoreId>(core_of(session.recording(), step));
  } else if (const std::int64_t number = command.number(0); number >= 0) {
    core = static_cast<CoreId>(std::min<std::int64_t>(number, 0xFFFF));
  }
  if (auto refusal = session.follow(core)) return *refusal;
  return Stopped{.reason = Stopped::Reason::Done, .step = session.moment().position};
}

// A finding is shown where the results of its step are seen, unless the place before the step is asked for.
Answer to_finding(Session& session, const Command& command, Direction direction) {
  return or_end(session, session.to_finding(direction, command.number(0) == 0), direction);
}

// The step's number, its line, its instruction; of several the nth. A line is one of the text, or "attn.py:41".
const std::vector<CommandParameter> kRunTarget{
    {"step", kInteger, kMaybe}, {"line", kAny, kMaybe}, {"op", kText, kMaybe}, {"nth", kInteger, kMaybe}};
const std::vector<CommandParameter> kElement{
    {"tile", kTile, kMaybe}, {"row", kInteger, kMaybe}, {"col", kInteger, kMaybe}};

// clang-format off
const CommandRow kCommands[] = {
    {.name = "continue",
     .menu = "Run",
     .title = "Continue", .words = "run, play, go, resume",
     .keys = "F5",
     .help = "Runs on to the next stop, or to the end.",
     .run = [](Session& s, const Command&) -> Answer { return s.run(kForward); }},
    {.name = "reverse",
     .menu = "Run",
     .title = "Continue backwards", .words = "run backwards, rewind, time travel",
     .keys = "Shift+F5",
     .help = "Runs back to the stop before, or to the start.",
     .run = [](Session& s, const Command&) -> Answer { return s.run(kBackward); }},
    {.name = "over",
     .menu = "Step",
     .title = "Step over", .words = "next step, step forward, advance, make a step",
     .keys = "F10",
     .help = "Makes one step, whole.",
     .run = [](Session& s, const Command&) -> Answer { return s.over(kForward); }},
    {.name = "overBack",
     .menu = "Step",
     .title = "Step over backwards", .words = "previous step, undo step, step backwards, one step back",
     .keys = "Shift+F10",
     .help = "Takes one step back, whole.",
     .run = [](Session& s, const Command&) -> Answer { return s.over(kBackward); }},
    {.name = "overSource",
     .menu = "Step",
     .title = "Step over by source line",
     .keys = "Alt+F10",
     .help = "Makes all steps of one visit to a line that the program came from; a stop on the way ends it before.",
     .run = [](Session& s, const Command&) -> Answer { return s.source_step(kForward); }},
    {.name = "overSourceBack",
     .menu = "Step",
     .title = "Step over backwards by source line",
     .keys = "Shift+Alt+F10",
     .help = "Takes back all steps of one visit to a line that the program came from.",
     .run = [](Session& s, const Command&) -> Answer { return s.source_step(kBackward); }},
    {.name = "stepBy",
     .menu = "Step",
     .title = "Steps are source lines or instructions",
     .help = "What a step over is from now on: source, all that a line made which the program came from, or instruction.",
     .parameters = {{"what", kText, kMaybe}},
     .journal = as_line("rec:stepBy($*)"),
     .run = step_by},
    {.name = "followCore",
     .menu = "Step",
     .title = "Follow this core",
     .help = "Steps are those of one core from now on; the others make theirs on the way. Without a number the core of the "
             "next step, or again those of all cores; -1 for all.",
     .parameters = {{"core", kInteger, kMaybe}},
     .journal = as_line("rec:followCore($*)"),
     .run = follow},
    {.name = "untilWaits",
     .menu = "Run",
     .title = "Run until this core waits",
     .keys = "Ctrl+F5",
     .help = "Runs on to where the core that is followed, or else the one of the next step, waits for another core.",
     .run = [](Session& s, const Command&) -> Answer { return s.until_waits(); }},
    {.name = "into",
     .menu = "Step",
     .title = "Step into", .words = "step in, micro-operations, registers",
     .keys = "F11",
     .help = "Makes one micro-step of the step one stands before or in.",
     .run = [](Session& s, const Command&) -> Answer { return s.into(kForward); }},
    {.name = "intoBack",
     .menu = "Step",
     .title = "Step into backwards",
     .keys = "Ctrl+F11",
     .help = "Takes one micro-step back.",
     .run = [](Session& s, const Command&) -> Answer { return s.into(kBackward); }},
    {.name = "out",
     .menu = "Step",
     .title = "Step out", .words = "step out, finish, leave",
     .keys = "Shift+F11",
     .help = "Runs out of the step one stands in, else of the loop, else of the block.",
     .run = [](Session& s, const Command&) -> Answer { return s.out(kForward); }},
    {.name = "outBack",
     .menu = "Step",
     .title = "Step out backwards",
     .keys = "Ctrl+Shift+F11",
     .help = "Runs back to where the step one stands in began, else the loop, else the block.",
     .run = [](Session& s, const Command&) -> Answer { return s.out(kBackward); }},
    {.name = "first",
     .menu = "Run",
     .title = "To the first step", .words = "restart, beginning, reset",
     .keys = "Ctrl+Shift+F5",
     .help = "Goes to position 0, where nothing has run yet.",
     .run = [](Session& s, const Command&) -> Answer { return to(s, {}); }},
    {.name = "last",
     .menu = "Run",
     .title = "To the end", .words = "end, finish",
     .help = "Goes to where all steps have been made.",
     .run = [](Session& s, const Command&) -> Answer { return to(s, {s.count(), 0}); }},
    {.name = "nextFinding",
     .menu = "Check",
     .title = "Next finding", .words = "error, problem, bug, warning, next error",
     .keys = "F8",
     .help = "Goes to just after the next step in which something was found.",
     .parameters = {{"before", kFlag, kMaybe}},
     .journal = kOutcome,
     .none = "no later finding",
     .run = [](Session& s, const Command& command) { return to_finding(s, command, kForward); }},
    {.name = "previousFinding",
     .menu = "Check",
     .title = "Previous finding", .words = "previous error",
     .keys = "Shift+F8",
     .help = "Goes back to just after the last step in which something was found.",
     .parameters = {{"before", kFlag, kMaybe}},
     .journal = kOutcome,
     .none = "no earlier finding",
     .run = [](Session& s, const Command& command) { return to_finding(s, command, kBackward); }},
    {.name = "nextDifference",
     .menu = "Compare",
     .title = "Next difference", .words = "next diff, mismatch",
     .keys = "F7",
     .help = "Goes to just after the next step whose results are not those of the run that this one was compared with.",
     .journal = kOutcome,
     .none = "no later difference",
     .run = [](Session& s, const Command&) -> Answer { return or_end(s, s.to_difference(kForward), kForward); }},
    {.name = "previousDifference",
     .menu = "Compare",
     .title = "Previous difference", .words = "previous diff",
     .keys = "Shift+F7",
     .help = "Goes back to just after the last step whose results are not those of the run that this one was compared "
             "with.",
     .journal = kOutcome,
     .none = "no earlier difference",
     .run = [](Session& s, const Command&) -> Answer { return or_end(s, s.to_difference(kBackward), kBackward); }},
    {.name = "visitBack",
     .menu = "Run",
     .title = "Back to where I was", .words = "previous place, history, where was I",
     .keys = "Alt+Left",
     .help = "Goes to the place visited before this one.",
     .journal = kOutcome,
     .run = [](Session& s, const Command&) -> Answer {
       return s.visit_back() ? Stopped{.step = s.moment().position} : or_end(s, {}, kBackward);
     }},
    {.name = "visitForward",
     .menu = "Run",
     .title = "Forward again", .words = "next place",
     .keys = "Alt+Right",
     .help = "Goes to the place that one went back from.",
     .journal = kOutcome,
     .run = [](Session& s, const Command&) -> Answer {
       return s.visit_forward() ? Stopped{.step = s.moment().position} : or_end(s, {}, kForward);
     }},
    {.name = "seek",
     .menu = "Run",
     .title = "Go to...", .words = "goto, jump, position, address",
     .keys = "Ctrl+G",
     .help = "Goes to a position: the state after so many steps. Without one it asks for it, or for an element or "
             "address: @42, t2[1,5], ub+0x440.",
     .parameters = {{"position", kInteger, kMaybe}, {"micro", kInteger, kMaybe}},
     .journal = kOutcome,
     .run = seek},
    {.name = "step",
     .menu = "Step",
     .title = "Steps on",
     .help = "Makes so many steps.",
     .parameters = {{"n", kInteger}},
     .journal = as_line("rec:step($*)"),
     .run = [](Session& s, const Command& command) -> Answer { return s.steps(command.count(0, 1), kForward); }},
    {.name = "back",
     .menu = "Step",
     .title = "Steps back",
     .help = "Takes so many steps back.",
     .parameters = {{"n", kInteger}},
     .journal = as_line("rec:back($*)"),
     .run = [](Session& s, const Command& command) -> Answer { return s.steps(command.count(0, 1), kBackward); }},
    {.name = "runTo",
     .menu = "Run",
     .title = "Run to cursor", .words = "run here",
     .keys = "Ctrl+F10",
     .help = "Runs on to the nth step of an op, line or number.",
     .parameters = kRunTarget,
     .journal = kFields,
     .run = [](Session& s, const Command& command) { return run_to(s, command, kForward); }},
    {.name = "runBackTo",
     .menu = "Run",
     .title = "Run back to cursor", .words = "run back here",
     .keys = "Ctrl+Shift+F10",
     .help = "Runs back to the nth step of an op, line or number.",
     .parameters = kRunTarget,
     .journal = kFields,
     .run = [](Session& s, const Command& command) { return run_to(s, command, kBackward); }},
    {.name = "nextWrite",
     .menu = "Run",
     .title = "Next write of the selection", .words = "who writes this next",
     .keys = "Alt+Down",
     .help = "Goes to just after the next step that writes these bytes.",
     .parameters = kElement,
     .journal = as_line("rec:nextWrite($1)"),
     .none = "no later step writes it"},
    {.name = "previousWrite",
     .menu = "Run",
     .title = "Previous write of the selection", .words = "who wrote this, last write, written by",
     .keys = "Alt+Up",
     .help = "Goes back to just after the last step that wrote these bytes.",
     .parameters = kElement,
     .journal = as_line("rec:previousWrite($1)"),
     .none = "no earlier step wrote it"},
};
// clang-format on

std::vector<const CommandRow*>& registered() {
  static std::vector<const CommandRow*> rows;
  return rows;
}

}  // namespace

std::int64_t Command::number(std::size_t index, std::int64_t otherwise) const {
  const auto* value = index < values.size() ? std::get_if<std::int64_t>(&values[index]) : nullptr;
  return value != nullptr ? *value : otherwise;
}

std::string Command::text(std::size_t index) const {
  const auto* value = index < values.size() ? std::get_if<std::string>(&values[index]) : nullptr;
  return value != nullptr ? *value : "";
}

std::uint32_t Command::count(std::size_t index, std::uint32_t otherwise) const {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(number(index, otherwise), 0, 0xFFFFFFFF));
}

bool stands_alone(const CommandRow& row) {
  return std::ranges::none_of(row.parameters, &CommandParameter::is_required);
}

RegisteredCommands::RegisteredCommands(std::span<const CommandRow> rows) {
  for (const CommandRow& row : rows) registered().push_back(&row);
}

std::span<const CommandRow* const> registered_commands() { return registered(); }

const CommandRow* find_registered_command(std::string_view name) {
  const auto found =
      std::ranges::find(registered(), name, [](const CommandRow* row) { return std::string_view(row->name); });
  return found == registered().end() ? nullptr : *found;
}

bool is_called_by_gui(const CommandRow& row) {
  using Kind = JournalForm::Kind;
  return row.run == nullptr && (row.journal.kind == Kind::Name || row.journal.kind == Kind::Outcome);
}

std::span<const CommandRow> commands() { return kCommands; }

const CommandRow* find_command(std::string_view name) {
  const auto* found =
      std::ranges::find(kCommands, name, [](const CommandRow& row) { return std::string_view(row.name); });
  return found == std::end(kCommands) ? nullptr : found;
}

}  // namespace ts
