// Names of front ends, as people read them.
#include "core/program/short_names.h"

#include <doctest/doctest.h>

#include <set>

#include "core/debug/session/session.h"
#include "tests/support/random.h"
#include "tests/support/record/recorded.h"

namespace ts::test {
namespace {

using Names = std::vector<std::string>;

Names shortened(const Names& names, const Names& taken = {}) { return short_names(names, taken); }

}  // namespace

TEST_CASE("short names: what a front end put behind a name goes, where it stays one's own") {
  CHECK(shortened({"q_inline12__tile_v2"}) == Names{"q"});
  CHECK(shortened({"q__tile", "k__ssa_v3", "attn_out_inline0__tile_v11", "plain"}) ==
        Names{"q", "k", "attn_out", "plain"});
  // Two of one stem go by what sets them apart, or by their whole names.
  CHECK(shortened({"q_inline1__tile_v0", "q_inline2__tile_v0"}) == Names{"q_inline1", "q_inline2"});
  CHECK(shortened({"q__tile_v0", "q__tile_v1"}) == Names{"q__tile_v0", "q__tile_v1"});
  // Somebody else's name.
  CHECK(shortened({"q__tile_v0", "q"}) == Names{"q__tile_v0", "q"});
  CHECK(shortened({"x__tile_v0"}, {"x"}) == Names{"x__tile_v0"});
  CHECK(shortened({"q_inline1__tile", "q_inline1_inline2__tile"}) == Names{"q", "q_inline1"});
}

TEST_CASE("short names: what only looks so stays") {
  for (const char* name :
       {"", "__tile", "_inline3", "__tile_v2", "a_v2", "row__", "x__Tile", "x_inline", "x__tile_v", "0", "_v1"}) {
    CAPTURE(name);
    CHECK(shortened({name}) == Names{name});
  }
}

TEST_CASE("short names: nobody gets another one's, whatever the names are") {
  Random random(91);
  const char* parts[] = {"a", "b", "_inline1", "_inline2", "__tile", "__tile_v1", "__ssa_v2", "_v1", "__"};
  for (int round = 0; round < 2'000; ++round) {
    std::set<std::string> names;
    for (std::uint32_t i = 0; i < 6; ++i) {
      std::string name;
      for (std::uint32_t part = random.between(1, 4); part > 0; --part) name += parts[random.below(std::size(parts))];
      names.insert(name);
    }
    const Names all(names.begin(), names.end()), shorter = shortened(all, {"a"});
    std::set<std::string> different(shorter.begin(), shorter.end());
    CAPTURE(all);
    CAPTURE(shorter);
    CHECK(different.size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      CHECK(all[i].starts_with(shorter[i]));
      if (shorter[i] == all[i]) continue;
      CHECK(shorter[i] != "a");
      CHECK_FALSE(names.contains(shorter[i]));
    }
  }
}

TEST_CASE("short names: a tile is found by both, and shown by the short one") {
  Session session(record_sample("from_python"));
  const std::optional<std::uint32_t> by_both[] = {session.find_tile("exps_inline0", 0),
                                                  session.find_tile("exps_inline0__tile_v0", 0)};
  REQUIRE(by_both[0].has_value());
  CHECK(by_both[0] == by_both[1]);
  CHECK(session.recording().program().tiles[*by_both[0]].name == "exps_inline0");
}

}  // namespace ts::test
