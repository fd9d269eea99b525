// What is done in the window, as a script that does it again; and what scripts show in the window.
#include <doctest/doctest.h>

#include <unistd.h>
#include <filesystem>
#include <string>

#include "tests/support/process/cli.h"
#include "tests/support/window/window.h"
#include "tests/window/smooth.h"

namespace ts::test {
namespace {

using Json = nlohmann::json;

void run_command(Window& window, const std::string& title) {
  window.press("ctrl+shift+p");
  window.wait_for("popup", "palette");
  window.type(title);
  window.press("Return");
}

void type_line(Window& window, const std::string& line) {
  if (!window.state()["panes"].contains("console")) {
    window.click_on("tab/console");
    window.target("console/input");
    window.settle();
  }
  window.click_on("console/input");
  window.type(line + "\n");
}

bool has_line(const Json& state, const std::string& line) {
  for (const Json& one : state["journal"])
    if (one == line) return true;
  return false;
}

void wait_line(Window& window, const std::string& line) {
  window.wait("the journal to have " + line, [&](const Json& state) { return has_line(state, line); });
}

}  // namespace

TEST_CASE("window: a session is saved as a script, which comes to the same without and with a window") {
  const TempFolder folder;
  Json before;
  {
    Window window({.arguments = {"complex_split"}});
    window.wait_for("position", 6);
    window.press("ctrl+shift+F5");
    window.wait_for("position", 0);
    for (int position = 1; position <= 3; ++position) {
      window.press("F10");
      window.wait_for("position", position);
    }
    window.press("shift+F10");
    window.wait_for("position", 2);
    window.click_on("program/margin 49");
    window.wait("a breakpoint", [](const Json& state) { return state["stops"].size() == 1; });
    window.press("F5");
    window.wait_for("position", 6);
    window.click_on("stage/re[1,7]");
    window.wait_for("selected", "re[1,7]");
    window.wait("the tile", [](const Json& state) { return state["targets"].contains("tiles/re"); });
    window.press("x");
    wait_line(window, "gui.show(\"re\", {as=\"numbers\", format=\"hex\"})");
    window.press("ctrl+t");
    window.wait_for("theme", "light");
    window.press("ctrl+b");
    wait_line(window, "rec:bookmark(\"@6\", 6)");
    window.press("ctrl+shift+b");
    window.target("notes/add");
    window.settle();
    window.type("odd value\n");
    window.wait_for("notes", Json::array({"step 5, re[1,7]: odd value"}));
    type_line(window, "rec:into()");
    window.wait_for("micro", 1);
    type_line(window, "rec:seek(5)");
    window.wait_for("position", 5);
    wait_line(window, "rec:seek(5)");
    run_command(window, "save the journal");
    window.wait_for("popup", "chooser");
    window.press("ctrl+a");
    window.type(folder / "j.lua");
    window.press("Return");
    window.wait("the script", [&](const Json&) { return std::filesystem::exists(folder / "j.lua"); });
    before = window.state();
    check_smooth(window);
  }
  const ProcessResult result = tilescope({"script", folder / "j.lua"});
  CHECK_MESSAGE(result.status == 0, result.out, result.err, get_text(folder / "j.lua"));
  CHECK(result.out.find("ok 1 - it comes to the same") != std::string::npos);
  Window again({.arguments = {folder / "j.lua"}});
  again.wait("the script to have been run", [](const Json& state) {
    return state["notices"] == Json::array({"j.lua ended well"}) && state["theme"] == "light";
  });
  for (const char* same : {"document", "position", "micro", "count", "selected", "layout", "theme", "stops", "notes"}) {
    CAPTURE(same);
    CHECK(again.state()[same] == before[same]);
  }
  // What it shows is a window as any other.
  again.press("F10");
  again.wait_for("position", 6);
  check_smooth(again);
}

TEST_CASE("window: the journal is run again from its pane, and a changed session fails its assertions") {
  Window window({.arguments = {"complex_split"}});
  window.wait_for("position", 6);
  window.press("F10");
  window.wait_for("position", 7);
  run_command(window, "journal");
  window.click_on("journal/runJournal");
  window.wait("it to have been run", [](const Json& state) {
    return state["notices"] == Json::array({"journal ended well"}) && state["position"] == 7;
  });
  CHECK(has_line(window.state(), "rec:over()"));
  window.click_on("journal/clearJournal");
  window.wait("an empty journal", [](const Json& state) { return state["journal"].size() == 1; });
  check_smooth(window);
}

TEST_CASE("window: a panel with a button, an overlay, a note, and a picture") {
  const TempFolder folder;
  put_text(folder / "show.lua", R"(
local rec = pto.load("complex_split"):record()
rec:seek(4)
gui.panel("Where", function(ui)
  ui.value("position ", rec.pos)
  if ui.button("on") then rec:over() gui.select("im", 0, 1) end
  if ui.button("wrong") then error("no luck") end
end)
gui.overlay("im", function(row, col) return col == 1 and "red" or nil, "x" end)
rec:note{text="odd", tile="im", row=0, col=1}
)");
  Window window({.arguments = {folder / "show.lua"}});
  window.wait("the panel", [](const Json& state) {
    return state["panels"].size() == 1 && state["panels"][0]["items"][0] == "position 4";
  });
  window.wait_for("position", 4);
  window.click_on("panel/on");
  window.wait("the panel at 5", [](const Json& state) {
    return state["position"] == 5 && state["panels"][0]["items"][0] == "position 5";
  });
  window.wait_for("selected", "im[0,1]");
  window.click_on("panel/wrong");
  window.wait("the error", [](const Json& state) {
    return state["panels"][0]["error"].get<std::string>().find("no luck") != std::string::npos;
  });
  window.press("F10");
  window.wait("the panel again",
              [](const Json& state) { return state["position"] == 6 && state["panels"][0]["error"] == ""; });
  // A message that is still shown lies over the console's line.
  window.wait_for("notices", Json::array());
  type_line(window, "gui.panel('endless', function(ui) while true do end end)");
  window.wait("it to be stopped", [](const Json& state) {
    return state["panels"].size() == 2 &&
           state["panels"][1]["error"].get<std::string>().find("called no more") != std::string::npos;
  });
  window.press("F10");
  window.wait_for("position", 7);
  CHECK(window.running());
}

TEST_CASE("window: a script takes pictures, each of what it went to before") {
  // Pictures go below the folder that the program was started in.
  const std::string folder = "build/pictures_of_scripts_" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  Window window({.arguments = {"complex_split"}, .width = 900, .height = 700, .pixels = true});
  window.wait_for("position", 6);
  type_line(window, "gui.jump(1) gui.screenshot('" + folder + "/a.png') gui.jump(9) gui.screenshot('" + folder +
                        "/b.png', {scale=2}) print('bo' .. 'th')");
  window.wait_said("both");
  window.wait_for("position", 9);
  const auto a = read_png(folder + "/a.png"), b = read_png(folder + "/b.png");
  REQUIRE((a && b));
  CHECK(a->width == 900);
  CHECK(b->width == 1800);
  CHECK(b->height == 1400);
  CHECK(a->colors(20) == 20);
  CHECK(b->colors(20) == 20);
  type_line(window, "gui.screenshot('" + folder + "/a.png')");
  window.wait_said("such a file already");
  std::filesystem::remove_all(folder);
  window.press("F10");
  window.wait_for("position", 10);
  CHECK(window.draws());
}

}  // namespace ts::test
