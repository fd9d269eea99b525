// What scripts ask of the window, and scripts that the window runs. Scripts run in the driver's thread: what concerns
// the window goes there as replies, which come in their order.
#include <fmt/format.h>

#include <algorithm>

#include "app/files/files.h"
#include "app/files/script_host.h"
#include "app/window/desk.h"
#include "scripting/run/engine.h"
#include "scripting/run/gui_host.h"
#include "scripting/gui/gui_live.h"

namespace ts::ui {
namespace {

constexpr double kPictureSeconds = 10;  // a window that draws nothing for so long draws nothing any more

Element element_of(bool is_buffer, std::uint32_t id, std::uint32_t row, std::uint32_t col) {
  return {{is_buffer ? Owner::Kind::Buffer : Owner::Kind::Tile, id}, row, col};
}

std::string number_text(double number) {
  return fmt::format("{}", number);
}

}  // namespace

// --- what scripts ask ---

class Desk::Gui final : public scripting::GuiHost {
 public:
  Gui(Desk& desk, Bench& bench) : desk_(desk), bench_(bench), scripts_(desk.scripts_) {}

  std::shared_ptr<Session> shown() override { return bench_.session; }

  void command(const std::string& name, std::vector<scripting::GuiValue> values) override {
    desk_.driver_.reply(
        [this, asked = Asked{{name, std::move(values)}, scripts_->typing}] { desk_.asked_.push_back(asked); });
  }

  void select(bool is_buffer, std::uint32_t id, std::uint32_t row, std::uint32_t col) override {
    desk_.driver_.reply([this, element = element_of(is_buffer, id, row, col), quiet = scripts_->typing] {
      if (desk_.view_.recording() == nullptr) return;
      desk_.select(element);
      if (quiet) desk_.journal_.set_selected(desk_.selected_line());
    });
  }

  void show(const std::string& owner, const scripting::ShowWish& wish) override {
    std::vector<CommandValue> values{owner, wish.as, wish.format};
    if (wish.low && wish.high) values.insert(values.end(), {number_text(*wish.low), number_text(*wish.high)});
    command("showTile", std::move(values));
  }

  data::Error screenshot(const std::string& path, double scale) override {
    if (!scripts_->takes_pictures) return {"this window takes no pictures", "tilescope shot draws one"};
    {
      const std::lock_guard lock(scripts_->mutex);
      scripts_->picture.reset();
    }
    // First the window sees where the session stands.
    if (bench_.session != nullptr) desk_.publish(bench_, {.step = bench_.session->moment().position});
    desk_.driver_.reply([this, wish = PictureWish{path, scale}] { desk_.picture_wish_ = wish; });
    std::unique_lock lock(scripts_->mutex);
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kPictureSeconds);
    while (!scripts_->picture && desk_.driver_.go_on() && std::chrono::steady_clock::now() < end)
      scripts_->changed.wait_for(lock, std::chrono::milliseconds(50));
    if (scripts_->picture) return *scripts_->picture;
    desk_.driver_.reply([this] { desk_.picture_wish_.reset(); });
    return {"no picture was taken", "the window was busy, or was told to stop"};
  }

  void show_items(std::shared_ptr<const scripting::GuiItems> items, const std::string& front) override {
    desk_.driver_.reply([this, items = std::move(items), front] { desk_.show_items(items, front); });
  }

 private:
  Desk& desk_;
  Bench& bench_;
  std::shared_ptr<Scripts> scripts_;
};

std::shared_ptr<scripting::GuiHost> Desk::make_gui(Bench& bench) {
  return std::make_shared<Gui>(*this, bench);
}

void Desk::show_items(std::shared_ptr<const scripting::GuiItems> items, const std::string& front) {
  for (const std::string& problem : items->problems) tell(problem, "the console has more", true);
  view_.script_items_ = std::move(items);
  if (front.empty()) return;
  view_.front_panel_ = front;
  ++view_.front_panel_number_;
  asked_.push_back({{"focusPane", {std::string("panels")}}, true});
}

void Desk::forget_script_items() {
  view_.script_items_ = std::make_shared<const scripting::GuiItems>();
}

void Desk::picture_taken(data::Error error) {
  picture_wish_.reset();
  {
    const std::lock_guard lock(scripts_->mutex);
    scripts_->picture = std::move(error);
  }
  scripts_->changed.notify_all();
}

void Desk::press_button(const std::string& panel, const std::string& button) {
  driver_.post("pressing a button", [this, panel, button](Bench& bench) {
    if (bench.session == nullptr || bench.script == nullptr) return;
    driver_.reply([this, panel, button] {
      journal_.add(JournalLine::Kind::Comment,
                   as_comment(fmt::format("\"{}\" was pressed in the panel {}", button, panel)));
    });
    bench.script->engine().slot<scripting::GuiLive>().press(panel, button);
    publish(bench, {.step = bench.session->moment().position});
  });
}

void Desk::close_panel(const std::string& panel) {
  driver_.post("closing a panel", [this, panel](Bench& bench) {
    if (bench.session == nullptr || bench.script == nullptr) return;
    bench.script->engine().slot<scripting::GuiLive>().remove_panel(panel);
    publish(bench, {.step = bench.session->moment().position});
  });
}

// --- scripts ---

// Another recording in the place of the one that is shown, as a script made it. `script`: its file; empty: the journal.
void Desk::adopt(Bench& bench, const std::shared_ptr<Session>& session, const RunOrigin& from,
                 const std::string& script) {
  bench.session = session;
  session->go_on = [this] { return driver_.go_on(); };
  auto document = std::make_shared<Document>();
  const Program& program = session->recording().program();
  document->recording = session->shared_recording();
  document->tree = program.tree;
  document->entry = program.name;
  document->entries = {program.name};
  const std::string source = program.tree != nullptr ? program.tree->source->name() : program.name;
  document->name = source.substr(source.find_last_of('/') + 1);
  auto questions = std::make_shared<Session>(document->recording);
  questions->set_findings(session->shared_findings());
  questions->index();
  Launch launch;
  launch.name = from.file.empty() ? source : from.file;
  launch.entry = from.entry;
  if (from.seed) launch.open.inputs.seed = *from.seed;
  for (const GivenInput& input : from.inputs) {
    if (input.kind == GivenInput::Kind::Number) launch.open.inputs.numbers[input.name] = input.value;
    if (input.kind == GivenInput::Kind::File) launch.array_files[input.name] = input.value;
  }
  Standing standing{.moment = session->moment(),
                    .stopped = {.step = session->moment().position},
                    .stops = {},
                    .bookmarks = session->bookmarks(),
                    .notes = session->notes(),
                    .watches = {},
                    .findings = session->shared_findings()};
  driver_.reply([this, document, questions, standing, launch, script]() mutable {
    if (!script.empty()) {
      launch_ = launch;
    } else if (const Document* before = view_.document()) {
      // The same program once more, as the journal does it.
      document->name = before->name;
      document->path = before->path;
      document->entries = before->entries;
      document->file = before->file;
    }
    show(document, questions, std::move(standing), false, script);
  });
}

void Desk::run_text(Bench& bench, const std::string& text, const std::string& name, const std::string& script) {
  // The one before lets go of the session first.
  bench.console.reset();
  bench.script.reset();
  driver_.reply([this] { forget_script_items(); });
  scripting::ScriptHost host = script_host({});
  host.print = [this](std::string_view said) {
    driver_.reply([this, line = ConsoleLine{ConsoleLine::Kind::Printed, std::string(said)}] { say(line); });
  };
  host.complain = [this](std::string_view said) {
    driver_.reply([this, line = ConsoleLine{ConsoleLine::Kind::Error, std::string(said)}] { say(line); });
  };
  host.current = bench.session;
  host.gui = make_gui(bench);
  const auto running = std::make_shared<bool>(true);
  host.opened = [this, &bench, script, running](const std::shared_ptr<Session>& session, const RunOrigin& launch) {
    if (*running) adopt(bench, session, launch, script);
  };
  bench.script = std::make_unique<scripting::Script>(std::move(host));
  bench.console = std::make_unique<scripting::Console>(*bench.script);
  const int status = bench.script->run(text, name);
  *running = false;
  bench.script->sandbox().run("rec = rec or pto.current()", "start");
  if (bench.session != nullptr) publish(bench, {.step = bench.session->moment().position});
  driver_.reply([this, name, status] {
    const std::string file = name.substr(name.find_last_of('/') + 1);
    if (status == 0)
      tell(file + " ended well");
    else
      tell(fmt::format("{} ended with status {}{}", file, status, status == 1 ? ": an assertion failed" : ""),
           "the console has its messages", true);
  });
}

void Desk::run_script(const std::string& path) {
  ProgramText text = script_text(path);
  if (!text.error.empty()) {
    tell(text.error, text.hint, true);
    return;
  }
  run_script_text(std::move(text.text), path, {});
}

// `back`: the lines that were run again, which stay those of the journal where all went well.
void Desk::run_script_text(std::string text, std::string name, std::optional<Journal::Kept> back) {
  driver_.post(
      fmt::format("running {}", name),
      [this, text = std::move(text), name,
       back = std::make_shared<std::optional<Journal::Kept>>(std::move(back))](Bench& bench) {
        driver_.reply([this, name] { journal_.add(JournalLine::Kind::Comment, as_comment(name + " was run")); });
        run_text(bench, text, name, *back ? "" : name);
        driver_.reply([this, back] {
          if (*back && view_.recording() != nullptr)
            journal_.put_back(std::move(**back), view_.standing_, selected_line());
        });
      });
}

// --- notes ---

void Desk::write_note(const Command& command) {
  Note note{.text = command.text(0)};
  if (command.values.size() > 1) {
    if (command.number(1, -1) >= 0) note.step = static_cast<std::uint32_t>(command.number(1));
    if (!command.text(2).empty())
      note.element = NotedElement{command.text(2), static_cast<std::uint32_t>(command.number(3)),
                                  static_cast<std::uint32_t>(command.number(4))};
  } else if (view_.recording() != nullptr) {
    note.step = view_.shown_step();
    if (view_.selected_)
      note.element = NotedElement{view_.name_of(view_.selected_->owner), view_.selected_->row, view_.selected_->col};
  }
  if (view_.recording() == nullptr) return tell("nothing is open that a note could be about", "open a program first");
  change("writing a note", [note](Session& session) { return session.note(note); });
}

void Desk::show_note(std::size_t index) {
  if (index >= view_.notes().size()) return;
  const Note note = view_.notes()[index];
  if (note.step) go_behind(*note.step);
  if (!note.element) return;
  if (const auto element = find_element(note.element->owner, note.element->row, note.element->col)) select(element);
}

}  // namespace ts::ui
