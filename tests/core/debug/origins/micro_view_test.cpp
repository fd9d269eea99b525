// Micro-operations as people look at them: every move has the same bits at both ends, whatever recorded it; repeats add
// up to what was read and written.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <map>
#include <set>
#include <string_view>

#include "core/debug/origins/micro_repeats.h"
#include "core/debug/origins/micro_view.h"
#include "core/debug/session/session.h"
#include "tests/support/record/recorded.h"

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

// One bit as the micro-step saw it or left it.
std::optional<bool> bit_at(const Trace& trace, const std::vector<TraceAccess>& accesses, const MicroPlace& place) {
  if (!place.memory) return trace.values[place.value].bytes[place.bit / 8] >> (place.bit % 8) & 1;
  for (const TraceAccess& access : accesses) {
    const std::uint64_t byte = place.bit / 8;
    if (access.space != place.space || byte < access.address || byte >= std::uint64_t{access.address} + access.size)
      continue;
    return trace.bytes[access.after + (byte - access.address)] >> (place.bit % 8) & 1;
  }
  return {};
}

void check_moves(const Trace& trace, std::uint32_t micro, std::set<std::string>& seen) {
  const MicroStep& step = trace.steps[micro];
  for (MicroMove move : moves_of(trace, micro)) {
    seen.insert(step.op->name);
    for (std::uint32_t bit = 0; bit < move.bits; ++bit, ++move.from.bit, ++move.to.bit) {
      const auto from = bit_at(trace, step.reads, move.from), to = bit_at(trace, step.writes, move.to);
      if (from && from == to) continue;
      FAIL_CHECK(fmt::format("{} micro {}: bit {} of {}: {} {}", trace.describe(step), micro, bit, move.bits,
                             from.has_value(), to.has_value()));
      return;
    }
  }
}

void check_repeats(const Trace& trace, std::uint32_t micro, std::set<std::string>& seen) {
  const MicroStep& step = trace.steps[micro];
  const std::vector<MicroRepeat> repeats = repeats_of(trace, step);
  if (repeats.empty()) return;
  CAPTURE(trace.describe(step));
  seen.insert(step.op->name);
  std::uint32_t reads = 0, writes = 0;
  for (const MicroRepeat& repeat : repeats) {
    for (const RepeatInput& input : repeat.inputs)
      if (std::string_view(input.name) != "scalar")
        reads += input.reads;
      else if (&repeat == &repeats.front())
        reads += input.reads;
    CHECK(trace.values[repeat.lanes].kind == TraceValue::Kind::Predicate);
    CHECK(repeat.first_write == writes);
    writes += repeat.writes;
    REQUIRE(repeat.result);
    CHECK(trace.values[*repeat.result].kind == TraceValue::Kind::Register);
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
      REQUIRE(index.value(id).type == trace.steps[micro].type);
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
    for (std::uint32_t micro = 0; micro < std::min<std::size_t>(trace.steps.size(), 60); ++micro) {
      check_moves(trace, micro, seen.moved);
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

TEST_CASE("micro view: the special registers as they stand") {
  Session session(record_sample("transpose"));
  const SpecialRegisters there = special_registers(session.memory_at(session.count()));
  CHECK_FALSE(there.counting);
}

}  // namespace ts::test
