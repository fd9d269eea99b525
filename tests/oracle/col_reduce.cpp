// TCOLSUM, TCOLMAX, TCOLMIN, TCOLPROD: dst[0][c] = the valid elements of column c of src, reduced to one. TCOLARGMAX,
// TCOLARGMIN: the row of the first largest or smallest one; with a value tile, that element too. The order:
//   A2A3: row by row. A5: the first row, then pairs of rows joined before they join it, then a last single one.
//   TCOLSUM with isBinary: rows in pairs, again and again; a row without a pair joins the first pair (A2A3) or the last
//   (A5).
// On A2A3 row 0 comes by a copy in whole blocks: option quirks.blocks also has the bytes up to the block's end.
// NaN and indices: A5 never takes one for better than what it has. A2A3 goes on to a row unless what it has is at least as
// good, so the index follows the last row once there was a NaN. Indices of 16-bit elements without a value tile pass
// through f16 on A2A3. Its library compares u16 and u32 as floats (option quirks.compare).
#include "tests/oracle/number.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

using Column = std::vector<std::uint64_t>;

struct ColumnOf {
  Column rows;
  std::vector<Origin> from;
};
ColumnOf column_of(const Work& work, const TileRef& src, std::uint32_t col) {
  ColumnOf column;
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    const Value element = work.element("src", row, col);
    column.rows.push_back(element.bits);
    column.from.push_back(element.from[0]);
  }
  return column;
}

std::uint64_t row_by_row(DType type, const Column& column, Binary op) {
  std::uint64_t result = column[0];
  for (std::size_t row = 1; row < column.size(); ++row) result = op(type, result, column[row]);
  return result;
}

std::uint64_t two_rows_at_once(DType type, const Column& column, Binary op) {
  std::uint64_t result = column[0];
  for (std::size_t row = 1; row < column.size(); row += 2)
    result = op(type, result, row + 1 < column.size() ? op(type, column[row], column[row + 1]) : column[row]);
  return result;
}

std::uint64_t sum_in_pairs(DType type, Column column, Target target) {
  while (column.size() > 1) {
    const std::size_t pairs = column.size() / 2;
    const std::uint64_t last = column.back();
    const bool lonely = column.size() % 2 == 1;
    for (std::size_t k = 0; k < pairs; ++k) column[k] = add(type, column[2 * k], column[2 * k + 1]);
    column.resize(pairs);
    std::uint64_t& joined = target == Target::A2A3 ? column.front() : column.back();
    if (lonely) joined = add(type, joined, last);
  }
  return column[0];
}

template <Binary op>
Effects reduce_columns(const Bound& bound, const Before& before) {
  const TileRef& src = bound.tile("src");
  const DType type = src.type.dtype;
  if (src.valid_rows == 0 || src.valid_cols == 0) return {};
  Work work(bound, before);
  const bool in_pairs = work.attribute("isBinary") == "true";
  for (std::uint32_t col = 0; col < work.done_columns(type, src.valid_cols); ++col) {
    const auto& [rows, from] = column_of(work, src, col);
    const std::uint64_t one_by_one =
        bound.target == Target::A2A3 ? row_by_row(type, rows, op) : two_rows_at_once(type, rows, op);
    work.put("dst", 0, col, {in_pairs ? sum_in_pairs(type, rows, bound.target) : one_by_one, from});
  }
  if (work.on(Target::A2A3) && bound.options->quirk_blocks && (!in_pairs || src.valid_rows == 1)) {
    for (std::uint32_t col = src.valid_cols; col < rounded_up(src.valid_cols, 32 / size_bytes(type)); ++col)
      work.put("dst", 0, col, work.element("src", 0, col));
  }
  if (in_pairs) work.leave_scratch(true);
  return work.take();
}

struct BestRow {
  std::uint64_t value, index;
};

BestRow best_row_a5(DType type, const Column& column, bool largest) {
  BestRow best{column[0], 0};
  for (std::size_t row = 1; row < column.size(); ++row)
    if (largest ? less(type, best.value, column[row]) : less(type, column[row], best.value)) best = {column[row], row};
  return best;
}

BestRow best_row_a2a3(DType type, const Column& column, bool largest) {
  BestRow best{column[0], 0};
  for (std::size_t row = 1; row < column.size(); ++row) {
    const bool number = !is_nan(type, best.value) && !is_nan(type, column[row]);
    const bool keep = number && !(largest ? less(type, best.value, column[row]) : less(type, column[row], best.value));
    best = {largest ? max(type, best.value, column[row]) : min(type, best.value, column[row]), keep ? best.index : row};
  }
  return best;
}

std::uint64_t through_f16(std::uint64_t index) {
  const std::uint64_t half = convert(DType::F16, DType::I16, index, Rounding::NearestAway, Overflow::Saturate);
  return convert(DType::I32, DType::F16, half, Rounding::NearestEven, Overflow::Saturate);
}

template <bool largest>
Effects find_in_columns(const Bound& bound, const Before& before) {
  const TileRef& src = bound.tile("src");
  if (src.valid_rows == 0 || src.valid_cols == 0) return {};
  Work work(bound, before);
  const bool a2a3 = work.on(Target::A2A3), with_value = bound.has("value");
  DType type = src.type.dtype;
  if (a2a3 && bound.options->quirk_compare && !is_float(type)) type = size_bytes(type) == 2 ? DType::F16 : DType::F32;
  for (std::uint32_t col = 0; col < work.done_columns(type, src.valid_cols); ++col) {
    const auto& [rows, from] = column_of(work, src, col);
    const BestRow best = a2a3 ? best_row_a2a3(type, rows, largest) : best_row_a5(type, rows, largest);
    if (with_value) work.put("value", 0, col, {best.value, from});
    work.put("dst", 0, col,
             {a2a3 && !with_value && size_bytes(type) == 2 ? through_f16(best.index) : best.index,
              rows.size() == 1 ? std::vector<Origin>{} : from});
  }
  work.leave_scratch();
  return work.take();
}

const Oracles col_reduce_oracles{
    {"tcolsum", reduce_columns<add>},  {"tcolmax", reduce_columns<max>},      {"tcolmin", reduce_columns<min>},
    {"tcolprod", reduce_columns<mul>}, {"tcolargmax", find_in_columns<true>}, {"tcolargmin", find_in_columns<false>},
};

}  // namespace
}  // namespace ts::oracle
