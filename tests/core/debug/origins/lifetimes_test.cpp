// Lives of tiles against a plain account of who used which byte when.
#include "core/debug/origins/lifetimes.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/debug/origins/step_index.h"
#include "core/program/builder.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/record/flow_program.h"
#include "tests/support/record/recorded.h"

using namespace ts;
using namespace ts::test;

namespace {

Lifetimes lifetimes_of(const Recording& recording) {
  auto lifetimes = Lifetimes::make(recording);
  REQUIRE(lifetimes);
  return std::move(*lifetimes);
}

// A tile at an address, and every half step in which it was used there.
struct PlainPlace {
  std::uint32_t tile = 0;
  ByteRange bytes;
  struct Use {
    std::uint32_t half;
    bool fresh;
  };
  std::vector<Use> uses;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lives;
};

std::size_t count_in(const Recording& recording, const std::set<Flat>& bytes, ByteRange place) {
  const Flat begin = recording.map().flat(place);
  return static_cast<std::size_t>(std::distance(bytes.lower_bound(begin), bytes.lower_bound(begin + place.size)));
}

using PlainPlaces = std::map<std::pair<std::uint32_t, std::uint32_t>, PlainPlace>;

void add_uses(const Recording& recording, std::uint32_t step, PlainPlaces& places) {
  const Bound& bound = recording.bound(step);
  if (bound.row->effect == Effect::BindsAddress) return;
  const std::set<Flat> written = bytes_written(recording, step);
  // By place: read, written, scratch, and how much of it is valid.
  struct Here {
    bool reads = false, writes = false, scratch = false;
    std::size_t valid = 0;
  };
  std::map<PlainPlace*, Here> now;
  for (const Operand& operand : bound.operands) {
    if (operand.spec->kind != OperandKind::Tile) continue;
    PlainPlace& place = places[{operand.id, operand.tile.address}];
    place.tile = operand.id;
    place.bytes = operand.tile.range();
    Here& here = now[&place];
    if (operand.spec->role == Role::Tmp) {
      here.scratch = true;
    } else if (operand.spec->role == Role::Out) {
      here.writes = true;
      here.valid = std::size_t{operand.tile.valid_rows} * operand.tile.valid_cols * operand.tile.elem_bytes();
    } else {
      here.reads = true;
    }
  }
  for (const auto& [place, here] : now) {
    const std::size_t count = count_in(recording, written, place->bytes);
    if (here.reads) place->uses.push_back({2 * step, false});
    else if (here.scratch && count > 0) place->uses.push_back({2 * step, true});
    if ((here.writes || here.scratch) && count > 0)
      place->uses.push_back({2 * step + 1, !here.reads && !here.scratch && count >= here.valid});
  }
}

bool crosses(const ByteRange& a, const ByteRange& b) {
  return a.space == b.space && a.address < b.address + b.size && b.address < a.address + a.size;
}

// Whether a block begins in (after, until].
bool block_between(const Recording& recording, std::uint32_t after, std::uint32_t until) {
  for (std::uint32_t half = after + 1; half <= until; ++half)
    if (half % 2 == 0 && recording.bound(half / 2).row->effect == Effect::StartsBlock) return true;
  return false;
}

std::vector<PlainPlace> plain_places(const Recording& recording) {
  PlainPlaces found;
  for (std::uint32_t step = 0; step < recording.count(); ++step) add_uses(recording, step, found);
  std::vector<PlainPlace> places;
  for (auto& [key, place] : found)
    if (!place.uses.empty()) places.push_back(std::move(place));
  const std::vector<std::uint32_t> roots = alias_roots(recording.program());
  for (PlainPlace& place : places) {
    const auto disturbed = [&](std::uint32_t after, std::uint32_t before) {
      return std::ranges::any_of(places, [&](const PlainPlace& other) {
        return roots[other.tile] != roots[place.tile] && crosses(other.bytes, place.bytes) &&
               std::ranges::any_of(other.uses, [&](auto& use) { return use.half > after && use.half < before; });
      });
    };
    for (const auto& use : place.uses) {
      const bool first = place.lives.empty();
      const std::uint32_t last = first ? 0 : place.lives.back().second - 1;
      if (first || block_between(recording, last, use.half) || (use.fresh && disturbed(last, use.half)))
        place.lives.push_back({use.half, 0});
      place.lives.back().second = use.half + 1;
    }
  }
  std::ranges::sort(places, {}, [](const PlainPlace& place) {
    return std::tuple(place.bytes.space, place.bytes.address, place.tile);
  });
  return places;
}

std::string text_of(const Recording& recording, std::uint32_t tile, const ByteRange& bytes) {
  return fmt::format("{} {} {:#x}+{}", recording.program().tiles[tile].name, name(bytes.space), bytes.address,
                     bytes.size);
}

void check_places(const Recording& recording, const Lifetimes& lifetimes, const std::vector<PlainPlace>& expected) {
  std::vector<std::string> expected_text, got_text;
  for (const PlainPlace& place : expected) {
    expected_text.push_back(text_of(recording, place.tile, place.bytes));
    for (const auto& [begin, end] : place.lives) expected_text.back() += fmt::format(" [{},{})", begin, end);
  }
  for (const TilePlace& place : lifetimes.places()) {
    got_text.push_back(text_of(recording, place.tile, place.bytes));
    for (const HalfSteps& life : lifetimes.lives(place))
      got_text.back() += fmt::format(" [{},{})", life.begin, life.end);
    CHECK(lifetimes.find(place.tile, place.bytes.address, place.bytes.core) == &place);
  }
  CHECK(expected_text == got_text);
}

void check_overlaps(const Recording& recording, const Lifetimes& lifetimes, const std::vector<PlainPlace>& places) {
  std::vector<std::string> expected, got;
  for (std::size_t a = 0; a < places.size(); ++a) {
    for (std::size_t b = a + 1; b < places.size(); ++b) {
      if (!crosses(places[a].bytes, places[b].bytes)) continue;
      if (lifetimes.root(places[a].tile) == lifetimes.root(places[b].tile)) continue;
      for (const auto& [begin, end] : places[a].lives)
        for (const auto& [other_begin, other_end] : places[b].lives)
          if (std::max(begin, other_begin) < std::min(end, other_end))
            expected.push_back(
                fmt::format("{} {} [{},{})", a, b, std::max(begin, other_begin), std::min(end, other_end)));
    }
  }
  for (const Overlap& overlap : lifetimes.overlaps()) {
    for (const HalfSteps& time : lifetimes.times(overlap))
      got.push_back(fmt::format("{} {} [{},{})", overlap.a, overlap.b, time.begin, time.end));
    CHECK(crosses(overlap.bytes, lifetimes.places()[overlap.a].bytes));
    CHECK(crosses(overlap.bytes, lifetimes.places()[overlap.b].bytes));
  }
  std::ranges::sort(expected);
  std::ranges::sort(got);
  CHECK(expected == got);
  (void)recording;
}

void check_sums(const Recording& recording, const Lifetimes& lifetimes, const std::vector<PlainPlace>& places) {
  for (const MemoryUse& memory : lifetimes.memories()) {
    CAPTURE(name(memory.space));
    CHECK(memory.capacity == capacity_bytes(recording.program().target, memory.space));
    std::set<std::uint32_t> used;
    std::uint32_t most = 0;
    for (const PlainPlace& place : places)
      for (std::uint32_t i = 0; place.bytes.space == memory.space && i < place.bytes.size; i += 4)
        used.insert(place.bytes.address + i);
    // All tiles here are multiples of 4 bytes, at multiples of 4.
    CHECK(memory.used == 4 * used.size());
    CHECK(memory.highest_end == *used.rbegin() + 4);
    for (std::uint32_t half = 0; half < 2 * recording.count(); ++half) {
      std::set<std::uint32_t> live;
      for (const PlainPlace& place : places) {
        const bool alive =
            std::ranges::any_of(place.lives, [&](auto& life) { return life.first <= half && half < life.second; });
        for (std::uint32_t i = 0; alive && place.bytes.space == memory.space && i < place.bytes.size; i += 32)
          live.insert((place.bytes.address + i) / 32);
      }
      most = std::max(most, static_cast<std::uint32_t>(live.size()) * 32);
    }
    // Whole blocks here, so at most a block more for each border.
    CHECK(memory.most_live <= most);
    CHECK(memory.most_live + 31 * places.size() >= most);
  }
}

void check(const Recording& recording) {
  const Lifetimes lifetimes = lifetimes_of(recording);
  const std::vector<PlainPlace> expected = plain_places(recording);
  check_places(recording, lifetimes, expected);
  check_overlaps(recording, lifetimes, expected);
  if (recording.count() < 100) check_sums(recording, lifetimes, expected);
}

}  // namespace

TEST_CASE("lifetimes: lives, overlaps and sums of random programs and samples") {
  for (const Recorded& recorded : some_recordings(711)) {
    CAPTURE(recorded.name);
    check(*recorded.recording);
  }
  for (const Target target : kBothTargets) {
    Random random(712);
    check(*Recording::run(random_flow_program(random, target, 120)));
  }
}

TEST_CASE("lifetimes: the planted overlap is seen, and the right program has none") {
  const SharedRecording wrong = record_sample("bug_overlap");
  const Lifetimes lifetimes = lifetimes_of(*wrong);
  REQUIRE(lifetimes.overlaps().size() == 1);
  const Overlap& overlap = lifetimes.overlaps()[0];
  CHECK(overlap.bytes == ByteRange{Space::Ub, 0x800, 0x800});
  CHECK(wrong->program().tiles[lifetimes.places()[overlap.a].tile].name == "a");
  CHECK(wrong->program().tiles[lifetimes.places()[overlap.b].tile].name == "b");
  CHECK(lifetimes_of(*record_sample("row_loop")).overlaps().empty());
}

namespace {

// Tiles of 1 KiB, by address, and sums of them.
struct Placed {
  ProgramBuilder builder{Target::A5, "placed"};
  BufferId ones = builder.buffer("ones", DType::F32, std::vector<double>(256, 1));
  TileId tile(const char* name, std::uint32_t address) {
    return builder.tile(name, vec_tile(DType::F32, 4, 64), {.address = address});
  }
  void load(TileId tile) { builder.add("tload", {View{ones, 4, 64}}, {tile}); }
  void store(TileId tile) { builder.add("tstore", {tile}, {View{ones, 4, 64}}); }
  void add(TileId a, TileId b, TileId out) { builder.add("tadd", {a, b}, {out}); }
  SharedRecording run() { return Recording::run(build(builder)); }
};

}  // namespace

TEST_CASE("lifetimes: two tiles that take turns on the same bytes do not overlap") {
  Placed placed;
  const TileId a = placed.tile("a", 0), b = placed.tile("b", 512);
  for (int turn = 0; turn < 3; ++turn) {
    placed.load(a), placed.store(a);
    placed.load(b), placed.store(b);
  }
  const SharedRecording recording = placed.run();
  const Lifetimes lifetimes = lifetimes_of(*recording);
  CHECK(lifetimes.overlaps().empty());
  REQUIRE(lifetimes.places().size() == 2);
  CHECK(lifetimes.lives(lifetimes.places()[0]).size() == 3);
  CHECK(lifetimes.lives(lifetimes.places()[0])[1] == HalfSteps{9, 11});  // loaded in step 4, stored in step 5
  const auto lives = lifetimes.lives(lifetimes.places()[0]);
  CHECK(first_ending_behind(lives, 0) == 0);
  CHECK(first_ending_behind(lives, lives[0].end) == 1);
  CHECK(first_ending_behind(lives, lives[2].end) == 3);
  CHECK(lifetimes.memories()[0].used == 1536);
  CHECK(lifetimes.memories()[0].most_live == 1024);
}

TEST_CASE("lifetimes: a result may take the place of an operand that is read for the last time") {
  for (const bool read_again : {false, true}) {
    Placed placed;
    const TileId a = placed.tile("a", 0), b = placed.tile("b", 4096), sum = placed.tile("sum", 0);
    placed.load(a), placed.load(b), placed.add(a, b, sum), placed.store(sum);
    if (read_again) placed.store(a);
    const SharedRecording recording = placed.run();
    const Lifetimes lifetimes = lifetimes_of(*recording);
    REQUIRE(lifetimes.overlaps().size() == (read_again ? 1 : 0));
    if (read_again) CHECK(lifetimes.times(lifetimes.overlaps()[0])[0] == HalfSteps{5, 7});
  }
}

TEST_CASE("lifetimes: making them ends when it is told to") {
  CHECK(!Lifetimes::make(*record_random(713, Target::A5, 50), [] { return false; }));
}
