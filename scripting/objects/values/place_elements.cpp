// What tiles and buffers answer of their elements.
#include <fmt/format.h>

#include "scripting/objects/values/array.h"
#include "scripting/objects/values/cell.h"
#include "scripting/objects/values/elements.h"
#include "scripting/objects/values/tile.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {
namespace {

using Kind = Binding::Kind;

void push_value(lua_State* L, const Place& place, const Element& element) {
  if (element.worth == Definedness::Never) lua_pushnil(L);
  else push_element(L, *place.format, element.bits);
}

Element element_argument(lua_State* L, const Place& place) {
  const CellArguments cell = check_cell(L, place);
  return read_element(L, place, cell.row, cell.col);
}

int place_get(lua_State* L, const Place& place) {
  push_value(L, place, element_argument(L, place));
  return 1;
}

int place_bits(lua_State* L, const Place& place) {
  lua_pushinteger(L, static_cast<lua_Integer>(element_argument(L, place).bits));
  return 1;
}

int place_row(lua_State* L, const Place& place) {
  const std::uint32_t row = check_index(L, 2, place.rows, "row");
  Sandbox::charge(L, place.cols);
  lua_createtable(L, static_cast<int>(place.cols), 0);
  for (std::uint32_t col = 0; col < place.cols; ++col) {
    push_value(L, place, read_element(L, place, row, col));
    lua_rawseti(L, -2, col + 1);
  }
  return 1;
}

int place_array(lua_State* L, const Place& place) {
  push_array(L, all_elements(L, place), place.name);
  return 1;
}

int place_is_defined(lua_State* L, const Place& place) {
  lua_pushboolean(L, element_argument(L, place).worth == Definedness::Written ? 1 : 0);
  return 1;
}

int place_is_valid(lua_State* L, const Place& place) {
  const CellArguments cell = check_cell(L, place);
  lua_pushboolean(L, cell.row < place.valid_rows && cell.col < place.valid_cols ? 1 : 0);
  return 1;
}

int place_stats(lua_State* L, const Place& place) {
  const OptionTable options(L, 2, "options", kStatsOptions);
  return push_stats(L, all_elements(L, place), options);
}

int place_histogram(lua_State* L, const Place& place) {
  const OptionTable options(L, 2, "options", kHistogramOptions);
  return push_histogram(L, all_elements(L, place), options);
}

int place_find(lua_State* L, const Place& place) {
  const OptionTable options(L, 2, "options", kFindOptions);
  return push_found(L, all_elements(L, place), options);
}

int place_cell(lua_State* L, const Place& place) {
  const CellArguments cell = check_cell(L, place);
  make_object<CellObject>(L, place, cell.row, cell.col, read_element(L, place, cell.row, cell.col));
  return 1;
}

int place_hex(lua_State* L, const Place& place) {
  return push_text_result(L, hex_text(*place.format, element_argument(L, place).bits));
}

int place_exact(lua_State* L, const Place& place) {
  const Element element = element_argument(L, place);
  return element.worth == Definedness::Never ? 0 : push_text_result(L, exact_text(*place.format, element.bits));
}

template <class T>
std::vector<Binding> reading_rows() {
  const PlaceWords w = T::words();
  return {
      {"get", Kind::Method, of_place<T, place_get>, w.signature("get", w.cell + " -> number | nil"),
       "The element at row, col; both count from 0. Integers come as integers; 64 unsigned bits as the signed number "
       "of the same bits. Nil when it was never written.",
       w.start + "assert(t:get(1, 3) == t:row(1)[4])"},
      {"bits", Kind::Method, of_place<T, place_bits>, w.signature("bits", w.cell + " -> integer"),
       "The bits of the element, exactly.", w.start + "assert(t:hex(1, 3) == ('0x%08x'):format(t:bits(1, 3)))"},
      {"hex", Kind::Method, of_place<T, place_hex>, w.signature("hex", w.cell + " -> string"),
       "The bits of the element in hexadecimal.", w.start + "assert(#t:hex(0, 0) == 10)"},
      {"exact", Kind::Method, of_place<T, place_exact>, w.signature("exact", w.cell + " -> string | nil"),
       "All digits of the element's value, none rounded. Nil when it was never written.",
       w.start + "assert(tonumber(t:exact(0, 0)) == t:get(0, 0))"},
      {"cell", Kind::Method, of_place<T, place_cell>, w.signature("cell", w.cell + " -> cell"),
       "The element with all that is known of it. It can be used in arithmetic as its value.",
       w.start + "assert(t:cell(0, 1).col == 1)"},
      {"row", Kind::Method, of_place<T, place_row>, w.signature("row", "(row: integer) -> table"),
       "The values of a row as a list; [1] is column 0. What was never written is nil.",
       w.start + "assert(t:row(1)[4] == t:get(1, 3))"},
      {"array", Kind::Method, of_place<T, place_array>, w.signature("array", "() -> array"),
       "A copy of all elements, as an array.", w.start + "assert(t:array():get(1, 3) == t:get(1, 3))"},
  };
}

template <class T>
std::vector<Binding> asking_rows() {
  const PlaceWords w = T::words();
  return {
      {"isDefined", Kind::Method, of_place<T, place_is_defined>, w.signature("isDefined", w.cell + " -> boolean"),
       "Whether every byte of the element was written with a value that somebody promised.",
       w.start + "assert(t:isDefined(0, 0))"},
      {"isValid", Kind::Method, of_place<T, place_is_valid>, w.signature("isValid", w.cell + " -> boolean"),
       "Whether the element lies in the valid region.", w.start + "assert(t:isValid(0, 0))"},
      {"stats", Kind::Method, of_place<T, place_stats>, w.signature("stats", "{region=} -> table"),
       "Counts by class, and the range and mean of what is finite: count, finite, nan, inf, zero, denormal, undefined, "
       "min, max, mean. Region 'valid' (the default) or 'all'.",
       w.start + "local s = t:stats()\nassert(s.undefined == 0 and s.min <= s.mean and s.mean <= s.max)"},
      {"histogram", Kind::Method, of_place<T, place_histogram>,
       w.signature("histogram", "{bins=, low=, high=, region=} -> table"),
       "How the finite elements are spread: bins of equal width from low to high, and how many lie below and above. Of "
       "floats of 8 bits and less, and of elements of 4, `codes` counts each code: a list of bits, value and count, by value.",
       w.start + "local h = t:histogram{bins=4}\nassert(#h.bins == 4 and h.below == 0)"},
      {"find", Kind::Method, of_place<T, place_find>,
       w.signature("find", "{nan=, inf=, undefined=, where=, region=, most=} -> table[]"),
       "The elements that are NaN, infinite, undefined, or that the function says true for: a list of row, col, value "
       "and bits. At most 10000, if `most` says nothing else.",
       w.start + "local best = t:stats().max\nlocal found = t:find{where=function(v) return v == best "
                 "end}\nassert(t:get(found[1].row, found[1].col) == best)"},
  };
}

const ListedRows kReadTile{10, {TileObject::type, reading_rows<TileObject>}};
const ListedRows kReadBuffer{10, {BufferObject::type, reading_rows<BufferObject>}};
const ListedRows kAskTile{30, {TileObject::type, asking_rows<TileObject>}};
const ListedRows kAskBuffer{30, {BufferObject::type, asking_rows<BufferObject>}};

}  // namespace
}  // namespace ts::scripting
