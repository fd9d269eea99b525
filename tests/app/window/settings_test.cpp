// How a program is run, on a desk without a window: the draft, what is wrong with it, running it with the place kept, setups.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/window/desk/last_program.h"
#include "core/data/npy.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/window/open_desk.h"

namespace ts::test {
namespace {

struct SettingsDesk : OpenDesk {
  SettingsDesk() {
    put_text(kernel, kAddRows);
    ui::Launch launch;
    launch.name = kernel;
    launch.open.inputs.numbers["rows"] = "32";
    desk.open(launch);
    settle();
    REQUIRE(view().recording() != nullptr);
  }
  std::string put_ones(const std::string& name, std::uint64_t rows) {
    const std::vector<float> ones(rows * 64, 1.0f);
    const auto bytes = std::as_bytes(std::span(ones));
    REQUIRE(data::write_array(folder / name, {"f4", {rows, 64}, {bytes.begin(), bytes.end()}}).text == "");
    return folder / name;
  }
  const cases::SetupCheck& check() {
    REQUIRE(desk.settings().check() != nullptr);
    return *desk.settings().check();
  }
  void set(const std::string& key, const std::string& a) { give("setSetting", {key, a}); }
  void set(const std::string& key, const std::string& a, const std::string& b) { give("setSetting", {key, a, b}); }
  std::string target() { return name(view().recording()->program().target); }

  TempFolder folder;
  std::string kernel = folder / "kernel.pto";
};

}  // namespace

TEST_CASE("settings: a draft is checked before it runs, and runs with the place and the breakpoints kept") {
  SettingsDesk f;
  CHECK(f.view().recording()->count() == 16);
  CHECK(f.target() == "a5");
  REQUIRE(f.check().inputs.size() == 4);
  CHECK(cases::describe(f.check().inputs[0]) == "buffer f32 32x64");
  CHECK(cases::describe(f.check().inputs[2]) == "buffer f32 32x64, written");
  f.give("toggleBreakpoint", {std::int64_t{20}});
  f.give("seek", {std::int64_t{6}});
  f.set("target", "a2a3");
  f.set("numbers", "rows", "16");
  CHECK(f.desk.settings().changed());
  CHECK(f.check().fits());
  CHECK(f.target() == "a5");  // nothing ran yet
  f.give("runDraft");
  CHECK(f.target() == "a2a3");
  CHECK(f.view().recording()->count() == 8);
  CHECK(f.position() == 6);
  CHECK(f.view().standing().stops.size() == 1);
  CHECK_FALSE(f.desk.settings().changed());
  f.give("resetSettings", {std::string("usual")});
  CHECK(f.desk.settings().draft() == cases::Setup{});
  f.give("resetSettings");
  CHECK_FALSE(f.desk.settings().changed());
}

TEST_CASE("settings: an array is checked in place, and the run has its values") {
  SettingsDesk f;
  const std::string right = f.put_ones("x.npy", 32), small = f.put_ones("small.npy", 16);
  f.set("arrays", "x", small);
  CHECK_FALSE(f.check().fits());
  CHECK(has(f.check().wrong.at("x").text, "is 16x64, %x is 32x64"));
  f.set("arrays", "x", f.folder / "missing.npy");
  CHECK(has(f.check().wrong.at("x").text, "missing.npy"));
  // Run anyway: it is refused, and what ran is still there.
  f.give("runDraft");
  CHECK(has(f.last_notice(), "missing.npy"));
  REQUIRE(f.view().recording() != nullptr);
  f.set("made", "x", "zeros");
  CHECK(f.desk.settings().draft().arrays.empty());
  // A dropped file goes to the input that it is called like, and takes the place of what was made up.
  CHECK_FALSE(f.desk.settings().bind_file(right, ""));
  f.settle();
  CHECK(f.desk.settings().draft().made.empty());
  CHECK(f.check().found.at("x") == "f4 32x64");
  f.set("made", "y", "ramp");
  f.give("runDraft");
  f.give("last");
  f.give("console", {std::string("print(rec:tile('a'):get(0, 3), rec:tile('c'):get(0, 3))")});
  CHECK(has(f.view().console().back().text, "1.0\t"));
  // Nobody can say which input is meant: it waits.
  CHECK(f.desk.settings().bind_file(f.put_ones("other.npy", 32), ""));
  CHECK(f.desk.settings().waiting_file() == f.folder / "other.npy");
}

TEST_CASE("settings: saved by name beside the program, loaded and deleted; files outside are asked about") {
  SettingsDesk f;
  const TempFolder elsewhere;
  const std::string x = f.put_ones("x.npy", 32);
  f.set("arrays", "x", x);
  f.set("seed", "9");
  f.give("saveSetup", {std::string("ones")});
  CHECK(has(f.last_notice(), "setup ones is saved in"));
  CHECK(f.desk.settings().names() == std::vector<std::string>{"ones"});
  CHECK(has(get_text(f.kernel + ".tilescope"), "\"x\": \"x.npy\""));
  f.give("resetSettings", {std::string("usual")});
  f.give("loadSetup", {std::string("ones")});
  CHECK(f.desk.settings().draft().seed == "9");
  CHECK(f.check().fits());
  std::filesystem::copy_file(x, elsewhere / "x.npy");
  f.set("arrays", "x", elsewhere / "x.npy");
  f.give("saveSetup", {std::string("far")});
  f.give("resetSettings");
  f.give("loadSetup", {std::string("far")});
  CHECK(has(f.last_notice(), "lies outside of"));
  CHECK(f.desk.settings().draft().arrays.empty());
  CHECK(f.desk.settings().outside() == "far");
  f.give("loadSetup", {std::string("far"), std::int64_t{1}});
  CHECK(f.check().fits());
  CHECK(f.desk.settings().outside() == "");
  f.give("deleteSetup", {std::string("far")});
  CHECK(f.desk.settings().names() == std::vector<std::string>{"ones"});
  f.give("deleteSetup", {std::string("far")});
  CHECK(has(f.last_notice(), "there is no setup far"));
  // A sample has no file to stand beside.
  f.open("masked_sum");
  f.give("saveSetup", {std::string("one")});
  CHECK(has(f.last_notice(), "setups stand beside a program's file"));
}

TEST_CASE("settings: what makes no sense is refused where it is said") {
  SettingsDesk f;
  f.set("blocks", "many");
  CHECK(has(f.last_notice(), "blocks: wanted a whole number from 1 to 65535, it is many"));
  f.set("options", "strict", "perhaps");
  CHECK(has(f.last_notice(), "options.strict: wanted off|on"));
  f.set("colour", "red");
  CHECK(has(f.last_notice(), "no setting is called colour"));
  CHECK_FALSE(f.desk.settings().changed());
  f.set("numbers", "rows", "many");
  CHECK_FALSE(f.check().fits());
  CHECK(has(f.check().wrong.at("rows").text, "many is no index"));
  // Of a lesson and of nothing there are no settings.
  f.open("zip");
  CHECK_FALSE(f.desk.settings().can_run());
  f.give("runDraft");
  CHECK(has(f.last_notice(), "no program that could be run in another way"));
}

TEST_CASE(
    "settings: a draft stays when the file is edited, and a program is opened again with all that it was run with") {
  SettingsDesk f;
  f.set("seed", "5");
  f.desk.reload();
  f.settle();
  CHECK(f.desk.settings().draft().seed == "5");
  const std::string x = f.put_ones("x.npy", 32);
  for (const auto& [key, value] : {std::pair{"target", "a2a3"},
                                   {"order", "reverse"},
                                   {"comm", "strict"},
                                   {"private_slots", "on"},
                                   {"max_steps", "1000"},
                                   {"budget", "64"},
                                   {"blocks", "1"}})
    f.set(key, value);
  f.set("options", "placement", "keep");
  f.set("arrays", "x", x);
  f.set("made", "y", "edge");
  f.give("runDraft");
  CHECK_FALSE(f.desk.settings().changed());
  const cases::Setup running = f.desk.settings().running();
  CHECK(running.order == "reverse");
  f.give("seek", {std::int64_t{5}});
  const nlohmann::json kept = ui::save_program(f.desk.launch(), f.view());
  std::vector<std::string> problems;
  const auto again = ui::load_program(data::Fields(kept), problems);
  REQUIRE(std::holds_alternative<ui::Launch>(again));
  CHECK(problems.empty());
  CHECK(ui::setup_of(std::get<ui::Launch>(again)) == running);
  CHECK(std::get<ui::Launch>(again).open.inputs.data.at("x").size() == 32 * 64 * 4);
  CHECK(std::get<ui::Launch>(again).at->step == 4);
  // Without the array it goes on, and says so.
  std::filesystem::remove(x);
  const auto without = ui::load_program(data::Fields(kept), problems);
  REQUIRE(std::holds_alternative<ui::Launch>(without));
  REQUIRE(problems.size() == 1);
  CHECK(has(problems[0], "x.npy"));
}

}  // namespace ts::test
