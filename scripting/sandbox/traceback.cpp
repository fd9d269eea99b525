// Lines of a traceback.
#include "scripting/sandbox/traceback.h"

#include <fmt/format.h>

#include <string_view>

namespace ts::scripting {

namespace {

constexpr int kInnermost = 12, kOutermost = 8;

// The number of active functions. Lua only tells whether there is one at a level.
int depth_of(lua_State* L) {
  lua_Debug frame{};
  int low = 0, high = 1;  // there is none at `high`
  while (lua_getstack(L, high, &frame)) {
    low = high;
    high *= 2;
  }
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (lua_getstack(L, middle, &frame)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return high;
}

std::string what_runs(const lua_Debug& frame) {
  if (*frame.namewhat != '\0') return fmt::format("{} '{:.60}'", frame.namewhat, frame.name);
  if (*frame.what == 'm') return "main chunk";
  if (*frame.what == 'C') return "a function of the host";
  return fmt::format("function <{}:{}>", frame.short_src, frame.linedefined);
}

std::string line_of(lua_State* L, lua_Debug& frame) {
  lua_getinfo(L, "Slnt", &frame);
  std::string place = *frame.what == 'C' ? "[host]" : frame.short_src;
  if (frame.currentline > 0) place += fmt::format(":{}", frame.currentline);
  return fmt::format("  {}: in {}\n{}", place, what_runs(frame), frame.istailcall ? "  (...tail calls...)\n" : "");
}

}  // namespace

std::string traceback(lua_State* L, int first_level) {
  const int depth = depth_of(L);
  std::string text;
  for (int level = first_level; level < depth; ++level) {
    lua_Debug frame{};
    if (!lua_getstack(L, level, &frame)) break;
    text += line_of(L, frame);
    if (level == first_level + kInnermost - 1 && depth - kOutermost > level + 1) {
      text += fmt::format("  ... {} more ...\n", depth - kOutermost - level - 1);
      level = depth - kOutermost - 1;
    }
  }
  return text;
}

}  // namespace ts::scripting
