// The lines that people wrote, in the window: tabs of their files, stepping and stopping by them, files that are elsewhere.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/support/process/cli.h"
#include "tests/support/window/window.h"

namespace ts::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kFile = "program/from_python.py";

// The sample's two files, the second one below a folder of its own.
void put_sample(const TempFolder& folder, const std::string& source) {
  std::filesystem::create_directories(folder / "src");
  std::filesystem::copy_file("samples/from_python.pto", folder / "k.pto");
  std::filesystem::copy_file("samples/from_python.py", folder / source);
}

void go_to_begin(Window& window) {
  window.press("ctrl+shift+F5");
  window.wait_for("position", 0);
}

bool has_one_stop(const Json& state, const std::string& text) {
  return state["stops"].size() == 1 && state["stops"][0]["text"] == text;
}

}  // namespace

TEST_CASE("window, source: a line of Python is stepped over, stopped at, and run to") {
  Window window({.arguments = {"from_python"}, .width = 1600, .height = 1150});
  window.wait_for("position", 4);
  go_to_begin(window);
  // Steps 2 and 3 came from one line.
  for (const int position : {1, 2, 4, 5}) {
    window.press("alt+F10");
    window.wait_for("position", position);
  }
  window.press("shift+alt+F10");
  window.wait_for("position", 4);
  go_to_begin(window);
  window.click_on("program/margin from_python.py:7");
  window.wait("a breakpoint", [](const Json& state) { return has_one_stop(state, "from_python.py:7"); });
  for (const int position : {2, 9}) {
    window.press("F5");
    window.wait_for("position", position);
  }
  window.click_on("program/margin from_python.py:7");
  window.wait("no breakpoint", [](const Json& state) { return state["stops"].empty(); });
  go_to_begin(window);
  // The call of what lines 6 and 7 do.
  window.click_on("program/line from_python.py:21");
  window.press("ctrl+F10");
  window.wait_for("position", 1);
}

TEST_CASE("window, source: the file and the text side by side, and the file alone") {
  Window window({.arguments = {"from_python"}});
  CHECK(window.has_target("program/line from_python.py:7"));
  CHECK_FALSE(window.has_target("program/line 28"));
  window.click_on("program/both");
  window.target("program/line 28");
  CHECK(window.has_target("program/line from_python.py:7"));
  // What is clicked on one side is brought into view on the other.
  CHECK_FALSE(window.has_target("program/line from_python.py:22"));
  window.click_on("program/line 32");
  window.target("program/line from_python.py:22");
  window.click_on("program/both");
  window.click_on("program/Source");
  window.target("program/line 28");
  window.click_on(kFile);
  window.target("program/line from_python.py:7");
}

TEST_CASE("window, source: a file that is elsewhere is asked for, and remembered") {
  const TempFolder folder, home;
  put_sample(folder, "src/from_python.py");
  {
    Window window({.arguments = {folder / "k.pto"}, .home = home.path()});
    window.target("program/choose source");
    CHECK_FALSE(window.has_target("program/line from_python.py:7"));
    window.click_on("program/choose source");
    window.wait_for("popup", "chooser");
    window.wait_for("typing", true);
    window.type_at_once(folder / "src/from_python.py");
    window.press("Return");
    window.target("program/line from_python.py:7");
    window.press_blindly("ctrl+q");
    CHECK(window.end() == 0);
  }
  Window again({.arguments = {folder / "k.pto"}, .home = home.path()});
  again.target("program/line from_python.py:7");
}

TEST_CASE("window, source: a folder on the command line, and files that are not there") {
  const TempFolder folder;
  put_sample(folder, "src/from_python.py");
  Window window({.arguments = {folder / "k.pto", "--source", folder / "src"}});
  window.target("program/line from_python.py:7");
}

}  // namespace ts::test
