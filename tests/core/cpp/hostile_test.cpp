// Kernels that write where they must not, or will not end: the run ends, what ran before is there, and nothing of them is left.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/support/cpp/kernel_run.h"
#include "tests/support/process/cli.h"

namespace ts::test {
namespace {

KernelRun run_hostile(const std::string& entry, int seed = 0) {
  OpenRequest request;
  request.inputs.data["x"] = bytes_of(std::vector<float>(64, 1.0f));
  if (seed != 0) request.inputs.numbers["seed"] = std::to_string(seed);
  Diagnostics told;
  const auto tree = compiled("tests/support/cpp/hostile.cce", Target::A2A3, told);
  return run_entry(tree, entry, request, std::move(told));
}

// Processes that the kernel `forks` made and that are still there.
int forked_alive() {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "comm");
    std::string name;
    if (file && std::getline(file, name) && name == "ts-forked") ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("cpp hostile: one that writes over what it shares ends, and what ran before is there") {
  for (const char* entry : {"fills_with_ones", "fills_with_zeros"}) {
    CAPTURE(entry);
    const KernelRun run = run_hostile(entry);
    REQUIRE(run.recording != nullptr);
    CHECK(run.recording->stop_reason() == StopReason::Error);
    CHECK(run.recording->count() >= 2);
  }
  for (int seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    const KernelRun run = run_hostile("scribbles", seed);
    REQUIRE(run.recording != nullptr);
    CHECK(run.recording->count() >= 2);
    CHECK(run.recording->count() <= 22);
  }
}

TEST_CASE("cpp hostile: one that cuts what it shares finds it as it was") {
  const KernelRun run = run_hostile("cuts_the_file");
  REQUIRE(run.recording != nullptr);
  CHECK(run.recording->stop_reason() == StopReason::End);
  CHECK(run.recording->count() == 4);
}

TEST_CASE("cpp hostile: what a kernel prints is told, its beginning") {
  const KernelRun run = run_hostile("prints");
  REQUIRE(run.recording != nullptr);
  CHECK(run.recording->stop_reason() == StopReason::End);
  const Diagnostic* printed = run.finding("W-CPP-OUTPUT");
  REQUIRE(printed != nullptr);
  CHECK(printed->text.starts_with("the kernel printed: line 0, and so on and so on | line 1,"));
  CHECK(printed->text.ends_with("| ..."));
}

TEST_CASE("cpp hostile: a kernel writes no files and has no network") {
  std::filesystem::remove("/tmp/tilescope-test-kernels-was-here");
  const KernelRun run = run_hostile("reaches_out");
  REQUIRE(run.recording != nullptr);
  const std::vector<float> x = run.floats("x");
  REQUIRE(x.size() >= 64);
  // Hosts of old kernels keep nobody from files.
  constexpr long kCreateRules = 444, kAskVersion = 1;
  if (syscall(kCreateRules, nullptr, 0, kAskVersion) >= 1) CHECK(x[0] == 0);
  CHECK(x[1] == 0);
}

TEST_CASE("cpp hostile: children of a kernel end with it") {
  {
    const KernelRun run = run_hostile("forks");
    REQUIRE(run.recording != nullptr);
    CHECK(run.recording->count() == 2);
  }
  // They were killed; the system takes a moment.
  for (int tries = 0; tries < 100 && forked_alive() > 0; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(forked_alive() == 0);
}

}  // namespace ts::test
