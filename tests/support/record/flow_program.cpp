// Drawing programs for data flow.
#include "tests/support/record/flow_program.h"

#include <cstring>
#include <vector>

#include "core/program/builder.h"
#include "tests/support/instructions/shapes.h"
#include "tests/support/instructions/stage.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kRows = 8, kCols = 16, kTileBytes = kRows * kCols * 4;

class Drawer {
 public:
  Drawer(Random& random, Target target) : random_(random), target_(target), builder_(target, "flow") {}

  Program program(std::uint32_t steps) {
    for (int i = 0; i < 5; ++i) wide_.push_back(builder_.tile("w", vec_tile(DType::F32, kRows, kCols)));
    for (int i = 0; i < 3; ++i) high_.push_back(builder_.tile("h", vec_tile(DType::F32, kCols, kRows)));
    for (int i = 0; i < 3; ++i) part_.push_back(builder_.tile("p", vec_tile(DType::F32, kRows, kCols, 5, 11)));
    mask_ = builder_.tile("mask", vec_tile(DType::U8, kRows, 32));
    by_element_ = builder_.tile("offsets", vec_tile(DType::U32, kRows, kCols));
    by_block_ = builder_.tile("blocks", vec_tile(DType::U32, kRows, 8, kRows, kCols * 4 / BLK));
    for (int i = 0; i < 3; ++i)
      numbers_.push_back(builder_.buffer(
          "g", DType::F32, 600, bytes(600, [&] { return random_element(random_, DType::F32, Values::Plain); })));
    const BufferId bits = builder_.buffer("bits", DType::U8, kRows * 32 + 32,
                                          bytes((kRows * 32 + 32) / 4, [&] { return random_.next(); }));
    const BufferId offsets = builder_.buffer("off", DType::U32, kRows * kCols,
                                             bytes(kRows * kCols, [&] { return random_.below(kTileBytes / 4) * 4; }));
    const BufferId blocks = builder_.buffer("blk", DType::U32, kRows * 2,
                                            bytes(kRows * 2, [&] { return random_.below(kTileBytes / BLK) * BLK; }));
    for (const TileId tile : wide_)
      if (random_.one_in(2)) load(tile, kRows, kCols);
    builder_.add("tload", {View{bits, kRows, 32}}, {mask_});
    builder_.add("tload", {View{offsets, kRows, kCols}}, {by_element_});
    builder_.add("tload", {View{blocks, kRows, 2}}, {by_block_});
    for (std::uint32_t i = 0; i < steps; ++i) one();
    return build(builder_);
  }

 private:
  template <class F>
  static std::vector<std::byte> bytes(std::uint32_t words, F word) {
    std::vector<std::byte> out(words * 4);
    for (std::uint32_t i = 0; i < words; ++i) {
      const std::uint64_t bits = word();
      std::memcpy(out.data() + i * 4, &bits, 4);
    }
    return out;
  }
  TileId any(const std::vector<TileId>& tiles) {
    return tiles[random_.below(static_cast<std::uint32_t>(tiles.size()))];
  }
  TileId other(const std::vector<TileId>& tiles, std::initializer_list<TileId> than) {
    for (;;) {
      const TileId tile = any(tiles);
      bool taken = false;
      for (const TileId one : than) taken = taken || one.index == tile.index;
      if (!taken) return tile;
    }
  }
  View view(std::uint32_t rows, std::uint32_t cols) {
    return {.buffer = any_buffer(),
            .rows = rows,
            .cols = cols,
            .pitch = cols + random_.below(2) * 8,
            .offset = random_.below(400)};
  }
  BufferId any_buffer() { return numbers_[random_.below(static_cast<std::uint32_t>(numbers_.size()))]; }
  void load(TileId tile, std::uint32_t rows, std::uint32_t cols) { builder_.add("tload", {view(rows, cols)}, {tile}); }
  Scalar scalar() { return {DType::F32, random_element(random_, DType::F32, Values::Plain)}; }

  void one() {
    const TileId a = any(wide_), b = any(wide_), to = any(wide_), apart = other(wide_, {a, b});
    switch (random_.below(target_ == Target::A5 ? 13 : 11)) {
      case 0: load(to, kRows, kCols); break;
      case 1: builder_.add("tstore", {a}, {view(kRows, kCols)}); break;
      case 2: builder_.add("tadd", {a, b}, {to}); break;
      case 3: builder_.add("tsels", {mask_, a, scalar()}, {to}); break;
      case 4: builder_.add("tsel", {mask_, a, b}, {to}); break;
      case 5: builder_.add("texpands", {scalar()}, {random_.one_in(2) ? to : any(part_)}); break;
      case 6:
        random_.one_in(2) ? builder_.add("ttrans", {a}, {any(high_)}) : builder_.add("ttrans", {any(high_)}, {to});
        break;
      case 7: builder_.add("tgatherb", {a, by_element_}, {other(wide_, {a})}, {{"granularity", "element"}}); break;
      case 8: builder_.add("tgatherb", {a, by_block_}, {other(wide_, {a})}, {{"granularity", "block"}}); break;
      case 9: builder_.add("tadd", {any(part_), any(part_)}, {any(part_)}); break;
      case 10: random_.one_in(2) ? load(any(part_), 5, 11) : builder_.add("tstore", {any(part_)}, {view(5, 11)}); break;
      case 11: builder_.add("tinterleave", {a, b}, {apart, other(wide_, {a, b, apart})}); break;
      default: builder_.add("tdeinterleave", {a, b}, {apart, other(wide_, {a, b, apart})}); break;
    }
  }

  Random& random_;
  Target target_;
  ProgramBuilder builder_;
  std::vector<TileId> wide_, high_, part_;
  TileId mask_{}, by_element_{}, by_block_{};
  std::vector<BufferId> numbers_;
};

}  // namespace

Program random_flow_program(Random& random, Target target, std::uint32_t steps) {
  return Drawer(random, target).program(steps);
}

}  // namespace ts::test
