// What is asked of long recordings: histories, runs to stops, slices, and what a frame of the timeline asks.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/debug/origins/lifetimes.h"
#include "core/debug/session/session.h"
#include "core/debug/session/step_lanes.h"
#include "tests/bench/benches.h"
#include "tests/bench/seconds.h"
#include "tests/bench/work.h"

namespace ts::bench {
namespace {

void bench_questions(Table& table) {
  constexpr std::uint32_t kSteps = 1'000'000;
  const LongLoop loop(kSteps, 16);
  const std::string over = fmt::format(" over {} steps", kSteps);
  Session session(loop.recording);
  const ByteRange cell{loop.changed.space, loop.changed.address, 4};
  History history = session.history(cell);
  double first = seconds_of([&] {
    while (history.rows().empty() && history.look_on(64)) {
    }
  });
  const double all = first + seconds_of([&] {
                       while (history.look_on(4096)) {
                       }
                     });
  table.add("history of a cell" + over + ", first rows", first * 1e3, Limit::both(100), "ms");
  table.add(fmt::format("history of a cell{}, all {} rows", over, history.rows().size()), all * 1e3, Limit::both(1000),
            "ms");
  table.add("index" + over, seconds_of([&] { session.index(); }) * 1e3, Limit::both(500), "ms");

  // Stops that are looked at in every step, and never hit but in the last.
  const auto run_with = [&](const char* what, StopRule rule) {
    Session runner(loop.recording);
    rule.when = [](std::uint32_t) { return StopRule::Answer::No; };
    runner.add_stop(std::move(rule));
    table.add(std::string("run") + over + ", " + what, seconds_of([&] { runner.run(Direction::Forward); }) * 1e3,
              Limit::both(500), "ms");
  };
  StopRule line, watch;
  line.line = loop.recording->bound(1).pos.line;
  run_with("a breakpoint on a line", line);
  // Never written but by the load at the start.
  watch.watch = Watched{{{loop.kept.space, loop.kept.address, 4}}, Touch::Write, "b"};
  run_with("a watch for writes", watch);

  const LongLoop chain(10'000, 16);
  Session slicer(chain.recording);
  std::size_t nodes = 0;
  slicer.index();
  const double slice = seconds_of([&] { nodes = slicer.flow().slice({.place = cell}, slicer.count()).nodes.size(); });
  table.add(fmt::format("slice of an element through 10000 steps, {} nodes", nodes), slice * 1e3, Limit::both(1000),
            "ms");
  const double readers = seconds_of([&] {
    nodes = slicer.flow().readers({chain.kept.space, chain.kept.address, 4}, 2, 10'000).size();
  });
  table.add(fmt::format("readers of an element through 10000 steps, {} of them", nodes), readers * 1e3,
            Limit::both(1000), "ms");
}

// What a frame of the timeline and of the buffer map asks for: 500 columns of each lane at every zoom, and the lives in
// them.
void ask_lanes(const StepLanes& lanes, std::uint32_t width, std::uint64_t& sum) {
  const StepSpan view{0, std::min(lanes.count(), 500 * width)};
  for (const Pipe pipe : lanes.pipes())
    lanes.for_columns({pipe}, view, width, [&](const LaneColumn& column) { sum += column.steps; });
}

void ask_lives(const Lifetimes& lifetimes, std::uint32_t width, std::uint64_t& sum) {
  for (const TilePlace& place : lifetimes.places()) {
    const auto lives = lifetimes.lives(place);
    for (std::uint32_t column = 0; column < 500; ++column) sum += first_ending_behind(lives, 2 * column * width);
  }
}

void bench_timeline(Table& table, std::uint32_t steps) {
  const LongLoop loop(steps, 16);
  const std::string over = fmt::format(" over {} steps", steps);
  std::optional<StepLanes> lanes;
  std::optional<Lifetimes> lifetimes;
  const double making = seconds_of([&] { lanes = StepLanes::make(*loop.recording, loop.recording->findings()); });
  table.add("debug: lanes" + over, 1e3 * making, Limit::both(steps / 10000.0), "ms");
  table.add("debug: lanes" + over + ", bytes a step", static_cast<double>(lanes->bytes()) / steps, Limit::both(1), "B");
  const double following = seconds_of([&] { lifetimes = Lifetimes::make(*loop.recording); });
  table.add("debug: lives of tiles" + over, 1e3 * following, Limit::both(steps / 4000.0), "ms");
  double worst = 0;
  std::uint64_t sum = 0;
  for (std::uint32_t width = 1; width <= steps / 500; width *= 2) {
    const double once = seconds_of([&] { ask_lanes(*lanes, width, sum), ask_lives(*lifetimes, width, sum); });
    worst = std::max(worst, once);
  }
  asm volatile("" : : "r"(sum));
  table.add("debug: what a frame asks of them" + over + ", worst zoom", 1e3 * worst, Limit::both(1), "ms");
}

}  // namespace

void bench_debug(Table& table) {
  bench_questions(table);
  for (const std::uint32_t steps : {1'000'000u, 10'000'000u}) bench_timeline(table, steps);
}

}  // namespace ts::bench
