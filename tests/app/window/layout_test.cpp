// Where panes stand: nothing is lost or doubled, whatever is moved.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string_view>
#include <tuple>

#include "app/panes/pane_row.h"
#include "app/window/shell/layout.h"

using namespace ts::ui;

namespace {

const std::function<bool(const std::string&)> kAnyPane = [](const std::string&) { return true; };

Layout small() {
  return Layout(row({{0.5f, leaf({"a", "b"})}, {0.5f, column({{0.3f, leaf({"c"})}, {0.7f, leaf({"d"})}})}}));
}

// The leaves fill the area but for the gaps, and do not overlap.
void check_places(Layout& layout) {
  const Rect area{{10, 20}, {1010, 820}};
  std::vector<Layout::Placed> leaves;
  std::vector<Layout::Gap> gaps;
  layout.place(area, 4, leaves, gaps);
  double covered = 0;
  for (const Layout::Placed& placed : leaves) {
    CHECK(placed.area.min.x >= area.min.x);
    CHECK(placed.area.max.y <= area.max.y);
    CHECK(placed.area.width() > 0);
    CHECK(placed.area.height() > 0);
    covered += static_cast<double>(placed.area.width()) * placed.area.height();
    for (const Layout::Placed& other : leaves) {
      const bool apart = &other == &placed || other.area.min.x >= placed.area.max.x ||
                         other.area.max.x <= placed.area.min.x || other.area.min.y >= placed.area.max.y ||
                         other.area.max.y <= placed.area.min.y;
      CHECK(apart);
    }
  }
  for (const Layout::Gap& gap : gaps) covered += static_cast<double>(gap.area.width()) * gap.area.height();
  CHECK(covered == doctest::Approx(1000.0 * 800.0));
}

}  // namespace

TEST_CASE("layout: panes fill the room") {
  for (const NamedLayout& named : named_layouts()) {
    CAPTURE(named.name);
    Layout layout(named.make());
    check_places(layout);
  }
}

TEST_CASE("layout: the named layouts hold panes that there are, each once, and together they hold all") {
  std::set<std::string> known, in_all;
  for (const PaneRow* pane : pane_rows()) CHECK(known.insert(pane->id).second);
  for (const NamedLayout& named : named_layouts()) {
    CAPTURE(named.name);
    std::set<std::string> seen;
    for (const std::string& pane : Layout(named.make()).panes()) {
      CAPTURE(pane);
      CHECK(known.contains(pane));
      CHECK(seen.insert(pane).second);
    }
    in_all.insert(seen.begin(), seen.end());
  }
  CHECK(in_all == known);
}

TEST_CASE("layout: every spot that a pane names is one of its layout, and no two share a tab") {
  std::set<std::tuple<std::string_view, std::string_view, int>> taken;
  for (const PaneRow* pane : pane_rows())
    for (const PanePlace& place : pane->places) {
      CAPTURE(pane->id);
      CAPTURE(place.layout);
      const auto named = std::ranges::find(named_layouts(), place.layout,
                                           [](const NamedLayout& layout) { return std::string_view(layout.name); });
      REQUIRE(named != named_layouts().end());
      CHECK(Layout(named->make()).is_open(pane->id));
      CHECK(taken.emplace(place.layout, place.spot, place.tab).second);
    }
}

TEST_CASE("layout: a closed pane opens where it stood") {
  Layout layout = small();
  layout.close("b");
  CHECK_FALSE(layout.is_open("b"));
  layout.show("b");
  CHECK(layout.is_in_front("b"));
  CHECK_FALSE(layout.is_in_front("a"));
  layout.close("c");
  check_places(layout);
  layout.show("c");
  CHECK(layout.is_open("c"));
}

TEST_CASE("layout: all panes may be closed, and one opened again") {
  Layout layout = small();
  for (const char* pane : {"a", "b", "c", "d"}) layout.close(pane);
  CHECK(layout.panes().empty());
  std::vector<Layout::Placed> leaves;
  std::vector<Layout::Gap> gaps;
  layout.place({{0, 0}, {100, 100}}, 4, leaves, gaps);
  CHECK(leaves.empty());
  layout.show("d");
  CHECK(layout.is_in_front("d"));
  check_places(layout);
}

TEST_CASE("layout: a maximised pane has all the room, until another is wanted") {
  Layout layout = small();
  layout.toggle_maximised("d");
  std::vector<Layout::Placed> leaves;
  std::vector<Layout::Gap> gaps;
  layout.place({{0, 0}, {100, 100}}, 4, leaves, gaps);
  REQUIRE(leaves.size() == 1);
  CHECK(leaves[0].leaf->panes == std::vector<std::string>{"d"});
  layout.show("a");
  CHECK(layout.maximised().empty());
}

TEST_CASE("layout: a dragged gap keeps both sides") {
  Layout layout = small();
  for (const float delta : {-5000.0f, 30.0f, 5000.0f}) {
    std::vector<Layout::Placed> leaves;
    std::vector<Layout::Gap> gaps;
    layout.place({{0, 0}, {1000, 800}}, 4, leaves, gaps);
    for (const Layout::Gap& gap : gaps) Layout::resize(gap, delta);
    check_places(layout);
  }
}

TEST_CASE("layout: random moves lose nothing and double nothing, and what is saved loads") {
  std::mt19937 random(7);
  Layout layout = small();
  const std::vector<std::string> names = {"a", "b", "c", "d"};
  const auto any = [&] { return names[random() % names.size()]; };
  for (int i = 0; i < 3000; ++i) {
    const std::string pane = any();
    switch (random() % 5) {
      case 0: layout.close(pane); break;
      case 1: layout.show(pane); break;
      case 2: layout.toggle_maximised(pane); break;
      default: layout.move(pane, any(), static_cast<ts::ui::Side>(random() % 5)); break;
    }
    std::vector<std::string> panes = layout.panes();
    std::ranges::sort(panes);
    REQUIRE(std::ranges::adjacent_find(panes) == panes.end());
    if (panes.empty()) continue;
    const auto loaded = Layout::load(layout.save(), kAnyPane);
    REQUIRE(loaded.has_value());
    CHECK(loaded->root().kind == layout.root().kind);
    CHECK(loaded->panes() == layout.panes());
  }
  for (const std::string& pane : names) layout.show(pane);
  CHECK(layout.panes().size() == names.size());
}

TEST_CASE("layout: damaged settings give no layout, unknown panes are left out") {
  using nlohmann::json;
  for (const char* text : {"null", "[]", "{}", R"({"row": 3})", R"({"row": [], "shares": []})",
                           R"({"row": [{"panes": ["a"]}], "shares": []})", R"({"panes": []})", R"({"panes": [1, 2]})",
                           R"({"row": [{"panes": ["a"]}], "shares": ["x"]})"}) {
    CAPTURE(text);
    CHECK_FALSE(Layout::load(json::parse(text), kAnyPane).has_value());
  }
  json deep = {{"panes", {"a"}}};
  for (int i = 0; i < 100; ++i) deep = {{"row", {deep}}, {"shares", {1.0}}};
  CHECK_FALSE(Layout::load(deep, kAnyPane).has_value());
  const auto some = Layout::load(json::parse(R"({"panes": ["a", "gone", "b", "a"], "active": 7})"),
                                 [](const std::string& pane) { return pane != "gone"; });
  REQUIRE(some.has_value());
  CHECK(some->panes() == std::vector<std::string>{"a", "b"});
  CHECK(some->is_in_front("b"));
}
