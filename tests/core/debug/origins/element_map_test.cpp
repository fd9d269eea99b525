// Maps of results: what they say an element came from holds the element's bits, on transposes and gathers of all kinds.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/debug/origins/element_map.h"
#include "core/debug/origins/micro_links.h"
#include "core/debug/session/session.h"
#include "tests/support/record/recorded.h"

namespace ts::test {
namespace {

using Kind = ElementOrigin::Kind;

std::uint32_t step_of(const Recording& recording, std::string_view name) {
  for (std::uint32_t step = 0; step < recording.count(); ++step)
    if (name == recording.bound(step).row->name) return step;
  FAIL("no such step");
  return 0;
}

ElementMap map_of(Session& session, std::uint32_t step) {
  const Bound& bound = session.recording().bound(step);
  return element_map(session.flow_of(step), bound, static_cast<int>(bound.find("dst") - bound.operands.data()));
}

void check_bits(Session& session, std::uint32_t step, const ElementMap& map) {
  const TileRef& tile = session.recording().bound(step).operands[static_cast<std::size_t>(map.operand)].tile;
  std::vector<std::uint64_t> before(map.origins.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    if (map.origins[i].place.size > 0)
      before[i] =
          session.memory_at(step).element(map.origins[i].place.space, map.origins[i].place.address, tile.elem_bytes());
  const Memory& after = session.memory_at(step + 1);
  for (std::uint32_t row = 0; row < map.rows; ++row)
    for (std::uint32_t col = 0; col < map.cols; ++col)
      if (map.at(row, col).kind == Kind::Element || map.at(row, col).kind == Kind::Elsewhere)
        REQUIRE(after.element(tile.space(), tile.at(row, col), tile.elem_bytes()) ==
                before[std::size_t{row} * map.cols + col]);
}

}  // namespace

TEST_CASE("element map: a transpose, its tail, and what it leaves alone") {
  for (const Target target : kBothTargets) {
    CAPTURE(name(target));
    Session session(record_sample("transpose", {.target = target}));
    const std::uint32_t step = step_of(session.recording(), "ttrans");
    const ElementMap map = map_of(session, step);
    check_bits(session, step, map);
    REQUIRE(map.rows == 8);
    REQUIRE(map.cols == 16);
    for (std::uint32_t row = 0; row < 8; ++row) {
      for (std::uint32_t col = 0; col < 3; ++col) {
        CHECK(map.at(row, col).kind == Kind::Element);
        CHECK(map.at(row, col).row == col);
        CHECK(map.at(row, col).col == row);
      }
      CHECK(map.at(row, 3).kind == (target == Target::A2A3 ? Kind::Unspecified : Kind::Untouched));
      CHECK(map.at(row, 8).kind == Kind::Untouched);
    }
  }
}

TEST_CASE("element map: gathers by block and by element") {
  for (const char* sample : {"block_lookup", "table_lookup"}) {
    CAPTURE(std::string(sample));
    Session session(record_sample(sample));
    const std::uint32_t step = step_of(session.recording(), "tgatherb");
    const ElementMap map = map_of(session, step);
    check_bits(session, step, map);
    const bool block = std::string_view(sample) == "block_lookup";
    const std::vector<GatherWindow> windows = gather_windows(map);
    REQUIRE(windows.size() == (block ? 32 : 16));
    const TileRef& source = session.recording().bound(step).tile("src");
    for (const GatherWindow& window : windows) {
      CHECK(window.cols == (block ? 8 : 1));
      CHECK(window.place.size == (block ? 32 : 4));
      CHECK(window.place.address == source.address + window.origin.chosen_bits);
      CHECK(window.origin.chosen_row == window.row);
    }
  }
}

TEST_CASE("element map: what windows leave out, and what they share") {
  const auto window = [](std::uint32_t address, std::uint32_t size) {
    GatherWindow made;
    made.place = {Space::Ub, address, size};
    return made;
  };
  const GatherCoverage none = coverage_of({}, {Space::Ub, 0x100, 64});
  CHECK(none.gaps == 64);
  CHECK(none.read == 0);
  const GatherCoverage some = coverage_of({window(0x100, 32), window(0x110, 32), window(0x130, 32), window(0x4000, 32)},
                                          {Space::Ub, 0x100, 64});
  CHECK(some.read == 64);
  CHECK(some.shared == 16);
  CHECK(some.gaps == 0);
  CHECK(some.outside == 2);
}

TEST_CASE("element map: the micro-operation that moves an element") {
  for (const Target target : kBothTargets) {
    Session session(record_sample("transpose", {.target = target}));
    const std::uint32_t step = step_of(session.recording(), "ttrans");
    const TileRef& dst = session.recording().bound(step).tile("dst");
    const Trace& trace = session.trace(step);
    const MicroIndex index(trace, &session.recording().bound(step));
    for (std::uint32_t row = 0; row < 8; ++row) {
      const auto mover = mover_of(trace, index, {Space::Ub, dst.at(row, 2), 4});
      REQUIRE(mover);
      CHECK(std::string(trace.steps[mover->micro].op->name) == (target == Target::A5 ? "vgather2" : "vnchwconv"));
      if (target == Target::A5) CHECK(mover->byte == 8);
    }
    CHECK_FALSE(mover_of(trace, index, {Space::Ub, dst.at(0, 12), 4}));
  }
}

}  // namespace ts::test
