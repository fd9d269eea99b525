// Finding the oracle of an instruction, and what the oracles share: where elements stand.
#include "tests/oracle/effects.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>

namespace ts::oracle {
namespace {

// Made when the first file of oracles asks for it.
std::map<std::string_view, Effects (*)(const Bound&, const Before&)>& all_oracles() {
  static std::map<std::string_view, Effects (*)(const Bound&, const Before&)> oracles;
  return oracles;
}

struct Box {
  std::uint32_t rows, cols;
};

// The box of a tile by the table of the tile model: its bytes, and the direction that runs inside it.
Box element_box(const TileType& type) {
  if (type.slayout == InnerOrder::None) return {1, 1};
  const bool rows_inside = type.slayout == InnerOrder::RowMajor;
  const std::uint32_t along = type.fractal == 32 ? 2 : type.fractal == 1024 ? 16 : elements_a_block(type.dtype);
  return rows_inside ? Box{16, along} : Box{along, 16};
}

// How many elements stand before (row, col): whole strips of boxes, whole boxes of its strip, those inside its box. A
// strip is a row of boxes (row-major boxes) or a column of boxes as high as the tile, even where the last box is cut.
// Of a part of a tile the lines are as far apart as those of the whole.
std::uint32_t elements_before(const TileType& type, std::uint32_t row, std::uint32_t col) {
  if (type.rows == 1) return col;  // a row's elements stand side by side, also in boxes
  if (type.slayout == InnerOrder::None && type.pitch != 0)
    return type.blayout == BoxOrder::RowMajor ? row * type.pitch + col : col * type.pitch + row;
  const Box box = element_box(type);
  const std::uint32_t box_row = row / box.rows, box_col = col / box.cols, y = row % box.rows, x = col % box.cols;
  const std::uint32_t inside = type.slayout == InnerOrder::ColMajor ? x * box.rows + y : y * box.cols + x;
  const bool across = type.blayout == BoxOrder::RowMajor;
  const std::uint32_t strips = across ? box_row * box.rows * type.cols : box_col * box.cols * type.rows;
  return strips + (across ? box_col : box_row) * box.rows * box.cols + inside;
}

}  // namespace

namespace {
bool has_4_bits(DType type) {
  return type == DType::E2M1 || type == DType::E1M2 || type == DType::I4 || type == DType::U4;
}
}  // namespace

std::uint32_t elements_a_block(DType type) { return has_4_bits(type) ? 64 : 32 / size_bytes(type); }

ByteRange numbered_place(Space space, std::uint32_t begin, DType type, std::uint32_t index) {
  if (has_4_bits(type)) return {space, begin + index / 2, 1, index % 2 == 0 ? BytePart::Low : BytePart::High};
  return {space, begin + index * size_bytes(type), size_bytes(type)};
}

std::uint32_t whole_bytes(DType type, std::uint32_t elements) {
  return has_4_bits(type) ? (elements + 1) / 2 * 2 : elements;
}

ByteRange element_place(const TileRef& tile, std::uint32_t row, std::uint32_t col) {
  constexpr Space kSpaces[] = {Space::Ub, Space::L1, Space::L0a, Space::L0b, Space::L0c, Space::Bias, Space::Fixpipe};
  Space space = kSpaces[static_cast<int>(tile.type.loc)];
  const bool scales = space == Space::Fixpipe && tile.type.fractal == 32;
  if (scales && tile.type.slayout == InnerOrder::RowMajor) space = Space::L0aScales;
  if (scales && tile.type.slayout == InnerOrder::ColMajor) space = Space::L0bScales;
  return numbered_place(space, tile.address, tile.type.dtype, elements_before(tile.type, row, col));
}

Origin mask_bit_origin(const TileRef& mask, std::uint32_t pitch, std::uint32_t row, std::uint32_t col) {
  const std::uint32_t byte = row * pitch + col / 8;
  // The tile's own rows count for what is shown: a row that is too short goes on in the next one.
  const std::uint32_t own_pitch = mask.type.cols * size_bytes(mask.type.dtype);
  return {Origin::Kind::MaskBit,
          "mask",
          byte / own_pitch,
          byte % own_pitch * 8 + col % 8,
          {Space::Ub, mask.address + byte, 1},
          col % 8};
}

Element copied(const Before& before, const char* operand, const TileRef& tile, std::uint32_t row, std::uint32_t col,
               const Origin& from) {
  Element element{.place = element_place(tile, row, col),
                  .bits = before.read(from.place),
                  .operand = operand,
                  .row = row,
                  .col = col,
                  .from = {}};
  element.made_of(from);
  return element;
}

Oracles::Oracles(std::initializer_list<OracleRow> rows) {
  for (const OracleRow& row : rows) all_oracles()[row.name] = row.oracle;
}

bool has_oracle(std::string_view instruction) { return all_oracles().contains(instruction); }

std::vector<std::string_view> oracle_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, oracle] : all_oracles()) names.push_back(name);
  return names;
}

Effects effects_of(const Bound& bound, const Before& before) {
  const auto found = all_oracles().find(bound.row->name);
  if (found != all_oracles().end()) return found->second(bound, before);
  std::fprintf(stderr, "no oracle for %s\n", bound.row->name);
  std::abort();
}

}  // namespace ts::oracle
