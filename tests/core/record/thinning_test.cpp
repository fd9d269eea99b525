// Recordings longer than their budget: what thinning dropped comes back by running steps again, and nobody can tell.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "core/record/inspector.h"
#include "core/record/recording.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/record/random_program.h"
#include "tests/support/record/straight.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kThinnedRun = 700;  // steps
constexpr std::size_t kKiB = 1024;
const RecordOptions kPlenty{.budget_bytes = std::size_t{256} << 20};

Program program_of(Target target, std::uint64_t seed, std::uint32_t steps = kThinnedRun) {
  Random random(seed);
  return random_program(random, target, steps);
}

// A recording of all steps that had to thin.
std::unique_ptr<Recording> record_thinned(const Program& program, std::size_t budget) {
  auto recording = Recording::run(program, {.budget_bytes = budget});
  REQUIRE(recording->count() == program.instructions.size());
  REQUIRE(recording->stop_reason() == StopReason::End);
  REQUIRE(recording->thinning());
  REQUIRE(recording->thinning().dense_start > 64);
  REQUIRE(recording->thinning().dense_start <= recording->count());
  return recording;
}

// By position. `rounds`: how often the program runs, each time on what the last one left.
std::vector<std::uint64_t> straight_hashes(const Program& program, std::uint32_t rounds = 1) {
  StraightRun run(program);
  std::vector<std::uint64_t> hashes{run.hash()};
  while (run.position() < rounds * program.instructions.size()) {
    run.step();
    hashes.push_back(run.hash());
  }
  return hashes;
}

void check_position(Inspector& inspector, std::uint32_t position, std::uint64_t hash) {
  const bool same = live_hash(inspector.at(position)) == hash;
  CAPTURE(position);
  CHECK(same);
  CHECK(inspector.position() == position);
}

std::vector<std::string> descriptions(const Trace& trace) {
  std::vector<std::string> out;
  for (const MicroStep& step : trace.steps) out.push_back(trace.describe(step));
  return out;
}

// The sources of some elements of the step's tile results.
std::vector<std::vector<Source>> some_sources(Inspector& inspector, const Bound& bound, std::uint32_t step) {
  const Flow flow = inspector.flow(step);
  std::vector<std::vector<Source>> out;
  for (std::size_t i = 0; i < bound.operands.size(); ++i) {
    const Operand& operand = bound.operands[i];
    if (operand.spec->role != Role::Out || operand.spec->kind != OperandKind::Tile) continue;
    for (std::uint32_t row = 0; row < operand.tile.rows(); ++row)
      for (std::uint32_t col = row; col < operand.tile.cols(); col += 29)
        out.push_back(flow.sources(static_cast<int>(i), row, col));
  }
  return out;
}

}  // namespace

TEST_CASE("recording thinned: every position, in random order, is that of a straight run") {
  for (const Target target : kBothTargets) {
    const Program program = program_of(target, 41);
    const std::vector<std::uint64_t> hashes = straight_hashes(program);
    for (const std::size_t budget : {600 * kKiB, 800 * kKiB, 1200 * kKiB}) {
      if (kSanitized && budget != 600 * kKiB) continue;
      CAPTURE(std::string(name(target)));
      CAPTURE(budget);
      const auto recording = record_thinned(program, budget);
      CHECK(live_hash(recording->final_memory()) == hashes.back());
      Inspector inspector(*recording);
      Random random(42);
      std::vector<std::uint32_t> order;
      for (std::uint32_t position = 0; position <= kThinnedRun; ++position)
        order.insert(order.begin() + random.below(position + 1), position);
      if (kSanitized) order.resize(order.size() / 8);
      for (const std::uint32_t position : order) check_position(inspector, position, hashes[position]);
    }
  }
}

TEST_CASE("recording thinned: the budget holds") {
  for (const std::size_t budget : {700 * kKiB, 1000 * kKiB, 2000 * kKiB}) {
    CAPTURE(budget);
    const auto recording = record_thinned(program_of(Target::A5, 43), budget);
    const std::size_t snapshots = recording->timeline().used_bytes();
    REQUIRE(recording->used_bytes() > snapshots);
    CHECK((recording->used_bytes() <= budget + kKiB || snapshots <= budget / 4));
  }
}

TEST_CASE("recording thinned: every byte of every memory is that of a recording with plenty of budget") {
  for (const Target target : kBothTargets) {
    CAPTURE(std::string(name(target)));
    const Program program = program_of(target, 44);
    const auto all = Recording::run(program, kPlenty), few = record_thinned(program, 700 * kKiB);
    REQUIRE(!all->thinning());
    Inspector expected(*all), inspector(*few);
    Random random(45);
    for (int i = 0; i < 30; ++i) {
      const std::uint32_t position = random.below(kThinnedRun + 1);
      CAPTURE(position);
      CHECK(same_memories(inspector.at(position), expected.at(position)));
    }
  }
}

TEST_CASE("recording thinned: forwards and backwards, step by step") {
  const Program program = program_of(Target::A2A3, 46);
  const std::vector<std::uint64_t> hashes = straight_hashes(program);
  const auto recording = record_thinned(program, 700 * kKiB);
  Inspector inspector(*recording);
  constexpr std::uint32_t kStep = kSanitized ? 3 : 1;
  for (std::uint32_t position = 0; position <= kThinnedRun; position += kStep)
    check_position(inspector, position, hashes[position]);
  for (std::uint32_t position = kThinnedRun; position >= kStep; position -= kStep)
    check_position(inspector, position - kStep, hashes[position - kStep]);
}

TEST_CASE("recording thinned: micro-steps, flow, writes and findings are those of a recording with plenty of budget") {
  for (const Target target : kBothTargets) {
    CAPTURE(std::string(name(target)));
    const Program program = program_of(target, 47);
    const std::vector<std::uint64_t> hashes = straight_hashes(program);
    const auto all = Recording::run(program, kPlenty), few = record_thinned(program, 700 * kKiB);
    CHECK(few->findings().size() == all->findings().size());
    for (std::uint32_t step = 0; step < kThinnedRun; ++step)
      CHECK(std::ranges::equal(few->writes(step), all->writes(step)));
    Inspector expected(*all), inspector(*few);
    Random random(48);
    for (int i = 0; i < (kSanitized ? 20 : 150); ++i) {
      const std::uint32_t step = random.below(kThinnedRun);
      CAPTURE(step);
      if (random.one_in(2)) {
        const Trace trace = inspector.trace(step), other = expected.trace(step);
        CHECK(inspector.position() == step + 1);
        CHECK(descriptions(trace) == descriptions(other));
        CHECK(trace.bytes == other.bytes);
      } else {
        CHECK(some_sources(inspector, few->bound(step), step) == some_sources(expected, all->bound(step), step));
        CHECK(inspector.position() == step);
      }
      // Here, next, before, or anywhere.
      const std::uint32_t position =
          random.pick({step, step + 1, step - std::min(step, 1u), random.below(kThinnedRun + 1)});
      check_position(inspector, position, hashes[position]);
    }
  }
}

TEST_CASE("recording thinned: the digest is that of a recording with plenty of budget") {
  for (const Target target : kBothTargets) {
    const Program program = program_of(target, 49);
    const std::string digest = Recording::run(program, kPlenty)->digest();
    CHECK(record_thinned(program, 600 * kKiB)->digest() == digest);
    CHECK(record_thinned(program, 1500 * kKiB)->digest() == digest);
    Program other = program;
    other.buffers[1].data[40] ^= std::byte{1};
    CHECK(record_thinned(other, 600 * kKiB)->digest() != digest);
  }
}

TEST_CASE("recording thinned: an inspector from before a thinning stays right") {
  const Program program = program_of(Target::A5, 50);
  const std::vector<std::uint64_t> hashes = straight_hashes(program, 2);
  const auto recording = record_thinned(program, 700 * kKiB);
  Inspector inspector(*recording);
  Random random(51);
  const std::uint32_t times = recording->thinning().times;
  for (std::uint32_t step = 0; step < kThinnedRun; ++step) {
    REQUIRE(recording->execute(step));
    // The newest positions come from snapshots, whose versions get other numbers.
    if (step % 3 == 0) check_position(inspector, recording->count(), hashes[recording->count()]);
    if (step % 20 == 0) {
      const std::uint32_t position = random.below(recording->count() + 1);
      check_position(inspector, position, hashes[position]);
    }
  }
  CHECK(recording->thinning().times > times);
}

TEST_CASE("recording thinned: a step that faults is undone") {
  ProgramBuilder builder(Target::A5, "fault");
  const std::uint32_t capacity = capacity_bytes(Target::A5, Space::Ub);
  // A load of 256 bytes from the last tile would end past UB.
  const TileType type = vec_tile(DType::F32, 2, 8, 2, 3);
  const TileId a = builder.tile("a", type, {.address = 0}), b = builder.tile("b", type, {.address = 0x4000});
  const TileId last = builder.tile("last", type, {.address = capacity - 2 * BLK});
  builder.add("tload", {View{builder.buffer("g", DType::F32, std::vector<double>{1, 2, 3, 4, 5, 6}), 2, 3}}, {a});
  builder.add("tload", {View{BufferId{0}, 2, 3}}, {b});
  for (std::uint32_t i = 0; i < kThinnedRun; ++i) builder.add("tadd", {a, b}, {i % 3 == 0 ? a : b});
  builder.add("tadd", {a, last}, {b});
  const Program program = build(builder);
  const auto recording = Recording::run(program, {.budget_bytes = 100 * kKiB});
  CHECK(recording->stop_reason() == StopReason::Error);
  CHECK(recording->count() == kThinnedRun + 2);
  REQUIRE(recording->thinning());
  Program before = program;
  before.instructions.pop_back();
  const auto straight = Recording::run(before, kPlenty);
  CHECK(same_memories(recording->final_memory(), straight->final_memory()));
  CHECK(recording->digest() == straight->digest());
  Inspector inspector(*recording), expected(*straight);
  for (std::uint32_t position = 0; position <= recording->count(); position += 37)
    CHECK(same_memories(inspector.at(position), expected.at(position)));
}

TEST_CASE("recording thinned: a long recording is thinned many times, and holds its budget") {
  constexpr std::uint32_t kLong = kSanitized ? 8000 : 200000, kLoop = 100;
  constexpr std::size_t kBudget = (kSanitized ? std::size_t{4} : std::size_t{64}) << 20;
  for (const Target target : kBothTargets) {
    CAPTURE(std::string(name(target)));
    const Program program = program_of(target, 52, kLoop);
    const auto recording = Recording::run(program, {.budget_bytes = kBudget});
    while (recording->count() < kLong) REQUIRE(recording->execute(recording->count() % kLoop));
    CHECK(recording->thinning().times >= 5);
    CHECK(recording->thinning().interval <= 4096);
    CHECK(recording->used_bytes() <= kBudget + kKiB);
    // The newest part needs no replay.
    CHECK(recording->thinning().dense_start < kLong - 100);

    Random random(53);
    std::map<std::uint32_t, std::uint64_t> hashes;
    for (int i = 0; i < (kSanitized ? 20 : 60); ++i) hashes[random.below(kLong + 1)];
    hashes[kLong];
    StraightRun run(program);
    for (auto& [position, hash] : hashes) {
      while (run.position() < position) run.step();
      hash = run.hash();
    }
    Inspector inspector(*recording);
    for (int i = 0; i < (kSanitized ? 20 : 200); ++i) {
      const auto wanted = std::next(hashes.begin(), random.below(static_cast<std::uint32_t>(hashes.size())));
      check_position(inspector, wanted->first, wanted->second);
    }
    CHECK(live_hash(recording->final_memory()) == hashes[kLong]);
  }
}

}  // namespace ts::test
