// Operands of steps.
#include "core/program/bind.h"

#include <algorithm>

#include "core/catalogue/on_pointers.h"
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

// False: the operand is nothing that a step could work on.
bool bind_operand(const WalkState& state, const OperandUse& use, Operand& operand) {
  const Value value = state.slots[use.slot];
  if (!fits(use.spec->kind, value.kind)) return false;
  operand.spec = use.spec;
  switch (value.kind) {
    case ValueKind::Tile: {
      operand.id = static_cast<std::uint32_t>(value.bits);
      const Environment::TileState& tile = state.environment.tiles[operand.id];
      if (!tile.known) return false;
      operand.tile = {state.program.tiles[operand.id].type, tile.address, tile.valid_rows, tile.valid_cols,
                      core_of_tile(state.program, state.program.tiles[operand.id], state.core)};
      operand.implicit = state.program.tiles[operand.id].implicit;
      break;
    }
    case ValueKind::View:
      operand.id = state.views[value.bits].buffer;
      if (operand.id >= state.program.buffers.size()) return false;  // of a pointer that is only a number
      operand.global = placed(state.views[value.bits], state.program.buffers[operand.id]);
      break;
    default: operand.scalar = {use.dtype, value.bits}; break;
  }
  return true;
}

// A view that is rows as well as a column is what the tile is that it goes to or comes from.
void settle_layouts(const WalkState& state, const Instruction& instruction, Bound& bound) {
  const auto tile =
      std::ranges::find_if(bound.operands, [](const Operand& o) { return o.spec->kind == OperandKind::Tile; });
  if (tile == bound.operands.end() || !tile->tile.type.col_major()) return;
  for (const OperandUse& use : instruction.operands) {
    const Value& value = state.slots[use.slot];
    if (value.kind != ValueKind::View || !state.views[value.bits].either) continue;
    const auto view = std::ranges::find(bound.operands, use.spec, &Operand::spec);
    if (view != bound.operands.end()) view->global.layout = GlobalLayout::DN;
  }
}

// Rules and steps look at the tile where this instruction puts it.
std::uint32_t address_of_result(const Bound& bound) {
  if (bound.has("address"))
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(bound.scalar("address").bits, 0xFFFFFFFF));
  return bound.row->address_of != nullptr ? bound.row->address_of(bound) : bound.tile("src").address;
}
void move_result(Bound& bound) {
  for (Operand& operand : bound.operands)
    if (operand.spec->role == Role::Out) operand.tile.address = address_of_result(bound);
}

// --- guesses -------------------------------------------------------------------------------------------------------

constexpr int kNoGuess = -1;

// Different ones, as far as there are any.
std::uint32_t guessed_size(std::uint32_t whole, int guess) {
  const std::uint32_t sizes[kGuesses] = {whole, 1, std::max(whole / 2, 1u)};
  return sizes[guess];
}
TileRef guessed_tile(const TileDecl& decl, int guess) {
  const TileType& type = decl.type;
  const auto size = [&](std::int32_t fixed, std::uint32_t whole) {
    return fixed != kDynamic ? static_cast<std::uint32_t>(fixed) : guessed_size(whole, guess);
  };
  // Where it stands may be what nobody knows.
  return {type, static_cast<std::uint32_t>(guess) * 1024, size(type.valid_rows, type.rows),
          size(type.valid_cols, type.cols)};
}
GlobalRef guessed_view(DType dtype, int guess) {
  constexpr GlobalLayout kLayouts[kGuesses] = {GlobalLayout::ND, GlobalLayout::DN, GlobalLayout::NZ};
  const auto lines = static_cast<std::uint32_t>(1000 + guess);
  GlobalRef view{.dtype = dtype, .layout = kLayouts[guess], .buffer_end = ~0u};
  view.shape = {1, 1, 1, lines, lines};
  view.stride = {lines, lines, lines, guess == 1 ? 1 : lines, guess == 1 ? lines : 1};
  return view;
}

std::optional<Operand> guess_operand(const WalkState& state, const OperandUse& use, int guess) {
  const Value value = state.slots[use.slot];
  Operand operand;
  operand.spec = use.spec;
  switch (use.spec->kind) {
    case OperandKind::Tile:
      if (value.kind != ValueKind::Tile) return {};
      operand.id = static_cast<std::uint32_t>(value.bits);
      operand.tile = guessed_tile(state.program.tiles[operand.id], guess);
      operand.implicit = state.program.tiles[operand.id].implicit;
      break;
    case OperandKind::Global:
      if (value.known()) return {};
      operand.global = guessed_view(use.dtype, guess);
      break;
    case OperandKind::Scalar:
      if (value.known()) return {};
      operand.scalar = {use.dtype, guess == 0 ? 0u : guess == 1 ? 1u : 0x40404040u};
      break;
  }
  return operand;
}

std::optional<Bound> bind_all(const WalkState& state, std::size_t index, int guess) {
  const Instruction& instruction = state.program.instructions[index];
  Bound bound = bind_frame(state.program, index);
  bound.core = state.core;
  // A recording keeps as many of these as the program has different steps.
  bound.operands.reserve(instruction.operands.size());
  for (const OperandUse& use : instruction.operands) {
    Operand& operand = bound.operands.emplace_back();
    if (!bind_operand(state, use, operand)) {
      const std::optional<Operand> guessed = guess == kNoGuess ? std::nullopt : guess_operand(state, use, guess);
      if (!guessed) return {};
      operand = *guessed;
    }
    if (use.spec == &kEventOperand || use.spec == &kFlagOperand) {
      bound.attributes.back() = static_cast<std::uint8_t>(operand.scalar.bits & (use.spec == &kFlagOperand ? 31 : 7));
      bound.operands.pop_back();
    }
  }
  settle_pipe(bound);
  settle_pointed(bound);
  settle_layouts(state, instruction, bound);
  if (instruction.row->effect == Effect::BindsAddress) move_result(bound);
  return bound;
}

}  // namespace

CoreId core_of_tile(const Program& program, const TileDecl& tile, CoreId core) {
  if (tile.whose == CoreOfBlock::Own) return core;
  const std::size_t cores = program.cores.size(), first = core / cores * cores,
                    in_block = static_cast<std::size_t>(tile.whose) - 1;
  return static_cast<CoreId>(first + std::min(in_block, cores - 1));
}

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

void settle_pipe(Bound& bound) {
  if (bound.row->pipe_of != nullptr) bound.pipe = bound.row->pipe_of(bound);
}

void settle_bound(Bound& bound) {
  settle_pipe(bound);
  const auto tile =
      std::ranges::find_if(bound.operands, [](const Operand& o) { return o.spec->kind == OperandKind::Tile; });
  if (tile != bound.operands.end() && tile->tile.type.col_major())
    for (Operand& operand : bound.operands) {
      const GlobalRef& view = operand.global;
      const bool one_column = view.layout == GlobalLayout::ND && view.shape[4] == 1 && view.stride[3] == 1;
      if (operand.spec->kind == OperandKind::Global && one_column) operand.global.layout = GlobalLayout::DN;
    }
  if (bound.row->effect == Effect::BindsAddress) move_result(bound);
}

std::optional<Bound> bind(const WalkState& state, std::size_t index) { return bind_all(state, index, kNoGuess); }

namespace {

void add_words(const ViewValue& view, std::vector<std::uint64_t>& words) {
  const auto word = [](auto part) { return static_cast<std::uint64_t>(part); };
  words.push_back(word(view.buffer) << 32 | word(view.dtype) << 16 | word(view.layout) << 8 | word(view.either));
  words.push_back(word(view.offset));
  words.insert(words.end(), view.shape.begin(), view.shape.end());
  words.insert(words.end(), view.stride.begin(), view.stride.end());
}

}  // namespace

bool operand_words(const WalkState& state, std::size_t index, std::vector<std::uint64_t>& words) {
  for (const OperandUse& use : state.program.instructions[index].operands) {
    const Value& value = state.slots[use.slot];
    if (!fits(use.spec->kind, value.kind)) return false;
    switch (value.kind) {
      case ValueKind::Tile: {
        const Environment::TileState& tile = state.environment.tiles[value.bits];
        if (!tile.known) return false;
        words.push_back(value.bits << 32 | tile.address);
        words.push_back(std::uint64_t{tile.valid_rows} << 32 | tile.valid_cols);
        break;
      }
      case ValueKind::View: add_words(state.views[value.bits], words); break;
      default: words.push_back(value.bits); break;
    }
  }
  return true;
}

std::optional<Bound> bind_guessing(const WalkState& state, std::size_t index, int guess) {
  return bind_all(state, index, guess);
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
