// Operands that come again, turn after turn, are kept once; nothing that differs is taken for the same.
#include "core/record/known_bounds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/record/recording.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

// Three times over the four rows of a view, each through the same two tiles.
constexpr const char* kRowByRow = R"(module attributes {pto.target_arch = "a5"} {
  func.func @rows(%src: !pto.ptr<f32>, %dst: !pto.ptr<f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %in = pto.make_tensor_view %src, shape = [%c4, %c64], strides = [%c64, %c1] : !pto.tensor_view<4x64xf32>
    %out = pto.make_tensor_view %dst, shape = [%c4, %c64], strides = [%c64, %c1] : !pto.tensor_view<4x64xf32>
    %a = pto.alloc_tile : !pto.tile_buf<vec, 1x64xf32>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 1x64xf32>
    scf.for %again = %c0 to %c3 step %c1 {
      scf.for %row = %c0 to %c4 step %c1 {
        %now = pto.partition_view %in, offsets = [%row, %c0], sizes = [%c1, %c64] : !pto.tensor_view<4x64xf32> -> !pto.partition_tensor_view<1x64xf32>
        %to = pto.partition_view %out, offsets = [%row, %c0], sizes = [%c1, %c64] : !pto.tensor_view<4x64xf32> -> !pto.partition_tensor_view<1x64xf32>
        pto.tload ins(%now : !pto.partition_tensor_view<1x64xf32>) outs(%a : !pto.tile_buf<vec, 1x64xf32>)
        pto.barrier <PIPE_ALL>
        pto.tadd ins(%a, %a : !pto.tile_buf<vec, 1x64xf32>, !pto.tile_buf<vec, 1x64xf32>) outs(%b : !pto.tile_buf<vec, 1x64xf32>)
        pto.barrier <PIPE_ALL>
        pto.tstore ins(%b : !pto.tile_buf<vec, 1x64xf32>) outs(%to : !pto.partition_tensor_view<1x64xf32>)
        pto.barrier <PIPE_ALL>
      }
    }
    return
  }
}
)";

}  // namespace

TEST_CASE("operands that come again are kept once, and each step has its own") {
  auto recording =
      Recording::run(std::move(open_text(kRowByRow).opened->program), {.budget_bytes = std::size_t{32} << 20});
  constexpr std::uint32_t kTurns = 12, kRowsOfView = 4;
  REQUIRE(recording->count() % kTurns == 0);
  const std::uint32_t in_turn = recording->count() / kTurns;
  std::set<const Bound*> loads;
  for (std::uint32_t step = 0; step < recording->count(); ++step) {
    const Bound& bound = recording->bound(step);
    if (bound.row->name != std::string_view("tload")) continue;
    loads.insert(&bound);
    CHECK(bound.global("src").address ==
          recording->bound(0).global("src").address + step / in_turn % kRowsOfView * 256);
  }
  CHECK(loads.size() == kRowsOfView);
}

TEST_CASE("a table of operands finds each of many, and only what is the same") {
  auto recording =
      Recording::run(std::move(open_text(kRowByRow).opened->program), {.budget_bytes = std::size_t{32} << 20});
  const Bound& load = recording->bound(0);
  std::deque<Bound> bounds;
  KnownBounds known;
  CHECK_FALSE(known.find(bounds, 0, load));
  constexpr std::uint32_t kMany = 3000;
  const auto moved = [&](std::uint32_t to) {
    Bound bound = load;
    bound.operands.front().global.address = to;
    return bound;
  };
  for (std::uint32_t i = 0; i < kMany; ++i) {
    bounds.push_back(moved(i * 4));
    known.add(bounds, i % 2);
  }
  for (std::uint32_t i = 0; i < kMany; ++i) {
    CHECK(known.find(bounds, i % 2, moved(i * 4)) == i);
    CHECK_FALSE(known.find(bounds, 1 - i % 2, moved(i * 4)));
    CHECK_FALSE(known.find(bounds, i % 2, moved(i * 4 + 1)));
  }
  // What the table does not look at is compared.
  Bound other = moved(0);
  other.operands.front().global.stride[3] += 1;
  CHECK_FALSE(known.find(bounds, 0, other));
  other = moved(0);
  other.core = 1;
  CHECK_FALSE(known.find(bounds, 0, other));
}

}  // namespace ts::test
