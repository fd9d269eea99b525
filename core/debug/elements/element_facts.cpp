// Facts of an element's bits and place.
#include "core/debug/elements/element_facts.h"

#include <fmt/format.h>

#include "core/debug/elements/cell_text.h"

namespace ts {
namespace {

// Bits as a place on the line of values: the smallest element is the least.
std::optional<std::uint64_t> next(const ElementFormat& format, std::uint64_t bits, bool up) {
  const FloatFormat& fields = format.fields;
  const std::uint64_t rank = magnitude_rank(fields, bits), sign = bits & fields.sign_mask();
  const auto at = [&](std::uint64_t place) { return magnitude_of_rank(fields, place); };
  if (rank == 0) {
    if (up) return at(1);
    return fields.sign ? std::optional(fields.sign_mask() | at(1)) : std::nullopt;
  }
  const bool away = (sign != 0) != up;
  // HiFloat8 has one zero.
  if (!away) return fields.tapered() && rank == 1 ? 0 : sign | at(rank - 1);
  if (rank == fields.magnitude_mask()) return {};
  const std::uint64_t further = sign | at(rank + 1);
  return classify(format, further) == ElementClass::Nan ? std::nullopt : std::optional(further);
}

}  // namespace

Neighbours neighbours(const ElementFormat& format, std::uint64_t bits) {
  bits &= format.mask();
  if (format.is_float()) {
    if (classify(format, bits) == ElementClass::Nan) return {};
    return {next(format, bits, false), next(format, bits, true)};
  }
  const std::uint64_t sign = format.kind == NumberKind::Signed ? (format.mask() >> 1) + 1 : 0;
  const std::uint64_t least = sign, most = format.kind == NumberKind::Signed ? sign - 1 : format.mask();
  Neighbours found;
  if (bits != least) found.below = (bits - 1) & format.mask();
  if (bits != most) found.above = (bits + 1) & format.mask();
  return found;
}

std::vector<ReadAs> read_as_others(const ElementFormat& format, std::uint64_t bits) {
  std::vector<ReadAs> all;
  for (const ElementFormat& other : element_formats())
    if (&other != &format && other.size_bits == format.size_bits && std::string_view(other.name) != "bool")
      all.push_back({&other, cell_text(other, bits, Definedness::Written, NumberStyle::Decimal)});
  return all;
}

std::string address_formula(std::uint32_t base, std::uint32_t cols, std::uint32_t size, std::uint32_t row,
                            std::uint32_t col) {
  const std::uint64_t address = base + (std::uint64_t{row} * cols + col) * size;
  return fmt::format("0x{:x} + ({}*{} + {})*{} = 0x{:x}", base, row, cols, col, size, address);
}

std::string address_formula(const TileRef& tile, std::uint32_t row, std::uint32_t col) {
  const TileType& type = tile.type;
  if (type.row_major()) return address_formula(tile.address, type.line_pitch(), tile.elem_bytes(), row, col);
  if (type.col_major()) return address_formula(tile.address, type.line_pitch(), tile.elem_bytes(), col, row);
  const Box box = box_of(type);
  const std::uint64_t size = std::uint64_t{box.rows} * box.cols, index = element_index(type, row, col);
  return fmt::format("0x{:x} + ({}*{} + {})*{} = 0x{:x}, box {} of {}x{}, row {} and column {} in it", tile.address,
                     index / size, size, index % size, tile.elem_bytes(), tile.at(row, col), index / size, box.rows,
                     box.cols, row % box.rows, col % box.cols);
}

}  // namespace ts
