// Operands of steps.
#include "core/program/bind.h"

#include <algorithm>

#include "core/program/sync.h"

namespace ts {
namespace {

GlobalRef placed(const ViewValue& view, const BufferDecl& buffer) {
  GlobalRef ref{.dtype = view.dtype,
                .layout = view.layout,
                .address = clamped(std::int64_t{buffer.address} + view.offset),
                .shape = {},
                .stride = {},
                .buffer_begin = buffer.address,
                .buffer_end = buffer.address + buffer.size()};
  std::ranges::transform(view.shape, ref.shape.begin(), clamped);
  std::ranges::transform(view.stride, ref.stride.begin(), clamped);
  return ref;
}

bool fits(OperandKind wanted, ValueKind kind) {
  switch (wanted) {
    case OperandKind::Tile: return kind == ValueKind::Tile;
    case OperandKind::Global: return kind == ValueKind::View;
    case OperandKind::Scalar: return kind == ValueKind::Scalar;
  }
  return false;
}

std::optional<Operand> bind_operand(const WalkState& state, const OperandUse& use) {
  const Value value = state.slots[use.slot];
  if (!fits(use.spec->kind, value.kind)) return {};
  Operand operand;
  operand.spec = use.spec;
  switch (value.kind) {
    case ValueKind::Tile: {
      operand.id = static_cast<std::uint32_t>(value.bits);
      const Environment::TileState& tile = state.environment.tiles[operand.id];
      if (!tile.known) return {};
      operand.tile = {state.program.tiles[operand.id].type, tile.address, tile.valid_rows, tile.valid_cols};
      operand.implicit = state.program.tiles[operand.id].implicit;
      break;
    }
    case ValueKind::View:
      operand.id = state.views[value.bits].buffer;
      if (operand.id >= state.program.buffers.size()) return {};  // of a pointer that is only a number
      operand.global = placed(state.views[value.bits], state.program.buffers[operand.id]);
      break;
    default: operand.scalar = {use.dtype, value.bits}; break;
  }
  return operand;
}

// Rules and steps look at the tile where this instruction puts it.
void move_result(Bound& bound) {
  for (Operand& operand : bound.operands)
    if (operand.spec->role == Role::Out)
      operand.tile.address =
          bound.has("address")
              ? static_cast<std::uint32_t>(std::min<std::uint64_t>(bound.scalar("address").bits, 0xFFFFFFFF))
              : bound.tile("src").address;
}

}  // namespace

Bound bind_frame(const Program& program, std::size_t index) {
  const Instruction& instruction = program.instructions[index];
  return {.row = instruction.row,
          .form = instruction.form,
          .target = program.target,
          .options = &program.options,
          .pipe = sync_pipe(*instruction.row, instruction.attributes),
          .pos = instruction.pos,
          .operands = {},
          .attributes = instruction.attributes};
}

std::optional<Bound> bind(const WalkState& state, std::size_t index) {
  const Instruction& instruction = state.program.instructions[index];
  Bound bound = bind_frame(state.program, index);
  // A recording keeps as many of these as the program has different steps.
  bound.operands.reserve(instruction.operands.size());
  for (const OperandUse& use : instruction.operands) {
    std::optional<Operand> operand = bind_operand(state, use);
    if (!operand) return {};
    if (use.spec == &kEventOperand) {
      bound.attributes.back() = static_cast<std::uint8_t>(operand->scalar.bits & 7);
      continue;
    }
    bound.operands.push_back(*operand);
  }
  if (instruction.row->effect == Effect::BindsAddress) move_result(bound);
  return bound;
}

void apply_effect(WalkState& state, const Bound& bound) {
  if (bound.row->effect != Effect::BindsAddress) return;
  for (const Operand& operand : bound.operands) {
    if (operand.spec->role != Role::Out) continue;
    Environment::TileState tile = state.environment.tiles[operand.id];
    tile.address = operand.tile.address;
    state.set_tile(operand.id, tile);
  }
}

}  // namespace ts
