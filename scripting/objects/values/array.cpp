// The array object, and the functions that make arrays.
#include "scripting/objects/values/array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <variant>

#include "scripting/binding/object.h"
#include "scripting/objects/values/elements.h"
#include "scripting/run/engine.h"
#include "scripting/run/pto.h"
#include "scripting/sandbox/sandbox.h"
#include "scripting/sandbox/weight.h"

namespace ts::scripting {
namespace {

using Kind = Binding::Kind;

constexpr std::uint64_t kMostElements = std::uint64_t{1} << 24;

// For elements that live outside of Lua.
void need_room(lua_State* L, std::uint64_t elements) { Sandbox::need_memory(L, bytes_of_elements(elements)); }

// The place that the indices from argument 2 on name: one a dimension, or one that counts through all of them.
std::size_t place_of(lua_State* L, const ArrayObject& array) {
  const int given = lua_gettop(L) - 1;
  if (given == 1) return check_index(L, 2, array.elements->bits.size(), "index");
  const auto rank = static_cast<int>(array.shape.size());
  if (given != rank)
    raise(L, fmt::format("{} indices for an array of {} dimensions", given, rank),
          fmt::format("its shape is {}; one index counts through all elements", fmt::join(array.shape, "x")));
  std::size_t place = 0;
  for (int i = 0; i < rank; ++i) {
    const std::uint64_t size = array.shape[static_cast<std::size_t>(i)];
    place = place * size + check_index(L, i + 2, size, "index");
  }
  return place;
}

int array_get(lua_State* L) {
  const ArrayObject& array = check_self<ArrayObject>(L);
  const std::size_t place = place_of(L, array);
  if (!array.elements->worth.empty() && array.elements->worth[place] == Definedness::Never) return 0;
  push_element(L, *array.elements->format, array.elements->bits[place]);
  return 1;
}

int array_bits(lua_State* L) {
  const ArrayObject& array = check_self<ArrayObject>(L);
  lua_pushinteger(L, static_cast<lua_Integer>(array.elements->bits[place_of(L, array)]));
  return 1;
}

int array_dtype(lua_State* L) {
  lua_pushstring(L, check_self<ArrayObject>(L).elements->format->name);
  return 1;
}

int array_shape(lua_State* L) {
  const std::vector<std::uint64_t>& shape = check_self<ArrayObject>(L).shape;
  lua_createtable(L, static_cast<int>(shape.size()), 0);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    lua_pushinteger(L, static_cast<lua_Integer>(shape[i]));
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  return 1;
}

int array_count(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(check_self<ArrayObject>(L).elements->bits.size()));
  return 1;
}

// As plain lists count: from 1.
int array_at(lua_State* L) {
  const Elements& elements = *check_self<ArrayObject>(L).elements;
  const lua_Integer place = lua_tointeger(L, 2);
  if (place < 1 || place > static_cast<lua_Integer>(elements.bits.size())) return 0;
  push_element(L, *elements.format, elements.bits[static_cast<std::size_t>(place - 1)]);
  return 1;
}

int array_stats(lua_State* L) {
  return push_stats(L, *check_self<ArrayObject>(L).elements, OptionTable(L, 2, "options", kStatsOptions));
}
int array_histogram(lua_State* L) {
  return push_histogram(L, *check_self<ArrayObject>(L).elements, OptionTable(L, 2, "options", kHistogramOptions));
}
int array_find(lua_State* L) {
  const auto elements = check_self<ArrayObject>(L).elements;
  return push_found(L, *elements, OptionTable(L, 2, "options", kFindOptions));
}

int array_text(lua_State* L) {
  const ArrayObject& array = check_self<ArrayObject>(L);
  const std::string text =
      fmt::format("{}: {} {}", array.name, array.shape.empty() ? "one" : fmt::format("{}", fmt::join(array.shape, "x")),
                  array.elements->format->name);
  return push_text_result(L, text);
}

int pto_npy(lua_State* L) {
  const std::string path = check_text(L, 1, "path");
  const auto& read = Engine::of(L).host().read_array;
  if (!read) raise(L, "pto.npy: this program lets scripts read no files");
  // The file's bytes stand beside the array's.
  auto result = read(path, Sandbox::memory_left(L) / 2);
  if (const auto* error = std::get_if<data::Error>(&result)) raise(L, error->text, error->hint);
  const auto& array = std::get<data::Array>(result);
  need_room(L, array.bytes.size());
  const Weight file(L, array.bytes.size());
  auto elements = elements_of(array);
  if (const auto* refusal = std::get_if<Refusal>(&elements))
    raise(L, {fmt::format("{}: {}", path, refusal->text), refusal->hint});
  push_array(L, std::get<Elements>(std::move(elements)), array.shape, path);
  return 1;
}

int pto_array(lua_State* L) {
  const ElementFormat& format = check_format(L, 1, "dtype");
  const auto rows = static_cast<std::uint32_t>(check_integer(L, 2, "rows", 0, 1 << 24));
  const auto cols = static_cast<std::uint32_t>(check_integer(L, 3, "cols", 0, 1 << 24));
  const std::uint64_t count = std::uint64_t{rows} * cols;
  if (count > kMostElements)
    raise(L, fmt::format("pto.array: {} elements", count),
          fmt::format("arrays of a script have up to {}", kMostElements));
  const bool filled = !lua_isnoneornil(L, 4);
  if (filled) {
    check_table(L, 4, "values");
    if (const auto given = static_cast<std::uint64_t>(lua_rawlen(L, 4)); given != count)
      raise(L, fmt::format("pto.array: {} values for {}x{} = {} elements", given, rows, cols, count));
  }
  need_room(L, count);
  Sandbox::charge(L, filled ? count : count / 16);
  Elements elements{&format, rows, cols, rows, cols, std::vector<std::uint64_t>(count, 0), {}};
  for (std::uint64_t i = 0; filled && i < count; ++i) {
    lua_rawgeti(L, 4, static_cast<lua_Integer>(i + 1));
    elements.bits[i] = check_element(L, -1, "values", format);
    lua_pop(L, 1);
  }
  push_array(L, std::move(elements), "array");
  return 1;
}

std::vector<Binding> array_rows() {
  return {
      {"npy", Kind::Function, pto_npy, "pto.npy(path: string) -> array",
       "Reads an array from a .npy file, or the bytes of any other file as u8. What scripts may read, the program "
       "around them says.",
       R"(local ok, message = pcall(pto.npy, "no such file.npy")
assert(not ok and #message > 0))"},
      {"array", Kind::Function, pto_array,
       "pto.array(dtype: string, rows: integer, cols: integer, values?: number[]) -> array",
       "Makes an array of numbers, row by row, rounded to the type; of zeros without values.",
       R"(local a = pto.array("f16", 2, 2, {1, 2, 3, 0.1})
assert(a:get(1, 0) == 3)
assert(a:bits(1, 1) == 0x2e66)
assert(#pto.array("i32", 3, 4) == 12))"},
  };
}

const ListedRows kArrayRows{50, {pto_type, array_rows}};
const ListedType kArrayType{150, ArrayObject::type};

}  // namespace

ArrayObject& push_array(lua_State* L, Elements elements, std::vector<std::uint64_t> shape, std::string name) {
  return make_object<ArrayObject>(L, weighed_elements(L, std::move(elements)), std::move(shape), std::move(name));
}
ArrayObject& push_array(lua_State* L, Elements elements, std::string name) {
  std::vector<std::uint64_t> shape{elements.rows, elements.cols};
  return push_array(L, std::move(elements), std::move(shape), std::move(name));
}

const ObjectType& ArrayObject::type() {
  static const luaL_Reg operators[] = {{"__len", guarded<array_count>}, {nullptr, nullptr}};
  static const ObjectType made{
      .name = "array",
      .owner = "array",
      .help =
          "Elements with a shape, which can only be read: from a file, made of numbers, or copied out of a tile. As a "
          "list, a[1] is the first element and #a their number.",
      .bindings =
          {
              {"get", Kind::Method, array_get, "array:get(index: integer, ...) -> number | nil",
               "The element at these indices, one for each dimension, from 0; a single index counts through all "
               "elements. Nil where it was never written.",
               R"(local a = pto.array("i8", 2, 3, {1, 2, 3, 4, 5, -6})
assert(a:get(1, 2) == -6 and a:get(5) == -6))"},
              {"bits", Kind::Method, array_bits, "array:bits(index: integer, ...) -> integer",
               "The bits of the element, exactly.",
               R"(local a = pto.array("f32", 1, 1, {2.5})
assert(a:bits(0, 0) == 0x40200000))"},
              {"dtype", Kind::Field, array_dtype, "array.dtype -> string",
               "The type of the elements: f32, i8, f64, ...", R"(assert(pto.array("u16", 1, 1).dtype == "u16"))"},
              {"shape", Kind::Field, array_shape, "array.shape -> integer[]", "The dimensions, outermost first.",
               R"(local shape = pto.array("u16", 3, 5).shape
assert(shape[1] == 3 and shape[2] == 5))"},
              {"count", Kind::Field, array_count, "array.count -> integer",
               "How many elements there are; the same as #array.",
               R"(local a = pto.array("u16", 3, 5)
assert(a.count == 15 and #a == 15)
local sum = 0
for i, value in ipairs(a) do sum = sum + value end
assert(sum == 0))"},
              {"stats", Kind::Method, array_stats, "array:stats{region=} -> table",
               "Counts by class, and the range and mean of what is finite: count, finite, nan, inf, zero, denormal, "
               "undefined, min, max, mean.",
               R"(local s = pto.array("f32", 1, 4, {1, -3, 0/0, 0}):stats()
assert(s.min == -3 and s.max == 1 and s.nan == 1 and s.zero == 1))"},
              {"histogram", Kind::Method, array_histogram, "array:histogram{bins=, low=, high=, region=} -> table",
               "How the finite elements are spread: bins of equal width from low to high, and how many lie below and "
               "above. Of floats of 8 bits and less, and of elements of 4, `codes` counts each code: a list of bits, value "
               "and count, by value.",
               R"(local h = pto.array("f32", 1, 4, {0, 1, 2, 4}):histogram{bins=2}
assert(h.bins[1] == 2 and h.bins[2] == 2 and h.high == 4))"},
              {"find", Kind::Method, array_find,
               "array:find{nan=, inf=, undefined=, where=, region=, most=} -> table[]",
               "The elements that are NaN, infinite, undefined, or that the function says true for: a list of row, "
               "col, value and bits.",
               R"(local found = pto.array("f32", 2, 2, {1, 2, 3, 4}):find{where=function(v) return v > 2 end}
assert(#found == 2 and found[1].row == 1 and found[1].col == 0))"},
          },
      .index = guarded<array_at>,
      .to_text = guarded<array_text>,
      .operators = operators};
  return made;
}

}  // namespace ts::scripting
