// Showing a program to others: layout Present, the keys of a clicker, a pen.
#include <doctest/doctest.h>

#include "tests/support/window/window.h"

namespace ts::test {
namespace {

void present(Window& window) {
  window.press("ctrl+alt+4");
  window.wait_for("layout", "present");
}

}  // namespace

TEST_CASE("window, present: it opens where one was, and a clicker goes on and back") {
  Window window({.arguments = {"complex_split"}});
  const auto position = window.state()["position"].get<int>();
  present(window);
  CHECK(window.state()["position"] == position);
  window.press("Page_Down");
  window.wait_for("position", position + 1);
  window.press("Page_Up");
  window.wait_for("position", position);
}

TEST_CASE("window, present: the pen draws over everything, and Escape wipes it off") {
  Window window({.arguments = {"complex_split"}});
  window.press("p");
  window.wait("there is no pen here", [](const nlohmann::json& state) { return told(state, "Present"); });
  present(window);
  const auto selected = window.state()["selected"];
  window.press("p");
  window.drag({700, 300}, {900, 420});
  window.wait_for("pen_lines", 1);
  CHECK(window.state()["selected"] == selected);
  window.press("Escape");
  window.wait_for("pen_lines", 0);
}

}  // namespace ts::test
