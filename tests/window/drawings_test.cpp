// The drawings of reductions, spread values, comparisons and padding, in the window: pointing at results and sources,
// and shapes that are odd, in little room.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <optional>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/text/small_text.h"
#include "tests/support/window/window.h"
#include "tests/window/goldens.h"

namespace ts::test {
namespace {

void make_stage_large(Window& window) {
  window.press("ctrl+alt+4");
  window.wait_for("layout", "present");
}

// tests/window/drawings.pto on a target, to be opened on a step with an element selected.
class OnStep {
 public:
  OnStep(int step, const std::string& target, const std::string& selected) {
    const std::string path = folder_ / "drawings.pto";
    put_text(path, fmt::format("// show: --step {} --cell {}\n", step, selected) + get_text(kDrawings));
    window_.emplace(WindowStart{.arguments = {path, "--target", target}});
    make_stage_large(*window_);
    window_->wait_for("selected", selected);
  }
  Window& window() { return *window_; }

 private:
  TempFolder folder_;
  std::optional<Window> window_;
};

// One instruction whose tiles are never loaded: what is drawn is the way of the elements.
struct Odd {
  const char* instruction;
  std::vector<std::string> ins, outs;
  const char* attributes = "";
  bool on_a2a3 = true;
};
const Odd kOdd[] = {
    {"trowsum", {"1x8xf32"}, {"1x8xf32, valid=1x1"}},
    {"trowsum", {"4x8xf32, valid=4x1"}, {"4x8xf32, valid=4x1"}},
    {"trowsum", {"8x1024xf32, valid=3x1000"}, {"8x1xf32, blayout=col_major, valid=3x1"}},
    {"trowsum", {"4x12xi64, valid=4x10"}, {"4x4xi64, valid=4x1"}, "", false},
    {"trowargmin", {"2x304xf32, valid=2x300"}, {"2x8xf32, valid=2x1", "2x8xi32, valid=2x1"}},
    {"tcolmax", {"200x8xf32"}, {"1x8xf32"}},
    {"tcolsum", {"1x16xf32"}, {"1x16xf32"}},
    {"tcolsum", {"7x16xf32, valid=7x5"}, {"1x16xf32, valid=1x5"}, "{isBinary = true}"},
    {"tcolargmax", {"6x16xf32"}, {"1x16xf32", "1x16xi32"}},
    {"tquant", {"2x32xf32, valid=2x8", "8x1xf32, blayout=col_major, valid=2x1"}, {"2x32xi8, valid=2x8"}},
    {"tquant",
     {"1x32xf32, valid=1x1", "8x1xf32, blayout=col_major, valid=1x1", "8x1xf32, blayout=col_major, valid=1x1"},
     {"1x32xui8, valid=1x1"}},
    {"tdequant", {"64x64xi16", "64x1xf32, blayout=col_major", "64x1xf32, blayout=col_major"}, {"64x64xf32"}},
    {"trowexpand", {"4x8xf32"}, {"4x4096xf32, valid=4x4001"}},
    {"trowexpand", {"1x8xf32"}, {"1x8xf32, valid=1x1"}},
    {"trowexpandmul", {"4x16xf16", "4x16xf16"}, {"4x16xf16"}, "{src1Col = 16 : i32}"},
    {"tcolexpand", {"1x16xf32"}, {"300x16xf32"}},
    {"tcolexpandexpdif", {"4x16xf32, valid=4x3", "1x16xf32, valid=1x3"}, {"4x16xf32, valid=4x3"}},
    {"tcmp", {"1x8xf32, valid=1x1", "1x8xf32, valid=1x1"}, {"1x32xui8"}, "{cmpMode = #pto<cmp lt>}"},
    {"tcmp", {"2x12xi64, valid=2x10", "2x12xi64, valid=2x10"}, {"2x32xui8"}, "{cmpMode = #pto<cmp ge>}", false},
    {"tcmp", {"2x4096xf32", "2x4096xf32"}, {"2x128xui32"}, "{cmpMode = #pto<cmp ne>}"},
    {"tfillpad", {"4x32xi8, valid=4x5"}, {"4x32xi8, pad=1"}},
    {"tfillpad_expand", {"2x8xf32, valid=1x1"}, {"64x256xf32, pad=3"}},
    {"tsort32", {"2x96xf32", "1x96xui32"}, {"2x192xf32"}},
    {"tsort32", {"1x16xf16, valid=1x3", "1x32xui32", "1x32xf16"}, {"1x128xf16"}},
    {"tmrgsort", {"1x8xf32", "1x8xf32, valid=1x2", "1x16xf32"}, {"1x8xf32, valid=1x3"}, "{exhausted = true}"},
    {"tmrgsort", {"1x64xf16", "1x64xf16", "1x64xf16", "1x64xf16", "1x256xf16"}, {"1x256xf16"}},
};

std::string text_of(const Odd& odd, Target target) {
  SmallText text(target);
  std::vector<std::string> names[2];
  const std::vector<std::string>* const types[] = {&odd.ins, &odd.outs};
  for (int side = 0; side < 2; ++side)
    for (const std::string& type : *types[side]) {
      names[side].push_back(fmt::format("{}{}", side == 0 ? "in" : "out", names[side].size()));
      text.tile(names[side].back(), type);
    }
  text.step(odd.instruction, names[0], names[1], odd.attributes);
  return text.text();
}

}  // namespace

TEST_CASE("window, drawings: odd shapes on both targets, in little room") {
  const TempFolder folder;
  for (const Target target : kBothTargets)
    for (const Odd& odd : kOdd) {
      if (target == Target::A2A3 && !odd.on_a2a3) continue;
      const std::string path = folder / "odd.pto", text = text_of(odd, target);
      put_text(path, text);
      const ProcessResult checked = tilescope({"check", path});
      CHECK_MESSAGE(checked.status == 0, checked.err);
      for (const char* size : {"640x480", "300x200"}) {
        CAPTURE(text);
        CAPTURE(std::string(size));
        std::string problem;
        const auto picture = render({"odd", "", {path, "--step", "0", "--pane", "stage", "--size", size}}, problem);
        CHECK_MESSAGE(picture, problem);
        if (picture) CHECK(picture->colors(20) == 20);
      }
    }
}

TEST_CASE("window, drawings: a sum is pointed at, and one of its elements") {
  OnStep there(6, "a5", "sums[1,0]");
  Window& window = there.window();
  // All elements of the row are in the tree, also those that the grid has no room for.
  window.target("stage/first[1,15]");
  window.move(window.target("stage/sums[2,0]"));
  window.wait_for("hovered", "sums[2,0]");
  window.click_on("stage/first[1,3]");
  window.wait_for("selected", "first[1,3]");
}

TEST_CASE("window, drawings: a value that is spread, and what it meets") {
  OnStep there(10, "a2a3", "centred[1,3]");
  Window& window = there.window();
  for (const char* place : {"stage/first[1,3]", "stage/sums[1,0]", "stage/centred[1,3]"})
    CHECK(window.has_target(place));
  window.click_on("stage/sums[1,0]");
  window.wait_for("selected", "sums[1,0]");
}

TEST_CASE("window, drawings: a bit is pointed at for the byte that it is in") {
  OnStep there(12, "a5", "mask[1,1]");
  Window& window = there.window();
  window.move(window.target("stage/mask[1,0]"));
  window.wait_for("hovered", "mask[1,0]");
  window.click_on("stage/second[1,2]");
  window.wait_for("selected", "second[1,2]");
}

TEST_CASE("window, drawings: a filled element has no source, a copied one has") {
  OnStep there(13, "a5", "padded[0,2]");
  Window& window = there.window();
  window.click_on("stage/padded[3,2]");
  window.wait_for("selected", "padded[3,2]");
  window.press("F4");
  window.click_on("stage/padded[0,2]");
  window.wait_for("selected", "padded[0,2]");
  window.press("F4");
  window.wait_for("selected", "part[0,2]");
}

}  // namespace ts::test
