// Commands of a session: those of core's table, and what is typed.
#include <fmt/format.h>

#include "app/window/commands/window_commands.h"
#include "app/window/desk.h"

namespace ts::ui {

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
      driver_.reply([this, &row] { tell(row.none); });
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

// A row of the session's, with its arguments.
void Desk::run(const CommandRow& row, Command command) {
  driver_.post(row.title, [this, &row, command = std::move(command)](Bench& bench) {
    if (bench.session == nullptr) return;
    const auto answer = row.run(*bench.session, command);
    if (const auto* no = std::get_if<Refusal>(&answer)) {
      driver_.reply([this, no = *no] { tell(no.text, no.hint, true); });
      return publish(bench, {.step = bench.session->moment().position});
    }
    const Stopped& stopped = std::get<Stopped>(answer);
    const bool nothing = stopped.reason == Stopped::Reason::End || stopped.reason == Stopped::Reason::Start;
    if (nothing && *row.none != 0)
      driver_.reply([this, &row] { tell(row.none); });
    else
      publish(bench, stopped, lua_of(row, command.values));
  });
}

bool Desk::carry_out(const Command& command) {
  const CommandRow* row = find_any_command(command.name);
  if (row == nullptr) return false;
  if (const DeskAct act = desk_act_of(*row))
    act(*this, command);
  else if (row->run != nullptr)
    run(*row, command);
  else
    return false;
  return true;
}

}  // namespace ts::ui
