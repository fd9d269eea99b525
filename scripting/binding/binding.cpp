// Making rows, and finding the one that runs.
#include "scripting/binding/binding.h"

#include <fmt/format.h>

namespace ts::scripting {

Binding RowMaker::field(const char* name, lua_CFunction function, const std::string& type, std::string help,
                        const std::string& example) const {
  return {name,
          Binding::Kind::Field,
          function,
          fmt::format("{}.{} -> {}", owner, name, type),
          std::move(help),
          example_begin + example};
}

Binding RowMaker::method(const char* name, lua_CFunction function, const std::string& rest, std::string help,
                         const std::string& example) const {
  return {name,
          Binding::Kind::Method,
          function,
          fmt::format("{}:{}{}", owner, name, rest),
          std::move(help),
          example_begin + example};
}

std::string_view Binding::called() const {
  return std::string_view(signature).substr(0, signature.find_first_of("({ "));
}

const Binding* current_binding(lua_State* L) {
  const bool is_row = lua_islightuserdata(L, lua_upvalueindex(1)) && lua_isinteger(L, lua_upvalueindex(2));
  if (!is_row) return nullptr;
  return static_cast<const Binding*>(lua_touserdata(L, lua_upvalueindex(1)));
}

}  // namespace ts::scripting
