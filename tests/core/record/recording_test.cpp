// The recorder: every position of a long run brings back every byte and its definedness, in any order; two recordings
// have one digest; running out of budget and looking into steps do no harm.
#include "core/record/recording.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "core/record/inspector.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/record/random_program.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kLongRun = kSanitized ? 600 : 10000;  // steps
constexpr std::uint32_t kWholeStates = 40;                    // positions whose every byte is compared

struct WholeState {
  std::uint32_t position;
  std::vector<std::byte> bytes;
  std::vector<Definedness> defined;
};

// What a straight run passes through: a hash of every position, and all of some.
struct Reference {
  explicit Reference(const Program& program) {
    StraightRun run(program);
    const auto count = static_cast<std::uint32_t>(program.instructions.size());
    while (true) {
      hashes.push_back(run.hash());
      if (run.position() % (count / kWholeStates) == 0 || run.position() == count)
        whole.push_back({run.position(), run.bytes(), run.defined()});
      if (run.position() == count) break;
      run.step();
    }
  }
  std::vector<std::uint64_t> hashes;
  std::vector<WholeState> whole;
};

// Live bytes by hash, for every position.
bool same(const Memory& memory, const Reference& reference, std::uint32_t position) {
  return live_hash(memory) == reference.hashes[position];
}

// Every byte of every memory.
bool same(const Memory& memory, const WholeState& state) {
  if (std::memcmp(memory.base() + kFirstFlat, state.bytes.data() + kFirstFlat, memory.map().end() - kFirstFlat) != 0)
    return false;
  for (Flat at = kFirstFlat; at < memory.map().end(); ++at)
    if (memory.definedness(at) != state.defined[at]) return false;
  return true;
}

std::vector<std::uint32_t> shuffled(Random& random, std::uint32_t count) {
  std::vector<std::uint32_t> order(count);
  for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
  for (std::uint32_t i = count; i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
  return order;
}

Program small_program(Target target, std::uint32_t steps, std::uint64_t seed = 11) {
  Random random(seed);
  return random_program(random, target, steps);
}

}  // namespace

TEST_CASE("recording: every position of a long random program, in random order, is that of a straight run") {
  for (const Target target : kBothTargets) {
    CAPTURE(std::string(name(target)));
    const Program program = small_program(target, kLongRun);
    const Reference reference(program);
    const auto recording = Recording::run(program, {.budget_bytes = std::size_t{1} << 30});
    REQUIRE(recording->count() == kLongRun);
    REQUIRE(recording->stop_reason() == StopReason::End);
    CHECK(same(recording->final_memory(), reference, kLongRun));
    CHECK(same(recording->final_memory(), reference.whole.back()));
    Inspector inspector(*recording);
    CHECK(same(inspector.at(0), reference, 0));
    Random random(12);
    std::uint32_t wrong = 0;
    for (const std::uint32_t position : shuffled(random, kLongRun + 1)) {
      if (same(inspector.at(position), reference, position)) continue;
      CAPTURE(position);
      FAIL_CHECK("another state than in a straight run");
      if (++wrong == 5) break;
    }
    for (const std::uint32_t i : shuffled(random, static_cast<std::uint32_t>(reference.whole.size()))) {
      CAPTURE(reference.whole[i].position);
      CHECK(same(inspector.at(reference.whole[i].position), reference.whole[i]));
    }
    // Past the end is the end.
    CHECK(same(inspector.at(kLongRun + 5), reference, kLongRun));
    CHECK(inspector.position() == kLongRun);
  }
}

TEST_CASE("recording: n steps on and n steps back") {
  for (const Target target : kBothTargets) {
    CAPTURE(std::string(name(target)));
    constexpr std::uint32_t kCount = 600;
    const Program program = small_program(target, kCount, 13);
    const Reference reference(program);
    const auto recording = Recording::run(program, {.budget_bytes = std::size_t{256} << 20});
    Inspector inspector(*recording);
    for (const std::uint32_t n : {1u, 2u, 7u, 100u, kCount}) {
      CAPTURE(n);
      for (std::uint32_t start = 0; start + n <= kCount; start += std::max(n / 2, 23u)) {
        CAPTURE(start);
        for (std::uint32_t p = start; p <= start + n; ++p) inspector.at(p);
        CHECK(same(inspector.at(start + n), reference, start + n));
        for (std::uint32_t p = start + n; p > start; --p) inspector.at(p - 1);
        CHECK(same(inspector.at(start), reference, start));
      }
    }
  }
}

TEST_CASE("recording: tracing steps and asking for their flow does not disturb the positions") {
  for (const Target target : kBothTargets) {
    CAPTURE(std::string(name(target)));
    constexpr std::uint32_t kCount = 300;
    const Program program = small_program(target, kCount, 14);
    const Reference reference(program);
    const auto recording = Recording::run(program, {.budget_bytes = std::size_t{256} << 20});
    Inspector inspector(*recording);
    Random random(15);
    for (int i = 0; i < 400; ++i) {
      const std::uint32_t step = random.below(kCount), position = random.below(kCount + 1);
      CAPTURE(step);
      CAPTURE(position);
      switch (random.below(3)) {
        case 0: inspector.trace(step); break;
        case 1: inspector.flow(step); break;
        default: break;
      }
      if (!same(inspector.at(position), reference, position)) FAIL_CHECK("another state than in a straight run");
    }
  }
}

TEST_CASE("recording: the trace machine ends where the next position is") {
  constexpr std::uint32_t kCount = 120;
  for (const Target target : kBothTargets) {
    const Program program = small_program(target, kCount, 16);
    const auto recording = Recording::run(program, {.budget_bytes = std::size_t{256} << 20});
    Inspector inspector(*recording);
    for (std::uint32_t step = 0; step < kCount; ++step) {
      CAPTURE(step);
      const Trace trace = inspector.trace(step);
      CHECK(inspector.position() == step + 1);
      // The writes of the trace, put on the state before, give the state after.
      const Memory& before = inspector.at(step);
      std::vector<std::byte> bytes(before.base(), before.base() + before.map().end());
      for (const MicroStep& micro : trace.steps) {
        for (const TraceAccess& write : micro.writes) {
          std::byte* place = bytes.data() + before.map().flat(write.place());
          CHECK(std::memcmp(place, trace.bytes.data() + write.before, write.size) == 0);
          std::memcpy(place, trace.bytes.data() + write.after, write.size);
        }
      }
      const Memory& after = inspector.at(step + 1);
      CHECK(std::memcmp(bytes.data() + kFirstFlat, after.base() + kFirstFlat, bytes.size() - kFirstFlat) == 0);
    }
  }
}

TEST_CASE("recording: the write log of a step covers every byte that changes") {
  constexpr std::uint32_t kCount = 300;
  for (const Target target : kBothTargets) {
    const auto recording = Recording::run(small_program(target, kCount, 17), {.budget_bytes = std::size_t{256} << 20});
    Inspector inspector(*recording);
    std::vector<std::byte> before;
    for (std::uint32_t step = 0; step < kCount; ++step) {
      const Memory& first = inspector.at(step);
      before.assign(first.base(), first.base() + first.map().end());
      const Memory& after = inspector.at(step + 1);
      for (const WritePattern& pattern : recording->writes(step))
        for_runs(pattern,
                 [&](Flat base, std::uint32_t size) { std::memcpy(before.data() + base, after.base() + base, size); });
      CAPTURE(step);
      CHECK(std::memcmp(before.data() + kFirstFlat, after.base() + kFirstFlat, before.size() - kFirstFlat) == 0);
    }
  }
}

TEST_CASE("recording: two recordings of one program have one digest; any other input, program or target another") {
  const RecordOptions options{.budget_bytes = std::size_t{256} << 20};
  for (const Target target : kBothTargets) {
    Program program = small_program(target, 300, 18);
    const std::string digest = Recording::run(program, options)->digest();
    CHECK(digest.size() == 32);
    CHECK(Recording::run(program, options)->digest() == digest);
    CHECK(Recording::run(program, {.budget_bytes = std::size_t{200} << 20})->digest() == digest);
    program.buffers[2].data[17] ^= std::byte{1};
    CHECK(Recording::run(program, options)->digest() != digest);
    program.buffers[2].data[17] ^= std::byte{1};
    CHECK(Recording::run(program, options)->digest() == digest);
    program.instructions.pop_back();
    CHECK(Recording::run(program, options)->digest() != digest);
  }
  CHECK(Recording::run(small_program(Target::A5, 50, 19), options)->digest() !=
        Recording::run(small_program(Target::A5, 50, 20), options)->digest());
}

TEST_CASE("recording: a budget too small for two states stops the run, and what is there is right") {
  for (const Target target : kBothTargets) {
    CAPTURE(std::string(name(target)));
    constexpr std::uint32_t kCount = 600;
    const Program program = small_program(target, kCount, 21);
    const Reference reference(program);
    // Budgets that end at different places of a step's pages.
    for (std::size_t budget = 60 * 1024; budget < 120 * 1024; budget += (kSanitized ? 4 : 1) * (2048 - 512)) {
      CAPTURE(budget);
      const auto recording = Recording::run(program, {.budget_bytes = budget});
      const std::uint32_t count = recording->count();
      CHECK(recording->stop_reason() == StopReason::Budget);
      REQUIRE(count < kCount);
      REQUIRE(count > 0);
      CHECK(recording->timeline().used_bytes() <= budget);
      CHECK(same(recording->final_memory(), reference, count));
      Inspector inspector(*recording);
      for (std::uint32_t position = 0; position <= count; position += 1 + count / 50)
        CHECK(same(inspector.at(position), reference, position));
      CHECK(same(inspector.at(count), reference, count));
      CHECK(!recording->execute(0));
      // The same as a run that was meant to end there.
      Program shorter = program;
      shorter.instructions.resize(count);
      CHECK(Recording::run(shorter, {.budget_bytes = std::size_t{64} << 20})->digest() == recording->digest());
    }
  }
}

TEST_CASE("recording: a budget too small for the inputs runs nothing") {
  const auto recording = Recording::run(small_program(Target::A5, 10, 22), {.budget_bytes = 4096});
  CHECK(recording->count() == 0);
  CHECK(recording->stop_reason() == StopReason::Budget);
}

TEST_CASE("recording: inputs are defined where they were given, the rest was never written") {
  ProgramBuilder builder(Target::A5, "inputs");
  const BufferId g = builder.buffer("g", DType::U8, 5000, std::vector<std::byte>(3000, std::byte{7}));
  builder.buffer("h", DType::U8, 100);
  const TileId t = builder.tile("t", vec_tile(DType::U8, 1, 32));
  builder.add("tload", {View{g, 1, 32}}, {t});
  const auto recording = Recording::run(build(builder), {.budget_bytes = 4 << 20});
  Inspector inspector(*recording);
  const Memory& memory = inspector.at(0);
  const Flat gm = memory.map().origin(Space::Gm);
  for (std::uint32_t at = 0; at < memory.map().size(Space::Gm); ++at) {
    if (memory.definedness(gm + at) == (at < 3000 ? Definedness::Written : Definedness::Never)) continue;
    CAPTURE(at);
    FAIL_CHECK("wrong definedness");
    break;
  }
  CHECK(memory.element(Space::Gm, 2999, 1) == 7);
  // On-chip memory starts as 0xCD, never written.
  for (const Space space : {Space::Ub, Space::L1, Space::L0a, Space::L0b, Space::L0c, Space::Bias, Space::Fixpipe}) {
    CAPTURE(std::string(name(space)));
    const auto bytes = memory.bytes(space, 0, memory.map().size(space));
    CHECK(std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0xCD}; }));
    CHECK(memory.definedness(memory.map().flat(space, 0)) == Definedness::Never);
  }
}

TEST_CASE("recording: steps know their instruction, operands and line") {
  const Program program = small_program(Target::A5, 50, 23);
  const auto recording = Recording::run(program, {.budget_bytes = std::size_t{64} << 20});
  REQUIRE(recording->count() == 50);
  for (std::uint32_t step = 0; step < 50; ++step) {
    CAPTURE(step);
    CHECK(recording->step(step).instruction == step);
    const Bound &bound = recording->bound(step), expected = bound_of(program, step);
    CHECK(bound.row == expected.row);
    CHECK(bound.pos == SourcePos{step + 1, 1});
    REQUIRE(bound.operands.size() == expected.operands.size());
    for (std::size_t i = 0; i < bound.operands.size(); ++i) {
      CHECK((bound.operands[i].tile == expected.operands[i].tile));
      CHECK((bound.operands[i].global == expected.operands[i].global));
      CHECK((bound.operands[i].scalar == expected.operands[i].scalar));
    }
  }
}

}  // namespace ts::test
