// Elements as Lua values, and what is asked of many of them.
#include "scripting/objects/values/elements.h"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/debug/elements/statistics.h"
#include "scripting/sandbox/sandbox.h"
#include "scripting/sandbox/weight.h"

namespace ts::scripting {
namespace {

// Elements that are looked at in the time of one step.
constexpr std::uint64_t kElementsAStep = 4;

void charge_for(lua_State* L, const Elements& elements) { Sandbox::charge(L, elements.bits.size() / kElementsAStep); }

void push_counts(lua_State* L, const std::vector<std::uint64_t>& counts) {
  lua_createtable(L, static_cast<int>(counts.size()), 0);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    lua_pushinteger(L, static_cast<lua_Integer>(counts[i]));
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
}

// What find{...} looks for.
struct Wanted {
  bool nan, inf, undefined;
  int where;  // stack index of a function, 0: none
};

bool fits(lua_State* L, const Wanted& wanted, const Elements& elements, std::uint32_t row, std::uint32_t col) {
  const std::uint64_t bits = elements.at(row, col);
  if (elements.worth_at(row, col) != Definedness::Written) return wanted.undefined;
  const ElementClass element_class = classify(*elements.format, bits);
  if (wanted.nan && element_class == ElementClass::Nan) return true;
  if (wanted.inf && element_class == ElementClass::Infinite) return true;
  if (wanted.where == 0) return false;
  lua_pushvalue(L, wanted.where);
  push_element(L, *elements.format, bits);
  lua_pushinteger(L, row);
  lua_pushinteger(L, col);
  lua_call(L, 3, 1);
  const bool yes = lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
  return yes;
}

void push_cell_place(lua_State* L, const Elements& elements, std::uint32_t row, std::uint32_t col) {
  lua_createtable(L, 0, 4);
  set_integer(L, "row", row);
  set_integer(L, "col", col);
  set_integer(L, "bits", elements.at(row, col));
  if (elements.worth_at(row, col) != Definedness::Never)
    set_element(L, "value", *elements.format, elements.at(row, col));
}

}  // namespace

std::shared_ptr<const Elements> weighed_elements(lua_State* L, Elements elements) {
  const std::size_t bytes = bytes_of_elements(elements.bits.size());
  return weighed(L, std::make_shared<const Elements>(std::move(elements)), bytes);
}

void push_element(lua_State* L, const ElementFormat& format, std::uint64_t bits) {
  if (format.is_float()) lua_pushnumber(L, number(format, bits));
  else lua_pushinteger(L, integer(format, bits));
}

void push_scalar(lua_State* L, const Scalar& scalar) { push_element(L, element_format(scalar.dtype), scalar.bits); }

std::uint64_t check_element(lua_State* L, int index, const char* name, const ElementFormat& format) {
  if (lua_type(L, index) != LUA_TNUMBER) wrong_argument(L, index, name, "a number");
  std::optional<std::uint64_t> bits;
  if (lua_isinteger(L, index)) bits = element_bits(format, static_cast<std::int64_t>(lua_tointeger(L, index)));
  else bits = element_bits(format, lua_tonumber(L, index));
  if (!bits) wrong_argument(L, index, name, a_or_an(format.name));
  return *bits;
}

const ElementFormat& check_format(lua_State* L, int index, const char* name) {
  const ElementFormat* format = find_element_format(check_text(L, index, name));
  if (format != nullptr) return *format;
  std::string names;
  for (const ElementFormat& one : element_formats()) names += (names.empty() ? "" : ", ") + std::string(one.name);
  wrong_argument(L, index, name, "one of " + names);
}

void set_element(lua_State* L, const char* key, const ElementFormat& format, std::uint64_t bits) {
  push_element(L, format, bits);
  lua_setfield(L, -2, key);
}

Region region_of(const OptionTable& options) {
  return options.word("region", {"valid", "all"}).value_or(0) == 0 ? Region::Valid : Region::All;
}

int push_stats(lua_State* L, const Elements& elements, const OptionTable& options) {
  charge_for(L, elements);
  const Statistics found = statistics_of(elements, region_of(options));
  lua_createtable(L, 0, 10);
  set_integer(L, "count", found.count);
  set_integer(L, "finite", found.finite);
  set_integer(L, "nan", found.nan);
  set_integer(L, "inf", found.inf);
  set_integer(L, "zero", found.zero);
  set_integer(L, "denormal", found.denormal);
  set_integer(L, "undefined", found.undefined);
  if (found.finite == 0) return 1;
  set_element(L, "min", *elements.format, *found.min_bits);
  set_element(L, "max", *elements.format, *found.max_bits);
  set_number(L, "mean", found.mean);
  return 1;
}

int push_histogram(lua_State* L, const Elements& elements, const OptionTable& options) {
  constexpr std::int64_t kMostBins = 65536;
  constexpr std::uint32_t kBins = 64;
  const auto bins = static_cast<std::uint32_t>(options.integer("bins", 1, kMostBins).value_or(kBins));
  const auto low = options.number("low"), high = options.number("high");
  if (low.has_value() != high.has_value())
    options.wrong(low ? "high" : "low", "a number, as low and high belong together");
  if (low && !(*low <= *high)) options.wrong("high", "a number not below low");
  charge_for(L, elements);
  const auto range = low ? std::optional(std::pair(*low, *high)) : std::nullopt;
  const Histogram found = histogram_of(elements, region_of(options), bins, range);
  lua_createtable(L, 0, 8);
  push_counts(L, found.bins);
  lua_setfield(L, -2, "bins");
  set_number(L, "low", found.low);
  set_number(L, "high", found.high);
  set_integer(L, "below", found.below);
  set_integer(L, "above", found.above);
  set_integer(L, "nan", found.nan);
  set_integer(L, "inf", found.inf);
  set_integer(L, "undefined", found.undefined);
  const std::vector<CodeCount> codes = code_counts(elements, region_of(options));
  if (codes.empty()) return 1;
  lua_createtable(L, static_cast<int>(codes.size()), 0);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    lua_createtable(L, 0, 3);
    set_integer(L, "bits", codes[i].bits);
    set_element(L, "value", *elements.format, codes[i].bits);
    set_integer(L, "count", codes[i].count);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  lua_setfield(L, -2, "codes");
  return 1;
}

int push_found(lua_State* L, const Elements& elements, const OptionTable& options) {
  constexpr std::int64_t kMost = 10'000;
  Wanted wanted{options.truth("nan"), options.truth("inf"), options.truth("undefined"), 0};
  const Region region = region_of(options);
  const std::int64_t most = options.integer("most", 1, std::numeric_limits<std::int32_t>::max()).value_or(kMost);
  if (options.push_function("where")) wanted.where = lua_gettop(L);
  if (!wanted.nan && !wanted.inf && !wanted.undefined && wanted.where == 0)
    raise(L, "find: nothing to look for",
          "give nan=true, inf=true, undefined=true or where=function(value, row, col) ... end");
  charge_for(L, elements);
  lua_newtable(L);
  lua_Integer count = 0;
  for (std::uint32_t row = 0; row < elements.rows_of(region) && count < most; ++row) {
    for (std::uint32_t col = 0; col < elements.cols_of(region) && count < most; ++col) {
      if (!fits(L, wanted, elements, row, col)) continue;
      push_cell_place(L, elements, row, col);
      lua_rawseti(L, -2, ++count);
    }
  }
  return 1;
}

}  // namespace ts::scripting
