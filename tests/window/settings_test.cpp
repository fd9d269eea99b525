// How a program is run, in the window: chosen by mouse, run again, kept by name and for the next time.
#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

#include "core/data/npy.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/window/window.h"

namespace ts::test {
namespace {

using Json = nlohmann::json;

// z = x + y in a folder, with an array of the right shape and one of another.
struct KernelFolder {
  KernelFolder() {
    put_text(kernel, kAddRows);
    put_ones("ones.npy", 16);
    put_ones("few.npy", 4);
  }
  void put_ones(const std::string& name, std::uint64_t rows) {
    const std::vector<float> ones(rows * 64, 1.0f);
    const auto bytes = std::as_bytes(std::span(ones));
    REQUIRE(data::write_array(folder / name, {"f4", {rows, 64}, {bytes.begin(), bytes.end()}}).text == "");
  }
  TempFolder folder;
  std::string kernel = folder / "kernel.pto";
};

std::string setting(const Json& state, const char* what) { return state["settings"][what].get<std::string>(); }

void wait_draft(Window& window, const std::string& part) {
  window.wait("the draft with " + part, [&](const Json& state) { return has(setting(state, "draft"), part); });
}

void wait_running(Window& window, const std::string& part) {
  window.wait("running " + part, [&](const Json& state) {
    return has(setting(state, "running"), part) && setting(state, "running") == setting(state, "draft");
  });
}

void choose_file(Window& window, const std::string& input, const std::string& file) {
  window.click_on("sheet/input " + input + "/file");
  window.wait_for("popup", "chooser");
  window.wait("the path takes letters", [](const Json& state) { return state["typing"] == true; });
  window.type_at_once(file);
  window.type("\n");
  window.wait_for("popup", "settings");
}

void print(Window& window, const std::string& expression, const std::string& said) {
  window.click_on("console/input");
  window.type_at_once(expression);
  window.type("\n");
  window.wait_said(said);
}

}  // namespace

TEST_CASE("window: the other target and an array are chosen by mouse, and the run has them") {
  const KernelFolder f;
  Window window({.arguments = {f.kernel, "--set", "rows=16"}});
  window.wait_for("count", 8);
  window.press("F10");
  window.press("F10");
  window.press("F10");
  window.wait_for("position", 3);
  window.click_on("run/target");
  window.wait_for("popup", "settings");
  window.click_on("sheet/target");
  window.click_on("sheet/target/a2a3");
  wait_draft(window, "target a2a3");
  // A file that does not fit is told before anything runs, and Run is not to be had.
  choose_file(window, "x", "few.npy");
  window.wait("it does not fit", [](const Json& state) {
    return state["settings"]["looked"] == true && state["settings"]["fits"] == false;
  });
  window.target("sheet/input x/wrong");
  window.click_on("sheet/run");
  choose_file(window, "x", "ones.npy");
  window.wait("it fits", [](const Json& state) { return state["settings"]["fits"] == true; });
  CHECK(!has(setting(window.state(), "running"), "a2a3"));
  window.click_on("sheet/input y");
  window.click_on("sheet/input y/ramp");
  wait_draft(window, "y=ramp");
  window.click_on("sheet/run");
  wait_running(window, "target a2a3");
  window.wait_for("position", 3);
  window.press("Escape");
  window.wait_for("popup", "");
  print(window, "print(rec:tile('c'):get(0, 3))", "4.0");
}

TEST_CASE("window: numbers are typed, the place is kept, and the sheet is left with Escape") {
  const KernelFolder f;
  Window window({.arguments = {f.kernel, "--set", "rows=16"}});
  window.wait_for("count", 8);
  window.press("ctrl+shift+r");
  window.wait_for("popup", "settings");
  window.click_on("sheet/input rows");
  window.press("ctrl+a");
  window.type("32\n");
  wait_draft(window, "rows=32");
  window.press("ctrl+shift+Return");
  window.wait_for("count", 16);
  window.press("Escape");
  window.wait_for("popup", "");
  window.press("ctrl+shift+r");
  window.wait_for("popup", "settings");
  window.press("ctrl+shift+r");
  window.wait_for("popup", "");
}

TEST_CASE("window: settings are saved by a name, loaded again, and deleted") {
  const KernelFolder f;
  Window window({.arguments = {f.kernel, "--set", "rows=16"}});
  window.wait_for("count", 8);
  window.click_on("run/open");
  choose_file(window, "x", "ones.npy");
  wait_draft(window, "x=");
  window.click_on("sheet/name");
  window.type("ones");
  window.click_on("sheet/save");
  window.wait("it is saved", [](const Json& state) { return setting(state, "loaded") == "ones"; });
  CHECK(has(get_text(f.kernel + ".tilescope"), "\"x\": \"ones.npy\""));
  const ProcessResult same = tilescope({"run", f.kernel, "--setup", "ones"});
  CHECK(same.status == kOk);
  CHECK(has(same.out, "f32, 1024 elements, given"));
  window.click_on("sheet/usual");
  window.wait("as usual", [](const Json& state) { return setting(state, "draft").empty(); });
  window.click_on("sheet/setups");
  window.click_on("sheet/setups/ones");
  wait_draft(window, "x=");
  window.click_on("sheet/delete");
  window.wait("it is gone", [](const Json& state) { return setting(state, "loaded").empty(); });
  CHECK(!has(get_text(f.kernel + ".tilescope"), "ones.npy"));
}

TEST_CASE("window: a program that is opened again runs as it did") {
  const KernelFolder f;
  const TempFolder home;
  {
    Window window(
        {.arguments = {f.kernel, "--set", "rows=16", "--order", "reverse", "--target", "a2a3", "--make", "x=ramp"},
         .home = home.path()});
    window.wait_for("count", 8);
    window.press_blindly("ctrl+q");
    CHECK(window.end() == 0);
  }
  for (const bool recent : {false, true}) {
    CAPTURE(recent);
    Window window({.home = home.path()}, Window::Ready::FirstFrame);
    if (recent) {
      window.press("ctrl+o");
      window.wait_for("popup", "chooser");
      window.type_at_once(f.kernel);
      window.type("\n");
    } else {
      window.press("ctrl+shift+t");
    }
    window.wait_for("count", 8);
    for (const char* part : {"target a2a3", "order reverse", "rows=16", "x=ramp"}) wait_running(window, part);
    window.press_blindly("ctrl+q");
    CHECK(window.end() == 0);
  }
}

TEST_CASE("window: of a lesson and of a recording nothing is to be chosen") {
  Window window({.arguments = {"zip"}});
  window.wait("the lesson", [](const Json& state) { return !state["lesson"].is_null(); });
  CHECK(!window.has_target("run/open"));
  window.press("ctrl+shift+r");
  window.wait("why", [](const Json& state) { return has(state["notices"].dump(), "no program that could be run"); });
}

}  // namespace ts::test
