// TROWEXPAND: dst[r][c] = src[r][0]. TCOLEXPAND: dst[r][c] = src[0][c]. Over dst's valid region. A2A3 fills bytes in pairs:
// of an odd number in a row, the one behind them too; and copies row 0 in whole blocks (option quirks.blocks).
//
// TROWEXPANDADD and the like: dst[r][c] = src0[r][c] op small[r], where one source has dst's valid shape and the other, the
// small one, holds a value for each row: in a column, or in a block of 32 bytes whose first element is the value (src1Col
// the block's length, or option rowexpand.block: the block is repeated along the row). Where src1 has dst's shape, the
// small one is the left operand. TCOLEXPANDADD and the like: the same with small[c]. EXPDIF rounds the difference before
// the exponential does. Column forms on A2A3: option quirks.colexpand does the number of rows modulo 256 where rows are
// full by their type. Row forms on A2A3 spread a column over tmp first.
#include "tests/oracle/elementwise.h"
#include "tests/oracle/number.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

Effects trowexpand(const Bound& bound, const Before& before) {
  const TileRef& dst = bound.tile("dst");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return {};
  Work work(bound, before);
  const bool pairs = work.on(Target::A2A3) && size_bytes(dst.type.dtype) == 1;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    for (std::uint32_t col = 0; col < dst.valid_cols + (pairs ? dst.valid_cols % 2 : 0); ++col)
      work.put("dst", row, col, work.element("src", row, 0));
  return work.take();
}

Effects tcolexpand(const Bound& bound, const Before& before) {
  const TileRef& dst = bound.tile("dst");
  Work work(bound, before);
  const bool blocks = work.on(Target::A2A3) && bound.options->quirk_blocks;
  const std::uint32_t cols = blocks ? rounded_up(dst.valid_cols, 32 / size_bytes(dst.type.dtype)) : dst.valid_cols;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    for (std::uint32_t col = 0; col < cols; ++col) work.put("dst", row, col, work.element("src", 0, col));
  return work.take();
}

using Operation = std::uint64_t (*)(const Bound&, DType, std::uint64_t, std::uint64_t);
template <std::uint64_t (*op)(DType, std::uint64_t, std::uint64_t)>
std::uint64_t plain(const Bound&, DType type, std::uint64_t a, std::uint64_t b) {
  return op(type, a, b);
}
// The high-precision division takes every NaN for the default one.
std::uint64_t quotient_of(const Bound& bound, DType type, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t result = quotient(Lane{bound, type}, a, b);
  return high_precision(bound) && is_nan(type, result) ? default_nan(type) : result;
}
std::uint64_t exp_of_difference(const Bound& bound, DType type, std::uint64_t a, std::uint64_t b) {
  return exp(type, sub(type, a, b), bound.options->exp_flush != 0);
}

bool has_shape_of(const TileRef& tile, const TileRef& dst) {
  return tile.valid_rows == dst.valid_rows && tile.valid_cols == dst.valid_cols;
}

// The source that gives a value for each row or column, and the other one.
struct FullAndSmall {
  const char *full, *small;
  bool full_first;
};
FullAndSmall sources(bool src0_is_full) {
  return src0_is_full ? FullAndSmall{"src0", "src1", true} : FullAndSmall{"src1", "src0", false};
}

// From row to row, in elements, as the library counts it.
std::uint32_t row_stride(const TileRef& tile) { return tile.type.blayout == BoxOrder::RowMajor ? tile.type.cols : 1; }

FullAndSmall row_sources(const Bound& bound) {
  const TileRef &src0 = bound.tile("src0"), &src1 = bound.tile("src1"), &dst = bound.tile("dst");
  if (!has_shape_of(src0, dst)) return sources(false);
  const bool by_stride = bound.target == Target::A2A3 && has_shape_of(src1, dst);
  return sources(!by_stride || row_stride(src0) >= row_stride(src1));
}

void put_result(const Bound& bound, Work& work, const FullAndSmall& from, Operation op, std::uint32_t row,
                std::uint32_t col, const Value& small) {
  const Value full = work.element(from.full, row, col);
  const Value &a = from.full_first ? full : small, &b = from.full_first ? small : full;
  work.put("dst", row, col, computed(op(bound, bound.tile("dst").type.dtype, a.bits, b.bits), a, b));
}

template <Operation op>
Effects expand_rows(const Bound& bound, const Before& before) {
  const TileRef& dst = bound.tile("dst");
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return {};
  Work work(bound, before);
  const FullAndSmall from = row_sources(bound);
  const TileRef& small = bound.tile(from.small);
  const std::uint32_t block = 32 / size_bytes(dst.type.dtype);
  const bool column = small.type.blayout == BoxOrder::ColMajor;
  const bool asks_for_block = bound.options->rowexpand_tiled || work.attribute_number("src1Col") == block;
  const bool repeats_block = !column && small.valid_cols == block && asks_for_block;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col)
      put_result(bound, work, from, op, row, col, work.element(from.small, row, repeats_block ? col % block : 0));
  if (column) work.leave_scratch();
  return work.take();
}

template <Operation op>
Effects expand_columns(const Bound& bound, const Before& before) {
  const TileRef& dst = bound.tile("dst");
  Work work(bound, before);
  const FullAndSmall from = sources(has_shape_of(bound.tile("src0"), dst));
  const bool full_rows = dst.type.valid_cols == static_cast<std::int32_t>(dst.type.cols) || dst.type.rows == 1;
  const bool narrows = work.on(Target::A2A3) && bound.options->quirk_colexpand && full_rows;
  for (std::uint32_t row = 0; row < (narrows ? dst.valid_rows % 256 : dst.valid_rows); ++row)
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col)
      put_result(bound, work, from, op, row, col, work.element(from.small, 0, col));
  return work.take();
}

const Oracles expand_oracles{
    {"trowexpand", trowexpand},
    {"tcolexpand", tcolexpand},
    {"trowexpandadd", expand_rows<plain<add>>},
    {"trowexpandsub", expand_rows<plain<sub>>},
    {"trowexpandmul", expand_rows<plain<mul>>},
    {"trowexpanddiv", expand_rows<quotient_of>},
    {"trowexpandmax", expand_rows<plain<max>>},
    {"trowexpandmin", expand_rows<plain<min>>},
    {"trowexpandexpdif", expand_rows<exp_of_difference>},
    {"tcolexpandadd", expand_columns<plain<add>>},
    {"tcolexpandsub", expand_columns<plain<sub>>},
    {"tcolexpandmul", expand_columns<plain<mul>>},
    {"tcolexpanddiv", expand_columns<quotient_of>},
    {"tcolexpandmax", expand_columns<plain<max>>},
    {"tcolexpandmin", expand_columns<plain<min>>},
    {"tcolexpandexpdif", expand_columns<exp_of_difference>},
};

}  // namespace
}  // namespace ts::oracle
