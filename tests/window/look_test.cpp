// What the window looks like, and what the user can change about it: themes, layouts, splits, the palette.
#include <doctest/doctest.h>

#include <string>

#include "tests/support/window/window.h"
#include "tests/window/smooth.h"

namespace ts::test {
namespace {

using Json = nlohmann::json;

// Of all pixels, 0 to 255.
double brightness(const Picture& picture) {
  double sum = 0;
  for (const Pixel& pixel : picture.pixels) sum += 0.2126 * pixel.r + 0.7152 * pixel.g + 0.0722 * pixel.b;
  return sum / static_cast<double>(picture.pixels.size());
}

Picture pane_picture(Window& window, const std::string& pane) {
  const auto place = window.state()["panes"][pane].get<std::vector<int>>();
  return window.picture().part(place[0], place[1], place[2], place[3]);
}

void choose(Window& window, std::string_view words) {
  window.press("ctrl+shift+p");
  window.wait_for("popup", "palette");
  window.type(words);
  window.press("Return");
  window.wait_for("popup", "");
}

}  // namespace

TEST_CASE("window: Ctrl+T goes through the themes") {
  Window window({.arguments = {"complex_split"}, .pixels = true});
  window.wait_for("theme", "dark");
  const double dark = brightness(window.picture());
  CHECK(dark < 80);
  window.press("ctrl+t");
  window.wait_for("theme", "light");
  window.wait("the light picture", [&](const Json&) { return brightness(window.picture()) > 180; });
  window.press("ctrl+t");
  window.wait_for("theme", "contrast");
  window.press("ctrl+t");
  window.wait_for("theme", "dark");
  window.wait("the dark picture", [&](const Json&) { return brightness(window.picture()) < 80; });
  check_smooth(window);
}

TEST_CASE("window: layouts show their panes") {
  Window window({.arguments = {"complex_split"}, .pixels = true});
  window.wait_for("layout", "debug");
  for (const char* pane : {"program", "stage", "tiles", "timeline"}) {
    CAPTURE(pane);
    CHECK(window.state()["panes"].contains(pane));
  }
  window.press("ctrl+alt+4");
  window.wait_for("layout", "present");
  window.wait("fewer panes", [](const Json& state) {
    return state["panes"].contains("stage") && !state["panes"].contains("timeline");
  });
  CHECK(window.draws());
  window.press("ctrl+alt+2");
  window.wait_for("layout", "debug");
  window.wait("all panes", [](const Json& state) { return state["panes"].contains("timeline"); });
  check_smooth(window);
}

TEST_CASE("window: panes fill the window and do not overlap") {
  Window window({.arguments = {"complex_split"}});
  const Json panes = window.state()["panes"];
  REQUIRE(panes.size() >= 4);
  double area = 0;
  for (const auto& [name, place] : panes.items()) {
    CAPTURE(name);
    const auto a = place.get<std::vector<int>>();
    CHECK(a[0] >= 0);
    CHECK(a[1] >= 0);
    CHECK(a[0] + a[2] <= 1600);
    CHECK(a[1] + a[3] <= 1000);
    area += static_cast<double>(a[2]) * a[3];
    for (const auto& [other, other_place] : panes.items()) {
      if (other <= name) continue;
      const auto b = other_place.get<std::vector<int>>();
      CAPTURE(other);
      CHECK((a[0] + a[2] <= b[0] || b[0] + b[2] <= a[0] || a[1] + a[3] <= b[1] || b[1] + b[3] <= a[1]));
    }
  }
  CHECK(area > 0.75 * 1600 * 1000);
}

TEST_CASE("window: the palette carries out what is typed") {
  Window window({.arguments = {"complex_split"}});
  window.wait_for("position", 6);
  choose(window, "layout: present");
  window.wait_for("layout", "present");
  choose(window, "layout: debug");
  window.wait_for("layout", "debug");
  // Escape does nothing but close it.
  window.press("ctrl+shift+p");
  window.wait_for("popup", "palette");
  window.press("Escape");
  window.wait_for("popup", "");
  CHECK(window.state()["position"] == 6);
  check_smooth(window);
}

TEST_CASE("window: the gap between panes can be dragged") {
  Window window({.arguments = {"complex_split"}});
  const auto before = window.state()["panes"]["program"].get<std::vector<int>>();
  const double gap = before[0] + before[2] + 2, middle = before[1] + before[3] / 2.0;
  window.drag({gap, middle}, {gap + 80, middle});
  window.wait("a wider pane", [&](const Json& state) {
    const int width = state["panes"]["program"][2];
    return width >= before[2] + 60 && width <= before[2] + 100;
  });
  check_smooth(window);
}

TEST_CASE("window: a tab is dragged to the side of another pane, and among its tabs") {
  Window window({.arguments = {"complex_split"}});
  const auto pane = [&](const char* id) { return window.state()["panes"][id].get<std::vector<double>>(); };
  const auto tab = [&](const char* id) {
    const auto rect = window.state()["targets"][std::string("tab/") + id].get<std::vector<double>>();
    return Point{rect[0] + rect[2] / 2, rect[1] + rect[3] / 2};
  };
  const auto console = pane("console");
  // The left quarter of a pane: beside it.
  window.drag(tab("timeline"), {console[0] + 30, console[1] + console[3] / 2});
  window.wait("the timeline left of the console", [&](const Json& state) {
    const auto moved = state["panes"]["timeline"].get<std::vector<double>>(),
               other = state["panes"]["console"].get<std::vector<double>>();
    return moved[0] > 300 && moved[0] + moved[2] <= other[0] && std::abs(moved[1] - other[1]) < 2;
  });
  // The middle: as a tab, in front.
  const auto map = pane("buffermap");
  window.drag(tab("timeline"), {map[0] + map[2] / 2, map[1] + map[3] / 2});
  window.wait("the timeline in front of the buffer map", [&](const Json& state) {
    return !state["panes"].contains("buffermap") && state["panes"].contains("timeline");
  });
  check_smooth(window);
}

TEST_CASE("window: what is selected is drawn") {
  Window window({.arguments = {"complex_split"}, .pixels = true});
  window.wait_for("selected", "im[1,7]");
  const Picture before = pane_picture(window, "stage");
  window.click_on("stage/im[1,8]");
  window.wait_for("selected", "im[1,8]");
  window.move({5, 500});
  window.wait_for("hovered", nullptr);
  window.wait("another picture", [&](const Json&) { return !compare(before, pane_picture(window, "stage")).same; });
}

// What that takes of a core is for the benchmark.
TEST_CASE("window: at rest it draws at most five frames a second") {
  Window window({.arguments = {"complex_split"}});
  window.wait_for("position", 6);
  window.move({5, 500});
  for (int i = 0; i < 100 && !window.changes_within(0.5).empty(); ++i) {
  }
  const auto before = window.state()["frame"].get<std::int64_t>();
  // Nothing to wait for here: this is a time in which nothing happens.
  constexpr int kSeconds = 3, kFramesOfAMove = 10;
  CHECK(window.changes_within(kSeconds) == "");
  window.move({5, 510});
  CHECK(window.state()["frame"].get<std::int64_t>() - before <= 5 * kSeconds + kFramesOfAMove);
}

}  // namespace ts::test
