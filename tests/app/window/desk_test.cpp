// The window's side of the work, without a window: commands, answers, what is kept.
#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <set>

#include "app/window/commands/window_commands.h"
#include "core/debug/session/commands.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/window/open_desk.h"

using namespace ts;
using namespace ts::ui;
using ts::test::ProgramDesk;

namespace {

std::string fresh_folder() {
  const auto path = std::filesystem::temp_directory_path() / ("tilescope_desk_" + std::to_string(getpid()));
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

}  // namespace

TEST_CASE("desk: a sample opens where its author points, and commands move the session") {
  ProgramDesk f;
  REQUIRE(f.view().recording() != nullptr);
  CHECK(f.position() == 6);
  CHECK(f.view().shown_step() == 5);
  CHECK(f.selected() == "im[1,7]");
  f.give("over");
  CHECK(f.position() == 7);
  f.give("overBack");
  f.give("overBack");
  CHECK(f.position() == 5);
  f.give("into");
  CHECK(f.view().moment() == Moment{5, 1});
  CHECK(f.view().shown_step() == 5);
  f.give("seek", {std::int64_t{5}, std::int64_t{10}});
  CHECK(f.view().moment() == Moment{5, 10});
  f.give("out");
  CHECK(f.position() == 6);
  f.give("first");
  CHECK(f.view().shows_next());
  CHECK(f.view().shown_step() == 0);
  f.give("seek", {std::int64_t{4'000'000'000}});
  CHECK(f.position() == f.view().recording()->count());
}

TEST_CASE("desk: a setup that the command line loaded is named, and not that of another program") {
  ts::test::OpenDesk f;
  Launch launch;
  launch.name = "complex_split";
  launch.setup = "small";
  f.desk.open(launch);
  f.settle();
  CHECK(f.desk.settings().loaded() == "small");
  f.open("masked_sum");
  CHECK(f.desk.settings().loaded().empty());
}

TEST_CASE("desk: what the mouse was over is forgotten with what was open") {
  ProgramDesk f;
  const Element element = *f.view().selected();
  // The panes of the last frame before the other file is there.
  f.view().hover(element);
  f.view().hover(f.view().place_of(element, f.position()));
  const ts::test::TempFolder folder;
  const std::string broken = folder / "broken.pto";
  ts::test::put_text(broken, "module {\n  no operation\n}\n");
  f.open(broken);
  CHECK(f.view().recording() == nullptr);
  CHECK_FALSE(f.view().hovered());
  CHECK_FALSE(f.view().hovered_bytes());
}

TEST_CASE("desk: a value is followed to the step that made it, and on to the program's input") {
  ProgramDesk f;
  CHECK(f.selected() == "im[1,7]");
  f.give("follow");
  CHECK(f.selected() == "second[1,3]");
  CHECK(f.view().shown_step() == 1);
  f.give("follow");
  CHECK(f.selected() == "iq[1,15]");
  f.give("follow");
  CHECK(f.last_notice() == "the program was given this value");
  REQUIRE(f.view().trail().size() == 3);
  f.give("trailTo", {std::int64_t{1}});
  CHECK(f.selected() == "second[1,3]");
  CHECK(f.view().trail().size() == 2);
}

TEST_CASE(
    "desk: following first goes to the step that made the value, and prefers what it is made of to what chose it") {
  ProgramDesk f;
  f.give("select", {std::string("result"), std::int64_t{0}, std::int64_t{0}});
  f.give("last");
  CHECK(f.view().shown_step() == 10);
  f.give("overBack");
  f.give("overBack");
  f.give("select", {std::string("out"), std::int64_t{0}, std::int64_t{0}});
  f.give("follow");
  CHECK(f.view().shown_step() == 7);
  CHECK(f.selected() == "out[0,0]");
}

TEST_CASE("desk: breakpoints are set, stop runs, and are refused where nothing runs") {
  ProgramDesk f;
  f.give("first");
  f.give("toggleBreakpoint", {std::int64_t{49}});
  REQUIRE(f.view().standing().stops.size() == 1);
  f.give("continue");
  CHECK(f.position() == 6);
  CHECK(f.view().standing().stopped.reason == Stopped::Reason::Rule);
  f.give("toggleBreakpoint", {std::int64_t{49}});
  CHECK(f.view().standing().stops.empty());
  f.give("toggleBreakpoint", {std::int64_t{1}});
  CHECK(f.view().standing().stops.empty());
  CHECK(f.last_notice() != "");
}

TEST_CASE("desk: the console runs Lua on the session that the window shows") {
  ProgramDesk f;
  f.give("console", {std::string("rec:seek(3) print(rec.pos)")});
  CHECK(f.position() == 3);
  REQUIRE(f.view().console().size() >= 2);
  CHECK(f.view().console()[0].kind == ConsoleLine::Kind::Typed);
  CHECK(f.view().console()[1].text == "3");
  f.give("console", {std::string("error('no')")});
  CHECK(f.view().console().back().kind == ConsoleLine::Kind::Error);
  f.give("watch", {std::string("im[1,7]")});
  REQUIRE(f.view().standing().watches.size() == 1);
  CHECK(f.view().standing().watches[0].ok);
  f.give("watch", {std::string("nothing[0,0]")});
  CHECK_FALSE(f.view().standing().watches[1].ok);
}

TEST_CASE("desk: an endless line in the console ends, and can be ended") {
  ProgramDesk f;
  f.desk.carry_out({"console", {std::string("while true do end")}});
  f.desk.cancel();
  f.settle();
  f.give("over");
  CHECK(f.position() == 7);
}

namespace {

std::string said_in_console(DebugView& view) {
  std::string all;
  for (const ConsoleLine& line : view.console()) all += line.text + "\n";
  return all;
}

// By the sandbox, or by what it was in just then.
bool was_ended(const std::string& said) {
  return said.find("interrupted") != std::string::npos || said.find("stopped") != std::string::npos;
}

}  // namespace

TEST_CASE("desk: a script ends when it is told to, also one whose work is the program's") {
  for (const char* loop : {"while true do pto.load('softmax_online'):record() end",
                           "while true do pcall(function() pto.load('softmax_online'):record() end) end"}) {
    CAPTURE(loop);
    const ts::test::TempFolder folder;
    ts::test::put_text(folder / "endless.lua", std::string("print('begun') ") + loop);
    ProgramDesk f;
    f.desk.scripts().run_file(folder / "endless.lua");
    while (said_in_console(f.view()).find("begun") == std::string::npos) f.desk.begin_frame();
    f.desk.cancel();
    f.settle();
    CHECK(was_ended(said_in_console(f.view())));
    // What was open still is, for the window and for the console.
    REQUIRE(f.view().recording() != nullptr);
    f.give("console", {std::string("rec.count")});
    CHECK(f.view().console().back().text == std::to_string(f.view().recording()->count()));
  }
}

TEST_CASE("desk: a line in the console ends when it is told to, also one whose work is the program's") {
  ProgramDesk f;
  f.desk.carry_out(
      {"console",
       {std::string(
           "print('be' .. 'gun') while true do pcall(function() pto.load('softmax_online'):record() end) end")}});
  while (said_in_console(f.view()).find("begun") == std::string::npos) f.desk.begin_frame();
  f.desk.cancel();
  f.settle();
  CAPTURE(said_in_console(f.view()));
  CHECK(was_ended(said_in_console(f.view())));
  f.give("console", {std::string("rec.count")});
  CHECK(f.view().console().back().text == std::to_string(f.view().recording()->count()));
}

TEST_CASE("desk: opening a lesson ends when it is told to") {
  const ts::test::TempFolder folder;
  ts::test::put_text(folder / "endless.lua", "-- pto.lesson\nwhile true do pto.load('softmax_online'):record() end");
  ts::test::OpenDesk f;
  Launch launch;
  launch.name = folder / "endless.lua";
  f.desk.open(launch);
  while (!f.view().busy()) f.desk.begin_frame();
  f.desk.cancel();
  f.settle();
  CHECK(was_ended(f.last_notice()));
}

TEST_CASE("desk: what was set in a program is there when it is opened again") {
  const std::string folder = fresh_folder();
  {
    ProgramDesk f("complex_split", folder);
    f.give("toggleBreakpoint", {std::int64_t{49}});
    f.give("watchSelection");
    f.give("watch", {std::string("im[1,7]")});
    f.give("bookmark", {std::string("here")});
    f.desk.keep_work();
  }
  ProgramDesk again("complex_split", folder);
  REQUIRE(again.view().standing().stops.size() == 2);
  CHECK(again.view().standing().stops[0].rule.line == 49);
  CHECK(again.view().standing().stops[1].rule.watch.has_value());
  REQUIRE(again.view().standing().watches.size() == 1);
  CHECK(again.view().standing().bookmarks.at("here") == 6);
  ProgramDesk other("masked_sum", folder);
  CHECK(other.view().standing().stops.empty());
  std::filesystem::remove_all(folder);
}

TEST_CASE("desk: no name of a stranger's becomes a part of a path") {
  const std::string folder = fresh_folder(), victim = folder + "/victim";
  std::filesystem::create_directories(folder + "/state/programs/x");
  std::filesystem::create_directories(victim);
  std::ofstream(victim + "/package.json") << "mine";
  const std::string path = folder + "/kernel.pto";
  std::ofstream(path) << R"(module attributes {pto.target_arch = "a5"} {
  func.func @"x/../../../victim/package"() {
    %a = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>
    pto.tadd ins(%a, %a : !pto.tile_buf<vec, 8x64xf32>, !pto.tile_buf<vec, 8x64xf32>) outs(%a : !pto.tile_buf<vec, 8x64xf32>)
    return
  }
}
)";
  const auto files = [&] {
    std::set<std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.is_regular_file()) all.insert(std::filesystem::relative(entry.path(), folder).string());
    return all;
  };
  const std::set<std::string> before = files();
  {
    ProgramDesk f(path, folder + "/state");
    REQUIRE(f.view().recording() != nullptr);
    f.give("bookmark", {std::string("here\xff")});
    f.desk.keep_work();
  }
  std::set<std::string> made = files();
  for (const std::string& one : before) made.erase(one);
  // What was set, the shape of the text, and which file it was.
  REQUIRE(made.size() == 3);
  for (const std::string& one : made) {
    CAPTURE(one);
    CHECK(one.starts_with("state/programs/"));
    const std::string rest = one.substr(std::min(one.find_first_not_of("0123456789abcdef", 15), one.size()));
    CHECK((rest == ".json" || rest == ".shape.json" || rest == ".file.json"));
  }
  std::string kept;
  std::ifstream(victim + "/package.json") >> kept;
  CHECK(kept == "mine");
  // Bytes that are no text come back replaced.
  ProgramDesk again(path, folder + "/state");
  CHECK(again.view().standing().bookmarks.contains("here\xef\xbf\xbd"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("desk: what stands in place of a file of kept work is passed over, and never waited for") {
  const std::string folder = fresh_folder(), programs = folder + "/programs";
  {
    ProgramDesk f("complex_split", folder);
    f.give("toggleBreakpoint", {std::int64_t{49}});
    f.desk.keep_work();
  }
  const std::string path = std::filesystem::directory_iterator(programs)->path().string();
  const auto replace = [&](auto make) {
    std::filesystem::remove_all(path);
    make();
    ProgramDesk f("complex_split", folder);
    CHECK(f.view().standing().stops.empty());
    f.give("toggleBreakpoint", {std::int64_t{49}});
    f.desk.keep_work();
    CHECK(f.view().standing().stops.size() == 1);
  };
  replace([&] { REQUIRE(::mkfifo(path.c_str(), 0600) == 0); });
  replace([&] { std::filesystem::create_directory(path); });
  replace([&] { std::filesystem::create_symlink(folder + "/nowhere", path); });
  CHECK(!std::filesystem::exists(folder + "/nowhere"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("desk: a recording's file is opened with its work, and without running") {
  const std::string folder = fresh_folder(), path = folder + "/saved.ptorec";
  std::filesystem::create_directories(folder);
  {
    const auto made = open_document({.name = "complex_split", .entry = "", .open = {}}, {});
    Session session(std::get<0>(made)->recording);
    session.bookmark("sum", 3);
    session.watch("im[1,7]");
    StopRule rule;
    rule.line = 49;
    session.add_stop(rule);
    REQUIRE(save_session(session, path).text == "");
  }
  ProgramDesk f(path);
  REQUIRE(f.view().recording() != nullptr);
  CHECK(f.view().document()->file.has_value());
  CHECK(f.view().document()->name == "saved.ptorec");
  REQUIRE(f.view().standing().stops.size() == 1);
  CHECK(f.view().standing().stops[0].rule.line == 49);
  CHECK(f.view().standing().bookmarks.at("sum") == 3);
  REQUIRE(f.view().standing().watches.size() == 1);
  CHECK(f.view().standing().watches[0].ok);
  f.give("over");
  CHECK(f.position() > 0);
  std::ofstream(path) << "no recording";
  f.desk.reload();
  f.settle();
  CHECK(f.last_notice().find("this is not a recording") != std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST_CASE("desk: a damaged file of kept work is as good as none") {
  for (const char* text : {"{", "[]", R"({"stops": 3, "watches": [1], "bookmarks": []})",
                           R"({"stops": [{}, 5, {"watch": {"bytes": [[1]]}}]})",
                           R"({"stops": [{"line": -4}, {"watch": {"bytes": [["zz", 1, 2]]}}]})"}) {
    CAPTURE(text);
    const KeptWork work = load_work(nlohmann::json::parse(text, nullptr, false));
    CHECK(work.stops.empty());
    CHECK(work.watches.empty());
    CHECK(work.bookmarks.empty());
  }
}

TEST_CASE("desk: a file is run again with place, breakpoints and selection kept; errors show the text") {
  const std::string folder = fresh_folder(), path = folder + "/k.pto";
  const std::string text(
      open_document({.name = "complex_split", .entry = "", .open = {}}, {}).index() == 0
          ? std::get<0>(open_document({.name = "complex_split", .entry = "", .open = {}}, {}))->tree->source->text()
          : "");
  std::ofstream(path) << text;
  ProgramDesk f(path);
  f.give("toggleBreakpoint", {std::int64_t{49}});
  f.give("seek", {std::int64_t{8}});
  std::ofstream(path) << "// another first line\n" << text;
  f.desk.reload();
  f.settle();
  CHECK(f.position() == 8);
  CHECK(f.selected() == "im[1,7]");
  std::ofstream(path) << "func.func @broken(";
  f.desk.reload();
  f.settle();
  REQUIRE(f.view().document() != nullptr);
  // The last run is still there, and what is wrong with the file is said.
  REQUIRE(f.view().recording() != nullptr);
  REQUIRE(f.view().broken() != nullptr);
  CHECK(f.view().broken()->line == 1);
  CHECK(f.view().broken()->text != "");
  f.give("over");
  f.give("follow");
  f.give("console", {std::string("over")});
  std::filesystem::remove(path);
  f.desk.reload();
  f.settle();
  CHECK(f.last_notice() != "");
  std::filesystem::remove_all(folder);
}

TEST_CASE("desk: every command of the tables that stands alone may be given at any time") {
  ProgramDesk f;
  for (const CommandRow& row : commands()) {
    CAPTURE(row.name);
    CHECK(f.desk.carry_out({row.name}));
    f.settle();
  }
  f.desk.close();
  f.settle();
  CHECK(f.view().document() == nullptr);
  for (const CommandRow* row : all_commands()) f.desk.carry_out({row->name});
  f.settle();
  CHECK(f.view().document() == nullptr);
}

TEST_CASE("desk: the whole name of what goes by a shorter one") {
  ProgramDesk f("from_python");
  f.give("select", {std::string("total_inline0"), std::int64_t{0}, std::int64_t{0}});
  REQUIRE(f.desk.view().selected());
  CHECK(f.view().written_name(f.desk.view().selected()->owner) == "total_inline0__tile_v0");
  f.give("select", {std::string("x"), std::int64_t{0}, std::int64_t{0}});
  CHECK(f.selected() == "x[0,0]");
  CHECK(f.view().written_name(f.desk.view().selected()->owner) == "");
}
