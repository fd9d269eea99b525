// Showing a program to others: layout Present, the keys of a clicker, a pen; the whole program played; a film given up.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/process/temp_folder.h"
#include "tests/support/window/window.h"

namespace ts::test {
namespace {

void present(Window& window) {
  window.press("ctrl+alt+4");
  window.wait_for("layout", "present");
}

}  // namespace

TEST_CASE("window, present: it opens where one was, and a clicker goes on and back") {
  Window window({.arguments = {"complex_split", "--step", "5"}});
  const auto position = window.state()["position"].get<int>();
  present(window);
  CHECK(window.state()["position"] == position);
  window.press("Page_Down");
  window.wait_for("position", position + 1);
  window.press("Page_Up");
  window.wait_for("position", position);
}

TEST_CASE("window, present: the pen draws over everything, and Escape wipes it off") {
  Window window({.arguments = {"complex_split", "--step", "5"}});
  window.press("p");
  window.wait("there is no pen here", [](const nlohmann::json& state) {
    return std::ranges::any_of(state["notices"], [](const auto& one) {
      return one.template get<std::string>().find("Present") != std::string::npos;
    });
  });
  present(window);
  const auto selected = window.state()["selected"];
  window.press("p");
  window.drag({700, 300}, {900, 420});
  window.wait_for("pen_lines", 1);
  CHECK(window.state()["selected"] == selected);
  window.press("Escape");
  window.wait_for("pen_lines", 0);
}

TEST_CASE("window, present: the program is played until a breakpoint") {
  Window window({.arguments = {"complex_split", "--step", "3"}});
  // The step that comes next gets a breakpoint.
  const auto position = window.state()["position"].get<int>();
  window.press("F9");
  window.wait("a breakpoint", [](const nlohmann::json& state) { return state["stops"].size() == 1; });
  window.press("ctrl+shift+F5");
  window.wait_for("position", 0);
  window.press("shift+space");
  window.wait_for("position", position);
  window.wait("it stopped there", [](const nlohmann::json& state) { return state["stops"][0]["hits"] == 1; });
  CHECK(window.changes_within(2).find("position") == std::string::npos);
}

TEST_CASE("window, present: Escape gives up a film, and leaves nothing") {
  const TempFolder folder;
  Window window({.arguments = {"complex_split"}});
  window.press("ctrl+shift+p");
  window.wait_for("popup", "palette");
  window.type_at_once("save film");
  window.press("Return");
  window.wait_for("popup", "chooser");
  window.type_at_once(folder / "film.gif");
  window.press("Return");
  window.press("Escape");
  window.wait("the film to be given up", [](const nlohmann::json& state) {
    return std::ranges::any_of(state["notices"], [](const auto& one) {
      return one.template get<std::string>().find("given up") != std::string::npos;
    });
  });
  CHECK_FALSE(std::filesystem::exists(folder / "film.gif"));
}

}  // namespace ts::test
