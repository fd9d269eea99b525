// Placing things: nobody gets more room than there is, and what is left is what nobody got.
#include <doctest/doctest.h>

#include "app/draw/boxes.h"
#include "app/draw/look.h"

using namespace ts::ui;

namespace {

void check_rect(const Rect& rect, float left, float top, float right, float bottom) {
  CHECK(rect.min.x == left);
  CHECK(rect.min.y == top);
  CHECK(rect.max.x == right);
  CHECK(rect.max.y == bottom);
}

}  // namespace

TEST_CASE("boxes: a room is given away from its sides, with gaps between") {
  Room room({{10, 20}, {110, 220}});
  check_rect(room.top(30, 5), 10, 20, 110, 50);
  check_rect(room.bottom(20, 5), 10, 200, 110, 220);
  check_rect(room.left(10), 10, 55, 20, 195);
  check_rect(room.right(40, 10), 70, 55, 110, 195);
  check_rect(room.rest(), 20, 55, 60, 195);
}

TEST_CASE("boxes: who wants more than there is gets what there is, the next one nothing") {
  Room room({{0, 0}, {100, 50}});
  check_rect(room.right(80, 10), 20, 0, 100, 50);
  check_rect(room.right(80, 10), 0, 0, 10, 50);
  check_rect(room.left(10), 0, 0, 0, 50);
  check_rect(room.top(60, 10), 0, 0, 0, 50);
  CHECK(room.rest().height() == 0);
}

TEST_CASE("boxes: shares are equal and fill the row") {
  const Rect all{{0, 0}, {100, 10}};
  check_rect(share_of(all, 0, 4, 4), 0, 0, 22, 10);
  check_rect(share_of(all, 3, 4, 4), 78, 0, 100, 10);
}

TEST_CASE("boxes: details stand beside a list where both have room, else below it") {
  set_look({.theme = &themes().front(), .fonts = {}});
  const auto [list, details] = beside_or_below({{0, 0}, {1000, 100}}, 900, 0.6f, 30);
  check_rect(list, 0, 0, 600, 100);
  check_rect(details, 606, 0, 1000, 100);
  const auto [above, below] = beside_or_below({{0, 0}, {500, 100}}, 900, 0.6f, 34);
  check_rect(above, 0, 0, 500, 66);
  check_rect(below, 0, 70, 500, 100);
}

TEST_CASE("boxes: a column is filled downwards, a flow in it goes on in the next line") {
  Column column({5, 10}, 100);
  check_rect(column.take(20, 4), 5, 10, 105, 30);
  ts::ui::WrappedRow flow(column, 12, 3);
  CHECK(flow.at(60).x == 5);
  flow.go_on(69);
  CHECK(flow.at(36).x == 69);
  CHECK(flow.at(37).x == 5);
  CHECK(column.y() == 34 + 15);
  flow.end(2);
  CHECK(column.y() == 34 + 15 + 14);
}
