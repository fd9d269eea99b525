// Evaluating watch expressions: Lua over the tiles and buffers of a recording, by their names.
#include "scripting/objects/values/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/debug/compare/compare.h"
#include "core/debug/elements/statistics.h"
#include "scripting/binding/object.h"
#include "scripting/objects/values/array.h"
#include "scripting/objects/values/cell.h"
#include "scripting/objects/values/elements.h"
#include "scripting/objects/values/mask.h"
#include "scripting/objects/values/operand.h"
#include "scripting/objects/values/tile.h"
#include "scripting/objects/values/watch_text.h"
#include "scripting/run/open_recording.h"
#include "scripting/run/pto.h"
#include "scripting/sandbox/compile.h"

namespace ts::scripting {
namespace {

using Kind = Binding::Kind;

// --- values as text ---

// A number with the type it counts as: a cell's own, else 64 bits.
struct Number {
  const ElementFormat* format;
  std::uint64_t bits;
  Definedness worth = Definedness::Written;
};
std::optional<Number> to_number(lua_State* L, int index) {
  if (const CellObject* cell = to_object<CellObject>(L, index))
    return Number{cell->place.format, cell->element.bits, cell->element.worth};
  if (lua_type(L, index) != LUA_TNUMBER) return {};
  if (lua_isinteger(L, index))
    return Number{&element_format(DType::I64), static_cast<std::uint64_t>(lua_tointeger(L, index))};
  Number made{find_element_format("f64"), 0};
  const double value = lua_tonumber(L, index);
  std::memcpy(&made.bits, &value, sizeof made.bits);
  return made;
}

std::string view_text(const ElementFormat& format, std::uint64_t bits, Definedness worth, WatchView view) {
  switch (view) {
    case WatchView::Hex: return hex_text(format, bits);
    case WatchView::Bits: return bit_text(format, bits);
    case WatchView::Plain:
    case WatchView::Exact:
    case WatchView::Histogram: break;
  }
  if (worth == Definedness::Never) return "..";
  const std::string text = view == WatchView::Exact ? exact_text(format, bits) : short_text(format, bits);
  return worth == Definedness::Unspecified ? text + "?" : text;
}

// A plain integer in hexadecimal has no leading zeros.
std::string number_text(const Number& number, WatchView view) {
  const bool plain_integer = number.format == &element_format(DType::I64);
  return view == WatchView::Hex && plain_integer ? fmt::format("0x{:x}", number.bits)
                                                 : view_text(*number.format, number.bits, number.worth, view);
}

std::string histogram_text(const Elements& elements) {
  constexpr std::uint32_t kBins = 16;
  const Histogram found = histogram_of(elements, Region::Valid, kBins);
  std::string text = fmt::format("{} to {}:", found.low, found.high);
  for (const std::uint64_t count : found.bins) text += fmt::format(" {}", count);
  if (found.nan != 0) text += fmt::format(", {} nan", found.nan);
  if (found.inf != 0) text += fmt::format(", {} inf", found.inf);
  if (found.undefined != 0) text += fmt::format(", {} undefined", found.undefined);
  return text;
}

std::string elements_text(const Elements& elements, WatchView view) {
  constexpr std::uint32_t kShown = 8;
  if (view == WatchView::Histogram) return histogram_text(elements);
  std::string text = fmt::format("{}x{} {}:", elements.valid_rows, elements.valid_cols, elements.format->name);
  const std::uint64_t count = std::uint64_t{elements.valid_rows} * elements.valid_cols;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, kShown); ++i) {
    const auto row = static_cast<std::uint32_t>(i / elements.valid_cols),
               col = static_cast<std::uint32_t>(i % elements.valid_cols);
    text += " " + view_text(*elements.format, elements.at(row, col), elements.worth_at(row, col), view);
  }
  return count > kShown ? text + " ..." : text;
}

std::string value_text(lua_State* L, int index, WatchView view) {
  if (const auto number = to_number(L, index); number && view != WatchView::Histogram)
    return number_text(*number, view);
  if (has_elements(L, index)) return elements_text(*check_elements(L, index, "value").elements, view);
  std::string text(Sandbox::push_text(L, index));
  lua_pop(L, 1);
  return text;
}

std::string one_line(std::string text) {
  constexpr std::size_t kMost = 400;
  std::ranges::replace(text, '\n', ' ');
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  return text;
}

// --- what expressions can call ---

Number number_argument(lua_State* L, int index, const char* function) {
  const auto number = to_number(L, index);
  if (!number) raise(L, fmt::format("{}: wanted a number or a cell, got {}", function, describe(L, index)));
  return *number;
}

template <WatchView kView>
int watch_view(lua_State* L) {
  return push_text_result(L, value_text(L, 1, kView));
}

std::string mask_row(lua_State* L, std::uint32_t row) {
  MaskObject& mask = *to_object<MaskObject>(L, 1);
  std::string bits;
  for (std::uint32_t col = 0; col < mask.cols; ++col) {
    if (col != 0 && col % 8 == 0) bits += ' ';
    bits += mask_bit_of(L, mask, row, col) ? '1' : '0';
  }
  return bits;
}

int watch_bits(lua_State* L) {
  const MaskObject* mask = to_object<MaskObject>(L, 1);
  if (mask == nullptr) return watch_view<WatchView::Bits>(L);
  return push_text_result(
      L, mask_row(L, static_cast<std::uint32_t>(optional_integer(L, 2, "row", 0, std::int64_t{mask->rows} - 1, 0))));
}

// The smallest or largest of numbers, cells, and the valid elements of tiles and arrays; nil of nothing.
template <bool kLargest>
int watch_extreme(lua_State* L) {
  const int count = lua_gettop(L);
  lua_pushnil(L);
  const int best = lua_gettop(L);
  for (int i = 1; i <= count; ++i) {
    if (has_elements(L, i)) {
      const ElementsArgument argument = check_elements(L, i, "value");
      const Statistics found = statistics_of(*argument.elements, Region::Valid);
      if (found.finite == 0) continue;
      push_element(L, *argument.elements->format, kLargest ? *found.max_bits : *found.min_bits);
    } else {
      const Number number = number_argument(L, i, kLargest ? "max" : "min");
      push_element(L, *number.format, number.bits);
    }
    const bool better =
        lua_isnil(L, best) || (kLargest ? lua_compare(L, best, -1, LUA_OPLT) : lua_compare(L, -1, best, LUA_OPLT)) != 0;
    if (better) lua_replace(L, best);
    else lua_pop(L, 1);
  }
  lua_settop(L, best);
  return 1;
}

int watch_mean(lua_State* L) {
  if (has_elements(L, 1)) {
    const Statistics found = statistics_of(*check_elements(L, 1, "value").elements, Region::Valid);
    if (found.finite == 0) return 0;
    return lua_pushnumber(L, found.mean), 1;
  }
  const int count = lua_gettop(L);
  double sum = 0;
  for (int i = 1; i <= count; ++i) {
    const Number one = number_argument(L, i, "mean");
    sum += number(*one.format, one.bits);
  }
  if (count == 0) return 0;
  lua_pushnumber(L, sum / count);
  return 1;
}

std::uint64_t absolute_bits(const ElementFormat& format, std::uint64_t bits) {
  if (format.is_float()) return bits & ~format.fields.sign_mask();
  const bool negative = format.kind == NumberKind::Signed && integer(format, bits) < 0;
  return (negative ? 0 - bits : bits) & format.mask();
}

int watch_abs(lua_State* L) {
  if (!has_elements(L, 1)) {
    const Number number = number_argument(L, 1, "abs");
    push_element(L, *number.format, absolute_bits(*number.format, number.bits));
    return 1;
  }
  const ElementsArgument argument = check_elements(L, 1, "value");
  Elements absolute = *argument.elements;
  for (std::uint64_t& bits : absolute.bits) bits = absolute_bits(*absolute.format, bits);
  push_array(L, std::move(absolute), "abs(" + argument.name + ")");
  return 1;
}

void push_ulps(lua_State* L, const std::optional<std::uint64_t>& ulps) {
  if (ulps) lua_pushinteger(L, static_cast<lua_Integer>(*ulps));
  else lua_pushnumber(L, std::numeric_limits<double>::infinity());
}

// The largest distance in elements of the first one's type.
int watch_ulp(lua_State* L) {
  if (!has_elements(L, 1)) {
    const Number a = number_argument(L, 1, "ulp"), b = number_argument(L, 2, "ulp");
    const auto as_a = convert(*a.format, *b.format, b.bits);
    return push_ulps(L, as_a ? ulp_distance(*a.format, a.bits, *as_a) : std::nullopt), 1;
  }
  const ElementsArgument a = check_elements(L, 1, "a"), b = check_elements(L, 2, "b");
  const auto comparing = Comparing::make(*a.elements, *b.elements, {});
  if (const auto* refusal = std::get_if<Refusal>(&comparing)) raise(L, *refusal);
  const Comparison result = std::get<Comparing>(comparing).all();
  push_ulps(L, result.worst_ulp ? result.worst_ulp->ulps : std::optional<std::uint64_t>(0));
  return 1;
}

constexpr luaL_Reg kHelpers[] = {
    {"hex", guarded<watch_view<WatchView::Hex>>},
    {"bits", guarded<watch_bits>},
    {"exact", guarded<watch_view<WatchView::Exact>>},
    {"max", guarded<watch_extreme<true>>},
    {"min", guarded<watch_extreme<false>>},
    {"mean", guarded<watch_mean>},
    {"abs", guarded<watch_abs>},
    {"ulp", guarded<watch_ulp>},
    {nullptr, nullptr},
};

// --- names ---

// Pushes the mask, tile or buffer of this name as it is where the recording stands; false, with nothing pushed: none.
bool push_named(lua_State* L, const std::shared_ptr<OpenRecording>& recording, const std::string& name) {
  Session& session = session_of(L, *recording);
  const std::uint32_t position = session.moment().position;
  if (const auto tile = session.find_tile(name, position)) {
    if (mask_reader(session.recording(), *tile, position)) push_mask(L, recording, position, *tile);
    else push_tile(L, recording, position, *tile, session.tile_at(*tile, position));
    return true;
  }
  const auto buffer = session.find_buffer(name);
  if (buffer) push_buffer(L, recording, position, *buffer);
  return buffer.has_value();
}

const std::shared_ptr<OpenRecording>& watched_recording(lua_State* L) {
  return to_object<RecordingObject>(L, lua_upvalueindex(1))->recording;
}

int watch_named(lua_State* L) {
  const std::string name = check_text(L, 1, "name");
  if (!push_named(L, watched_recording(L), name)) raise(L, fmt::format("there is no tile or buffer %{}", name));
  return 1;
}

// What the expression's names are: tiles and buffers, `rec` and `pos`, then what the script has.
int watch_index(lua_State* L) {
  const std::string name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (name == "rec") return lua_pushvalue(L, lua_upvalueindex(1)), 1;
  if (push_named(L, watched_recording(L), name)) return 1;
  if (name == "pos") return lua_pushinteger(L, session_of(L, *watched_recording(L)).moment().position), 1;
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  if (lua_isnil(L, -1))
    raise(L, fmt::format("nothing is called {} here", name),
          "tiles, buffers, rec, pos, and hex bits exact max min mean abs ulp");
  return 1;
}

// The table that the expression's names are looked up in.
void push_names(lua_State* L, const std::shared_ptr<OpenRecording>& recording) {
  lua_newtable(L);
  luaL_setfuncs(L, kHelpers, 0);
  push_recording(L, recording);
  lua_pushcclosure(L, guarded<watch_named>, 1);
  lua_setfield(L, -2, "named");
  lua_createtable(L, 0, 1);
  push_recording(L, recording);
  lua_pushcclosure(L, guarded<watch_index>, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

// Evaluates and formats inside one protected call. Upvalues: the recording. Arguments: the expression and the view.
int watch_run(lua_State* L) {
  const std::string expression = lua_tostring(L, 1);
  const auto view = static_cast<WatchView>(lua_tointeger(L, 2));
  if (!compile(L, "return " + expression, "=watch")) lua_error(L);
  push_names(L, watched_recording(L));
  if (lua_setupvalue(L, -2, 1) == nullptr) lua_pop(L, 1);
  lua_call(L, 0, 1);
  return push_text_result(L, one_line(value_text(L, -1, view)));
}

// "watch:1: text" is for files.
std::string without_place(std::string message) {
  for (const std::string_view place : {"watch:1: ", "watch: "})
    if (message.starts_with(place)) message.erase(0, place.size());
  return one_line(message);
}

int pto_watch(lua_State* L) {
  const std::string text = check_text(L, 1, "text");
  const WatchResult result = evaluate_watch(L, check_current(L), text);
  Sandbox::raise_if_over(L);
  return push_text_result(L, result.text);
}

std::vector<Binding> watch_rows() {
  return {
      {"watch", Kind::Function, pto_watch, "pto.watch(text: string) -> string",
       "What an expression is where the current recording stands, as one line. It is Lua with tiles and buffers by "
       "their names, cells as t2[1,5], the functions hex bits exact max min mean abs ulp, "
       "and at its end ,x ,b ,f or ,h for hexadecimal, bits, all digits, or a histogram. A wrong expression gives the "
       "message.",
       R"lua(local rec = pto.load("complex_split", {target="a5"}):record()
rec:seek(rec.count)
local t = rec:tile("im")
assert(pto.watch("im[1,2],x") == t:hex(1, 2))
assert(pto.watch("max(abs(im)) >= max(im)") == "true")
assert(pto.watch("nonsense[1,2]"):find("nothing is called nonsense")))lua"},
  };
}

const ListedRows kWatchRows{54, {pto_type, watch_rows}};

}  // namespace

WatchResult evaluate_watch(lua_State* L, const std::shared_ptr<OpenRecording>& recording, const std::string& text) {
  const WatchText read = read_watch(text);
  if (read.expression.empty()) return {false, "the expression is empty"};
  luaL_checkstack(L, 8, nullptr);
  push_recording(L, recording);
  lua_pushcclosure(L, guarded<watch_run>, 1);
  push_text(L, read.expression);
  lua_pushinteger(L, static_cast<lua_Integer>(read.view));
  const Outcome outcome = Sandbox::of(L).call(L, 2, 1);
  if (outcome.kind != Outcome::Kind::Ok) return {false, without_place(outcome.message)};
  WatchResult result{true, lua_tostring(L, -1)};
  lua_pop(L, 1);
  return result;
}

}  // namespace ts::scripting
