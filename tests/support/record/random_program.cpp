// Making and running long random programs.
#include "tests/support/record/random_program.h"

#include <doctest/doctest.h>

#include <cstring>

#include "core/a2a3/micro_ops.h"
#include "core/engine/step_context.h"
#include "tests/support/instructions/shapes.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/record/straight.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kLiveUb = 64 * 1024, kMostRows = 4, kMostCols = 136;

template <class F>
void for_live_part(const MemoryMap& map, F f) {
  f(map.origin(Space::Ub), kLiveUb);
  f(map.origin(Space::Spr), map.size(Space::Spr));
  f(map.origin(Space::Gm), map.size(Space::Gm));
}

}  // namespace

Program random_program(Random& random, Target target, std::uint32_t steps) {
  ProgramBuilder builder(target, "random");
  const auto tile_at = [&](const TileType& type) {
    const auto places = (kLiveUb - 1024) / BLK - static_cast<std::uint32_t>(type.size_bytes()) / BLK;
    return builder.tile("t", type, {.address = random.below(places) * BLK});
  };
  // Some tiles of each of a few valid shapes, so that an instruction finds operands that fit.
  struct Shape {
    std::int32_t rows, cols;
    std::vector<TileId> tiles;
  };
  std::vector<Shape> shapes{{4, 136, {}}, {1, 64, {}}, {3, 70, {}}, {4, 6, {}}, {2, 128, {}}};
  for (Shape& shape : shapes)
    for (int i = 0; i < 12; ++i)
      shape.tiles.push_back(tile_at(
          vec_tile(DType::F32, kMostRows, i % 2 == 0 ? kMostCols : (static_cast<std::uint32_t>(shape.cols) + 7) / 8 * 8,
                   shape.rows, shape.cols)));
  std::vector<TileId> masks, scratch;
  for (int i = 0; i < 8; ++i) masks.push_back(tile_at(vec_tile(DType::U8, kMostRows, 32)));
  for (int i = 0; i < 8; ++i) scratch.push_back(tile_at(vec_tile(DType::F32, 1, 8)));
  std::vector<BufferId> buffers;
  for (int i = 0; i < 4; ++i) {
    std::vector<std::byte> data(kMostRows * kMostCols * 4 * 2);
    for (std::size_t at = 0; at < data.size(); at += 4) {
      const std::uint64_t bits = random_element(random, DType::F32, Values::Plain);
      std::memcpy(data.data() + at, &bits, 4);
    }
    // The second half of one buffer starts as never written.
    if (i == 3) data.resize(data.size() / 2);
    builder.buffer("g", DType::F32, kMostRows * kMostCols * 2, data);
    buffers.push_back({static_cast<std::uint32_t>(i)});
  }
  const auto any = [&](const std::vector<TileId>& list) {
    return list[random.below(static_cast<std::uint32_t>(list.size()))];
  };
  for (std::uint32_t i = 0; i < steps; ++i) {
    const Shape& shape = shapes[random.below(static_cast<std::uint32_t>(shapes.size()))];
    const auto rows = static_cast<std::uint32_t>(shape.rows), cols = static_cast<std::uint32_t>(shape.cols);
    const View view{.buffer = buffers[random.below(4)],
                    .rows = rows,
                    .cols = cols,
                    .pitch = cols + random.below(2) * 4,
                    .offset = random.below(400)};
    switch (random.below(target == Target::A5 ? 5 : 4)) {
      case 0: builder.add("tload", {view}, {any(shape.tiles)}); break;
      case 1: builder.add("tstore", {any(shape.tiles)}, {view}); break;
      case 2: builder.add("tadd", {any(shape.tiles), any(shape.tiles)}, {any(shape.tiles)}); break;
      case 3: {
        std::vector<BuildOperand> inputs{any(masks), any(shape.tiles)};
        if (target == Target::A2A3) inputs.push_back(any(scratch));
        inputs.push_back(Scalar{DType::F32, random_element(random, DType::F32, Values::Special)});
        builder.add("tsels", inputs, {any(shape.tiles)});
        break;
      }
      default:
        builder.add("tdeinterleave", {any(shape.tiles), any(shape.tiles)}, {any(shape.tiles), any(shape.tiles)});
        break;
    }
  }
  return build(builder);
}

std::uint64_t live_hash(const Memory& memory) {
  std::uint64_t hash = 0;
  static std::vector<Definedness> defined;
  for_live_part(memory.map(), [&](Flat begin, std::uint32_t size) {
    defined.resize(size);
    for (std::uint32_t i = 0; i < size; ++i) defined[i] = memory.definedness(begin + i);
    hash = hash_of(defined.data(), size, hash_of(memory.base() + begin, size, hash));
  });
  return hash;
}

std::uint64_t live_hash(const MemoryMap& map, const std::vector<std::byte>& bytes,
                        const std::vector<Definedness>& defined) {
  std::uint64_t hash = 0;
  for_live_part(map, [&](Flat begin, std::uint32_t size) {
    hash = hash_of(defined.data() + begin, size, hash_of(bytes.data() + begin, size, hash));
  });
  return hash;
}

StraightRun::StraightRun(const Program& program)
    : program_(program), memory_(program.memory_map()), defined_(memory_.map().end(), Definedness::Never) {
  const MemoryMap& map = memory_.map();
  for (const BufferDecl& buffer : program.buffers) {
    if (buffer.data.empty()) continue;
    std::memcpy(memory_.bytes(Space::Gm, buffer.address, buffer.size()).data(), buffer.data.data(), buffer.data.size());
    std::fill_n(defined_.begin() + map.flat(Space::Gm, buffer.address), buffer.data.size(), Definedness::Written);
  }
  if (program.target == Target::A2A3) {
    memory_.set_element(Space::Spr, a2a3::kMask, 8, ~0ull);
    memory_.set_element(Space::Spr, a2a3::kMask + 8, 8, ~0ull);
    memory_.set_element(Space::Spr, a2a3::kMaskMode, 8, 0);
    std::fill_n(defined_.begin() + map.flat(Space::Spr, a2a3::kMask), 24, Definedness::Written);
  } else {
    memory_.set_element(Space::Spr, a5::kCtrl, 8, 0);
    std::fill_n(defined_.begin() + map.flat(Space::Spr, a5::kCtrl), 8, Definedness::Written);
  }
}

void StraightRun::step() {
  const Bound bound = bound_of(program_, position_++ % program_.instructions.size());
  StepContext context(memory_);
  const DType type = bound.tile(bound.row->typed_by).type.dtype;
  bound.row->machines.run().at(bound.target, type)(context, bound);
  REQUIRE(!context.fault);
  const auto mark = [&](const WritePattern& pattern, Definedness what) {
    for_runs(pattern, [&](Flat base, std::uint32_t size) { std::fill_n(defined_.begin() + base, size, what); });
  };
  for (const WritePattern& pattern : context.log) mark(pattern, Definedness::Written);
  for (const WritePattern& pattern : context.log.unspecified_ranges()) mark(pattern, Definedness::Unspecified);
}

}  // namespace ts::test
