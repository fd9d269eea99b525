// The time of one call into the host, as far as the call had a processor: what else the machine does is no fault of the
// script. Time under a watch is not charged as steps: the watch bounds it instead.
#pragma once

#include <lua.hpp>
#include <string_view>

namespace ts::scripting {

//   CallWatch watch(L);
//   limits.go_on = [&](std::uint64_t) { return watch.go_on(); };
//   ... long work in core ...
//   if (watch.is_late()) watch.raise("recording the program");   // when nothing that owns memory is alive
class CallWatch {
 public:
  explicit CallWatch(lua_State* L);
  ~CallWatch();
  CallWatch(const CallWatch&) = delete;
  CallWatch& operator=(const CallWatch&) = delete;

  bool go_on() { return !is_late(); }
  bool is_late();
  // "recording the program took longer than 5 s, the limit for one call; --script-seconds N allows more".
  [[noreturn]] void raise(std::string_view what);

 private:
  lua_State* L_;
  double end_, processor_end_;
  bool late_ = false;
};

}  // namespace ts::scripting
