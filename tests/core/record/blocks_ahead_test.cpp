// Blocks that another thread runs ahead: the recording is the same as without, whatever they share.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "core/record/block_owners.h"
#include "tests/support/record/recorded.h"
#include "tests/support/record/same_recording.h"
#include "tests/support/scale.h"
#include "tests/support/text/mixed_program.h"
#include "tests/support/text/random_mixed.h"

namespace ts::test {
namespace {

SharedRecording record_with(WalkLimits::Ahead ahead, const std::string& text, const OpenRequest& request,
                            RecordOptions options = {.budget_bytes = kPlentyOfBytes}) {
  options.limits.ahead = ahead;
  return record_text(text, request, options);
}

// The steps that were taken.
std::uint64_t check_both_ways(const std::string& text, const OpenRequest& request, std::uint32_t every = 1) {
  const auto alone = record_with(WalkLimits::Ahead::Never, text, request);
  const auto ahead = record_with(WalkLimits::Ahead::Early, text, request);
  CHECK(alone->taken_steps() == 0);
  check_same_steps(*alone, *ahead);
  check_same_states(*alone, *ahead, 1, every);
  CHECK(alone->digest() == ahead->digest());
  CHECK(alone->used_bytes() == ahead->used_bytes());
  return ahead->taken_steps();
}

// Each block works on rows of its own: so many rounds over a tile. `reads` and `writes`: the row where it begins, as a
// function of the block's number; `width`: columns of a row that it reads and writes.
struct Rows {
  std::string reads = "%block", writes = "%block";
  std::uint32_t rounds = 20, width = 64;
  std::string target = "a5";
};

std::string text_of(const Rows& rows) {
  return fmt::format(
      R"(module attributes {{pto.target_arch = "{4}"}} {{
  func.func @rows(%x: !pto.ptr<f32>, %out: !pto.ptr<f32>) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %rounds = arith.constant {2} : index
    %width = arith.constant {3} : index
    %block_i64 = pto.get_block_idx -> i64
    %block = arith.index_cast %block_i64 : i64 to index
    %before = arith.subi %block, %c1 : index
    %clear = arith.maxsi %before, %c0 : index
    %x_all = pto.make_tensor_view %x, shape = [%c256, %width], strides = [%width, %c1] : !pto.tensor_view<256x?xf32>
    %out_all = pto.make_tensor_view %out, shape = [%c256, %width], strides = [%width, %c1] : !pto.tensor_view<256x?xf32>
    %x_view = pto.partition_view %x_all, offsets = [{0}, %c0], sizes = [%c1, %width] : !pto.tensor_view<256x?xf32> -> !pto.partition_tensor_view<1x?xf32>
    %out_view = pto.partition_view %out_all, offsets = [{1}, %c0], sizes = [%c1, %width] : !pto.tensor_view<256x?xf32> -> !pto.partition_tensor_view<1x?xf32>
    %t = pto.alloc_tile valid_col = %width : !pto.tile_buf<vec, 1x64xf32, valid=1x?>
    %u = pto.alloc_tile valid_col = %width : !pto.tile_buf<vec, 1x64xf32, valid=1x?>
    pto.tload ins(%x_view : !pto.partition_tensor_view<1x?xf32>) outs(%t : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
    scf.for %i = %c0 to %rounds step %c1 {{
      pto.tadd ins(%t, %t : !pto.tile_buf<vec, 1x64xf32, valid=1x?>, !pto.tile_buf<vec, 1x64xf32, valid=1x?>) outs(%u : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
      pto.tabs ins(%u : !pto.tile_buf<vec, 1x64xf32, valid=1x?>) outs(%t : !pto.tile_buf<vec, 1x64xf32, valid=1x?>)
    }}
    pto.tstore ins(%t : !pto.tile_buf<vec, 1x64xf32, valid=1x?>) outs(%out_view : !pto.partition_tensor_view<1x?xf32>)
    return
  }}
}}
)",
      rows.reads, rows.writes, rows.rounds, rows.width, rows.target);
}

}  // namespace

TEST_CASE("blocks ahead: those that share nothing are taken, and the recording is the same") {
  for (const char* target : {"a5", "a2a3"}) {
    CAPTURE(target);
    OpenRequest request;
    request.blocks = 8;
    const std::string text = text_of({.rounds = 500, .target = target});
    std::uint64_t taken = 0;
    // How far the other thread comes is up to the machine.
    for (int i = 0; i < 20 && taken == 0; ++i) taken = check_both_ways(text, request, 997);
    CHECK(taken > 0);
  }
}

TEST_CASE("blocks ahead: what another block wrote is not taken from elsewhere") {
  OpenRequest request;
  request.blocks = 9;
  // Each block goes on where the one before it stopped; all write the same row; half a cache line belongs to the next one.
  for (const Rows& rows :
       {Rows{.reads = "%clear", .writes = "%block"}, Rows{.reads = "%block", .writes = "%c0"},
        Rows{.reads = "%c0", .writes = "%c0"}, Rows{.width = 8}, Rows{.width = 13}, Rows{.rounds = 0}}) {
    CAPTURE(rows.reads);
    CAPTURE(rows.width);
    std::string text = text_of(rows);
    // In and out are one.
    std::string same = text;
    for (std::size_t at = 0; (at = same.find("make_tensor_view %out,", at)) != std::string::npos;)
      same.replace(at, 22, "make_tensor_view %x,");
    for (int i = 0; i < rounds(2, 10, 100); ++i) {
      check_both_ways(text, request);
      check_both_ways(same, request);
    }
  }
}

TEST_CASE("blocks ahead: a run that ends in an error ends at the same step") {
  OpenRequest request;
  request.blocks = 6;
  // How many columns are valid stands in memory; of block 4 it is more than the tile has.
  std::string text = text_of(Rows{});
  const std::string tile = "%u = pto.alloc_tile valid_col = ", argument = "%out: !pto.ptr<f32>";
  text.replace(text.find(tile), tile.size() + std::string("%width").size(), tile + "%wide");
  text.replace(text.find(argument), argument.size(), argument + ", %wides: !pto.ptr<i32>");
  text.insert(text.find("    %t = "),
              "    %wide_i32 = pto.load_scalar %wides[%block] : !pto.ptr<i32> -> i32\n"
              "    %wide = arith.index_cast %wide_i32 : i32 to index\n");
  std::vector<std::byte> wides(4 * request.blocks);
  for (std::uint32_t i = 0; i < request.blocks; ++i) wides[4 * i] = static_cast<std::byte>(i == 4 ? 65 : 64);
  request.inputs.data["wides"] = wides;
  for (int i = 0; i < rounds(3, 10, 100); ++i) {
    const auto alone = record_with(WalkLimits::Ahead::Never, text, request);
    const auto ahead = record_with(WalkLimits::Ahead::Early, text, request);
    CHECK(alone->stop_reason() == StopReason::Error);
    CHECK(alone->step(alone->count() - 1).block == 4);
    check_same_steps(*alone, *ahead);
  }
}

TEST_CASE("blocks ahead: limits of steps and memory hold as without") {
  OpenRequest request;
  request.blocks = 8;
  const std::string text = text_of({.rounds = 300});
  RecordOptions few{.budget_bytes = kPlentyOfBytes};
  few.limits.most_steps = 2000;
  check_same_steps(*record_with(WalkLimits::Ahead::Never, text, request, few),
                   *record_with(WalkLimits::Ahead::Early, text, request, few));
  const RecordOptions small{.budget_bytes = std::size_t{1} << 20};
  const auto alone = record_with(WalkLimits::Ahead::Never, text, request, small);
  const auto ahead = record_with(WalkLimits::Ahead::Early, text, request, small);
  CHECK(alone->thinning());
  CHECK(alone->thinning().interval == ahead->thinning().interval);
  CHECK(alone->thinning().dense_start == ahead->thinning().dense_start);
  check_same_steps(*alone, *ahead);
  check_same_states(*alone, *ahead, 3, 501);
}

TEST_CASE("blocks ahead: cube and vector cores with their queues") {
  for (const Target target : {Target::A5, Target::A2A3})
    for (const int split : {0, 1}) {
      CAPTURE(split);
      OpenRequest request;
      request.blocks = 4;
      const MixedProgram program{.target = target, .entries = 20, .split = split};
      std::uint64_t taken = 0;
      for (int i = 0; i < 20 && taken == 0; ++i) {
        request.private_slots = true;
        taken = check_both_ways(text_of(program), request, 53);
      }
      // All blocks write the same rows.
      request.private_slots = false;
      check_both_ways(text_of(program), request, 53);
    }
}

TEST_CASE("blocks ahead: random programs of several cores and blocks") {
  for (int i = 0; i < rounds(6, 30, 600); ++i) {
    CAPTURE(i);
    Random random(static_cast<std::uint64_t>(i) + 75'000);
    const LeftOut left_out = static_cast<LeftOut>(i / 2 % 3);
    const RandomMixed mixed = random_mixed(random, i % 2 == 0 ? Target::A5 : Target::A2A3, left_out);
    OpenRequest request;
    request.blocks = mixed.blocks;
    check_both_ways(mixed.text, request, 7);
  }
}

TEST_CASE("blocks ahead: samples on several blocks") {
  for (const char* name :
       {"row_loop", "gelu", "layer_norm", "softmax_online", "top_k", "rope", "expert_routing", "mixed/projection_relu",
        "mixed/scores_softmax", "mixed/flash_attention", "mixed/two_phase_sum", "mixed/gate_experts",
        "mixed/int8_weights", "micro/product_to_vectors", "micro/joined_pieces", "cube/bf16_product"}) {
    CAPTURE(name);
    OpenRequest request;
    request.blocks = 4;
    const auto alone = [&](WalkLimits::Ahead how) {
      RecordOptions options{.budget_bytes = kPlentyOfBytes};
      options.limits.ahead = how;
      return record_sample(name, request, options);
    };
    const auto never = alone(WalkLimits::Ahead::Never), early = alone(WalkLimits::Ahead::Early);
    check_same_steps(*never, *early);
    check_same_states(*never, *early, 5, 29);
  }
}

TEST_CASE("blocks ahead: who wrote a piece of global memory") {
  const MemoryMap map(Target::A5, 4096);
  const Flat gm = map.origin(Space::Gm);
  BlockOwners owners(map);
  const auto range = [&](Flat from, Flat to) { return FlatRange{gm + from, gm + to}; };
  CHECK_FALSE(owners.is_of_another(3, range(0, 4096)));
  const WritePattern lines[] = {{gm + 128, 64, 256, 3}, {map.origin(Space::Ub), 4096, 4096, 1}};
  owners.wrote(3, lines);
  CHECK_FALSE(owners.is_of_another(3, range(0, 4096)));
  CHECK(owners.is_of_another(2, range(0, 4096)));
  CHECK(owners.is_of_another(2, range(128, 129)));
  CHECK(owners.is_of_another(2, range(191, 192)));
  CHECK_FALSE(owners.is_of_another(2, range(192, 384)));
  const WritePattern one[] = {{gm + 400, 4, 4, 1}};
  owners.wrote(2, one);
  // Nobody's alone.
  CHECK(owners.is_of_another(2, range(384, 400)));
  CHECK(owners.is_of_another(3, range(384, 400)));
  CHECK_FALSE(owners.is_of_another(3, range(128, 384)));
}

}  // namespace ts::test
