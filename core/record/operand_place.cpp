// From bytes to elements of operands.
#include "core/record/operand_place.h"

namespace ts {

ByteRange bytes_of(const Operand& operand) {
  if (operand.spec->kind == OperandKind::Tile) return operand.tile.range();
  if (operand.spec->kind == OperandKind::Scalar) return {};
  return {Space::Gm, operand.global.buffer_begin, operand.global.buffer_end - operand.global.buffer_begin};
}

DType element_type(const Operand& operand) {
  return operand.spec->kind == OperandKind::Global ? operand.global.dtype : operand.tile.type.dtype;
}

int operand_holding(const Bound& bound, const ByteRange& place, bool result) {
  for (std::size_t i = 0; i < bound.operands.size(); ++i) {
    if ((bound.operands[i].spec->role == Role::Out) != result) continue;
    const ByteRange all = bytes_of(bound.operands[i]);
    if (all.in_same_memory(place) && place.address >= all.address && place.address - all.address < all.size)
      return static_cast<int>(i);
  }
  return -1;
}

ByteRange place_of(const Operand& operand, std::uint32_t row, std::uint32_t col) {
  if (operand.spec->kind == OperandKind::Tile) return operand.tile.place_of(row, col);
  return element_place(Space::Gm, operand.global.buffer_begin, operand.global.dtype, col);
}

std::span<const BytePart> parts_of_byte(const Operand& operand) {
  static constexpr BytePart kWhole[] = {BytePart::Whole}, kHalves[] = {BytePart::Low, BytePart::High};
  const bool packed = operand.spec->kind != OperandKind::Scalar && is_packed(element_type(operand));
  return packed ? std::span<const BytePart>(kHalves) : std::span<const BytePart>(kWhole);
}

OperandElement element_of(const Operand& operand, std::uint32_t address, BytePart part) {
  const ByteRange all = bytes_of(operand);
  const DType type = element_type(operand);
  const std::uint32_t index = element_number(all.address, type, address, part);
  OperandElement element{.row = 0, .col = index, .place = element_place(all.space, all.address, type, index)};
  if (operand.spec->kind != OperandKind::Tile) return element;
  const auto [row, col] = element_at(operand.tile.type, index);
  element.row = row;
  element.col = col;
  element.place.core = all.core;
  return element;
}

}  // namespace ts
