// The tile object and the buffer object: the same questions, asked of on-chip and of global memory.
#include "scripting/objects/values/tile.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "scripting/objects/values/elements.h"
#include "scripting/binding/object.h"
#include "scripting/run/open_recording.h"

namespace ts::scripting {
namespace {

using Kind = Binding::Kind;

template <class T, int (*kMethod)(lua_State*, const Place&)>
int method(lua_State* L) {
  return kMethod(L, check_self<T>(L));
}

template <class T, std::uint32_t Place::*kField>
int field(lua_State* L) {
  lua_pushinteger(L, check_self<T>(L).*kField);
  return 1;
}

template <class T>
int place_name(lua_State* L) {
  return push_text_result(L, check_self<T>(L).name);
}
template <class T>
int place_dtype(lua_State* L) {
  return push_text_result(L, check_self<T>(L).format->name);
}
template <class T>
int place_region(lua_State* L) {
  return push_text_result(L, name(check_self<T>(L).space()));
}
template <class T>
int place_bytes(lua_State* L) {
  return push_text_result(L, place_text(check_self<T>(L).range()));
}
template <class T>
int place_size(lua_State* L) {
  lua_pushinteger(L, check_self<T>(L).range().size);
  return 1;
}

int tile_space(lua_State* L) {
  return push_text_result(L, name(check_self<TileObject>(L).tile.type.loc));
}
int tile_layout(lua_State* L) {
  return push_text_result(L, check_self<TileObject>(L).tile.type.layout_name());
}

int tile_text(lua_State* L) {
  const TileObject& tile = check_self<TileObject>(L);
  return push_text_result(L, fmt::format("tile {}: {}x{} {} {}, valid {}x{}, {}, after {} steps", tile.name, tile.rows,
                                         tile.cols, tile.format->name, tile.tile.type.layout_name(), tile.valid_rows,
                                         tile.valid_cols, place_text(tile.range()), tile.position));
}

int buffer_text(lua_State* L) {
  const BufferObject& buffer = check_self<BufferObject>(L);
  return push_text_result(L,
                          fmt::format("buffer {}: {}x{} {}, {}, after {} steps", buffer.name, buffer.rows, buffer.cols,
                                      buffer.format->name, place_text(buffer.range()), buffer.position));
}

int buffer_count(lua_State* L) {
  const BufferObject& buffer = check_self<BufferObject>(L);
  lua_pushinteger(L, std::int64_t{buffer.rows} * buffer.cols);
  return 1;
}

// How the rows of one of the two read.
struct Words {
  std::string owner, cell, start;  // `cell`: its parameters; `start`: what comes before each example
  std::string signature(const char* name, const std::string& rest) const { return owner + ":" + name + rest; }
  std::string field(const char* name, const char* type) const { return owner + "." + name + " -> " + type; }
};

template <class T>
std::vector<Binding> element_rows(const Words& w) {
  return {
      {"get", Kind::Method, method<T, place_get>, w.signature("get", w.cell + " -> number | nil"),
       "The element at row, col; both count from 0. Integers come as integers; 64 unsigned bits as the signed number "
       "of the same bits. Nil when it was never written.",
       w.start + "assert(t:get(1, 3) == t:row(1)[4])"},
      {"bits", Kind::Method, method<T, place_bits>, w.signature("bits", w.cell + " -> integer"),
       "The bits of the element, exactly.", w.start + "assert(t:hex(1, 3) == ('0x%08x'):format(t:bits(1, 3)))"},
      {"hex", Kind::Method, method<T, place_hex>, w.signature("hex", w.cell + " -> string"),
       "The bits of the element in hexadecimal.", w.start + "assert(#t:hex(0, 0) == 10)"},
      {"exact", Kind::Method, method<T, place_exact>, w.signature("exact", w.cell + " -> string | nil"),
       "All digits of the element's value, none rounded. Nil when it was never written.",
       w.start + "assert(tonumber(t:exact(0, 0)) == t:get(0, 0))"},
      {"cell", Kind::Method, method<T, place_cell>, w.signature("cell", w.cell + " -> cell"),
       "The element with all that is known of it. It can be reckoned with as its value.",
       w.start + "assert(t:cell(0, 1).col == 1)"},
      {"row", Kind::Method, method<T, place_row>, w.signature("row", "(row: integer) -> table"),
       "The values of a row as a list; [1] is column 0. What was never written is nil.",
       w.start + "assert(t:row(1)[4] == t:get(1, 3))"},
      {"array", Kind::Method, method<T, place_array>, w.signature("array", "() -> array"),
       "A copy of all elements, as an array.", w.start + "assert(t:array():get(1, 3) == t:get(1, 3))"},
      {"save", Kind::Method, method<T, place_save>, w.signature("save", "(path: string, options?: table)"),
       "Writes a new .csv or .npy below the current folder: the valid region, or with {region='all'} everything. A "
       "number in a .csv has the digits that bring its bits back, undefined elements are empty cells, and with "
       "{hex=true} the bits of a row stand behind its values.",
       w.start + "t:save('values.csv', {hex=true})\nt:save('values.npy')"},
      {"isDefined", Kind::Method, method<T, place_is_defined>, w.signature("isDefined", w.cell + " -> boolean"),
       "Whether every byte of the element was written with a value that somebody promised.",
       w.start + "assert(t:isDefined(0, 0))"},
      {"isValid", Kind::Method, method<T, place_is_valid>, w.signature("isValid", w.cell + " -> boolean"),
       "Whether the element lies in the valid region.", w.start + "assert(t:isValid(0, 0))"},
      {"stats", Kind::Method, method<T, place_stats>, w.signature("stats", "{region=} -> table"),
       "Counts by class, and the range and mean of what is finite: count, finite, nan, inf, zero, denormal, undefined, "
       "min, max, mean. Region 'valid' (the default) or 'all'.",
       w.start + "local s = t:stats()\nassert(s.undefined == 0 and s.min <= s.mean and s.mean <= s.max)"},
      {"histogram", Kind::Method, method<T, place_histogram>,
       w.signature("histogram", "{bins=, low=, high=, region=} -> table"),
       "How the finite elements are spread: bins of equal width from low to high, and how many lie below and above.",
       w.start + "local h = t:histogram{bins=4}\nassert(#h.bins == 4 and h.below == 0)"},
      {"find", Kind::Method, method<T, place_find>,
       w.signature("find", "{nan=, inf=, undefined=, where=, region=, most=} -> table[]"),
       "The elements that are NaN, infinite, undefined, or that the function says true for: a list of row, col, value "
       "and bits. At most 10000, if `most` says nothing else.",
       w.start + "local best = t:stats().max\nlocal found = t:find{where=function(v) return v == best "
                 "end}\nassert(t:get(found[1].row, found[1].col) == best)"},
      {"history", Kind::Method, method<T, place_history>, w.signature("history", w.cell + " -> history"),
       "Every change of the element's bytes over the whole recording, as a list that is found as it is read.",
       w.start + "local h = t:history(0, 0)\nassert(h[#h].after == t:get(0, 0))"},
      {"sources", Kind::Method, method<T, place_sources>, w.signature("sources", w.cell + " -> table[]"),
       "What the step that made the element made it of: a list of text, tile, row, col, step, op, value, bits, "
       "kind, decided, region, offset.",
       w.start + "for _, source in ipairs(t:sources(0, 0)) do assert(source.kind and source.step < rec.count) end"},
      {"readers", Kind::Method, method<T, place_readers>,
       w.signature("readers", w.cell.substr(0, w.cell.size() - 1) + ", options?: table) -> table[]"),
       "What became of the element until it is overwritten: a list of text, tile, row, col, step, op, value, bits, "
       "decided, region, offset. {most=} bounds it; 1000 if nothing is said.",
       w.start + "assert(type(t:readers(0, 0, {most=10})) == 'table')"},
      {"slice", Kind::Method, method<T, place_slice>,
       w.signature("slice", w.cell.substr(0, w.cell.size() - 1) + ", options?: table) -> slice"),
       "The sources of the element, their sources, and so on, down to what the program was given. {depth=, nodes=} "
       "bound it.",
       w.start + "local tree = t:slice(0, 0)\nassert(tree.complete and #tree:leaves() >= 1)"},
      {"name", Kind::Field, place_name<T>, w.field("name", "string"), "The name in the program.",
       w.start + "assert(#t.name > 0)"},
      {"dtype", Kind::Field, place_dtype<T>, w.field("dtype", "string"), "The type of the elements.",
       w.start + "assert(t.dtype == 'f32')"},
      {"rows", Kind::Field, field<T, &Place::rows>, w.field("rows", "integer"), "Rows, valid or not.",
       w.start + "assert(t.rows >= 1)"},
      {"cols", Kind::Field, field<T, &Place::cols>, w.field("cols", "integer"), "Columns, valid or not.",
       w.start + "assert(t.cols >= 1)"},
      {"region", Kind::Field, place_region<T>, w.field("region", "string"), "The memory it stands in: ub, l1, gm, ...",
       w.start + "assert(t.region == 'ub' or t.region == 'gm')"},
      {"offset", Kind::Field, field<T, &Place::address>, w.field("offset", "integer"),
       "The byte it begins at in its memory.", w.start + "assert(t.offset >= 0)"},
      {"size", Kind::Field, place_size<T>, w.field("size", "integer"), "Bytes from the first to the last.",
       w.start + "assert(t.size >= 4 * t.rows)"},
      {"bytes", Kind::Field, place_bytes<T>, w.field("bytes", "string"),
       "Its bytes, as stops and rec:find take them: ub[0x400,0x480).",
       w.start + "assert(t.bytes:find(t.region .. '[', 1, true) == 1)"},
      {"step", Kind::Field, field<T, &Place::position>, w.field("step", "integer"),
       "The position it shows: the state after so many steps.", w.start + "assert(t.step == rec.count)"},
  };
}

std::vector<Binding> joined_rows(std::vector<Binding> rows, std::vector<Binding> more) {
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

std::vector<Binding> tile_rows() {
  const Words words{"tile", "(row: integer, col: integer)",
                    R"(local rec = pto.load("complex_split", {target="a5"}):record()
local t = rec:tile("im", {step=rec.count})
)"};
  return joined_rows(
      element_rows<TileObject>(words),
      {
          {"space", Kind::Field, tile_space, words.field("space", "string"),
           "What kind of tile it is, which says the memory it stands in: vec, mat, left, right, acc, ...",
           words.start + "assert(t.space == 'vec')"},
          {"layout", Kind::Field, tile_layout, words.field("layout", "string"),
           "How rows and columns lie in the bytes: row_major, col_major, nz, zn, zz, nn.",
           words.start + "assert(t.layout == 'row_major')"},
          {"validRows", Kind::Field, field<TileObject, &Place::valid_rows>, words.field("validRows", "integer"),
           "Rows of the valid region, at its step.", words.start + "assert(t.validRows <= t.rows)"},
          {"validCols", Kind::Field, field<TileObject, &Place::valid_cols>, words.field("validCols", "integer"),
           "Columns of the valid region, at its step.", words.start + "assert(t.validCols <= t.cols)"},
      });
}

std::vector<Binding> buffer_rows() {
  const Words words{"buffer", "(row: integer, col?: integer)",
                    R"(local rec = pto.load("complex_split", {target="a5"}):record()
local t = rec:buffer("result", {step=rec.count})
)"};
  return joined_rows(
      element_rows<BufferObject>(words),
      {
          {"count", Kind::Field, buffer_count, words.field("count", "integer"), "How many elements it has.",
           words.start + "assert(t.count == t.rows * t.cols and t:get(t.cols) == t:get(1, 0))"},
      });
}

}  // namespace

void push_tile(lua_State* L, std::shared_ptr<OpenRecording> recording, std::uint32_t position, std::uint32_t id,
               const TileRef& tile) {
  make_object<TileObject>(L, tile_place(std::move(recording), position, id, tile));
}

void push_buffer(lua_State* L, std::shared_ptr<OpenRecording> recording, std::uint32_t position, std::uint32_t id) {
  make_object<BufferObject>(L, buffer_place(std::move(recording), position, id));
}

std::optional<NamedBytes> to_named_bytes(lua_State* L, int index) {
  if (const TileObject* tile = to_object<TileObject>(L, index))
    return NamedBytes{tile->name, tile->tile, tile->range()};
  if (const BufferObject* buffer = to_object<BufferObject>(L, index))
    return NamedBytes{buffer->name, {}, buffer->range()};
  return {};
}

const Place* to_place(lua_State* L, int index) {
  if (const TileObject* tile = to_object<TileObject>(L, index)) return tile;
  return to_object<BufferObject>(L, index);
}

const ObjectType& TileObject::type() {
  static const ObjectType made{
      .name = "tile",
      .owner = "tile",
      .help = "A tile as it was at a step. Keeping it costs nothing: it is read from the recording when it is asked.",
      .bindings = tile_rows(),
      .to_text = guarded<tile_text>};
  return made;
}

const ObjectType& BufferObject::type() {
  static const ObjectType made{.name = "buffer",
                               .owner = "buffer",
                               .help =
                                   "A buffer in global memory as it was at a step: rows and columns of its first view, "
                                   "or one index that counts through all elements.",
                               .bindings = buffer_rows(),
                               .to_text = guarded<buffer_text>};
  return made;
}

}  // namespace ts::scripting
