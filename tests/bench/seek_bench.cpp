// Going to any position of long recordings.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "core/record/inspector.h"
#include "tests/bench/benches.h"
#include "tests/bench/seconds.h"
#include "tests/bench/work.h"

namespace ts::bench {
namespace {

// The worst of `tries` seeks from anywhere to anywhere, and of as many steps back, in milliseconds.
struct WorstSeeks {
  double anywhere = 0, back = 0;
};
WorstSeeks worst_seeks(const Recording& recording, std::uint32_t positions, int tries) {
  Inspector inspector(recording);
  std::mt19937 random(3);
  WorstSeeks worst;
  for (int i = 0; i < tries; ++i) {
    // The best of three tries at each pair of positions: the worst place counts, not the moment the system was busy.
    const auto from = static_cast<std::uint32_t>(random() % (positions + 1));
    const auto position = 1 + static_cast<std::uint32_t>(random() % positions);
    double seek = 1, back = 1;
    for (int attempt = 0; attempt < 3; ++attempt) {
      inspector.at(from);
      seek = std::min(seek, seconds_of([&] { inspector.at(position); }));
      back = std::min(back, seconds_of([&] { inspector.at(position - 1); }));
    }
    worst.anywhere = std::max(worst.anywhere, 1e3 * seek);
    worst.back = std::max(worst.back, 1e3 * back);
  }
  return worst;
}

void bench_full_seek(Table& table) {
  constexpr int kTries = 2000;
  const Work work{"seek", "tadd", Target::A5, DType::F32, 4, 64};
  const auto recording = Recording::run(program_of(work, 100000), {.budget_bytes = std::size_t{2} << 30});
  const WorstSeeks worst = worst_seeks(*recording, recording->count(), kTries);
  table.add(fmt::format("seek anywhere in {} steps, worst of {}", recording->count(), kTries), worst.anywhere,
            Limit::both(1), "ms");
  table.add(fmt::format("step back, worst of {}", kTries), worst.back, Limit::both(1), "ms");
}

// A recording some hundred times longer than its budget: positions in its thinned part are rebuilt by replay.
void bench_thinned_seek(Table& table) {
  constexpr std::uint32_t kSteps = 200000;
  constexpr int kTries = 200;
  const Work work{"seek", "tadd", Target::A5, DType::F32, 64, 128};
  const auto recording = loop_of(work, kSteps, std::size_t{64} << 20);
  const WorstSeeks worst = worst_seeks(*recording, recording->thinning().dense_start - 1, kTries);
  table.add(fmt::format("seek anywhere in {} steps, thinned (64 MB), worst of {}", kSteps, kTries), worst.anywhere,
            Limit::both(50), "ms");
  table.add(fmt::format("step back, thinned, worst of {}", kTries), worst.back, Limit::both(50), "ms");
}

}  // namespace

void bench_seeks(Table& table) {
  bench_full_seek(table);
  bench_thinned_seek(table);
}

void add_seeks(Table& table, const std::string& what, const Recording& recording) {
  Inspector inspector(recording);
  const std::uint32_t count = recording.count();
  double slowest_seek = 0, slowest_flow = 0;
  for (std::uint32_t i = 1; i < 40; ++i) {
    const std::uint32_t step = count * i / 40;
    double seek = 1;
    for (int attempt = 0; attempt < 5; ++attempt) {
      inspector.at(0);
      seek = std::min(seek, seconds_of([&] { inspector.at(step); }));
    }
    slowest_seek = std::max(slowest_seek, seek);
    slowest_flow = std::max(slowest_flow, fastest([&] { inspector.flow(step); }, 3));
  }
  table.add(what + ": seek", slowest_seek * 1e3, Limit::both(1), "ms");
  table.add(what + ": flow of a step", slowest_flow * 1e3, Limit::both(20), "ms");
}

}  // namespace ts::bench
