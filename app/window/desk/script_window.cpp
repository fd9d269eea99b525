// Lines and files of Lua, in the session's thread.
#include "app/window/desk/script_window.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "app/files/files.h"
#include "app/files/script_host.h"
#include "scripting/gui/gui_live.h"
#include "scripting/run/engine.h"

namespace ts::ui {
namespace {

// Lines of the console that are kept.
constexpr std::size_t kMostConsoleLines = 5000;

// How a script said that the program is to run, as if somebody had opened it.
Launch launch_of(const RunOrigin& from, const std::string& source) {
  Launch launch;
  launch.name = from.file.empty() ? source : from.file;
  launch.entry = from.entry;
  if (from.seed) launch.open.inputs.seed = *from.seed;
  for (const GivenInput& input : from.inputs) {
    if (input.kind == GivenInput::Kind::Number) launch.open.inputs.numbers[input.name] = input.value;
    if (input.kind == GivenInput::Kind::File) launch.array_files[input.name] = input.value;
    if (input.kind == GivenInput::Kind::Made)
      if (const auto kind = data::find_made_up(input.value)) launch.open.inputs.made[input.name] = *kind;
  }
  return launch;
}

}  // namespace

ScriptWindow::ScriptWindow(Walk& walk, JournalKeeper& journal, ConsoleState& console, ScriptState& shown)
    : walk_(walk), view_(walk.view()), driver_(walk.driver()), journal_(journal), console_(console), shown_(shown) {
  forget_items();
}

// --- typing ---

void ScriptWindow::say(ConsoleLine line) {
  while (line.text.ends_with('\n')) line.text.pop_back();
  console_.lines.push_back(std::move(line));
  ++console_.said;
  if (console_.lines.size() > kMostConsoleLines) console_.lines.erase(console_.lines.begin());
}

void ScriptWindow::type(std::string line) {
  say({ConsoleLine::Kind::Typed, line});
  driver_.post("running what was typed", [this, line = std::move(line)](LiveSession& live) {
    if (live.console != nullptr) return feed(live, line);
    driver_.reply([this] { say({ConsoleLine::Kind::Error, "open a program first"}); });
  });
}

void ScriptWindow::ask(std::string lua, std::function<void(const Answered&)> reply) {
  driver_.post("running what was asked from outside",
               [this, lua = std::move(lua), reply = std::move(reply)](LiveSession& live) {
                 Answered made;
                 if (live.console == nullptr) {
                   made.error = "no program is open";
                 } else {
                   collects_ = &made.printed;
                   const scripting::Console::Answer answer = live.console->answer(lua);
                   collects_ = nullptr;
                   for (std::string& line : made.printed)
                     while (line.ends_with('\n')) line.pop_back();
                   made.ok = answer.ok, made.values = answer.values, made.error = answer.error;
                 }
                 if (live.session != nullptr) {
                   made.position = live.session->moment().position;
                   made.count = live.session->count();
                   driver_.reply([this, lua] { journal_.add_comment("from outside: " + lua); });
                   walk_.publish(live, {.step = made.position});
                 }
                 driver_.reply([reply, made] { reply(made); });
               });
}

void ScriptWindow::feed(LiveSession& live, const std::string& line) {
  const auto shared = shared_;
  shared->wrote_file = false;
  shared->typing = true;
  const auto fed = live.console->feed(line);
  shared->typing = false;
  if (fed == scripting::Console::Fed::Quit)
    driver_.reply([this] { say({ConsoleLine::Kind::Note, "the script quit; the window stays"}); });
  // A line that failed, or that wrote a file which is there now, cannot be done again as it is.
  const std::string ran = live.console->ran();
  const bool again = fed == scripting::Console::Fed::Done && live.console->ran_well() && !shared->wrote_file;
  const bool written = again && !ran.empty();
  if (!again && !ran.empty()) driver_.reply([this, ran] { journal_.add_comment(ran); });
  if (live.session == nullptr) return;
  walk_.publish(live, {.step = live.session->moment().position}, written ? typed_as_line(ran) : "", written);
}

void ScriptWindow::complete(std::string line) {
  driver_.post("completing", [this, line = std::move(line)](LiveSession& live) {
    if (live.console == nullptr) return;
    driver_.reply([this, line, found = live.console->guess(line)] {
      console_.guesses = {line, found.begin, found.names};
    });
  });
}

// --- running ---

std::shared_ptr<scripting::GuiHost> ScriptWindow::make_gui(LiveSession& live) {
  GuiWindow::Takers takers;
  takers.select = [this](const Element& element, bool quiet) {
    if (view_.recording() == nullptr) return;
    walk_.select(element);
    if (quiet) journal_.pass_selected();
  };
  takers.wish_picture = [this](std::optional<PictureWish> wish) { picture_wish_ = std::move(wish); };
  takers.show_items = [this](std::shared_ptr<const scripting::GuiItems> items, const std::string& front) {
    show_items(std::move(items), front);
  };
  return std::make_shared<GuiWindow>(walk_, live, shared_, std::move(takers));
}

void ScriptWindow::make_host(LiveSession& live, scripting::ScriptHost& host) {
  const auto say_from_there = [this](ConsoleLine::Kind kind) {
    return [this, kind](std::string_view text) {
      if (collects_ != nullptr) return collects_->push_back(std::string(text));
      driver_.reply([this, line = ConsoleLine{kind, std::string(text)}] { say(line); });
    };
  };
  host.print = say_from_there(ConsoleLine::Kind::Printed);
  host.complain = say_from_there(ConsoleLine::Kind::Error);
  host.current = live.session;
  host.gui = make_gui(live);
}

scripting::SandboxLimits ScriptWindow::ended_by_user(scripting::SandboxLimits limits) {
  limits.stopped = [this] { return !giving_ && !driver_.go_on(); };
  return limits;
}

// Also where what led here was ended early.
void ScriptWindow::give_recording(LiveSession& live, const char* line) {
  giving_ = true;
  live.script->sandbox().run(line, "start");
  giving_ = false;
}

void ScriptWindow::start(LiveSession& live) {
  scripting::ScriptHost host = script_host(places_of_person());
  make_host(live, host);
  host.new_file = [shared = shared_, allow = host.new_file](const std::string& path,
                                                            std::initializer_list<std::string_view> endings) {
    shared->wrote_file = true;
    return allow(path, endings);
  };
  live.script = std::make_unique<scripting::Script>(std::move(host), ended_by_user(person_limits()));
  give_recording(live, "rec = pto.current()");
  live.console = std::make_unique<scripting::Console>(*live.script);
}

void ScriptWindow::adopt(LiveSession& live, const std::shared_ptr<Session>& session, const RunOrigin& from,
                         const std::string& script) {
  live.session = session;
  session->go_on = [this] { return driver_.go_on(); };
  auto document = std::make_shared<Document>();
  const Program& program = session->recording().program();
  document->recording = session->shared_recording();
  document->tree = program.tree;
  document->entry = program.name;
  document->entries = {program.name};
  const std::string source = program.tree != nullptr ? program.tree->source->name() : program.name;
  document->name = source.substr(source.find_last_of('/') + 1);
  // The file that is watched: saved again, it runs again. A script that the program brings along is none.
  std::error_code missing;
  if (std::filesystem::is_regular_file(script, missing)) document->path = script;
  auto questions = std::make_shared<Session>(document->recording);
  questions->set_findings(session->shared_findings());
  questions->index();
  questions->sources();
  Standing standing{.moment = session->moment(),
                    .stopped = {.step = session->moment().position},
                    .stops = {},
                    .bookmarks = session->bookmarks(),
                    .notes = session->notes(),
                    .followed_marks = {},
                    .forks = session->forks(),
                    .watches = {},
                    .findings = session->shared_findings()};
  driver_.reply(
      [this, adopted = Adopted{document, questions, standing, launch_of(from, source), script}] { on_adopt(adopted); });
}

void ScriptWindow::run_text(LiveSession& live, const std::string& text, const std::string& name,
                            const std::string& script) {
  // The one before lets go of the session first.
  live.console.reset();
  live.script.reset();
  driver_.reply([this] { forget_items(); });
  scripting::ScriptHost host = script_host(places_of_script(name));
  make_host(live, host);
  const auto running = std::make_shared<bool>(true);
  host.opened = [this, &live, script, running](const std::shared_ptr<Session>& session, const RunOrigin& launch) {
    if (*running) adopt(live, session, launch, script);
  };
  live.script = std::make_unique<scripting::Script>(std::move(host), ended_by_user({}));
  live.console = std::make_unique<scripting::Console>(*live.script);
  const int status = live.script->run(text, name);
  *running = false;
  give_recording(live, "rec = rec or pto.current()");
  if (live.session != nullptr) walk_.publish(live, {.step = live.session->moment().position});
  driver_.reply([this, name, status] {
    const std::string file = name.substr(name.find_last_of('/') + 1);
    if (status == 0) walk_.tell(file + " ended well");
    else
      walk_.tell(fmt::format("{} ended with status {}{}", file, status, status == 1 ? ": an assertion failed" : ""),
                 "the console has its messages", true);
  });
}

void ScriptWindow::run_file(const std::string& path) {
  ProgramText text = script_text(path);
  if (text.error.empty()) post_text(std::move(text.text), path, {});
  else walk_.tell(text.error, text.hint, true);
}

void ScriptWindow::run_journal() {
  const std::string script = journal_.script();
  if (script.empty()) return walk_.tell("nothing is open, so nothing was done", "open a program first");
  post_text(script, "journal", journal_.keep());
}

// `back`: the lines that were run again, which stay those of the journal where all went well.
void ScriptWindow::post_text(std::string text, std::string name, std::optional<Journal::Kept> back) {
  driver_.post(fmt::format("running {}", name),
               [this, text = std::move(text), name,
                back = std::make_shared<std::optional<Journal::Kept>>(std::move(back))](LiveSession& live) {
                 driver_.reply([this, name] { journal_.add_comment(name + " was run"); });
                 run_text(live, text, name, *back ? "" : name);
                 driver_.reply([this, back] {
                   if (*back) journal_.put_back(std::move(**back));
                 });
               });
}

// --- what scripts show ---

void ScriptWindow::show_items(std::shared_ptr<const scripting::GuiItems> items, const std::string& front) {
  for (const std::string& problem : items->problems) walk_.tell(problem, "the console has more", true);
  shown_.items = std::move(items);
  if (front.empty()) return;
  shown_.front_panel = front;
  ++shown_.front_panel_number;
  walk_.wish({.command = {"focusPane", {std::string("panels")}}, .quiet = true});
}

void ScriptWindow::forget_items() { shown_.items = std::make_shared<const scripting::GuiItems>(); }

void ScriptWindow::press_button(const std::string& panel, const std::string& button) {
  driver_.post("pressing a button", [this, panel, button](LiveSession& live) {
    if (live.session == nullptr || live.script == nullptr) return;
    driver_.reply([this, panel, button] {
      journal_.add_comment(fmt::format("\"{}\" was pressed in the panel {}", button, panel));
    });
    live.script->engine().slot<scripting::GuiLive>().press(panel, button);
    walk_.publish(live, {.step = live.session->moment().position});
  });
}

void ScriptWindow::close_panel(const std::string& panel) {
  driver_.post("closing a panel", [this, panel](LiveSession& live) {
    if (live.session == nullptr || live.script == nullptr) return;
    live.script->engine().slot<scripting::GuiLive>().remove_panel(panel);
    walk_.publish(live, {.step = live.session->moment().position});
  });
}

void ScriptWindow::picture_taken(data::Error error) {
  picture_wish_.reset();
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->picture = std::move(error);
  }
  shared_->changed.notify_all();
}

}  // namespace ts::ui
