// Speed, as ratios against memcpy (or memset) of the destination bytes on the same core in the same run. Prints a table,
// each row ending in `ok` or `over target`; the exit status is 0 either way. Limits are for a CPU with AVX-512.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "core/check/check.h"
#include "core/compile/open.h"
#include "core/debug/compare/compare_runs.h"
#include "core/debug/origins/lifetimes.h"
#include "core/debug/session/session.h"
#include "core/debug/session/step_lanes.h"
#include "core/program/builder.h"
#include "core/record/inspector.h"
#include "core/record/recording.h"
#include "core/record/step_runner.h"
#include "hwy/targets.h"
#include "scripting/run/script.h"
#include "tests/bench/family_bench.h"
#include "tests/bench/file_bench.h"
#include "tests/bench/frame_bench.h"
#include "tests/bench/kernel_bench.h"
#include "tests/bench/product_bench.h"
#include "tests/bench/seconds.h"

namespace {

using namespace ts;
using bench::seconds_of;

// Median seconds of one call, from runs long enough for the clock. Rivals are measured alternately, so that a change of
// the machine's speed hits both.
struct Pair {
  double mine, rival;
};
Pair measure(const std::function<void()>& mine, const std::function<void()>& rival) {
  const auto calls_for = [](const std::function<void()>& work) {
    work();
    const double once = std::max(seconds_of(work), 1e-8);
    return std::max(1, static_cast<int>(2e-3 / once));
  };
  const int my_calls = calls_for(mine), rival_calls = calls_for(rival);
  std::vector<double> my_times, rival_times;
  for (int run = 0; run < 31; ++run) {
    my_times.push_back(seconds_of([&] {
                         for (int i = 0; i < my_calls; ++i) mine();
                       }) /
                       my_calls);
    rival_times.push_back(seconds_of([&] {
                            for (int i = 0; i < rival_calls; ++i) rival();
                          }) /
                          rival_calls);
  }
  std::ranges::nth_element(my_times, my_times.begin() + 15);
  std::ranges::nth_element(rival_times, rival_times.begin() + 15);
  return {my_times[15], rival_times[15]};
}

struct ResultRow {
  std::string what;
  double value, target;
  std::string unit;
};

class Table {
 public:
  explicit Table(bool limits) : limits_(limits) {}
  void add(std::string what, double value, double target, std::string unit = "x") {
    rows_.push_back({std::move(what), value, target, std::move(unit)});
    const ResultRow& row = rows_.back();
    if (!json_only)
      fmt::print("{:<62} {:>9.3f} {:<3} (<= {:g} {})  {}\n", row.what, row.value, row.unit, row.target, row.unit,
                 verdict(row));
    std::fflush(stdout);
  }
  std::string json() const {
    nlohmann::json out = nlohmann::json::array();
    for (const ResultRow& row : rows_)
      out.push_back({{"work", row.what},
                     {"value", row.value},
                     {"target", row.target},
                     {"unit", row.unit},
                     {"verdict", verdict(row)}});
    return out.dump(2);
  }
  bool json_only = false;

 private:
  const char* verdict(const ResultRow& row) const {
    return !limits_ ? "no limit here" : row.value <= row.target ? "ok" : "over target";
  }
  bool limits_;
  std::vector<ResultRow> rows_;
};

std::vector<std::byte> random_bytes(std::size_t size) {
  std::mt19937_64 random(7);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

// One instruction on tiles of one shape, with sources that hold small finite numbers.
struct Work {
  std::string name;
  std::string instruction;
  Target target;
  DType type;
  std::uint32_t rows, cols;
  double run_target;
  std::string granularity = "";  // of tgatherb
};

// The tiles of a work, and two variants of its inputs: alternating them, every run really changes the destination.
class Workpiece {
 public:
  explicit Workpiece(const Work& work) : work_(work), builder_(work.target, work.name) {}

  Program program(int repeats) {
    make_operands();
    std::vector<BuildAttribute> attributes;
    if (!work_.granularity.empty()) attributes.push_back({"granularity", work_.granularity});
    for (int i = 0; i < repeats; ++i) builder_.add(work_.instruction, inputs_[i % 2], outputs_, attributes);
    Diagnostics diagnostics;
    Program program = builder_.build(diagnostics);
    for (const Diagnostic& diagnostic : diagnostics) fmt::print(stderr, "{}\n", diagnostic.format());
    return program;
  }

 private:
  void make_operands() {
    const TileType type = vec_tile(work_.type, work_.rows, work_.cols);
    outputs_.push_back(
        builder_.tile("dst0", work_.instruction == "ttrans" ? vec_tile(work_.type, work_.cols, work_.rows) : type));
    if (work_.instruction == "tsels") {
      const TileId mask = loaded("mask", vec_tile(DType::U8, work_.rows, std::max(32u, work_.cols / 8)),
                                 random_bytes(work_.rows * std::max(32u, work_.cols / 8)));
      const TileId tmp = builder_.tile("tmp", vec_tile(work_.type, 1, BLK / size_bytes(work_.type)));
      for (int k = 0; k < 2; ++k) inputs_[k] = {mask, numbers(k), tmp, scalar_of(work_.type, 3)};
    } else if (work_.instruction == "ttrans") {
      const TileId tmp = builder_.tile("tmp", vec_tile(work_.type, work_.cols, work_.rows));
      for (int k = 0; k < 2; ++k) inputs_[k] = {numbers(k), tmp};
    } else if (work_.instruction == "tgatherb") {
      const TileId offsets = random_offsets();
      for (int k = 0; k < 2; ++k) inputs_[k] = {numbers(k), offsets};
    } else if (work_.instruction == "texpands") {
      for (int k = 0; k < 2; ++k) inputs_[k] = {scalar_of(work_.type, k + 1)};
    } else if (work_.instruction == "texp" || work_.instruction == "trowsum") {
      if (work_.instruction == "trowsum") outputs_[0] = builder_.tile("sums", column_tile());
      for (int k = 0; k < 2; ++k) inputs_[k] = {numbers(k)};
    } else {
      const TileId a = numbers(0), b = numbers(1), c = numbers(2);
      inputs_[0] = {a, b};
      inputs_[1] = {b, c};
      if (work_.instruction != "tadd") outputs_.push_back(builder_.tile("dst1", type));
    }
  }
  TileType column_tile() const {
    TileType type = vec_tile(work_.type, work_.rows, 1);
    type.blayout = BoxOrder::ColMajor;
    return type;
  }
  TileId loaded(const std::string& name, const TileType& type, std::vector<std::byte> data) {
    const TileId tile = builder_.tile(name, type);
    builder_.add(
        "tload",
        {View{builder_.buffer(name + "_in", type.dtype, type.rows * type.cols, std::move(data)), type.rows, type.cols}},
        {tile});
    return tile;
  }
  TileId numbers(int k) {
    const TileType type = vec_tile(work_.type, work_.rows, work_.cols);
    const double scale = work_.instruction == "texp" ? 64 : 1;  // most results are neither infinite nor 0
    std::vector<std::byte> data(type.size_bytes());
    for (std::uint32_t i = 0; i < type.rows * type.cols; ++i) {
      const std::uint64_t bits = from_double(type.dtype, (k + 1) * ((i * 37) % 101) / scale);
      std::memcpy(data.data() + i * size_bytes(type.dtype), &bits, size_bytes(type.dtype));
    }
    return loaded("src" + std::to_string(k), type, std::move(data));
  }
  TileId random_offsets() {
    const bool block = work_.granularity == "block";
    const std::uint32_t unit = block ? BLK : size_bytes(work_.type),
                        units = work_.rows * work_.cols * size_bytes(work_.type) / unit;
    const TileType type =
        vec_tile(DType::U32, work_.rows, block ? work_.cols * size_bytes(work_.type) / BLK : work_.cols);
    std::vector<std::byte> data(type.size_bytes());
    std::mt19937 random(11);
    for (std::size_t at = 0; at < data.size(); at += 4) {
      const auto offset = static_cast<std::uint32_t>(random() % units * unit);
      std::memcpy(data.data() + at, &offset, 4);
    }
    return loaded("offsets", type, std::move(data));
  }

  const Work& work_;
  ProgramBuilder builder_;
  std::vector<BuildOperand> inputs_[2], outputs_;
};

Program program_of(const Work& work, int repeats) { return Workpiece(work).program(repeats); }

// Of TROWSUM the source's bytes, which are what it has to go through.
std::uint32_t yardstick_bytes(const Work& work) {
  const bool two = work.instruction == "tdeinterleave" || work.instruction == "tinterleave";
  return work.rows * work.cols * size_bytes(work.type) * (two ? 2 : 1);
}

// What a recording has to keep of a step: TTRANS on A2A3 goes through a tmp as large as its result.
std::uint32_t recorded_bytes(const Work& work) {
  if (work.instruction == "trowsum") return work.rows * size_bytes(work.type);
  return yardstick_bytes(work) * (work.instruction == "ttrans" && work.target == Target::A2A3 ? 2 : 1);
}

// The step's lowering alone, on the memories as they are before it.
struct Isolated {
  explicit Isolated(const Work& work)
      : recording(Recording::run(program_of(work, 2), {.budget_bytes = std::size_t{64} << 20})), inspector(*recording) {
    step = recording->count() - 1;
    memory = std::make_unique<Memory>(work.target, recording->program().gm_bytes);
    const Memory& state = inspector.at(step);
    std::memcpy(memory->base(), state.base(), state.map().end());
    context = std::make_unique<StepContext>(*memory);
    tags = std::make_unique<TagMemory>(memory->map());
    context->tags = tags.get();
  }
  void run() {
    machines_for(recording->bound(step)).run().of(recording->bound(step))(*context, recording->bound(step));
  }
  void tag() {
    tags->begin_step();
    machines_for(recording->bound(step)).tag().of(recording->bound(step))(*context, recording->bound(step));
  }
  std::unique_ptr<Recording> recording;
  Inspector inspector;
  std::uint32_t step;
  std::unique_ptr<Memory> memory;
  std::unique_ptr<StepContext> context;
  std::unique_ptr<TagMemory> tags;
};

void bench_instruction(Table& table, const Work& work) {
  Isolated one(work);
  const std::uint32_t size = yardstick_bytes(work);
  std::vector<std::byte> from = random_bytes(size), to = random_bytes(size),
                         original = random_bytes(recorded_bytes(work));
  // Filling reads nothing, so its rival does not either.
  const bool fills = work.instruction == "texpands";
  const Pair run = measure([&] { one.run(); },
                           [&] {
                             if (fills) {
                               std::memset(to.data(), 1, size);
                             } else {
                               std::memcpy(to.data(), from.data(), size);
                             }
                             asm volatile("" : : "r"(to.data()) : "memory");
                           });
  table.add(work.name + ": run", run.mine / run.rival, work.run_target);

  // Recording: what a recorded step takes beyond the bare run, against copying its bytes to fresh arena space.
  constexpr int kSteps = 2000;
  const std::size_t budget = std::size_t{1} << 30;
  Recording::run(program_of(work, kSteps), {.budget_bytes = budget});  // warm-up
  std::vector<double> recorded, copied, bare;
  for (int round = 0; round < 7; ++round) {
    const Program program = program_of(work, kSteps);
    const std::size_t setup = program.instructions.size() - kSteps;
    Program first = program;
    first.instructions.resize(setup + 2);
    auto recording = Recording::run(std::move(first), {.budget_bytes = budget});
    recording->timeline().arena().touch_ahead(std::size_t{kSteps} * (recorded_bytes(work) + 4096) + (8 << 20));
    recorded.push_back(seconds_of([&] {
                         for (int i = 0; i < kSteps; ++i) recording->execute(setup + static_cast<std::size_t>(i % 2));
                       }) /
                       kSteps);
    Arena arena(budget);
    const std::uint32_t kept = recorded_bytes(work);
    arena.touch_ahead(std::size_t{kSteps} * kept + (8 << 20));
    copied.push_back(seconds_of([&] {
                       for (int i = 0; i < kSteps; ++i) {
                         std::byte* place = arena.take(kept);
                         std::memcpy(place, original.data(), kept);
                         asm volatile("" : : "r"(place) : "memory");
                       }
                     }) /
                     kSteps);
    bare.push_back(seconds_of([&] {
                     for (int i = 0; i < kSteps; ++i) one.run();
                   }) /
                   kSteps);
  }
  for (auto* times : {&recorded, &copied, &bare}) std::ranges::nth_element(*times, times->begin() + 3);
  table.add(work.name + ": recording adds, of a copy to the arena", (recorded[3] - bare[3]) / copied[3], 1.3);

  const Pair tag = measure([&] { one.tag(); }, [&] { one.run(); });
  table.add(work.name + ": tag machine, of run", tag.mine / tag.rival, 60);
  const Pair flow = measure([&] { one.inspector.flow(one.step); }, [&] { one.inspector.trace(one.step); });
  table.add(work.name + ": flow of a step", flow.mine * 1e3, 1, "ms");
  table.add(work.name + ": step into", flow.rival * 1e3, 20, "ms");
}

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

void bench_seek(Table& table) {
  constexpr int kTries = 2000;
  const Work work{"seek", "tadd", Target::A5, DType::F32, 4, 64, 0};
  const auto recording = Recording::run(program_of(work, 100000), {.budget_bytes = std::size_t{2} << 30});
  const WorstSeeks worst = worst_seeks(*recording, recording->count(), kTries);
  table.add(fmt::format("seek anywhere in {} steps, worst of {}", recording->count(), kTries), worst.anywhere, 1, "ms");
  table.add(fmt::format("step back, worst of {}", kTries), worst.back, 1, "ms");
}

// A recording some hundred times longer than its budget: positions in its thinned part are rebuilt by replay.
void bench_thinned_seek(Table& table) {
  constexpr std::uint32_t kSteps = 200000;
  constexpr int kTries = 200;
  const Work work{"seek", "tadd", Target::A5, DType::F32, 64, 128, 0};
  Program program = program_of(work, 2);
  const std::size_t setup = program.instructions.size() - 2;
  const auto recording = Recording::run(std::move(program), {.budget_bytes = std::size_t{64} << 20});
  while (recording->count() < kSteps) recording->execute(setup + recording->count() % 2);
  const WorstSeeks worst = worst_seeks(*recording, recording->thinning().dense_start - 1, kTries);
  table.add(fmt::format("seek anywhere in {} steps, thinned (64 MB), worst of {}", kSteps, kTries), worst.anywhere, 50,
            "ms");
  table.add(fmt::format("step back, thinned, worst of {}", kTries), worst.back, 50, "ms");
}

// A long loop: two sums take turns in writing one tile.
struct LongLoop {
  LongLoop(std::uint32_t steps, std::uint32_t cols) {
    ProgramBuilder builder(Target::A5, "loop");
    const TileType type = vec_tile(DType::F32, 4, cols);
    const TileId a = builder.tile("a", type), b = builder.tile("b", type);
    const BufferId ones = builder.buffer("ones", DType::F32, std::vector<double>(4 * cols, 1));
    builder.add("tload", {View{ones, 4, cols}}, {a});
    builder.add("tload", {View{ones, 4, cols}}, {b});
    builder.add("tadd", {a, b}, {a});
    builder.add("tadd", {b, a}, {a});
    Diagnostics diagnostics;
    auto made = Recording::run(builder.build(diagnostics), {.budget_bytes = std::size_t{256} << 20});
    while (made->count() < steps) made->execute(2 + made->count() % 2);
    changed = made->bound(2).operands.back().tile.range();
    kept = made->bound(1).operands.back().tile.range();
    recording = std::move(made);
  }
  std::shared_ptr<const Recording> recording;
  ByteRange changed, kept;  // of the two tiles
};

// Two equal recordings of steps that each leave another tile of 64 x 64 floats, against reading all that they left.
void bench_compare(Table& table) {
  constexpr std::uint32_t kSteps = 100'000;
  const auto record = [] {
    ProgramBuilder builder(Target::A5, "compare");
    const TileType type = vec_tile(DType::F32, 64, 64);
    const TileId a = builder.tile("a", type), b = builder.tile("b", type);
    const BufferId ones = builder.buffer("ones", DType::F32, std::vector<double>(64 * 64, 1));
    for (const TileId tile : {a, b}) builder.add("tload", {View{ones, 64, 64}}, {tile});
    builder.add("tadd", {a, b}, {a});
    Diagnostics diagnostics;
    auto made = Recording::run(builder.build(diagnostics), {.budget_bytes = std::size_t{3} << 30});
    while (made->count() < kSteps) made->execute(2);
    return made;
  };
  const auto a = record(), b = record();
  if (a->thinning()) fmt::print("compare: the budget is too small\n");
  RunDifferences found;
  const auto compare = [&] { found = compare_runs(*a, *b, {}); };
  int same = 0;
  const auto read = [&] {
    for (std::uint32_t page = 0; page < a->timeline().pages(); ++page)
      for (std::size_t i = 0; i < a->timeline().versions(page).size(); ++i)
        same += std::memcmp(a->timeline().bytes(a->timeline().versions(page)[i]).data(),
                            b->timeline().bytes(b->timeline().versions(page)[i]).data(), kPageBytes) == 0;
  };
  double mine = 1e9, rival = 1e9;
  for (int i = 0; i < 5; ++i) {
    mine = std::min(mine, seconds_of(compare));
    rival = std::min(rival, seconds_of(read));
  }
  if (!found.same() || same == 0) fmt::print("compare: the recordings are not the same\n");
  table.add(fmt::format("compare {} equal steps of 64x64 f32, to reading both", kSteps), mine / rival, 2);
}

void bench_debug(Table& table) {
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
  table.add("history of a cell" + over + ", first rows", first * 1e3, 100, "ms");
  table.add(fmt::format("history of a cell{}, all {} rows", over, history.rows().size()), all * 1e3, 1000, "ms");
  table.add("index" + over, seconds_of([&] { session.index(); }) * 1e3, 500, "ms");

  // Stops that are looked at in every step, and never hit but in the last.
  const auto run_with = [&](const char* what, StopRule rule) {
    Session runner(loop.recording);
    rule.when = [](std::uint32_t) { return StopRule::Answer::No; };
    runner.add_stop(std::move(rule));
    table.add(std::string("run") + over + ", " + what, seconds_of([&] { runner.run(Direction::Forward); }) * 1e3, 500,
              "ms");
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
  table.add(fmt::format("slice of an element through 10000 steps, {} nodes", nodes), slice * 1e3, 1000, "ms");
  const double readers = seconds_of([&] {
    nodes = slicer.flow().readers({chain.kept.space, chain.kept.address, 4}, 2, 10'000).size();
  });
  table.add(fmt::format("readers of an element through 10000 steps, {} of them", nodes), readers * 1e3, 1000, "ms");
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
  table.add("debug: lanes" + over, 1e3 * making, steps / 10000.0, "ms");
  table.add("debug: lanes" + over + ", bytes a step", static_cast<double>(lanes->bytes()) / steps, 1, "B");
  const double following = seconds_of([&] { lifetimes = Lifetimes::make(*loop.recording); });
  table.add("debug: lives of tiles" + over, 1e3 * following, steps / 4000.0, "ms");
  double worst = 0;
  std::uint64_t sum = 0;
  for (std::uint32_t width = 1; width <= steps / 500; width *= 2) {
    const double once = seconds_of([&] { ask_lanes(*lanes, width, sum), ask_lives(*lifetimes, width, sum); });
    worst = std::max(worst, once);
  }
  asm volatile("" : : "r"(sum));
  table.add("debug: what a frame asks of them" + over + ", worst zoom", 1e3 * worst, 1, "ms");
}

// Looking for undefined bytes and for NaN in a long loop where all is well, beside what running its steps once more takes.
void bench_check(Table& table, const Work& work, std::uint32_t steps) {
  Program program = program_of(work, 2);
  const std::size_t setup = program.instructions.size() - 2;
  const auto recording = Recording::run(std::move(program), {.budget_bytes = std::size_t{256} << 20});
  while (recording->count() < steps) recording->execute(setup + recording->count() % 2);
  CheckOptions options;
  for (const CheckRow& row : checks()) options.set(row.kind, Level::Off);
  for (const FindingKind kind :
       {FindingKind::Defined, FindingKind::Overread, FindingKind::Mask, FindingKind::Nan, FindingKind::Inf})
    options.set(kind, Level::Warn);
  std::size_t found = 0;
  const Pair pair{seconds_of([&] { found = check(*recording, options).findings.size(); }), seconds_of([&] {
                    Memory memory(recording->map().target(), recording->program().gm_bytes);
                    recording->load_start(memory);
                    StepRunner runner(memory);
                    for (std::uint32_t step = 0; step < steps; ++step) runner.run(recording->bound(step));
                  })};
  table.add(fmt::format("check: {} steps of {}, {} findings, of run", steps, work.name, found), pair.mine / pair.rival,
            10);
}

// Rows are loaded, added to themselves and stored, with the flags that this needs.
Program flag_loop(std::uint32_t turns) {
  const std::string type = "!pto.tile_buf<vec, 4x64xf32>", part = "!pto.partition_tensor_view<4x64xf32>";
  const auto flags = [](const char* from, const char* to) {
    return fmt::format(
        "pto.set_flag [<PIPE_{0}>, <PIPE_{1}>, <EVENT_ID0>]\npto.wait_flag [<PIPE_{0}>, <PIPE_{1}>, <EVENT_ID0>]\n",
        from, to);
  };
  std::string text = fmt::format(
      "func.func @loop(%x: !pto.ptr<f32>) {{\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%n = arith.constant {} : index\n",
      turns);
  text +=
      "%all = pto.make_tensor_view %x, shape = [4, 64], strides = [64, 1] : !pto.tensor_view<4x64xf32>\n"
      "%part = pto.partition_view %all, offsets = [0, 0], sizes = [4, 64] : !pto.tensor_view<4x64xf32> -> " +
      part + "\n";
  text +=
      fmt::format("%a = pto.alloc_tile : {0}\n%b = pto.alloc_tile : {0}\nscf.for %i = %c0 to %n step %c1 {{\n", type);
  text += fmt::format(
      "pto.tload ins(%part : {1}) outs(%a : {0})\n{2}pto.tadd ins(%a, %a : {0}, {0}) outs(%b : {0})\n{3}pto.tstore ins(%b : {0}) outs(%part : {1})\n{4}}}\nreturn\n}}\n",
      type, part, flags("MTE2", "V"), flags("V", "MTE3"), flags("MTE3", "MTE2"));
  Diagnostics diagnostics;
  const auto tree = read_program("loop.pto", text, diagnostics);
  auto opened =
      open_program(tree, entry_points(*tree, diagnostics).front(),
                   {.target = Target::A5, .options = {}, .blocks = 1, .inputs = {}, .limits = {}}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics) fmt::print(stderr, "{}\n", diagnostic.format());
  return std::move(opened->program);
}

// What looking for shared bytes and missing waits costs, of what recording the same steps does.
void bench_shared_bytes(Table& table) {
  constexpr std::uint32_t kSteps = 100'000;
  CheckOptions options;
  for (const CheckRow& row : checks()) options.set(row.kind, Level::Off);
  for (const FindingKind kind : {FindingKind::Alias, FindingKind::Scratch, FindingKind::Sync})
    options.set(kind, Level::Warn);
  const auto add = [&](const char* what, auto record) {
    std::shared_ptr<const Recording> recording;
    const double recorded = seconds_of([&] { recording = record(); });
    std::size_t found = 0;
    const double checked = seconds_of([&] { found = check(*recording, options).findings.size(); });
    table.add(fmt::format("check: shared bytes and waits, {}, {} steps, {} found, of recording", what,
                          recording->count(), found),
              checked / recorded, 1);
  };
  add("sums", [] { return LongLoop(kSteps, 64).recording; });
  add("a loop with flags", [] {
    return std::shared_ptr<const Recording>(
        Recording::run(flag_loop(kSteps / 9), {.budget_bytes = std::size_t{256} << 20}));
  });
}

// What a script pays for each step it goes through without looking into tiles.
void bench_script_steps(Table& table) {
  constexpr std::uint32_t kSteps = 1'000'000;
  scripting::ScriptHost host;
  host.current = std::make_shared<Session>(LongLoop(kSteps, 16).recording);
  scripting::Script script(host);
  const std::string_view goes[] = {
      "for s in pto.current():steps() do end",
      "local n = 0 for s in pto.current():steps() do if s.op == 'tadd' then n = n + 1 end end"};
  for (const std::string_view text : goes) {
    const double seconds = seconds_of([&] { script.run(text, "bench"); });
    table.add(fmt::format("script over {} steps: {}", kSteps, text), 1e9 * seconds / kSteps, 1000, "ns a step");
  }
}

}  // namespace

int main(int argc, char** argv) {
  // bench [--json] [--only TEXT] [--every BEGIN]: TEXT is part of a row's name. --every lists all instructions of the
  // families whose names begin so, and nothing else.
  bool json = false;
  const char* every = nullptr;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--json") json = true;
    if (std::string_view(argv[i]) == "--every" && i + 1 < argc) every = argv[++i];
    if (std::string_view(argv[i]) == "--only" && i + 1 < argc) only = argv[++i];
  }
  const bool avx512 = (hwy::SupportedTargets() & HWY_AVX3) != 0;
  Table table(avx512);
  table.json_only = json;
  const auto add_families = [&](const std::vector<bench::FamilyRow>& rows) {
    for (const bench::FamilyRow& row : rows)
      table.add(fmt::format("families: {}, {}", row.family, row.what), row.value, 20);
  };
  if (every != nullptr) {
    add_families(bench::all_of_families(every));
    return 0;
  }
  std::vector<Work> all = {
      {"TDEINTERLEAVE f32 64x128 two-source a5", "tdeinterleave", Target::A5, DType::F32, 64, 128, 1.6},
      {"TINTERLEAVE f32 64x128 a5", "tinterleave", Target::A5, DType::F32, 64, 128, 1.6},
      {"TTRANS f32 128x64 a2a3", "ttrans", Target::A2A3, DType::F32, 128, 64, 4},
      {"TTRANS f32 128x64 a5", "ttrans", Target::A5, DType::F32, 128, 64, 8},
      {"TTRANS f16 128x128 a2a3", "ttrans", Target::A2A3, DType::F16, 128, 128, 4.5},
      {"TTRANS f16 128x128 a5", "ttrans", Target::A5, DType::F16, 128, 128, 18},
  };
  for (const Target target : {Target::A5, Target::A2A3}) {
    const std::string on = std::string(" ") + name(target);
    all.push_back({"TEXPANDS f32 64x128" + on, "texpands", target, DType::F32, 64, 128, 1.5});
    all.push_back({"TSELS f32 64x128" + on, "tsels", target, DType::F32, 64, 128, 2});
    all.push_back({"TGATHERB f32 64x128 block" + on, "tgatherb", target, DType::F32, 64, 128, 3, "block"});
    all.push_back({"TGATHERB f32 64x128 element" + on, "tgatherb", target, DType::F32, 64, 128, 12, "element"});
    all.push_back({"TADD f32 64x128" + on, "tadd", target, DType::F32, 64, 128, 1.5});
    all.push_back({"TROWSUM f32 64x128" + on, "trowsum", target, DType::F32, 64, 128, 1.5});
    all.push_back({"TEXP f32 64x128" + on, "texp", target, DType::F32, 64, 128, 15});
    all.push_back({"TADD f16 128x128" + on, "tadd", target, DType::F16, 128, 128, 2.5});
  }
  for (const Work& work : all)
    if (work.name.find(only) != std::string::npos) bench_instruction(table, work);
  if (std::string("families").find(only) != std::string::npos) add_families(bench::slowest_of_families());
  if (std::string("seek").find(only) != std::string::npos) bench_seek(table);
  if (std::string("compare").find(only) != std::string::npos) bench_compare(table);
  if (std::string("debug").find(only) != std::string::npos) bench_debug(table);
  for (const std::uint32_t steps : {1'000'000u, 10'000'000u})
    if (std::string("debug").find(only) != std::string::npos) bench_timeline(table, steps);
  for (const Target target : {Target::A5, Target::A2A3}) {
    if (std::string("check").find(only) == std::string::npos) break;
    const std::string on = std::string(" ") + name(target);
    bench_check(table, {"TADD f32 64x64" + on, "tadd", target, DType::F32, 64, 64, 0}, 100'000);
    bench_check(table, {"TSELS f32 64x64" + on, "tsels", target, DType::F32, 64, 64, 0}, 100'000);
    bench_check(table, {"TGATHERB f32 64x64 element" + on, "tgatherb", target, DType::F32, 64, 64, 0, "element"},
                2'000);
  }
  if (std::string("seek thinned").find(only) != std::string::npos) bench_thinned_seek(table);
  if (std::string("check").find(only) != std::string::npos) bench_shared_bytes(table);
  if (std::string("script steps").find(only) != std::string::npos) bench_script_steps(table);
  if (std::string("product").find(only) != std::string::npos)
    for (const bench::ProductRow& row : bench::product_rows()) table.add(row.what, row.value, row.target, row.unit);
  if (std::string("kernel").find(only) != std::string::npos)
    for (const bench::ProductRow& row : bench::kernel_rows()) table.add(row.what, row.value, row.target, row.unit);
  if (std::string("file").find(only) != std::string::npos)
    for (const bench::FileRow& row : bench::file_rows()) table.add(row.what, row.value, row.target, row.unit);
  if (std::string("frame").find(only) != std::string::npos)
    for (const bench::FrameRow& row : bench::frame_rows()) table.add(row.what, row.value, row.target, row.unit);
  if (json) fmt::print("{}\n", table.json());
  return 0;
}
