// The mask object.
#include "scripting/objects/values/mask.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "scripting/binding/object.h"
#include "scripting/objects/values/elements.h"
#include "scripting/run/open_recording.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {
namespace {

using Kind = Binding::Kind;

bool reads_as_mask(const Bound& bound, std::uint32_t id) {
  return std::ranges::any_of(
      bound.operands, [&](const Operand& operand) { return operand.spec->role == Role::Mask && operand.id == id; });
}

// The result whose elements the bits decide.
const TileRef* decided_tile(const Bound& bound) {
  for (const Operand& operand : bound.operands)
    if (operand.spec->kind == OperandKind::Tile && operand.spec->role == Role::Out) return &operand.tile;
  return nullptr;
}

// The byte with a lane's bit, and what it is worth. Lanes beyond the memory have none.
struct MaskByte {
  std::uint8_t value = 0;
  Definedness worth = Definedness::Never;
};
MaskByte mask_byte(lua_State* L, const MaskObject& mask, std::uint32_t row, std::uint32_t col) {
  Session& session = session_of(L, *mask.place.recording);
  const ByteRange range = mask.place.tile.range().with(mask.place.tile.mask_byte_at(row, col), 1);
  if (range.address >= session.recording().map().size(range.space)) return {};
  MaskByte byte;
  byte.worth = session.peek(mask.place.position, range, std::as_writable_bytes(std::span(&byte.value, 1)));
  return byte;
}

void make_mask(lua_State* L, Place place, const Recording& recording, std::optional<std::uint32_t> step) {
  MaskObject& mask = make_object<MaskObject>(L, std::move(place), step);
  const TileRef* lanes = step ? decided_tile(recording.bound(*step)) : nullptr;
  mask.rows = lanes != nullptr ? lanes->valid_rows : mask.place.rows;
  mask.cols = lanes != nullptr ? lanes->valid_cols : mask.place.tile.pitch_bytes() * 8;
}

int mask_bit(lua_State* L) {
  const MaskObject& mask = check_self<MaskObject>(L);
  const std::uint32_t row = check_index(L, 2, mask.rows, "row"), col = check_index(L, 3, mask.cols, "col");
  lua_pushinteger(L, mask_bit_of(L, mask, row, col));
  return 1;
}

int mask_is_defined(lua_State* L) {
  const MaskObject& mask = check_self<MaskObject>(L);
  const std::uint32_t row = check_index(L, 2, mask.rows, "row"), col = check_index(L, 3, mask.cols, "col");
  lua_pushboolean(L, mask_byte(L, mask, row, col).worth == Definedness::Written ? 1 : 0);
  return 1;
}

int mask_count(lua_State* L) {
  const MaskObject& mask = check_self<MaskObject>(L);
  Sandbox::charge(L, std::uint64_t{mask.rows} * mask.cols / 8);
  std::int64_t count = 0;
  for (std::uint32_t row = 0; row < mask.rows; ++row) {
    for (std::uint32_t col = 0; col < mask.cols; col += 8) {
      const std::uint32_t lanes = std::min(8u, mask.cols - col);
      count += std::popcount(static_cast<std::uint8_t>(mask_byte(L, mask, row, col).value & ((1u << lanes) - 1)));
    }
  }
  lua_pushinteger(L, count);
  return 1;
}

int mask_word(lua_State* L) {
  constexpr std::uint32_t kWord = 4;
  const MaskObject& mask = check_self<MaskObject>(L);
  const ByteRange range = mask.place.range();
  const std::uint32_t index = check_index(L, 2, (range.size + kWord - 1) / kWord, "index");
  std::uint32_t word = 0;
  const std::uint32_t size = std::min(kWord, range.size - index * kWord);
  session_of(L, *mask.place.recording)
      .peek(mask.place.position, range.with(range.address + index * kWord, size),
            std::as_writable_bytes(std::span(&word, 1)).first(size));
  lua_pushinteger(L, word);
  return 1;
}

int mask_rule(lua_State* L) {
  const MaskObject& mask = check_self<MaskObject>(L);
  const Recording& recording = session_of(L, *mask.place.recording).recording();
  if (!mask.step)
    raise(L, fmt::format("mask:rule: no step of this recording reads {} as a mask, so nothing says how its bits lie",
                         mask.place.name));
  const Bound& bound = recording.bound(*mask.step);
  if (bound.row->mask_rule == nullptr)
    raise(L, fmt::format("mask:rule: {} does not say how it reads its mask", bound.row->name));
  const std::string text = bound.row->mask_rule(bound);
  return push_text_result(L, text);
}

// A mask bit that was read: the lane it governs, and where it stands.
using ReadBit = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;  // row, col, address, bit

std::set<ReadBit> undefined_bits(Session& session, std::uint32_t step, Sandbox::CallWatch& watch) {
  std::set<ReadBit> bits;
  const Bound& bound = session.recording().bound(step);
  const Flow flow = session.flow_of(step);
  for (std::size_t i = 0; i < bound.operands.size(); ++i) {
    const Operand& result = bound.operands[i];
    if (result.spec->kind != OperandKind::Tile || result.spec->role != Role::Out) continue;
    for (std::uint32_t row = 0; row < result.tile.valid_rows && watch.go_on(); ++row)
      for (std::uint32_t col = 0; col < result.tile.valid_cols; ++col)
        for (const Source& source : flow.sources(static_cast<int>(i), row, col))
          if (source.kind == Source::Kind::MaskBit && source.definedness != Definedness::Written)
            bits.insert({source.row, source.col, source.place.address, source.bit});
  }
  return bits;
}

int mask_undefined_bits_read(lua_State* L) {
  const MaskObject& mask = check_self<MaskObject>(L);
  Session& session = session_of(L, *mask.place.recording);
  if (!mask.step)
    raise(L, fmt::format("mask:undefinedBitsRead: no step of this recording reads {} as a mask", mask.place.name));
  if (machines_for(session.recording().bound(*mask.step)).run == nullptr)
    raise(L, "mask:undefinedBitsRead: the step has no data flow");
  Sandbox::CallWatch watch(L);
  const std::set<ReadBit> bits = undefined_bits(session, *mask.step, watch);
  if (watch.is_late()) watch.raise("looking for undefined mask bits");
  weigh(L, *mask.place.recording);
  lua_createtable(L, static_cast<int>(bits.size()), 0);
  lua_Integer count = 0;
  for (const auto& [row, col, address, bit] : bits) {
    lua_createtable(L, 0, 4);
    set_integer(L, "row", row);
    set_integer(L, "col", col);
    set_integer(L, "offset", address);
    set_integer(L, "bit", bit);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

int mask_name(lua_State* L) { return push_text_result(L, check_self<MaskObject>(L).place.name); }
int mask_bytes(lua_State* L) { return push_text_result(L, place_text(check_self<MaskObject>(L).place.range())); }
int mask_step(lua_State* L) {
  const MaskObject& mask = check_self<MaskObject>(L);
  if (mask.step) lua_pushinteger(L, *mask.step);
  else lua_pushnil(L);
  return 1;
}

template <std::uint32_t MaskObject::*kField>
int mask_lanes(lua_State* L) {
  lua_pushinteger(L, check_self<MaskObject>(L).*kField);
  return 1;
}

int mask_text(lua_State* L) {
  const MaskObject& mask = check_self<MaskObject>(L);
  const std::string reader = mask.step ? fmt::format("read by step {}", *mask.step) : "read by no step";
  return push_text_result(L, fmt::format("mask {}: {}x{} lanes, {}, {}", mask.place.name, mask.rows, mask.cols,
                                         place_text(mask.place.range()), reader));
}

const std::string kMaskStart = R"(local rec = pto.load("masked_sum", {target="a5"}):record()
local m = rec:mask("mask", {step=rec.count})
)";

const ListedType kMaskType{100, MaskObject::type};

}  // namespace

int mask_bit_of(lua_State* L, const MaskObject& mask, std::uint32_t row, std::uint32_t col) {
  return mask_byte(L, mask, row, col).value >> (col % 8) & 1;
}

std::optional<std::uint32_t> mask_reader(const Recording& recording, std::uint32_t id, std::uint32_t position) {
  for (std::uint32_t step = position; step < recording.count(); ++step)
    if (reads_as_mask(recording.bound(step), id)) return step;
  for (std::uint32_t step = std::min(position, recording.count()); step > 0; --step)
    if (reads_as_mask(recording.bound(step - 1), id)) return step - 1;
  return {};
}

void push_mask(lua_State* L, std::shared_ptr<OpenRecording> recording, std::uint32_t position, std::uint32_t id) {
  Session& session = session_of(L, *recording);
  const auto step = mask_reader(session.recording(), id, position);
  Place place = tile_place(std::move(recording), position, id, session.tile_at(id, position));
  make_mask(L, std::move(place), session.recording(), step);
}

void push_mask_of_step(lua_State* L, std::shared_ptr<OpenRecording> recording, std::uint32_t step,
                       const Operand& operand) {
  Session& session = session_of(L, *recording);
  make_mask(L, tile_place(std::move(recording), step, operand.id, operand.tile), session.recording(), step);
}

const ObjectType& MaskObject::type() {
  static const ObjectType made{
      .name = "mask",
      .owner = "mask",
      .help =
          "A tile of packed bits as it was at a step, by lanes: the bit at row, col decides that element of the select "
          "that reads it.",
      .bindings =
          {
              {"bit", Kind::Method, mask_bit, "mask:bit(row: integer, col: integer) -> integer",
               "The bit of a lane: 0 or 1.", kMaskStart + "assert(m:bit(0, 0) == (m:word(0) & 1))"},
              {"isDefined", Kind::Method, mask_is_defined, "mask:isDefined(row: integer, col: integer) -> boolean",
               "Whether the byte with this lane's bit was written.", kMaskStart + "assert(m:isDefined(0, 0))"},
              {"count", Kind::Method, mask_count, "mask:count() -> integer", "How many lanes have their bit set.",
               kMaskStart + "assert(m:count() <= m.rows * m.cols)"},
              {"word", Kind::Method, mask_word, "mask:word(index: integer) -> integer",
               "32 bits of the tile's bytes, counted from 0.", kMaskStart + "assert(m:word(0) < 2^32)"},
              {"rule", Kind::Method, mask_rule, "mask:rule() -> string",
               "How the step that reads the mask finds a lane's bit, on its target.",
               kMaskStart + "assert(m:rule():find('8 bits/byte', 1, true))"},
              {"undefinedBitsRead", Kind::Method, mask_undefined_bits_read, "mask:undefinedBitsRead() -> table[]",
               "The bits that decided an element though their byte was never written: a list of row, col, offset and "
               "bit.",
               kMaskStart + "assert(#m:undefinedBitsRead() == 0)"},
              {"name", Kind::Field, mask_name, "mask.name -> string", "The name of the tile.",
               kMaskStart + "assert(m.name == 'mask')"},
              {"bytes", Kind::Field, mask_bytes, "mask.bytes -> string", "Its bytes, as stops take them.",
               kMaskStart + "assert(m.bytes:find('ub[', 1, true) == 1)"},
              {"step", Kind::Field, mask_step, "mask.step -> integer | nil",
               "The step that reads it; nil when none does.", kMaskStart + "assert(rec:at(m.step).op == 'tsels')"},
              {"rows", Kind::Field, mask_lanes<&MaskObject::rows>, "mask.rows -> integer", "Rows of lanes.",
               kMaskStart + "assert(m.rows == 2)"},
              {"cols", Kind::Field, mask_lanes<&MaskObject::cols>, "mask.cols -> integer", "Columns of lanes.",
               kMaskStart + "assert(m.cols == 8)"},
          },
      .to_text = guarded<mask_text>};
  return made;
}

}  // namespace ts::scripting
