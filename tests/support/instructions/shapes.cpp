// Making of random tiles.
#include "tests/support/instructions/shapes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

namespace ts::test {
namespace {

std::int32_t static_or_dynamic(Random& random, std::uint32_t valid) {
  return random.one_in(2) ? static_cast<std::int32_t>(valid) : kDynamic;
}

}  // namespace

Valid random_valid(Random& random, std::uint32_t elem_bytes, std::uint32_t most_bytes) {
  const std::uint32_t lanes = VL / elem_bytes, block = BLK / elem_bytes, most = most_bytes / elem_bytes;
  Valid valid;
  switch (random.below(16)) {
    case 0: valid = {1, random.between(1, std::min(most, 8 * lanes))}; break;
    case 1: valid = {random.between(1, 300), random.between(1, 2 * block)}; break;
    case 2: valid = {random.between(1, 40), 1}; break;
    case 3:
    case 4:
    case 5: valid = {random.between(1, 6), lanes * random.between(1, 4) + random.below(3) - 1}; break;
    case 6: valid = {random.between(1, 12), random.between(lanes, most)}; break;
    case 7: valid = {random.between(1, 3), random.between(1, block)}; break;
    default: valid = {random.between(1, 10), random.between(1, 3 * lanes)}; break;
  }
  valid.rows = std::clamp(most / rounded_up(valid.cols, block), 1u, valid.rows);
  if (random.one_in(24)) (random.one_in(2) ? valid.rows : valid.cols) = 0;
  return valid;
}

TilePlan random_tile(Random& random, std::string name, DType type, Valid valid, std::uint32_t least_cols) {
  const std::uint32_t block = block_elements(type);
  const std::uint32_t cols =
      rounded_up(std::max({valid.cols, least_cols, 1u}), block) + (random.one_in(2) ? block * random.below(5) : 0);
  // Padding must not make four wide tiles larger than the memory.
  const std::uint32_t most_rows = std::max(32 * 1024 / (cols * size_bytes(type)), std::max(valid.rows, 1u));
  const std::uint32_t rows = std::min(std::max(valid.rows, 1u) + (random.one_in(2) ? random.below(4) : 0), most_rows);
  return {std::move(name),
          vec_tile(type, rows, cols, static_or_dynamic(random, valid.rows), static_or_dynamic(random, valid.cols)),
          valid};
}

TilePlan on_its_side(TilePlan plan) {
  std::swap(plan.type.rows, plan.type.cols);
  std::swap(plan.type.valid_rows, plan.type.valid_cols);
  std::swap(plan.valid.rows, plan.valid.cols);
  plan.type.blayout = BoxOrder::ColMajor;
  return plan;
}

TileType col_major(TileType type) {
  type.blayout = BoxOrder::ColMajor;
  return type;
}

TileType boxed(TileLoc loc, DType type, std::uint32_t rows, std::uint32_t cols, BoxOrder outer, InnerOrder inner) {
  TileType tile = vec_tile(type, rows, cols);
  tile.loc = loc;
  tile.blayout = outer;
  tile.slayout = inner;
  return tile;
}

TilePlan random_mask(Random& random, Valid valid, bool narrow) {
  const DType type = random.pick({DType::U8, DType::U16, DType::U32});
  const std::uint32_t size = size_bytes(type), block = BLK / size;
  const std::uint32_t needed = std::max(1u, (valid.cols + 7) / 8);
  std::uint32_t cols = (needed + BLK - 1) / BLK * block + (random.one_in(2) ? block * random.below(4) : 0);
  std::uint32_t rows = std::max(valid.rows, 1u) + random.below(2);
  if (narrow) cols = block;
  if (narrow) rows = std::max(1u, rows / 2);
  TilePlan plan{
      "mask", vec_tile(type, rows, cols, kDynamic, kDynamic), {random.below(rows + 1), random.below(cols + 1)}};
  plan.reserved_bytes = (std::max(valid.rows, 1u) - 1) * cols * size + (needed + BLK - 1) / BLK * BLK;
  return plan;
}

std::vector<TileId> add_tiles(ProgramBuilder& builder, Random& random, Target target,
                              const std::vector<TilePlan>& plans) {
  std::vector<std::uint32_t> size(plans.size()), order(plans.size());
  std::iota(order.begin(), order.end(), 0u);
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (plans[i].in_place_of < 0)
      size[i] =
          rounded_up(std::max(static_cast<std::uint32_t>(plans[i].type.size_bytes()), plans[i].reserved_bytes), BLK);
    total += size[i];
  }
  constexpr std::uint32_t kSpare = 4096;
  const std::uint32_t capacity = capacity_bytes(target, Space::Ub) - kSpare;
  REQUIRE(total <= capacity);
  std::uint32_t spare_blocks = (capacity - total) / BLK;
  for (std::size_t i = order.size(); i-- > 1;)
    std::swap(order[i], order[random.below(static_cast<std::uint32_t>(i + 1))]);
  // Close together half of the time: then a stray access hits a neighbour.
  const bool close = random.one_in(2);
  std::uint32_t at = 0;
  std::vector<std::uint32_t> address(plans.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (plans[order[i]].in_place_of >= 0) continue;
    const std::uint32_t gap = close && at != 0 ? random.below(2) : random.below(spare_blocks + 1);
    const std::uint32_t used_gap = std::min(gap, spare_blocks);
    spare_blocks -= used_gap;
    at += used_gap * BLK;
    address[order[i]] = at;
    at += size[order[i]];
  }
  std::vector<TileId> ids;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const TilePlan& plan = plans[i];
    const std::uint32_t place = address[plan.in_place_of >= 0 ? static_cast<std::size_t>(plan.in_place_of) : i];
    ids.push_back(builder.tile(plan.name, plan.type,
                               {.address = place, .valid_rows = plan.valid.rows, .valid_cols = plan.valid.cols}));
  }
  return ids;
}

std::uint64_t random_element(Random& random, DType type, Values values) {
  const std::uint32_t bits = size_bits(type);
  const std::uint64_t any = bits == 64 ? random.next() : random.next() & ((1ull << bits) - 1);
  // Of 8 bits every code is likely as it is.
  if (!is_float(type) || is_small_float(type) || values == Values::AnyBits) return any;
  const int fraction_bits = type == DType::F32 ? 23 : type == DType::F16 ? 10 : 7;
  const std::uint64_t sign = any & 1ull << (bits - 1), infinity = type == DType::F32   ? 0x7F800000
                                                                  : type == DType::F16 ? 0x7C00
                                                                                       : 0x7F80;
  if (values == Values::Special && random.one_in(2)) {
    const std::uint64_t quiet = 1ull << (fraction_bits - 1), payload = any & (quiet - 1);
    switch (random.below(8)) {
      case 0: return sign;  // zero
      case 1: return sign | infinity;
      case 2: return sign | infinity | quiet | payload;  // quiet NaN
      case 3: return sign | infinity | payload | 1;      // signalling NaN
      case 4: return sign | payload;                     // subnormal
      case 5: return sign | (infinity - 1);              // largest finite
      case 6: return sign | quiet << 1;                  // smallest normal
      default: return sign | ((quiet << 1) - 1);         // largest subnormal
    }
  }
  // Exponents close together, so that sums round, cancel and carry.
  const std::uint64_t middle = infinity / 2 >> fraction_bits;
  return sign | (middle - 6 + random.below(13)) << fraction_bits | (any & ((1ull << fraction_bits) - 1));
}

}  // namespace ts::test
