// Calls of a compiled kernel, against the same steps from text; and how long it takes from a file to its recording.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "core/compile/open.h"
#include "core/cpp/cpp_kernel.h"
#include "tests/bench/benches.h"
#include "tests/bench/guarded.h"
#include "tests/bench/measure.h"
#include "tests/bench/seconds.h"
#include "tests/bench/work.h"

namespace ts::bench {
namespace {

constexpr std::uint32_t kManyCalls = 100'000;
constexpr int kCallRounds = 7;
constexpr const char* kCallKernel = R"(
#include <pto/pto-inst.hpp>
using namespace pto;
extern "C" __global__ AICORE void adds(__gm__ float* x) {
  Tile<TileType::Vec, float, 64, 64> a, b, c;
  TASSIGN(a, 0);
  TASSIGN(b, 0x4000);
  TASSIGN(c, 0x8000);
  TEXPANDS(a, 1.0f);
  TEXPANDS(b, 2.0f);
  for (int i = 0; i < 100000; ++i) TADD(c, a, b);
}
)";
constexpr const char* kCallText = R"(
func.func @adds() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100000 : index
  %one = arith.constant 1.0 : f32
  %a = pto.alloc_tile : !pto.tile_buf<vec, 64x64xf32>
  %b = pto.alloc_tile : !pto.tile_buf<vec, 64x64xf32>
  %c = pto.alloc_tile : !pto.tile_buf<vec, 64x64xf32>
  pto.texpands ins(%one : f32) outs(%a : !pto.tile_buf<vec, 64x64xf32>)
  pto.texpands ins(%one : f32) outs(%b : !pto.tile_buf<vec, 64x64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    pto.tadd ins(%a, %b : !pto.tile_buf<vec, 64x64xf32>, !pto.tile_buf<vec, 64x64xf32>) outs(%c : !pto.tile_buf<vec, 64x64xf32>)
  }
  return
}
)";

Program opened(const std::shared_ptr<const text::Tree>& tree, Diagnostics& told) {
  const std::vector<EntryPoint> entries = has_error(told) ? std::vector<EntryPoint>() : entry_points(*tree, told);
  std::optional<Opened> program;
  if (!entries.empty()) program = open_program(tree, entries.front(), {}, told);
  if (!program) throw std::runtime_error(told.empty() ? "no entry" : told.front().format());
  return std::move(program->program);
}

void bench_calls(Table& table) {
  const std::string folder = (std::filesystem::temp_directory_path() / "tilescope-bench-kernels").string();
  std::filesystem::create_directories(folder);
  const std::string file = folder + "/adds.cpp";
  std::ofstream(file) << kCallKernel;
  Diagnostics told;
  cpp::KernelRequest request;
  request.build.folder = folder;
  const Program kernel = opened(cpp::read_kernel(file, request, told), told);
  const Program text = opened(read_program("adds.pto", kCallText, told), told);
  // By the clock: the kernel's process works beside ours.
  std::vector<double> rounds, mine;
  for (int round = 0; round < kCallRounds; ++round) {
    mine.push_back(wall_seconds_of([&] { Recording::run(kernel); }));
    rounds.push_back(mine.back() / wall_seconds_of([&] { Recording::run(text); }));
  }
  const Ratio ratio = ratio_of_rounds(rounds);
  table.add(Row{.what = fmt::format("{} calls of TADD 64x64 f32 from C++, of the same from text", kManyCalls),
                .value = ratio.value,
                .limit = Limit::both(2),
                .spread = ratio.spread});
  table.add("one of them", ratio_of_rounds(mine).value / kManyCalls * 1e6, {}, "us");
}

}  // namespace

void bench_cpp(Table& table) {
  guarded(table, "calls of a compiled kernel", [&] { bench_calls(table); });
}

}  // namespace ts::bench
