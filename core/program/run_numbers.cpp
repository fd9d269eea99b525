// Numbers and pointers.
#include <fmt/format.h>

#include <algorithm>

#include "core/program/run_code.h"
#include "core/program/scalar_ops.h"

namespace ts {

using text::ScalarKind;

namespace {

// Of whatever kind of value.
void select(WalkState& state, const CodeOp& op) {
  const Value condition = state.value_in(op, 0);
  const Value chosen = state.value_in(op, condition.bits != 0 ? 1 : 2);
  if (!condition.known()) {
    state.slots[state.out(op)] = {};
  } else if (chosen.kind == ValueKind::View) {
    state.set_view(state.out(op), state.views[chosen.bits]);
  } else {
    state.slots[state.out(op)] = chosen;
  }
}

// Without memories, or where the check does not know the tile.
bool no_memory(WalkState& state, const CodeOp& op) {
  state.set_out(op, {});
  return true;
}

}  // namespace

bool outside_buffer(WalkState& state, const CodeOp& op, const BufferDecl& buffer, std::int64_t offset,
                    std::uint32_t size) {
  const std::int64_t element = offset >= 0 ? offset / size : -((size - 1 - offset) / size);
  return state.fail_about(
      FindingKind::Bounds, op.pos, "V60-30",
      fmt::format("element {} of %{} (extent {})", element, buffer.name, buffer.size() / size),
      fmt::format("give the buffer more room with --size {}=BYTES, or mend the index", buffer.name));
}

bool compute(WalkState& state, const CodeOp& op) {
  const int number = static_cast<int>(op.data & 0xFFFF);
  if (op.ins == 3) {
    select(state, op);
    return true;
  }
  ScalarArguments arguments{
      static_cast<ScalarKind>(op.type), static_cast<ScalarKind>(op.to), {}, static_cast<int>(op.data >> 16)};
  for (std::size_t i = 0; i < op.ins; ++i) arguments.in[i] = state.value_in(op, i).bits;
  std::uint64_t results[2] = {};
  const bool known = state.all_known(op);
  if (known && !evaluate(number, arguments, results)) {
    const auto shown = [&](std::size_t i) { return sign_extended(arguments.type, arguments.in[i]); };
    if (op.ins == 2 && shown(1) == 0)
      return state.fail(op.pos, "V60-36", fmt::format("division by zero: {} / 0", shown(0)),
                        "see where the divisor comes from, or divide only where it is not 0");
    return state.fail(op.pos, "E-ARITH",
                      fmt::format("no result for {} and {}: a number too large for its type", shown(0), shown(1)));
  }
  for (std::size_t i = 0; i < op.outs; ++i) state.slots[state.out(op, i)] = known ? scalar_value(results[i]) : Value{};
  return true;
}

bool add_pointer(WalkState& state, const CodeOp& op) {
  Value pointer = state.value_in(op, 0);
  const Value count = state.value_in(op, 1);
  const auto kind = static_cast<ScalarKind>(op.type);
  const std::uint32_t bits = text::bits(kind);
  if (bits < 8 && count.known() && count.bits * bits % 8 != 0)
    return state.fail(op.pos, "E-VIEW",
                      fmt::format("{} elements of {} end in the middle of a byte", count.number(), text::name(kind)),
                      "go on by an even number of them");
  pointer.bits += bits < 8 ? static_cast<std::uint64_t>(count.number() * bits / 8) : count.bits * (bits / 8);
  state.set_out(op, pointer.known() && count.known() ? pointer : Value{});
  return true;
}

namespace {

// Addresses of global memory as numbers: each buffer has a range of its own, whatever its place and size, with as much room
// before its first byte as behind it.
constexpr int kRangeBits = 40;
std::int64_t first_of_range(std::uint32_t buffer) { return (std::int64_t{buffer} + 1) << kRangeBits; }

Value number_of_pointer(const WalkState& state, const Value& pointer) {
  const bool global = pointer.kind == ValueKind::Pointer && pointer.buffer < state.program.buffers.size();
  return scalar_value(pointer.bits + (global ? static_cast<std::uint64_t>(first_of_range(pointer.buffer)) : 0));
}

// A number in no buffer's range stays one: an access through it says so.
Value pointer_of_number(const WalkState& state, const Value& number) {
  const std::uint64_t buffer = ((number.bits + (std::uint64_t{1} << (kRangeBits - 1))) >> kRangeBits) - 1;
  if (buffer >= state.program.buffers.size()) return {number.bits, kNoSlot, ValueKind::Pointer};
  const auto known = static_cast<std::uint32_t>(buffer);
  return {number.bits - static_cast<std::uint64_t>(first_of_range(known)), known, ValueKind::Pointer};
}

Value cast(const WalkState& state, const Value& value, PointerMade made) {
  if (!value.known()) return value;
  if (made == PointerMade::Number) return number_of_pointer(state, value);
  if (value.kind != ValueKind::Scalar) return value;
  return made == PointerMade::Global ? pointer_of_number(state, value) : Value{value.bits, kNoSlot, ValueKind::Pointer};
}

}  // namespace

void cast_pointer(WalkState& state, const CodeOp& op) {
  state.set_out(op, cast(state, state.value_in(op, 0), static_cast<PointerMade>(op.data)));
}

void query(WalkState& state, const CodeOp& op) {
  const std::size_t cores = state.program.cores.size();
  const std::uint64_t values[] = {state.block, state.program.blocks, state.core_of_block > 1 ? 1u : 0u,
                                  cores > 2 ? cores - 1 : 1};
  const Value given = op.ins == 0 ? Value{} : state.value_in(op, 0);
  state.set_out(op, given.known() ? given : scalar_value(values[op.data]));
}

namespace {

// Through a pointer that a number of bytes into UB is.
bool load_from_ub(WalkState& state, const CodeOp& op, std::uint32_t size) {
  const Value pointer = state.value_in(op, 0), index = state.value_in(op, 1);
  if (state.memory == nullptr || !pointer.known() || !index.known()) return no_memory(state, op);
  const std::int64_t capacity = capacity_bytes(state.program.target, Space::Ub);
  std::int64_t at = 0;
  const bool wraps = __builtin_mul_overflow(index.number(), std::int64_t{size}, &at) ||
                     __builtin_add_overflow(at, pointer.number(), &at);
  if (wraps || at < 0 || at > capacity - size)
    return state.fail_about(
        FindingKind::Bounds, op.pos, "V60-30",
        wraps ? fmt::format("element {} is outside of ub ({})", index.number(), capacity)
              : fmt::format("element {} is at byte {}, outside of ub ({})", index.number(), at, capacity),
        "mend the index, or the address that the pointer is made from");
  const auto address = static_cast<std::uint32_t>(at);
  if (state.memory->worst_definedness(state.memory->map().flat(Space::Ub, address, state.core), size) !=
      Definedness::Written)
    state.warn(op, FindingKind::Defined, "MEM-UNDEFINED",
               fmt::format("loads byte {} of ub, which nobody wrote", address));
  state.set_out(op, scalar_value(state.memory->element(Space::Ub, address, size, state.core)));
  return true;
}

}  // namespace

namespace {

// Where another device's memory is. A launch on one device leaves zeros there: all of it is this one's.
bool load_device(WalkState& state, const CodeOp& op, std::uint32_t buffer) {
  state.cleared.push_back(buffer);
  state.set_out(op, scalar_value(0));
  return true;
}

// Without a pointer: as many bits of a special register as the type has, from byte `data` on.
bool load_special(WalkState& state, const CodeOp& op) {
  if (state.memory == nullptr) return state.set_out(op, {}), true;
  const std::uint32_t size = size_bytes(*text::dtype(static_cast<text::ScalarKind>(op.type)));
  state.set_out(op, scalar_value(state.memory->element(Space::Spr, op.data, size, state.core)));
  return true;
}

}  // namespace

bool load_scalar(WalkState& state, const CodeOp& op) {
  if (op.ins == 0) return load_special(state, op);
  const Value pointer = state.value_in(op, 0), index = state.value_in(op, 1);
  const auto kind = static_cast<ScalarKind>(op.type);
  if (const auto dtype = text::dtype(kind); dtype && is_packed(*dtype))
    return state.fail(op.pos, "E-EMULATE",
                      "not emulated: loading a number of 4 bits, which shares its byte with another");
  const std::uint32_t size = (text::bits(kind) + 7) / 8;
  const auto from = static_cast<PointedSpace>(op.to);
  if (from == PointedSpace::Ub && pointer.buffer >= state.program.buffers.size()) return load_from_ub(state, op, size);
  if (pointer.known() && pointer.buffer < state.program.buffers.size() && state.checking &&
      std::ranges::find(state.loaded, pointer.buffer) == state.loaded.end())
    state.loaded.push_back(pointer.buffer);
  if (op.data != 0 && state.checking && pointer.known()) return load_device(state, op, pointer.buffer);
  if (state.memory == nullptr || !pointer.known() || !index.known() || pointer.buffer >= state.program.buffers.size()) {
    if (!state.checking)
      return state.fail(
          op.pos, "E-EMULATE",
          from == PointedSpace::Global
              ? "not emulated: this pointer to global memory was made from a number, which names no buffer"
              : "loading a scalar from on-chip memory other than ub is not emulated yet");
    state.set_out(op, {});
    return true;
  }
  const BufferDecl& buffer = state.program.buffers[pointer.buffer];
  const std::int64_t offset = pointer.number() + index.number() * size;
  if (offset < 0 || offset + size > buffer.size()) return outside_buffer(state, op, buffer, offset, size);
  const auto address = static_cast<std::uint32_t>(buffer.address + offset);
  if (state.memory->worst_definedness(state.memory->map().flat(Space::Gm, address), size) != Definedness::Written)
    state.warn(op, FindingKind::Defined, "MEM-UNDEFINED",
               fmt::format("loads byte {} of %{}, which nobody wrote", offset, buffer.name));
  state.set_out(op, scalar_value(state.memory->element(Space::Gm, address, size)));
  return true;
}

// One element by its place in the tile's storage, valid or not.
bool get_element(WalkState& state, const CodeOp& op) {
  const Value tile = state.value_in(op, 0), place = state.value_in(op, 1);
  if (!tile.known() || !place.known()) return no_memory(state, op);
  const TileDecl& decl = state.program.tiles[tile.bits];
  const Environment::TileState& now = state.environment.tiles[tile.bits];
  const auto elements = static_cast<std::int64_t>(elements_in(decl.type.dtype, decl.type.size_bytes()));
  if (place.number() < 0 || place.number() >= elements)
    return state.fail_about(
        FindingKind::Bounds, op.pos, "V60-34",
        fmt::format("offset {} outside the {}x{} tile %{}", place.number(), decl.type.rows, decl.type.cols, decl.name),
        fmt::format("row * {} + column, at most {}", decl.type.cols, elements - 1));
  if (state.memory == nullptr || !now.known) return no_memory(state, op);
  const ByteRange all{decl.type.space(), now.address, static_cast<std::uint32_t>(decl.type.size_bytes()),
                      BytePart::Whole, state.core};
  if (std::uint64_t{all.address} + all.size > capacity_bytes(state.program.target, all.space))
    return state.fail_about(
        FindingKind::Bounds, op.pos, "V60-13",
        fmt::format("tile [{}, {}) passes the end of {} ({})", all.address, std::uint64_t{all.address} + all.size,
                    name(all.space), capacity_bytes(state.program.target, all.space)));
  ByteRange at = element_place(all.space, now.address, decl.type.dtype, place.bits);
  at.core = state.core;
  if (state.memory->worst_definedness(state.memory->map().flat(at), at.size) != Definedness::Written)
    state.warn(op, FindingKind::Defined, "MEM-UNDEFINED",
               fmt::format("reads element {} of %{}, which nobody wrote", place.number(), decl.name));
  state.set_out(op, scalar_value(state.memory->element(at)));
  return true;
}

}  // namespace ts
