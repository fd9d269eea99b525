// The table gui, without a window and with one that only keeps what it is asked.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/debug/session/session.h"
#include "scripting/gui/gui_live.h"
#include "scripting/run/engine.h"
#include "scripting/run/script.h"
#include "tests/support/scripting/run_script.h"

namespace ts::test {
namespace {

using scripting::GuiItems;
using scripting::GuiValue;
using scripting::PanelItem;

struct FakeWindow final : scripting::GuiHost {
  std::shared_ptr<Session> session;
  std::vector<std::string> asked = {};
  std::shared_ptr<const GuiItems> items = std::make_shared<const GuiItems>();
  std::string front = {};

  std::shared_ptr<Session> shown() override { return session; }
  void command(const std::string& name, std::vector<GuiValue> values) override {
    std::string text = name;
    for (const GuiValue& value : values)
      text += " " + (std::holds_alternative<std::string>(value) ? std::get<std::string>(value)
                                                                : std::to_string(std::get<std::int64_t>(value)));
    asked.push_back(text);
  }
  void select(bool is_buffer, std::uint32_t id, std::uint32_t row, std::uint32_t col) override {
    const Program& program = session->recording().program();
    asked.push_back("select " + (is_buffer ? program.buffers[id].name : program.tiles[id].name) + " " +
                    std::to_string(row) + " " + std::to_string(col));
  }
  void show(const std::string& owner, const scripting::ShowWish& wish) override {
    asked.push_back("show " + owner + " " + wish.as + " " + wish.format);
  }
  data::Error screenshot(const std::string& path, double scale) override {
    asked.push_back("screenshot " + path.substr(path.find_last_of('/') + 1) + " " + std::to_string(scale).substr(0, 3));
    return {};
  }
  void show_items(std::shared_ptr<const GuiItems> shown, const std::string& to_front) override {
    items = std::move(shown);
    if (!to_front.empty()) front = to_front;
  }
};

// A script in a window that shows the sample row_loop.
struct InWindow {
  InWindow() {
    scripting::ScriptHost maker = script_host(run);
    maker.opened = [&](const std::shared_ptr<Session>& made, const RunOrigin&) { window->session = made; };
    {
      scripting::Script making(maker);
      making.run("pto.load('row_loop'):record()", "make.lua");
    }
    run = {};
    scripting::ScriptHost host = script_host(run);
    host.current = window->session;
    host.gui = window;
    script = std::make_unique<scripting::Script>(host);
  }
  int give(std::string_view text) {
    const int status = script->run(text, "test.lua");
    live().refresh();
    return status;
  }
  scripting::GuiLive& live() { return script->engine().slot<scripting::GuiLive>(); }
  const scripting::Panel& panel(std::size_t index = 0) { return window->items->panels.at(index); }
  std::string asked() {
    std::string all;
    for (const std::string& one : std::exchange(window->asked, {})) all += (all.empty() ? "" : "; ") + one;
    return all;
  }
  std::uint32_t position() { return window->session->moment().position; }

  ScriptRun run;
  std::shared_ptr<FakeWindow> window = std::make_shared<FakeWindow>();
  std::unique_ptr<scripting::Script> script;
};

}  // namespace

TEST_CASE("gui: without a window every function gives back false, and still checks what it is given") {
  const ScriptRun run = run_script(R"(
assert(gui.available == false)
assert(gui.show("t", {as="heat", format="hex", range={-1, 1}}) == false)
assert(gui.jump(42) == false and gui.select("t", 1, 5) == false)
assert(gui.panel("P", function(ui) error("never called") end) == false)
assert(gui.visualizer("c64", function() error("never called") end) == false)
assert(gui.overlay("t", function() error("never called") end) == false)
assert(gui.note("t", 1, 5, "text") == false and gui.layout("Learn") == false)
assert(gui.screenshot("a.png", {scale=2}) == false and gui.animate{from=3, speed=0.5} == false)
assert(gui.theme("light") == false and gui.checkNow() == false and gui.toggleBreakpoint(4) == false)
)");
  CAPTURE(run.complained);
  CHECK(run.status == 0);
  CHECK(script_error("gui.jump('x')") ==
        "gui.jump: position: wanted an integer from 0 to 4294967295, got the text 'x'");
  CHECK(script_error("gui.jump(-1)").starts_with("gui.jump: position: wanted an integer"));
  CHECK(script_error("gui.select('t')").starts_with("gui.select: row: wanted an integer"));
  CHECK(script_error("gui.select({}, 0, 0)").starts_with("gui.select: tile: wanted a tile, a buffer, or the name"));
  CHECK(script_error("gui.panel('', print)").starts_with("gui.panel: title: wanted 1 to 60 bytes"));
  CHECK(script_error("gui.panel('x', 3)").starts_with("gui.panel: draw: wanted a function"));
  CHECK(script_error("gui.visualizer('hex', print)") == "gui.visualizer: hex is a format of the window");
  CHECK(script_error("gui.show('t', {as='cold'})").find("as") != std::string::npos);
  CHECK(script_error("gui.show('t', {range={2, 1}})").find("range") != std::string::npos);
  CHECK(script_error("gui.screenshot('a.png', {scale=100})").find("scale") != std::string::npos);
  CHECK(script_error("gui.theme({})").find("gui.theme: name: wanted") != std::string::npos);
  CHECK(script_error("gui.quit()").starts_with("gui has no 'quit'"));
  CHECK(script_error("gui.saveRecording('x')").starts_with("gui has no 'saveRecording'"));
}

TEST_CASE("gui: in a window, calls go to it in their order") {
  InWindow in;
  REQUIRE(in.give("assert(gui.available) assert(gui.jump(4)) assert(gui.select('x_even', 0, 3)) "
                  "assert(gui.select(pto.current():tile('x_even'), 0, 1)) gui.layout('Present') "
                  "gui.show('x_even', {as='heat', format='hex'}) gui.theme('light') gui.checkByItself(true) "
                  "gui.screenshot('a.png', {scale=2}) gui.animate{from=2, speed=0.5}") == 0);
  CHECK(in.asked() ==
        "select x_even 0 3; select x_even 0 1; layout present; show x_even heat hex; theme light; checkByItself 1; "
        "screenshot a.png 2.0; showNext 0; playMove 50");
  CHECK(in.position() == 3);
  CHECK(in.give("gui.note('x_even', 0, 3, 'first bad value')") == 0);
  REQUIRE(in.window->session->notes().size() == 1);
  CHECK(in.window->session->notes()[0].element == NotedElement{"x_even", 0, 3});
}

TEST_CASE("gui: what the shown recording has not is refused") {
  InWindow in;
  for (const char* wrong :
       {"gui.jump(100000)", "gui.select('nothing', 0, 0)", "gui.select('x_even', 100, 0)",
        "gui.select(pto.load('row_loop'):record():tile('x_even'), 0, 0)", "gui.show('x_even', {format='mine'})",
        "gui.overlay('nothing', print)", "gui.note('x_even', 0, 100000, 'x')", "gui.animate{from=100000}",
        "gui.screenshot('../a.png')", "gui.screenshot('a.txt')"}) {
    CAPTURE(wrong);
    CHECK(in.give(wrong) == 3);
  }
  CHECK(in.asked() == "");
}

TEST_CASE("gui: a panel is drawn again whenever the session stands elsewhere, and leaves data") {
  InWindow in;
  REQUIRE(in.give(R"(
rec = pto.current()
gui.panel("Norms", function(ui)
  ui.text("at " .. rec.pos)
  ui.value("count", rec.count)
  ui.separator()
  ui.plot({1, 2, 4, 0/0, 3}, "a line")
  ui.plot(rec:tile("x_even"))
  ui.heat({{1, 2}, {3, 4}}, "small")
  ui.heat(rec:tile("x_even"))
  ui.table({{"a", 1}, {"b"}}, {"name", "number"})
  if ui.button("worst") then gui.select("x_even", 0, 2) rec:seek(7) end
end))") == 0);
  CHECK(in.window->front == "Norms");
  REQUIRE(in.window->items->panels.size() == 1);
  CHECK(in.panel().error == "");
  const auto& items = in.panel().items;
  REQUIRE(items.size() == 9);
  CHECK(items[0].text == "at 0");
  CHECK(items[1].label == "count");
  CHECK(items[3].numbers.size() == 5);
  CHECK(items[4].numbers.size() > 1);
  CHECK(items[5].rows == 2);
  CHECK(items[5].numbers == std::vector<double>{1, 2, 3, 4});
  CHECK(items[7].cells == std::vector<std::string>{"name", "number", "a", "1", "b", ""});
  CHECK(items[8].kind == PanelItem::Kind::Button);
  CHECK(in.asked() == "");
  in.window->session->seek({3, 0});
  in.live().refresh();
  CHECK(in.panel().items[0].text == "at 3");
  in.live().press("Norms", "worst");
  in.live().refresh();
  CHECK(in.position() == 7);
  CHECK(in.asked() == "select x_even 0 2");
  CHECK(in.panel().items[0].text == "at 7");
  in.live().press("Norms", "no such button");
  in.live().press("no such panel", "worst");
  in.live().refresh();
  CHECK(in.position() == 7);
  CHECK(in.give("assert(gui.panel('Norms', false) == true) assert(gui.panel('Norms', false) == false)") == 0);
  CHECK(in.window->items->panels.empty());
}

TEST_CASE("gui: a panel that fails shows why, and the others go on") {
  InWindow in;
  REQUIRE(in.give("gui.panel('bad', function(ui) ui.text('before') error('no luck') end) "
                  "gui.panel('good', function(ui) ui.text('fine') end)") == 0);
  REQUIRE(in.window->items->panels.size() == 2);
  CHECK(in.panel(0).error.find("no luck") != std::string::npos);
  CHECK(in.panel(0).error.find("test.lua:1") != std::string::npos);
  CHECK_FALSE(in.panel(0).stopped);
  CHECK(in.panel(0).items.size() == 1);
  CHECK(in.panel(1).error == "");
  // What fails when a button is pressed stays to be read.
  REQUIRE(in.give("gui.panel('bad', function(ui) if ui.button('b') then error('pressed') end end)") == 0);
  CHECK(in.panel(0).error == "");
  in.live().press("bad", "b");
  in.live().refresh();
  CHECK(in.panel(0).error.find("pressed") != std::string::npos);
  in.live().refresh();
  CHECK(in.panel(0).error == "");
  CHECK(in.give("assert(1 == 1)") == 0);
}

TEST_CASE("gui: hostile panels end, hold no more than they may, and change nothing") {
  const struct {
    const char *draw, *says;
    bool stopped;
  } kPanels[] = {
      {"while true do end", "steps, and is called no more", true},
      {"pto.quit(0)", "called pto.quit", true},
      {"local function f() return f() + 1 end f()", "steps, and is called no more", true},
      {"for i = 1, 1e9 do ui.text(i) end", "more than 500 parts", false},
      {"local s = ('x'):rep(1900) for i = 1, 400 do ui.text(s) ui.plot(t) end", "", false},
      {"ui.button('a') ui.button('a')", "two buttons", false},
      {"ui.plot({1, 'x'})", "number 2 is", false},
      {"ui.plot({1, {}})", "number 2 is", false},
      {"ui.plot(3)", "wanted a list of numbers", false},
      {"ui.heat({{1, 2}, {3}})", "row 2 has 1 numbers", false},
      {"ui.heat({1, 2})", "row 1 is", false},
      {"ui.table({}, {})", "empty list", false},
      {"ui.table({3}, {'a'})", "row 1 is", false},
      {"ui.table(setmetatable({}, {__len = function() return 1e15 end}), {'a'})", "", false},
      {"pto.current():over()", "moves no recording", false},
      {"gui.jump(3)", "moves no recording", false},
      {"gui.theme('light')", "moves no recording", false},
      {"gui.panel('another', print)", "moves no recording", false},
      {"ui.nothing()", "ui has no 'nothing'", false},
      {"ui.text()", "", false},
      {"error()", "", false},
      {"error(setmetatable({}, {__tostring = function() error('again') end}))", "", false},
      {"local u = {} for i = 1, 1e7 do u[i] = i end", "", true},
  };
  for (const auto& one : kPanels) {
    CAPTURE(std::string(one.draw));
    InWindow in;
    in.give(std::string("t = {} for i = 1, 100000 do t[i] = i end gui.panel('p', function(ui) ") + one.draw + " end)");
    REQUIRE(in.window->items->panels.size() == 1);
    CAPTURE(in.panel().error);
    CHECK(in.panel().error.find(one.says) != std::string::npos);
    CHECK(in.panel().stopped == one.stopped);
    CHECK(in.panel().items.size() <= 500);
    CHECK(in.asked() == "");
    CHECK(in.position() == 0);
    CHECK(in.give("assert(pto.current():seek(2).pos == 2)") == 0);
    if (one.stopped) CHECK(in.panel().stopped);
  }
}

TEST_CASE("gui: there are only so many panels, overlays and formats") {
  InWindow in;
  CHECK(in.give("for i = 1, 16 do gui.panel('p' .. i, print) end") == 0);
  CHECK(in.give("gui.panel('one more', print)") == 3);
  CHECK(in.run.complained.find("there are 16 already") != std::string::npos);
  CHECK(in.give("gui.panel('p3', function(ui) ui.text('again') end)") == 0);
  CHECK(in.give("for i = 1, 100 do gui.visualizer('f' .. i, print) end") == 3);
  CHECK(in.window->items->formats.size() == 64);
}

TEST_CASE("gui: an overlay colours and marks cells, and a bad one is taken away") {
  InWindow in;
  REQUIRE(
      in.give("gui.overlay('x_even', function(r, c) if r == 0 and c == 1 then return 'orange', 'max of all of it' end "
              "if c == 2 then return 0x102030 end if c == 3 then return '#0A0b0C' end end)") == 0);
  REQUIRE(in.window->items->overlays.size() == 1);
  const scripting::Overlay& overlay = in.window->items->overlays[0];
  CHECK(overlay.colors[0] == -1);
  CHECK(overlay.colors[1] == 0xE69F00);
  CHECK(overlay.colors[2] == 0x102030);
  CHECK(overlay.colors[3] == 0x0A0B0C);
  CHECK(overlay.marks[1] == "max of all o");
  const std::uint64_t number = overlay.number;
  in.live().refresh();
  CHECK(in.window->items->overlays[0].number != number);
  REQUIRE(in.give("gui.overlay('x_even', function(r, c) return 'pink' end)") == 0);
  CHECK(in.window->items->overlays.empty());
  REQUIRE(in.window->items->problems.size() == 1);
  CHECK(in.window->items->problems[0].find("'pink' is no colour") != std::string::npos);
  in.live().refresh();
  CHECK(in.window->items->problems.empty());
  REQUIRE(in.give("gui.overlay('x_even', function() while true do end end)") == 0);
  CHECK(in.window->items->overlays.empty());
  CHECK(in.give("gui.overlay('x_even', function() return 'red' end) assert(gui.overlay('x_even', false))") == 0);
  CHECK(in.window->items->overlays.empty());
}

TEST_CASE("gui: a format of a script gives texts to the cells of the tiles that are shown in it") {
  InWindow in;
  REQUIRE(in.give("pto.current():last() gui.visualizer('half', function(cell) return cell.value / 2 end) "
                  "assert(gui.show('x_even', {format='half'}))") == 0);
  CHECK(in.asked() == "show x_even  decimal");
  REQUIRE(in.window->items->texts.size() == 1);
  CHECK(in.window->items->formats == std::vector<std::string>{"half"});
  CHECK(in.window->items->texts[0].texts[1] != "");
  CHECK(in.give("gui.show('x_even', {format='hex'})") == 0);
  CHECK(in.window->items->texts.empty());
  REQUIRE(in.give("gui.visualizer('bad', function(cell) error('no') end) gui.show('x_even', {format='bad'})") == 0);
  CHECK(in.window->items->texts.empty());
  CHECK(in.window->items->problems.size() == 1);
}

TEST_CASE("gui: ui is nothing outside of a panel") {
  InWindow in;
  REQUIRE(in.give("gui.panel('p', function(ui) kept = ui ui.text('x') end)") == 0);
  CHECK(in.give("kept.text('late')") == 3);
  CHECK(in.run.complained.find("no panel is being drawn") != std::string::npos);
}

TEST_CASE("lua: bookmarks, notes and breakpoints are listed and taken away") {
  passes_with_rec(R"lua(
rec:note{text="a", step=2}
rec:note{text="b", step=2, tile="x_even", row=0, col=1}
rec:note{text="c", tile=rec:tile("x_even"), row=0, col=1}
assert(#rec:notes() == 3 and rec:notes()[2].tile == "x_even" and rec:notes()[3].step == nil)
rec:note{text="", step=2}
assert(#rec:notes() == 2)
rec:bookmark("here", 3)
assert(rec:removeBookmark("here") and not rec:removeBookmark("here"))
rec:addBreakpoint{writes={"ub[0x0,0x4)", "ub[0x10,0x14)"}}
rec:addBreakpoint{op="tadd"}
local all = rec:breakpoints()
assert(#all == 2 and all[1]:isEnabled())
all[1]:remove()
assert(#rec:breakpoints() == 1)
)lua");
  CHECK(rec_error("rec:note{step=1}").find("text") != std::string::npos);
  CHECK(rec_error("rec:note{text='x'}").starts_with("rec:note: a note is about nothing"));
  CHECK(rec_error("rec:note{text='x', tile='x_even', row=0}").find("col") != std::string::npos);
  CHECK(rec_error("rec:note{text='x', step=100000}").starts_with("rec:note: there is no step 100000"));
  CHECK(rec_error("rec:addBreakpoint{writes={}}").find("ranges of bytes") != std::string::npos);
}

}  // namespace ts::test
