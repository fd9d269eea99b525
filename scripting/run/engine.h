// What a script has set going: its listeners, what it put off, what its objects keep for it, and whether it failed.
// Bindings reach it by `Engine::of(L)`.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include "core/data/file.h"
#include "scripting/run/event.h"
#include "scripting/run/host.h"
#include "scripting/run/lua_value.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {

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
  Sandbox& sandbox() { return sandbox_; }

  // What a family of objects keeps for this script: made when it is first asked for, of the engine or of nothing, and
  // gone when the engine goes, the newest first.
  template <class T>
  T& slot();

  // While something is drawn in the window: scripts look, and change nothing.
  bool only_looks = false;

  // What it may still write into files.
  data::Room disk;

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
  std::uint32_t listen(const Event& event, LuaValue function);
  struct Listener {
    std::uint32_t id = 0;
    const Event* event = nullptr;
    LuaValue function;
    bool enabled = true;
    std::uint64_t hits = 0;
  };
  Listener* find_listener(std::uint32_t id);
  bool remove_listener(std::uint32_t id);
  bool anybody_listens(const Event& event) const;
  // Calls the listeners with what `push` pushes.
  void tell(const Event& event, const std::function<void(lua_State*)>& push);

  // --- later ---
  void next_tick(LuaValue function) { ticks_.push_back(std::move(function)); }
  Outcome run_ticks();

  // --- scopes ---
  void added(Removal removal);  // what a scope around takes back
  void open_scope() { scopes_.emplace_back(); }
  void close_scope();

 private:
  friend class Calling;
  struct Slot {
    virtual ~Slot() = default;
  };
  template <class T>
  struct SlotOf;

  Sandbox& sandbox_;
  ScriptHost host_;
  lua_State* calling_ = nullptr;
  std::vector<std::shared_ptr<Listener>> listeners_;
  std::uint32_t next_listener_ = 1;
  std::deque<LuaValue> ticks_;
  std::vector<std::vector<Removal>> scopes_;
  bool failed_ = false;
  std::vector<std::pair<std::type_index, std::unique_ptr<Slot>>> slots_;
};

template <class T>
struct Engine::SlotOf : Slot {
  explicit SlotOf(Engine& engine) : value(made(engine)) {}
  static T made(Engine& engine) {
    if constexpr (std::is_constructible_v<T, Engine&>) return T(engine);
    else return T();
  }
  T value;
};

template <class T>
T& Engine::slot() {
  for (const auto& [type, slot] : slots_)
    if (type == typeid(T)) return static_cast<SlotOf<T>&>(*slot).value;
  slots_.emplace_back(typeid(T), std::make_unique<SlotOf<T>>(*this));
  return static_cast<SlotOf<T>&>(*slots_.back().second).value;
}

}  // namespace ts::scripting
