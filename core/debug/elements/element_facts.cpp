// Facts of an element's bits and place.
#include "core/debug/elements/element_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

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

// What the number of an element is multiplied by.
std::string size_factor(DType type) { return is_packed(type) ? "/2" : fmt::format("*{}", size_bytes(type)); }

}  // namespace

std::string_view half_text(BytePart part) {
  return part == BytePart::Whole ? "" : part == BytePart::Low ? ", low half" : ", high half";
}

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

bool has_few_codes(const ElementFormat& format) {
  return format.size_bits < 8 || (format.size_bits == 8 && format.is_float());
}

std::vector<std::uint64_t> codes_in_order(const ElementFormat& format) {
  std::vector<std::uint64_t> codes(format.mask() + 1);
  std::iota(codes.begin(), codes.end(), 0);
  const auto place = [&](std::uint64_t bits) {
    const double value = number(format, bits);
    return std::tuple(std::isnan(value), std::isnan(value) ? 0.0 : value, !std::signbit(value));
  };
  std::ranges::stable_sort(codes, {}, place);
  return codes;
}

std::vector<std::uint64_t> codes_around(const ElementFormat& format, std::uint64_t bits, std::size_t most) {
  const std::vector<std::uint64_t> all = codes_in_order(format);
  if (all.size() <= most) return all;
  const auto at = static_cast<std::size_t>(std::ranges::find(all, bits & format.mask()) - all.begin());
  const std::size_t first = std::min(at - std::min(at, most / 2), all.size() - most);
  return {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(first + most)};
}

std::vector<ReadAs> read_as_others(const ElementFormat& format, std::uint64_t bits) {
  std::vector<ReadAs> all;
  for (const ElementFormat& other : element_formats())
    if (&other != &format && other.size_bits == format.size_bits && std::string_view(other.name) != "bool")
      all.push_back({&other, cell_text(other, bits, Definedness::Written, NumberStyle::Decimal)});
  return all;
}

std::string address_formula(std::uint32_t base, std::uint32_t cols, DType type, std::uint32_t row, std::uint32_t col) {
  const ByteRange place = element_place(Space::Gm, base, type, std::uint64_t{row} * cols + col);
  return fmt::format("0x{:x} + ({}*{} + {}){} = 0x{:x}{}", base, row, cols, col, size_factor(type), place.address,
                     half_text(place.part));
}

std::string address_formula(const TileRef& tile, std::uint32_t row, std::uint32_t col) {
  const TileType& type = tile.type;
  if (type.row_major()) return address_formula(tile.address, type.line_pitch(), type.dtype, row, col);
  if (type.col_major()) return address_formula(tile.address, type.line_pitch(), type.dtype, col, row);
  const Box box = box_of(type);
  const std::uint64_t size = std::uint64_t{box.rows} * box.cols, index = element_index(type, row, col);
  return fmt::format(
      "{}, box {} of {}x{}, row {} and column {} in it",
      address_formula(tile.address, static_cast<std::uint32_t>(size), type.dtype,
                      static_cast<std::uint32_t>(index / size), static_cast<std::uint32_t>(index % size)),
      index / size, box.rows, box.cols, row % box.rows, col % box.cols);
}

}  // namespace ts
