// Lowerings by hand whose loads and stores get into each other's way, and what their plans make of them.
#include "core/engine/plan/plan_core.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/program/builder.h"
#include "tests/support/instructions/vector_plan.h"
#include "tests/support/random.h"
#include "tests/support/record/by_plans.h"
#include "tests/support/record/recorded.h"
#include "tests/support/record/same_recording.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

constexpr MicroOp kOp{.name = "test.move", .flow = FlowKind::Store, .form = "", .summary = ""};
constexpr DType kType = DType::F32;

AnyReg load(AnyCore& core, std::uint64_t address) {
  return core.load<LoadKind::Norm>(kType, kOp, Space::Ub, address, VL, BLK);
}
AnyPred all(AnyCore& core) { return core.predicate(first_lanes_of(4, VL)); }
void store(AnyCore& core, std::uint64_t address, const AnyReg& value) {
  core.store_lanes(kType, kOp, address, BLK, value, all(core));
}
AnyReg twice(AnyCore& core, const AnyReg& value) { return core.lanewise(LaneOp::Add, kType, all(core), value, value); }

// A memory with a number in each f32 of its UB.
class Bench {
 public:
  explicit Bench(float first = 1) {
    for (std::uint32_t i = 0; i < 4096; ++i) {
      const float value = first + static_cast<float>(i);
      std::uint32_t bits = 0;
      std::memcpy(&bits, &value, 4);
      memory.set_element(Space::Ub, 4 * i, 4, bits);
    }
  }
  std::vector<std::byte> ub() const {
    const auto bytes = memory.bytes(Space::Ub, 0, 16384);
    return {bytes.begin(), bytes.end()};
  }
  std::vector<WritePattern> written() const {
    std::vector<WritePattern> out;
    join(context.log.begin(), context.log.end(), out);
    return out;
  }
  static constexpr CoreKind kOneCore[] = {CoreKind::Joint};
  Memory memory{MemoryMap(Target::A5, 0, kOneCore, VL)};
  StepContext context{memory};
  Bound bound{};
};

// Runs it plainly, and by a plan that was made on other numbers; the plan, if there is one.
std::unique_ptr<Plan> same_by_plan(AnyLowering lowering) {
  Bench plain, planned, other(-7);
  run_any(plain.context, plain.bound, kType, lowering);
  std::vector<std::byte> numbers = planned.ub();
  std::memcpy(planned.memory.bytes(Space::Ub, 0, 16384).data(), other.ub().data(), 16384);
  auto plan = run_and_plan(planned.context, planned.bound, kType, lowering);
  if (plan == nullptr) return plan;
  std::memcpy(planned.memory.bytes(Space::Ub, 0, 16384).data(), numbers.data(), 16384);
  REQUIRE(plan->run(planned.context));
  CHECK(planned.ub() == plain.ub());
  CHECK(planned.written() == plain.written());
  return plan;
}

}  // namespace

TEST_CASE("plan: a register keeps what was loaded where other bytes are stored before it is used") {
  const auto plan = same_by_plan([](AnyCore& core, const Bound&, DType) {
    const AnyReg early = load(core, 0), other = load(core, 1024);
    store(core, 0, twice(core, other));
    store(core, 2048, twice(core, early));
    store(core, 4096, early);
  });
  CHECK(plan != nullptr);
}

TEST_CASE("plan: a result is not made where its operands stand, nor where others are still to be read") {
  CHECK(same_by_plan([](AnyCore& core, const Bound&, DType) {
          for (std::uint64_t at = 0; at < 4096; at += VL) store(core, at, twice(core, load(core, at)));
        }) != nullptr);
  CHECK(same_by_plan([](AnyCore& core, const Bound&, DType) {
          const AnyReg result = twice(core, load(core, 0)), before = twice(core, load(core, 512));
          store(core, 1024, before);
          store(core, 512, result);
        }) != nullptr);
  // The destination lies half a register behind the source.
  CHECK(same_by_plan([](AnyCore& core, const Bound&, DType) {
          for (std::uint64_t at = 0; at < 4096; at += VL) store(core, at + 128, twice(core, load(core, at)));
        }) != nullptr);
}

TEST_CASE("plan: stores under predicates that only data tells") {
  CHECK(same_by_plan([](AnyCore& core, const Bound&, DType) {
          const AnyReg a = load(core, 0), b = load(core, 256),
                       limit = core.broadcast(kType, {0x42000000, kType, 0}, all(core));
          const AnyPred less = core.compare(CompareOp::Lt, kType, all(core), a, limit);
          core.store_lanes(kType, kOp, 1024, BLK, b, less);
          store(core, 2048, twice(core, b));
          core.store_lanes(kType, kOp, 4096, BLK, core.select(kType, less, a, b), core.predicate(first_lanes_of(4, 5)));
        }) != nullptr);
}

// Columns of a matrix of `rows` rows, one gather each, to rows of their own; in two parts where there are more rows than
// lanes. `stride`: from row to row, in elements.
template <DType type, std::uint32_t rows, std::uint32_t columns, std::uint32_t to>
void turn_over(AnyCore& core, const Bound&, DType) {
  constexpr std::uint32_t kSize = size_bytes(type), kLanes = VL / kSize, kStride = columns + 3;
  constexpr DType kIndex = kSize == 2 ? DType::U16 : DType::U32;
  for (std::uint32_t column = 0; column < columns; ++column)
    for (std::uint32_t row = 0; row < rows; row += kLanes) {
      const AnyPred on = core.predicate(first_lanes_of(kSize, rows - row));
      const AnyReg lanes = core.counting(kIndex, row, 1), stride = core.broadcast(kIndex, {kStride, kIndex, 0}, on),
                   first = core.broadcast(kIndex, {column, kIndex, 0}, on);
      const AnyReg places =
          core.lanewise(LaneOp::Add, kIndex, on, core.lanewise(LaneOp::Mul, kIndex, on, lanes, stride), first);
      const AnyReg values = core.gather(type, kIndex, kSize, kOp, {0, 8192}, places, on);
      core.store_lanes(type, kOp, to + (column * ((rows + kLanes - 1) / kLanes * kLanes) + row) * kSize, BLK, values,
                       on);
    }
}

TEST_CASE("plan: gathers of columns that stand side by side are turned over together") {
  CHECK(same_by_plan(turn_over<DType::F32, 16, 8, 8192>) != nullptr);
  CHECK(same_by_plan(turn_over<DType::F32, 21, 21, 8192>) != nullptr);
  CHECK(same_by_plan(turn_over<DType::F32, 64, 16, 8192>) != nullptr);
  CHECK(same_by_plan(turn_over<DType::F32, 70, 9, 8192>) != nullptr);
  CHECK(same_by_plan(turn_over<DType::F16, 37, 20, 8192>) != nullptr);
  CHECK(same_by_plan(turn_over<DType::F16, 128, 17, 8192>) != nullptr);
  // Results that stand where later columns come from.
  CHECK(same_by_plan(turn_over<DType::F32, 16, 8, 256>) != nullptr);
  CHECK(same_by_plan(turn_over<DType::F16, 37, 20, 512>) != nullptr);
}

TEST_CASE("plan: pairs of registers, row by row, from and to places that meet") {
  CHECK(same_by_plan([](AnyCore& core, const Bound&, DType) {
          for (std::uint32_t row = 0; row < 8; ++row)
            for (const Move2 kind : {Move2::Interleave, Move2::Deinterleave}) {
              const auto pair =
                  kind == Move2::Interleave
                      ? core.move2<Move2::Interleave>(kType, load(core, row * 256), load(core, 2048 + row * 256))
                      : core.move2<Move2::Deinterleave>(kType, load(core, row * 256), load(core, 2048 + row * 256));
              const std::uint32_t to = kind == Move2::Interleave ? 4096 : 8192;
              store(core, to + row * 512, pair.lo);
              store(core, to + row * 512 + 256, pair.hi);
            }
        }) != nullptr);
  CHECK(same_by_plan([](AnyCore& core, const Bound&, DType) {
          for (std::uint32_t row = 0; row < 8; ++row) {
            const auto pair = core.move2<Move2::Interleave>(kType, load(core, row * 512), load(core, row * 512 + 256));
            store(core, 256 + row * 512, pair.lo);
            store(core, row * 512, pair.hi);
            core.store_pairs(kOp, 8192 + row * 512, load(core, row * 256), pair.lo,
                             core.predicate(first_lanes_of(4, 8 * row)));
          }
        }) != nullptr);
}

TEST_CASE("plan: every vector instruction on tiles of a usual size") {
  const std::vector<Valid> shapes{{24, 128}, {17, 72}, {64, 64}};
  std::uint32_t number = 0, ran = 0;
  for (const InstructionRow* row : vector_instructions())
    for (const Target target : {Target::A5, Target::A2A3})
      for (int t = 0; t < kDTypes; ++t) {
        const auto type = static_cast<DType>(t);
        if (!row->types(target, {}).contains(type)) continue;
        if (++number % rounds(16u, 2u, 1u) != 0) continue;
        CAPTURE(std::string(row->name));
        CAPTURE(std::string(name(type)));
        CAPTURE(static_cast<int>(target));
        Random random(number);
        ProgramBuilder builder(target, "all");
        add_full_vector(builder, random, target, *row, type, shapes[number % shapes.size()]);
        Diagnostics diagnostics;
        const auto recording = Recording::run(builder.build(diagnostics), {.budget_bytes = std::size_t{8} << 20});
        if (recording->count() == 0) continue;
        check_by_plans(*recording);
        ++ran;
      }
  CHECK(ran > number / rounds(20u, 3u, 2u));
}

TEST_CASE("plan: a lowering that looks at data has none") {
  CHECK(same_by_plan([](AnyCore& core, const Bound&, DType) {
          const AnyReg a = load(core, 0);
          const AnyPred positive = core.compare(CompareOp::Gt, kType, all(core), a, core.zero());
          if (lane_is_on(core.bits(positive), 0)) store(core, 1024, a);
        }) == nullptr);
  CHECK(same_by_plan([](AnyCore& core, const Bound&, DType) {
          const AnyPred known = all(core);
          if (lane_is_on(core.bits(known), 0)) store(core, 1024, load(core, 0));
        }) != nullptr);
}

TEST_CASE("plan: what it saw of control registers must be there when it runs") {
  const AnyLowering by_register = [](AnyCore& core, const Bound&, DType) {
    store(core, core.peek(Space::Spr, 0), load(core, 0));
    core.store_scalar(kOp, Space::Spr, 0, 8, {512, DType::U64, 0});
    store(core, core.peek(Space::Spr, 0) + 256, load(core, 0));
  };
  Bench bench;
  bench.memory.set_element(Space::Spr, 0, 8, 2048);
  const auto plan = run_and_plan(bench.context, bench.bound, kType, by_register);
  REQUIRE(plan != nullptr);
  CHECK_FALSE(plan->run(bench.context));  // the lowering itself left 512 there
  bench.memory.set_element(Space::Spr, 0, 8, 2048);
  CHECK(plan->run(bench.context));
  // Known by number, the lowering runs where its plan may not.
  Plans plans(0);
  bench.context.plans = &plans;
  bench.context.plan = 3;
  bench.memory.set_element(Space::Spr, 0, 8, 1024);
  run_any(bench.context, bench.bound, kType, by_register);
  bench.memory.set_element(Space::Spr, 0, 8, 8192);
  run_any(bench.context, bench.bound, kType, by_register);
  CHECK(std::ranges::equal(bench.memory.bytes(Space::Ub, 8192, VL), bench.memory.bytes(Space::Ub, 0, VL)));
}

TEST_CASE("plan: a mask that a register held is taken for the one that is there, until others come") {
  const AnyLowering masked = [](AnyCore& core, const Bound&, DType) {
    const AnyPred mask = core.load_predicate<PredLoad::Norm>(kType, kOp, Space::Reg, 0, 32);
    core.store_lanes(kType, kOp, 1024, BLK, twice(core, load(core, 0)), mask);
  };
  Bench plain, planned;
  Plans plans(0);
  planned.context.plans = &plans;
  planned.context.plan = 0;
  const auto run = [&](std::uint32_t lanes) {
    for (Bench* bench : {&plain, &planned}) {
      const VPred mask = first_lanes_of(4, lanes);
      std::memcpy(bench->memory.bytes(Space::Reg, 0, sizeof mask).data(), &mask, sizeof mask);
      std::memset(bench->memory.bytes(Space::Ub, 1024, VL).data(), 0, VL);
      run_any(bench->context, bench->bound, kType, masked);
    }
    CAPTURE(lanes);
    CHECK(planned.ub() == plain.ub());
    CHECK(planned.written() == plain.written());
  };
  for (int i = 0; i < 5; ++i) run(64);
  CHECK(plans.may_assume(0));
  for (std::uint32_t lanes = 0; lanes <= 64; ++lanes) run(lanes);
  CHECK_FALSE(plans.may_assume(0));
  for (std::uint32_t lanes = 0; lanes <= 64; ++lanes) run(lanes);
  CHECK_FALSE(plans.empty());
}

TEST_CASE("plan: the list of all plans is bounded") {
  Bench bench;
  Plans plans(0, 64 << 10);
  bench.context.plans = &plans;
  std::size_t most = 0;
  for (std::uint32_t key = 0; key < 200; ++key) {
    bench.context.plan = key;
    run_any(bench.context, bench.bound, kType, [](AnyCore& core, const Bound&, DType) {
      for (std::uint64_t at = 0; at < 2048; at += VL) store(core, at + 4096, twice(core, load(core, at)));
    });
    most = std::max(most, plans.held_bytes());
  }
  CHECK_FALSE(plans.empty());
  CHECK(most < (64 << 10) + 200 * 64);
}

TEST_CASE("plan: recordings with and without plans are the same") {
  for (const Target target : {Target::A2A3, Target::A5}) {
    const auto with = record_random(77, target, 400);
    check_by_plans(*with);
    RecordOptions options{.budget_bytes = kPlentyOfBytes};
    options.limits.plans = false;
    const auto without = record_random(77, target, 400, options);
    CHECK(with->digest() == without->digest());
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      const auto looping = record_random_text(seed, target), plain = record_random_text(seed, target, options);
      check_same_steps(*looping, *plain);
      CHECK(looping->digest() == plain->digest());
    }
  }
}

}  // namespace ts::test
