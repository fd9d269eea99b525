// Loops around steps, as a kernel would write them.
#include "core/compile/dialects/chunks.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "core/program/scalar_ops.h"

namespace ts {

constexpr auto kIndex = static_cast<std::uint8_t>(text::ScalarKind::Index);

Chunks::Chunks(Compilation& c, text::OpId id, const text::Op& op, Slot shape, const TileType& through)
    : c_(c), id_(id), op_(op), shape_(shape) {
  const std::vector<std::int64_t>& sizes = c.tree.type(c.code.type_of(shape)).dims;
  const bool open = c.code.has_open_shape(shape);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t behind = sizes.size() - 1 - i;
    dims_.push_back({.fixed = open ? -1 : sizes[i],
                     .most = behind == 0   ? through.cols
                             : behind == 1 ? through.rows
                                           : 1});
  }
}

Slot Chunks::extent(std::size_t number) {
  if (dims_[number].fixed >= 0) return c_.code.constant(dims_[number].fixed);
  const Slot out = c_.code.new_variable(kNoType);
  c_.code.emit(CodeKind::ViewExtent, op_.range, {shape_, c_.code.constant(static_cast<std::int64_t>(number))}, {out});
  return out;
}

Slot Chunks::compute(const char* operation, Slot a, Slot b) {
  const Slot out = c_.code.new_variable(kNoType);
  CodeOp& code =
      c_.code.emit(CodeKind::Compute, op_.range, {a, b}, {out}, static_cast<std::uint32_t>(find_scalar_op(operation)));
  code.type = code.to = kIndex;
  return out;
}

void Chunks::open(std::size_t number) {
  Dimension& dim = dims_[number];
  const Slot all = extent(number), most = c_.code.constant(dim.most);
  dim.loops = dim.fixed < 0 || dim.fixed > dim.most;
  if (!dim.loops) {
    dim.offset = c_.code.constant(0);
    dim.size = all;
    return;
  }
  dim.offset = c_.code.new_variable(kNoType);
  dim.enter = c_.code.here();
  c_.code.emit(CodeKind::LoopEnter, op_.range, {c_.code.constant(0), all, most}, {dim.offset}).type = kIndex;
  const bool even = dim.fixed >= 0 && dim.fixed % dim.most == 0;
  dim.size = even || dim.most == 1 ? most : compute("arith.minsi", most, compute("arith.subi", all, dim.offset));
}

void Chunks::begin() {
  for (std::size_t i = 0; i < dims_.size(); ++i) open(i);
}

void Chunks::end() {
  for (std::size_t i = dims_.size(); i-- > 0;) {
    if (!dims_[i].loops) continue;
    // Sizes that are made anew in each turn stand behind the entry.
    c_.code.emit(CodeKind::LoopNext, op_.range, {}, {dims_[i].offset}, dims_[i].enter + 1).type = kIndex;
    c_.code.set_target(dims_[i].enter, c_.code.here());
  }
}

Slot Chunks::part_of_view(Slot view) { return part_of_piece(view, 0, 0); }

Slot Chunks::part_of_piece(Slot view, std::size_t along, std::int64_t before) {
  std::vector<Slot> ins{view};
  for (std::size_t i = 0; i < dims_.size(); ++i) {
    const Slot offset = dims_[i].offset;
    ins.push_back(i == along && before != 0 ? compute("arith.addi", offset, c_.code.constant(before)) : offset);
  }
  for (const Dimension& dim : dims_) ins.push_back(dim.size);
  const Slot out = c_.code.new_variable(c_.code.type_of(view));
  c_.code.emit(CodeKind::Partition, op_.range, ins, {out}).type = static_cast<std::uint8_t>(dims_.size());
  return out;
}

Slot Chunks::part_of_tile(Slot tile) {
  const Value known = c_.code.value(tile);
  const TileDecl& whole = c_.tiles[known.bits];
  const std::uint32_t part = c_.tiles.declare_alias(
      {.name = fmt::format("{}_chunk", whole.name), .type = part_of(whole.type, whole.type.rows, whole.type.cols)});
  const Slot zero = c_.code.constant(0), rows = dims_.size() > 1 ? dims_[dims_.size() - 2].size : c_.code.constant(1);
  c_.code.emit(CodeKind::Window, op_.range, {tile, zero, zero, rows, dims_.back().size}, {}, part);
  return c_.code.new_slot(c_.code.type_of(tile), tile_value(part));
}

void Chunks::step(const char* instruction, const std::vector<Slot>& operands, const char* attribute, int value) {
  const InstructionRow& row = *find_instruction(instruction);
  const std::vector<OperandSpec>& specs = row.forms.front().operands;
  Instruction step{.row = &row, .fixed = false, .pos = c_.messages.position(op_.name), .op = id_};
  step.attributes.resize(row.attributes.size(), 0);
  for (std::size_t i = 0; i < row.attributes.size(); ++i)
    if (row.attributes[i].name == std::string_view(attribute)) step.attributes[i] = static_cast<std::uint8_t>(value);
  for (std::size_t i = 0; i < operands.size(); ++i)
    step.operands.push_back({.spec = &specs[i], .slot = operands[i], .dtype = DType::U64});
  c_.code.emit_step(op_.range, std::move(step));
}

}  // namespace ts
