// The window's side of the work: what is open, what the panes see of it, and its parts, which change it. Knows no ImGui
// and no screen.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/settings/run_mark.h"
#include "app/view/command.h"
#include "app/view/debug_view.h"
#include "app/window/desk/checks.h"
#include "app/window/desk/journal_keeper.h"
#include "app/window/desk/kept_work.h"
#include "app/window/desk/lesson_run.h"
#include "app/window/desk/open_document.h"
#include "app/window/desk/other_side.h"
#include "app/window/desk/run_settings.h"
#include "app/window/desk/script_window.h"
#include "app/window/desk/walk.h"
#include "app/window/desk/work_keeper.h"

namespace ts::ui {

class Desk {
 public:
  // `wake` brings the window to draw a frame; called from any thread. Below `state_folder` is kept what the user sets
  // in a program; empty: it is not kept.
  explicit Desk(std::function<void()> wake, std::string state_folder = "");
  ~Desk();

  DebugView& view() { return view_; }
  const DebugView& view() const { return view_; }
  const Launch& launch() const { return launch_; }
  bool made_by_script() const { return !script_path_.empty(); }

  // --- its parts ---
  Walk& walk() { return walk_; }
  Checks& checks() { return checks_; }
  OtherSide& other_side() { return other_side_; }
  LessonRun& lesson() { return lesson_; }
  JournalKeeper& journal() { return journal_keeper_; }
  ScriptWindow& scripts() { return scripts_; }
  RunSettings& settings() { return settings_; }
  const RunSettings& settings() const { return settings_; }

  // --- opening ---
  void open(Launch launch);
  // What was kept of how a program was run; what cannot be read of it is told.
  void open_kept(const nlohmann::json& kept, std::optional<CutOffRun> cut_off = {});
  // The run that was being recorded when the program ended before; null: none was.
  const UnfinishedRun* cut_off() const { return cut_off_ ? &*cut_off_ : nullptr; }
  void open_cut_off();
  // The same file once more, keeping the place and what was set; where it does not run any more, what ran before stays.
  // `changed`: somebody edited it, which is told.
  void reload(bool changed = false);
  // The same program as the draft of the settings says, with the place kept.
  void run_draft();
  // Back to the start page.
  void close();

  // --- forks (forks.cpp) ---
  // The run that is shown once more with these changed, as `read_edit` has them; without a position of their own where the
  // session stands. It is shown, beside what it came from.
  void edit(const std::vector<std::string>& edits);
  // A fork by its name; empty: the run that they came from.
  void show_fork(const std::string& name);
  void rename_fork(const std::string& name, const std::string& to);
  void close_fork(const std::string& name);

  // --- commands ---
  // Of a session: of core's table, and of selecting, stops, watches and the console. False: not one of them.
  bool carry_out(const Command& command);
  // Whatever runs, also beside the session.
  void cancel();
  // What many commands do, done by the walk.
  void tell(std::string text, std::string hint = "", bool is_error = false) {
    walk_.tell(std::move(text), std::move(hint), is_error);
  }
  void change(std::string what, std::function<std::optional<Refusal>(Session&)> edit) {
    walk_.change(std::move(what), std::move(edit));
  }
  void select(std::optional<Element> element) { walk_.select(element); }
  std::optional<Element> find_element(const std::string& name, std::uint32_t row, std::uint32_t col) {
    return walk_.find_element(name, row, col);
  }

  // --- frames ---
  // What jobs brought is taken in, and what was hovered is handed on. True when something changed.
  bool begin_frame();
  // What jobs have brought since.
  bool take_in();
  // Something is there to be taken in.
  bool has_news() const;
  bool busy() const { return !driver_.idle(); }
  // Something runs that nobody waits for: a check, a comparison.
  bool works_beside() const {
    return checks_.beside().busy() || other_side_.beside().busy() || settings_.beside().busy();
  }
  void wait_a_moment() { driver_.settle(std::chrono::milliseconds(4)); }
  // Runs until everything that was asked for is there, or `stopped` says so.
  void wait(const std::function<bool()>& stopped = {});
  // Keeps what was set, where it changed.
  void keep_work();
  // Taken by whoever shows them, and by whoever can do them.
  std::vector<Notice> take_notices() { return walk_.take_notices(); }
  std::vector<Wish> take_wishes() { return walk_.take_wishes(); }

 private:
  void take_case(const Launch& launch, const std::vector<std::string>& notes);
  // What is open, with what was set in it, while it is opened again; null: it is not.
  struct Left {
    std::shared_ptr<const Document> document;
    KeptWork work;
    bool changed = false, other_run = false;  // its text; how it is run
  };
  void open_job(LiveSession& live, const Launch& given, const std::shared_ptr<const Left>& left);
  void stay(const Broken& broken);
  KeptWork kept_work(const Document& document, const std::shared_ptr<const Left>& left, bool brings_work) const;
  // Nothing: the document did not run.
  std::optional<Standing> start_session(LiveSession& live, const Document& document,
                                        const std::shared_ptr<const Left>& left);
  bool may_change_values();
  void run_fork(KeptFork fork, bool is_new);
  void show_run(LiveSession& live, std::shared_ptr<const Document> document, const std::shared_ptr<const Left>& left,
                const std::string& fork);
  void adopt(Adopted adopted);
  // `script`: the file of the script that made it; empty: none did.
  void show(std::shared_ptr<const Document> document, std::shared_ptr<Session> questions, Standing standing, bool again,
            const std::string& script = "");
  void point_where_it_pointed(bool again, const std::string& name, const std::optional<Element>& selected);
  std::optional<Busy> busy_beside() const;

  // What panes see; each struct is changed by one of the parts.
  DeskState state_;
  Journal journal_;
  // Its thread reaches for nothing else here: what it has to say to the others it sends as replies.
  Driver driver_;
  DebugView view_;
  Launch launch_;
  std::string script_path_;  // that made what is open; empty: nobody but the user did
  Walk walk_;
  WorkKeeper work_;
  JournalKeeper journal_keeper_;
  ScriptWindow scripts_;
  LessonRun lesson_;
  // Threads of their own.
  Checks checks_;
  OtherSide other_side_;
  RunSettings settings_;
  std::optional<UnfinishedRun> cut_off_;
};

}  // namespace ts::ui
