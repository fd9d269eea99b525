// TPARTADD, TPARTMUL, TPARTMAX, TPARTMIN: over dst's valid region, dst[r][c] = src0[r][c] op src1[r][c] where both sources
// are valid, the element of the one that is, or, where none is, the lowest finite element (MAX), the highest one (MIN) or
// what stood there. On A2A3, of a narrower source and a full one, the narrower one is the left operand; and what is only
// copied comes in whole blocks or whole rows (option quirks.blocks).
// TPARTARGMAX, TPARTARGMIN: the larger or smaller element where both are valid, with its index; equal ones are src0's.
// With a NaN A2A3 takes src1, A5 src0. Option quirks.tpartarg leaves out what the A2A3 library does of f16 with 32-bit
// indices.
// TPAIRREDUCESUM: dst[r][k] = src[r][2k] + src[r][2k + 1]; the columns behind stay (option tpairreducesum.tail = zero: an
// odd last element joins +0, and the rest up to the valid columns is zero). Option quirks.tpairreducesum packs the rows
// where tiles are full by their type, on A5.
#include <algorithm>

#include "tests/oracle/number.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

bool covers(const TileRef& tile, std::uint32_t row, std::uint32_t col) {
  return row < tile.valid_rows && col < tile.valid_cols;
}
bool covers_all(const TileRef& tile, const TileRef& dst) {
  return tile.valid_rows == dst.valid_rows && tile.valid_cols == dst.valid_cols;
}

// What is copied on A2A3 ends with a block, or with the row where source and result are equally wide by their types.
void copy_behind_columns(const Bound& bound, Work& work) {
  const TileRef &src0 = bound.tile("src0"), &src1 = bound.tile("src1"), &dst = bound.tile("dst");
  const bool first_is_full = covers_all(src0, dst);
  if ((!first_is_full && !covers_all(src1, dst)) || (first_is_full && covers_all(src1, dst))) return;
  const TileRef &full = first_is_full ? src0 : src1, &part = first_is_full ? src1 : src0;
  const bool narrower = part.valid_cols < dst.valid_cols;
  const std::uint32_t end =
      full.type.cols == dst.type.cols ? dst.type.cols : rounded_up(dst.valid_cols, 32 / size_bytes(dst.type.dtype));
  for (std::uint32_t row = narrower ? 0 : part.valid_rows; row < dst.valid_rows; ++row)
    for (std::uint32_t col = dst.valid_cols; col < end; ++col)
      work.put("dst", row, col, work.element(first_is_full ? "src0" : "src1", row, col));
}

// What stands where no source is valid; none: what stood there.
enum class Nothing : std::uint8_t { Kept, Lowest, Largest };

template <Binary op, Nothing nothing>
Effects join_parts(const Bound& bound, const Before& before) {
  const TileRef &src0 = bound.tile("src0"), &src1 = bound.tile("src1"), &dst = bound.tile("dst");
  const DType type = dst.type.dtype;
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return {};
  Work work(bound, before);
  const bool second_first = work.on(Target::A2A3) && covers_all(src0, dst) && src1.valid_cols < dst.valid_cols;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < work.done_columns(type, dst.valid_cols); ++col) {
      const bool in0 = covers(src0, row, col), in1 = covers(src1, row, col);
      if (in0 && in1) {
        const Value a = work.element("src0", row, col), b = work.element("src1", row, col);
        work.put("dst", row, col, computed(second_first ? op(type, b.bits, a.bits) : op(type, a.bits, b.bits), a, b));
      } else if (in0 || in1) {
        work.put("dst", row, col, work.element(in0 ? "src0" : "src1", row, col));
      } else if (nothing != Nothing::Kept) {
        work.put("dst", row, col, {nothing == Nothing::Lowest ? lowest(type) : largest(type), {}});
      }
    }
  }
  if (work.on(Target::A2A3) && bound.options->quirk_blocks) copy_behind_columns(bound, work);
  return work.take();
}

bool takes_first(const Bound& bound, DType type, std::uint64_t a, std::uint64_t b, bool largest) {
  if (is_nan(type, a) || is_nan(type, b)) return bound.target == Target::A5;
  return largest ? !less(type, a, b) : !less(type, b, a);
}

template <bool largest>
Effects choose_parts(const Bound& bound, const Before& before) {
  const TileRef &src0 = bound.tile("src0"), &src1 = bound.tile("src1"), &dst = bound.tile("dst");
  const DType type = dst.type.dtype;
  Work work(bound, before);
  const bool half_done = work.on(Target::A2A3) && bound.options->quirk_tpartarg && size_bytes(type) == 2 &&
                         size_bytes(bound.tile("index").type.dtype) == 4;
  const std::uint32_t in_whole_registers = std::min(src0.valid_cols, src1.valid_cols) / 128 * 128;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col) {
      const bool in0 = covers(src0, row, col), in1 = covers(src1, row, col);
      if (in0 && in1) {
        if (half_done && col < in_whole_registers && col % 128 >= 64) continue;
        const Value a = work.element("src0", row, col), b = work.element("src1", row, col);
        const bool first = takes_first(bound, type, a.bits, b.bits, largest);
        Value deciders = computed(0, a, b);
        for (Origin& origin : deciders.from) origin.kind = Origin::Kind::Decider;
        work.put("dst", row, col, computed(first ? a.bits : b.bits, first ? a : b, deciders));
        const Value index = work.element(first ? "index0" : "index1", row, col);
        work.put("index", row, col, computed(index.bits, index, deciders));
      } else if (in0 || in1) {
        work.put("dst", row, col, work.element(in0 ? "src0" : "src1", row, col));
        work.put("index", row, col, work.element(in0 ? "index0" : "index1", row, col));
      }
    }
  }
  return work.take();
}

bool full_by_type(const TileRef& tile) { return tile.type.valid_cols == static_cast<std::int32_t>(tile.type.cols); }

Effects tpairreducesum(const Bound& bound, const Before& before) {
  const TileRef &src = bound.tile("src"), &dst = bound.tile("dst");
  const DType type = src.type.dtype;
  const std::uint32_t rows = src.valid_rows, cols = src.valid_cols, pairs = cols / 2;
  Work work(bound, before);
  const bool packs = work.on(Target::A5) && bound.options->quirk_pairsum && full_by_type(src) && full_by_type(dst);
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t k = 0; k < pairs; ++k) {
      const Value a = work.element("src", row, 2 * k), b = work.element("src", row, 2 * k + 1);
      const std::uint32_t to = packs ? row * pairs + k : row * dst.type.cols + k;
      work.put("dst", to / dst.type.cols, to % dst.type.cols, computed(add(type, a.bits, b.bits), a, b));
    }
    if (!bound.options->pairsum_zero_tail || packs) continue;
    for (std::uint32_t k = pairs; k < cols; ++k) {
      const bool odd_one = k == pairs && cols % 2 == 1;
      const Value last = work.element("src", row, cols - 1);
      work.put("dst", row, k, odd_one ? Value{add(type, last.bits, 0), last.from} : Value{});
    }
  }
  return work.take();
}

const Oracles partial_oracles{
    {"tpartadd", join_parts<add, Nothing::Kept>},
    {"tpartmul", join_parts<mul, Nothing::Kept>},
    {"tpartmax", join_parts<max, Nothing::Lowest>},
    {"tpartmin", join_parts<min, Nothing::Largest>},
    {"tpartargmax", choose_parts<true>},
    {"tpartargmin", choose_parts<false>},
    {"tpairreducesum", tpairreducesum},
};

}  // namespace
}  // namespace ts::oracle
