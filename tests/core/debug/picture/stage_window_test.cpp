// Windows on long rows, and the order of elements in memory.
#include <doctest/doctest.h>

#include <set>

#include "core/debug/picture/stage_window.h"

namespace ts::test {

TEST_CASE("stage window: all is shown where there is room") {
  CHECK(shown_part(8, 10, 0) == Shown{0, 8});
  CHECK(shown_part(8, 8, 5, 7) == Shown{0, 8});
  CHECK(shown_part(0, 10, 3) == Shown{0, 0});
  CHECK(shown_part(8, 0, 3) == Shown{0, 0});
}

TEST_CASE("stage window: it moves only as far as brings the focus in, with a neighbour") {
  CHECK(shown_part(100, 10, 20) == Shown{20, 10});
  CHECK(shown_part(100, 10, 20, 25) == Shown{20, 10});
  CHECK(shown_part(100, 10, 20, 21) == Shown{20, 10});
  CHECK(shown_part(100, 10, 20, 20) == Shown{19, 10});
  CHECK(shown_part(100, 10, 20, 29) == Shown{21, 10});
  CHECK(shown_part(100, 10, 20, 60) == Shown{52, 10});
  CHECK(shown_part(100, 10, 20, 0) == Shown{0, 10});
  CHECK(shown_part(100, 10, 20, 99) == Shown{90, 10});
  CHECK(shown_part(100, 10, 99) == Shown{90, 10});
  // A focus that is nowhere moves nothing; one place has room for no neighbours.
  CHECK(shown_part(100, 10, 20, 100) == Shown{20, 10});
  CHECK(shown_part(100, 1, 20, 7) == Shown{7, 1});
}

TEST_CASE("stage window: the focus in the middle, except at the ends") {
  CHECK(shown_around(100, 10, 50) == Shown{45, 10});
  CHECK(shown_around(100, 10, 2) == Shown{0, 10});
  CHECK(shown_around(100, 10, 99) == Shown{90, 10});
  CHECK(shown_around(5, 10, 3) == Shown{0, 5});
}

TEST_CASE("stage window: the whole window always holds every focus, and never leaves the row") {
  for (std::uint32_t total = 1; total < 30; ++total)
    for (std::uint32_t room = 1; room < 32; ++room)
      for (std::uint32_t focus = 0; focus < total; ++focus) {
        CAPTURE(total);
        CAPTURE(room);
        CAPTURE(focus);
        for (std::uint32_t first : {0u, 7u, total}) {
          const Shown part = shown_part(total, room, first, focus);
          CHECK(part.holds(focus));
          CHECK(part.end() <= total);
        }
        CHECK(shown_around(total, room, focus).holds(focus));
      }
}

TEST_CASE("stage window: the share of a part is as wide as is asked, inside the whole") {
  CHECK(share_of({0, 50}, 100, 0.1).end == doctest::Approx(0.5));
  const Share tiny = share_of({9990, 5}, 10000, 0.05);
  CHECK(tiny.end - tiny.begin == doctest::Approx(0.05));
  CHECK(tiny.end <= 1.0);
  CHECK(share_of({0, 1}, 10000, 0.05).begin == doctest::Approx(0));
  CHECK(share_of({0, 0}, 0, 0.05).end == doctest::Approx(1));
}

TEST_CASE("stage window: pointing at a place of the whole puts it in the middle") {
  CHECK(first_at(0.5, 100, 10) == 45);
  CHECK(first_at(0.0, 100, 10) == 0);
  CHECK(first_at(-3.0, 100, 10) == 0);
  CHECK(first_at(7.0, 100, 10) == 90);
  CHECK(first_at(0.5, 10, 10) == 0);
}

TEST_CASE("stage window: elements are walked in the order of memory, each once") {
  TileType col_major = vec_tile(DType::F32, 8, 16);
  col_major.blayout = BoxOrder::ColMajor;
  TileType boxed = vec_tile(DType::F16, 32, 32);
  boxed.loc = TileLoc::Mat;
  boxed.blayout = BoxOrder::ColMajor;
  boxed.slayout = InnerOrder::RowMajor;
  for (const TileType& type : {vec_tile(DType::F32, 8, 16), col_major, boxed}) {
    const TileRef tile{type, 0x100, 7, 13};
    CAPTURE(type.describe());
    std::set<RowCol> seen;
    std::uint32_t address = 0;
    for (std::uint32_t order = 0; order < 7 * 13; ++order) {
      const auto element = element_in_order(tile, order);
      REQUIRE(element);
      CHECK(element->first < 7);
      CHECK(element->second < 13);
      CHECK(order_of(tile, *element) == order);
      CHECK(tile.at(element->first, element->second) > address);
      address = tile.at(element->first, element->second);
      seen.insert(*element);
    }
    CHECK(seen.size() == 7 * 13);
    CHECK(!element_in_order(tile, 7 * 13));
  }
}

}  // namespace ts::test
