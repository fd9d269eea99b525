// What a script may use: steps, memory, time. Counts it, collects garbage, and ends the script when it is used up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <memory>
#include <string>

#include "scripting/sandbox/held_bytes.h"
#include "scripting/sandbox/limits.h"

namespace ts::scripting {

// One for each sandbox; also Lua's allocator.
//
// Steps are counted by a hook that Lua calls every so many instructions, by the library's own functions (`charge`), and by
// the allocator. What still takes long inside one instruction (comparing strings of many megabytes, say) is found by its
// processor time and charged too, so nothing can be endless. Scripts that do nothing of the kind never meet the clock.
//
// Lua's own collector is stopped, because it would run anywhere; here it runs between two instructions only. There the
// budget can first undo weak keys, whose collection takes quadratic time and cannot be interrupted. It also
// follows that memory may be exceeded until the instruction ends: by the doubling of a table, never by a long string.
class Budget {
 public:
  explicit Budget(const SandboxLimits& limits);

  // A thread that runs, and what it runs inside of. The outermost one fills the budget up.
  class Running {
   public:
    Running(Budget& budget, lua_State* L);
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    friend class Budget;
    Budget& budget_;
    lua_State* L_;
    Running* outer_;
  };

  static void* allocate(void* budget, void* block, std::size_t old_size, std::size_t new_size);
  // When the libraries are there: what they took does not count.
  void setup_done();

  // --- while a script runs; all of these may raise ---
  void charge(lua_State* L, std::uint64_t steps);
  void need_memory(lua_State* L, std::size_t bytes);
  // Collects garbage where it is time to, and raises where more is used than may be.
  void check_memory(lua_State* L);
  // What is left when garbage has been collected.
  std::size_t memory_left(lua_State* L);
  void collect(lua_State* L);
  void raise_if_over(lua_State* L);
  [[noreturn]] void raise_limit(lua_State* L, std::string text);
  [[noreturn]] void raise_no_memory(lua_State* L, std::size_t asked = 0);
  [[noreturn]] void quit(lua_State* L, int code);

  bool is_over() const { return end_.kind != Outcome::Kind::Ok; }
  const Outcome& end() const { return end_; }
  std::string no_memory_text(std::size_t asked = 0) const;
  // Bytes outside of Lua that count as the script's: a Weight puts them there, and may outlive this.
  const HeldBytes& held() const { return held_; }

  // Installs the hook in a new coroutine, or shortens its interval when memory has grown since it last ran.
  void arm_new(lua_State* L);
  void arm_resumed(lua_State* L);
  // Of the time for everything; infinite where there is no limit.
  double total_left_seconds() const;
  bool is_stopped() const { return limits_.stopped != nullptr && limits_.stopped(); }
  // Raises when there is no time left, or when somebody wants the script to end.
  void check_end(lua_State* L);
  // Processor time up to now is not looked at: it was bounded in another way.
  void excuse_time();

  std::size_t used_bytes() const { return used_ + held_->load(std::memory_order_relaxed); }
  double call_seconds() const { return limits_.call_seconds; }

 private:
  static void on_count(lua_State* L, lua_Debug*);
  void* resize(void* block, std::size_t old_size, std::size_t new_size);
  void start(lua_State* L);
  void spend(std::uint64_t steps) { steps_left_ -= steps < steps_left_ ? steps : steps_left_; }
  std::int64_t now_ns() const;
  void charge_slow_time();
  std::int64_t used_ns(std::int64_t now) const { return before_ns_ + (running_ != nullptr ? now - began_ns_ : 0); }
  void check(lua_State* L);
  int interval() const;
  void arm(lua_State* L, int count);
  void fire_soon();
  void plan_collection();
  [[noreturn]] void finish(lua_State* L, Outcome end);
  [[noreturn]] void raise_again(lua_State* L);

  const SandboxLimits limits_;
  Outcome end_;                 // Ok while the script is not over
  Running* running_ = nullptr;  // innermost
  std::uint64_t steps_left_;
  std::size_t used_ = 0;  // by Lua
  const HeldBytes held_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::size_t most_bytes_;  // with what the libraries took
  std::size_t collect_at_;
  std::size_t uncharged_bytes_ = 0;
  // The processor's time: of runs that are over, and when this one began.
  std::int64_t before_ns_ = 0, began_ns_ = 0;
  // When time was last looked at.
  std::int64_t mark_ns_ = 0;
  std::uint64_t mark_steps_ = 0;
  std::uint64_t unlooked_steps_ = 0;  // that were charged since the time for everything was looked at
};

// Every metatable that a script gave to a table is noted in the registry, weakly: it may become one with weak keys later.
void note_metatable(lua_State* L, int index);
// Whether a metatable makes keys weak and values not.
bool has_weak_keys(lua_State* L, int metatable);
inline constexpr const char* kWeakKeysText =
    "weak keys (__mode = \"k\") are not available in scripts; use \"v\" or \"kv\", or clear the table yourself";

// The budget of the sandbox that L belongs to.
Budget& budget_of(lua_State* L);

}  // namespace ts::scripting
