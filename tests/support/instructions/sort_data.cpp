// Keys out of a few, of any bits, or as they are.
#include "tests/support/instructions/sort_data.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "tests/oracle/effects.h"
#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

std::uint64_t random_key(Random& random, DType type) {
  if (random.one_in(4)) return random_element(random, type, Values::Special);
  const double value = random.pick<double>({0.0, -0.0, 1.0, 1.0, 2.0, -1.0, INFINITY, -INFINITY, NAN});
  const std::uint64_t sign = random.one_in(8) && std::isnan(value) ? std::uint64_t{1} << (8 * size_bytes(type) - 1) : 0;
  return from_double(type, value) | sign;
}

}  // namespace

void draw_keys(const Bound& bound, Random& random, const std::function<void(const ByteRange&, std::uint64_t)>& set) {
  if (random.one_in(5)) return;
  if (bound.row->name == std::string_view("tsort32")) {
    const TileRef& src = bound.tile("src");
    for (std::uint32_t row = 0; row < src.rows(); ++row)
      for (std::uint32_t col = 0; col < src.cols(); ++col)
        set(oracle::element_place(src, row, col), random_key(random, src.type.dtype));
  }
  if (bound.row->name != std::string_view("tmrgsort")) return;
  for (const Operand& operand : bound.operands) {
    if (operand.spec->role != Role::In || operand.spec->kind != OperandKind::Tile) continue;
    const TileRef& list = operand.tile;
    const DType type = list.type.dtype;
    const std::uint32_t step = 8 / size_bytes(type),
                        length = bound.has("block_len") ? static_cast<std::uint32_t>(bound.scalar("block_len").bits)
                                                        : list.cols();
    for (std::uint32_t first = 0; first < list.cols(); first += length) {
      std::vector<std::uint64_t> keys;
      for (std::uint32_t col = first; col + step <= std::min(first + length, list.cols()); col += step)
        keys.push_back(random_key(random, type));
      std::ranges::sort(keys, [&](std::uint64_t a, std::uint64_t b) {
        const double x = to_double(type, a), y = to_double(type, b);
        return !std::isnan(x) && (std::isnan(y) || x > y);
      });
      for (std::size_t i = 0; i < keys.size(); ++i)
        set(oracle::element_place(list, 0, first + static_cast<std::uint32_t>(i) * step), keys[i]);
    }
  }
}

}  // namespace ts::test
