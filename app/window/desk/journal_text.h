// What is done in the window as lines of Lua, and those lines as a script that does it again and says whether it came
// to the same. Knows neither the desk nor the screen.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/view/command.h"
#include "app/view/debug_view.h"
#include "core/debug/session/commands.h"

namespace ts::ui {

// A command as its row says; empty: it is not written, or what it changed is.
std::string lua_of(const CommandRow& row, const std::vector<CommandValue>& values);
// rec:addBreakpoint{...}; nothing: it asks a function, or another run, that only a person can give.
std::optional<std::string> lua_of(const StopRule& rule);
std::string lua_of(const Note& note);
std::string lua_of(const Element& element, const std::string& owner);
// A line that was typed, so that nothing of it reaches the lines around: its locals stay its own, and it ends nothing.
std::string typed_as_line(const std::string& ran);

// Each line of a text as a comment.
std::string as_comment(const std::string& text);

// What a script asserts at its end.
struct JournalEnd {
  Moment moment;
  std::uint32_t count = 0;
  // The selected element: where scripts find it, and its bits; nothing: it was never written.
  std::string element = {};  // rec:tile("im"); empty: nothing is selected
  std::uint32_t row = 0, col = 0;
  std::optional<std::uint64_t> bits = {};
  // The finding that is shown.
  std::optional<std::pair<std::uint32_t, std::string>> finding = {};  // step and kind
};

// The lines, and what has to be known to write the next one.
class Journal {
 public:
  // A program was opened: `load` makes `rec`; `clears`: its file brings stops, watches and notes along, which are those
  // of `standing`. `selected` is a line, or empty.
  void begin(std::string load, bool clears, const Standing& standing, const std::string& selected);
  // Nothing is open.
  void end();
  bool is_open() const { return open_; }
  // Forgets all lines; a script then begins in this state.
  void clear(const Standing& standing, const std::string& selected);

  // The session was moved or changed. `how` is the line that does it, empty where only its result can be written.
  // `whole`: the line does everything that changed.
  void arrive(const Standing& standing, const std::string& how, bool whole = false);
  // A line of its own. `key`: see JournalLine.
  void add(JournalLine::Kind kind, const std::string& lua, const std::string& key = "");
  void select(const std::string& line);
  void set_selected(const std::string& line) { selected_ = line; }

  const std::vector<JournalLine>& lines() const { return lines_; }
  // Another number whenever the lines are others.
  std::uint64_t number() const { return number_; }
  // Everything since the program was opened, with what was set then at its head.
  std::string script(const JournalEnd& end) const;

  // Lines and beginning, to be put back when they were run again.
  struct Kept {
    std::vector<JournalLine> lines;
    Standing begin;
    std::string begin_selected;
  };
  Kept keep() const { return {lines_, begin_, begin_selected_}; }
  void put_back(Kept kept, const Standing& standing, const std::string& selected);

 private:
  void note_state(const Standing& standing);
  void set_lines(const Standing& standing);
  void stop_lines(const std::vector<StopEntry>& now);
  std::size_t number_of(StopId id) const;
  void put(JournalLine line);

  bool open_ = false, clears_ = false;
  std::string load_;
  Standing begin_;
  std::string begin_selected_, selected_;
  // As it was written last.
  Moment moment_;
  std::vector<StopEntry> stops_;
  std::vector<std::string> watches_;
  std::map<std::string, std::uint32_t> bookmarks_;
  std::vector<Note> notes_;
  // The stops that a script has, in the order of its list, with the hits that it will not count.
  struct Scripted {
    StopId id = 0;
    std::uint64_t uncounted = 0;
  };
  std::vector<Scripted> scripted_;
  std::vector<JournalLine> lines_;
  std::uint64_t number_ = 0;
};

}  // namespace ts::ui
