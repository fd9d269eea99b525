// Sums of 64x64 floats in a long loop, saved and opened.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <random>
#include <stdexcept>

#include "core/compile/open.h"
#include "core/record/inspector.h"
#include "core/record/recording_file.h"
#include "tests/bench/benches.h"
#include "tests/bench/seconds.h"
#include "tests/support/process/temp_folder.h"

namespace ts::bench {
namespace {

// Two sums a turn; what they write is other numbers in every step.
constexpr const char* kText = R"(module attributes {{pto.target_arch = "a5"}} {{
  func.func @sums(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant {0} : index
    %c64 = arith.constant 64 : index
    %rows = arith.constant {2} : index
    %x_all = pto.make_tensor_view %x, shape = [%rows, %c64], strides = [%c64, %c1] : !pto.tensor_view<{1}>
    %y_all = pto.make_tensor_view %y, shape = [%rows, %c64], strides = [%c64, %c1] : !pto.tensor_view<{1}>
    %x_part = pto.partition_view %x_all, offsets = [%c0, %c0], sizes = [%rows, %c64]
        : !pto.tensor_view<{1}> -> !pto.partition_tensor_view<{1}>
    %y_part = pto.partition_view %y_all, offsets = [%c0, %c0], sizes = [%rows, %c64]
        : !pto.tensor_view<{1}> -> !pto.partition_tensor_view<{1}>
    %a = pto.alloc_tile : !pto.tile_buf<vec, {1}>
    %b = pto.alloc_tile : !pto.tile_buf<vec, {1}>
    %c = pto.alloc_tile : !pto.tile_buf<vec, {1}>
    pto.tload ins(%x_part : !pto.partition_tensor_view<{1}>) outs(%a : !pto.tile_buf<vec, {1}>)
    pto.tload ins(%y_part : !pto.partition_tensor_view<{1}>) outs(%b : !pto.tile_buf<vec, {1}>)
    scf.for %i = %c0 to %n step %c1 {{
      pto.tadd ins(%a, %b : !pto.tile_buf<vec, {1}>, !pto.tile_buf<vec, {1}>) outs(%c : !pto.tile_buf<vec, {1}>)
      pto.tadd ins(%c, %b : !pto.tile_buf<vec, {1}>, !pto.tile_buf<vec, {1}>) outs(%a : !pto.tile_buf<vec, {1}>)
    }}
    return
  }}
}}
)";

std::unique_ptr<Recording> record(std::uint32_t steps, std::uint32_t tile_rows) {
  Diagnostics told;
  const auto tree =
      read_program("sums.pto", fmt::format(kText, steps / 2, fmt::format("{}x64xf32", tile_rows), tile_rows), told);
  const auto entries = entry_points(*tree, told);
  auto opened = open_program(tree, entries.front(), {}, told);
  for (const Diagnostic& one : told)
    if (one.severity == Severity::Error) throw std::runtime_error(one.format());
  return Recording::run(std::move(opened->program), {.budget_bytes = std::size_t{4} << 30});
}

struct Costs {
  double save = 0, open = 0, seek = 0;  // seconds
  std::uint64_t bytes = 0, interval = 0;
};

Costs costs_of(const Recording& recording, bool full) {
  constexpr int kSeeks = 300;
  const test::TempFolder folder;
  const std::string path = folder / "bench.ptorec";
  Costs costs;
  data::Error error;
  costs.save = wall_seconds_of([&] { error = save_recording(recording, {}, {}, path, {.full = full}); });
  if (!error.text.empty()) throw std::runtime_error(error.text);
  costs.bytes = std::filesystem::file_size(path);
  std::mt19937 random(1);
  costs.open = 1e9;
  for (int attempt = 0; attempt < 3; ++attempt)
    costs.open = std::min(costs.open, wall_seconds_of([&] {
                            const auto opened = std::get<RecordingFile>(open_recording(path));
                            Inspector(*opened.recording).at(opened.recording->count());
                          }));
  const auto opened = std::get<RecordingFile>(open_recording(path));
  costs.interval = opened.recording->thinning().interval;
  Inspector inspector(*opened.recording);
  for (int i = 0; i < kSeeks; ++i) {
    const auto from = static_cast<std::uint32_t>(random() % (recording.count() + 1)),
               to = static_cast<std::uint32_t>(random() % (recording.count() + 1));
    // The best of three: the worst place counts, not the moment the system was busy.
    double best = 1e9;
    for (int attempt = 0; attempt < 3; ++attempt) {
      inspector.at(from);
      best = std::min(best, wall_seconds_of([&] { inspector.at(to); }));
    }
    costs.seek = std::max(costs.seek, best);
  }
  return costs;
}

void add_rows(Table& table, std::uint32_t steps, std::uint32_t tile_rows, bool full, double times) {
  const auto recording = record(steps, tile_rows);
  const Costs costs = costs_of(*recording, full);
  const std::string what =
      fmt::format("file of {} steps of {}x64 f32{}", recording->count(), tile_rows, full ? ", full" : "");
  constexpr double kSave = 5, kMegabytes = 200, kOpen = 0.3, kSeek = 10;
  table.add(what + ": save", costs.save, Limit::both(kSave * times), "s");
  table.add(what + ": size", static_cast<double>(costs.bytes) / 1e6, Limit::both(kMegabytes * times), "MB");
  table.add(what + ": open to first state", costs.open, Limit::both(kOpen * times), "s");
  table.add(fmt::format("{}: seek, every {} steps kept, worst", what, costs.interval), 1e3 * costs.seek,
            Limit::both(kSeek), "ms");
}

}  // namespace

void bench_files(Table& table) {
  add_rows(table, 100'000, 64, false, 1);
  add_rows(table, 100'000, 64, true, 10);
  add_rows(table, 1'000'000, 8, false, 10);
}

}  // namespace ts::bench
