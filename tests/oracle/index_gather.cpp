// TGATHER. By index: over dst's valid region, dst[r][c] = element number indices[r][c] of src, counted row by row through
// the whole tile (option tgather.outside: a zero where there is none).
// By a pattern, along rows: of every valid row of src the elements c with c % step == first, one behind the other from dst's
// first on; along columns: row r of dst is row step * r + first of src.
// Compared: row r of dst gets the numbers of those elements of row r of src that equal or are above the row's limit, and
// counts how many. Numbers: A2A3 offset + r * static columns of src + c; A5 goes on by whole 64 for each row. A5 compares
// 32-bit numbers without sign, floats rounded to whole ones (option tgather.compare: elements as they are), and counts
// bytes (option tgather.counts).
#include <algorithm>

#include "tests/oracle/number.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

Value deciding(Value value) {
  for (Origin& origin : value.from)
    origin.kind = origin.kind == Origin::Kind::Scalar ? Origin::Kind::ScalarDecider : Origin::Kind::Decider;
  return value;
}

Effects by_index(const Bound& bound, const Before& before) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  Work work(bound, before);
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col) {
      const Value index = work.element("indices", row, col);
      const auto number = static_cast<std::uint32_t>(index.bits);
      if (number >= src.type.rows * src.type.cols) {
        work.put("dst", row, col, {});
        continue;
      }
      const Value found = work.element("src", number / src.type.cols, number % src.type.cols);
      work.put("dst", row, col, computed(found.bits, found, deciding(index)));
    }
  work.leave_scratch();
  return work.take();
}

struct Every {
  std::uint32_t step, first;
};
Every every(std::string_view pattern) {
  if (pattern == "p1111") return {1, 0};
  if (pattern == "p0101") return {2, 0};
  if (pattern == "p1010") return {2, 1};
  return {4, pattern == "p0001" ? 0u : pattern == "p0010" ? 1u : pattern == "p0100" ? 2u : 3u};
}
Effects by_pattern(const Bound& bound, const Before& before) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  Work work(bound, before);
  const Every of = every(work.attribute("maskPattern"));
  if (work.attribute("gatherAxis") == "col") {
    for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
      for (std::uint32_t col = 0; col < dst.valid_cols; ++col)
        work.put("dst", row, col, work.element("src", row * of.step + of.first, col));
    return work.take();
  }
  std::uint32_t to = 0;
  for (std::uint32_t row = 0; row < src.valid_rows; ++row)
    for (std::uint32_t col = of.first; col < src.valid_cols; col += of.step, ++to)
      work.put("dst", to / dst.type.cols, to % dst.type.cols, work.element("src", row, col));
  return work.take();
}

class Comparing {
 public:
  Comparing(const Bound& bound, const Before& before) : bound_(bound), work_(bound, before) {}

  Effects run() {
    const bool a5 = work_.on(Target::A5);
    const std::uint32_t cols = src_.valid_cols, unit = a5 && bound_.options->gather_counts == 0 ? 4 : 1;
    for (std::uint32_t row = 0; row < src_.valid_rows; ++row) {
      const std::uint32_t base = row * (a5 ? rounded_up(cols, 64) : src_.type.cols);
      const Value limit = limit_of(row), offset = work_.scalar("offset");
      Value looked_at = deciding({0, limit.from});
      std::uint32_t kept = 0;
      for (std::uint32_t col = 0; col < cols; ++col) {
        const Value element = work_.element("src", row, col);
        looked_at = computed(0, looked_at, deciding(element));
        if (!holds(element.bits, limit.bits)) continue;
        const std::uint32_t at = element_place(dst_, row, 0).address + 4 * kept++;
        work_.put_at({Space::Ub, at, 4}, "dst", (at - dst_.address) / 4 / dst_.type.cols,
                     (at - dst_.address) / 4 % dst_.type.cols,
                     computed((offset.bits + base + col) & 0xFFFFFFFF, offset, looked_at));
      }
      const bool one_row = counts_.valid_rows == 1;
      work_.put("counts", one_row ? 0 : row, one_row ? row : 0, {kept * unit, looked_at.from});
    }
    work_.leave_scratch();
    return work_.take();
  }

 private:
  Value limit_of(std::uint32_t row) const {
    const Operand& limit = *bound_.find("limit");
    if (limit.spec->kind == OperandKind::Scalar) return work_.scalar("limit");
    const bool one_row = limit.tile.valid_rows == 1;
    return work_.element("limit", one_row ? 0 : row, one_row ? row : 0);
  }
  DType limit_type() const {
    const Operand& limit = *bound_.find("limit");
    return limit.spec->kind == OperandKind::Scalar ? limit.scalar.dtype : limit.tile.type.dtype;
  }
  // 32 bits without a sign.
  static std::uint64_t whole(DType type, std::uint64_t bits) {
    if (is_float(type)) return convert(DType::I32, type, bits, Rounding::NearestEven, Overflow::Saturate);
    return extended(type, bits) & 0xFFFFFFFF;
  }
  bool holds(std::uint64_t element, std::uint64_t limit) const {
    const bool above = work_.attribute("cmpMode") == "gt";
    DType type = src_.type.dtype;
    if (work_.on(Target::A5) && bound_.options->gather_compare == 0) {
      element = whole(type, element);
      limit = whole(limit_type(), limit);
      return above ? element > limit : element == limit;
    }
    if (limit_type() != type) {
      // A5 compares words.
      const DType wide = work_.on(Target::A5) ? DType::F32 : type;
      if (wide != type) element = convert(wide, type, element, Rounding::NearestEven, Overflow::Wrap);
      limit = convert(wide, limit_type(), limit, Rounding::NearestEven, Overflow::Wrap);
      type = wide;
    }
    if (above) return less(type, limit, element);
    return !less(type, limit, element) && !less(type, element, limit) && !is_nan(type, element) && !is_nan(type, limit);
  }

  const Bound& bound_;
  Work work_;
  const TileRef &src_ = bound_.tile("src"), &dst_ = bound_.tile("dst"), &counts_ = bound_.tile("counts");
};

Effects tgather(const Bound& bound, const Before& before) {
  if (bound.has("counts")) return Comparing(bound, before).run();
  return bound.has("indices") ? by_index(bound, before) : by_pattern(bound, before);
}

const Oracles index_gather_oracles{{"tgather", tgather}};

}  // namespace
}  // namespace ts::oracle
