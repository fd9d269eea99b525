// What a script has set going: the recording it works on, its listeners and stops, what it put off, and whether it
// failed. Bindings reach it by `Engine::of(L)`.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/check/check.h"
#include "scripting/run/host.h"
#include "scripting/sandbox/sandbox.h"
#include "scripting/run/test_report.h"

namespace ts::scripting {

struct OpenRecording;
class GuiLive;
struct OpenLesson;

enum class Event : std::uint8_t { Step, Stop, Finding, Divergence, RecordingOpened, Quitting };

// A Lua value that C++ holds on to. Given back when this goes, which has to be before the state goes.
class LuaValue {
 public:
  // Takes the value on top of the stack.
  explicit LuaValue(lua_State* L);
  ~LuaValue();
  LuaValue(LuaValue&& other) noexcept : L_(other.L_), key_(std::exchange(other.key_, LUA_NOREF)) {}
  void push(lua_State* L) const { lua_rawgeti(L, LUA_REGISTRYINDEX, key_); }
  LuaValue(const LuaValue&) = delete;
  LuaValue& operator=(const LuaValue&) = delete;

 private:
  lua_State* L_;  // the main one: coroutines come and go
  int key_;
};

// Something that can be taken back: a listener, a stop, a memory callback. What a pto.scope took in is removed at its
// end.
using Removal = std::function<void()>;

class Engine {
 public:
  Engine(Sandbox& sandbox, ScriptHost host);
  ~Engine();
  // Raises when the script has ended, as finalisers may find it.
  static Engine& of(lua_State* L);

  const ScriptHost& host() const { return host_; }
  // The recording that was made or opened last; null: none.
  const std::shared_ptr<OpenRecording>& current() const { return current_; }
  // The open one of this session; null: none.
  std::shared_ptr<OpenRecording> find_recording(const Session& session) const;
  // What the script shows in the window.
  GuiLive& gui() { return *gui_; }
  // The newest from now on. All are closed when the engine ends; scripts may hold objects of them a little longer.
  void add_recording(const std::shared_ptr<OpenRecording>& recording);
  void forget_current() { current_ = nullptr; }
  // The window's, whose session goes on by itself: it is listened to until the script has ended.
  void keep(std::shared_ptr<OpenRecording> recording) { kept_ = std::move(recording); }

  // --- saying ---
  void print(std::string_view line);  // without its line end
  void complain(std::string_view line);

  // --- callbacks ---
  // Calls the function below its arguments. False: it failed, the traceback is out, the script counts as failed, and
  // nothing is left on the stack. When the script is over (quit, limits), the caller leaves by Sandbox::raise_if_over
  // once nothing of core is between it and the script any more.
  bool call_back(lua_State* L, int arguments, int results);
  // The same with one argument, which `push` pushes, and one result; for calls out of core, which no error may pass,
  // not even one for lack of memory.
  bool call_out(const LuaValue& function, const std::function<void(lua_State*)>& push);
  bool failed() const { return failed_; }
  // The state that the innermost call into a session came from; callbacks run on it.
  lua_State* calling() const { return calling_ != nullptr ? calling_ : sandbox_.state(); }
  class Calling {
   public:
    explicit Calling(lua_State* L) : engine_(of(L)), before_(std::exchange(engine_.calling_, L)) {}
    ~Calling() { engine_.calling_ = before_; }
    Calling(const Calling&) = delete;
    Calling& operator=(const Calling&) = delete;

   private:
    Engine& engine_;
    lua_State* before_;
  };

  // --- events ---
  std::uint32_t listen(Event event, LuaValue function);
  struct Listener {
    std::uint32_t id = 0;
    Event event = Event::Step;
    LuaValue function;
    bool enabled = true;
    std::uint64_t hits = 0;
  };
  Listener* find_listener(std::uint32_t id);
  bool remove_listener(std::uint32_t id);
  bool anybody_listens(Event event) const;
  // Calls the listeners with what `push` pushes.
  void tell(Event event, const std::function<void(lua_State*)>& push);

  // --- later ---
  void next_tick(LuaValue function) { ticks_.push_back(std::move(function)); }
  Outcome run_ticks();

  // --- scopes ---
  void added(Removal removal);  // what a scope around takes back
  void open_scope() { scopes_.emplace_back(); }
  void close_scope();

  // --- checks ---
  struct Checks {
    CheckOptions options = {};
    std::uint32_t times_chosen = 0;
  };
  Checks checks;

  // --- lessons ---
  // In the order they were made. The functions that judge their answers go with the engine.
  std::vector<std::shared_ptr<OpenLesson>> lessons;

  // --- assertions ---
  // A failed test, or a failed assertion that nobody caught: exit status 1.
  bool assertion_failed = false;
  // The text that an assertion error was last shown as, by which the outcome of a run is told from an error of another
  // kind.
  std::string assertion_text;
  // The results of pto.test.
  TestReport tests;

 private:
  friend class Calling;
  Sandbox& sandbox_;
  ScriptHost host_;
  std::shared_ptr<OpenRecording> current_, kept_;
  std::vector<std::weak_ptr<OpenRecording>> recordings_;
  lua_State* calling_ = nullptr;
  std::vector<std::shared_ptr<Listener>> listeners_;
  std::uint32_t next_listener_ = 1;
  std::deque<LuaValue> ticks_;
  std::vector<std::vector<Removal>> scopes_;
  bool failed_ = false;
  std::unique_ptr<GuiLive> gui_;
};

// Raises what pto.assert raises: an object that tostring() shows as "k.lua:3: text". Uncaught it makes the status 1.
[[noreturn]] void raise_assertion(lua_State* L, const std::string& text);

}  // namespace ts::scripting
