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

}  // namespace ts::test
