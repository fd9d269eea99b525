// What was found and what differs, as the user comes to it: by the bar, the lists, the keys.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/support/window/window.h"
#include "tests/window/smooth.h"

namespace ts::test {
namespace {

using Json = nlohmann::json;

// Of five steps, 2 and 3 fetch from outside of their table; the other program has other offsets.
std::string program(const std::string& name) { return std::filesystem::absolute("tests/window/" + name); }

void wait_checked(Window& window) {
  window.wait("the check to be done", [](const Json& state) { return state["findings"]["state"] == "done"; });
}

}  // namespace

TEST_CASE("window: what was found is listed, gone to by a click, and F8 goes on from there") {
  Window window({.arguments = {program("found.pto")}});
  wait_checked(window);
  REQUIRE(window.state()["findings"]["count"] >= 2);
  CHECK(window.state()["findings"]["warnings"] >= 2);
  window.click_on("bar/findings");
  window.wait("the list", [](const Json& state) { return state["panes"].contains("findings"); });
  // The first of them says that the program has no flags.
  window.click_on("findings/1");
  window.wait("the first one", [](const Json& state) { return state["findings"]["chosen"] == 1; });
  CHECK(window.state()["position"] == 3);
  CHECK(window.state()["selected"] == "offsets[0,0]");
  window.press("F8");
  window.wait("the next one", [](const Json& state) { return state["findings"]["chosen"] == 2; });
  window.press("shift+F8");
  window.wait("the one before", [](const Json& state) { return state["findings"]["chosen"] == 1; });
  // The list has the focus: the arrow keys go through it.
  window.click_on("findings/1");
  window.press("Down");
  // On a slow machine the key repeats itself.
  window.wait("another one", [](const Json& state) { return state["findings"]["chosen"] >= 2; });
  window.click_on("findings/levels");
  window.settle();
  CHECK_FALSE(window.has_target("findings/1"));
  window.click_on("findings/levels");
  window.target("findings/1");
  check_smooth(window);
}

TEST_CASE("window: another program is compared, F7 goes through what differs, and both sides stand beside each other") {
  Window window({.arguments = {program("found.pto")}, .pixels = true});
  wait_checked(window);
  window.press("ctrl+shift+p");
  window.wait_for("popup", "palette");
  window.type("compare with another");
  window.press("Return");
  window.wait_for("popup", "chooser");
  window.settle();
  window.type(program("found_other.pto"));
  window.press("Return");
  window.wait("what differs", [](const Json& state) {
    return state["compare"].is_object() && !state["compare"]["running"] && state["compare"].contains("differences");
  });
  CHECK(window.state()["compare"]["title"] == "found_other.pto on a5");
  REQUIRE(window.state()["compare"]["differences"] >= 1);
  CHECK(window.state()["compare"]["causes"] >= 1);
  window.press("ctrl+shift+F5");
  window.wait_for("position", 0);
  window.press("F7");
  window.wait("the first difference", [](const Json& state) { return state["compare"]["chosen"] == 0; });
  CHECK(window.state()["position"] == 2);
  CHECK(window.state()["selected"] == "offsets[0,0]");
  window.press("ctrl+alt+3");
  window.wait_for("layout", "compare");
  window.wait("both sides", [](const Json& state) {
    return state["panes"].contains("tiles") && state["panes"].contains("other") && state["panes"].contains("apart");
  });
  window.click_on("compare/0");
  window.settle();
  CHECK(window.draws());
  check_smooth(window);
}

}  // namespace ts::test
