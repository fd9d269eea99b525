// Names that scripts of later versions use: known, so that a script is told what it is that is missing.
#include <fmt/format.h>

#include "scripting/arguments.h"
#include "scripting/rows.h"

namespace ts::scripting {
namespace {

int refuse(lua_State* L) {
  not_yet(L, current_binding(L)->name);
}

Binding later(const char* name, std::string signature, const std::string& help) {
  const bool method = signature.find(':') < signature.find('(');
  std::string example =
      method ? fmt::format("local rec = pto.load(\"row_loop\"):record()\nlocal ok, message = pcall(rec.{}, rec)", name)
             : fmt::format("local ok, message = pcall(pto.{})", name);
  example += "\nassert(not ok and message:find(\"this version has no\", 1, true))";
  return {name,
          method ? Binding::Kind::Method : Binding::Kind::Function,
          refuse,
          std::move(signature),
          help + " Not in this version.",
          std::move(example)};
}

}  // namespace

std::vector<Binding> later_rows() {
  return {
      later("lesson", "pto.lesson(lesson: table)", "A lesson over a recording."),
  };
}

}  // namespace ts::scripting
