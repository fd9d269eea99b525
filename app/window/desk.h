// The window's side of the work: what is open, what the panes see of it, and the commands that change it. Knows no
// ImGui and no screen.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/view/command.h"
#include "app/view/debug_view.h"
#include "app/view/lesson_view.h"
#include "app/window/beside.h"
#include "app/window/driver.h"
#include "app/window/journal_text.h"
#include "app/window/kept_work.h"
#include "app/window/open_document.h"
#include "core/data/file.h"

namespace ts::ui {

// Something the user should know, shown for a while.
struct Notice {
  std::string text, hint;
  bool is_error = false;
};

class Desk {
 public:
  // `wake` brings the window to draw a frame; called from any thread. Below `state_folder` is kept what the user sets
  // in a program; empty: it is not kept.
  explicit Desk(std::function<void()> wake, std::string state_folder = "");

  DebugView& view() { return view_; }
  const Launch& launch() const { return launch_; }

  // What jobs brought is taken in, and what was hovered is handed on. True when something changed.
  bool begin_frame();
  // Commands of a session: of core's table, and of selecting, stops, watches and the console. False: not one of them.
  bool carry_out(const Command& command);
  void open(Launch launch);
  // The same file once more, keeping the place and what was set.
  void reload();
  // Back to the start page.
  void close();
  // Whatever runs, also beside the session.
  void cancel();
  // What jobs have brought since.
  bool take_in();
  // Something is there to be taken in.
  bool has_news() const { return driver_.has_replies() || checker_.has_reply() || comparer_.has_reply(); }
  bool busy() const { return !driver_.idle(); }
  // Something runs that nobody waits for: a check, a comparison.
  bool works_beside() const { return checker_.busy() || comparer_.busy(); }
  void wait_a_moment() { driver_.settle(std::chrono::milliseconds(4)); }
  void hold_before(bool held) { view_.showing_before_ = held; }
  // Keeps what was set, where it changed.
  void keep_work();
  // Runs until everything that was asked for is there.
  void wait();

  // Taken by whoever shows them.
  std::vector<Notice> take_notices() { return std::exchange(notices_, {}); }
  void tell(std::string text, std::string hint = "", bool is_error = false);

  // What the commands of desk_commands.cpp use.
  // `lua`: the line of the journal that does the same; empty: only where it led is written.
  void move(std::string what, std::function<Stopped(Session&)> go, std::string lua = "");
  void change(std::string what, std::function<std::optional<Refusal>(Session&)> edit);
  void select(std::optional<Element> element);
  std::optional<Element> find_element(const std::string& name, std::uint32_t row, std::uint32_t col);
  void follow();
  // To a source of the selected value, and the step that made it.
  void follow_to(std::optional<Element> source);
  void trail_to(std::size_t index);
  void show_next(bool next) { view_.show_next_ = next; }
  void type(std::string line);
  // Into files.
  void save_recording(const std::string& path);
  void export_trace(const std::string& path);
  void export_page(const std::string& path);
  void to_write(Direction direction);
  void run(const CommandRow& row, Command command);
  // --- desk_check.cpp ---
  // Kept with the user's settings, and used from then on.
  void set_checking(bool automatic, const CheckOptions& options);
  void check_now();
  void show_finding(std::size_t index);
  // --- desk_compare.cpp ---
  void compare_targets();
  // With a program or recording.
  void compare_with(const std::string& path);
  // The tile or buffer of this name with an array of a file.
  void compare_array(const std::string& name, const std::string& path);
  // The same as before, with other tolerances.
  void compare_again(const CompareOptions& options);
  void stop_comparing();
  // --- desk_lesson.cpp ---
  // Pages count from 0; what there is not is told, or passed over.
  void lesson_page(std::size_t page);
  void lesson_turn(int by);
  void lesson_fill(std::size_t index, std::string text);
  void lesson_drop(std::size_t index, const std::string& text);
  void lesson_choose(std::size_t choice);
  void lesson_answer();
  void lesson_tell();
  void lesson_hint();
  // What only the window around the desk can do: commands, taken by the shell.
  std::vector<Command> take_wishes() { return std::exchange(wishes_, {}); }
  void to_difference(Direction direction);
  void show_difference(std::size_t index);
  void mark_differences(bool mark) { view_.marks_differences_ = mark; }
  // The line's completions, for panes to see in the view.
  void show_guesses(std::string line);
  // --- desk_journal.cpp ---
  // What the window shows that is no command of the session's; told in every frame.
  struct Shown {
    std::string layout, theme;
  };
  // `quiet`: the journal has it already.
  void note_shown(const Shown& shown, bool quiet = false);
  // A command that was carried out, by a pane or by the window. `pane`: the one that has the focus.
  void note_command(const Command& command, const std::string& pane, bool by_pane);
  std::string journal_script();
  // The same, to be taken away; says so.
  std::string take_journal_script();
  void save_journal(const std::string& path);
  void run_journal();
  void clear_journal();
  // --- desk_gui.cpp ---
  // Runs a Lua file. A recording that it makes is shown.
  void run_script(const std::string& path);
  // A text, and what it is about: by the command's arguments, else the shown step and the selected element.
  void write_note(const Command& command);
  void show_note(std::size_t index);
  void press_button(const std::string& panel, const std::string& button);
  void close_panel(const std::string& panel);
  // Commands that scripts asked for, for whoever carries them out.
  struct Asked {
    Command command;
    bool quiet = false;  // the line that asked for it is in the journal
  };
  std::vector<Asked> take_asked() { return std::exchange(asked_, {}); }
  // A picture of the window that a script waits for: to be taken when it is drawn, and then to be said how it went.
  struct PictureWish {
    std::string path;
    double scale = 1;
  };
  const std::optional<PictureWish>& picture_wish() const { return picture_wish_; }
  void picture_taken(data::Error error);
  // Whether anybody takes pictures.
  void set_takes_pictures(bool takes) { scripts_->takes_pictures = takes; }

 private:
  // `script`: the file of the script that made it; empty: none did.
  void show(std::shared_ptr<const Document> document, std::shared_ptr<Session> questions, Standing standing, bool again,
            const std::string& script = "");
  void go_behind(std::uint32_t step);
  nlohmann::json everything_set() const;
  void open_job(Bench& bench, const Launch& launch, const std::shared_ptr<const KeptWork>& kept);
  void start_script(Bench& bench);
  void publish(Bench& bench, const Stopped& stopped, const std::string& lua = "", bool whole = false);
  void write(std::string what, const std::string& path, std::function<data::Error(Session&)> write);
  void arrive(Standing standing, const std::string& lua, bool whole);
  void take_standing(Standing standing);
  // desk_check.cpp
  void begin_checking();
  void take_checked(const std::shared_ptr<const Recording>& recording, CheckReport report);
  std::optional<Busy> busy_beside() const;
  // desk_compare.cpp
  void compare(std::string mine, std::string title, Launch other, std::shared_ptr<const Document> opened);
  void take_against(std::shared_ptr<const Against> against, std::shared_ptr<Session> other);
  CompareRunsOptions comparing_;
  void say(ConsoleLine line);
  // desk_lesson.cpp
  void show_lesson(const std::shared_ptr<const Document>& document, bool again);
  LessonView* change_lesson() { return view_.lesson_.get(); }  // null: no lesson is open
  void keep_lesson();
  void show_page_tiles(std::size_t page);
  void lesson_selected(const Element& element);
  void take_judged(std::uint64_t visit, const learn::Judgement& judged);
  void end_question();
  bool hold_back(Bench& bench);
  void wish(std::string name, std::vector<CommandValue> values = {}) {
    wishes_.push_back({std::move(name), std::move(values)});
  }
  // desk_journal.cpp
  void begin_journal();
  void note_selected();
  void note_look();
  std::string selected_line();
  JournalEnd journal_end();
  // desk_gui.cpp
  class Gui;
  std::shared_ptr<scripting::GuiHost> make_gui(Bench& bench);
  void adopt(Bench& bench, const std::shared_ptr<Session>& session, const RunOrigin& from, const std::string& script);
  void run_text(Bench& bench, const std::string& text, const std::string& name, const std::string& script);
  void forget_script_items();
  void show_items(std::shared_ptr<const scripting::GuiItems> items, const std::string& front);
  void run_script_text(std::string text, std::string name, std::optional<Journal::Kept> back);

  // Its thread reaches for nothing else here: what it has to say to the others it sends as replies.
  Driver driver_;
  DebugView view_;
  Launch launch_;
  std::string state_folder_;
  std::string script_path_;  // that made what is open; empty: nobody but the user did
  nlohmann::json kept_;  // as it stands in the file
  std::vector<Notice> notices_;
  std::vector<Command> wishes_;
  std::uint64_t visits_ = 0;  // turns of pages
  Journal journal_;
  Shown noted_;
  bool noted_shown_ = false, noted_next_ = false;
  // What the driver's thread and the window's both know of scripts. Held by both: the thread ends after the desk.
  struct Scripts {
    bool typing = false, wrote_file = false;  // a line that was typed runs; it wrote a file. Of the driver's thread
    std::atomic<bool> takes_pictures = false;
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<data::Error> picture = {};  // that a script waits for: how it went
  };
  std::shared_ptr<Scripts> scripts_ = std::make_shared<Scripts>();
  std::map<std::pair<int, std::uint32_t>, std::pair<bool, int>> noted_looks_;  // by tile or buffer: heat, numbers
  std::optional<Owner> noted_owner_;
  std::string noted_pane_;
  std::vector<Asked> asked_;
  std::optional<PictureWish> picture_wish_;
  // Theirs too.
  Beside checker_, comparer_;
};

}  // namespace ts::ui
