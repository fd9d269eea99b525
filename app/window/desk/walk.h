// Where the session stands, what is selected in it, and how it is moved. The other parts of the desk ask the session by
// it, and tell the user what came of that.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/view/command.h"
#include "app/view/debug_view.h"
#include "app/window/desk/driver.h"

namespace ts::ui {

// Something the user should know, shown for a while.
struct Notice {
  std::string text, hint;
  bool is_error = false;
};

// What only the window around the desk can do.
struct Wish {
  enum class What : unsigned char {
    Command,
    LessonLayout,  // the layout for lessons, unless the user asked for another one
    StageFront,    // the stage, where it is open, is to be seen
    ComparePane,   // what differs is to be seen
  };
  What what = What::Command;
  Command command = {};
  bool quiet = false;  // the line that asked for it is in the journal
};

class Walk {
 public:
  Walk(Driver& driver, DebugView& view, WalkState& state, const OpenedState& opened)
      : driver_(driver), view_(view), state_(state), opened_(opened) {}

  Driver& driver() { return driver_; }
  DebugView& view() { return view_; }

  // --- told and wished ---
  void tell(std::string text, std::string hint = "", bool is_error = false);
  void tell(const Notice& notice) { notices_.push_back(notice); }
  std::vector<Notice> take_notices() { return std::exchange(notices_, {}); }
  void wish(Wish wish) { wishes_.push_back(std::move(wish)); }
  std::vector<Wish> take_wishes() { return std::exchange(wishes_, {}); }

  // --- moving ---
  // `lua`: the line of the journal that does the same; empty: only where it led is written.
  void move(std::string what, std::function<Stopped(Session&)> go, std::string lua = "");
  void change(std::string what, std::function<std::optional<Refusal>(Session&)> edit);
  // A row of the session's, with its arguments.
  void run(const CommandRow& row, Command command);
  // To the next or last write of the selected element.
  void to_write(Direction direction);
  // To just after a step, which the stage shows then.
  void go_after(std::uint32_t step);
  // In the session's thread: the window is told where it stands now. `whole`: `lua` does everything that changed.
  void publish(LiveSession& live, const Stopped& stopped, const std::string& lua = "", bool whole = false);

  // --- pointing ---
  void select(std::optional<Element> element);
  // Nobody is told: not even a lesson that asks for an element.
  void point_at(std::optional<Element> element) { state_.selected = element; }
  std::vector<TrailStop>& trail() { return state_.trail; }
  std::optional<Element> find_element(const std::string& name, std::uint32_t row, std::uint32_t col);
  void show_next(bool next) { state_.prefers_next = next; }
  void hold_before(bool held) { state_.holds_before = held; }

  // --- what came in ---
  void begin(Standing standing);  // of what was opened
  void take_findings(std::shared_ptr<const std::vector<Finding>> findings);
  // A lesson hides them, or does so no more.
  void take_hidden_findings();

  // --- asked and told on the way; none may be empty ---
  // In the session's thread: whether it was led back to where it has to stay.
  std::function<bool(LiveSession&)> holds_back;
  std::function<void(const Standing&, const std::string& lua, bool whole)> before_arrival;
  std::function<void(const Element&)> on_select;
  std::function<void()> on_move;  // it stands elsewhere now

 private:
  void arrive(Standing standing, const std::string& lua, bool whole);
  void take_standing(Standing standing);

  Driver& driver_;
  DebugView& view_;
  WalkState& state_;
  const OpenedState& opened_;
  std::vector<Notice> notices_;
  std::vector<Wish> wishes_;
};

// In the session's thread: as the window is told.
Standing standing_of(LiveSession& live, const Stopped& stopped);

}  // namespace ts::ui
