// What the window knows of findings and of another run, without a window: checks and comparisons beside the session.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "app/panes/pane_row.h"
#include "app/view/against.h"
#include "app/view/targets.h"
#include "core/data/npy.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/window/drawn.h"
#include "tests/support/window/open_desk.h"

namespace ts::test {
namespace {

using namespace ts::ui;

// Two instructions fetch from outside of their table, at steps 2 and 3; %far is what the offsets are.
std::string two_findings(std::uint32_t far = 4096) {
  std::string text = R"(module attributes {pto.target_arch = "a5"} {
  func.func @found(%table: !pto.ptr<f32>, %result: !pto.ptr<f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c256 = arith.constant 256 : index
    %far = arith.constant FAR : ui32
    %table_all = pto.make_tensor_view %table, shape = [%c1, %c256], strides = [%c256, %c1] : !pto.tensor_view<1x256xf32>
    %table_view = pto.partition_view %table_all, offsets = [%c0, %c0], sizes = [%c1, %c256]
        : !pto.tensor_view<1x256xf32> -> !pto.partition_tensor_view<1x256xf32>
    %result_all = pto.make_tensor_view %result, shape = [%c2, %c8], strides = [%c8, %c1] : !pto.tensor_view<2x8xf32>
    %result_view = pto.partition_view %result_all, offsets = [%c0, %c0], sizes = [%c2, %c8]
        : !pto.tensor_view<2x8xf32> -> !pto.partition_tensor_view<2x8xf32>
    %floats = pto.alloc_tile : !pto.tile_buf<vec, 1x256xf32>
    %offsets = pto.alloc_tile : !pto.tile_buf<vec, 2x8xui32>
    %out = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
    pto.tload ins(%table_view : !pto.partition_tensor_view<1x256xf32>) outs(%floats : !pto.tile_buf<vec, 1x256xf32>)
    pto.texpands ins(%far : ui32) outs(%offsets : !pto.tile_buf<vec, 2x8xui32>)
    pto.tgatherb ins(%floats, %offsets : !pto.tile_buf<vec, 1x256xf32>, !pto.tile_buf<vec, 2x8xui32>)
        outs(%out : !pto.tile_buf<vec, 2x8xf32>) {granularity = "element"}
    pto.tgatherb ins(%floats, %offsets : !pto.tile_buf<vec, 1x256xf32>, !pto.tile_buf<vec, 2x8xui32>)
        outs(%out : !pto.tile_buf<vec, 2x8xf32>) {granularity = "element"}
    pto.tstore ins(%out : !pto.tile_buf<vec, 2x8xf32>) outs(%result_view : !pto.partition_tensor_view<2x8xf32>)
    return
  }
}
)";
  return text.replace(text.find("FAR"), 3, std::to_string(far));
}

struct FindingsDesk : OpenDesk {
  explicit FindingsDesk(const std::string& text) : path(folder / "k.pto") { put_text(path, text); }
  // Of offsets alone, and not what else is wrong where one reads outside of a table.
  void look_for_offsets() {
    CheckOptions options;
    for (const CheckRow& row : checks())
      options.set(row.kind, row.kind == FindingKind::Offset ? Level::Own : Level::Off);
    desk.checks().set(true, options);
  }
  void open() { OpenDesk::open(path); }
  // Which findings are of steps 2 and 3 with the rule about offsets.
  std::size_t offsets() {
    return static_cast<std::size_t>(
        std::ranges::count(view().findings(), FindingKind::Offset, [](const Finding& one) { return one.kind(); }));
  }
  TempFolder folder;
  std::string path;
};

void wait_until(const std::function<bool()>& there) {
  for (int i = 0; i < 60'000 && !there(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(there());
}

}  // namespace

TEST_CASE("beside: a job runs, says how far it is, and its answer is taken in") {
  std::atomic<int> woken = 0;
  Beside beside([&] { ++woken; });
  int answer = 0;
  CHECK_FALSE(beside.busy());
  beside.start([&](const Beside::GoOn& go_on) -> Beside::Reply {
    go_on(7);
    return [&] { answer = 1; };
  });
  wait_until([&] { return beside.has_reply(); });
  CHECK(beside.done() == 7);
  CHECK(answer == 0);
  CHECK(beside.deliver());
  CHECK(answer == 1);
  CHECK_FALSE(beside.deliver());
  CHECK(woken > 0);
}

TEST_CASE("beside: a job that is cancelled or replaced says nothing any more") {
  std::atomic<bool> begun = false, ended = false;
  int answer = 0;
  // Behind what its jobs use: it waits for them at its end.
  Beside beside([] {});
  const auto endless = [&](const Beside::GoOn& go_on) -> Beside::Reply {
    begun = true;
    while (go_on(0)) std::this_thread::yield();
    ended = true;
    return [&] { answer = 1; };
  };
  beside.start(endless);
  CHECK(beside.busy());
  wait_until([&] { return begun.load(); });
  beside.cancel();
  CHECK_FALSE(beside.busy());
  wait_until([&] { return ended.load(); });
  beside.start(endless);
  beside.start([&](const Beside::GoOn&) -> Beside::Reply { return [&] { answer = 2; }; });
  wait_until([&] { return beside.has_reply(); });
  beside.deliver();
  CHECK(answer == 2);
  beside.start(endless);  // and is ended with its owner
}

TEST_CASE("findings: a program is checked by itself, and what was found is there for all") {
  FindingsDesk f(two_findings());
  f.look_for_offsets();
  f.open();
  REQUIRE(f.view().recording() != nullptr);
  CHECK(f.view().checking().state == Checking::State::Done);
  CHECK(f.offsets() == 2);
  CHECK(f.view().worst_finding() == Severity::Warning);
  // The session has the same list as the window.
  f.give("console", {std::string("local n = 0 for _ in rec:findings() do n = n + 1 end print(n)")});
  CHECK(f.view().console().back().text == std::to_string(f.view().findings().size()));
}

TEST_CASE("findings: F8 goes through them, shows their steps and selects their elements") {
  FindingsDesk f(two_findings());
  f.look_for_offsets();
  f.open();
  f.give("first");
  f.give("nextFinding");
  CHECK(f.view().shown_step() == 2);
  CHECK(f.view().finding() == 0);
  CHECK(f.selected() == "offsets[0,0]");
  f.give("nextFinding");
  CHECK(f.view().shown_step() == 3);
  f.give("nextFinding");
  CHECK(f.last_notice() == "no later finding");
  CHECK(f.view().shown_step() == 3);
  f.give("previousFinding");
  CHECK(f.view().shown_step() == 2);
  f.give("previousFinding");
  CHECK(f.last_notice() == "no earlier finding");
  // Also where the stage shows what comes next.
  f.desk.walk().show_next(true);
  f.give("showFinding", {std::int64_t{1}});
  CHECK(f.view().shown_step() == 3);
  CHECK(f.view().moment() == Moment{3, 0});
  f.give("showFinding", {std::int64_t{900}});
  CHECK(f.view().moment() == Moment{3, 0});
  // Somewhere else nothing is shown any more.
  f.give("overBack");
  f.give("overBack");
  CHECK_FALSE(f.view().finding().has_value());
}

TEST_CASE("findings: F8 and rec:nextFinding land on the same places") {
  FindingsDesk f(two_findings());
  f.look_for_offsets();
  f.open();
  const auto places = [&](const char* next, const char* back) {
    std::vector<Moment> stood;
    f.give("first");
    for (const char* what : {next, next, back}) {
      if (std::string(what).starts_with("rec:")) f.give("console", {std::string(what)});
      else f.give(what);
      stood.push_back(f.view().moment());
    }
    return stood;
  };
  const auto by_key = places("nextFinding", "previousFinding");
  CHECK(by_key == std::vector<Moment>{{3, 0}, {4, 0}, {3, 0}});
  CHECK(by_key == places("rec:nextFinding()", "rec:previousFinding()"));
}

TEST_CASE("findings: the element is marked in the picture of its tile, at its step only") {
  FindingsDesk f(two_findings());
  f.look_for_offsets();
  f.open();
  f.give("showFinding", {std::int64_t{0}});
  const Owner owner = f.view().selected()->owner;
  const TilePicture& picture = f.view().picture(owner, f.view().moment());
  const auto& signs = f.view().more_signs(owner, picture).signs;
  REQUIRE(signs.size() == 16);
  CHECK(has(signs[0], Sign::Finding));
  CHECK(std::ranges::count(signs, Sign::Finding) == 1);
  f.give("first");
  CHECK(f.view().more_signs(owner, f.view().picture(owner, f.view().moment())).signs.empty());
}

TEST_CASE("findings: levels say what is told, and how grave it is") {
  FindingsDesk f(two_findings());
  f.look_for_offsets();
  f.open();
  f.give("checkLevel", {std::string("offset"), std::string("error")});
  CHECK(f.offsets() == 2);
  CHECK(f.view().worst_finding() == Severity::Error);
  f.give("checkLevel", {std::string("offset"), std::string("off")});
  CHECK(f.offsets() == 0);
  f.give("checkLevel", {std::string("ofset"), std::string("off")});
  CHECK(f.last_notice() == "ofset cannot be off");
  f.give("usualLevels");
  CHECK(f.offsets() == 2);
}

TEST_CASE("findings: who does not want checks by themselves asks for them") {
  FindingsDesk f(two_findings());
  f.desk.checks().set(false, {});
  f.open();
  CHECK(f.view().checking().state == Checking::State::Waiting);
  CHECK(f.offsets() == 2);  // the run came across them
  f.give("checkNow");
  CHECK(f.view().checking().state == Checking::State::Done);
  f.give("checkByItself", {std::int64_t{1}});
  CHECK(f.view().checking().automatic);
  f.desk.close();
  f.settle();
  CHECK(f.view().findings().empty());
  CHECK(f.view().checking().state == Checking::State::Waiting);
  f.give("checkNow");
  CHECK(f.last_notice() == "nothing runs that could be checked");
}

TEST_CASE("compare: where only padding differs, the step that made it is named and gone to") {
  const auto filled = [](int pad) {
    const std::string a = "!pto.tile_buf<vec, 4x16xf32, valid=4x5>",
                      b = "!pto.tile_buf<vec, 4x16xf32, valid=?x?, pad=" + std::to_string(pad) + ">";
    return "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @filled() {\n%c4 = arith.constant 4 : index\n%c5 = arith.constant 5 : index\n%two = arith.constant 2.0 : f32\n"
           "%a = pto.alloc_tile : " +
           a + "\n%b = pto.alloc_tile valid_row = %c4 valid_col = %c5 : " + b +
           "\npto.texpands ins(%two : f32) outs(%a : " + a + ")\npto.tfillpad ins(%a : " + a + ") outs(%b : " + b +
           ")\nreturn\n}\n}\n";
  };
  FindingsDesk f(filled(1));
  const std::string other = f.folder / "other.pto";
  put_text(other, filled(2));
  f.open();
  f.give("compareWith", {other});
  const Against* against = f.view().against();
  REQUIRE(against != nullptr);
  CHECK(against->count() == 0);
  REQUIRE(against->padding.has_value());
  CHECK(against->padding->step_a == 1);
  CHECK(against->padding->name == "b");
  // In the pane, by a click.
  want_targets(true);
  DrawnPanes drawn;
  const auto panes = make_panes();
  Pane& pane = **std::ranges::find_if(panes, [](const auto& one) { return std::string_view(one->id()) == "compare"; });
  drawn.draw(pane, f.view());
  begin_targets();
  drawn.draw(pane, f.view());
  REQUIRE(targets().contains("compare/padding"));
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = targets().find("compare/padding")->second.center();
  for (const bool down : {false, true, false}) {
    io.MouseDown[0] = down;
    for (const Command& command : drawn.draw(pane, f.view())) f.give(command.name, command.values);
  }
  want_targets(false);
  CHECK(f.view().shown_step() == 1);
  CHECK(f.selected() == "b[0,5]");
  // With padding it is a difference like others.
  f.give("compareAgain", {std::string("0"), std::string("0"), std::string("0"), std::int64_t{1}, std::int64_t{1}});
  CHECK(f.view().against()->count() == 1);
  CHECK_FALSE(f.view().against()->padding.has_value());
}

TEST_CASE("compare: another program, the differences gone through, tolerances, and the end of it") {
  FindingsDesk f(two_findings(4096));
  const std::string other = f.folder / "other.pto";
  put_text(other, two_findings(8192));
  f.open();
  f.give("nextDifference");
  CHECK(f.last_notice() == "nothing is compared");
  f.give("compareWith", {other});
  const Against* against = f.view().against();
  REQUIRE(against != nullptr);
  CHECK(against->title == "other.pto on a5");
  CHECK(against->found.compared == 5);
  REQUIRE(against->count() >= 1);
  CHECK(against->found.differences[0].step_a == 1);
  CHECK(against->found.differences[0].comparison.count == 16);
  CHECK_FALSE(against->found.differences[0].inherited);
  f.give("first");
  f.give("nextDifference");
  CHECK(f.view().shown_step() == 1);
  CHECK(f.view().difference() == 0);
  CHECK(f.selected() == "offsets[0,0]");
  // Both sides at once, with the cells that differ.
  const Owner owner = f.view().selected()->owner;
  const TilePicture& picture = f.view().picture(owner, f.view().moment());
  const SideBySide* sides = f.view().beside(owner, picture);
  REQUIRE(sides != nullptr);
  REQUIRE_FALSE(sides->refused.has_value());
  CHECK(sides->comparison.count == 16);
  CHECK(picture.elements.at(1, 3) == 4096);
  CHECK(sides->other.elements.at(1, 3) == 8192);
  CHECK(picture_of_difference(picture, *sides, true).elements.at(1, 3) == 4096);
  CHECK(has(f.view().more_signs(owner, picture).signs[11], Sign::Different));
  f.give("markDifferences");
  CHECK(f.view().more_signs(owner, picture).signs.empty());
  f.give("compareAgain", {std::string("4096"), std::string("0"), std::string("0")});
  CHECK((f.view().against()->count() == 0 || f.view().against()->found.differences[0].step_a > 1));
  f.give("compareAgain", {std::string("-1"), std::string("0"), std::string("0")});
  CHECK(f.last_notice() == "-1 is no tolerance");
  f.give("stopComparing");
  CHECK(f.view().against() == nullptr);
}

TEST_CASE("compare: what differs in a buffer is gone to in its rows and columns, and is from before") {
  const auto opened = open_document({.name = "masked_sum", .entry = "", .open = {}}, {});
  std::string text(std::get<0>(opened)->tree->source->text());
  FindingsDesk f(text);
  const std::size_t at = text.find("arith.constant -1.0");
  REQUIRE(at != std::string::npos);
  const std::string other = f.folder / "other.pto";
  put_text(other, text.replace(at, 19, "arith.constant -2.0"));
  f.open();
  f.give("compareWith", {other});
  REQUIRE(f.view().against() != nullptr);
  REQUIRE(f.view().against()->count() == 2);
  CHECK_FALSE(f.view().against()->found.differences[0].inherited);
  CHECK(f.view().against()->found.differences[1].inherited);
  f.give("showDifference", {std::int64_t{0}});
  const std::string in_tile = f.selected();
  CHECK(in_tile.starts_with("out["));
  f.give("showDifference", {std::int64_t{1}});
  CHECK(f.selected() == "result" + in_tile.substr(3));
  const ResultDifference& stored = f.view().against()->found.differences[1];
  Difference second_row = *stored.comparison.first;
  second_row.col = 11;
  const Element element = element_in(*f.view().recording(), stored, second_row);
  CHECK(element.row == 1);
  CHECK(element.col == 3);
}

TEST_CASE("compare: with the other target, and what that target refuses is said") {
  {
    Desk desk([] {});
    Launch launch;
    launch.name = "complex_split";
    desk.open(launch);
    desk.wait();
    desk.carry_out({"compareTargets"});
    desk.wait();
    CHECK(desk.view().against() == nullptr);
    CHECK(desk.take_notices().back().text.find(
              "complex_split.pto cannot run there: line 47: [TDI-R0] tdeinterleave has no a2a3 implementation") == 0);
  }
  Desk desk([] {});
  Launch launch;
  launch.name = "masked_sum";
  desk.open(launch);
  desk.wait();
  desk.carry_out({"compareTargets"});
  desk.wait();
  REQUIRE(desk.view().against() != nullptr);
  CHECK(desk.view().against()->found.same());
  CHECK(desk.view().against()->found.compared == desk.view().recording()->count());
}

TEST_CASE("compare: a file that is no program is refused with its name") {
  FindingsDesk f(two_findings());
  f.open();
  f.give("compareWith", {f.folder / "nothing.pto"});
  CHECK(f.view().against() == nullptr);
  CHECK(f.last_notice().find("nothing.pto") != std::string::npos);
  CHECK(f.view().comparing_with().empty());
}

TEST_CASE("compare: a tile with an array of a file") {
  FindingsDesk f(two_findings());
  f.open();
  f.give("last");
  data::Array array{"u4", {2, 8}, std::vector<std::byte>(64)};
  for (std::size_t i = 0; i < 16; ++i) {
    array.bytes[4 * i + 1] = std::byte{0x10};  // 4096
    if (i == 9) array.bytes[4 * i] = std::byte{2};
  }
  const std::string path = f.folder / "gold.npy";
  const std::vector<std::byte> bytes = data::format_npy(array);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  f.give("compareArray", {std::string("offsets"), path});
  const Against* against = f.view().against();
  REQUIRE(against != nullptr);
  CHECK(against->comparison.count == 1);
  REQUIRE(against->elements.size() == 1);
  f.give("nextDifference");
  CHECK(f.selected() == "offsets[1,1]");
  f.give("compareArray", {std::string("floats"), path});
  CHECK(f.last_notice().find("cannot be compared") != std::string::npos);
  f.give("compareArray", {std::string("nowhere"), path});
  CHECK(f.last_notice() == "there is no tile or buffer nowhere");
  f.give("compareArray", {std::string("offsets"), f.folder / "missing.npy"});
  CHECK(f.last_notice().find("missing.npy") != std::string::npos);
}

TEST_CASE("compare: opening something else ends it") {
  FindingsDesk f(two_findings());
  f.open();
  f.give("compareWith", {f.path});
  REQUIRE(f.view().against() != nullptr);
  CHECK(f.view().against()->found.same());
  f.give("nextDifference");
  CHECK(f.last_notice() == "nothing differs");
  f.open();
  CHECK(f.view().against() == nullptr);
}

}  // namespace ts::test
