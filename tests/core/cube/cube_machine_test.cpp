// What programs cannot bring about, since rules come first: a product whose operand is not in its memory. What the cube
// core does otherwise, the tests of its instructions look at.
#include "core/cube/cube_machine.h"

#include <doctest/doctest.h>

namespace ts::test {
namespace {

TileRef operand(TileLoc loc, std::uint32_t address, InnerOrder inner) {
  const TileType type{.loc = loc,
                      .dtype = DType::F16,
                      .rows = 16,
                      .cols = 16,
                      .blayout = loc == TileLoc::Right ? BoxOrder::RowMajor : BoxOrder::ColMajor,
                      .slayout = inner};
  return {type, address, 16, 16};
}
void multiply_outside(CubeMachine& m, const Bound&) {
  const TileType sums{.loc = TileLoc::Acc,
                      .rows = 16,
                      .cols = 16,
                      .blayout = BoxOrder::ColMajor,
                      .slayout = InnerOrder::RowMajor,
                      .fractal = 1024};
  const std::uint32_t end = capacity_bytes(Target::A5, Space::L0a);
  m.mad({.left = operand(TileLoc::Left, end - 64, InnerOrder::RowMajor),
         .right = operand(TileLoc::Right, 0, InnerOrder::ColMajor),
         .acc = {sums, 0, 16, 16},
         .m = 16,
         .n = 16,
         .k = 16});
}

}  // namespace

TEST_CASE("cube: an operand outside its memory is a fault, and nothing is computed") {
  const InstructionRow row{.name = "test",
                           .summary = "",
                           .forms = {},
                           .typed_by = "dst",
                           .types = nullptr,
                           .machines = cube_machines<multiply_outside>()};
  const Options options;
  const OperandSpec spec{"dst", Role::Out};
  Bound bound;
  bound.row = &row;
  bound.options = &options;
  bound.operands.push_back({});
  bound.operands.back().spec = &spec;
  Memory memory(Target::A5, 4096);
  for (const auto table : {row.machines.run, row.machines.trace, row.machines.tag}) {
    StepContext context(memory);
    Trace trace;
    TagMemory tags(memory.map());
    context.trace = &trace;
    context.tags = &tags;
    table().of(bound)(context, bound);
    CHECK(context.fault);
    CHECK(context.fault.space == Space::L0a);
    CHECK(context.log.begin() == context.log.end());
  }
}

}  // namespace ts::test
