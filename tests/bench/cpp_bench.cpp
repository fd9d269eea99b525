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

constexpr std::uint32_t kManyEntries = 20'000;
constexpr const char* kQueueKernel = R"(
#include <pto/pto-inst.hpp>
using namespace pto;
using Pipe = TPipe<0, Direction::DIR_C2V, 1024, 4>;
extern "C" __global__ AICORE void entries(__gm__ half* x) {
  Pipe pipe(nullptr, 0, 0);
#ifdef __DAV_CUBE__
  TileLeft<half, 16, 16> l;
  TileRight<half, 16, 16> r;
  TileAcc<float, 16, 16> c;
  TASSIGN(l, 0);
  TASSIGN(r, 0);
  TASSIGN(c, 0);
  TMATMUL(c, l, r);
  for (int i = 0; i < 20000; ++i) TPUSH<Pipe, decltype(c), TileSplitAxis::TILE_NO_SPLIT>(pipe, c);
#else
  Tile<TileType::Vec, float, 16, 16> entry, y;
  TASSIGN(y, 0x2000);
  for (int i = 0; i < 20000; ++i) {
    TPOP<Pipe, decltype(entry), TileSplitAxis::TILE_NO_SPLIT>(pipe, entry);
    TADDS(y, entry, 1.0f);
    TFREE<Pipe, TileSplitAxis::TILE_NO_SPLIT>(pipe);
  }
#endif
}
)";
constexpr const char* kQueueText = R"(
module attributes {pto.target_arch = "a5"} {
func.func @entries() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 20000 : index
  %base = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  pto.section.cube {
    pto.aic_initialize_pipe {id = 0, dir_mask = 1, slot_size = 1024, slot_num = 4} (c2v_consumer_buf = %base : i32)
    %l = pto.alloc_tile : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>
    %r = pto.alloc_tile : !pto.tile_buf<right, 16x16xf16, slayout=col_major>
    %c = pto.alloc_tile : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>
    pto.tmatmul ins(%l, %r : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>, !pto.tile_buf<right, 16x16xf16, slayout=col_major>)
        outs(%c : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>)
    scf.for %i = %c0 to %n step %c1 {
      pto.tpush_to_aiv(%c : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>) {id = 0, split = 0}
    }
  }
  pto.section.vector {
    pto.aiv_initialize_pipe {id = 0, dir_mask = 1, slot_size = 1024, slot_num = 4} (c2v_consumer_buf = %base : i32)
    %at = arith.constant 8192 : i64
    %y = pto.alloc_tile addr = %at : !pto.tile_buf<vec, 16x16xf32>
    scf.for %i = %c0 to %n step %c1 {
      %entry = pto.tpop_from_aic {id = 0, split = 0} -> !pto.tile_buf<vec, 16x16xf32>
      pto.tadds ins(%entry, %one : !pto.tile_buf<vec, 16x16xf32>, f32) outs(%y : !pto.tile_buf<vec, 16x16xf32>)
      pto.tfree_from_aic {id = 0, split = 0}
    }
  }
  return
}
}
)";

// The same steps from a compiled kernel and from text, by the clock: the kernel's processes work beside ours.
void against_text(Table& table, const std::string& what, const char* kernel_text, const char* text, Target target,
                  std::uint32_t calls) {
  const std::string folder = (std::filesystem::temp_directory_path() / "tilescope-bench-kernels").string();
  std::filesystem::create_directories(folder);
  const std::string file = folder + "/calls.cpp";
  std::ofstream(file) << kernel_text;
  Diagnostics told;
  cpp::KernelRequest request{.target = target};
  request.build.folder = folder;
  const Program compiled = opened(cpp::read_kernel(file, request, told), told);
  const Program read = opened(read_program("calls.pto", text, told), told);
  const auto ran = [](const Program& program) {
    const auto recording = Recording::run(program);
    if (recording->stop_reason() != StopReason::End)
      throw std::runtime_error(recording->findings().front().diagnostic.format());
    return recording->count();
  };
  if (ran(compiled) < calls || ran(read) < calls) throw std::runtime_error("calls are missing");
  std::vector<double> rounds, mine;
  for (int round = 0; round < kCallRounds; ++round) {
    mine.push_back(wall_seconds_of([&] { Recording::run(compiled); }));
    rounds.push_back(mine.back() / wall_seconds_of([&] { Recording::run(read); }));
  }
  const Ratio ratio = ratio_of_rounds(rounds);
  table.add(Row{.what = what, .value = ratio.value, .limit = Limit::both(2), .spread = ratio.spread});
  table.add("one of them", ratio_of_rounds(mine).value / calls * 1e6, {}, "us");
}

void bench_calls(Table& table) {
  against_text(table, fmt::format("{} calls of TADD 64x64 f32 from C++, of the same from text", kManyCalls),
               kCallKernel, kCallText, Target::A2A3, kManyCalls);
}
void bench_entries(Table& table) {
  against_text(
      table,
      fmt::format("{} entries of 16x16 f32 from a cube core to a vector core, of the same from text", kManyEntries),
      kQueueKernel, kQueueText, Target::A5, kManyEntries);
}

}  // namespace

void bench_cpp(Table& table) {
  guarded(table, "calls of a compiled kernel", [&] { bench_calls(table); });
  guarded(table, "queues of a compiled kernel", [&] { bench_entries(table); });
}

}  // namespace ts::bench
