// Slices of what has more than two dimensions, by the mouse and by keys.
#include <doctest/doctest.h>

#include <string>

#include "tests/support/window/window.h"

namespace ts::test {

using SliceState = nlohmann::json;

TEST_CASE(
    "window: a slice of a buffer of three dimensions is chosen by the mouse and by keys, and follows the selection") {
  Window window({.arguments = {"masked_scores"}});
  window.press("ctrl+shift+p");
  window.wait_for("popup", "palette");
  window.type_at_once("scores");
  window.type("\n");
  window.wait_for("popup", "");
  const auto wait_slice = [&](const SliceState& wanted) {
    window.wait("the slice " + wanted.dump(), [&](const SliceState& state) {
      return state["tiles"].contains("scores") && state["tiles"]["scores"].value("slice", SliceState()) == wanted;
    });
  };
  window.click_on("tiles/slice 0 on");
  wait_slice(1);
  window.press("shift+Page_Down");
  wait_slice(2);
  window.press("shift+Page_Up");
  wait_slice(1);
  window.click_on("tiles/slice all");
  window.wait("all slices", [](const SliceState& state) {
    return !state["tiles"].contains("scores") || !state["tiles"]["scores"].contains("slice");
  });
}

// A person who has just opened a program of their own has selected nothing.
TEST_CASE("window: a buffer is chosen by a part of its name, and compared with an array, where nothing is selected") {
  Window window({.arguments = {"masked_select"}});
  const auto command = [&](const std::string& words) {
    window.press("ctrl+shift+p");
    window.wait_for("popup", "palette");
    window.type_at_once(words);
    window.type("\n");
  };
  command("Select nothing");
  window.wait_for("selected", SliceState());
  window.click_on("tiles/choose");
  window.wait("the filter", [](const SliceState& state) { return state["typing"] == true; });
  window.type_at_once("bit");
  window.type("\n");
  window.target("tiles/bits");
  command("Compare tile with .npy");
  window.wait_for("popup", "chooser");
}

}  // namespace ts::test
