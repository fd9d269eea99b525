// What the desk has for panes to see. Each struct is changed by one part of the desk (app/window/desk) and by nobody
// else; panes see it through `DebugView`.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/view/against.h"
#include "app/view/checking.h"
#include "app/view/document.h"
#include "app/view/element.h"
#include "app/view/journal_line.h"
#include "app/view/shown_lesson.h"
#include "core/debug/session/session.h"

namespace ts::scripting {
struct GuiItems;
}

namespace ts::ui {

struct WatchLine {
  std::string expression, value;
  bool ok = true;
  bool changed = false;  // since the session stood elsewhere
};

struct ConsoleLine {
  enum class Kind : std::uint8_t { Typed, Printed, Error, Note };
  Kind kind = Kind::Printed;
  std::string text;
};

// How the end of a typed line may go on: whole names, that stand for everything from `begin` on.
struct Guesses {
  std::string line;
  std::size_t begin = 0;
  std::vector<std::string> names = {};
};

// Where the session stands and what was set in it, as it was told last. The window's thread has its own copy.
struct Standing {
  Moment moment;
  Stopped stopped;
  std::vector<StopEntry> stops;
  std::map<std::string, std::uint32_t> bookmarks;
  std::vector<Note> notes;
  std::vector<FollowedMark> followed_marks;
  std::vector<KeptFork> forks;
  std::vector<WatchLine> watches;
  std::shared_ptr<const std::vector<Finding>> findings = {};
  bool by_source = false;               // what a step is
  std::optional<CoreId> followed = {};  // whose steps are made
};

// A long job that runs beside the window.
struct Busy {
  std::string what;         // "recording softmax"
  std::uint64_t done = 0;   // steps
  std::uint64_t total = 0;  // 0: nobody knows
  double seconds = 0;
};

// The file that is open does not run as it is now: what is shown is its last run.
struct Broken {
  std::string file;                               // its name
  std::string path = {};                          // where it is
  std::uint32_t line = 0;                         // 0: it is not about a line
  std::string text = {}, hint = {}, source = {};  // what is wrong, what to do, the line itself
  std::size_t errors = 1;
};

struct OpenedState {
  std::shared_ptr<const Document> document = {};  // null: nothing
  // Another session over the recording, that stands nowhere in particular.
  std::shared_ptr<Session> questions = {};
  std::optional<Broken> broken = {};
  std::string fork = {};  // its name among the forks; empty: the run itself
};

struct WalkState {
  Standing standing = {};
  bool prefers_next = false;  // the stage shows the step that comes next
  bool holds_before = false;  // the key that shows the state before is held
  std::optional<Element> selected = {};
  std::vector<TrailStop> trail = {};
  std::optional<std::size_t> finding = {};  // the one that was gone to, as long as nobody goes elsewhere
  std::uint64_t findings_number = 0, notes_number = 0;
};

struct ComparisonState {
  std::shared_ptr<const Against> against = {};    // null: compared with nothing
  std::shared_ptr<Session> other_questions = {};  // over the other recording
  std::uint64_t number = 0;                       // another one whenever it is compared with something else
  std::string comparing_with = {};                // while it is being compared
  std::optional<std::size_t> difference = {};     // the one that was gone to
  bool marks = true;
};

struct ConsoleState {
  std::vector<ConsoleLine> lines = {};
  std::uint64_t said = 0;  // how many there have been; the oldest are forgotten
  Guesses guesses = {};
};

// What scripts show.
struct ScriptState {
  std::shared_ptr<const scripting::GuiItems> items;  // never null
  std::string front_panel = {};
  std::uint64_t front_panel_number = 0;
};

struct DeskState {
  OpenedState opened = {};
  WalkState walk = {};
  Checking checking = {};
  ComparisonState comparison = {};
  std::optional<ShownLesson> lesson = {};
  LessonScores lesson_scores = {};
  ConsoleState console = {};
  ScriptState scripts;
  std::optional<Busy> busy = {};
};

}  // namespace ts::ui
