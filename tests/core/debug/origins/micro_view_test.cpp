// Micro-operations as people look at them: every move has the same bits at both ends, whatever recorded it; repeats add
// up to what was read and written.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <set>
#include <string_view>

#include "core/debug/origins/micro_links.h"
#include "core/debug/origins/micro_repeats.h"
#include "core/debug/origins/micro_view.h"
#include "core/debug/session/session.h"
#include "tests/support/engine/micro_links.h"
#include "tests/support/record/recorded.h"
#include "tests/support/text/kernel_text.h"

namespace ts::test {
namespace {

// Whole repeats of blocks, and elements.
constexpr std::string_view kGathers = R"(module attributes {pto.target_arch = "a2a3"} {
  func.func @gathers() {
    %first = arith.constant 32 : i32
    %rows = pto.alloc_tile : !pto.tile_buf<vec, 4x64xf32>
    %blocks = pto.alloc_tile : !pto.tile_buf<vec, 2x16xi32>
    %elements = pto.alloc_tile : !pto.tile_buf<vec, 1x96xi32>
    %from_blocks = pto.alloc_tile : !pto.tile_buf<vec, 2x128xf32>
    %from_elements = pto.alloc_tile : !pto.tile_buf<vec, 1x96xf16>
    pto.texpands ins(%first : i32) outs(%blocks : !pto.tile_buf<vec, 2x16xi32>)
    pto.texpands ins(%first : i32) outs(%elements : !pto.tile_buf<vec, 1x96xi32>)
    pto.tgatherb ins(%rows, %blocks : !pto.tile_buf<vec, 4x64xf32>, !pto.tile_buf<vec, 2x16xi32>)
        outs(%from_blocks : !pto.tile_buf<vec, 2x128xf32>)
    pto.tgatherb ins(%rows, %elements : !pto.tile_buf<vec, 4x64xf32>, !pto.tile_buf<vec, 1x96xi32>)
        outs(%from_elements : !pto.tile_buf<vec, 1x96xf16>) {granularity = "element"}
    return
  }
})";

// Of bytes, whose lanes are halves of those of their offsets.
constexpr std::string_view kBytes = R"(module attributes {pto.target_arch = "a5"} {
  func.func @bytes() {
    %first = arith.constant 32 : i32
    %rows = pto.alloc_tile : !pto.tile_buf<vec, 4x64xui8>
    %elements = pto.alloc_tile : !pto.tile_buf<vec, 1x96xi32>
    %from_elements = pto.alloc_tile : !pto.tile_buf<vec, 1x96xui8>
    pto.texpands ins(%first : i32) outs(%elements : !pto.tile_buf<vec, 1x96xi32>)
    pto.tgatherb ins(%rows, %elements : !pto.tile_buf<vec, 4x64xui8>, !pto.tile_buf<vec, 1x96xi32>)
        outs(%from_elements : !pto.tile_buf<vec, 1x96xui8>) {granularity = "element"}
    return
  }
})";

void check_repeats(const Trace& trace, std::uint32_t micro, std::set<std::string>& seen) {
  const MicroStep& step = trace.steps[micro];
  const std::vector<MicroRepeat> repeats = repeats_of(trace, step);
  if (repeats.empty()) return;
  CAPTURE(trace.describe(step));
  seen.insert(step.op->name);
  std::uint32_t reads = 0, writes = 0;
  const std::uint32_t first_made = step.repeats.front().made;
  for (const MicroRepeat& repeat : repeats) {
    for (const RepeatInput& input : repeat.inputs) {
      const bool shared = input.value < step.made.front() + first_made;
      if (!shared || &repeat == &repeats.front()) reads += input.reads;
    }
    if (repeat.lanes) CHECK(trace.values[*repeat.lanes].kind == TraceValue::Kind::Predicate);
    CHECK(repeat.first_write == writes);
    writes += repeat.writes;
    if (repeat.writes > 0) REQUIRE(repeat.result);
  }
  CHECK(reads == step.reads.size());
  CHECK(writes == step.writes.size());
}

// What the index says, found by walking.
void check_index(const Trace& trace) {
  const MicroIndex index(trace);
  std::uint32_t made = 0;
  for (std::uint32_t micro = 0; micro < trace.steps.size(); ++micro) {
    REQUIRE(index.made_before(micro) == made);
    made += static_cast<std::uint32_t>(trace.steps[micro].made.size());
    for (const std::uint32_t id : trace.steps[micro].made) {
      REQUIRE(index.value(id).maker == micro);
      REQUIRE(size_bytes(index.value(id).type) == size_bytes(trace.values[id].type));
    }
    for (const TraceArg& arg : trace.steps[micro].args)
      if (arg.kind == TraceArg::Kind::Value) REQUIRE(index.needed_from(arg.value_id, micro));
  }
  CHECK(index.made_before(~0u) == trace.values.size());
}

// Names of micro-operations that had something to check.
struct Seen {
  std::set<std::string> moved, repeated;
};
void check_all(const Recorded& recorded, Seen& seen) {
  CAPTURE(recorded.name);
  Session session(recorded.recording);
  for (std::uint32_t step = 0; step < std::min(session.count(), 40u); ++step) {
    if (recorded.recording->bound(step).row->machines.trace == nullptr) continue;
    const Trace& trace = session.trace(step);
    check_index(trace);
    const std::string untrue = first_false_move(trace);
    CHECK_MESSAGE(untrue.empty(), untrue);
    for (std::uint32_t micro = 0; micro < std::min<std::size_t>(trace.steps.size(), 60); ++micro) {
      if (!moves_of(trace, micro).empty()) seen.moved.insert(trace.steps[micro].op->name);
      check_repeats(trace, micro, seen.repeated);
    }
  }
}

}  // namespace

TEST_CASE("micro view: what moved is the same at both ends, and repeats add up") {
  Seen seen;
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const Recorded& recorded : some_recordings(seed)) check_all(recorded, seen);
  check_all({"gathers", record_text(kGathers)}, seen);
  check_all({"bytes", record_text(kBytes)}, seen);
  for (const std::string op :
       {"vlds", "vsts", "vintlv", "vdintlv", "vsel", "vgather2", "vgatherb", "vnchwconv", "plds.US", "vsts.PK_B16"}) {
    CAPTURE(op);
    CHECK(seen.moved.contains(op));
  }
  for (const std::string op : {"vadd", "vector_dup", "vsel.mode1", "vsel.mode2", "vgatherb", "vgather"}) {
    CAPTURE(op);
    CHECK(seen.repeated.contains(op));
  }
}

TEST_CASE("micro view: lanes of registers and predicates") {
  TraceValue value;
  for (std::uint32_t i = 0; i < VL; ++i) value.bytes[i] = static_cast<std::uint8_t>(i / 8);
  CHECK(lane_bits(value, DType::U16, 5) == 0x0101);
  CHECK(lane_bits(value, DType::U64, 31) == 0x1F1F1F1F1F1F1F1F);
  CHECK(lane_runs(value, DType::U32).size() == 32);
  CHECK(lane_runs(value, DType::U32)[3].first == 6);
  TraceValue predicate;
  predicate.kind = TraceValue::Kind::Predicate;
  predicate.bytes[0] = 0x11;
  CHECK(lanes_on(predicate, DType::U32) == 2);
  CHECK(lane_is_on(predicate, DType::U32, 1));
  CHECK_FALSE(lane_is_on(predicate, DType::U16, 1));
  CHECK(lane_runs(predicate, DType::U32).size() == 2);
  CHECK(lane_runs(predicate, DType::U32)[1].end == 64);
}

// The first micro-step of that name in a step, and what it moved.
struct MicroCase {
  MicroCase(Session& session, std::uint32_t step, const std::string& name)
      : trace(session.trace(step)), index(trace, &session.recording().bound(step)) {
    const auto called = [&](const MicroStep& one) { return one.op->name == name; };
    const auto found = std::ranges::find_if(trace.steps, called);
    REQUIRE(found != trace.steps.end());
    micro = static_cast<std::uint32_t>(found - trace.steps.begin());
    moves = moves_of(trace, micro);
  }
  const MicroStep& step() const { return trace.steps[micro]; }
  Trace trace;
  MicroIndex index;
  std::uint32_t micro = 0;
  std::vector<MicroMove> moves;
};

TEST_CASE("micro view: halves that become words and halves again go where they go, and are shown as what they are") {
  Session session(record_sample("silu", {.target = Target::A5}));
  std::vector<std::uint32_t> conversions;
  for (std::uint32_t step = 0; step < session.count(); ++step)
    if (std::string_view(session.recording().bound(step).row->name) == "tcvt") conversions.push_back(step);
  REQUIRE(conversions.size() >= 2);

  const MicroCase load(session, conversions[0], "vlds.UNPK_B16");
  const TraceAccess& read = load.step().reads.front();
  const std::uint32_t loaded = load.step().made.front();
  const auto element_in_lane = origin_of(load.moves, {.value = loaded, .bit = 2 * 16});
  REQUIRE(element_in_lane);
  CHECK(element_in_lane->bit == 8 * std::uint64_t{read.address} + 16);
  CHECK_FALSE(origin_of(load.moves, {.value = loaded, .bit = 1 * 16}));
  CHECK(load.index.value(loaded).type == DType::F16);

  const MicroCase widened(session, conversions[0], "vcvt");
  CHECK(widened.moves.empty());
  CHECK(widened.index.value(widened.step().made.front()).type == DType::F32);

  const MicroCase store(session, conversions[1], "vsts.PK_B32");
  const TraceAccess& write = store.step().writes.front();
  CHECK(store.index.type_of(write) == DType::F16);
  const auto stored =
      origin_of(store.moves, {.memory = true, .space = write.space, .bit = 8 * std::uint64_t{write.address} + 16});
  REQUIRE(stored);
  CHECK_FALSE(stored->memory);
  CHECK(stored->bit == 32);
  CHECK(store.step().lane_bytes == 4);
}

TEST_CASE("micro view: the special registers as they stand") {
  Session session(record_sample("transpose"));
  const SpecialRegisters there = special_registers(session.memory_at(session.count()));
  CHECK_FALSE(there.counting);
  CHECK(there.taken_worth == Definedness::Never);
}

TEST_CASE("micro view: what a merge took of each list, on both targets") {
  for (const Target target : kBothTargets) {
    CAPTURE(target);
    KernelText kernel(target);
    kernel.buffer("x", "f32", 2, 64);
    kernel.tile("a", "1x64xf32", 0);
    kernel.tile("b", "1x64xf32", 0x200);
    kernel.tile("tmp", "1x128xf32", 0x400);
    kernel.tile("d", "1x128xf32", 0x800);
    kernel.load("a", "x", "0", "0", 1, 64);
    kernel.load("b", "x", "1", "0", 1, 64);
    kernel.line("%taken = arith.constant dense<0> : vector<4xi16>");
    kernel.line(
        "pto.tmrgsort ins(%a, %b, %tmp {exhausted = true} : !pto.tile_buf<vec, 1x64xf32>, !pto.tile_buf<vec, 1x64xf32>, "
        "!pto.tile_buf<vec, 1x128xf32>) outs(%d, %taken : !pto.tile_buf<vec, 1x128xf32>, vector<4xi16>)");
    // Keys go down; the first ten of b are above all of a.
    std::vector<std::uint32_t> words(128);
    for (std::uint32_t i = 0; i < 32; ++i) {
      words[2 * i] = std::bit_cast<std::uint32_t>(100.0f - static_cast<float>(i));
      words[64 + 2 * i] = std::bit_cast<std::uint32_t>(i < 10 ? 200.0f : 1.0f);
    }
    Session session(kernel.record({{"x", bytes_of_words(words)}}));
    REQUIRE(session.count() == 3);
    CHECK(special_registers(session.memory_at(2)).taken_worth == Definedness::Never);
    const SpecialRegisters there = special_registers(session.memory_at(3));
    CHECK(there.taken_worth == Definedness::Written);
    CHECK(there.taken[0] == 32);
    CHECK(there.taken[1] == 10);
    CHECK(there.taken[2] == 0);
  }
}

}  // namespace ts::test
