// Page versions: what makes one, what does not, and that each comes back.
#include "core/record/timeline.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

constexpr std::size_t kTimelineBudget = 8 << 20;

struct TimelineSetup {
  Memory memory{Target::A5, 8192};
  Timeline timeline{memory.map(), kTimelineBudget};
  Flat ub = memory.map().origin(Space::Ub);
  std::uint32_t page = ub / kPageBytes;

  void write(std::uint32_t at, std::uint8_t byte, std::uint32_t size = 1) {
    std::memset(memory.base() + ub + at, byte, size);
    memory.mark(ub + at, size, Definedness::Written);
  }
  bool commit(std::uint32_t position, const std::vector<std::uint32_t>& pages) {
    std::vector<TouchedPage> touched;
    for (std::uint32_t each : pages) touched.push_back({each});
    return timeline.commit(memory, position, touched);
  }
  std::size_t versions(std::uint32_t of) const { return timeline.versions(of).size(); }
};

struct PageState {
  std::vector<std::byte> bytes;
  std::vector<Definedness> defined;
  bool operator==(const PageState&) const = default;
};
PageState state_of(const Memory& memory, std::uint32_t page) {
  PageState state;
  const std::byte* begin = memory.base() + std::size_t{page} * kPageBytes;
  state.bytes.assign(begin, begin + kPageBytes);
  for (std::uint32_t i = 0; i < kPageBytes; ++i) state.defined.push_back(memory.definedness(page * kPageBytes + i));
  return state;
}

}  // namespace

TEST_CASE("timeline: a changed page makes a version, the same value written again makes none") {
  TimelineSetup s;
  s.write(10, 0x11);
  REQUIRE(s.commit(1, {s.page}));
  CHECK(s.versions(s.page) == 1);
  s.write(10, 0x11);
  REQUIRE(s.commit(2, {s.page}));
  CHECK(s.versions(s.page) == 1);
  s.write(10, 0x12);
  REQUIRE(s.commit(3, {s.page}));
  CHECK(s.versions(s.page) == 2);
  // Back to the value of before: equality is tested against the last version only.
  s.write(10, 0x11);
  REQUIRE(s.commit(4, {s.page}));
  CHECK(s.versions(s.page) == 3);
  CHECK(s.timeline.version_at(s.page, 0) == 0);
  CHECK(s.timeline.version_at(s.page, 1) == 1);
  CHECK(s.timeline.version_at(s.page, 2) == 1);
  CHECK(s.timeline.version_at(s.page, 3) == 2);
  CHECK(s.timeline.version_at(s.page, 4) == 3);
  CHECK(s.timeline.version_at(s.page, 1000) == 3);
}

TEST_CASE("timeline: a change of one byte anywhere in a page is seen") {
  TimelineSetup s;
  s.write(0, 0x33, kPageBytes);
  REQUIRE(s.commit(1, {s.page}));
  for (std::uint32_t at = 0; at < kPageBytes; ++at) {
    s.write(at, static_cast<std::uint8_t>(0x34 + at % 7));
    REQUIRE(s.commit(at + 2, {s.page}));
    CAPTURE(at);
    if (s.versions(s.page) == at + 2) continue;
    FAIL("the change was not seen");
  }
}

TEST_CASE("timeline: definedness alone makes a version that shares the bytes") {
  TimelineSetup s;
  s.write(0, 0x55, 64);
  REQUIRE(s.commit(1, {s.page}));
  const std::size_t used = s.timeline.used_bytes();
  s.memory.mark(s.ub + 5, 3, Definedness::Unspecified);
  REQUIRE(s.commit(2, {s.page}));
  REQUIRE(s.versions(s.page) == 2);
  CHECK(s.timeline.versions(s.page)[0].bytes == s.timeline.versions(s.page)[1].bytes);
  CHECK(s.timeline.used_bytes() - used <= kPlanesBytes + sizeof(PageVersion));
  // A page that becomes whole needs no planes.
  s.write(0, 0x55, kPageBytes);
  REQUIRE(s.commit(3, {s.page}));
  CHECK(s.timeline.planes(s.timeline.versions(s.page).back()).empty());
  // And one that stops being whole needs them again.
  s.memory.mark(s.ub + 9, 1, Definedness::Never);
  REQUIRE(s.commit(4, {s.page}));
  CHECK(!s.timeline.planes(s.timeline.versions(s.page).back()).empty());
}

TEST_CASE("timeline: of a page that changed little, a version has little of its own") {
  TimelineSetup s;
  s.write(0, 0x33, kPageBytes);
  REQUIRE(s.commit(1, {s.page}));
  for (std::uint32_t position = 2; position < 50; ++position) {
    const std::size_t used = s.timeline.used_bytes();
    const std::uint32_t at = position * 37 % kPageBytes;
    s.write(at, static_cast<std::uint8_t>(position));
    REQUIRE(s.timeline.commit(s.memory, position, std::vector<TouchedPage>{{s.page, at, at + 1}}));
    CAPTURE(position);
    REQUIRE(s.versions(s.page) == position);
    CHECK(s.timeline.used_bytes() - used <= kPieceBytes + Timeline::kUnit + sizeof(PageVersion));
    std::vector<std::byte> read(kPageBytes);
    s.timeline.read(position, s.ub, read);
    CHECK(std::memcmp(read.data(), s.memory.base() + s.ub, kPageBytes) == 0);
  }
}

TEST_CASE("timeline: pages at the start are those that somebody wrote") {
  TimelineSetup s;
  s.write(3 * kPageBytes + 7, 0x01);
  REQUIRE(s.timeline.commit_start(s.memory));
  for (std::uint32_t page = 0; page < s.timeline.pages(); ++page) {
    CAPTURE(page);
    CHECK(s.versions(page) == (page == s.page + 3 ? 1 : 0));
  }
  CHECK(s.timeline.version_at(s.page + 3, 0) == 1);
}

TEST_CASE("timeline: pages at the start include those that are only unspecified") {
  TimelineSetup s;
  s.memory.mark(s.ub + 2 * kPageBytes, 9, Definedness::Unspecified);
  REQUIRE(s.timeline.commit_start(s.memory));
  CHECK(s.versions(s.page + 2) == 1);
}

constexpr std::uint32_t kPages = 6;
using States = std::vector<std::vector<PageState>>;  // by page, by position

// Commits random changes of the first pages.
States commit_random(TimelineSetup& s, Random& random, std::uint32_t positions) {
  States states(kPages);
  for (std::uint32_t p = 0; p < kPages; ++p) states[p].push_back(state_of(s.memory, s.page + p));
  for (std::uint32_t position = 1; position <= positions; ++position) {
    std::vector<TouchedPage> pages;
    for (std::uint32_t p = 0; p < kPages; ++p) {
      if (random.one_in(2)) continue;
      const std::uint32_t at = random.below(kPageBytes), size = std::min(random.between(1, 900), kPageBytes - at);
      if (random.one_in(2)) pages.push_back({s.page + p});
      else pages.push_back({s.page + p, at, at + size});
      const Flat flat = s.ub + p * kPageBytes + at;
      switch (random.below(5)) {
        case 0: break;  // touched and unchanged
        case 1:
          s.memory.mark(flat, size, random.pick({Definedness::Never, Definedness::Written, Definedness::Unspecified}));
          break;
        case 2:
          pages.back() = {s.page + p};
          s.write(p * kPageBytes, static_cast<std::uint8_t>(random.below(3)), kPageBytes);
          break;
        default: s.write(p * kPageBytes + at, static_cast<std::uint8_t>(random.below(4)), size); break;
      }
    }
    REQUIRE(s.timeline.commit(s.memory, position, pages));
    for (std::uint32_t p = 0; p < kPages; ++p) states[p].push_back(state_of(s.memory, s.page + p));
  }
  return states;
}

TEST_CASE("timeline: random writes, and every version of every page comes back") {
  constexpr std::uint32_t kPositions = 400;
  TimelineSetup s;
  Random random(31);
  const States states = commit_random(s, random, kPositions);
  Memory other(Target::A5, 8192);
  for (int i = 0; i < 2000; ++i) {
    const std::uint32_t p = random.below(kPages), position = random.below(kPositions + 1);
    s.timeline.load(other, s.page + p, s.timeline.version_at(s.page + p, position));
    CAPTURE(p);
    CAPTURE(position);
    if (!(state_of(other, s.page + p) == states[p][position])) FAIL("another page");
  }
  // No two neighbouring versions are alike.
  for (std::uint32_t p = 0; p < kPages; ++p) {
    const auto versions = s.timeline.versions(s.page + p);
    CHECK(versions.size() < kPositions);
    for (std::size_t v = 1; v < versions.size(); ++v) {
      CHECK(versions[v - 1].position < versions[v].position);
      CHECK(!(states[p][versions[v].position] == states[p][versions[v].position - 1]));
    }
  }
}

TEST_CASE("timeline: thinned, every keyframe and every newer position comes back") {
  constexpr std::uint32_t kPositions = 1500;
  for (const std::size_t budget : {60 * 1024, 100 * 1024, 500 * 1024, 2000 * 1024}) {
    if (kSanitized && budget != 100 * 1024) continue;
    CAPTURE(budget);
    TimelineSetup s;
    s.timeline.limit(budget);
    Random random(32);
    const States states = commit_random(s, random, kPositions);
    const Thinning& thinning = s.timeline.thinning();
    REQUIRE(thinning);
    CHECK(s.timeline.used_bytes() <= budget);
    CHECK(thinning.dense_start < kPositions);
    CHECK(thinning.keyframe(thinning.dense_start) == thinning.dense_start);
    Memory other(Target::A5, 8192);
    for (std::uint32_t position = 0; position <= kPositions; ++position) {
      if (thinning.keyframe(position) != position) continue;
      CAPTURE(position);
      for (std::uint32_t p = 0; p < kPages; ++p) {
        s.timeline.load(other, s.page + p, s.timeline.version_at(s.page + p, position));
        if (!(state_of(other, s.page + p) == states[p][position])) FAIL("another page");
      }
    }
  }
}

TEST_CASE("timeline: versions that share their bytes share them after thinning too") {
  TimelineSetup s;
  s.timeline.limit(24 * 1024);
  s.write(0, 0x55, kPageBytes);
  REQUIRE(s.commit(1, {s.page}));
  // The same bytes all the time, with other planes; and a page that makes thinning happen.
  for (std::uint32_t position = 2; position < 200; ++position) {
    s.memory.mark(s.ub + position, 1, Definedness::Unspecified);
    s.write(kPageBytes, static_cast<std::uint8_t>(position), kPageBytes);
    REQUIRE(s.commit(position, {s.page, s.page + 1}));
  }
  REQUIRE(s.timeline.thinning());
  const auto versions = s.timeline.versions(s.page);
  REQUIRE(versions.size() > 2);
  for (const PageVersion& version : versions) CHECK(version.bytes == versions.front().bytes);
  CHECK(s.timeline.content(s.page, 1).bytes_at(7)[0] == std::byte{0x55});
}

TEST_CASE("timeline: what does not fit in the budget changes nothing") {
  TimelineSetup s;
  s.timeline.limit(3 * (kPageBytes + kPlanesBytes));
  s.write(0, 1, 2 * kPageBytes);
  REQUIRE(s.commit(1, {s.page, s.page + 1}));
  const PageState kept = state_of(s.memory, s.page);
  s.write(0, 2, 2 * kPageBytes);
  CHECK(!s.commit(2, {s.page, s.page + 1}));
  CHECK(s.versions(s.page) == 1);
  CHECK(s.versions(s.page + 1) == 1);
  CHECK(!s.timeline.thinning());
  s.timeline.restore_last(s.memory, s.page);
  CHECK((state_of(s.memory, s.page) == kept));
}

TEST_CASE("timeline: of a page, only the bytes that may have changed are compared") {
  TimelineSetup s;
  s.write(0, 0x33, kPageBytes);
  REQUIRE(s.commit(1, {s.page}));
  s.write(100, 0x34);
  CHECK(s.timeline.commit(s.memory, 2, std::vector<TouchedPage>{{s.page, 101, 200}}));
  CHECK(s.versions(s.page) == 1);
  CHECK(s.timeline.commit(s.memory, 3, std::vector<TouchedPage>{{s.page, 100, 101}}));
  CHECK(s.versions(s.page) == 2);
}

TEST_CASE("timeline: a page is put back to its last version, or made fresh") {
  TimelineSetup s;
  const std::uint32_t gm_page = s.memory.map().origin(Space::Gm) / kPageBytes;
  const PageState fresh_ub = state_of(s.memory, s.page), fresh_gm = state_of(s.memory, gm_page);
  s.write(0, 0x21, 100);
  s.timeline.restore_last(s.memory, s.page);
  CHECK((state_of(s.memory, s.page) == fresh_ub));
  CHECK(fresh_ub.bytes[0] == std::byte{0xCD});
  std::memset(s.memory.base() + s.memory.map().origin(Space::Gm), 1, 50);
  s.timeline.restore_last(s.memory, gm_page);
  CHECK((state_of(s.memory, gm_page) == fresh_gm));
  CHECK(fresh_gm.bytes[0] == std::byte{0});
  s.write(0, 0x21, 100);
  REQUIRE(s.commit(1, {s.page}));
  const PageState kept = state_of(s.memory, s.page);
  s.write(50, 0x22, 100);
  s.memory.mark(s.ub + 3, 2, Definedness::Unspecified);
  s.timeline.restore_last(s.memory, s.page);
  CHECK((state_of(s.memory, s.page) == kept));
}

}  // namespace ts::test
