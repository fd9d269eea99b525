// A program that ends while it records: its mark, who finds it, and the run made again.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "app/settings/run_mark.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/window/open_desk.h"

namespace ts::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> marks(const std::string& state) {
  std::vector<fs::path> found;
  std::error_code none;
  for (fs::directory_iterator entry(state + "/running", none), end; !none && entry != end; entry.increment(none))
    if (entry->path().extension() == ".steps") found.push_back(entry->path());
  return found;
}

// As a program leaves it that is gone: the same files, and nobody holds them.
void leave_mark(const std::string& state, const std::string& name, const std::string& program, const std::string& text,
                const std::string& steps) {
  fs::create_directories(state + "/running");
  const std::string path = state + "/running/" + name;
  put_text(path + ".json", program);
  put_text(path + ".text", text);
  put_text(path + ".steps", steps);
}

constexpr const char* kTwelve = "00000000000000000012";

// Adds 2 again and again.
std::string long_kernel(const std::string& comment) {
  const std::string tile = "!pto.tile_buf<vec, 1x64xf32>";
  return "// " + comment + "\nmodule attributes {pto.target_arch = \"a5\"} {\n" +
         "  func.func @f() {\n    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n"
         "    %n = arith.constant 200000000 : index\n    %two = arith.constant 2.0 : f32\n    %a = pto.alloc_tile : " +
         tile + "\n    pto.texpands ins(%two : f32) outs(%a : " + tile +
         ")\n    scf.for %i = %c0 to %n step %c1 {\n      pto.tadds ins(%a, %two : " + tile +
         ", f32) outs(%a : " + tile + ")\n    }\n    return\n  }\n}\n";
}

// What stands in the mark's files while their program lives.
void copy_mark(const std::string& state, const std::string& as) {
  const fs::path steps = marks(state).at(0);
  for (const char* which : {".json", ".text", ".steps"}) {
    fs::path from = steps;
    put_text(state + "/running/" + as + which, get_text(from.replace_extension(which)));
  }
}

}  // namespace

TEST_CASE("cut off: a mark is made when a run takes long, is nobody else's while it lives, and goes with it") {
  const TempFolder state;
  int asked = 0;
  {
    ui::RunMark mark(state.path(), [&] {
      ++asked;
      return ui::MarkedRun{{{"name", "kernel.pto"}}, "text"};
    });
    mark.pass(1);
    CHECK(marks(state.path()).empty());
    std::this_thread::sleep_for(std::chrono::milliseconds(450));
    mark.pass(1234);
    REQUIRE(marks(state.path()).size() == 1);
    CHECK(asked == 1);
    CHECK_FALSE(ui::unfinished_run(state.path()).has_value());
    copy_mark(state.path(), "9-9");
    const auto found = ui::unfinished_run(state.path());
    REQUIRE(found.has_value());
    CHECK(found->steps == 1234);
    CHECK(found->run.text == "text");
    CHECK(found->run.program["name"] == "kernel.pto");
    ui::forget_run(*found);
    CHECK(marks(state.path()).size() == 1);
  }
  CHECK(marks(state.path()).empty());
  CHECK(fs::is_empty(state / "running"));
}

TEST_CASE("cut off: the newest that is whole is found; what is damaged, or no file, is passed over") {
  const TempFolder state;
  leave_mark(state.path(), "1-0", R"({"name": "old.pto"})", "old", kTwelve);
  fs::last_write_time(state / "running/1-0.steps", fs::file_time_type::clock::now() - std::chrono::hours(1));
  leave_mark(state.path(), "2-0", R"({"name": "new.pto"})", "new", kTwelve);
  leave_mark(state.path(), "3-0", R"({"name": 3})", "x", kTwelve);
  leave_mark(state.path(), "4-0", R"({"name": "a.pto"})", "x", "12");
  leave_mark(state.path(), "5-0", R"({"name": "a.pto"})", "x", "0000000000000000-012");
  leave_mark(state.path(), "6-0", "[[[[", "x", kTwelve);
  put_text(state / "running/7-0.steps", kTwelve);
  REQUIRE(::mkfifo((state / "running/8-0.steps").c_str(), 0600) == 0);
  fs::create_directory(state / "running/9-0.steps");
  fs::create_symlink("2-0.steps", state / "running/10-0.steps");
  const auto found = ui::unfinished_run(state.path());
  REQUIRE(found.has_value());
  CHECK(found->run.text == "new");
  CHECK(found->steps == 12);
  CHECK_FALSE(fs::exists(state / "running/1-0.steps"));
  CHECK_FALSE(fs::exists(state / "running/1-0.text"));
  CHECK(ui::unfinished_run("") == std::nullopt);
  CHECK(ui::unfinished_run(state / "nothing") == std::nullopt);
}

TEST_CASE("cut off: the run is made again as far as it was, of the text then; once, and reload runs the file") {
  const TempFolder state, folder;
  const std::string kernel = folder / "kernel.pto";
  put_text(kernel, long_kernel("then"));
  {
    OpenDesk first(state.path());
    ui::Launch launch;
    launch.name = kernel;
    first.desk.open(launch);
    while (marks(state.path()).empty() || get_text(marks(state.path())[0]).size() < 20)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    copy_mark(state.path(), "9-9");
    first.desk.cancel();
    first.settle();
  }
  const std::uint64_t steps = std::stoull(get_text(state / "running/9-9.steps"));
  REQUIRE(marks(state.path()).size() == 1);
  put_text(kernel, kAddRows);
  OpenDesk again(state.path());
  REQUIRE(again.desk.cut_off() != nullptr);
  CHECK(again.desk.cut_off()->steps == steps);
  again.give("openCutOff");
  REQUIRE(again.view().recording() != nullptr);
  CHECK(again.view().recording()->count() >= steps);
  CHECK(again.view().recording()->count() < steps + 1000);
  CHECK(again.view().document()->tree->source->text() == long_kernel("then"));
  CHECK(again.last_notice() ==
        "kernel.pto: these are the " + std::to_string(again.view().recording()->count()) +
            " steps that were recorded when TileScope ended; its file has changed since, and what is "
            "shown is its text then");
  CHECK(marks(state.path()).empty());
  CHECK(again.desk.cut_off() == nullptr);
  again.give("reload");
  CHECK(again.view().document()->tree->source->text() == kAddRows);
  CHECK(again.view().recording()->stop_reason() == StopReason::End);
  again.give("openCutOff");
  CHECK(again.last_notice() == "no run was cut off");
}

}  // namespace ts::test
