// Counting steps and memory, and ending a script that has used them up.
#include "scripting/sandbox/budget.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <utility>

#include "scripting/sandbox/traceback.h"

namespace ts::scripting {

namespace {

// A hook at every instruction costs the same as one at every thousandth within a few per cent, see tests/scripting.
constexpr int kMostInterval = 1024;
constexpr int kLeastInterval = 128;
// A new coroutine starts with a short interval and doubles it: what it does before its first hook goes unnoticed.
constexpr int kFirstInterval = kLeastInterval;

constexpr std::size_t kBytesPerStep = 64;

// Of work that is charged, before the time for everything is looked at: some 10 ms.
constexpr std::uint64_t kStepsALook = 1'000'000;

// Instructions that take longer than this on average are charged by their time.
constexpr std::int64_t kSlowStepNs = 250;
constexpr std::int64_t kNoiseNs = 20'000;
constexpr std::int64_t kChargedStepNs = 20;

// Collections wait for this much to have been allocated, if the limit has the room; and always for a part of the limit.
constexpr std::size_t kLeastGarbage = std::size_t{4} << 20;
constexpr std::size_t kLeastPart = 32;
// A string of this size is refused before it is made; smaller ones are found after the instruction.
constexpr std::size_t kLongString = std::size_t{64} << 10;

const char kMetatables = 0;  // its address is the registry's key

std::int64_t processor_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::string size_text(std::size_t bytes) {
  if (bytes % (std::size_t{1} << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  if (bytes % (std::size_t{1} << 10) == 0) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} bytes", bytes);
}

// In a whole number of the largest unit that leaves two digits.
std::string rounded_size(std::size_t bytes) {
  constexpr std::size_t kEnough = 10;
  if (bytes >> 20 >= kEnough) return fmt::format("{} MiB", bytes >> 20);
  if (bytes >> 10 >= kEnough) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} bytes", bytes);
}

// Noted metatables that have got weak keys since lose them. Whether there were any.
bool take_weak_keys(lua_State* L) {
  bool any = false;
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &kMetatables) == LUA_TTABLE) {
    lua_pushnil(L);
    while (lua_next(L, -2)) {
      lua_pop(L, 1);
      if (!has_weak_keys(L, lua_gettop(L))) continue;
      any = true;
      lua_pushliteral(L, "__mode");
      lua_pushnil(L);
      lua_rawset(L, -3);
    }
  }
  lua_pop(L, 1);
  return any;
}

}  // namespace

bool has_weak_keys(lua_State* L, int metatable) {
  lua_pushliteral(L, "__mode");
  bool keys = false, values = false;
  if (lua_rawget(L, metatable) == LUA_TSTRING) {
    std::size_t size = 0;
    const char* text = lua_tolstring(L, -1, &size);
    // Lua reads it as a C string.
    const std::string_view mode = std::string_view(text, size).substr(0, std::string_view(text, size).find('\0'));
    keys = mode.find('k') != mode.npos;
    values = mode.find('v') != mode.npos;
  }
  lua_pop(L, 1);
  return keys && !values;
}

void note_metatable(lua_State* L, int index) {
  index = lua_absindex(L, index);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &kMetatables) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "k");  // safe here: the values are booleans
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &kMetatables);
  }
  lua_pushvalue(L, index);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

Budget::Budget(const SandboxLimits& limits)
    : limits_(limits), steps_left_(limits.steps), most_bytes_(~std::size_t{0}), collect_at_(~std::size_t{0}) {}

void Budget::setup_done() {
  most_bytes_ = limits_.memory_bytes > ~std::size_t{0} - used_ ? ~std::size_t{0} : limits_.memory_bytes + used_;
  plan_collection();
}

// --- who runs ---

Budget::Running::Running(Budget& budget, lua_State* L) : budget_(budget), L_(L), outer_(budget.running_) {
  budget_.running_ = this;
  if (!outer_) budget_.start(L);
}

Budget::Running::~Running() {
  if (outer_ == nullptr) budget_.before_ns_ = budget_.used_ns(budget_.now_ns());
  budget_.running_ = outer_;
}

void Budget::start(lua_State* L) {
  end_ = {};
  steps_left_ = limits_.steps;
  excuse_time();
  began_ns_ = mark_ns_;
  // Runs that are too short for the hook may be many, one putting off the next.
  const bool is_late = is_stopped() || total_left_seconds() <= 0;
  arm(L, is_late ? 1 : interval());
}

// --- memory ---

void* Budget::allocate(void* budget, void* block, std::size_t old_size, std::size_t new_size) {
  return static_cast<Budget*>(budget)->resize(block, old_size, new_size);
}

void* Budget::resize(void* block, std::size_t old_size, std::size_t new_size) {
  // Without a block, the old size tells what kind of object is made.
  const bool is_string = !block && old_size == LUA_TSTRING;
  if (!block) old_size = 0;
  if (new_size == 0) {
    used_ -= old_size;
    std::free(block);
    return nullptr;
  }
  if (new_size > old_size) {
    if (running_ && is_string && new_size > kLongString && used_bytes() + new_size > most_bytes_)
      raise_no_memory(running_->L_, new_size);
    // No doubling of a table comes this far. Lua would collect now, which is not the moment for it.
    if (new_size / 4 > most_bytes_) return nullptr;
    uncharged_bytes_ += new_size;
    spend(uncharged_bytes_ / kBytesPerStep);
    uncharged_bytes_ %= kBytesPerStep;
  }
  void* resized = std::realloc(block, new_size);
  if (!resized) return nullptr;
  used_ += new_size - old_size;
  if (new_size > old_size && running_ && (used_bytes() > collect_at_ || steps_left_ == 0)) fire_soon();
  return resized;
}

void Budget::need_memory(lua_State* L, std::size_t bytes) {
  const auto fits = [&] { return bytes <= most_bytes_ && used_bytes() <= most_bytes_ - bytes; };
  if (fits()) return;
  collect(L);
  if (!fits()) raise_no_memory(L, bytes);
}

void Budget::check_memory(lua_State* L) {
  // While nothing runs nobody could catch it; the next run begins with this.
  if (running_ == nullptr || used_bytes() <= collect_at_) return;
  collect(L);
  if (used_bytes() > most_bytes_) raise_no_memory(L);
}

std::size_t Budget::memory_left(lua_State* L) {
  collect(L);
  return most_bytes_ - std::min(most_bytes_, used_bytes());
}

void Budget::collect(lua_State* L) {
  if (!lua_checkstack(L, 6)) return;
  const bool had_weak_keys = take_weak_keys(L);
  spend(used_ / kBytesPerStep);
  lua_gc(L, LUA_GCCOLLECT);
  plan_collection();
  if (had_weak_keys) luaL_error(L, kWeakKeysText);
}

// The next collection: when the heap has doubled, or half of what is left has been used.
void Budget::plan_collection() {
  const std::size_t used = used_bytes(), room = most_bytes_ - std::min(most_bytes_, used);
  const std::size_t wanted = std::max(used, kLeastGarbage);
  collect_at_ = used + std::min(wanted, std::max(room / 2, limits_.memory_bytes / kLeastPart));
}

// --- steps ---

void Budget::charge(lua_State* L, std::uint64_t steps) {
  spend(steps);
  // No hook comes inside of a function of the library, however long it takes.
  unlooked_steps_ += steps;
  if (unlooked_steps_ >= kStepsALook) {
    unlooked_steps_ = 0;
    check_end(L);
  }
  if (steps_left_ == 0 || used_bytes() > collect_at_ || is_over()) check(L);
}

void Budget::on_count(lua_State* L, lua_Debug*) {
  Budget& budget = budget_of(L);
  const int count = lua_gethookcount(L);
  budget.spend(static_cast<std::uint64_t>(count));
  budget.charge_slow_time();
  budget.check(L);
  budget.check_end(L);
  // From 1 it was somebody who wanted a check soon, and the old interval has been charged.
  const int next = count == 1 ? budget.interval() : std::min(2 * count, budget.interval());
  if (next != count) budget.arm(L, next);
}

std::int64_t Budget::now_ns() const { return limits_.clock_ns != nullptr ? limits_.clock_ns() : processor_ns(); }

void Budget::charge_slow_time() {
  const std::int64_t now = now_ns();
  const std::int64_t allowed = static_cast<std::int64_t>(mark_steps_ - steps_left_) * kSlowStepNs + kNoiseNs;
  const std::int64_t passed = now - mark_ns_;
  if (passed > allowed) spend(static_cast<std::uint64_t>(passed - allowed) / kChargedStepNs);
  mark_ns_ = now;
  mark_steps_ = steps_left_;
}

double Budget::total_left_seconds() const {
  if (limits_.total_seconds <= 0) return std::numeric_limits<double>::infinity();
  return limits_.total_seconds - static_cast<double>(used_ns(now_ns())) * 1e-9;
}

void Budget::check_end(lua_State* L) {
  if (is_stopped()) raise_limit(L, "interrupted");
  if (total_left_seconds() > 0) return;
  raise_limit(L,
              fmt::format("the script took longer than {:g} s in all, its limit; --script-total-seconds N allows more",
                          limits_.total_seconds));
}

void Budget::excuse_time() {
  mark_ns_ = now_ns();
  mark_steps_ = steps_left_;
}

void Budget::check(lua_State* L) {
  raise_if_over(L);
  check_memory(L);
  if (steps_left_ == 0) {
    raise_limit(L,
                fmt::format("the script used up its limit of {} steps; --script-steps N allows more", limits_.steps));
  }
}

// --- the hook ---

// One instruction may read all of the memory, so the hook comes sooner when there is much of it. In powers of two, because
// each change is told to every active function.
int Budget::interval() const {
  if (is_over()) return 1;
  const std::size_t fitting = std::bit_floor((std::size_t{8} << 30) / (used_ + 1));
  return static_cast<int>(std::clamp<std::size_t>(fitting, kLeastInterval, kMostInterval));
}

void Budget::arm(lua_State* L, int count) { lua_sethook(L, on_count, LUA_MASKCOUNT, count); }

void Budget::arm_new(lua_State* L) {
  spend(kFirstInterval);
  arm(L, kFirstInterval);
}

void Budget::arm_resumed(lua_State* L) {
  const int now = lua_gethookcount(L);
  if (now <= interval()) return;
  spend(static_cast<std::uint64_t>(now));
  arm(L, interval());
}

// Makes the hook come at the next instruction. Setting a hook is the one thing that Lua allows at any time.
void Budget::fire_soon() {
  lua_State* L = running_->L_;
  const int now = lua_gethookcount(L);
  if (now == 1) return;
  spend(static_cast<std::uint64_t>(now));
  arm(L, 1);
}

// --- the end ---

void Budget::raise_if_over(lua_State* L) {
  if (is_over()) raise_again(L);
}

void Budget::raise_limit(lua_State* L, std::string text) { finish(L, {Outcome::Kind::Limit, std::move(text), {}, 0}); }

std::string Budget::no_memory_text(std::size_t asked) const {
  std::string what;
  const std::size_t held = held_->load(std::memory_order_relaxed);
  if (held != 0)
    what = fmt::format(": programs, recordings and arrays that it holds take {}, Lua's own values {}",
                       rounded_size(held), rounded_size(used_));
  if (asked != 0) what += fmt::format("{} {} more were asked for", what.empty() ? ":" : ",", rounded_size(asked));
  return fmt::format("the script needs more memory than its limit of {}{}; {}--script-mem SIZE allows more",
                     size_text(limits_.memory_bytes), what, held != 0 ? "rec:close() gives a recording's back, " : "");
}

void Budget::raise_no_memory(lua_State* L, std::size_t asked) { raise_limit(L, no_memory_text(asked)); }

void Budget::quit(lua_State* L, int code) { finish(L, {Outcome::Kind::Quit, "the script quit", {}, code}); }

// The first reason counts. The stack is looked at now: it is gone when the error arrives outside.
void Budget::finish(lua_State* L, Outcome end) {
  if (!is_over()) {
    end_ = std::move(end);
    if (end_.kind == Outcome::Kind::Limit) {
      lua_State* last = nullptr;
      for (const Running* thread = running_; thread; thread = thread->outer_) {
        if (thread->L_ != last) end_.traceback += traceback(thread->L_, 0);
        last = thread->L_;
      }
    }
  }
  raise_again(L);
}

void Budget::raise_again(lua_State* L) {
  if (lua_gethookcount(L) != 1) arm(L, 1);
  // A literal: there may be no memory for more, and nobody but the sandbox reads it.
  lua_pushliteral(L, "the script is over");
  lua_error(L);
  std::abort();  // lua_error does not return
}

Budget& budget_of(lua_State* L) {
  void* budget = nullptr;
  lua_getallocf(L, &budget);
  return *static_cast<Budget*>(budget);
}

}  // namespace ts::scripting
