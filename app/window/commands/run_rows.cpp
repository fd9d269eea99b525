// The menus Run and Step: stops, bookmarks, and what the session's rows mean in the window.
#include <fmt/format.h>

#include <algorithm>

#include "app/view/shown_lesson.h"
#include "app/window/commands/rows.h"
#include "app/window/commands/window_commands.h"
#include "app/window/desk/conditions.h"
#include "app/window/shell/shell.h"
#include "core/debug/session/stop_text.h"
#include "core/text/op_at_line.h"

namespace ts::ui {
namespace {

// --- the session's rows ---

// Of the selected element, wherever it stands now.
void to_write(Desk& desk, const Command& command) {
  desk.walk().to_write(command.name == "nextWrite" ? Direction::Forward : Direction::Backward);
}

void to_finding(Desk& desk, const Command& command) {
  const DebugView& view = desk.view();
  if (view.lesson() != nullptr && view.lesson()->hides_findings())
    return desk.tell("the lesson wants the bug to be found by hand", "findings are shown once it is");
  if (view.recording() != nullptr && view.findings().empty()) return desk.tell("nothing was found in this program");
  // The stage is to show the finding's step, whichever it shows of the two around a position.
  desk.walk().run(*find_command(command.name), {command.name, {std::int64_t{view.prefers_next() ? 1 : 0}}});
}

// Of what the Compare pane lists, which may be an array too.
void to_difference(Desk& desk, const Command& command) {
  desk.other_side().to_difference(command.name == "nextDifference" ? Direction::Forward : Direction::Backward);
}

constexpr struct {
  const char* name;
  DeskAct act;
  // clang-format off
} kKnowsMore[] = {
    {"nextWrite", to_write},           {"previousWrite", to_write},
    {"nextFinding", to_finding},       {"previousFinding", to_finding},
    {"nextDifference", to_difference}, {"previousDifference", to_difference},
};
// clang-format on

// --- stops ---

// Why it cannot be; nothing: it is set.
std::optional<Refusal> put_stop(Session& session, StopRule rule) {
  const auto added = session.add_stop(std::move(rule));
  const auto* refused = std::get_if<Refusal>(&added);
  return refused != nullptr ? std::optional(*refused) : std::nullopt;
}

// Takes away the stop of this kind, or makes it.
void toggle(Desk& desk, StopRule rule, bool (*same)(const StopRule&, const StopRule&)) {
  desk.change("setting a breakpoint",
              [rule = std::move(rule), same](Session& session) mutable -> std::optional<Refusal> {
                if (rule.source) rule.source->number = session.sources().find_file(rule.source->file);
                for (const StopEntry& stop : session.stops()) {
                  if (!same(stop.rule, rule)) continue;
                  session.remove_stop(stop.id);
                  return {};
                }
                return put_stop(session, rule);
              });
}

// On a line of a file that the program came from.
void toggle_source_breakpoint(Desk& desk, const std::string& line) {
  const auto source = read_source_line(line);
  if (!source) return desk.tell(fmt::format("'{}' is no line", line), "FILE:LINE, such as attn.py:41", true);
  toggle(desk, {.source = source}, [](const StopRule& a, const StopRule& b) {
    return a.source && b.source->number && a.source->number == b.source->number && a.source->line == b.source->line &&
           !a.watch;
  });
}

// On the line of the shown step, where none is named.
void toggle_breakpoint(Desk& desk, const Command& command) {
  if (const std::string line = command.text(0); !line.empty()) return toggle_source_breakpoint(desk, line);
  const auto shown = desk.view().shown_step();
  if (command.values.empty() && !shown) return;
  std::uint32_t line = command.values.empty() ? desk.view().recording()->bound(*shown).pos.line : command.count(0);
  // Any line of an operation's text means the operation.
  if (const Document* document = desk.view().document(); document != nullptr && document->tree != nullptr)
    line = text::op_line(*document->tree, line).value_or(line);
  toggle(desk, {.line = line}, [](const StopRule& a, const StopRule& b) { return a.line == b.line && !a.watch; });
}

void toggle_step_breakpoint(Desk& desk, const Command& command) {
  toggle(desk, {.step = command.count(0)},
         [](const StopRule& a, const StopRule& b) { return a.step == b.step && !a.watch; });
}

void add_breakpoint(Desk& desk, const Command& command) {
  desk.change("setting a breakpoint", [op = plain_op(command.text(0))](Session& session) -> std::optional<Refusal> {
    return put_stop(session, {.op = op});
  });
}

// As `change`, for what has to ask conditions.
void change_live(Desk& desk, std::function<std::optional<Refusal>(LiveSession&)> edit) {
  Walk& walk = desk.walk();
  walk.driver().post("setting a breakpoint", [&walk, edit = std::move(edit)](LiveSession& live) {
    if (live.session == nullptr) return;
    if (const auto refused = edit(live))
      walk.driver().reply([&walk, refused = *refused] { walk.tell(refused.text, refused.hint, true); });
    walk.publish(live, {.step = live.session->moment().position});
  });
}

void add_stop(Desk& desk, const Command& command) {
  change_live(desk, [&walk = desk.walk(), text = command.text(0)](LiveSession& live) -> std::optional<Refusal> {
    const auto [place, asked] = split_condition(text);
    auto read = read_stop(place, *live.session);
    if (const auto* wrong = std::get_if<Refusal>(&read)) return *wrong;
    StopRule rule = std::get<StopRule>(std::move(read));
    if (!asked.empty()) {
      if (auto wrong = wrong_condition(live, asked)) return wrong;
      rule.when = condition(live, walk, asked);
    }
    return put_stop(*live.session, std::move(rule));
  });
}

// The condition, how many hits more pass by, and what is said instead of stopping; empty texts take them away.
void edit_stop(Desk& desk, const Command& command) {
  change_live(desk, [&walk = desk.walk(), command](LiveSession& live) -> std::optional<Refusal> {
    StopEntry* stop = live.session->find_stop(command.count(0));
    if (stop == nullptr) return Refusal{fmt::format("there is no breakpoint {}", command.count(0)), ""};
    const std::string asked = command.text(1);
    if (!asked.empty())
      if (auto wrong = wrong_condition(live, asked)) return wrong;
    StopRule rule = stop->rule;
    if (!asked.empty()) rule.when = condition(live, walk, asked);
    else if (condition_of(rule) != nullptr) rule.when = nullptr;
    rule.ignore = stop->hits + command.count(2);
    rule.log = command.text(3);
    // What it says may name what is not there: the session looks at it as at a new one.
    const auto checked = live.session->add_stop(rule);
    if (const auto* refused = std::get_if<Refusal>(&checked)) return *refused;
    live.session->remove_stop(std::get<StopId>(checked));
    live.session->find_stop(command.count(0))->rule = std::move(rule);
    return {};
  });
}

void remove_stop(Desk& desk, const Command& command) {
  desk.change("removing a breakpoint", [id = command.count(0)](Session& session) -> std::optional<Refusal> {
    session.remove_stop(id);
    return {};
  });
}

void enable_stop(Desk& desk, const Command& command) {
  const StopId id = command.count(0);
  const bool enabled = command.number(1, 1) != 0;
  desk.change("enabling a breakpoint", [id, enabled](Session& session) -> std::optional<Refusal> {
    if (StopEntry* stop = session.find_stop(id)) stop->enabled = enabled;
    return {};
  });
}

void enable_breakpoints(Desk& desk, const Command&) {
  desk.change("enabling breakpoints", [](Session& session) -> std::optional<Refusal> {
    std::vector<StopId> ids;
    for (const StopEntry& stop : session.stops()) ids.push_back(stop.id);
    const bool any = std::ranges::any_of(session.stops(), &StopEntry::enabled);
    for (const StopId id : ids) session.find_stop(id)->enabled = !any;
    return {};
  });
}

void watch_bytes(Desk& desk, const Command&) {
  DebugView& view = desk.view();
  if (!view.selected()) return desk.tell("nothing is selected", "click an element first");
  const ByteRange place = view.place_of(*view.selected(), view.moment().position);
  const Watched watched{.bytes = {place}, .touch = Touch::Write, .text = view.name_of(*view.selected())};
  desk.change("watching bytes",
              [watched](Session& session) -> std::optional<Refusal> { return put_stop(session, {.watch = watched}); });
}

// --- places ---

void bookmark(Desk& desk, const Command& command) {
  desk.change("bookmarking", [name = command.text(0)](Session& session) -> std::optional<Refusal> {
    const std::uint32_t position = session.moment().position;
    const auto& marks = session.bookmarks();
    const auto here = std::ranges::find_if(marks, [&](const auto& mark) { return mark.second == position; });
    if (!name.empty() || here == marks.end())
      return session.bookmark(name.empty() ? fmt::format("@{}", position) : name, position);
    session.remove_bookmark(std::string(here->first));
    return {};
  });
}

void remove_bookmark(Desk& desk, const Command& command) {
  desk.change("bookmarking", [name = command.text(0)](Session& session) -> std::optional<Refusal> {
    session.remove_bookmark(name);
    return {};
  });
}

void forget_mark(Desk& desk, const Command& command) {
  desk.change("forgetting a mark", [index = command.count(0)](Session& session) -> std::optional<Refusal> {
    std::vector<FollowedMark> marks = session.followed_marks();
    if (index >= marks.size()) return Refusal{fmt::format("there is no mark {} that an edit moved", index), ""};
    marks.erase(marks.begin() + index);
    session.set_followed_marks(std::move(marks));
    return {};
  });
}

void show_next(Desk& desk, const Command& command) {
  desk.walk().show_next(command.values.empty() ? !desk.view().shows_next() : command.number(0) != 0);
}

}  // namespace

DeskAct desk_act_of_session_row(const CommandRow& row) {
  const auto* found = std::ranges::find(kKnowsMore, std::string_view(row.name),
                                        [](const auto& one) { return std::string_view(one.name); });
  return found == std::end(kKnowsMore) ? nullptr : found->act;
}

std::vector<CommandRow> run_rows() {
  // clang-format off
  return {
      {.name = "toggleBreakpoint", .menu = "Run", .title = "Breakpoint", .words = "stop here, break", .keys = "F9",
       .help = "Sets a breakpoint on the line, or takes it away; also on a line that the program came from, attn.py:41.",
       .parameters = {{"line", kAny, kMaybe}},
       .journal = kOutcome,
       .act = DeskAct{toggle_breakpoint}},
      {.name = "toggleStepBreakpoint", .menu = "Run", .title = "Breakpoint on a step",
       .help = "Sets a breakpoint on one step, or takes it away.",
       .parameters = {{"step", kInteger}},
       .journal = kOutcome,
       .act = DeskAct{toggle_step_breakpoint}},
      {.name = "addBreakpoint", .menu = "Run", .title = "Breakpoint on an instruction",
       .help = "Stops at every step of this instruction.",
       .parameters = {{"op", kText}},
       .journal = kOutcome,
       .act = DeskAct{add_breakpoint}},
      {.name = "addStop", .menu = "Run", .title = "Add a breakpoint",
       .help = "Stops where a text says: tsel, line 40, step 12, writes:t2, nan; also 'line 40 when t2[1,5] > 3'.",
       .parameters = {{"text", kText}},
       .journal = kOutcome,
       .act = DeskAct{add_stop}},
      {.name = "editStop", .menu = "Run", .title = "Change a breakpoint",
       .help = "Gives a breakpoint a condition, lets so many hits more pass by, or says a text instead of stopping.",
       .parameters = {{"id", kInteger}, {"when", kText, kMaybe}, {"ignore", kInteger, kMaybe}, {"log", kText, kMaybe}},
       .journal = kOutcome,
       .act = DeskAct{edit_stop}},
      {.name = "removeStop", .menu = "Run", .title = "Remove breakpoint",
       .help = "Takes a breakpoint away.",
       .parameters = {{"id", kInteger}},
       .journal = kOutcome,
       .act = DeskAct{remove_stop}},
      {.name = "enableStop", .menu = "Run", .title = "Enable breakpoint",
       .help = "Lets a breakpoint stop the run, or pass.",
       .parameters = {{"id", kInteger}, {"on", kFlag, kMaybe}},
       .journal = kOutcome,
       .act = DeskAct{enable_stop}},
      {.name = "enableBreakpoints", .menu = "Run", .title = "Breakpoints on or off", .keys = "Ctrl+F9",
       .help = "Lets all breakpoints rest, or all stop again.",
       .journal = kOutcome,
       .act = DeskAct{enable_breakpoints}},
      {.name = "watchSelection", .menu = "Run", .title = "Stop at writes of the selection", .words = "watchpoint, data breakpoint, watch memory", .keys = "Shift+F9",
       .help = "Stops whenever the selected element's bytes are written.",
       .journal = kOutcome,
       .act = DeskAct{watch_bytes}},
      {.name = "bookmark", .menu = "Run", .title = "Bookmark this place", .words = "remember, mark", .keys = "Ctrl+B",
       .help = "Marks the place in the timeline, or takes the mark away.",
       .parameters = {{"name", kText, kMaybe}},
       .journal = kOutcome,
       .act = DeskAct{bookmark}},
      {.name = "removeBookmark", .menu = "Run", .title = "Remove a bookmark",
       .help = "Takes a bookmark away.",
       .parameters = {{"name", kText}},
       .journal = kOutcome,
       .act = DeskAct{remove_bookmark}},
      {.name = "forgetMark", .menu = "Run", .title = "Forget a mark that was moved",
       .help = "Of marks that an edit moved or took along: the doubtful one is right, or the one that is gone is wanted no more.",
       .parameters = {{"index", kInteger}},
       .journal = kOutcome,
       .act = DeskAct{forget_mark}},
      {.name = "pause", .menu = "Run", .title = "Pause", .words = "stop, interrupt, halt", .keys = "F6",
       .help = "Ends what runs at the moment, where it is.",
       .journal = kUnwritten,
       .act = DeskAct{[](Desk& desk, const Command&) { desk.cancel(); }}},
      {.name = "showNext", .menu = "Step", .title = "Stage: next or last step", .words = "before or after", .keys = "Ctrl+E",
       .help = "The stage shows the step that comes next, or the one just made.",
       .parameters = {{"next", kFlag, kMaybe}},
       .journal = kOutcome,
       .act = DeskAct{show_next}},
      {.name = "playMove", .menu = "Step", .group = "Motion", .title = "Play the move", .words = "animate, animation, show the move", .keys = "Space",
       .help = "Plays the step in the order in which it is made, or pauses; at so many percent of the usual speed.",
       .parameters = {{"percent", kInteger, kMaybe}},
       .act = PaneAct{}},
      {.name = "playProgram", .menu = "Step", .group = "Motion", .title = "Play the program", .words = "animate all steps, film, show everything", .keys = "Shift+Space",
       .help = "Plays step after step, up to the next breakpoint; again: pauses.",
       .act = PaneAct{}},
      {.name = "progress", .menu = "Step", .group = "Motion", .title = "The step as a whole again", .words = "scrub, progress, timeline of the step",
       .help = "Shows the step at a progress from 0 to 1; without a number as a whole again.",
       .parameters = {{"progress", kNumber, kMaybe}},
       .act = PaneAct{}},
      {.name = "progressOn", .menu = "Step", .group = "Motion", .title = "To the next landing", .words = "next micro-operation that writes", .keys = ".",
       .help = "Goes on in the step to where the next elements land.",
       .act = PaneAct{}},
      {.name = "progressBack", .menu = "Step", .group = "Motion", .title = "To the landing before", .keys = ",",
       .help = "Goes back in the step to where the last elements landed.",
       .act = PaneAct{}},
      {.name = "motionPieces", .menu = "Step", .group = "Motion", .title = "Move in other pieces", .words = "row at a time, all at once, as it runs", .keys = "M",
       .help = "In which pieces a step is played: as it runs, row by row, at once.",
       .parameters = {{"pieces", kText, kMaybe}},
       .act = PaneAct{}},
      {.name = "motionLoop", .menu = "Step", .group = "Motion", .title = "Play again and again", .words = "loop, repeat", .keys = "L",
       .help = "Whether a move begins anew when it has ended.",
       .parameters = {{"on", kFlag, kMaybe}},
       .act = PaneAct{}},
      {.name = "captions", .menu = "Step", .group = "Motion", .title = "Words around the picture", .words = "captions, titles, hide text",
       .help = "What stands around the stage's picture: all, words without buttons, or off: nothing.",
       .parameters = {{"what", kText, kMaybe}},
       .act = PaneAct{}},
      {.name = "advance", .menu = "Step", .title = "Step, unless stopped", .words = "step to breakpoint",
       .help = "Makes one step; a breakpoint before or behind it ends it there.",
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command&) {
         desk.walk().move("a step", [](Session& session) { return session.advance(); });
       }}},
  };
  // clang-format on
}

}  // namespace ts::ui
