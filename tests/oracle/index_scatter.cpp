// TSCATTER. Every element of dst, valid or not, is zero but for what is put there. By index: over the valid region of
// indices, row by row, element number indices[r][c] of dst = src[r][c]; the last one stays (option tscatter.index: the
// element in column c of that row; option tscatter.outside: those outside dst are left out). By a pattern: over the valid
// region of src, dst[r][step * c + first], or dst[step * r + first][c], = src[r][c].
#include <map>

#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

Effects tscatter(const Bound& bound, const Before& before) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  Work work(bound, before);
  const std::uint32_t rows = dst.type.rows, cols = dst.type.cols;
  std::map<std::uint32_t, Value> elements;
  for (std::uint32_t number = 0; number < rows * cols; ++number) elements[number];
  if (bound.has("indices")) {
    const TileRef& indices = bound.tile("indices");
    for (std::uint32_t row = 0; row < indices.valid_rows; ++row)
      for (std::uint32_t col = 0; col < indices.valid_cols; ++col) {
        Value index = work.element("indices", row, col);
        for (Origin& origin : index.from) origin.kind = Origin::Kind::Decider;
        const bool of_rows = bound.options->scatter_rows != 0;
        if (index.bits >= (of_rows ? rows : rows * cols)) continue;
        const Value value = work.element("src", row, col);
        elements[static_cast<std::uint32_t>(of_rows ? index.bits * cols + col : index.bits)] =
            computed(value.bits, value, index);
      }
  } else {
    const std::string_view pattern = work.attribute("maskPattern");
    const std::uint32_t step = pattern == "p1111"                         ? 1
                               : pattern == "p0101" || pattern == "p1010" ? 2
                                                                          : 4,
                        first = step == 1 ? 0 : static_cast<std::uint32_t>(4 - pattern.rfind('1'));
    const bool down = work.attribute("scatterAxis") == "col";
    for (std::uint32_t row = 0; row < src.valid_rows; ++row)
      for (std::uint32_t col = 0; col < src.valid_cols; ++col)
        elements[down ? (step * row + first) * cols + col : row * cols + step * col + first] =
            work.element("src", row, col);
  }
  for (const auto& [number, value] : elements) work.put("dst", number / cols, number % cols, value);
  return work.take();
}

const Oracles index_scatter_oracles{{"tscatter", tscatter}};

}  // namespace
}  // namespace ts::oracle
