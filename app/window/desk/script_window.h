// Scripts in the window: lines that are typed into the console, files that are run, and what they show.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/view/desk_state.h"
#include "app/window/desk/gui_window.h"
#include "app/window/desk/journal_keeper.h"
#include "app/window/desk/open_document.h"
#include "app/window/desk/walk.h"

namespace ts::ui {

// Another recording in the place of the one that is shown, as a script made it.
struct Adopted {
  std::shared_ptr<Document> document;
  std::shared_ptr<Session> questions;
  Standing standing;
  Launch launch;
  std::string script;  // its file; empty: the journal
};

class ScriptWindow {
 public:
  ScriptWindow(Walk& walk, JournalKeeper& journal, ConsoleState& console, ScriptState& shown);

  // --- typing ---
  void type(std::string line);
  // A piece of Lua from outside of the window. `reply` is called in the window's thread.
  struct Answered {
    bool ok = false;
    std::string values = "[]", error = {};  // as JSON; in words
    std::vector<std::string> printed = {};
    std::uint32_t position = 0, count = 0;
  };
  void ask(std::string lua, std::function<void(const Answered&)> reply);
  // The line's completions, for panes to see in the view.
  void complete(std::string line);
  void say(ConsoleLine line);

  // --- running ---
  // In the session's thread: the script that lines are typed into.
  void start(LiveSession& live);
  // Runs a Lua file. A recording that it makes is shown.
  void run_file(const std::string& path);
  void run_journal();
  // What takes the recording in that a script made.
  std::function<void(Adopted)> on_adopt;

  // --- what scripts show ---
  void press_button(const std::string& panel, const std::string& button);
  void close_panel(const std::string& panel);
  void forget_items();

  // --- pictures of the window ---
  const std::optional<PictureWish>& picture_wish() const { return picture_wish_; }
  void picture_taken(data::Error error);
  // Whether anybody takes pictures.
  void set_takes_pictures(bool takes) { shared_->takes_pictures = takes; }

 private:
  std::shared_ptr<scripting::GuiHost> make_gui(LiveSession& live);
  void make_host(LiveSession& live, scripting::ScriptHost& host);
  scripting::SandboxLimits ended_by_user(scripting::SandboxLimits limits);
  void give_recording(LiveSession& live, const char* line);
  void feed(LiveSession& live, const std::string& line);
  void adopt(LiveSession& live, const std::shared_ptr<Session>& session, const RunOrigin& from,
             const std::string& script);
  void run_text(LiveSession& live, const std::string& text, const std::string& name, const std::string& script);
  void post_text(std::string text, std::string name, std::optional<Journal::Kept> back);
  void show_items(std::shared_ptr<const scripting::GuiItems> items, const std::string& front);

  Walk& walk_;
  DebugView& view_;
  Driver& driver_;
  JournalKeeper& journal_;
  ConsoleState& console_;
  ScriptState& shown_;
  std::shared_ptr<SharedWithScripts> shared_ = std::make_shared<SharedWithScripts>();
  std::optional<PictureWish> picture_wish_;
  std::vector<std::string>* collects_ = nullptr;  // of the session's thread: where what is printed goes instead
  bool giving_ = false;                           // of the session's thread: what it runs now is not ended
};

}  // namespace ts::ui
