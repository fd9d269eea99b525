// Watch expressions: evaluated once, where a recording stands, and shown as one line.
#pragma once

#include <lua.hpp>
#include <memory>
#include <string>

namespace ts::scripting {

struct OpenRecording;

struct WatchResult {
  bool ok = true;
  std::string text;  // the value, or what is wrong with the expression
};
// Never raises for what the expression does. When the script is over afterwards (limits, quit), a binding that called
// this leaves by Sandbox::raise_if_over.
WatchResult evaluate_watch(lua_State* L, const std::shared_ptr<OpenRecording>& recording, const std::string& text);

}  // namespace ts::scripting
