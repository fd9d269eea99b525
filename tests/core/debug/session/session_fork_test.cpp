// Forks: a program run again with bytes changed by hand.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/debug/session/session.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/record/dependence.h"
#include "tests/support/record/flow_program.h"
#include "tests/support/record/recorded.h"
#include "tests/support/record/straight.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

// Of numbers only: an edited offset leads anywhere.
std::vector<Edit> some_edits(const Recording& recording, Random& random) {
  std::vector<Edit> edits;
  for (int i = 0; i < 6; ++i) {
    Edit edit{random.pick({0u, recording.count(), random.below(recording.count() + 1)}), Space::Ub, 0, {}};
    ByteRange place;
    if (random.one_in(2)) {
      const TileDecl& tile = recording.program().tiles[random.below(11)];
      place = {Space::Ub, tile.address, static_cast<std::uint32_t>(tile.type.size_bytes())};
    } else {
      const BufferDecl& buffer = recording.program().buffers[random.below(3)];
      place = {Space::Gm, buffer.address, buffer.size()};
    }
    edit.space = place.space;
    edit.address = place.address + random.below(place.size - 64);
    for (std::uint32_t k = random.between(1, 64); k > 0; --k)
      edit.bytes.push_back(static_cast<std::byte>(random.next()));
    edits.push_back(edit);
  }
  return edits;
}

SharedRecording forked(const Session& session, std::vector<Edit> edits) {
  auto result = session.fork(std::move(edits));
  REQUIRE(std::holds_alternative<SharedRecording>(result));
  return std::get<SharedRecording>(result);
}

// What the oracles make of the edited memories, at every position; and that the definedness is that of a straight run.
void check_fork(const SharedRecording& fork) {
  const MemoryMap& map = fork->map();
  const std::vector<std::uint64_t> hashes = straight_hashes(*fork);
  Session session(fork);
  Dependence oracle(*fork);
  for (std::uint32_t position = 0;; ++position) {
    CAPTURE(position);
    const Memory& memory = session.memory_at(position);
    for (const Space space : {Space::Ub, Space::Gm}) {
      const Flat begin = map.origin(space);
      CHECK(std::memcmp(memory.base() + begin, oracle.bytes() + begin, map.size(space)) == 0);
    }
    CHECK(state_hash(memory) == hashes[position]);
    if (position == fork->count()) break;
    oracle.step();
  }
  CHECK(state_hash(fork->final_memory()) == hashes.back());
}

constexpr std::string_view kCounted = R"(module attributes {pto.target_arch = "a5"} {
  func.func @k(%g: !pto.ptr<i32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1.0 : f32
    %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
    %x = pto.load_scalar %g[%c0] : !pto.ptr<i32> -> i32
    %n = arith.index_cast %x : i32 to index
    scf.for %i = %c0 to %n step %c1 {
      pto.tadd ins(%t, %t : !pto.tile_buf<vec, 8x8xf32>, !pto.tile_buf<vec, 8x8xf32>) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
    }
    return
  }
})";

std::vector<std::byte> word(std::uint32_t value) {
  std::vector<std::byte> bytes(4);
  std::memcpy(bytes.data(), &value, 4);
  return bytes;
}

}  // namespace

TEST_CASE("session fork: every position is what the oracles make of the edited memories") {
  for (const Target target : kBothTargets) {
    for (std::uint64_t seed = 1000; seed < (kSanitized ? 1002 : 1008); ++seed) {
      CAPTURE(std::string(name(target)));
      CAPTURE(seed);
      Random random(seed);
      const SharedRecording recording =
          Recording::run(random_flow_program(random, target, 40), {.budget_bytes = kPlentyOfBytes});
      const std::string digest = recording->digest();
      Session session(recording);
      const std::vector<Edit> edits = some_edits(*recording, random);
      const SharedRecording fork = forked(session, edits);
      CHECK(fork->count() == recording->count());
      CHECK(fork->edits().size() == edits.size());
      check_fork(fork);
      CHECK(recording->digest() == digest);
      CHECK(fork->digest() != digest);
      CHECK(fork->digest() == forked(session, edits)->digest());
      // What was changed stays changed, in a fork of the fork.
      const std::vector<Edit> more = some_edits(*recording, random);
      const SharedRecording again = forked(Session(fork), more);
      CHECK(again->edits().size() == edits.size() + more.size());
      check_fork(again);
      CHECK(again->digest() != fork->digest());
    }
  }
}

TEST_CASE("session fork: thinned recordings") {
  for (const Target target : kBothTargets) {
    CAPTURE(std::string(name(target)));
    Random random(1020);
    const SharedRecording whole =
        Recording::run(random_flow_program(random, target, kSanitized ? 150 : 300), {.budget_bytes = kPlentyOfBytes});
    const SharedRecording few = thinned(*whole);
    const std::vector<Edit> edits = some_edits(*whole, random);
    const SharedRecording fork = forked(Session(few), edits);
    REQUIRE(fork->thinning());
    CHECK(fork->digest() == forked(Session(whole), edits)->digest());
    const std::vector<std::uint64_t> hashes = straight_hashes(*fork);
    Session session(fork);
    for (int i = 0; i < 200; ++i) {
      const std::uint32_t position = random.below(fork->count() + 1);
      CAPTURE(position);
      CHECK(state_hash(session.memory_at(position)) == hashes[position]);
    }
    // Also in the middle of the steps around an edit.
    for (const Edit& edit : edits) {
      for (const std::uint32_t position : {edit.position, edit.position - std::min(edit.position, 1u)}) {
        session.seek({position, 1});
        session.memory();
        CHECK(state_hash(session.memory_at(position)) == hashes[position]);
      }
    }
  }
}

TEST_CASE("session fork: an edit at the start is the same as another input") {
  Random random(1030);
  const Program program = random_flow_program(random, Target::A5, 30);
  const SharedRecording recording = Recording::run(program, {.budget_bytes = kPlentyOfBytes});
  const Edit edit{0, Space::Gm, program.buffers[0].address + 10, {std::byte{1}, std::byte{2}, std::byte{3}}};
  const SharedRecording fork = forked(Session(recording), {edit});
  const auto change = [&](Memory& memory) {
    std::ranges::copy(edit.bytes, memory.bytes(edit.space, edit.address, 3).begin());
    memory.mark(memory.map().flat(edit.place()), 3, Definedness::Written);
  };
  const SharedRecording given = Recording::run(program, {.budget_bytes = kPlentyOfBytes, .initial = change});
  CHECK(fork->digest() == given->digest());
  Session a(fork), b(given);
  for (std::uint32_t position = 0; position <= fork->count(); position += 3)
    CHECK(same_memories(a.memory_at(position), b.memory_at(position)));
}

TEST_CASE("session fork: a number that the program reads on its way changes the way") {
  OpenRequest request;
  request.inputs.data["g"] = word(3);
  const SharedRecording recording = record_text(kCounted, request);
  REQUIRE(recording->count() == 4);
  Session session(recording);
  const std::uint32_t at = recording->program().buffers[0].address;
  const auto count_with = [&](std::uint32_t position, std::uint32_t turns) {
    return forked(session, {{position, Space::Gm, at, word(turns)}})->count();
  };
  CHECK(count_with(0, 7) == 8);
  CHECK(count_with(1, 7) == 8);  // the number is read behind step 0
  CHECK(count_with(2, 7) == 4);  // too late
  CHECK(count_with(0, 0) == 1);
  CHECK(count_with(1, 0xFFFFFFFF) == 1);
  // An edit behind the new end is never made.
  const SharedRecording fork = forked(session, {{0, Space::Gm, at, word(1)}, {4, Space::Gm, at, word(9)}});
  CHECK(fork->count() == 2);
  CHECK(fork->final_memory().element(Space::Gm, at, 4) == 1);
  // It is, when the end is further away again.
  const SharedRecording longer = forked(Session(fork), {{0, Space::Gm, at, word(5)}});
  CHECK(longer->count() == 6);
  CHECK(longer->final_memory().element(Space::Gm, at, 4) == 9);
}

TEST_CASE("session fork: what cannot be edited is refused; a fork can be interrupted") {
  OpenRequest request;
  request.inputs.data["g"] = word(3);
  const SharedRecording recording = record_text(kCounted, request);
  Session session(recording);
  const auto refusal = [&](const Edit& edit) {
    const auto result = session.fork({edit});
    REQUIRE(std::holds_alternative<Refusal>(result));
    return std::get<Refusal>(result).text + " | " + std::get<Refusal>(result).hint;
  };
  const std::uint32_t ub = recording->map().size(Space::Ub);
  CHECK(refusal({5, Space::Ub, 0, word(1)}) == "there is no position 5 | they are 0 to 4");
  CHECK(refusal({0, Space::Ub, ub - 3, word(1)}) ==
        fmt::format("ub has {} bytes; 0x{:x} and 4 more are beyond | edit bytes of a tile or buffer", ub, ub - 3));
  CHECK(refusal({0, Space::Ub, ub + 1, {}}) ==
        fmt::format("ub has {} bytes; 0x{:x} and 0 more are beyond | edit bytes of a tile or buffer", ub, ub + 1));
  CHECK(forked(session, {{2, Space::Ub, 64, {}}})->digest() == recording->digest());
  CHECK(forked(session, {})->digest() == recording->digest());
  // Nothing of an edit without bytes is left to stumble over.
  Session empty(forked(session, {{2, Space::Ub, 2, {}}}));
  CHECK(empty.flow().makers({Space::Ub, 0, 4}, 3).size() == 1);

  const auto result = session.fork({}, [](std::uint64_t) { return false; });
  REQUIRE(std::holds_alternative<SharedRecording>(result));
  const StopReason reason = std::get<SharedRecording>(result)->stop_reason();
  CHECK((reason == StopReason::Interrupted || reason == StopReason::End));
}

}  // namespace ts::test
