// Watch expressions become Lua, and nothing else in them changes.
#include "scripting/objects/values/watch_text.h"

#include <doctest/doctest.h>

namespace ts::scripting {
namespace {

TEST_CASE("watch text: cells become calls") {
  CHECK(rewrite_cells("t2[1,5]") == "t2:cell(1,5)");
  CHECK(rewrite_cells("t2[1, 5] + t3 [0,0]") == "t2:cell(1, 5) + t3 :cell(0,0)");
  CHECK(rewrite_cells("max(t[0,1], t[0,2])") == "max(t:cell(0,1), t:cell(0,2))");
  CHECK(rewrite_cells("t[u[0,1], f(1,2)]") == "t:cell(u:cell(0,1), f(1,2))");
  CHECK(rewrite_cells("t:row(1)[2]") == "t:row(1)[2]");
  CHECK(rewrite_cells("a[b[1,2]]") == "a[b:cell(1,2)]");
  CHECK(rewrite_cells("rec.list[1][2,3]") == "rec.list[1]:cell(2,3)");
  CHECK(rewrite_cells("f{1,2}[1,2]") == "f{1,2}:cell(1,2)");
}

TEST_CASE("watch text: what is no cell stays") {
  for (const char* text : {"'t[1,2]'", "\"t[1,2]\\\"[3,4]\"", "f([[t[1,2]])", "x + [==[ a[1,2] ]==]", "{[1]=2, [3]=4}",
                           "t[1,2,3]", "", "t[", "t[1,2", "t]", "'open[1,2]", "a and {1,2}", "not [[x]]"})
    CHECK(rewrite_cells(text) == text);
}

TEST_CASE("watch text: names that Lua has no words for") {
  CHECK(rewrite_cells("%0[1,2]") == "named('0'):cell(1,2)");
  CHECK(rewrite_cells("7 % 3") == "7 % 3");
  CHECK(rewrite_cells("a%b") == "a%b");
  CHECK(rewrite_cells("max(%x_1)") == "max(named('x_1'))");
  CHECK(rewrite_cells("%") == "%");
}

TEST_CASE("watch text: suffixes") {
  CHECK(read_watch("t[1,5],x").expression == "t:cell(1,5)");
  CHECK(read_watch("t[1,5],x").view == WatchView::Hex);
  CHECK(read_watch(" t[1,5] , b ").view == WatchView::Bits);
  CHECK(read_watch("t , f").expression == "t");
  CHECK(read_watch("t,h").view == WatchView::Histogram);
  CHECK(read_watch("f(a,x)").view == WatchView::Plain);
  CHECK(read_watch("t[0,x]").expression == "t:cell(0,x)");
  CHECK(read_watch("'a,x'").view == WatchView::Plain);
  CHECK(read_watch("a,y").expression == "a,y");
  CHECK(read_watch("a),x").view == WatchView::Plain);
  CHECK(read_watch("").expression.empty());
  CHECK(read_watch(",x").expression.empty());
}

}  // namespace
}  // namespace ts::scripting
