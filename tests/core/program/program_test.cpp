// Building programs: text, placement, implicit scratch, tassign.
#include "core/program/program.h"

#include <doctest/doctest.h>

#include "core/record/inspector.h"
#include "core/record/recording.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/random.h"

namespace ts::test {
namespace {

bool overlap(const TileDecl& a, const TileDecl& b) {
  return a.type.space() == b.type.space() && a.address < b.address + b.type.size_bytes() &&
         b.address < a.address + a.type.size_bytes();
}

}  // namespace

TEST_CASE("program: instructions as text") {
  ProgramBuilder builder(Target::A5, "text");
  const TileType type = vec_tile(DType::F32, 1, 8);
  const TileId a = builder.tile("a", type), b = builder.tile("b", type), c = builder.tile("c", type),
               d = builder.tile("d", type);
  const TileId mask = builder.tile("mask", vec_tile(DType::U8, 1, 32));
  const BufferId x = builder.buffer("x", DType::F32, 8);
  builder.add("tload", {View{x, 1, 8}}, {a});
  builder.add("TADD", {a, b}, {c});
  builder.add("pto.tdeinterleave", {a, b}, {c, d});
  builder.add("tsels", {mask, a, scalar_of(DType::F32, 1.5)}, {b});
  builder.add("tstore", {c}, {View{x, 1, 8}});
  const Program program = build(builder);
  CHECK(program.text(0) == "pto.tload ins(%x) outs(%a)");
  CHECK(program.text(1) == "pto.tadd ins(%a, %b) outs(%c)");
  CHECK(program.text(2) == "pto.tdeinterleave ins(%a, %b) outs(%c, %d)");
  CHECK(program.text(3) == "pto.tsels ins(%mask, %a, 1.5) outs(%b)");
  CHECK(program.text(4) == "pto.tstore ins(%c) outs(%x)");
}

TEST_CASE("program: tiles without an address get free, aligned places") {
  for (const Target target : kBothTargets) {
    Random random(91);
    for (int round = 0; round < 50; ++round) {
      ProgramBuilder builder(target, "places");
      std::vector<TileId> tiles;
      for (int i = 0; i < 20; ++i) {
        const TileType type = vec_tile(DType::F32, random.between(1, 20), 8 * random.between(1, 8));
        if (random.one_in(3)) {
          tiles.push_back(builder.tile("given", type, {.address = static_cast<std::uint32_t>(i) * 8192}));
        } else {
          tiles.push_back(builder.tile("free", type));
        }
      }
      builder.add("tadd", {tiles[0], tiles[0]}, {tiles[0]});
      const Program program = build(builder);
      for (std::size_t i = 0; i < program.tiles.size(); ++i) {
        CHECK(program.tiles[i].address % BLK == 0);
        CHECK(program.tiles[i].address + program.tiles[i].type.size_bytes() <= capacity_bytes(target, Space::Ub));
        for (std::size_t k = 0; k < i; ++k) CHECK(!overlap(program.tiles[i], program.tiles[k]));
      }
    }
  }
}

TEST_CASE("program: on a5 the last 8 KiB of ub are for given addresses only") {
  ProgramBuilder builder(Target::A5, "reserve");
  const TileId a = builder.tile("a", vec_tile(DType::U8, 248, 1024)), b = builder.tile("b", vec_tile(DType::U8, 1, 32));
  builder.add("tadd", {b, b}, {b});
  Diagnostics diagnostics;
  builder.build(diagnostics);
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].rule == "E-PLACE");
  CHECK(a.index == 0);
  ProgramBuilder given(Target::A5, "given");
  const TileId end = given.tile("end", vec_tile(DType::U8, 1, 8192), {.address = 248 * 1024});
  given.add("tadd", {end, end}, {end});
  diagnostics.clear();
  given.build(diagnostics);
  CHECK(diagnostics.empty());
}

TEST_CASE("program: a2a3 tsels without a tmp gets scratch of its own, a5 needs none") {
  for (const Target target : kBothTargets) {
    ProgramBuilder builder(target, "scratch");
    const TileId dst = builder.tile("dst", vec_tile(DType::F32, 1, 8)),
                 src = builder.tile("src", vec_tile(DType::F32, 1, 8));
    const TileId mask = builder.tile("mask", vec_tile(DType::U8, 1, 32));
    builder.add("tsels", {mask, src, scalar_of(DType::F32, 2)}, {dst});
    const Program program = build(builder);
    CHECK(program.tiles.size() == (target == Target::A2A3 ? 4 : 3));
    // The text does not name it.
    CHECK(program.text(0) == "pto.tsels ins(%mask, %src, 2) outs(%dst)");
    const Bound bound = bound_of(program, 0);
    CHECK(bound.has("tmp") == (target == Target::A2A3));
    if (!bound.has("tmp")) continue;
    CHECK(bound.find("tmp")->implicit);
    CHECK(bound.tile("tmp").type.size_bytes() == 32);
    CHECK(bound.tile("tmp").type.dtype == DType::F32);
    for (std::size_t i = 0; i < 3; ++i) CHECK(!overlap(program.tiles[3], program.tiles[i]));
  }
}

TEST_CASE("program: tassign moves a tile for the instructions after it") {
  for (const Target target : kBothTargets) {
    ProgramBuilder builder(target, "assign");
    const TileType type = vec_tile(DType::F32, 1, 8);
    const TileId a = builder.tile("a", type, {.address = 0x100}), t = builder.tile("t", type);
    const BufferId x = builder.buffer("x", DType::F32, {1, 2, 3, 4, 5, 6, 7, 8});
    builder.add("tload", {View{x, 1, 8}}, {a});
    builder.add("tassign", {Scalar{DType::U32, 0x2000}}, {t});
    builder.add("tadd", {a, a}, {t});
    builder.add("tassign", {Scalar{DType::U32, 0x3000}}, {t});
    builder.add("tadd", {a, a}, {t});
    const auto recording = Recording::run(build(builder), {.budget_bytes = 4 << 20});
    REQUIRE(recording->count() == 5);
    CHECK(recording->program().text(1) == "pto.tassign ins(0x2000) outs(%t)");
    CHECK(recording->bound(2).tile("dst").address == 0x2000);
    CHECK(recording->bound(4).tile("dst").address == 0x3000);
    CHECK(recording->writes(1).empty());
    Inspector inspector(*recording);
    CHECK(to_double(DType::F32, inspector.at(3).element(Space::Ub, 0x2004, 4)) == 4);
    CHECK(inspector.at(3).element(Space::Ub, 0x3004, 4) == 0xCDCDCDCD);
    CHECK(to_double(DType::F32, inspector.at(5).element(Space::Ub, 0x3004, 4)) == 4);
    CHECK(inspector.trace(1).steps.empty());
  }
}

TEST_CASE("program: tassign to a bad address is refused there") {
  for (const Target target : kBothTargets) {
    for (const std::uint32_t address : {0x11u, capacity_bytes(target, Space::Ub)}) {
      ProgramBuilder builder(target, "assign");
      const TileId a = builder.tile("a", vec_tile(DType::F32, 1, 8), {.address = 0x100}),
                   t = builder.tile("t", vec_tile(DType::F32, 1, 8), {.address = 0x200});
      builder.add("tadd", {a, a}, {t});
      builder.add("tassign", {Scalar{DType::U32, address}}, {t});
      Diagnostics diagnostics;
      const Program program = builder.build(diagnostics);
      REQUIRE(diagnostics.size() == 1);
      CHECK(diagnostics[0].rule == "G3");
      CHECK(diagnostics[0].pos == SourcePos{2, 1});
      CHECK(Recording::run(program, {.budget_bytes = 4 << 20})->count() == 1);
    }
  }
}

TEST_CASE("program: buffers stand apart, so that running past one hits nobody") {
  ProgramBuilder builder(Target::A5, "buffers");
  const TileId t = builder.tile("t", vec_tile(DType::U8, 1, 32));
  std::vector<BufferId> buffers;
  for (const std::uint32_t elements : {1u, 511u, 512u, 513u})
    buffers.push_back(builder.buffer("b", DType::U8, elements));
  builder.add("tload", {View{buffers[1], 1, 32}}, {t});
  const Program program = build(builder);
  for (std::size_t i = 0; i < program.buffers.size(); ++i) {
    CHECK(program.buffers[i].address % 512 == 0);
    const std::uint32_t next = i + 1 < program.buffers.size() ? program.buffers[i + 1].address : program.gm_bytes;
    CHECK(next >= program.buffers[i].address + program.buffers[i].size() + 512);
  }
}

}  // namespace ts::test
