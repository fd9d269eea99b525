// Keys that are changed, a session without a mouse, help, the tour, themes of the user's own, and going back in the
// view.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "app/window/commands/window_commands.h"
#include "tests/support/process/cli.h"
#include "tests/support/window/window.h"
#include "tests/window/smooth.h"

namespace ts::test {
namespace {

using Json = nlohmann::json;

void palette(Window& window, std::string_view words) {
  window.press("ctrl+shift+p");
  window.wait_for("popup", "palette");
  window.type(words);
  window.press("Return");
}

void wait_says(Window& window, const std::string& words) {
  window.wait("it to say " + words, [&](const Json& state) { return has(state.value("says", ""), words); });
}

// Opens the dialog with one command in its list, and waits for its key.
void ask_for_key(Window& window, const std::string& title, const std::string& name) {
  window.press("ctrl+shift+k");
  window.wait_for("popup", "keys");
  window.type(title);
  window.click_on("keys/row " + name);
  wait_says(window, "Press the key");
}

}  // namespace

TEST_CASE("window: a key that another command has is given away only when that is wanted, and is kept") {
  const TempFolder home;
  {
    Window window({.arguments = {"complex_split"}, .home = home.path()});
    window.wait_for("position", 6);
    ask_for_key(window, "step over", "over");
    window.press("ctrl+l");
    wait_says(window, "Ctrl+L is Legend. Take it away there?");
    window.click_on("keys/leave");
    window.press("Escape");
    window.wait_for("popup", "");
    // Nothing has changed.
    window.press("F10");
    window.wait_for("position", 7);
    ask_for_key(window, "step over", "over");
    window.press("ctrl+l");
    wait_says(window, "Take it away there?");
    window.click_on("keys/take");
    wait_says(window, "Ctrl+L is Step over now.");
    window.press("Escape");
    window.wait_for("popup", "");
    window.press("ctrl+l");
    window.wait_for("position", 8);
    CHECK(window.state()["popup"] == "");
    window.press("F10");
    window.press("shift+F10");
    window.wait_for("position", 7);
    check_smooth(window);
    window.press_blindly("ctrl+q");
    CHECK(window.end() == 0);
  }
  Window again({.arguments = {"complex_split"}, .home = home.path()});
  again.wait_for("position", 6);
  again.press("ctrl+l");
  again.wait_for("position", 7);
}

TEST_CASE("window: keys that cannot be given away say why, and Escape leaves them as they are") {
  Window window(complex_split());
  ask_for_key(window, "step over", "over");
  window.press("Tab");
  wait_says(window, "That cannot be: Tab goes through the controls");
  window.click_on("keys/row over");
  wait_says(window, "Press the key");
  window.press("Escape");
  window.wait_for("says", "");
  CHECK(window.state()["popup"] == "keys");
  window.press("Escape");
  window.wait_for("popup", "");
  window.press("F10");
  window.wait_for("position", 7);
}

TEST_CASE("window: keys of another program") {
  Window window(complex_split());
  window.wait_for("position", 6);
  window.press("shift+F10");
  window.wait_for("position", 5);
  window.press("F11");
  window.press("F11");
  window.wait_for("micro", 2);
  window.press("ctrl+shift+k");
  window.wait_for("popup", "keys");
  window.click_on("keys/preset renderdoc");
  wait_says(window, "Shift is backwards");
  window.press("Escape");
  window.wait_for("popup", "");
  window.press("shift+F11");
  window.wait_for("micro", 1);
  window.press("ctrl+F11");
  window.wait("the step to be left", [](const Json& state) { return state["micro"] == 0 && state["position"] == 6; });
}

TEST_CASE("window: changes of the view are taken back and made again") {
  Window window(complex_split());
  window.wait_for("theme", "dark");
  window.press("ctrl+t");
  window.wait_for("theme", "light");
  window.press("ctrl+equal");
  window.wait_for("zoom", 110);
  window.click_on("tab/watch");
  window.wait_for("focus", "watch");
  window.press("ctrl+w");
  window.wait("the pane to be closed", [](const Json& state) { return !state["panes"].contains("watch"); });
  window.press("ctrl+z");
  window.wait("the pane to be there again", [](const Json& state) { return state["panes"].contains("watch"); });
  window.press("ctrl+z");
  window.wait_for("zoom", 100);
  CHECK(window.state()["theme"] == "light");
  window.press("ctrl+z");
  window.wait_for("theme", "dark");
  window.press("ctrl+z");
  window.wait("it to say that there is no more", [](const Json& state) { return told(state, "nothing was changed"); });
  for (int i = 0; i < 3; ++i) window.press("ctrl+y");
  window.wait("all of it again", [](const Json& state) {
    return state["theme"] == "light" && state["zoom"] == 110 && !state["panes"].contains("watch");
  });
  // A pane that was given all the room.
  window.press("ctrl+Return");
  window.wait("one pane", [](const Json& state) { return state["panes"].size() == 1; });
  window.press("ctrl+z");
  window.wait("all panes", [](const Json& state) { return state["panes"].size() > 3; });
  CHECK(window.state()["position"] == 6);
  check_smooth(window);
}

TEST_CASE("window: how a tile is shown is kept with the program") {
  const TempFolder home;
  {
    Window window({.arguments = {"complex_split"}, .home = home.path()});
    window.wait_for("position", 6);
    window.press("x");
    window.settle();
    window.press_blindly("ctrl+q");
    CHECK(window.end() == 0);
  }
  bool found = false;
  for (const auto& file : std::filesystem::recursive_directory_iterator(home.path()))
    if (file.path().extension() == ".json" && has(get_text(file.path().string()), "\"mode\": \"hex\"")) found = true;
  CHECK(found);
}

TEST_CASE("window: a setting of another kind is told by name, and the others are taken") {
  const TempFolder home;
  std::filesystem::create_directories(home / "tilescope");
  put_text(home / "tilescope/settings.json", R"({"theme":"light","panes":{"timeline":{"byCore":1}},"recent":7})");
  Window window({.arguments = {"complex_split"}, .home = home.path()});
  window.wait("it to say which", [](const Json& state) {
    return told(state, "tilescope/settings.json: ") &&
           told(state, "panes.timeline.byCore: wanted true or false, it is 1") && told(state, "recent: wanted a list");
  });
  CHECK(window.state()["theme"] == "light");
}

TEST_CASE("window: settings are kept while it runs, whatever ends it") {
  const TempFolder home;
  {
    Window window({.arguments = {"complex_split"}, .home = home.path()});
    window.press("ctrl+t");
    window.wait_for("theme", "light");
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    const std::string path = home / "tilescope/settings.json";
    while (!has(std::filesystem::exists(path) ? get_text(path) : "", "\"theme\": \"light\"") &&
           std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    window.kill();
  }
  Window again({.arguments = {"complex_split"}, .home = home.path()});
  CHECK(again.state()["theme"] == "light");
}

TEST_CASE("window: F1 explains a mark, an instruction, a command and a pane") {
  Window window({.arguments = {"complex_split"}, .pixels = true});
  window.wait_for("position", 6);
  // The selected element on the stage has marks.
  window.move(window.target("stage/im[1,7]"));
  window.press("F1");
  window.wait_for("popup", "legend");
  wait_says(window, "cell-selected");
  window.press("Escape");
  window.wait_for("popup", "");
  // A line of the program.
  window.move(window.target("program/line 47"));
  window.press("F1");
  window.wait("the page of the instruction", [](const Json& state) { return state["panes"].contains("page"); });
  CHECK(window.state()["popup"] == "");
  // A pane.
  const auto console = window.state()["panes"]["console"].get<std::vector<double>>();
  window.move({console[0] + console[2] / 2, console[1] + console[3] / 2});
  window.press("F1");
  window.wait_for("popup", "help");
  wait_says(window, "Console");
  CHECK(window.draws());
  window.press("Escape");
  window.wait_for("popup", "");
  // A row of a menu.
  window.move({2, 500});
  window.press("alt+r");
  window.wait_for("popup", "Run");
  window.move(window.target("menu/reverse"));
  window.press("F1");
  wait_says(window, "Continue backwards");
  check_smooth(window);
}

TEST_CASE("window: a click in the buffer map shows the tile") {
  Window window({.arguments = {"complex_split"}, .pixels = true});
  window.press("ctrl+alt+2");
  palette(window, "buffer map");
  window.wait("the map", [](const Json& state) { return state["targets"].contains("buffermap/re"); });
  for (const char* tile : {"re", "im"}) {
    window.click_on(std::string("buffermap/") + tile);
    window.wait(std::string("the tile ") + tile,
                [&](const Json& state) { return state["targets"].contains(std::string("tiles/") + tile); });
  }
}

TEST_CASE("window: F1 means what the mouse points at, although keys were used before") {
  Window window({.arguments = {"complex_split"}, .pixels = true});
  window.press("ctrl+Tab");
  window.press("Tab");
  const auto console = window.state()["panes"]["console"].get<std::vector<double>>();
  window.move({console[0] + console[2] / 2, console[1] + console[3] / 2});
  window.press("F1");
  window.wait_for("popup", "help");
  wait_says(window, "Console");
}

TEST_CASE("window: the tour, from nothing open to where a value came from, by keys alone") {
  Window window({.arguments = {"--start-page"}, .pixels = true});
  window.wait("the start page", [](const Json& state) { return state["targets"].contains("start/tour"); });
  CHECK(window.state()["popup"] == "");
  // Into the page, then to its first button.
  window.press("Tab");
  for (int i = 0; i < 12 && window.state()["popup"] != "tour"; ++i) {
    if (window.state()["targets"].contains("focus")) {
      const Json focus = window.state()["targets"]["focus"], button = window.state()["targets"]["start/tour"];
      window.press(focus == button ? "Return" : "Tab");
    } else {
      window.press("Tab");
    }
    window.settle();
  }
  window.wait_for("popup", "tour");
  window.wait_for("document", "complex_split.pto");
  wait_says(window, "A program, and where it stands");
  // The keys that it names work meanwhile.
  window.wait_for("position", 6);
  window.press("F10");
  window.wait_for("position", 7);
  window.press("Return");
  wait_says(window, "What a step does");
  window.press("Return");
  wait_says(window, "A tile, whole");
  window.press("Left");
  wait_says(window, "What a step does");
  window.press("Right");
  window.press("Return");
  wait_says(window, "The exact value");
  window.press("Return");
  wait_says(window, "Where did it come from?");
  window.wait_for("position", 6);
  window.wait_for("selected", "im[1,7]");
  window.press("F4");
  wait_says(window, "This element came from here");
  window.wait("the source", [](const Json& state) { return state["selected"] == "second[1,3]"; });
  CHECK(window.draws());
  window.press("Return");
  window.wait_for("popup", "");
  check_smooth(window);
}

TEST_CASE("window: without a file there is the start page, and Enter alone leads to where a value came from") {
  Window window({.arguments = {}});
  window.wait("the start page", [](const Json& state) { return state["targets"].contains("start/tour"); });
  window.press("Return");
  window.wait_for("document", "complex_split.pto");
  window.wait("the first stop", [](const Json& state) { return state["targets"].contains("tour/next"); });
  for (const char* title :
       {"A program", "What a step does", "A tile, whole", "The exact value", "Where did it come from?"}) {
    wait_says(window, title);
    window.press("Return");
  }
  wait_says(window, "This element came from here");
  window.wait("the source", [](const Json& state) { return state["selected"] == "second[1,3]"; });
}

TEST_CASE("window: Escape ends the tour anywhere, and nobody gets it who does not ask") {
  Window window(complex_split());
  window.wait_for("position", 6);
  CHECK(window.state()["popup"] == "");
  palette(window, "show me");
  window.wait_for("popup", "tour");
  wait_says(window, "A program");
  window.press("Return");
  wait_says(window, "What a step does");
  window.press("Escape");
  window.wait_for("popup", "");
  window.press("F10");
  window.wait_for("position", 7);
}

TEST_CASE("window: a session without a mouse: every pane, a menu, a button, a split") {
  Window window(complex_split());
  window.wait_for("position", 6);
  // Every pane that is seen.
  std::vector<std::string> wanted, reached;
  for (const auto& [pane, place] : window.state()["panes"].items()) wanted.push_back(pane);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::string before = window.state()["focus"];
    window.press("ctrl+Tab");
    window.wait("another pane with the focus", [&](const Json& state) { return state["focus"] != before; });
    reached.push_back(window.state()["focus"]);
  }
  std::ranges::sort(wanted);
  std::ranges::sort(reached);
  CHECK(reached == wanted);
  // Those that stand behind others.
  window.press("ctrl+Tab");
  for (int i = 0; i < 20 && window.state()["focus"] != "stage"; ++i) {
    window.press("ctrl+Tab");
    window.settle();
  }
  window.wait_for("focus", "stage");
  window.press("ctrl+shift+Next");
  window.wait("the page in front", [](const Json& state) { return state["panes"].contains("page"); });
  window.press("ctrl+shift+Prior");
  window.wait("the stage in front", [](const Json& state) { return state["panes"].contains("stage"); });
  // A split.
  const double width = window.state()["panes"]["stage"][2];
  window.press("alt+shift+Right");
  window.wait("a wider stage",
              [&](const Json& state) { return state["panes"]["stage"][2].get<double>() > width + 10; });
  // A menu, its second row, Enter.
  window.press("alt+r");
  window.wait_for("popup", "Run");
  window.wait("the focus in the menu", [](const Json& state) { return state["targets"].contains("focus"); });
  for (int i = 0; i < 12; ++i) {
    const Json& state = window.state();
    if (state["targets"].value("focus", Json()) == state["targets"].value("menu/first", Json(1))) break;
    window.press("Down");
    window.settle();
  }
  window.press("Return");
  window.wait_for("position", 0);
  window.wait_for("popup", "");
  // From menu to menu, and out again.
  window.press("alt+v");
  window.wait_for("popup", "View");
  window.press("Right");
  window.wait_for("popup", "Run");
  window.press("Escape");
  window.wait_for("popup", "");
  // A button of a pane, pressed by Enter: the steps of the program.
  for (int i = 0; i < 20 && window.state()["focus"] != "program"; ++i) {
    window.press("ctrl+Tab");
    window.settle();
  }
  for (int i = 0; i < 12; ++i) {
    const Json& state = window.state();
    if (state["targets"].value("focus", Json()) == state["targets"].value("program/Steps", Json(1))) break;
    window.press("Tab");
    window.settle();
  }
  window.press("Return");
  window.wait("the steps", [](const Json& state) { return state["targets"].contains("program/step 0"); });
  // An element beside the selected one.
  window.press("ctrl+Right");
  window.wait_for("selected", "im[1,8]");
  window.press("ctrl+Up");
  window.wait_for("selected", "im[0,8]");
  check_smooth(window);
}

TEST_CASE("window: two keys in a row") {
  const TempFolder home;
  std::filesystem::create_directories(home / "tilescope");
  put_text(home / "tilescope/settings.json", R"({"keys": {"own": {"theme": "Ctrl+K Ctrl+T", "over": "Ctrl+K O"}}})");
  Window window({.arguments = {"complex_split"}, .home = home.path()});
  window.wait_for("theme", "dark");
  window.press("ctrl+k");
  window.press("ctrl+t");
  window.wait_for("theme", "light");
  window.press("ctrl+k");
  window.press("o");
  window.wait_for("position", 7);
  window.press("ctrl+k");
  window.press("z");
  window.wait("it to say so", [](const Json& state) { return told(state, "Ctrl+K Z is no command"); });
}

TEST_CASE("window: theme files, one of them broken, mended while the window is open") {
  const TempFolder home;
  std::filesystem::create_directories(home / "tilescope/themes");
  put_text(home / "tilescope/themes/good.theme", "name = Sepia\nbased on = light\npane = #fbf4e6\n");
  put_text(home / "tilescope/themes/bad.theme", "name = Broken\n\naccent = blue\n");
  Window window({.arguments = {"complex_split"}, .home = home.path(), .pixels = true});
  window.wait("what is wrong",
              [](const Json& state) { return told(state, "bad.theme:3: accent = blue: wanted #rrggbb"); });
  for (const char* next : {"light", "contrast", "Sepia", "dark"}) {
    window.press("ctrl+t");
    window.wait_for("theme", next);
    CHECK(window.draws());
  }
  put_text(home / "tilescope/themes/bad.theme", "name = Broken\n\naccent = #0000ff\n");
  window.wait("the mended one", [](const Json& state) { return told(state, "Broken"); });
  palette(window, "theme: high contrast");
  window.wait_for("theme", "contrast");
  check_smooth(window);
}

TEST_CASE("window: motion goes in steps from off to fast") {
  Window window(complex_split());
  window.wait_for("motion", "1x");
  palette(window, "motion: faster");
  window.wait_for("motion", "2x");
  palette(window, "motion on or off");
  window.wait_for("motion", "off");
  palette(window, "motion: faster");
  window.wait_for("motion", "step");
}

namespace {

// Every command that makes sense alone, of the menus that are wanted: found in the palette by its name, and carried
// out.
void carry_out_all(bool (*wanted)(std::string_view menu)) {
  Window window({.arguments = {"complex_split"}, .width = 1100, .height = 720});
  window.wait_for("position", 6);
  std::size_t count = 0;
  for (const CommandRow* row : ui::all_commands()) {
    const std::string name = row->name;
    // Leaving is tested elsewhere, and closing below.
    if (!wanted(row->menu) || !stands_alone(*row) || name == "quit" || name == "close") continue;
    CAPTURE(name);
    window.press("ctrl+shift+p");
    window.wait_for("popup", "palette");
    window.type_at_once(row->title);
    window.press("Return");
    // Some open it again, for what they want to know.
    if (name != "palette" && name != "seek" && name != "editor")
      window.wait("the palette to be closed", [](const Json& state) { return state["popup"] != "palette"; });
    window.settle();
    window.wait("it to be ready", [](const Json& state) { return state.value("ready", false); });
    for (int i = 0; i < 5 && window.state()["popup"] != ""; ++i) {
      window.press("Escape");
      window.settle();
    }
    REQUIRE(window.running());
    window.wait_for("popup", "");
    ++count;
  }
  CHECK(count > 5);
  check_smooth(window);
  palette(window, "close program");
  window.wait_for("document", nullptr);
  CHECK(window.running());
}

bool is_of_view(std::string_view menu) { return menu == "File" || menu == "View"; }
bool is_of_run(std::string_view menu) { return menu == "Run" || menu == "Step" || menu == "Tile"; }

}  // namespace

TEST_CASE("window: every command from the palette once: files and the view") { carry_out_all(is_of_view); }
TEST_CASE("window: every command from the palette once: running and tiles") { carry_out_all(is_of_run); }
TEST_CASE("window: every command from the palette once: all others") {
  carry_out_all([](std::string_view menu) { return !is_of_view(menu) && !is_of_run(menu); });
}

}  // namespace ts::test
