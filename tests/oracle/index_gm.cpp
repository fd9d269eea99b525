// MGATHER and MSCATTER on a table in global memory. With an index for each element: element number index of the table,
// counted as if it had no gaps (in boxes: the elements of its matrix, row by row). With an index for each row: row number
// index, which A5 takes to begin right behind the one before. Indices have 32 bits and no sign. One that is not below the
// number of elements (rows) is taken for the last one (clamp), modulo that number (wrap), gathers zero, or scatters nothing.
// Scattered elements come one after the other, row by row: each replaces what is there, or is joined with it.
#include <map>

#include "tests/oracle/number.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

class Table {
 public:
  Table(const Bound& bound, const Before& before)
      : bound_(bound),
        table_(bound.global("table")),
        data_(bound.has("dst") ? bound.tile("dst") : bound.tile("src")),
        indices_(*bound.find("indices")) {
    const auto [rows, cols] = index_shape();
    const std::string_view said = Work(bound, before).attribute("coalesce");
    const bool each_its_own = rows == data_.valid_rows && cols == data_.valid_cols;
    by_rows_ = said == "row" || (said == "auto" && !each_its_own);
  }

  Origin index_origin(std::uint32_t row, std::uint32_t col) const {
    const auto [rows, cols] = index_shape();
    const std::uint32_t r = by_rows_ ? (rows == 1 ? 0 : row) : row, c = by_rows_ ? (rows == 1 ? row : 0) : col;
    Origin origin{Origin::Kind::Decider, "indices", r, c, {}, 0};
    if (indices_.spec->kind == OperandKind::Tile) {
      origin.place = element_place(indices_.tile, r, c);
    } else {
      const GlobalRef& view = indices_.global;
      origin.place = {Space::Gm, view.address + 4 * (r * view.stride[3] + c * view.stride[4]), 4};
      origin.row = 0;
      origin.col = (origin.place.address - view.buffer_begin) / 4;
    }
    return origin;
  }
  // Where element (row, col) of the tile has its counterpart; nothing: an index is outside, and left out.
  bool find(std::uint32_t index, std::string_view outside, std::uint32_t col, Origin& place) const {
    const auto& [s0, s1, s2, s3, s4] = table_.shape;
    const bool boxes = table_.layout == GlobalLayout::NZ;
    const std::uint32_t width = boxes ? s0 * s1 * s4 : s4, height = boxes ? s2 * 16 : s0 * s1 * s2 * s3,
                        capacity = by_rows_ ? height : s0 * s1 * s2 * s3 * s4;
    if (index >= capacity) {
      if (outside == "zero" || outside == "skip") return false;
      if (outside == "clamp") index = capacity - 1;
    }
    if (outside == "wrap") index %= capacity;
    std::uint32_t element = index;
    if (boxes) {
      const std::uint32_t row = by_rows_ ? index : index / width, at = by_rows_ ? col : index % width, box = at / s4;
      element = box / s1 * table_.stride[0] + box % s1 * table_.stride[1] + row / 16 * table_.stride[2] +
                row % 16 * table_.stride[3] + at % s4 * table_.stride[4];
    } else if (by_rows_) {
      element = index * (bound_.target == Target::A5 ? data_.valid_cols : table_.stride[3]) + col;
    }
    const std::uint32_t size = size_bytes(table_.dtype), address = table_.address + element * size;
    place = {Origin::Kind::Element, "table", 0, (address - table_.buffer_begin) / size, {Space::Gm, address, size}, 0};
    return true;
  }

 private:
  std::pair<std::uint32_t, std::uint32_t> index_shape() const {
    if (indices_.spec->kind == OperandKind::Tile) return {indices_.tile.valid_rows, indices_.tile.valid_cols};
    return {indices_.global.shape[3], indices_.global.shape[4]};
  }

  const Bound& bound_;
  const GlobalRef& table_;
  const TileRef& data_;
  const Operand& indices_;
  bool by_rows_ = false;
};

Effects mgather(const Bound& bound, const Before& before) {
  const TileRef& dst = bound.tile("dst");
  const Table table(bound, before);
  Work work(bound, before);
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col) {
      const Value index = work.at(table.index_origin(row, col));
      Origin place;
      if (!table.find(static_cast<std::uint32_t>(index.bits), work.attribute("gatherOob"), col, place)) {
        work.put("dst", row, col, {});
        continue;
      }
      const Value found = work.at(place);
      work.put("dst", row, col, computed(found.bits, found, index));
    }
  return work.take();
}

Effects mscatter(const Bound& bound, const Before& before) {
  const TileRef& src = bound.tile("src");
  const Table table(bound, before);
  Work work(bound, before);
  const std::string_view join = work.attribute("scatterAtomicOp");
  struct Place {
    Origin at;
    Value value;
  };
  std::map<std::uint32_t, Place> written;
  for (std::uint32_t row = 0; row < src.valid_rows; ++row)
    for (std::uint32_t col = 0; col < src.valid_cols; ++col) {
      const Value index = work.at(table.index_origin(row, col)), element = work.element("src", row, col),
                  value = computed(element.bits, element, index);
      Origin at;
      if (!table.find(static_cast<std::uint32_t>(index.bits), work.attribute("scatterOob"), col, at)) continue;
      const auto [held, is_new] = written.try_emplace(at.place.address, Place{at, work.at(at)});
      Value& there = held->second.value;
      const DType type = src.type.dtype;
      if (join == "none") there = value;
      else if (join == "add") there = computed(add(type, there.bits, value.bits), there, value);
      else if (join == "max") there = computed(max(type, there.bits, value.bits), there, value);
      else there = computed(min(type, there.bits, value.bits), there, value);
    }
  for (const auto& [address, place] : written)
    work.put_at(place.at.place, "table", place.at.row, place.at.col, place.value);
  return work.take();
}

const Oracles index_gm_oracles{{"mgather", mgather}, {"mscatter", mscatter}};

}  // namespace
}  // namespace ts::oracle
