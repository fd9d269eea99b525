// The journal: what is written of what happens, and scripts made of it that come to the same.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "app/window/commands/window_commands.h"
#include "app/window/desk/exports.h"
#include "scripting/binding/object_type.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/random.h"
#include "tests/support/scripting/run_script.h"
#include "tests/support/window/open_desk.h"

using namespace ts;
using namespace ts::ui;
using ts::test::ProgramDesk;
using ts::test::run_script;
using ts::test::ScriptRun;
using ts::test::TempFolder;

namespace {

struct JournalDesk : ProgramDesk {
  using ProgramDesk::ProgramDesk;
  void type(const std::string& line) { give("console", {line}); }
  std::string lines() {
    std::string all;
    for (const JournalLine& line : view().journal())
      all += (line.times > 1 ? std::to_string(line.times) + "x " : "") + line.lua + "\n";
    return all;
  }
  std::string last() { return view().journal().empty() ? "" : view().journal().back().lua; }
};

std::int64_t number(std::int64_t value) { return value; }

// The script runs without a window, and all of its assertions hold.
void passes(JournalDesk& f) {
  const std::string script = f.desk.journal().script();
  const ScriptRun run = run_script(script);
  CAPTURE(script);
  CAPTURE(run.printed);
  CAPTURE(run.complained);
  CHECK(run.status == 0);
  CHECK(run.printed.find("ok 1 - it comes to the same") != std::string::npos);
}

}  // namespace

TEST_CASE("journal: what is done in a lesson is not written to the program before") {
  JournalDesk f;
  f.give("over");
  const std::string before = f.lines();
  f.open("zip");
  REQUIRE(f.view().lesson() != nullptr);
  f.give("lessonPage", {std::int64_t{4}});
  f.give("overBack");
  CHECK(f.lines() == before);
}

TEST_CASE("journal: every command is written, or says that it is not; what is written is a function of scripts") {
  std::set<std::string> of_rec, of_gui;
  for (const scripting::ObjectType* type : scripting::object_types())
    for (const scripting::Binding& row : type->bindings)
      (std::string(type->owner) == "rec" ? of_rec : of_gui).insert(std::string(row.called()));
  for (const CommandRow* row : all_commands()) {
    CAPTURE(row->name);
    const JournalForm::Kind form = row->journal.kind;
    if (form == JournalForm::Kind::Nothing) {
      CHECK_FALSE(of_gui.contains(std::string("gui.") + row->name));
      continue;
    }
    if (form == JournalForm::Kind::Outcome) {
      CHECK((of_gui.contains(std::string("gui.") + row->name) || of_rec.contains(std::string("rec:") + row->name)));
      continue;
    }
    std::string line = lua_of(*row, {std::string("a \"b\""), number(3)});
    REQUIRE(line != "");
    // What is written as a comment has to be a line as well.
    if (line.starts_with("-- ")) line.erase(0, 3);
    const std::string called = line.substr(0, line.find_first_of("({"));
    CHECK((of_rec.contains(called) || of_gui.contains(called)));
    CHECK(run_script("local rec = {} if false then " + line + " end").status == 0);
  }
}

TEST_CASE("journal: commands with their arguments") {
  const auto line = [](const char* name, std::vector<CommandValue> values) {
    return lua_of(*find_any_command(name), values);
  };
  CHECK(line("over", {}) == "rec:over()");
  CHECK(line("step", {number(5)}) == "rec:step(5)");
  CHECK(line("seek", {number(5), number(2)}) == "");
  CHECK(line("runTo", {number(7)}) == "rec:runTo{step=7}");
  CHECK(line("runBackTo", {std::string(), number(7)}) == "rec:runBackTo{line=7}");
  CHECK(line("nextWrite", {std::string("ub[0x0,0x4)")}) == "rec:nextWrite(\"ub[0x0,0x4)\")");
  CHECK(line("compareWith", {std::string("a\\b \"c\".pto")}) == "gui.compareWith(\"a\\\\b \\\"c\\\".pto\")");
  CHECK(line("saveRecording", {std::string("k.ptorec")}) == "-- rec:save(\"k.ptorec\")");
  CHECK(line("saveRecording", {}) == "");
  CHECK(line("select", {std::string("t"), number(0), number(0)}) == "");
  CHECK(line("palette", {}) == "");
}

TEST_CASE("journal: stops as lines") {
  CHECK(lua_of(StopRule{.line = 49}) == "rec:addBreakpoint{line=49}");
  StopRule rule{.step = 3, .op = "tadd"};
  rule.nan = rule.once = true;
  rule.ignore = 2;
  rule.log = "at {step}";
  CHECK(lua_of(rule) == "rec:addBreakpoint{step=3, op=\"tadd\", nan=true, ignore=2, once=true, log=\"at {step}\"}");
  rule = {};
  rule.watch = Watched{{{Space::Ub, 0x400, 4}}, Touch::Change, "t[0,0]"};
  CHECK(lua_of(rule) == "rec:addBreakpoint{changes=\"ub[0x400,0x404)\"}");
  rule.watch->bytes.push_back({Space::Ub, 0x500, 4});
  rule.watch->touch = Touch::Read;
  CHECK(lua_of(rule) == "rec:addBreakpoint{reads={\"ub[0x400,0x404)\", \"ub[0x500,0x504)\"}}");
  rule.differs = true;
  CHECK_FALSE(lua_of(rule).has_value());
}

TEST_CASE("journal: what was typed keeps to itself") {
  CHECK(typed_as_line("rec:over()") == "rec:over()");
  CHECK(typed_as_line("x = 3") == "x = 3");
  for (const char* text : {"local x = 3", "return 5", "x = 1 -- y", "a()\nb()", "(f)()", "goto e ::e::"}) {
    const std::string line = typed_as_line(text);
    CAPTURE(line);
    CHECK(line.starts_with("do local function typed()\n"));
    CHECK(run_script("f = print a = print b = print " + line + "\nassert(x == nil or x == 1)").status == 0);
  }
}

TEST_CASE("journal: steps, runs, breakpoints, watches and notes are written where they happen") {
  JournalDesk f;
  CHECK(f.view().journal().size() == 1);
  f.give("first");
  for (int i = 0; i < 3; ++i) f.give("over");
  f.give("overBack");
  f.give("toggleBreakpoint", {number(49)});
  f.give("continue");
  f.give("select", {std::string("re"), number(1), number(3)});
  f.give("select", {std::string("re"), number(1), number(4)});
  f.give("watch", {std::string("re[1,4]")});
  f.give("bookmark", {std::string("here")});
  f.give("note", {std::string("look"), number(2), std::string("re"), number(1), number(4)});
  f.give("enableBreakpoints");
  f.give("seek", {number(3)});
  f.give("seek", {number(4)});
  f.give("into");
  f.give("out");
  const std::string lines = f.lines();
  CHECK(lines.substr(lines.find('\n') + 1) ==
        "rec:first()\n"
        "3x rec:over()\n"
        "rec:overBack()\n"
        "rec:addBreakpoint{line=49}\n"
        "rec:continue()\n"
        "gui.select(\"re\", 1, 4)\n"
        "rec:watch(\"re[1,4]\")\n"
        "rec:bookmark(\"here\", 6)\n"
        "rec:note{text=\"look\", step=2, tile=\"re\", row=1, col=4}\n"
        "rec:breakpoints()[1]:disable()\n"
        "rec:seek(4)\n"
        "rec:into()\n"
        "rec:out()\n");
  CHECK(f.view().journal()[2].moment == Moment{3, 0});
  passes(f);
  f.give("removeBookmark", {std::string("here")});
  f.give("unwatch", {number(0)});
  f.give("note", {std::string(), number(2), std::string("re"), number(1), number(4)});
  f.give("toggleBreakpoint", {number(49)});
  passes(f);
  CHECK(
      f.lines().ends_with("rec:removeBookmark(\"here\")\nrec:unwatch(\"re[1,4]\")\n"
                          "rec:note{text=\"\", step=2, tile=\"re\", row=1, col=4}\nrec:breakpoints()[1]:remove()\n"));
}

TEST_CASE("journal: what led nowhere is not written") {
  JournalDesk f;
  f.give("last");
  const std::string before = f.lines();
  f.give("over");
  f.give("continue");
  f.give("toggleBreakpoint", {number(1)});
  f.give("select", {std::string("nothing"), number(0), number(0)});
  f.give("seek", {number(11)});
  CHECK(f.lines() == before);
}

TEST_CASE("journal: going to sources, findings and back are written as the places they led to") {
  JournalDesk f("bug_overlap");
  f.desk.wait();
  f.settle();
  f.give("first");
  f.give("nextFinding");
  REQUIRE(f.view().finding().has_value());
  CHECK(f.lines().find("rec:seek(") != std::string::npos);
  CHECK(f.desk.journal().script().find("is not found at step") != std::string::npos);
  passes(f);
  f.give("follow");
  f.give("follow");
  f.give("visitBack");
  passes(f);
}

TEST_CASE("journal: what is typed is written as it was typed, and once") {
  JournalDesk f;
  f.type("rec:seek(3)");
  f.type("over");
  f.type("6 * 7");
  f.type("b = pto.addBreakpoint{op=\"tstore\", when=function(s) return s.step > 3 end}");
  f.type("gui.select(\"re\", 0, 1)");
  f.type("rec:continue()");
  f.type("error('no')");
  f.type("gui.note(\"re\", 0, 1, \"typed\")");
  f.type("for i = 1, 2 do");
  f.type("  rec:back() end");
  const std::string lines = f.lines();
  CAPTURE(lines);
  CHECK(lines.substr(lines.find('\n') + 1) ==
        "rec:seek(3)\n"
        "rec:over()\n"
        "print(6 * 7)\n"
        "do local function typed()\n"
        "b = pto.addBreakpoint{op=\"tstore\", when=function(s) return s.step > 3 end}\n"
        "end typed() end\n"
        "gui.select(\"re\", 0, 1)\n"
        "rec:continue()\n"
        "-- error('no')\n"
        "gui.note(\"re\", 0, 1, \"typed\")\n"
        "do local function typed()\nfor i = 1, 2 do\n  rec:back() end\nend typed() end\n");
  passes(f);
  // A stop that was typed is taken away in the list.
  f.give("removeStop", {number(1)});
  CHECK(f.last() == "rec:breakpoints()[1]:remove()");
  passes(f);
}

TEST_CASE("journal: a script begins with what was set before, and where it was cleared") {
  const TempFolder folder;
  {
    JournalDesk f("complex_split", folder.path());
    f.give("toggleBreakpoint", {number(49)});
    f.give("watchSelection");
    f.give("watch", {std::string("im[1,7]")});
    f.give("note", {std::string("kept"), number(1)});
    f.desk.keep_work();
  }
  JournalDesk f("complex_split", folder.path());
  REQUIRE(f.view().standing().stops.size() == 2);
  REQUIRE(f.view().notes().size() == 1);
  f.give("first");
  f.give("continue");
  f.give("continue");
  passes(f);
  f.desk.journal().clear();
  CHECK(f.view().journal().size() == 1);
  f.give("removeStop", {number(f.view().standing().stops[0].id)});
  f.give("reverse");
  passes(f);
}

TEST_CASE("journal: of a recording's file") {
  const TempFolder folder;
  const std::string path = folder / "saved.ptorec";
  {
    JournalDesk f;
    f.give("toggleBreakpoint", {number(49)});
    f.give("watch", {std::string("im[1,7]")});
    save_recording(f.desk.walk(), path);
    f.settle();
  }
  JournalDesk f(path);
  f.give("removeStop", {number(1)});
  f.give("over");
  const std::string script = f.desk.journal().script();
  CHECK(script.find("pto.open(") != std::string::npos);
  // The tests' scripts look for recordings in a folder of their own.
  ScriptRun run;
  scripting::ScriptHost host = ts::test::script_host(run);
  host.open_recording = [](const std::string& name, std::size_t budget, const std::function<bool()>& go_on) {
    return open_recording(name, budget, go_on);
  };
  scripting::Script made(host);
  CHECK(made.run(script, "j.lua") == 0);
  CAPTURE(run.complained);
  CHECK(run.complained == "");
}

TEST_CASE("journal: the program's target and options are part of the script") {
  Desk desk([] {});
  Launch launch;
  launch.name = "masked_sum";
  launch.open.target = Target::A2A3;
  launch.open.inputs.seed = 7;
  desk.open(launch);
  desk.wait();
  desk.carry_out({"last"});
  desk.wait();
  const std::string script = desk.journal().script();
  CHECK(script.find("target = \"a2a3\"") != std::string::npos);
  CHECK(script.find("seed = 7") != std::string::npos);
  CHECK(run_script(script).status == 0);
}

TEST_CASE("journal: without a program there is none") {
  Desk desk([] {});
  CHECK(desk.journal().script() == "");
  desk.journal().clear();
  desk.scripts().run_journal();
  desk.journal().take_script();
  CHECK(desk.take_notices().size() == 2);
}

TEST_CASE("journal: any session comes to the same, as a script and run again in the window") {
  ts::test::Random random(7);
  constexpr const char* kPlain[] = {"over",          "overBack",      "into",        "intoBack",
                                    "out",           "outBack",       "continue",    "reverse",
                                    "follow",        "first",         "visitBack",   "visitForward",
                                    "nextWrite",     "previousWrite", "nextFinding", "enableBreakpoints",
                                    "watchSelection"};
  for (const char* sample : {"complex_split", "row_loop", "masked_sum", "bug_overlap"}) {
    JournalDesk f(sample);
    f.desk.wait();
    f.settle();
    const std::uint32_t count = f.view().recording()->count();
    const Program& program = f.view().recording()->program();
    for (int i = 0; i < 60; ++i) {
      switch (random.below(9)) {
        case 0: f.give("seek", {number(random.below(count + 1))}); break;
        case 1: f.give("toggleStepBreakpoint", {number(random.below(count))}); break;
        case 2:
          f.give("select", {program.tiles[random.below(static_cast<std::uint32_t>(program.tiles.size()))].name,
                            number(0), number(random.below(4))});
          break;
        case 3: f.give("runTo", {number(random.below(count))}); break;
        case 4:
          if (!f.view().standing().stops.empty()) f.give("removeStop", {number(f.view().standing().stops.front().id)});
          break;
        default: f.give(kPlain[random.below(static_cast<std::uint32_t>(std::size(kPlain)))]);
      }
    }
    passes(f);
    const Moment moment = f.view().moment();
    const auto selected = f.view().selected();
    const std::size_t stops = f.view().standing().stops.size(), lines = f.view().journal().size();
    f.desk.take_notices();
    f.desk.scripts().run_journal();
    f.settle();
    for (const Wish& wish : f.desk.take_wishes()) f.desk.carry_out(wish.command);
    f.settle();
    const auto notices = f.desk.take_notices();
    REQUIRE(!notices.empty());
    CHECK(notices.back().text == "journal ended well");
    CHECK(f.view().moment() == moment);
    CHECK(f.view().selected() == selected);
    CHECK(f.view().standing().stops.size() == stops);
    CHECK(f.view().journal().size() == lines);
    f.give("over");
    passes(f);
  }
}

TEST_CASE("desk: a script runs in the window, and shows the recording that it makes") {
  const TempFolder folder;
  std::ofstream(folder / "show.lua") << R"(
local rec = pto.load("masked_sum"):record()
rec:seek(3)
rec:addBreakpoint{op="tstore"}
assert(gui.select("out", 1, 2))
gui.panel("P", function(ui) ui.value("pos", rec.pos) if ui.button("end") then rec:last() end end)
gui.overlay("out", function(r, c) return c == 1 and "red" or nil end)
later = 5
)";
  JournalDesk f;
  f.desk.scripts().run_file(folder / "show.lua");
  f.settle();
  REQUIRE(f.view().document() != nullptr);
  CHECK(f.view().document()->name == "masked_sum.pto");
  CHECK(f.view().moment().position == 3);
  REQUIRE(f.view().selected().has_value());
  CHECK(f.view().name_of(*f.view().selected()) == "out[1,2]");
  CHECK(f.view().standing().stops.size() == 1);
  CHECK(f.desk.take_notices().back().text == "show.lua ended well");
  REQUIRE(f.view().script_items().panels.size() == 1);
  CHECK(f.view().script_items().panels[0].items[0].text == "3");
  CHECK(f.view().overlay_of(f.view().selected()->owner) != nullptr);
  f.give("over");
  CHECK(f.view().script_items().panels[0].items[0].text == "4");
  f.give("pressButton", {std::string("P"), std::string("end")});
  CHECK(f.view().moment().position == f.view().recording()->count());
  f.type("later");
  CHECK(f.view().console().back().text == "5");
  f.type("rec:seek(1)");
  CHECK(f.view().moment().position == 1);
  passes(f);
  f.give("closePanel", {std::string("P")});
  CHECK(f.view().script_items().panels.empty());
  // Opened again, it is the script's once more.
  f.desk.reload();
  f.settle();
  CHECK(f.view().moment().position == 3);
  std::ofstream(folder / "bad.lua") << "pto.load('row_loop'):record() error('no')";
  f.desk.scripts().run_file(folder / "bad.lua");
  f.settle();
  CHECK(f.desk.take_notices().back().text == "bad.lua ended with status 3");
  f.desk.scripts().run_file(folder / "none.lua");
  f.settle();
  CHECK(f.desk.take_notices().back().is_error);
  f.give("over");
  // What a script sets stays out of what is kept of the user's work.
  CHECK(f.view().document()->name == "row_loop.pto");
}

TEST_CASE("desk: a question about what was shown before is not asked of what a script opened") {
  const TempFolder folder;
  std::ofstream(folder / "a.lua") << "pto.load('masked_sum'):record()";
  JournalDesk f;
  bool asked = false;
  f.desk.scripts().run_file(folder / "a.lua");
  const auto ticket = f.view().answerer().ask([&](Session&, const std::function<bool()>&) {
    asked = true;
    return std::any(1);
  });
  f.settle();
  CHECK(f.view().document()->name == "masked_sum.pto");
  CHECK_FALSE(asked);
  const auto again = f.view().answerer().ask([&](Session&, const std::function<bool()>&) { return std::any(2); });
  f.settle();
  CHECK(again->answered);
}

TEST_CASE("desk: a script may run where nothing is open") {
  const TempFolder folder;
  std::ofstream(folder / "a.lua") << "pto.load('masked_sum'):record():seek(2)";
  std::ofstream(folder / "b.lua") << "assert(pto.current() == nil) assert(not pcall(gui.jump, 0)) print('hello')";
  Desk desk([] {});
  desk.scripts().run_file(folder / "b.lua");
  desk.wait();
  desk.begin_frame();
  CHECK(desk.view().document() == nullptr);
  CHECK(desk.take_notices().back().text == "b.lua ended well");
  desk.scripts().run_file(folder / "a.lua");
  desk.wait();
  desk.begin_frame();
  REQUIRE(desk.view().recording() != nullptr);
  CHECK(desk.view().moment().position == 2);
}
