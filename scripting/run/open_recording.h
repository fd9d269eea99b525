// A recording as all objects of a script share it: the session, until it is closed.
#pragma once

#include <functional>
#include <lua.hpp>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/report/html_report.h"
#include "scripting/binding/arguments.h"
#include "scripting/binding/object_type.h"
#include "scripting/run/engine.h"
#include "scripting/sandbox/weight.h"

namespace ts::scripting {

struct OpenRecording {
  explicit OpenRecording(std::shared_ptr<Session> its) : session(std::move(its)) {}
  ~OpenRecording() { close(); }
  OpenRecording(const OpenRecording&) = delete;
  OpenRecording& operator=(const OpenRecording&) = delete;

  std::shared_ptr<Session> session;  // null: closed
  RunOrigin launch;                  // how it came about, as far as that is known
  // Calls into the session that are going on: it cannot be closed now.
  int calls = 0;
  // Ops, lines and steps that were found to be in it: looking takes as long as the recording is.
  std::set<std::string> known_places;
  // Which choice of checks its findings are from (checks.h); the window's own are as good as none.
  std::uint32_t checked_as = 0;
  // Stops that ask a function of the script's: they end with it.
  std::vector<StopId> scripted_stops;
  // Of the session, with what the script set in it; the recording has its own. Nothing where the window made it.
  Weight weight;
  bool is_window_s = false;
  std::size_t said_bytes = 0;  // bookmarks, notes, watches and breakpoints, as `weigh_marks` found them

  // Gives the session what it says to the engine, and what it said to before as well.
  void listen(std::function<void(const Stopped&)> on_stop, std::function<void(const std::string&)> on_log);
  // Takes back what the script has put into the session, and lets go of it.
  void close();

 private:
  // The window's.
  std::function<void(const Stopped&)> on_stop_before_;
  std::function<void(const std::string&)> on_log_before_;
};

// What scripts hold of one.
struct RecordingObject {
  std::shared_ptr<OpenRecording> recording;
  static const ObjectType& type();
};

// Raises when it is closed.
Session& session_of(lua_State* L, const OpenRecording& recording);
inline const Recording& recording_of(lua_State* L, const OpenRecording& recording) {
  return session_of(L, recording).recording();
}

// The recording that a method or a field is asked of, and its session: the latter raises when it is closed.
const std::shared_ptr<OpenRecording>& own_recording(lua_State* L);
Session& own_session(lua_State* L);

// The recordings of one script, as a slot of its engine. All are closed when the engine ends; scripts may hold objects of
// them a little longer.
class Recordings {
 public:
  ~Recordings();
  // The recording that was made or opened last; null: none.
  const std::shared_ptr<OpenRecording>& current() const { return current_; }
  // The open one of this session; null: none.
  std::shared_ptr<OpenRecording> find(const Session& session) const;
  // The newest from now on.
  void add(const std::shared_ptr<OpenRecording>& recording);
  void forget_current() { current_ = nullptr; }
  // The window's, whose session goes on by itself: it is listened to until the script has ended.
  void keep(std::shared_ptr<OpenRecording> recording) { kept_ = std::move(recording); }

 private:
  std::shared_ptr<OpenRecording> current_, kept_;
  std::vector<std::weak_ptr<OpenRecording>> opened_;
};

// What is to be done whenever a session of a script's says that it stopped, and whenever one was opened. Who wants to
// know lists himself.
struct WhenStopped {
  void (*tell)(Engine& engine, const std::shared_ptr<OpenRecording>& recording, const Stopped& stop);
};
struct WhenOpened {
  void (*tell)(lua_State* L, const std::shared_ptr<OpenRecording>& recording);
};

// A session becomes a recording of scripts: listened to, the newest one, told to listeners and to the window.
std::shared_ptr<OpenRecording> open_session(lua_State* L, std::shared_ptr<Session> session, RunOrigin launch = {});
// The window's: its memory is not the script's.
std::shared_ptr<OpenRecording> open_window_session(lua_State* L, std::shared_ptr<Session> session);
// A recording's file as a session, within the script's memory; `lost` gets a line for each mark that fits nowhere in it.
std::shared_ptr<Session> open_file(lua_State* L, const std::string& path, const std::string& called,
                                   std::vector<std::string>& lost);
// What its session has come to take. After whatever looks into steps, or sets something.
void weigh(lua_State* L, OpenRecording& recording);
void weigh_marks(lua_State* L, OpenRecording& recording);
// The one that was made or opened last, or the window's; raises when there is none.
std::shared_ptr<OpenRecording> check_current(lua_State* L);
void push_recording(lua_State* L, std::shared_ptr<OpenRecording> recording);

// Asks a session for something that may take long, or that calls back: within the limit for one call, and, when a
// callback ended the script, out of it. `what` is for the message: "running on".
template <class Ask>
auto ask_session(lua_State* L, const std::shared_ptr<OpenRecording>& recording, const char* what, Ask ask) {
  Session& session = session_of(L, *recording);
  const Engine::Calling calling(L);
  Sandbox::CallWatch watch(L);
  // Puts back what a nested call, or the window, had there.
  struct Call {
    std::shared_ptr<OpenRecording> recording;
    std::function<bool()> go_on_before;
    ~Call() {
      --recording->calls;
      recording->session->go_on = std::move(go_on_before);
    }
  };
  auto answer = [&] {
    const Call call{recording, std::exchange(session.go_on, nullptr)};
    ++recording->calls;
    session.go_on = [&] { return watch.go_on() && (!call.go_on_before || call.go_on_before()); };
    return ask(session);
  }();
  Sandbox::raise_if_over(L);
  if (watch.is_late()) watch.raise(what);
  weigh(L, *recording);
  return answer;
}

// Raises while a panel, an overlay or a format is drawn: those change nothing.
void check_may_move(lua_State* L);

// The same for what moves it: refused while a condition is being asked.
template <class Move>
auto move_session(lua_State* L, const std::shared_ptr<OpenRecording>& recording, const char* what, Move move) {
  check_may_move(L);
  if (session_of(L, *recording).running())
    raise(L, "a condition or memory callback cannot move the recording", "let it answer, and move after continue()");
  return ask_session(L, recording, what, std::move(move));
}

}  // namespace ts::scripting
