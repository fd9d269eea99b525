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

}  // namespace

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
  if (known && !evaluate(number, arguments, results))
    return state.fail(
        op.pos, "E-ARITH",
        fmt::format("no result for {} and {}: a division by zero, or a number too large for its type",
                    sign_extended(arguments.type, arguments.in[0]), sign_extended(arguments.type, arguments.in[1])));
  for (std::size_t i = 0; i < op.outs; ++i) state.slots[state.out(op, i)] = known ? scalar_value(results[i]) : Value{};
  return true;
}

void add_pointer(WalkState& state, const CodeOp& op) {
  Value pointer = state.value_in(op, 0);
  const Value count = state.value_in(op, 1);
  const std::uint32_t size = (text::bits(static_cast<ScalarKind>(op.type)) + 7) / 8;
  pointer.bits += count.bits * size;
  state.set_out(op, pointer.known() && count.known() ? pointer : Value{});
}

void cast_pointer(WalkState& state, const CodeOp& op) {
  Value value = state.value_in(op, 0);
  if (value.known() && op.data == 0) value = scalar_value(value.bits);
  if (value.kind == ValueKind::Scalar && op.data == 1) value = {value.bits, kNoSlot, ValueKind::Pointer};
  state.set_out(op, value);
}

void query(WalkState& state, const CodeOp& op) {
  const std::uint64_t values[] = {state.block, state.program.blocks, 0, 1};
  state.set_out(op, scalar_value(values[op.data]));
}

bool load_scalar(WalkState& state, const CodeOp& op) {
  const Value pointer = state.value_in(op, 0), index = state.value_in(op, 1);
  const auto kind = static_cast<ScalarKind>(op.type);
  const std::uint32_t size = (text::bits(kind) + 7) / 8;
  if (pointer.known() && pointer.buffer < state.program.buffers.size() && state.checking &&
      std::ranges::find(state.loaded, pointer.buffer) == state.loaded.end())
    state.loaded.push_back(pointer.buffer);
  if (state.memory == nullptr || !pointer.known() || !index.known() || pointer.buffer >= state.program.buffers.size()) {
    if (!state.checking)
      return state.fail(op.pos, "E-EMULATE", "loading a scalar from on-chip memory is not emulated yet");
    state.set_out(op, {});
    return true;
  }
  const BufferDecl& buffer = state.program.buffers[pointer.buffer];
  const std::int64_t offset = pointer.number() + index.number() * size;
  if (offset < 0 || offset + size > buffer.size())
    return state.fail_about(FindingKind::Bounds, op.pos, "MEM-BOUNDS",
                            fmt::format("byte {} of %{}, which has {}", offset, buffer.name, buffer.size()));
  const auto address = static_cast<std::uint32_t>(buffer.address + offset);
  if (state.memory->worst_definedness(state.memory->map().flat(Space::Gm, address), size) != Definedness::Written)
    state.warn(op, FindingKind::Defined, "MEM-UNDEFINED",
               fmt::format("loads byte {} of %{}, which nobody wrote", offset, buffer.name));
  state.set_out(op, scalar_value(state.memory->element(Space::Gm, address, size)));
  return true;
}

}  // namespace ts
