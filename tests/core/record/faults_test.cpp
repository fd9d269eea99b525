// Accesses that the hardware would not survive: the run stops at that step, and everything is as it was before it.
#include <doctest/doctest.h>

#include <cstring>

#include "core/record/inspector.h"
#include "core/record/recording.h"
#include "tests/support/engine/simd_levels.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/random.h"

namespace ts::test {
namespace {

// A start that writes something, then an instruction whose loads run past the end of UB.
struct Faulty {
  Program program;
  const char* rule;
};

Faulty at_the_end(Target target, std::string_view instruction, DType type) {
  const std::uint32_t capacity = capacity_bytes(target, Space::Ub), block = BLK / size_bytes(type);
  ProgramBuilder builder(target, "over the end");
  // Three columns at the end of UB: a load of 256 bytes from there cannot be had on A5.
  const TileType tail = vec_tile(type, 2, block, 2, 3 < block ? 3 : 2);
  const TileType even = vec_tile(type, 2, block, 2, 2);
  const TileType& shape = instruction == "tdeinterleave" ? even : tail;
  const TileId a = builder.tile("a", shape, {.address = 0}), b = builder.tile("b", shape, {.address = 0x400});
  const TileId c = builder.tile("c", shape, {.address = 0x800}), d = builder.tile("d", shape, {.address = 0xC00});
  const TileId last = builder.tile("last", shape, {.address = capacity - 2 * BLK});
  builder.add("tadd", {a, b}, {c});
  if (instruction == "tadd") {
    builder.add("tadd", {a, last}, {d});
  } else if (instruction == "tsels") {
    const TileId mask = builder.tile("m", vec_tile(DType::U8, 2, 32), {.address = 0x1000});
    builder.add("tsels", {mask, last, Scalar{type, 1}}, {d});
  } else {
    builder.add("tdeinterleave", {a, last}, {c, d});
  }
  builder.add("tadd", {a, b}, {d});  // never reached
  return {build(builder), "MEM-BOUNDS"};
}

void fill(Memory& memory) {
  Random random(9);
  const Space space = Space::Ub;
  for (std::uint32_t at = 0; at < memory.map().size(space); at += 8) memory.set_element(space, at, 8, random.next());
  memory.mark(memory.map().origin(space), memory.map().size(space), Definedness::Written);
  memory.mark(memory.map().flat(space, 0x810), 5, Definedness::Never);
  memory.mark(memory.map().flat(space, 0xC04), 9, Definedness::Unspecified);
  memory.mark(memory.map().flat(space, 0xC40), 9, Definedness::Never);
}

bool same_to_the_last_byte(const Memory& a, const Memory& b) {
  if (std::memcmp(a.base(), b.base(), a.map().end()) != 0) return false;
  for (Flat at = kFirstFlat; at < a.map().end(); ++at)
    if (a.definedness(at) != b.definedness(at)) return false;
  return true;
}

void check_stopped(const Faulty& faulty) {
  const RecordOptions options{.budget_bytes = 4 << 20, .initial = fill};
  const auto recording = Recording::run(faulty.program, options);
  CHECK(recording->count() == 1);
  CHECK(recording->stop_reason() == StopReason::Error);
  REQUIRE(!recording->findings().empty());
  const Finding& finding = recording->findings().back();
  CHECK(finding.step == 1);
  CHECK(finding.diagnostic.rule == faulty.rule);
  CHECK(finding.diagnostic.severity == Severity::Error);
  CHECK(finding.diagnostic.pos == SourcePos{2, 1});
  CHECK(finding.diagnostic.text.find("ub 0x") != std::string::npos);

  // The same as a program that ends before it.
  Program first = faulty.program;
  first.instructions.resize(1);
  const auto straight = Recording::run(first, options);
  REQUIRE(straight->count() == 1);
  CHECK(same_to_the_last_byte(recording->final_memory(), straight->final_memory()));
  CHECK(recording->digest() == straight->digest());
  Inspector inspector(*recording), other(*straight);
  for (const std::uint32_t position : {1u, 0u})
    CHECK(same_to_the_last_byte(inspector.at(position), other.at(position)));
  // Nothing runs after a stop.
  CHECK(!Recording::run(faulty.program, options)->execute(0));
}

}  // namespace

TEST_CASE("fault: a load past the end of ub stops the run with everything as before the step") {
  for (const std::int64_t level : simd_levels()) {
    const OnSimdLevel on(level);
    CAPTURE(std::string(simd_level_name(level)));
    for (const char* instruction : {"tadd", "tsels", "tdeinterleave"}) {
      CAPTURE(std::string(instruction));
      for (const DType type : {DType::F32, DType::F16}) check_stopped(at_the_end(Target::A5, instruction, type));
    }
    check_stopped(at_the_end(Target::A5, "tadd", DType::I64));
  }
}

TEST_CASE("fault: a2a3 loads only the blocks it needs, so a tile at the end of ub is fine") {
  for (const char* instruction : {"tadd", "tsels"}) {
    CAPTURE(std::string(instruction));
    const auto recording = Recording::run(at_the_end(Target::A2A3, instruction, DType::F32).program,
                                          {.budget_bytes = 4 << 20, .initial = fill});
    CHECK(recording->count() == 3);
    CHECK(recording->stop_reason() == StopReason::End);
  }
}

TEST_CASE("fault: the trace and tag machines survive a step that cannot run") {
  const Faulty faulty = at_the_end(Target::A5, "tadd", DType::F32);
  const Bound bound = bound_of(faulty.program, 1);
  Memory memory(Target::A5, 0);
  fill(memory);
  for (const bool tags : {false, true}) {
    StepContext context(memory);
    Trace trace;
    TagMemory tag_memory(memory.map());
    context.trace = &trace;
    context.tags = &tag_memory;
    const LoweringTable& table = tags ? bound.row->machines.tag() : bound.row->machines.trace();
    table.at(Target::A5, DType::F32)(context, bound);
    CHECK(static_cast<bool>(context.fault));
    CHECK(context.fault.rule() == "MEM-BOUNDS");
    CHECK(context.fault.space == Space::Ub);
  }
}

TEST_CASE("fault: a mask row that is not aligned for its load") {
  // The rules keep every tile aligned; only an address put in by hand gets here.
  ProgramBuilder builder(Target::A5, "misaligned");
  const TileId dst = builder.tile("d", vec_tile(DType::F32, 1, 8), {.address = 0x400}),
               src = builder.tile("s", vec_tile(DType::F32, 1, 8), {.address = 0x800});
  const TileId mask = builder.tile("m", vec_tile(DType::U8, 1, 32), {.address = 0xC00});
  builder.add("tsels", {mask, src, Scalar{DType::F32, 0}}, {dst});
  const Program program = build(builder);
  Bound bound = bound_of(program, 0);
  for (Operand& operand : bound.operands)
    if (operand.spec->role == Role::Mask) operand.tile.address += 8;
  Memory memory(Target::A5, 0);
  StepContext context(memory);
  bound.row->machines.run().at(Target::A5, DType::F32)(context, bound);
  REQUIRE(static_cast<bool>(context.fault));
  CHECK(context.fault.rule() == "MEM-ALIGN");
  CHECK(context.fault.address == 0xC08);
  CHECK(context.fault.text().find("0xc08") != std::string::npos);
  CHECK(context.fault.text().find("16") != std::string::npos);
}

}  // namespace ts::test
