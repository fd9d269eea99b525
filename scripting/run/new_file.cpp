// Where scripts may write.
#include "scripting/run/new_file.h"

#include <fmt/format.h>

#include "scripting/binding/arguments.h"
#include "scripting/binding/binding.h"
#include "scripting/run/engine.h"

namespace ts::scripting {

void raise_error(lua_State* L, const data::Error& error) {
  raise(L, fmt::format("{}: {}", current_binding(L)->called(), error.text), error.hint);
}

NewFile check_new_file(lua_State* L, std::initializer_list<std::string_view> endings, int index) {
  const std::string path = check_text(L, index, "path");
  const ScriptHost& host = Engine::of(L).host();
  if (!host.new_file) raise(L, fmt::format("{}: files cannot be written here", current_binding(L)->called()));
  const auto allowed = host.new_file(path, endings);
  if (const auto* error = std::get_if<data::Error>(&allowed)) raise_error(L, *error);
  data::WriteRules rules(data::Replace::No);
  rules.room = &Engine::of(L).disk;
  return {std::get<std::string>(allowed), rules};
}

}  // namespace ts::scripting
