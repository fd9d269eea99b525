// The place is kept: a file that breaks and is mended, marks that follow edits, what was open last.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/window/window.h"

namespace ts::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kSmallTile = "!pto.tile_buf<vec, 8x8xf32>";

// A loop of four turns with two operations, the second over two lines; `before` stands above the function, `inside` at the beginning of the loop.
std::string small_kernel(const std::string& before = "", const std::string& inside = "") {
  const std::string tile = kSmallTile;
  return "module attributes {pto.target_arch = \"a5\"} {\n" + before +
         "  func.func @f() {\n    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n"
         "    %n = arith.constant 4 : index\n    %two = arith.constant 2.0 : f32\n    %a = pto.alloc_tile : " +
         tile + "\n    pto.texpands ins(%two : f32) outs(%a : " + tile + ")\n    scf.for %i = %c0 to %n step %c1 {\n" +
         inside + "      pto.tadds ins(%a, %two : " + tile + ", f32) outs(%a : " + tile +
         ")\n      pto.tmuls ins(%a, %two : " + tile + ", f32)\n          outs(%a : " + tile +
         ")\n    }\n    return\n  }\n}\n";
}
constexpr std::uint32_t kTadds = 10, kTmuls = 11;  // lines

// As an editor saves.
void save_as_editors_do(const std::string& path, const std::string& text) {
  put_text(path + ".new", text);
  std::rename((path + ".new").c_str(), path.c_str());
}

void add_stop(Window& window, const std::string& text) {
  const std::size_t before = window.state()["stops"].size();
  window.press("ctrl+shift+p");
  window.wait_for("popup", "palette");
  window.type_at_once("Breakpoints");
  window.type("\n");
  window.wait_for("popup", "");
  window.click_on("breakpoints/add");
  window.type_at_once(text);
  window.type("\n");
  window.wait("the breakpoint", [&](const Json& state) { return state["stops"].size() == before + 1; });
}

bool has_stop(const Json& state, const std::string& text) {
  return std::ranges::any_of(state["stops"],
                             [&](const Json& stop) { return has(stop["text"].get<std::string>(), text); });
}

}  // namespace

TEST_CASE("window: a file that breaks leaves its last run, and mended it goes on in its place") {
  const TempFolder folder;
  const std::string path = folder / "kernel.pto";
  put_text(path, small_kernel());
  Window window({.arguments = {path}});
  add_stop(window, "line " + std::to_string(kTmuls));
  // To the tmuls of the second turn: steps 0 texpands, 1 tadds, 2 tmuls, 3 tadds, 4 tmuls.
  window.press("F5");
  window.wait_for("position", 2);
  window.press("F5");
  window.wait_for("position", 4);
  save_as_editors_do(path, small_kernel("", "      pto.tadds ins(%a, %nothing : !pto.tile_buf<vec, 8x8xf32>, f32)\n"));
  window.wait("the bar", [](const Json& state) { return !state["broken"].is_null(); });
  CHECK(window.state()["broken"]["line"] == kTadds);
  CHECK(window.has_target("broken/bar"));
  // The run before is whole, and can be walked in.
  CHECK(window.state()["position"] == 4);
  CHECK(window.state()["count"] == 9);
  CHECK(window.has_target("program/line 10"));
  window.press("shift+F5");
  window.wait_for("position", 2);
  window.press("F5");
  window.wait_for("position", 4);
  // Another mistake takes the place of the first in the bar.
  save_as_editors_do(path, small_kernel("  what\n"));
  window.wait("the other mistake", [](const Json& state) { return state["broken"]["line"] == 2; });
  // Mended, with a comment above and one operation more in the loop.
  save_as_editors_do(
      path,
      small_kernel(
          "  // mended\n  // by hand\n",
          "      pto.tmins ins(%a, %two : !pto.tile_buf<vec, 8x8xf32>, f32) outs(%a : !pto.tile_buf<vec, 8x8xf32>)\n"));
  window.wait("the new run", [](const Json& state) { return state["broken"].is_null() && state["count"] == 13; });
  // The tmuls of the second turn: 0 texpands, 1 tmins, 2 tadds, 3 tmuls, 4 tmins, 5 tadds, 6 tmuls.
  window.wait_for("position", 6);
  CHECK(has_stop(window.state(), "line " + std::to_string(kTmuls + 3)));
  CHECK(window.state()["followed"] == Json::array({"line 14: moved from line 11"}));
  window.press("F5");
  window.wait_for("position", 9);
}

TEST_CASE("window: marks follow a file that is edited between two sessions, and are gone with their operations") {
  const TempFolder folder, home;
  const std::string path = folder / "kernel.pto";
  put_text(path, small_kernel());
  {
    Window window({.arguments = {path}, .home = home.path()});
    add_stop(window, "line " + std::to_string(kTadds));
    add_stop(window, "line " + std::to_string(kTmuls));
    window.press("F5");
    window.wait_for("position", 1);
    window.press("ctrl+b");
    window.wait("a bookmark", [](const Json& state) { return state["bookmarks"].size() == 1; });
    window.press_blindly("ctrl+q");
    CHECK(window.end() == 0);
  }
  std::string edited = small_kernel("  // a line more\n");
  const std::size_t at = edited.find("      pto.tmuls");
  edited.erase(at, edited.find("    }\n", at) - at);
  save_as_editors_do(path, edited);
  {
    Window window({.arguments = {path}, .home = home.path()});
    window.wait("the marks", [](const Json& state) { return state["stops"].size() == 1; });
    CHECK(has_stop(window.state(), "line 11"));
    CHECK(window.state()["bookmarks"] == Json{{"@1", 1}});
    CHECK(window.state()["followed"] ==
          Json::array({"line 11: moved from line 10", "line 11: gone: its operation is no longer there"}));
    window.press_blindly("ctrl+q");
    CHECK(window.end() == 0);
  }
  // Undone, all is where it was.
  save_as_editors_do(path, small_kernel());
  Window again({.arguments = {path}, .home = home.path()});
  again.wait("both", [](const Json& state) { return state["stops"].size() == 2; });
  CHECK(has_stop(again.state(), "line 10"));
  CHECK(has_stop(again.state(), "line 11"));
}

TEST_CASE("window: what was open last is opened as it was") {
  const TempFolder folder, home;
  const std::string path = folder / "kernel.pto";
  put_text(path, small_kernel());
  {
    Window window({.arguments = {path}, .home = home.path()});
    window.press("F10");
    window.press("F10");
    window.press("F10");
    window.wait_for("position", 3);
    window.press_blindly("ctrl+q");
    CHECK(window.end() == 0);
  }
  Window again({.home = home.path()});
  again.click_on("start/reopen");
  again.wait_for("document", "kernel.pto");
  again.wait_for("position", 3);
}

TEST_CASE("window: a kill while it records loses less than a second: what there was opens from the start page") {
  const TempFolder folder, home;
  const std::string path = folder / "kernel.pto", running = home / "tilescope/running";
  std::string text = small_kernel();
  text.replace(text.find("constant 4 "), 11, "constant 100000000 ");
  put_text(path, text);
  std::uint64_t steps = 0;
  {
    Window window({.arguments = {path, "--max-steps", "100000000"}, .home = home.path()}, Window::Ready::FirstFrame);
    for (int tries = 0; steps == 0 && tries < 6000 && window.running(); ++tries) {
      std::error_code none;
      for (std::filesystem::directory_iterator entry(running, none), end; !none && entry != end; entry.increment(none))
        if (entry->path().extension() == ".steps")
          steps = std::strtoull(get_text(entry->path().string()).c_str(), nullptr, 10);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    REQUIRE(steps > 0);
    window.kill();
  }
  Window again({.home = home.path()});
  again.click_on("start/openCutOff");
  again.wait_for("document", "kernel.pto");
  again.wait("its steps", [&](const Json& state) { return !state["count"].is_null() && state["count"] >= steps; });
  CHECK(again.state()["count"] < 100000000);
  again.press("F10");
}

TEST_CASE("window: a breakpoint gets a condition on an element, lets hits pass, and says a text") {
  const TempFolder folder;
  const std::string path = folder / "kernel.pto";
  put_text(path, small_kernel());
  Window window({.arguments = {path}});
  add_stop(window, "line " + std::to_string(kTmuls));
  window.click_on("breakpoints/edit 1");
  window.click_on("stop/condition");
  // After so many turns it holds 4, 10, 22, 46 and more before the tmuls.
  window.type_at_once("a[0,0] > 20");
  window.click_on("stop/set");
  window.wait("the condition", [](const Json& state) { return has_stop(state, "when a[0,0] > 20"); });
  window.press("F5");
  window.wait_for("position", 6);
  // It is neither true nor false: that is refused, and what stood there stays.
  window.click_on("breakpoints/edit 1");
  window.click_on("stop/condition");
  window.press("ctrl+a");
  window.type_at_once("a[0,0]");
  window.click_on("stop/set");
  window.wait("the refusal", [](const Json& state) {
    return std::ranges::any_of(
        state["notices"], [](const Json& one) { return has(one.get<std::string>(), "a condition is true or false"); });
  });
  CHECK(has_stop(window.state(), "when a[0,0] > 20"));
  // Without a condition, two hits pass.
  window.press("ctrl+shift+F5");
  window.wait_for("position", 0);
  window.click_on("breakpoints/edit 1");
  window.click_on("stop/condition");
  window.press("ctrl+a");
  window.press("BackSpace");
  window.click_on("stop/ignore");
  window.type("2");
  window.click_on("stop/set");
  window.wait("no condition", [](const Json& state) { return !has_stop(state, "when"); });
  window.press("F5");
  window.wait_for("position", 6);
}

TEST_CASE("window: any line of an operation's text sets its breakpoint") {
  const TempFolder folder;
  const std::string path = folder / "kernel.pto";
  put_text(path, small_kernel());
  Window window({.arguments = {path}});
  // The second line of the tmuls, in its margin.
  const Point line = window.target("program/line 12");
  const auto pane = window.state()["panes"]["program"].get<std::vector<double>>();
  window.click({pane[0] + 18, line.y});
  window.wait("the breakpoint", [](const Json& state) { return has_stop(state, "line 11"); });
}

TEST_CASE("window: of several entry points one is asked for") {
  const TempFolder folder;
  const std::string path = folder / "kernel.pto";
  std::string text = small_kernel();
  std::string second = text.substr(text.find("  func.func"));
  second.replace(second.find("@f"), 2, "@g");
  second.replace(second.find("constant 4"), 10, "constant 2");
  text.insert(text.rfind("}\n"), second.substr(0, second.rfind("}\n")));
  put_text(path, text);
  Window window({.arguments = {path}});
  window.wait_for("count", 9);
  window.click_on("entry/g");
  window.wait_for("count", 5);
  CHECK(!window.has_target("entry/g"));
}

TEST_CASE("window: a line is opened in the editor that was chosen, and what the file is called is no command") {
  const TempFolder folder;
  const std::string path = folder / "my kernel; touch pwned $(touch pwned).pto", editor = folder / "my editor",
                    told = folder / "told";
  put_text(path, small_kernel());
  put_text(editor,
           "#!/bin/sh\nfor word; do echo \"$word\"; done > '" + told + ".new'\nmv '" + told + ".new' '" + told + "'\n");
  std::filesystem::permissions(editor, std::filesystem::perms::owner_all);
  Window window({.arguments = {path}});
  const auto opened = [&](const std::string& line) {
    window.wait("the editor", [&](const Json&) { return std::filesystem::exists(told); });
    CHECK(get_text(told) == "--at\n" + line + "\n" + path + "\n");
    std::filesystem::remove(told);
  };
  window.press("ctrl+shift+p");
  window.wait_for("popup", "palette");
  window.type_at_once("choose editor");
  window.press("Return");
  window.settle();
  window.wait_for("popup", "palette");
  window.type_at_once("'" + editor + "' --at {line} {file}");
  window.press("Return");
  window.wait_for("popup", "");
  window.click_on("program/line " + std::to_string(kTmuls));
  window.settle();
  window.press("ctrl+shift+e");
  opened(std::to_string(kTmuls));
  // By the menu of another line, and by the bar of a file that does not run.
  window.click(window.target("program/line " + std::to_string(kTadds)), 3);
  window.click_on("program/menu editor");
  opened(std::to_string(kTadds));
  save_as_editors_do(path, small_kernel("  what\n"));
  window.wait("the bar", [](const Json& state) { return !state["broken"].is_null(); });
  window.click_on("broken/edit");
  opened("2");
  CHECK_FALSE(std::filesystem::exists(folder / "pwned"));
}

TEST_CASE("window: a script that is saved runs again, and one with a mistake leaves what it made before") {
  const TempFolder folder;
  const std::string path = folder / "look.lua";
  const auto script = [](int position) {
    return "local rec = pto.load('masked_sum'):record()\nrec:seek(" + std::to_string(position) + ")\n";
  };
  save_as_editors_do(path, script(3));
  Window window({.arguments = {path}});
  window.wait_for("position", 3);
  save_as_editors_do(path, script(5));
  window.wait_for("position", 5);
  save_as_editors_do(path, "rec:seek(");
  window.wait("the mistake", [](const Json& state) { return has(state["notices"].dump(), "look.lua"); });
  CHECK(window.state()["position"] == 5);
  save_as_editors_do(path, script(2));
  window.wait_for("position", 2);
}

}  // namespace ts::test
