// Steps in motion, in the real window: the program is played, and stops where it is told to; a film is given up.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/process/temp_folder.h"
#include "tests/support/window/window.h"

namespace ts::test {
TEST_CASE("window, motion: the program is played up to a breakpoint, and on from there to its end") {
  Window window(complex_split());
  window.wait_for("position", 6);
  window.press("ctrl+shift+F5");
  window.wait_for("position", 0);
  window.click_on("program/margin 49");
  window.wait("a breakpoint", [](const nlohmann::json& state) { return state["stops"].size() == 1; });
  window.press("shift+space");
  window.wait_for("position", 6);
  window.wait("a hit", [](const nlohmann::json& state) { return state["stops"][0]["hits"] == 1; });
  // It would have gone on by now.
  CHECK(window.changes_within(3).find("position") == std::string::npos);
  window.press("shift+space");
  window.wait_for("position", 11);
}

namespace {

// Of the shown step, by the palette and the dialog that asks for a file.
void begin_film(Window& window, const std::string& path) {
  window.press("ctrl+shift+p");
  window.wait_for("popup", "palette");
  window.type_at_once("save a film");
  window.press("Return");
  window.wait_for("popup", "chooser");
  window.wait("the path takes letters", [](const nlohmann::json& state) { return state["typing"] == true; });
  window.press("ctrl+a");
  window.type_at_once(path);
  window.press("Return");
}

}  // namespace

TEST_CASE("window, motion: a film of a step is written, or given up by Escape, and all is as it was") {
  const TempFolder folder;
  Window window({.arguments = {"complex_split"}, .pixels = true});
  window.wait_for("position", 6);
  const auto moment = [&] { return std::pair{window.state()["position"], window.state()["layout"]}; };
  const auto before = moment();
  begin_film(window, folder / "whole.gif");
  window.wait("it to be written",
              [](const nlohmann::json& state) { return told(state, "whole.gif is written: 37 pictures"); });
  bool given_up = false;
  // A film that is done before the key comes is written.
  for (int i = 0; i < 6 && !given_up; ++i) {
    const std::string path = folder / fmt::format("{}.gif", i);
    begin_film(window, path);
    window.press("Escape");
    window.wait("an end",
                [&](const nlohmann::json& state) { return told(state, "given up") || told(state, path + " is"); });
    given_up = told(window.state(), "given up");
    if (given_up) CHECK(folder.entries() == static_cast<std::size_t>(i) + 1);
  }
  CHECK(given_up);
  window.settle();
  CHECK(moment() == before);
}

}  // namespace ts::test
