// Operands that come again, turn after turn, are kept once; nothing that differs is taken for the same.
#include "core/record/known_bounds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/program/cores/schedule.h"
#include "core/record/recording.h"
#include "tests/support/record/recorded.h"
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
  std::vector<std::uint64_t> words;
  CHECK_FALSE(known.find(bounds, 0, load, words));
  constexpr std::uint32_t kMany = 3000;
  const auto moved = [&](std::uint32_t to) {
    Bound bound = load;
    bound.operands.front().global.address = to;
    return bound;
  };
  for (std::uint32_t i = 0; i < kMany; ++i) {
    bounds.push_back(moved(i * 4));
    CHECK_FALSE(known.find(bounds, i % 2, bounds.back(), words));
    known.add(i % 2, words, i);
  }
  for (std::uint32_t i = 0; i < kMany; ++i) {
    CHECK(known.find(bounds, i % 2, moved(i * 4), words) == i);
    CHECK_FALSE(known.find(bounds, 1 - i % 2, moved(i * 4), words));
    CHECK_FALSE(known.find(bounds, i % 2, moved(i * 4 + 1), words));
  }
  // What the table does not look at is compared.
  Bound other = moved(0);
  other.operands.front().global.stride[3] += 1;
  CHECK_FALSE(known.find(bounds, 0, other, words));
  other = moved(0);
  other.core = 1;
  CHECK_FALSE(known.find(bounds, 0, other, words));
}

// Walks through a program without running it: how many steps had words that an earlier one had.
std::uint32_t check_words(const Program& program) {
  const Memory memory(program.memory_map());
  Schedule walk(program, &memory, {.most_steps = 3000});
  std::map<std::tuple<std::uint32_t, CoreId, std::vector<std::uint64_t>>, Bound> known;
  std::uint32_t again = 0;
  while (walk.next()) {
    const std::uint32_t instruction = walk.instruction();
    std::vector<std::uint64_t> words;
    const bool has_words = walk.operand_words(instruction, words);
    const std::optional<Bound> bound = walk.bind(instruction);
    REQUIRE(has_words == bound.has_value());
    if (!bound) break;
    const auto [found, is_new] = known.try_emplace({instruction, walk.core(), words}, *bound);
    CHECK(found->second.operands == bound->operands);
    CHECK(found->second.attributes == bound->attributes);
    CHECK(found->second.pipe == bound->pipe);
    if (!is_new) ++again;
    walk.ran(*bound, {});
  }
  return again;
}

TEST_CASE("operands that are told in equal words are equal") {
  std::uint32_t again = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    again += check_words(record_random_text(seed, seed % 2 == 0 ? Target::A5 : Target::A2A3)->program());
  for (const char* sample :
       {"row_loop", "transpose_loop", "row_max_tree", "joined_pieces", "flash_attention", "scores_softmax"})
    again += check_words(record_sample(sample)->program());
  CHECK(again > 100);
}

}  // namespace ts::test
