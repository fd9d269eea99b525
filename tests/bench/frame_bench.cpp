// Frames of the program itself, under Xvfb.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "tests/bench/benches.h"
#include "tests/support/process/child.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/window/screen.h"

namespace ts::bench {
namespace {

using test::Child;
using test::Screen;
using test::TempFolder;

constexpr int kFrames = 200;
constexpr double kPatienceSeconds = 180, kRestSeconds = 5;

// Two tiles of 256x256, and as many small steps as there are turns between their loads and their sum.
constexpr const char* kLongProgram = R"(module attributes {pto.target_arch = "a5"} {
  func.func @long(%x: !pto.ptr<ui8>, %y: !pto.ptr<ui8>, %turns: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %xv = pto.make_tensor_view %x, shape = [%c256, %c256], strides = [%c256, %c1] : !pto.tensor_view<256x256xui8>
    %yv = pto.make_tensor_view %y, shape = [%c256, %c256], strides = [%c256, %c1] : !pto.tensor_view<256x256xui8>
    %xp = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c256, %c256] : !pto.tensor_view<256x256xui8> -> !pto.partition_tensor_view<256x256xui8>
    %yp = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%c256, %c256] : !pto.tensor_view<256x256xui8> -> !pto.partition_tensor_view<256x256xui8>
    %a = pto.alloc_tile : !pto.tile_buf<vec, 256x256xui8>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 256x256xui8>
    %s = pto.alloc_tile : !pto.tile_buf<vec, 1x32xui8>
    pto.tload ins(%xp : !pto.partition_tensor_view<256x256xui8>) outs(%a : !pto.tile_buf<vec, 256x256xui8>)
    pto.tload ins(%yp : !pto.partition_tensor_view<256x256xui8>) outs(%b : !pto.tile_buf<vec, 256x256xui8>)
    scf.for %i = %c0 to %turns step %c1 {
      pto.tadd ins(%s, %s : !pto.tile_buf<vec, 1x32xui8>, !pto.tile_buf<vec, 1x32xui8>) outs(%s : !pto.tile_buf<vec, 1x32xui8>)
    }
    pto.tadd ins(%a, %b : !pto.tile_buf<vec, 256x256xui8>, !pto.tile_buf<vec, 256x256xui8>) outs(%b : !pto.tile_buf<vec, 256x256xui8>)
    return
  }
}
)";

std::vector<std::string> environment(const TempFolder& home) {
  std::vector<std::string> all = Screen::get()->environment();
  for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"})
    all.push_back(fmt::format("{}={}", name, home.path()));
  return all;
}

std::vector<std::string> long_program(const TempFolder& folder, std::uint32_t turns) {
  std::ofstream(folder / "long.pto") << kLongProgram;
  return {folder / "long.pto", "--set", fmt::format("turns={}", turns), "--max-steps", fmt::format("{}", turns + 100)};
}

// What `shot --bench` says of a walk: milliseconds of CPU that the window's thread needed for frames; nothing when it did
// not come to that.
std::optional<double> shot_ms(const char* which, const TempFolder& folder, const std::vector<std::string>& program,
                              const std::vector<std::string>& look) {
  std::vector<std::string> command = {TILESCOPE_PROGRAM, "shot"};
  command.insert(command.end(), program.begin(), program.end());
  command.insert(command.end(), look.begin(), look.end());
  command.insert(command.end(), {"-o", folder / "shot.png", "--bench", std::to_string(kFrames)});
  std::filesystem::remove(folder / "out");
  Child shot({.command = command, .environment = environment(folder), .log = folder / "out"});
  if (shot.end(kPatienceSeconds) != 0) return std::nullopt;
  std::ifstream file(folder / "out");
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_object() || !json.contains(which)) return std::nullopt;
  return json[which].get<double>();
}

// The mean of those at rest where the walk ends.
std::optional<double> frame_ms(const TempFolder& folder, const std::vector<std::string>& program,
                               const std::vector<std::string>& look) {
  return shot_ms("cpu_ms", folder, program, look);
}

// The slowest of all, from opening on.
std::optional<double> slowest_ms(const TempFolder& folder, const std::string& name, const std::string& commands) {
  return shot_ms("slowest_cpu_ms", folder, {name}, {"--command", commands});
}

std::string repeated(const std::string& command, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += command + "; ";
  return text;
}

// Of all threads of a process.
double cpu_seconds(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::istringstream words(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  const std::vector<std::string> numbers{std::istream_iterator<std::string>(words), {}};
  if (numbers.size() < 13) return 0;
  return (std::stod(numbers[11]) + std::stod(numbers[12])) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

// The share of a core that the window takes while nothing happens.
std::optional<double> rest_percent(const TempFolder& folder) {
  Child window({.command = {TILESCOPE_PROGRAM, "open", "complex_split"}, .environment = environment(folder)});
  window.end(kRestSeconds);  // it has opened by then
  const double before = cpu_seconds(window.pid());
  if (window.end(kRestSeconds)) return {};  // it is no window any more
  return 100 * (cpu_seconds(window.pid()) - before) / kRestSeconds;
}

}  // namespace

void bench_frames(Table& table) {
  if (Screen::get() == nullptr) return table.fail("frame", "there is no screen: Xvfb is not installed");
  const TempFolder folder;
  const auto add_ms = [&](const char* what, std::optional<double> ms, double most) {
    if (ms) table.add(what, *ms, Limit::both(most), "ms");
    else table.fail(what, "the window did not come to its end");
  };
  const auto add = [&](const char* what, std::optional<double> ms) { add_ms(what, ms, 8); };
  const auto add_slowest = [&](const char* what, std::optional<double> ms) { add_ms(what, ms, 100); };
  constexpr std::uint32_t kSteps = 1'000'000, kManySteps = 35'000'000;
  add("frame: debug layout, 1 M steps, tiles of 256x256",
      frame_ms(folder, long_program(folder, kSteps), {"--layout", "debug", "--step", std::to_string(kSteps + 2)}));
  add("frame: in the middle of 1 M steps",
      frame_ms(folder, long_program(folder, kSteps), {"--layout", "debug", "--step", std::to_string(kSteps / 2)}));
  add("frame: program pane in the middle of 35 M steps",
      frame_ms(folder, long_program(folder, kManySteps),
               {"--pane", "program", "--step", std::to_string(kManySteps / 2)}));
  add_slowest("slowest frame: opening, and thirty steps", slowest_ms(folder, "complex_split", repeated("over", 30)));
  add_slowest("slowest frame: into a step and back",
              slowest_ms(folder, "softmax_online", repeated("into", 20) + repeated("over", 2)));
  add_slowest("slowest frame: the tour begins", slowest_ms(folder, "complex_split", "tour"));
  add_slowest("slowest frame: pages of a lesson, with questions",
              slowest_ms(folder, "zip", repeated("lessonTell; lessonNext", 12)));
  add_slowest("slowest frame: a lesson about a fault",
              slowest_ms(folder, "bug_shared", repeated("lessonTell; lessonNext", 12)));
  add_slowest(
      "slowest frame: layouts and themes",
      slowest_ms(folder, "softmax_online", "layout compare; layout learn; layout present; layout debug; theme; theme"));
  if (const auto share = rest_percent(folder))
    table.add("window at rest, of a core (no graphics card)", *share, Limit::both(1), "%");
  else table.fail("window at rest", "it is no window any more");
}

}  // namespace ts::bench
