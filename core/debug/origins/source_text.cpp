// Sources and addresses as people read them.
#include "core/debug/origins/source_text.h"

#include <fmt/format.h>

#include "core/debug/elements/element_facts.h"
#include "core/isa/element.h"
#include "core/record/operand_place.h"

namespace ts {

std::string address_text(const TileRef& tile, std::uint32_t row, std::uint32_t col) {
  const auto numbered = [&](std::uint32_t line, std::uint32_t length, std::uint32_t in_line) {
    return address_formula(tile.address, length, tile.type.dtype, line, in_line);
  };
  if (tile.type.boxed()) {
    const Box box = box_of(tile.type);
    const std::uint32_t size = box.rows * box.cols;
    const std::uint64_t index = element_index(tile.type, row, col);
    return numbered(static_cast<std::uint32_t>(index / size), size, static_cast<std::uint32_t>(index % size));
  }
  const bool rows = tile.type.row_major();
  return numbered(rows ? row : col, tile.type.line_pitch(), rows ? col : row);
}

std::string place_text(const ByteRange& place) {
  return fmt::format("{}[0x{:x},0x{:x}){}", name(place.space), place.address, std::uint64_t{place.address} + place.size,
                     half_text(place.part));
}

std::string operand_text(const Program& program, const Operand& operand) {
  const std::string who = program.operand_name(operand);
  switch (operand.spec->kind) {
    case OperandKind::Scalar: {
      const ElementFormat& format = element_format(operand.scalar.dtype);
      return fmt::format("{} {} ({})", short_text(format, operand.scalar.bits), format.name,
                         hex_text(format, operand.scalar.bits));
    }
    case OperandKind::Global:
      return fmt::format("{} {}x{} {} {}, {}", who, operand.global.rows(), operand.global.cols(),
                         name(operand.global.dtype), name(operand.global.layout), place_text(bytes_of(operand)));
    case OperandKind::Tile: break;
  }
  const TileRef& tile = operand.tile;
  return fmt::format("{} {}x{} {} {}, valid {}x{}, {}", who, tile.rows(), tile.cols(), name(tile.type.dtype),
                     tile.type.layout_name(), tile.valid_rows, tile.valid_cols, place_text(tile.range()));
}

std::string source_text(const Recording& recording, const Bound& bound, const Source& source) {
  const std::string why = source.decided ? "chosen by " : "from ";
  const char* worth = source.definedness == Definedness::Never         ? "  (never written!)"
                      : source.definedness == Definedness::Unspecified ? "  (unspecified)"
                                                                       : "";
  if (source.kind == Source::Kind::Unspecified) return "unspecified: " + source.why;
  if (source.kind == Source::Kind::Bytes || source.operand < 0)
    return fmt::format("{}{} 0x{:x}, a byte of no operand{}", why, name(source.place.space), source.place.address,
                       worth);
  const Operand& operand = bound.operands[static_cast<std::size_t>(source.operand)];
  const std::string who = recording.program().operand_name(operand);
  switch (source.kind) {
    case Source::Kind::Scalar: return fmt::format("{}the scalar {} (0x{:x})", why, who, source.bits);
    case Source::Kind::MaskBit:
      return fmt::format("{}bit {} of byte 0x{:x} of {} = {}, which governs row {} column {}{}", why, source.bit,
                         source.place.address, who, source.bits, source.row, source.col, worth);
    default: break;
  }
  if (operand.spec->kind == OperandKind::Global)
    return fmt::format("{}{}[{}] = {}{}", why, who, source.col, format_value(operand.global.dtype, source.bits), worth);
  return fmt::format("{}{}[{},{}] = {}  at {}{}", why, who, source.row, source.col,
                     format_value(operand.tile.type.dtype, source.bits),
                     address_text(operand.tile, source.row, source.col), worth);
}

}  // namespace ts
