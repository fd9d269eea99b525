// TROWSUM, TROWMAX, TROWMIN, TROWPROD: dst[r][0] = the valid elements of row r of src, reduced to one. TROWARGMAX,
// TROWARGMIN: the column of the first largest or smallest one; with a value tile, that element too. Floats depend on the
// order:
//   A5: register by register. The active lanes of a register become one, which joins what came before. PROD: lane by
//       lane over all registers, then the lanes in halves, lane i by lane i + half.
//   A2A3, f16 and f32 SUM, MAX, MIN: registers join lane by lane first (sums in pairs), one register's lanes last.
//   A2A3, integers, and PROD: 32-byte blocks join lane by lane, then the block's lanes from the first to the last; PROD of
//       f16 does those in f32.
// The lanes of one register: sums add neighbours, again and again (option arith.sum_order). NaN: the first one wins; but
// where A5 looks for an index, a register with a NaN counts for nothing. A2A3 uses tmp.
#include <algorithm>
#include <span>

#include "tests/oracle/number.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

using Lanes = std::vector<std::uint64_t>;

enum class ReductionKind : std::uint8_t { Sum, Max, Min, Prod };

std::uint64_t minus_infinity(DType type) { return is_float(type) ? sign_bit(type) | infinity(type) : lowest(type); }
std::uint64_t plus_infinity(DType type) { return is_float(type) ? infinity(type) : largest(type); }

// How elements of a type become one.
struct Reduction {
  ReductionKind kind;
  DType type;
  const Bound& bound;

  std::uint64_t join(std::uint64_t a, std::uint64_t b) const {
    constexpr Binary kBinary[] = {add, max, min, mul};
    return kBinary[static_cast<int>(kind)](type, a, b);
  }
  std::uint64_t start() const {
    const std::uint64_t starts[] = {0, minus_infinity(type), plus_infinity(type), one(type)};
    return starts[static_cast<int>(kind)];
  }
  // Lanes that are off: zeros on A5, left out on A2A3, which is to add -0.
  std::uint64_t off() const {
    return kind == ReductionKind::Sum && is_float(type) && bound.target == Target::A2A3 ? sign_bit(type) : start();
  }
  std::uint32_t register_lanes() const { return 256 / size_bytes(type); }

  Lanes chunk(std::span<const std::uint64_t> row, std::size_t begin, std::size_t count) const {
    const auto part = row.subspan(std::min(begin, row.size()));
    return {part.begin(), part.begin() + static_cast<std::ptrdiff_t>(std::min(count, part.size()))};
  }
  // dst[i] = dst[i] joined with src[i], for the lanes that src has.
  void join_lanes(Lanes& dst, const Lanes& src) const {
    for (std::size_t i = 0; i < src.size(); ++i) dst[i] = join(dst[i], src[i]);
  }

  // `size` lanes, of which these are on, become one.
  std::uint64_t across(Lanes lanes, std::size_t size) const {
    if (kind == ReductionKind::Sum && is_float(type) && bound.options->sum_order == 2)
      return sum_in_double(lanes, size);
    lanes.resize(size, off());
    if (kind == ReductionKind::Sum && bound.options->sum_order == 0) {
      for (; lanes.size() > 1; lanes.resize(lanes.size() / 2))
        for (std::size_t i = 0; i < lanes.size() / 2; ++i) lanes[i] = join(lanes[2 * i], lanes[2 * i + 1]);
      return lanes[0];
    }
    std::uint64_t result = lanes[0];
    for (std::size_t i = 1; i < size; ++i) result = join(result, lanes[i]);
    return result;
  }
  std::uint64_t across(const Lanes& lanes) const { return across(lanes, register_lanes()); }

 private:
  std::uint64_t sum_in_double(const Lanes& lanes, std::size_t size) const {
    double sum = lanes.size() < size ? float_value(type, off()) : -0.0;
    for (const std::uint64_t lane : lanes)
      if (is_nan(type, lane)) return quieted(type, lane);
    for (const std::uint64_t lane : lanes) sum += float_value(type, lane);
    return sum != sum ? default_nan(type) : nearest_float(type, sum);
  }
};

std::uint64_t by_registers_a5(const Reduction& how, const Lanes& row) {
  std::uint64_t result = how.start();
  for (std::size_t at = 0; at < row.size(); at += how.register_lanes())
    result = how.join(result, how.across(how.chunk(row, at, how.register_lanes())));
  return result;
}

std::uint64_t product_a5(const Reduction& how, const Lanes& row) {
  Lanes lanes(how.register_lanes(), how.start());
  for (std::size_t at = 0; at < row.size(); at += how.register_lanes())
    how.join_lanes(lanes, how.chunk(row, at, how.register_lanes()));
  for (std::size_t half = lanes.size() / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) lanes[i] = how.join(lanes[i], lanes[i + half]);
  return lanes[0];
}

// Pairs of neighbours join; a last one without a neighbour joins the first pair or the last.
void join_pairs(const Reduction& how, std::vector<Lanes>& chunks, bool lonely_joins_first) {
  const std::size_t pairs = chunks.size() / 2;
  for (std::size_t k = 0; k < pairs; ++k) {
    Lanes joined = chunks[2 * k];
    how.join_lanes(joined, chunks[2 * k + 1]);
    chunks[k] = joined;
  }
  if (chunks.size() % 2 == 1) how.join_lanes(chunks[lonely_joins_first ? 0 : pairs - 1], chunks.back());
  chunks.resize(pairs);
}

std::uint64_t by_registers_a2a3(const Reduction& how, const Lanes& row) {
  const std::size_t lanes = how.register_lanes(), whole = row.size() / lanes;
  if (row.size() <= lanes) return how.across(row);
  std::vector<Lanes> chunks;
  for (std::size_t k = 0; k < whole; ++k) chunks.push_back(how.chunk(row, k * lanes, lanes));
  const Lanes tail = how.chunk(row, whole * lanes, lanes);
  if (how.kind == ReductionKind::Sum && whole > 1) {
    join_pairs(how, chunks, true);
    how.join_lanes(chunks[0], tail);
    while (chunks.size() > 1) join_pairs(how, chunks, false);
  } else {
    if (whole > 1) how.join_lanes(chunks[0], chunks[1]);
    how.join_lanes(chunks[0], tail);
    for (std::size_t k = 2; k < whole; ++k) how.join_lanes(chunks[0], chunks[k]);
  }
  return how.across(chunks[0]);
}

// Four shapes of f32 with a column as result: groups of eight lanes first.
bool goes_by_groups(const TileRef& src, const TileRef& dst) {
  const TileType& type = src.type;
  const bool full = type.valid_rows == static_cast<std::int32_t>(type.rows) &&
                    type.valid_cols == static_cast<std::int32_t>(type.cols);
  return type.dtype == DType::F32 && full && type.rows * type.cols == 8192 && type.cols >= 128 && type.cols <= 1024 &&
         (type.cols & (type.cols - 1)) == 0 && dst.type.col_major() && dst.type.valid_cols == 1;
}
Lanes groups_of_eight(const Reduction& how, const Lanes& lanes) {
  Lanes groups;
  for (std::size_t at = 0; at < lanes.size(); at += 8) groups.push_back(how.across(how.chunk(lanes, at, 8), 8));
  return groups;
}
// How the group results go on is not told: here in groups again where they are whole registers, else block by block.
std::uint64_t by_groups_a2a3(const Reduction& how, const Lanes& row) {
  Lanes groups = groups_of_eight(how, row);
  if (groups.size() >= 64) groups = groups_of_eight(how, groups);
  while (groups.size() > 8) {
    std::vector<Lanes> blocks;
    for (std::size_t at = 0; at < groups.size(); at += 8) blocks.push_back(how.chunk(groups, at, 8));
    join_pairs(how, blocks, false);
    groups.clear();
    for (const Lanes& block : blocks) groups.insert(groups.end(), block.begin(), block.end());
  }
  return how.across(groups, 8);
}

std::uint64_t by_blocks_a2a3(const Reduction& how, const Lanes& row) {
  const std::size_t block = 32 / size_bytes(how.type);
  Lanes lanes(block, how.start());
  for (std::size_t at = 0; at < row.size(); at += block) how.join_lanes(lanes, how.chunk(row, at, block));
  if (how.type == DType::F16) {
    std::uint64_t product = one(DType::F32);
    for (const std::uint64_t lane : lanes)
      product = mul(DType::F32, product, convert(DType::F32, DType::F16, lane, Rounding::NearestEven, Overflow::Wrap));
    if (is_nan(DType::F32, product)) return (product >> 16 & 0x8000) | 0x7C00 | (product >> 13 & 0x3FF);
    return convert(DType::F16, DType::F32, product, Rounding::NearestEven, Overflow::Wrap);
  }
  std::uint64_t result = lanes[0];
  for (std::size_t i = 1; i < block; ++i) result = how.join(result, lanes[i]);
  return result;
}

std::uint64_t reduced(const Reduction& how, const Lanes& row) {
  const bool product = how.kind == ReductionKind::Prod;
  if (how.bound.target == Target::A5) return product ? product_a5(how, row) : by_registers_a5(how, row);
  if (product || !is_float(how.type)) return by_blocks_a2a3(how, row);
  return goes_by_groups(how.bound.tile("src"), how.bound.tile("dst")) ? by_groups_a2a3(how, row)
                                                                      : by_registers_a2a3(how, row);
}

// A valid row, and all it is made of.
struct Row {
  Lanes lanes;
  std::vector<Origin> from;
  Value value(std::uint64_t bits) const { return {bits, from}; }
};
Row row_of(const Work& work, const TileRef& src, std::uint32_t row) {
  Row result;
  for (std::uint32_t col = 0; col < work.done_columns(src.type.dtype, src.valid_cols); ++col) {
    const Value element = work.element("src", row, col);
    result.lanes.push_back(element.bits);
    result.from.push_back(element.from[0]);
  }
  return result;
}

// The library leaves rows of one register and a part alone where tmp's rows are too short (option quirks.rowreduce).
bool does_nothing(const Bound& bound, ReductionKind kind) {
  const TileRef& src = bound.tile("src");
  if (bound.target != Target::A2A3 || !bound.options->quirk_rowreduce || kind == ReductionKind::Prod ||
      !is_float(src.type.dtype))
    return false;
  const std::uint32_t lanes = 256 / size_bytes(src.type.dtype);
  return src.valid_cols > lanes && src.valid_cols < 2 * lanes && bound.has("tmp") &&
         bound.tile("tmp").type.cols < lanes;
}

template <ReductionKind kind>
Effects reduce_rows(const Bound& bound, const Before& before) {
  const TileRef& src = bound.tile("src");
  if (src.valid_rows == 0 || src.valid_cols == 0 || does_nothing(bound, kind)) return {};
  Work work(bound, before);
  const Reduction how{kind, src.type.dtype, bound};
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    const Row elements = row_of(work, src, row);
    work.put("dst", row, 0, elements.value(reduced(how, elements.lanes)));
  }
  work.leave_scratch();
  return work.take();
}

struct BestLane {
  std::uint64_t value, index;
};
// The extreme lane as the instruction of one register finds it: a NaN wins; of equal ones the first.
BestLane best_lane(const Reduction& how, const Lanes& lanes) {
  std::uint64_t value = how.start();
  for (const std::uint64_t lane : lanes) value = how.join(value, lane);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const bool nan = is_nan(how.type, lanes[i]);
    if (is_nan(how.type, value) ? nan : !less(how.type, lanes[i], value) && !less(how.type, value, lanes[i]))
      return {value, i};
  }
  return {value, 0};
}
BestLane best_by_registers(const Reduction& how, const Lanes& row) {
  BestLane best{how.start(), 0};
  for (std::size_t at = 0; at < row.size(); at += how.register_lanes()) {
    const BestLane here = best_lane(how, how.chunk(row, at, how.register_lanes()));
    if (how.kind == ReductionKind::Max ? less(how.type, best.value, here.value)
                                       : less(how.type, here.value, best.value))
      best = {here.value, here.index + at};
  }
  return best;
}

template <ReductionKind kind>
Effects find_in_rows(const Bound& bound, const Before& before) {
  const TileRef& src = bound.tile("src");
  if (src.valid_rows == 0 || src.valid_cols == 0) return {};
  Work work(bound, before);
  const Reduction how{kind, src.type.dtype, bound};
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    const Row elements = row_of(work, src, row);
    // A2A3 takes the best of registers as it takes the best of lanes, so it is one search.
    const BestLane best = work.on(Target::A5) ? best_by_registers(how, elements.lanes) : best_lane(how, elements.lanes);
    if (bound.has("value")) work.put("value", row, 0, elements.value(best.value));
    work.put("dst", row, 0, elements.value(best.index));
  }
  work.leave_scratch();
  return work.take();
}

const Oracles row_reduce_oracles{
    {"trowsum", reduce_rows<ReductionKind::Sum>},     {"trowmax", reduce_rows<ReductionKind::Max>},
    {"trowmin", reduce_rows<ReductionKind::Min>},     {"trowprod", reduce_rows<ReductionKind::Prod>},
    {"trowargmax", find_in_rows<ReductionKind::Max>}, {"trowargmin", find_in_rows<ReductionKind::Min>},
};

}  // namespace
}  // namespace ts::oracle
