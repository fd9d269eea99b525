// The commands of a session, by their names in the tables.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "app/window/desk.h"
#include "app/window/window_commands.h"
#include "core/debug/session/commands.h"
#include "core/debug/session/stop_text.h"

namespace ts::ui {
namespace {

std::uint32_t count_at(const Command& command, std::size_t index, std::uint32_t otherwise = 0) {
  const std::int64_t number = command.number(index, otherwise);
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(number, 0, 0xFFFFFFFF));
}

Stopped behind(std::variant<Stopped, Refusal> result, const Session& session, std::optional<Refusal>& refused) {
  if (auto* no = std::get_if<Refusal>(&result)) {
    refused = *no;
    return {.step = session.moment().position};
  }
  return std::get<Stopped>(result);
}

// --- going ---

void seek(Desk& desk, const Command& command) {
  const Moment to{count_at(command, 0), count_at(command, 1)};
  desk.move("going there", [to](Session& session) {
    session.seek(to);
    return Stopped{.step = to.position};
  });
}

// The command's line in the journal.
std::string line_of(const Command& command) {
  const CommandRow* row = find_any_command(command.name);
  return row != nullptr ? lua_of(*row, command.values) : "";
}

void step_by(Desk& desk, const Command& command, Direction direction) {
  const std::uint32_t steps = count_at(command, 0, 1);
  desk.move(
      "stepping", [steps, direction](Session& session) { return session.steps(steps, direction); }, line_of(command));
}
void step(Desk& desk, const Command& command) {
  step_by(desk, command, Direction::Forward);
}
void back(Desk& desk, const Command& command) {
  step_by(desk, command, Direction::Backward);
}

void run_to(Desk& desk, const Command& command, RunTarget target, Direction direction) {
  desk.run_to(std::move(target), direction, line_of(command));
}
void run_to_step(Desk& desk, const Command& command) {
  run_to(desk, command, {.step = count_at(command, 0)}, Direction::Forward);
}
void run_back_to_step(Desk& desk, const Command& command) {
  run_to(desk, command, {.step = count_at(command, 0)}, Direction::Backward);
}
void run_to_line(Desk& desk, const Command& command) {
  run_to(desk, command, {.line = count_at(command, 0)}, Direction::Forward);
}
void run_back_to_line(Desk& desk, const Command& command) {
  run_to(desk, command, {.line = count_at(command, 0)}, Direction::Backward);
}

void next_write(Desk& desk, const Command&) {
  desk.to_write(Direction::Forward);
}
void previous_write(Desk& desk, const Command&) {
  desk.to_write(Direction::Backward);
}

// --- pointing ---

void select(Desk& desk, const Command& command) {
  const auto element = desk.find_element(command.text(0), count_at(command, 1), count_at(command, 2));
  if (element)
    desk.select(element);
  else
    desk.tell(fmt::format("there is no {}[{},{}]", command.text(0), command.number(1), command.number(2)),
              "tiles and buffers go by their names in the program; rows and columns count from 0", true);
}
void select_address(Desk& desk, const Command& command) {
  const auto space = space_from_name(command.text(0));
  if (!space || desk.view().recording() == nullptr) return;
  const ByteRange place{*space, count_at(command, 1), 1};
  const auto element = desk.view().element_at(place, desk.view().moment().position);
  if (element)
    desk.select(element);
  else
    desk.tell(fmt::format("no tile or buffer covers {}+0x{:x}", name(*space), place.address));
}
void select_none(Desk& desk, const Command&) {
  desk.select({});
}
// Of several sources the one that is named.
void follow(Desk& desk, const Command& command) {
  if (command.values.empty())
    desk.follow();
  else
    desk.follow_to(desk.find_element(command.text(0), count_at(command, 1), count_at(command, 2)));
}
void trail_to(Desk& desk, const Command& command) {
  desk.trail_to(count_at(command, 0));
}
void show_next(Desk& desk, const Command& command) {
  desk.show_next(command.number(0, 1) != 0);
}

// --- stops ---

// Why it cannot be; nothing: it is set.
std::optional<Refusal> put_stop(Session& session, StopRule rule) {
  const auto added = session.add_stop(std::move(rule));
  const auto* refused = std::get_if<Refusal>(&added);
  return refused != nullptr ? std::optional(*refused) : std::nullopt;
}

// Takes away the stop of this kind, or makes it.
void toggle(Desk& desk, StopRule rule, bool (*same)(const StopRule&, const StopRule&)) {
  desk.change("setting a breakpoint", [rule = std::move(rule), same](Session& session) -> std::optional<Refusal> {
    for (const StopEntry& stop : session.stops()) {
      if (!same(stop.rule, rule)) continue;
      session.remove_stop(stop.id);
      return {};
    }
    return put_stop(session, rule);
  });
}

// On the line of the shown step, where none is named.
void toggle_breakpoint(Desk& desk, const Command& command) {
  const auto shown = desk.view().shown_step();
  if (command.values.empty() && !shown) return;
  const std::uint32_t line =
      command.values.empty() ? desk.view().recording()->bound(*shown).pos.line : count_at(command, 0);
  toggle(desk, {.line = line}, [](const StopRule& a, const StopRule& b) { return a.line == b.line && !a.watch; });
}

void toggle_step_breakpoint(Desk& desk, const Command& command) {
  toggle(desk, {.step = count_at(command, 0)},
         [](const StopRule& a, const StopRule& b) { return a.step == b.step && !a.watch; });
}

void add_breakpoint(Desk& desk, const Command& command) {
  desk.change("setting a breakpoint", [op = plain_op(command.text(0))](Session& session) -> std::optional<Refusal> {
    return put_stop(session, {.op = op});
  });
}

void add_stop(Desk& desk, const Command& command) {
  desk.change("setting a breakpoint", [text = command.text(0)](Session& session) -> std::optional<Refusal> {
    auto read = read_stop(text, session);
    if (const auto* wrong = std::get_if<Refusal>(&read)) return *wrong;
    return put_stop(session, std::get<StopRule>(std::move(read)));
  });
}

void remove_stop(Desk& desk, const Command& command) {
  desk.change("removing a breakpoint", [id = count_at(command, 0)](Session& session) -> std::optional<Refusal> {
    session.remove_stop(id);
    return {};
  });
}

void enable_stop(Desk& desk, const Command& command) {
  const StopId id = count_at(command, 0);
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
  if (!view.selected()) {
    desk.tell("nothing is selected", "click an element first");
    return;
  }
  const ByteRange place = view.place_of(*view.selected(), view.moment().position);
  const Watched watched{.bytes = {place}, .touch = Touch::Write, .text = view.name_of(*view.selected())};
  desk.change("watching bytes",
              [watched](Session& session) -> std::optional<Refusal> { return put_stop(session, {.watch = watched}); });
}

// --- findings ---

void next_finding(Desk& desk, const Command&) {
  desk.to_finding(Direction::Forward);
}
void previous_finding(Desk& desk, const Command&) {
  desk.to_finding(Direction::Backward);
}
void show_finding(Desk& desk, const Command& command) {
  desk.show_finding(count_at(command, 0));
}
void check_now(Desk& desk, const Command&) {
  if (desk.view().recording() == nullptr)
    return desk.tell("nothing runs that could be checked", "open a program first");
  desk.check_now();
}
void check_by_itself(Desk& desk, const Command& command) {
  const Checking& now = desk.view().checking();
  desk.set_checking(command.number(0, now.automatic ? 0 : 1) != 0, now.options);
}
void check_level(Desk& desk, const Command& command) {
  CheckOptions options = desk.view().checking().options;
  const auto kind = find_finding_kind(command.text(0));
  const auto level = find_level(command.text(1));
  if (!kind || !level)
    return desk.tell(fmt::format("{} cannot be {}", command.text(0), command.text(1)),
                     "a kind such as nan, and off, note, warn, error or own", true);
  options.set(*kind, *level);
  desk.set_checking(desk.view().checking().automatic, options);
}
void usual_levels(Desk& desk, const Command&) {
  desk.set_checking(desk.view().checking().automatic, {});
}

// --- differences ---

void compare_targets(Desk& desk, const Command&) {
  desk.compare_targets();
}
void compare_with(Desk& desk, const Command& command) {
  desk.compare_with(command.text(0));
}
// A number that no tolerance is smaller than.
std::optional<double> tolerance(const std::string& text) {
  if (text.empty()) return 0;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (*end != 0 || !(number >= 0)) return {};
  return number;
}
void compare_again(Desk& desk, const Command& command) {
  const auto abs = tolerance(command.text(0)), rel = tolerance(command.text(1)), ulp = tolerance(command.text(2));
  const bool whole = ulp && *ulp <= 1e18 && *ulp == static_cast<double>(static_cast<std::uint64_t>(*ulp));
  if (!abs || !rel || !whole)
    return desk.tell(fmt::format("{} is no tolerance", !abs   ? command.text(0)
                                                       : !rel ? command.text(1)
                                                              : command.text(2)),
                     "a number from 0 on: 0.001, 1e-6; of ulp a whole one", true);
  desk.compare_again({.abs = *abs,
                      .rel = *rel,
                      .ulp = static_cast<std::uint64_t>(*ulp),
                      .nan_equal = command.number(3, 1) != 0,
                      .region = command.number(4, 0) != 0 ? Region::All : Region::Valid});
}
void compare_array(Desk& desk, const Command& command) {
  desk.compare_array(command.text(0), command.text(1));
}
void stop_comparing(Desk& desk, const Command&) {
  desk.stop_comparing();
}
void next_difference(Desk& desk, const Command&) {
  desk.to_difference(Direction::Forward);
}
void previous_difference(Desk& desk, const Command&) {
  desk.to_difference(Direction::Backward);
}
void show_difference(Desk& desk, const Command& command) {
  desk.show_difference(count_at(command, 0));
}
void mark_differences(Desk& desk, const Command& command) {
  desk.mark_differences(command.number(0, desk.view().marks_differences() ? 0 : 1) != 0);
}

// --- watches, bookmarks, console ---

void watch(Desk& desk, const Command& command) {
  desk.change("watching", [text = command.text(0)](Session& session) -> std::optional<Refusal> {
    if (!text.empty()) session.watches().push_back(text);
    return {};
  });
}

void unwatch(Desk& desk, const Command& command) {
  desk.change("watching", [index = count_at(command, 0)](Session& session) -> std::optional<Refusal> {
    if (index < session.watches().size()) session.watches().erase(session.watches().begin() + index);
    return {};
  });
}

void edit_watch(Desk& desk, const Command& command) {
  desk.change("watching",
              [index = count_at(command, 0), text = command.text(1)](Session& session) -> std::optional<Refusal> {
                if (index < session.watches().size() && !text.empty()) session.watches()[index] = text;
                return {};
              });
}

void note(Desk& desk, const Command& command) {
  desk.write_note(command);
}
void show_note(Desk& desk, const Command& command) {
  desk.show_note(count_at(command, 0));
}
void press_button(Desk& desk, const Command& command) {
  desk.press_button(command.text(0), command.text(1));
}
void close_panel(Desk& desk, const Command& command) {
  desk.close_panel(command.text(0));
}
void remove_bookmark(Desk& desk, const Command& command) {
  desk.change("bookmarking", [name = command.text(0)](Session& session) -> std::optional<Refusal> {
    session.bookmarks().erase(name);
    return {};
  });
}

void bookmark(Desk& desk, const Command& command) {
  desk.change("bookmarking", [name = command.text(0)](Session& session) -> std::optional<Refusal> {
    const std::uint32_t position = session.moment().position;
    auto& marks = session.bookmarks();
    const auto here = std::ranges::find_if(marks, [&](const auto& mark) { return mark.second == position; });
    if (name.empty() && here != marks.end())
      marks.erase(here);
    else
      marks[name.empty() ? fmt::format("@{}", position) : name] = position;
    return {};
  });
}

void console(Desk& desk, const Command& command) {
  desk.type(command.text(0));
}
void guess(Desk& desk, const Command& command) {
  desk.show_guesses(command.text(0));
}

// --- lessons ---

void lesson_next(Desk& desk, const Command&) {
  desk.lesson_turn(1);
}
void lesson_back(Desk& desk, const Command&) {
  desk.lesson_turn(-1);
}
// Pages are counted from 1, as they are shown.
void lesson_page(Desk& desk, const Command& command) {
  desk.lesson_page(count_at(command, 0, 1) - 1);
}
void lesson_answer(Desk& desk, const Command&) {
  desk.lesson_answer();
}
void lesson_tell(Desk& desk, const Command&) {
  desk.lesson_tell();
}
void lesson_hint(Desk& desk, const Command&) {
  desk.lesson_hint();
}
void lesson_choose(Desk& desk, const Command& command) {
  desk.lesson_choose(count_at(command, 0, 1) - 1);
}
// A number is an answer as well.
std::string answer_in(const Command& command) {
  const bool number = command.values.size() > 1 && std::holds_alternative<std::int64_t>(command.values[1]);
  return number ? std::to_string(command.number(1)) : command.text(1);
}
void lesson_fill(Desk& desk, const Command& command) {
  desk.lesson_fill(count_at(command, 0), answer_in(command));
}
void lesson_drop(Desk& desk, const Command& command) {
  desk.lesson_drop(count_at(command, 0), answer_in(command));
}

// Core's rows that take arguments, and the window's own of the session.
constexpr struct {
  const char* name;
  void (*act)(Desk&, const Command&);
} kHandlers[] = {
    {"seek", seek},
    {"step", step},
    {"back", back},
    {"runToStep", run_to_step},
    {"runBackToStep", run_back_to_step},
    {"runToLine", run_to_line},
    {"runBackToLine", run_back_to_line},
    {"nextWrite", next_write},
    {"previousWrite", previous_write},
    {"select", select},
    {"selectAddress", select_address},
    {"selectNone", select_none},
    {"follow", follow},
    {"trailTo", trail_to},
    {"showNext", show_next},
    {"toggleBreakpoint", toggle_breakpoint},
    {"toggleStepBreakpoint", toggle_step_breakpoint},
    {"addBreakpoint", add_breakpoint},
    {"addStop", add_stop},
    {"removeStop", remove_stop},
    {"enableStop", enable_stop},
    {"enableBreakpoints", enable_breakpoints},
    {"watchSelection", watch_bytes},
    {"nextFinding", next_finding},
    {"previousFinding", previous_finding},
    {"showFinding", show_finding},
    {"checkNow", check_now},
    {"checkByItself", check_by_itself},
    {"checkLevel", check_level},
    {"usualLevels", usual_levels},
    {"compareTargets", compare_targets},
    {"compareWith", compare_with},
    {"compareAgain", compare_again},
    {"compareArray", compare_array},
    {"stopComparing", stop_comparing},
    {"nextDifference", next_difference},
    {"previousDifference", previous_difference},
    {"showDifference", show_difference},
    {"markDifferences", mark_differences},
    {"lessonNext", lesson_next},
    {"lessonBack", lesson_back},
    {"lessonPage", lesson_page},
    {"lessonAnswer", lesson_answer},
    {"lessonTell", lesson_tell},
    {"lessonHint", lesson_hint},
    {"lessonChoose", lesson_choose},
    {"lessonFill", lesson_fill},
    {"lessonDrop", lesson_drop},
    {"watch", watch},
    {"unwatch", unwatch},
    {"editWatch", edit_watch},
    {"bookmark", bookmark},
    {"removeBookmark", remove_bookmark},
    {"note", note},
    {"showNote", show_note},
    {"pressButton", press_button},
    {"closePanel", close_panel},
    {"console", console},
    {"guess", guess},
};

}  // namespace

void Desk::run_to(RunTarget target, Direction direction, std::string lua) {
  driver_.post("running", [this, target = std::move(target), direction, lua = std::move(lua)](Bench& bench) {
    if (bench.session == nullptr) return;
    std::optional<Refusal> refused;
    const Stopped stopped = behind(bench.session->run_to(target, direction), *bench.session, refused);
    if (refused) driver_.reply([this, no = *refused] { tell(no.text, no.hint, true); });
    publish(bench, stopped, refused ? "" : lua);
  });
}

void Desk::to_write(Direction direction) {
  if (!view_.selected_) {
    tell("nothing is selected", "click an element first");
    return;
  }
  const ByteRange place = view_.place_of(*view_.selected_, view_.moment().position);
  driver_.post("looking for a write", [this, place, direction](Bench& bench) {
    if (bench.session == nullptr) return;
    const std::optional<Stopped> stopped = bench.session->to_write(place, direction);
    const CommandRow& row = *find_command(direction == Direction::Forward ? "nextWrite" : "previousWrite");
    const std::string bytes =
        fmt::format("{}[0x{:x},0x{:x})", name(place.space), place.address, place.address + place.size);
    if (stopped)
      publish(bench, *stopped, lua_of(row, {bytes}));
    else
      driver_.reply([this, direction] {
        tell(direction == Direction::Forward ? "no later step writes it" : "no earlier step wrote it");
      });
  });
}

void Desk::type(std::string line) {
  say({ConsoleLine::Kind::Typed, line});
  driver_.post("running what was typed", [this, line = std::move(line)](Bench& bench) {
    if (bench.console == nullptr) {
      driver_.reply([this] { say({ConsoleLine::Kind::Error, "open a program first"}); });
      return;
    }
    const auto scripts = scripts_;
    scripts->wrote_file = false;
    scripts->typing = true;
    const auto fed = bench.console->feed(line);
    scripts->typing = false;
    if (fed == scripting::Console::Fed::Quit)
      driver_.reply([this] { say({ConsoleLine::Kind::Note, "the script quit; the window stays"}); });
    // A line that failed, or that wrote a file which is there now, cannot be done again as it is.
    const bool again = fed == scripting::Console::Fed::Done && bench.console->ran_well() && !scripts->wrote_file;
    const std::string ran = bench.console->ran();
    if (!again && !ran.empty())
      driver_.reply([this, ran] { journal_.add(JournalLine::Kind::Comment, as_comment(ran)); });
    if (bench.session == nullptr) return;
    publish(bench, {.step = bench.session->moment().position}, again && !ran.empty() ? typed_as_line(ran) : "",
            again && !ran.empty());
  });
}

void Desk::show_guesses(std::string line) {
  driver_.post("completing", [this, line = std::move(line)](Bench& bench) {
    if (bench.console == nullptr) return;
    driver_.reply([this, line, found = bench.console->guess(line)] {
      view_.guesses_ = {line, found.begin, found.names};
    });
  });
}

bool Desk::carry_out(const Command& command) {
  const auto* handler = std::ranges::find_if(kHandlers, [&](const auto& row) { return command.name == row.name; });
  const CommandRow* row = find_command(command.name);
  if (handler == std::end(kHandlers) && (row == nullptr || row->run == nullptr)) return false;
  if (handler != std::end(kHandlers))
    handler->act(*this, command);
  else
    move(row->title, row->run, lua_of(*row, {}));
  return true;
}

}  // namespace ts::ui
