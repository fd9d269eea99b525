// The tile object and the buffer object: the same questions, asked of on-chip and of global memory.
#include "scripting/objects/values/tile.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "scripting/objects/values/elements.h"

namespace ts::scripting {
namespace {

using Kind = Binding::Kind;

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

int tile_space(lua_State* L) { return push_text_result(L, name(check_self<TileObject>(L).tile.type.loc)); }
int tile_layout(lua_State* L) { return push_text_result(L, check_self<TileObject>(L).tile.type.layout_name()); }

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

template <class T>
std::vector<Binding> field_rows() {
  const PlaceWords w = T::words();
  return {
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

std::vector<Binding> tile_rows() {
  const PlaceWords words = TileObject::words();
  return {
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
  };
}

std::vector<Binding> buffer_rows() {
  const PlaceWords words = BufferObject::words();
  return {
      {"count", Kind::Field, buffer_count, words.field("count", "integer"), "How many elements it has.",
       words.start + "assert(t.count == t.rows * t.cols and t:get(t.cols) == t:get(1, 0))"},
  };
}

const ListedRows kTileFields{50, {TileObject::type, field_rows<TileObject>}};
const ListedRows kBufferFields{50, {BufferObject::type, field_rows<BufferObject>}};
const ListedRows kTileRows{60, {TileObject::type, tile_rows}};
const ListedRows kBufferRows{60, {BufferObject::type, buffer_rows}};
const ListedType kTileType{70, TileObject::type};
const ListedType kBufferType{80, BufferObject::type};

}  // namespace

PlaceWords TileObject::words() {
  return {"tile", "(row: integer, col: integer)",
          R"(local rec = pto.load("complex_split", {target="a5"}):record()
local t = rec:tile("im", {step=rec.count})
)"};
}

PlaceWords BufferObject::words() {
  return {"buffer", "(row: integer, col?: integer)",
          R"(local rec = pto.load("complex_split", {target="a5"}):record()
local t = rec:buffer("result", {step=rec.count})
)"};
}

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
      .bindings = listed_rows(type),
      .to_text = guarded<tile_text>};
  return made;
}

const ObjectType& BufferObject::type() {
  static const ObjectType made{.name = "buffer",
                               .owner = "buffer",
                               .help =
                                   "A buffer in global memory as it was at a step: rows and columns of its first view, "
                                   "or one index that counts through all elements.",
                               .bindings = listed_rows(type),
                               .to_text = guarded<buffer_text>};
  return made;
}

}  // namespace ts::scripting
