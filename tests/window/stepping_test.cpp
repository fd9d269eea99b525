// A debug session as its user has it: keys, clicks, the console, a program that changes on disk.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/support/process/cli.h"
#include "tests/support/window/window.h"
#include "tests/window/smooth.h"

namespace ts::test {
namespace {

using Json = nlohmann::json;

void go_to_start(Window& window) {
  window.press("ctrl+shift+F5");
  window.wait_for("position", 0);
}

}  // namespace

TEST_CASE("window: a sample opens where its author wants it looked at") {
  Window window({.arguments = {"complex_split"}, .pixels = true});
  window.wait_for("document", "complex_split.pto");
  window.wait_for("count", 11);
  window.wait_for("position", 6);
  window.wait_for("selected", "im[1,7]");
  CHECK(window.draws());
  check_smooth(window);
}

TEST_CASE("window: F10 steps on, Shift+F10 back") {
  Window window(complex_split());
  window.wait_for("position", 6);
  go_to_start(window);
  for (int position = 1; position <= 4; ++position) {
    window.press("F10");
    window.wait_for("position", position);
  }
  for (int position = 3; position >= 0; --position) {
    window.press("shift+F10");
    window.wait_for("position", position);
  }
  window.press("shift+F10");
  window.wait_for("position", 0);
  check_smooth(window);
}

TEST_CASE("window: F11 goes into a step, Ctrl+F11 back, Shift+F11 out") {
  Window window(complex_split());
  window.wait_for("position", 6);
  window.press("shift+F10");
  window.wait_for("position", 5);
  for (int micro = 1; micro <= 3; ++micro) {
    window.press("F11");
    window.wait_for("micro", micro);
    CHECK(window.state()["position"] == 5);
  }
  window.press("ctrl+F11");
  window.wait_for("micro", 2);
  window.press("shift+F11");
  window.wait("the step to be left", [](const Json& state) { return state["micro"] == 0 && state["position"] == 6; });
  check_smooth(window);
}

TEST_CASE("window: a click beside a line sets a breakpoint, and F5 stops there") {
  Window window(complex_split());
  window.wait_for("position", 6);
  go_to_start(window);
  window.click_on("program/margin 49");
  window.wait("a breakpoint", [](const Json& state) { return state["stops"].size() == 1; });
  CHECK(window.state()["stops"][0]["text"] == "line 49");
  window.press("F5");
  window.wait_for("position", 6);
  window.wait("a hit", [](const Json& state) { return state["stops"][0]["hits"] == 1; });
  window.press("F5");
  window.wait_for("position", 11);
  window.press("shift+F5");
  window.wait_for("position", 6);
  window.click_on("program/margin 49");
  window.wait("no breakpoint", [](const Json& state) { return state["stops"].empty(); });
  check_smooth(window);
}

TEST_CASE("window: an element on the stage is hovered, selected, and followed to its source") {
  Window window(complex_split());
  window.wait_for("position", 6);
  window.move(window.target("stage/re[1,7]"));
  window.wait_for("hovered", "re[1,7]");
  CHECK(window.state()["selected"] == "im[1,7]");
  window.click_on("stage/re[1,7]");
  window.wait_for("selected", "re[1,7]");
  // re[1,7] is at place 14 of the stream's second row, the third of its second half.
  window.press("F4");
  window.wait("its source", [](const Json& state) { return state["selected"] == "second[1,2]"; });
  check_smooth(window);
}

TEST_CASE("window: a click on a source selects it") {
  Window window(complex_split());
  window.wait_for("position", 6);
  window.click_on("stage/second[1,4]");
  window.wait_for("selected", "second[1,4]");
  window.wait("the tile in the Tiles pane",
              [](const Json& state) { return state["targets"].contains("tiles/second"); });
  check_smooth(window);
}

TEST_CASE("window: Lua typed into the console moves the session") {
  Window window(complex_split());
  window.wait_for("position", 6);
  window.click_on("console/input");
  window.type("6 * 7\n");
  window.wait_said("42");
  // The field takes the focus again a frame or two after Enter.
  window.click_on("console/input");
  window.type("rec:seek(3)\n");
  window.wait_for("position", 3);
  window.click_on("console/input");
  window.type("rec:nonsense()\n");
  window.wait_said("nonsense");
  CHECK(window.running());
  check_smooth(window);
}

TEST_CASE("window: letters in a text field are not commands") {
  Window window(complex_split());
  window.wait_for("position", 6);
  window.click_on("console/input");
  window.type("bxhn,.,.");
  window.wait_for("position", 6);
  CHECK(window.state()["micro"] == 0);
}

TEST_CASE("window: a program that changes on disk is run again") {
  const TempFolder folder;
  put_text(folder / "kernel.pto", get_text("samples/complex_merge.pto"));
  Window window({.arguments = {folder / "kernel.pto"}});
  window.wait_for("count", 9);
  put_text(folder / "kernel.new", get_text("samples/complex_split.pto"));
  std::rename((folder / "kernel.new").c_str(), (folder / "kernel.pto").c_str());
  window.wait_for("count", 11);
  window.wait_for("document", "kernel.pto");
  check_smooth(window);
}

TEST_CASE("window: a kernel with its main is run again when a file changes that belongs to it") {
  const TempFolder folder;
  const auto say = [&](const char* file, const std::string& text) {
    put_text(folder / "new", text);
    std::rename((folder / "new").c_str(), (folder / file).c_str());
  };
  say("turns.h", "constexpr int kTurns = 1;\n");
  say("kernel.cpp", R"(#include <pto/pto-inst.hpp>
#include "turns.h"
using namespace pto;
__global__ AICORE void fill(__gm__ float* x) {
  Tile<TileType::Vec, float, 8, 8> a;
  TASSIGN(a, 0);
  for (int i = 0; i < kTurns; ++i) TEXPANDS(a, 1.0f + i);
  GlobalTensor<float, Shape<1, 1, 1, 8, 8>, Stride<64, 64, 64, 8, 1>> g(x);
  TSTORE(g, a);
}
void launch(float* x) { fill<<<1, nullptr, nullptr>>>(x); }
)");
  say("main.cpp", R"(#include "acl/acl.h"
void launch(float* x);
int main() {
  float* x;
  aclrtMalloc((void**)&x, 256, ACL_MEM_MALLOC_HUGE_FIRST);
  for (int i = 0; i < 2; ++i) launch(x);
}
)");
  Window window({.arguments = {folder / "kernel.cpp", folder / "main.cpp"}});
  // Each launch begins with a step of its own.
  window.wait_for("count", 4 + 4);
  say("turns.h", "constexpr int kTurns = 3;\n");
  window.wait_for("count", 6 + 6);
  say("main.cpp", get_text(folder / "main.cpp") + "// again\n");
  window.wait_for("document", "kernel.cpp");
}

TEST_CASE("window: Ctrl+Q ends it, and what the user set is there again") {
  const TempFolder home;
  {
    Window window({.arguments = {"complex_split"}, .home = home.path()});
    window.wait_for("theme", "dark");
    window.press("ctrl+t");
    window.wait_for("theme", "light");
    window.press_blindly("ctrl+q");
    CHECK(window.end() == 0);
  }
  Window again({.arguments = {"complex_split"}, .home = home.path()});
  again.wait_for("theme", "light");
}

}  // namespace ts::test
