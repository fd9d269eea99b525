// Vector micro-instructions from text, against the same micro-operations in a tile instruction that the generic machine
// runs; and what recording them adds.
#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "core/engine/plan/plan.h"
#include "core/record/inspector.h"
#include "tests/bench/benches.h"
#include "tests/bench/guarded.h"
#include "tests/bench/measure.h"
#include "tests/bench/seconds.h"
#include "tests/bench/work.h"
#include "tests/support/text/open_text.h"

namespace ts::bench {
namespace {

constexpr std::uint32_t kRegisters = 64;

// Shifts the lanes of so many registers by those of others; all of that so many times.
std::string shifts(std::uint32_t times) {
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
  func.func @shifts(%src: !pto.ptr<ui32, gm>) attributes {{pto.aicore}} {{
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %length = arith.constant 32768 : i64
    %at_out = arith.constant 65536 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %all_lanes = arith.constant {0} : index
    %times = arith.constant {1} : index
    %count = arith.constant 64 : i32
    %in = pto.castptr %zero : i64 -> !pto.ptr<ui32, ub>
    %by = pto.addptr %in, %all_lanes : !pto.ptr<ui32, ub> -> !pto.ptr<ui32, ub>
    %out = pto.castptr %at_out : i64 -> !pto.ptr<ui32, ub>
    pto.mte_gm_ub %src, %in, %zero, %length nburst(%one, %length, %length)
      : !pto.ptr<ui32, gm>, !pto.ptr<ui32, ub>, i64, i64, i64, i64, i64
    pto.barrier <PIPE_ALL>
    pto.vecscope {{
      scf.for %t = %c0 to %times step %c1 {{
        scf.for %i = %c0 to %all_lanes step %c64 {{
          %m, %rest = pto.plt_b32 %count : i32 -> !pto.mask<b32>, i32
          %a = pto.vlds %in[%i] : !pto.ptr<ui32, ub> -> !pto.vreg<64xui32>
          %b = pto.vlds %by[%i] : !pto.ptr<ui32, ub> -> !pto.vreg<64xui32>
          %s = pto.vshl %a, %b, %m : !pto.vreg<64xui32>, !pto.vreg<64xui32>, !pto.mask<b32> -> !pto.vreg<64xui32>
          pto.vsts %s, %out[%i], %m : !pto.vreg<64xui32>, !pto.ptr<ui32, ub>, !pto.mask<b32>
        }}
      }}
    }}
    return
  }}
}}
)",
                     kRegisters * 64, times);
}

// The same shifts as a tile instruction, behind the loads of its operands.
std::string tile_shift() {
  const std::string type = fmt::format("!pto.tile_buf<vec, {}x64xui32>", kRegisters),
                    view = fmt::format("!pto.tensor_view<{}x64xui32>", kRegisters),
                    part = fmt::format("!pto.partition_tensor_view<{}x64xui32>", kRegisters);
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
  func.func @shift(%src: !pto.ptr<ui32>) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = arith.constant {3} : index
    %cols = arith.constant 64 : index
    %all = pto.make_tensor_view %src, shape = [%rows, %cols], strides = [%cols, %c1] : {1}
    %part = pto.partition_view %all, offsets = [%c0, %c0], sizes = [%rows, %cols] : {1} -> {2}
    %a = pto.alloc_tile : {0}
    %b = pto.alloc_tile : {0}
    %c = pto.alloc_tile : {0}
    pto.tload ins(%part : {2}) outs(%a : {0})
    pto.tload ins(%part : {2}) outs(%b : {0})
    pto.barrier <PIPE_ALL>
    pto.tshl ins(%a, %b : {0}, {0}) outs(%c : {0})
    return
  }}
}}
)",
                     type, view, part, kRegisters);
}

Program program_of_text(const std::string& text) {
  test::OpenedText opened = test::open_text(text, Target::A5);
  if (!opened.opened) throw std::runtime_error("the text does not open");
  return std::move(opened.opened->program);
}

// Some steps of a recording, run again alone; by their plans, as whoever records does.
class Alone {
 public:
  Alone(std::unique_ptr<Recording> recording, std::uint32_t first, std::uint32_t end, bool with_plans = true)
      : recording_(std::move(recording)), first_(first), end_(end) {
    Inspector inspector(*recording_);
    const Memory& state = inspector.at(first);
    memory_ = std::make_unique<Memory>(state.map());
    std::memcpy(memory_->base(), state.base(), state.map().end());
    context_ = std::make_unique<StepContext>(*memory_);
    if (with_plans) context_->plans = &plans_;
  }
  void run() {
    for (std::uint32_t step = first_; step < end_; ++step) {
      const Bound& bound = recording_->bound(step);
      context_->plan = recording_->step(step).bound;
      if (!ran_by_plan(*context_)) machines_for(bound).run().of(bound)(*context_, bound);
    }
  }
  const Recording& recording() const { return *recording_; }

 private:
  std::unique_ptr<Recording> recording_;
  std::uint32_t first_, end_;
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<StepContext> context_;
  Plans plans_;
};

constexpr std::size_t kBudget = std::size_t{256} << 20;

void bench_call(Table& table) {
  auto text = Recording::run(program_of_text(shifts(1)), {.budget_bytes = kBudget});
  const std::uint32_t steps = text->count();
  auto tile = Recording::run(program_of_text(tile_shift()), {.budget_bytes = kBudget});
  const std::uint32_t last = tile->count() - 1;
  const std::size_t micro_steps = Inspector(*tile).trace(last).steps.size();
  Alone mine(std::move(text), steps - 5 * kRegisters, steps), rival(std::move(tile), last, last + 1, false);
  Ratio ratio = measure([&] { mine.run(); }, [&] { rival.run(); });
  ratio.value *= static_cast<double>(micro_steps) / (5 * kRegisters);
  table.add(Row{.what = "a micro-operation from text, of one in a generic lowering",
                .value = ratio.value,
                .limit = Limit::both(2),
                .spread = ratio.spread});
}

void bench_recording(Table& table) {
  constexpr std::uint32_t kTimes = 200;
  const Program program = program_of_text(shifts(kTimes));
  auto once = Recording::run(program, {.budget_bytes = kBudget});
  const std::uint32_t steps = once->count();
  // As lowerings: what recording adds was bounded before there were plans.
  Alone bare(std::move(once), steps - 5 * kRegisters * kTimes, steps, false);
  const Ratio ratio = measure([&] { Recording::run(program, {.budget_bytes = kBudget}); }, [&] { bare.run(); });
  table.add(Row{.what = "64,000 micro-operations recorded, of their lowerings alone",
                .value = ratio.value,
                .limit = Limit::both(3),
                .spread = ratio.spread});
  table.add("one of them recorded", ratio.mine / (5 * kRegisters * kTimes) * 1e9, {}, "ns");
}

// A row of numbers added to another one, again and again.
std::string small_sums(std::uint32_t times) {
  const std::string type = "!pto.tile_buf<vec, 1x64xf32>", part = "!pto.partition_tensor_view<1x64xf32>";
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
  func.func @sums(%src: !pto.ptr<f32>) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %times = arith.constant {2} : index
    %all = pto.make_tensor_view %src, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<1x64xf32>
    %part = pto.partition_view %all, offsets = [%c0, %c0], sizes = [%c1, %c64] : !pto.tensor_view<1x64xf32> -> {1}
    %a = pto.alloc_tile : {0}
    %b = pto.alloc_tile : {0}
    pto.tload ins(%part : {1}) outs(%a : {0})
    pto.tload ins(%part : {1}) outs(%b : {0})
    pto.barrier <PIPE_ALL>
    scf.for %t = %c0 to %times step %c1 {{
      pto.tadd ins(%a, %b : {0}, {0}) outs(%b : {0})
    }}
    return
  }}
}}
)",
                     type, part, times);
}

// What a step costs besides its work: its operands, rules, and what is kept of it.
void bench_small_step(Table& table) {
  constexpr std::uint32_t kTimes = 50'000, kBefore = 3;
  const Program program = program_of_text(small_sums(kTimes));
  Alone bare(Recording::run(program, {.budget_bytes = kBudget}), kBefore, kBefore + kTimes);
  const Ratio ratio = measure([&] { Recording::run(program, {.budget_bytes = kBudget}); }, [&] { bare.run(); });
  table.add("a step on a tile of 1x64, besides its work", (ratio.mine - ratio.mine / ratio.value) / kTimes * 1e6,
            Limit::both(0.6), "us");
}

}  // namespace

void bench_micro(Table& table) {
  guarded(table, "a micro-operation from text", [&] { bench_call(table); });
  guarded(table, "recorded micro-operations", [&] { bench_recording(table); });
  guarded(table, "a step on a tile of 1x64", [&] { bench_small_step(table); });
}

}  // namespace ts::bench
