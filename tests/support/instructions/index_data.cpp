// Indices inside their tiles, counts of columns that there are, limits that some elements meet, lists that are sorted.
#include "tests/support/instructions/index_data.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "tests/oracle/effects.h"
#include "tests/support/instructions/shapes.h"
#include "tests/support/instructions/sort_data.h"
#include "tests/support/instructions/stage.h"

namespace ts::test {
namespace {

using Set = std::function<void(const ByteRange&, std::uint64_t)>;

template <class F>
void each_element(const TileRef& tile, F f) {
  for (std::uint32_t row = 0; row < tile.rows(); ++row)
    for (std::uint32_t col = 0; col < tile.cols(); ++col) f(oracle::element_place(tile, row, col));
}

// Each below `limit`; with an option that allows it some are not.
void set_indices(const TileRef& indices, std::uint32_t limit, bool some_outside, bool repeat, Random& random,
                 const Set& set) {
  const std::uint32_t most = indices.elem_bytes() == 2 ? std::min(limit, 65536u) : limit;
  std::uint32_t next = random.below(most);
  const std::uint32_t step = random.between(1, 7);
  each_element(indices, [&](const ByteRange& place) {
    next = repeat ? random.below(random.one_in(3) ? std::min(most, 4u) : most) : (next + step) % most;
    std::uint32_t index = next;
    if (some_outside && random.one_in(5))
      index = random.pick({limit, limit + 1, 0xFFFFFFFFu, 0x7FFFFFFFu, 0x80000000u});
    set(place, index);
  });
}

std::uint64_t small_number(Random& random, DType type) {
  return from_double(type, static_cast<double>(random.below(6)) - (is_float(type) || is_signed_int(type) ? 2 : 0));
}
// Elements of both are small numbers, some with a fraction, others than which comparisons would not tell apart.
void set_limits(const Bound& bound, Random& random, const Set& set) {
  if (random.one_in(5)) return;
  const TileRef& src = bound.tile("src");
  each_element(src, [&](const ByteRange& place) {
    if (random.one_in(8)) return;
    const bool fraction = is_float(src.type.dtype) && random.one_in(4);
    set(place, fraction ? from_double(src.type.dtype, random.below(5) - 1.5) : small_number(random, src.type.dtype));
  });
  const Operand& limit = *bound.find("limit");
  if (limit.spec->kind != OperandKind::Tile) return;
  each_element(limit.tile, [&](const ByteRange& place) { set(place, small_number(random, limit.tile.type.dtype)); });
}

// As many columns as the source has, or fewer; in bytes of their own type.
void set_counts(const TileRef& counts, const TileRef& source, Random& random, const Set& set) {
  each_element(counts, [&](const ByteRange& place) {
    set(place, std::uint64_t{random.one_in(6) ? source.cols() : random.below(source.valid_cols + 1)} * place.size);
  });
}

}  // namespace

bool takes_indices(const InstructionRow& row) {
  constexpr std::string_view kNames[] = {"tgather", "tscatter", "tsort32", "tmrgsort", "tconcatidx"};
  return std::ranges::find(kNames, std::string_view(row.name)) != std::end(kNames);
}

void draw_indices(const Program& program, Random& random, const Set& set) {
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Bound bound = bound_of(program, i);
    if (!takes_indices(*bound.row)) continue;
    draw_keys(bound, random, set);
    if (bound.has("indices1")) {
      set_counts(bound.tile("indices0"), bound.tile("src0"), random, set);
      set_counts(bound.tile("indices1"), bound.tile("src1"), random, set);
    }
    if (bound.has("counts")) set_limits(bound, random, set);
    if (!bound.has("indices") || bound.row->name == std::string_view("tsort32")) continue;
    const bool gathers = bound.row->name == std::string_view("tgather");
    const TileRef& meant = bound.tile(gathers ? "src" : "dst");
    const bool rows = !gathers && bound.options->scatter_rows != 0;
    const bool outside = gathers ? bound.options->gather_outside != 0 : bound.options->scatter_outside != 0;
    set_indices(bound.tile("indices"), rows ? meant.rows() : meant.rows() * meant.cols(), outside, random.one_in(2),
                random, set);
  }
}

}  // namespace ts::test
