// TMATMUL and its kin: dst[i][j] = start + lhs[i][0] * rhs[0][j] + lhs[i][1] * rhs[1][j] + ..., over lhs's valid rows, rhs's
// valid columns and lhs's valid columns (TGEMV: one row, and rhs's valid rows). The start is zero, an accumulator's element
// or the column's bias. Floats: each term is added with one rounding to f32, from the start on and k ascending; option
// arith.product: from zero on, and the start last; or all in double, rounded at the end. A NaN is the one with no sign and
// no payload. Bytes: exact, and sums wrap. What shares a box of 16x16 with a result is promised by nobody.
// TEXTRACT: dst[i][j] = src[row + i][col + j], over all of an operand of the cube core or of its scales, over the valid region of others.
// With two windows dst1[i][j] = src[row1 + i][col1 + j] as well.
// TINSERT: dst[row + i][col + j] = src[i][j], over src's valid region. Sums: see fixpipe.cpp.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/oracle/fixpipe.h"
#include "tests/oracle/number.h"
#include "tests/oracle/small_float.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

bool is_small(DType type) { return is_small_float(type) || type == DType::E2M1 || type == DType::E1M2; }
float single(DType type, std::uint64_t bits) {
  if (is_small(type)) return static_cast<float>(small_value(type, static_cast<std::uint8_t>(bits)));
  if (is_nan(type, bits)) return NAN;
  if (is_infinite(type, bits)) return (bits & sign_bit(type)) != 0 ? -INFINITY : INFINITY;
  return static_cast<float>(float_value(type, bits));
}
std::uint64_t f32_bits(float value) {
  if (std::isnan(value)) return 0x7FC00000;
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

struct Terms {
  DType left, right;
  std::vector<std::uint64_t> a, b;
  std::vector<double> scales;  // of both elements of a term together; none: 1
};
std::uint64_t integer_sum(const Terms& terms, std::uint64_t start) {
  std::int64_t sum = static_cast<std::int32_t>(start);
  for (std::size_t k = 0; k < terms.a.size(); ++k)
    sum += std::int64_t{static_cast<std::int8_t>(terms.a[k])} * static_cast<std::int8_t>(terms.b[k]);
  return static_cast<std::uint32_t>(sum);
}
std::uint64_t float_sum(const Terms& terms, std::uint64_t start, std::string_view order) {
  const float begin = single(DType::F32, start);
  float sum = order == "sum_first" ? 0 : begin;
  double wide = begin;
  for (std::size_t k = 0; k < terms.a.size(); ++k) {
    const float a = single(terms.left, terms.a[k]), b = single(terms.right, terms.b[k]);
    const double term = double{a} * double{b} * (terms.scales.empty() ? 1 : terms.scales[k]);
    sum = terms.scales.empty() ? std::fma(a, b, sum) : static_cast<float>(sum + term);
    wide += term;
  }
  if (order == "double") return f32_bits(static_cast<float>(wide));
  return f32_bits(order == "sum_first" ? sum + begin : sum);
}

Effects product(const Bound& bound, const Before& before) {
  const TileRef &left = bound.tile("lhs"), &right = bound.tile("rhs"), &dst = bound.tile("dst");
  const bool one_row = std::string_view(bound.row->name).starts_with("tgemv"), biases = bound.has("bias");
  const char* start = bound.has("acc") ? "acc" : biases ? "bias" : nullptr;
  const bool scaled = bound.has("lhs_scale");
  const std::uint32_t m = one_row ? 1 : left.valid_rows, k = one_row && !scaled ? right.valid_rows : left.valid_cols,
                      n = right.valid_cols;
  const std::string_view order = value_name("fused|sum_first|double", bound.options->product_order);
  Work work(bound, before);
  for (std::uint32_t row = 0; row < m; ++row)
    for (std::uint32_t col = 0; col < n; ++col) {
      Terms terms{left.type.dtype, right.type.dtype, {}, {}, {}};
      Value all = start == nullptr ? Value{} : work.element(start, biases ? 0 : row, col);
      const std::uint64_t begin = all.bits;
      for (std::uint32_t i = 0; i < k; ++i) {
        const Value a = work.element("lhs", row, i), b = work.element("rhs", i, col);
        terms.a.push_back(a.bits);
        terms.b.push_back(b.bits);
        all = computed(0, all, computed(0, a, b));
        if (!scaled) continue;
        const Value of_a = work.element("lhs_scale", row, i / 32), of_b = work.element("rhs_scale", i / 32, col);
        terms.scales.push_back(small_value(DType::E8M0, static_cast<std::uint8_t>(of_a.bits)) *
                               small_value(DType::E8M0, static_cast<std::uint8_t>(of_b.bits)));
        all = computed(0, all, computed(0, of_a, of_b));
      }
      all.bits = terms.left == DType::I8 ? integer_sum(terms, begin) : float_sum(terms, begin, order);
      work.put("dst", row, col, all);
    }
  for (std::uint32_t row = 0; row < std::min(rounded_up(m, 16), dst.type.rows); ++row)
    for (std::uint32_t col = 0; col < std::min(rounded_up(n, 16), dst.type.cols); ++col)
      if (row >= m || col >= n) work.leave_open(element_place(dst, row, col));
  return work.take();
}

std::uint32_t index(const Bound& bound, const char* name) {
  return static_cast<std::uint32_t>(bound.scalar(name).bits);
}

// Of a move between memories or within one: sums become elements, everything else stays as it is.
Value moved(const Work& work, const Bound& bound, std::uint32_t row, std::uint32_t col, std::uint32_t first_col) {
  if (bound.tile("src").type.loc != TileLoc::Acc) return work.element("src", row, col);
  return through_fixpipe(work, bound, bound.tile("dst").type.dtype, row, col, first_col);
}

Effects textract(const Bound& bound, const Before& before) {
  const TileRef& dst = bound.tile("dst");
  const std::uint32_t first_row = index(bound, "row"), first_col = index(bound, "col");
  const bool operand =
      dst.type.loc == TileLoc::Left || dst.type.loc == TileLoc::Right || dst.type.loc == TileLoc::Scaling;
  const std::uint32_t rows = operand ? dst.type.rows : dst.valid_rows, cols = operand ? dst.type.cols : dst.valid_cols;
  Work work(bound, before);
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t col = 0; col < cols; ++col)
      work.put("dst", row, col, moved(work, bound, first_row + row, first_col + col, first_col));
  if (!bound.has("dst1")) return work.take();
  const TileRef& second = bound.tile("dst1");
  for (std::uint32_t row = 0; row < second.valid_rows; ++row)
    for (std::uint32_t col = 0; col < second.valid_cols; ++col)
      work.put("dst1", row, col, moved(work, bound, index(bound, "row1") + row, index(bound, "col1") + col, 0));
  return work.take();
}

Effects tinsert(const Bound& bound, const Before& before) {
  const TileRef& src = bound.tile("src");
  const std::uint32_t first_row = index(bound, "row"), first_col = index(bound, "col");
  Work work(bound, before);
  for (std::uint32_t row = 0; row < src.valid_rows; ++row)
    for (std::uint32_t col = 0; col < src.valid_cols; ++col)
      work.put("dst", first_row + row, first_col + col, moved(work, bound, row, col, 0));
  return work.take();
}

// It only says where a tile stands.
Effects nothing(const Bound&, const Before&) { return {}; }

const Oracles cube_oracles{{"tmatmul", product},         {"tmatmul.acc", product},    {"tmatmul.bias", product},
                           {"tgemv", product},           {"tgemv.acc", product},      {"tgemv.bias", product},
                           {"tmatmul.mx", product},      {"tmatmul.mx.acc", product}, {"tmatmul.mx.bias", product},
                           {"tgemv.mx", product},        {"tgemv.mx.acc", product},   {"tgemv.mx.bias", product},
                           {"tget_scale_addr", nothing}, {"textract", textract},      {"tinsert", tinsert}};

}  // namespace
}  // namespace ts::oracle
