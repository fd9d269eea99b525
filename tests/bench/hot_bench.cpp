// The dozen instructions that kernels are made of, alone and recorded, against memcpy or memset of their bytes.
#include <algorithm>
#include <cstring>

#include "core/engine/plan/plan.h"
#include "core/record/inspector.h"
#include "core/record/step_runner.h"
#include "tests/bench/benches.h"
#include "tests/bench/guarded.h"
#include "tests/bench/measure.h"
#include "tests/bench/seconds.h"
#include "tests/bench/work.h"

namespace ts::bench {
namespace {

void add(Table& table, std::string what, Limit limit, const Ratio& ratio) {
  table.add(Row{.what = std::move(what), .value = ratio.value, .limit = limit, .spread = ratio.spread});
}

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
    context->plans = &plans;
    context->plan = 0;
    tags = std::make_unique<TagMemory>(memory->map());
    context->tags = tags.get();
  }
  // As whoever records does it, by its plan.
  void run() {
    if (ran_by_plan(*context)) return;
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
  Plans plans;
  std::unique_ptr<StepContext> context;
  std::unique_ptr<TagMemory> tags;
};

// What one step alone costs.
void bench_step(Table& table, const Work& work, Isolated& one) {
  Yardstick yardstick(yardstick_bytes(work));
  // Filling reads nothing, so its rival does not either.
  const bool fills = work.instruction == "texpands";
  add(table, work.name + ": run", work.limit,
      measure([&] { one.run(); }, [&] { fills ? yardstick.fill() : yardstick.copy(); }));
}

// What a recorded step takes beyond the bare run, of copying its bytes to fresh arena space; the three take turns.
void bench_recorded(Table& table, const Work& work, Isolated& one) {
  constexpr int kSteps = 2000, kRounds = 9;
  constexpr std::size_t kBudget = std::size_t{1} << 30;
  const std::uint32_t kept = recorded_bytes(work);
  const std::vector<std::byte> original = random_bytes(kept);
  const Program program = program_of(work, 2);
  const std::size_t setup = program.instructions.size() - 2;
  std::vector<double> added;
  for (int round = 0; round < kRounds; ++round) {
    auto recording = Recording::run(program, {.budget_bytes = kBudget});
    recording->timeline().arena().touch_ahead(std::size_t{kSteps} * (kept + 4096) + (8 << 20));
    const double recorded = seconds_of([&] {
      for (int i = 0; i < kSteps; ++i) recording->execute(setup + static_cast<std::size_t>(i % 2));
    });
    const double bare = seconds_of([&] {
      for (int i = 0; i < kSteps; ++i) one.run();
    });
    Arena arena(kBudget);
    arena.touch_ahead(std::size_t{kSteps} * kept + (8 << 20));
    const double copied = seconds_of([&] {
      for (int i = 0; i < kSteps; ++i) {
        std::byte* place = arena.take(kept);
        std::memcpy(place, original.data(), kept);
        asm volatile("" : : "r"(place) : "memory");
      }
    });
    if (round != 0) added.push_back((recorded - bare) / copied);  // the first one warms up
  }
  Ratio ratio = ratio_of_rounds(std::move(added));
  // What is added can be less than what the two differ by from round to round.
  ratio.value = std::max(ratio.value, 0.0);
  add(table, work.name + ": recording adds, of a copy to the arena", Limit::both(1.3), ratio);
}

void bench_instruction(Table& table, const Work& work) {
  Isolated one(work);
  bench_step(table, work, one);
  bench_recorded(table, work, one);
  add(table, work.name + ": tag machine, of run", Limit::both(60), measure([&] { one.tag(); }, [&] { one.run(); }));
  const auto trace = [&] { one.inspector.trace(one.step); };
  const Ratio flow = measure([&] { one.inspector.flow(one.step); }, trace), into = measure(trace, [&] { one.run(); });
  table.add(work.name + ": flow of a step", flow.mine * 1e3, Limit::both(1), "ms");
  table.add(work.name + ": step into", into.mine * 1e3, Limit::both(20), "ms");
}

std::vector<Work> hot_works() {
  std::vector<Work> all = {
      {"TDEINTERLEAVE f32 64x128 two-source a5", "tdeinterleave", Target::A5, DType::F32, 64, 128, {1.6, 1.3}},
      {"TINTERLEAVE f32 64x128 a5", "tinterleave", Target::A5, DType::F32, 64, 128, {1.6, 1.3}},
      {"TTRANS f32 128x64 a2a3", "ttrans", Target::A2A3, DType::F32, 128, 64, {4, 3.5}},
      {"TTRANS f32 128x64 a5", "ttrans", Target::A5, DType::F32, 128, 64, {8, 6}},
      {"TTRANS f16 128x128 a2a3", "ttrans", Target::A2A3, DType::F16, 128, 128, {4.5, {}}},
      {"TTRANS f16 128x128 a5", "ttrans", Target::A5, DType::F16, 128, 128, {18, 10}},
  };
  for (const Target target : {Target::A5, Target::A2A3}) {
    const std::string on = std::string(" ") + name(target);
    all.push_back({"TEXPANDS f32 64x128" + on, "texpands", target, DType::F32, 64, 128, {1.5, 1.2}});
    all.push_back({"TSELS f32 64x128" + on, "tsels", target, DType::F32, 64, 128, {2, 2.6}});
    all.push_back({"TGATHERB f32 64x128 block" + on, "tgatherb", target, DType::F32, 64, 128, {3, 2.5}, "block"});
    all.push_back({"TGATHERB f32 64x128 element" + on, "tgatherb", target, DType::F32, 64, 128, {12, {}}, "element"});
    all.push_back({"TADD f32 64x128" + on, "tadd", target, DType::F32, 64, 128, {1.5, 1.6}});
    all.push_back({"TROWSUM f32 64x128" + on, "trowsum", target, DType::F32, 64, 128, {1.5, 2}});
    all.push_back({"TEXP f32 64x128" + on, "texp", target, DType::F32, 64, 128, {15, 20}});
    all.push_back({"TADD f16 128x128" + on, "tadd", target, DType::F16, 128, 128, {2.5, 3.5}});
  }
  return all;
}

}  // namespace

void bench_hot(Table& table, std::string_view only) {
  for (const Work& work : hot_works())
    if (work.name.find(only) != std::string::npos) guarded(table, work.name, [&] { bench_instruction(table, work); });
}

}  // namespace ts::bench
