// Binding of instructions, and programs as text.
#include "core/program/program.h"

#include <fmt/format.h>

namespace ts {

Environment Program::initial_environment() const {
  Environment environment;
  for (const TileDecl& tile : tiles) environment.tiles.push_back({tile.address, tile.valid_rows, tile.valid_cols});
  return environment;
}

Bound Program::bind(std::size_t index, const Environment& environment) const {
  const Instruction& instruction = instructions[index];
  Bound bound{.row = instruction.row,
              .form = instruction.form,
              .target = target,
              .options = &options,
              .pos = instruction.pos,
              .operands = {},
              .attributes = instruction.attributes};
  // A recording keeps as many of these as the program has instructions.
  bound.operands.reserve(instruction.operands.size());
  for (const OperandUse& use : instruction.operands) {
    Operand operand;
    operand.spec = use.spec;
    operand.id = use.id;
    operand.scalar = use.scalar;
    operand.global = use.view;
    if (use.spec->kind == OperandKind::Tile) {
      const Environment::Place& place = environment.tiles[use.id];
      operand.tile = {tiles[use.id].type, place.address, place.valid_rows, place.valid_cols};
      operand.implicit = tiles[use.id].implicit;
    }
    bound.operands.push_back(operand);
  }
  // Rules and steps look at the tile where this instruction puts it.
  if (instruction.row->effect == Effect::BindsAddress)
    for (Operand& operand : bound.operands)
      if (operand.spec->role == Role::Out) operand.tile.address = static_cast<std::uint32_t>(bound.scalar("address").bits);
  return bound;
}

void Program::apply_effect(const Bound& bound, Environment& environment) const {
  if (bound.row->effect != Effect::BindsAddress) return;
  for (const Operand& operand : bound.operands)
    if (operand.spec->role == Role::Out) environment.tiles[operand.id].address = operand.tile.address;
  ++environment.version;
}

std::string Program::operand_name(const Operand& operand) const {
  switch (operand.spec->kind) {
    case OperandKind::Tile: return "%" + tiles[operand.id].name;
    case OperandKind::Global: return "%" + buffers[operand.id].name;
    case OperandKind::Scalar: break;
  }
  if (operand.spec->role == Role::Address) return fmt::format("0x{:x}", operand.scalar.bits);
  return format_value(operand.scalar.dtype, operand.scalar.bits);
}

std::string Program::text(std::size_t index) const {
  const Instruction& instruction = instructions[index];
  std::string ins, outs;
  for (const OperandUse& use : instruction.operands) {
    const Operand shown{.spec = use.spec, .tile = {}, .global = use.view, .scalar = use.scalar, .id = use.id, .implicit = false};
    if (use.spec->kind == OperandKind::Tile && tiles[use.id].implicit) continue;
    std::string& list = use.spec->role == Role::Out ? outs : ins;
    list += (list.empty() ? "" : ", ") + operand_name(shown);
  }
  std::string attributes;
  for (std::size_t i = 0; i < instruction.attributes.size(); ++i) {
    const AttributeSpec& spec = instruction.row->attributes[i];
    if (instruction.attributes[i] == 0) continue;
    attributes += fmt::format("{}{} = {}", attributes.empty() ? " {" : ", ", spec.name, value_name(spec.values, instruction.attributes[i]));
  }
  if (!attributes.empty()) attributes += "}";
  return fmt::format("pto.{} ins({}) outs({}){}", instruction.row->name, ins, outs, attributes);
}

}  // namespace ts
