// The cell object.
#include "scripting/objects/values/cell.h"

#include <fmt/format.h>

#include <string_view>

#include "scripting/binding/object.h"
#include "scripting/objects/values/elements.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {
namespace {

using Kind = Binding::Kind;

int cell_value(lua_State* L) {
  const CellObject& cell = check_self<CellObject>(L);
  if (cell.element.worth == Definedness::Never) return lua_pushnil(L), 1;
  push_element(L, *cell.place.format, cell.element.bits);
  return 1;
}

template <std::string (*kText)(const ElementFormat&, std::uint64_t)>
int cell_text(lua_State* L) {
  const CellObject& cell = check_self<CellObject>(L);
  return push_text_result(L, kText(*cell.place.format, cell.element.bits));
}

int cell_bits(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(check_self<CellObject>(L).element.bits));
  return 1;
}
int cell_row(lua_State* L) {
  lua_pushinteger(L, check_self<CellObject>(L).row);
  return 1;
}
int cell_col(lua_State* L) {
  lua_pushinteger(L, check_self<CellObject>(L).col);
  return 1;
}
int cell_offset(lua_State* L) {
  const CellObject& cell = check_self<CellObject>(L);
  lua_pushinteger(L, cell.place.at(cell.row, cell.col).address);
  return 1;
}
int cell_dtype(lua_State* L) { return push_text_result(L, check_self<CellObject>(L).place.format->name); }
int cell_tile(lua_State* L) { return push_text_result(L, check_self<CellObject>(L).place.name); }
int cell_region(lua_State* L) { return push_text_result(L, name(check_self<CellObject>(L).place.space())); }
int cell_bytes(lua_State* L) {
  const CellObject& cell = check_self<CellObject>(L);
  return push_text_result(L, place_text(cell.place.at(cell.row, cell.col)));
}
int cell_state(lua_State* L) {
  switch (check_self<CellObject>(L).element.worth) {
    case Definedness::Never: return push_text_result(L, "never written");
    case Definedness::Unspecified: return push_text_result(L, "unspecified");
    case Definedness::Written: break;
  }
  return push_text_result(L, "written");
}
int cell_to_text(lua_State* L) { return push_text_result(L, check_self<CellObject>(L).text()); }

// --- a cell counts as its value ---

void push_operand(lua_State* L, int index) {
  const CellObject* cell = to_object<CellObject>(L, index);
  if (cell == nullptr) return lua_pushvalue(L, index);
  if (cell->element.worth == Definedness::Never)
    raise(L, fmt::format("{}[{},{}] was never written", cell->place.name, cell->row, cell->col), "isDefined tells");
  push_element(L, *cell->place.format, cell->element.bits);
}

template <int kOperation>
int arithmetic(lua_State* L) {
  push_operand(L, 1);
  if constexpr (kOperation != LUA_OPUNM) push_operand(L, 2);
  lua_arith(L, kOperation);
  return 1;
}

template <int kOperation>
int comparison(lua_State* L) {
  push_operand(L, 1);
  push_operand(L, 2);
  lua_pushboolean(L, lua_compare(L, -2, -1, kOperation));
  return 1;
}

// clang-format off
constexpr luaL_Reg kOperators[] = {
    {"__add", guarded<arithmetic<LUA_OPADD>>}, {"__sub", guarded<arithmetic<LUA_OPSUB>>},
    {"__mul", guarded<arithmetic<LUA_OPMUL>>}, {"__div", guarded<arithmetic<LUA_OPDIV>>},
    {"__mod", guarded<arithmetic<LUA_OPMOD>>}, {"__pow", guarded<arithmetic<LUA_OPPOW>>},
    {"__unm", guarded<arithmetic<LUA_OPUNM>>}, {"__idiv", guarded<arithmetic<LUA_OPIDIV>>},
    {"__lt", guarded<comparison<LUA_OPLT>>},   {"__le", guarded<comparison<LUA_OPLE>>},
    {"__eq", guarded<comparison<LUA_OPEQ>>},   {nullptr, nullptr},
};
// clang-format on

// A little script before each example.
const std::string kCellStart = R"(local rec = pto.load("complex_split", {target="a5"}):record()
local cell = rec:tile("im", {step=rec.count}):cell(1, 3)
)";

const ListedType kCellType{90, CellObject::type};

}  // namespace

std::string CellObject::text() const {
  const std::string value = short_text(*place.format, element.bits);
  if (element.worth == Definedness::Never) return "..";
  return element.worth == Definedness::Unspecified ? value + "?" : value;
}

const ObjectType& CellObject::type() {
  static const ObjectType made{
      .name = "cell",
      .owner = "cell",
      .help =
          "One element as it was at a step. It can be used in arithmetic and compared as its value; its bits and its exact "
          "digits are there as well.",
      .bindings =
          {
              {"value", Kind::Field, cell_value, "cell.value -> number | nil",
               "The element's value; nil when it was never written.", kCellStart + "assert(cell.value == cell + 0)"},
              {"bits", Kind::Field, cell_bits, "cell.bits -> integer", "Its bits, exactly.",
               kCellStart + "assert(math.type(cell.bits) == 'integer')"},
              {"hex", Kind::Field, cell_text<hex_text>, "cell.hex -> string", "Its bits in hexadecimal.",
               kCellStart + "assert(cell.hex == ('0x%08x'):format(cell.bits))"},
              {"binary", Kind::Field, cell_text<bit_text>, "cell.binary -> string",
               "Its bits in groups: of floats sign, exponent and fraction.", kCellStart + "assert(#cell.binary == 34)"},
              {"exact", Kind::Field, cell_text<exact_text>, "cell.exact -> string",
               "All digits of the value, none rounded.", kCellStart + "assert(tonumber(cell.exact) == cell.value)"},
              {"state", Kind::Field, cell_state, "cell.state -> string",
               "'written', 'never written', or 'unspecified': promised by nobody.",
               kCellStart + "assert(cell.state == 'written')"},
              {"row", Kind::Field, cell_row, "cell.row -> integer", "Its row.", kCellStart + "assert(cell.row == 1)"},
              {"col", Kind::Field, cell_col, "cell.col -> integer", "Its column.",
               kCellStart + "assert(cell.col == 3)"},
              {"tile", Kind::Field, cell_tile, "cell.tile -> string", "The name of its tile or buffer.",
               kCellStart + "assert(cell.tile == 'im')"},
              {"dtype", Kind::Field, cell_dtype, "cell.dtype -> string", "Its type.",
               kCellStart + "assert(cell.dtype == 'f32')"},
              {"offset", Kind::Field, cell_offset, "cell.offset -> integer",
               "The byte of its memory that it begins at.", kCellStart + "assert(cell.offset % 4 == 0)"},
              {"region", Kind::Field, cell_region, "cell.region -> string", "The memory it stands in.",
               kCellStart + "assert(cell.region == 'ub')"},
              {"bytes", Kind::Field, cell_bytes, "cell.bytes -> string",
               "Its bytes as stops take them: ub[0x440,0x444).",
               kCellStart + "assert(cell.bytes:find('ub[', 1, true) == 1)"},
          },
      .to_text = guarded<cell_to_text>,
      .operators = kOperators};
  return made;
}

}  // namespace ts::scripting
