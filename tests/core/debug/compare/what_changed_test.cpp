// What changed between two positions, held against looking at every element of everything.
#include <doctest/doctest.h>
#include <algorithm>
#include <map>

#include "core/debug/compare/what_changed.h"
#include "core/debug/session/session.h"
#include "tests/support/random.h"
#include "tests/support/record/recorded.h"

namespace ts::test {
namespace {

// By tile: how many elements differ, found by pictures of each.
std::map<std::uint32_t, std::uint32_t> tiles_by_hand(Session& session, std::uint32_t from, std::uint32_t to) {
  std::map<std::uint32_t, std::uint32_t> changed;
  const Program& program = session.recording().program();
  for (std::uint32_t id = 0; id < program.tiles.size(); ++id) {
    const Elements before = elements_of(session.memory_at(from), session.tile_at(id, from)),
                   after = elements_of(session.memory_at(to), session.tile_at(id, to));
    for (std::size_t i = 0; i < before.bits.size(); ++i) {
      const bool same = before.bits[i] == after.bits[i] && (before.worth.empty() || before.worth[i] == after.worth[i]);
      if (!same) ++changed[id];
    }
  }
  return changed;
}

}  // namespace

TEST_CASE("what changed: of random recordings, between random positions") {
  Random random(2611);
  for (const Recorded& recorded : some_recordings(2611)) {
    CAPTURE(recorded.name);
    Session session(recorded.recording), other(recorded.recording);
    const std::uint32_t count = recorded.recording->count();
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t from = random.below(count + 1), to = random.below(count + 1);
      CAPTURE(from);
      CAPTURE(to);
      const auto by_hand = tiles_by_hand(other, from, to);
      std::map<std::uint32_t, std::uint32_t> found;
      for (const ChangedThing& one : what_changed(session, from, to))
        if (one.is_tile && one.changed > 0) found[one.id] = one.changed;
      CHECK(found == by_hand);
      CHECK(what_changed(session, from, from).empty());
    }
  }
}

TEST_CASE("what changed: elements with what they were and became, no more than asked for, tiles and buffers") {
  const SharedRecording recording = record_sample("complex_split");
  Session session(recording);
  const auto changed = what_changed(session, 0, recording->count(), {}, 3);
  std::size_t tiles = 0, buffers = 0;
  for (const ChangedThing& one : changed) {
    (one.is_tile ? tiles : buffers) += 1;
    CHECK(one.changed <= one.all);
    CHECK(one.elements.size() == std::min<std::size_t>(one.changed, 3));
    for (const ChangedElement& element : one.elements) CHECK(element.before != element.after);
  }
  CHECK(tiles > 3);
  CHECK(buffers == 1);
  // Given up, it says nothing.
  CHECK(what_changed(session, 0, recording->count(), [] { return false; }).empty());
}

}  // namespace ts::test
