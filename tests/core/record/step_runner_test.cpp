// One step on a memory: which pages it touched, what they are worth afterwards, and faults.
#include "core/record/step_runner.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace ts::test {
namespace {

constexpr MicroOp kOp{.name = "test.store", .flow = FlowKind::Store, .form = "", .summary = ""};

// Instructions of no row in the catalogue, whose logs are easy to see through.
template <Lowering lowering>
const LoweringTable& only() {
  static const LoweringTable table = [] {
    LoweringTable all;
    for (auto& by_target : all.entry) std::ranges::fill(by_target, lowering);
    return all;
  }();
  return table;
}

void log_writes(StepContext& context, std::initializer_list<WritePattern> patterns) {
  WriteLog::Cursor cursor = context.log.start();
  for (const WritePattern& pattern : patterns) *cursor.next++ = pattern;
  context.log.finish(cursor);
}

Flat page_begin(const StepContext& context, std::uint32_t page) {
  return context.memory->map().origin(Space::Ub) + page * kPageBytes;
}

void writes_across_pages(StepContext& context, const Bound&) {
  const Flat begin = page_begin(context, 0);
  // The first touches page 1 at byte 952; the second, which starts behind it, at byte 62.
  log_writes(context, {{begin, 8, 3000, 2}, {begin + 10, 8, 2100, 2}, {begin + 3 * kPageBytes - 5, 10, 10, 1}});
  context.log.unspecified(begin + 5 * kPageBytes + 7, 3);
}

void faults(StepContext& context, const Bound&) {
  log_writes(context, {{page_begin(context, 0), 8, 8, 1}});
  context.fault.op = &kOp;
}

struct RunnerSetup {
  Memory memory{Target::A5, 0};
  StepRunner runner{memory};
  std::uint32_t page = memory.map().origin(Space::Ub) / kPageBytes;
  const OperandSpec spec = in("x");
  InstructionRow row{};

  bool run(const LoweringTable& (*table)()) {
    row.typed_by = "x";
    row.machines.run = table;
    Operand operand;
    operand.spec = &spec;
    operand.tile.valid_rows = operand.tile.valid_cols = 1;  // without elements it would do nothing
    return runner.run({.row = &row,
                       .form = 0,
                       .target = Target::A5,
                       .options = nullptr,
                       .pos = {},
                       .operands = {operand},
                       .attributes = {}});
  }
  Definedness definedness(std::uint32_t page_of, std::uint32_t at) const {
    return memory.definedness((page + page_of) * kPageBytes + at);
  }
};

}  // namespace

TEST_CASE("step runner: every page that was touched, once, with all bytes that were written") {
  RunnerSetup s;
  REQUIRE(s.run(only<writes_across_pages>));
  struct Range {
    std::uint32_t page, begin, end;
  };
  // Page 5 is unspecified only.
  const Range expected[] = {{0, 0, 18}, {1, 62, 960}, {2, kPageBytes - 5, kPageBytes}, {3, 0, 5}, {5, 0, 0}};
  REQUIRE(s.runner.pages().size() == std::size(expected));
  for (const Range& range : expected) {
    CAPTURE(range.page);
    const auto found = std::ranges::find(s.runner.pages(), s.page + range.page, &TouchedPage::page);
    REQUIRE(found != s.runner.pages().end());
    CHECK(found->begin == range.begin);
    CHECK(found->end == range.end);
  }
  CHECK(s.definedness(1, 951) == Definedness::Never);
  CHECK(s.definedness(1, 952) == Definedness::Written);
  CHECK(s.definedness(3, 4) == Definedness::Written);
  CHECK(s.definedness(3, 5) == Definedness::Never);
  CHECK(s.definedness(5, 7) == Definedness::Unspecified);
  CHECK(s.definedness(5, 10) == Definedness::Never);
}

TEST_CASE("step runner: a fault names the pages to put back and marks nothing") {
  RunnerSetup s;
  CHECK(!s.run(only<faults>));
  CHECK(static_cast<bool>(s.runner.fault()));
  REQUIRE(s.runner.pages().size() == 1);
  CHECK(s.runner.pages()[0].page == s.page);
  CHECK(s.definedness(0, 0) == Definedness::Never);
  // And the next step starts afresh.
  CHECK(s.run(only<writes_across_pages>));
  CHECK(!s.runner.fault());
}

}  // namespace ts::test
