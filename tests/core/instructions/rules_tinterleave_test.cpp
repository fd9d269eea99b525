// One test per rule of TINTERLEAVE, and what the option for A2A3 changes for it and for TDEINTERLEAVE.
#include <doctest/doctest.h>

#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

ProgramBuilder pairs(const TileType& dst0, const TileType& dst1, const TileType& src0, const TileType& src1,
                     Target target = Target::A5, const char* instruction = "tinterleave") {
  HandTiles tile(target);
  const TileId a = tile("a", src0), b = tile("b", src1), c = tile("c", dst0), d = tile("d", dst1);
  tile.builder.add(instruction, {a, b}, {c, d});
  return std::move(tile.builder);
}

}  // namespace

TEST_CASE("TIL-R0: no tinterleave on a2a3, but by the option") {
  const TileType t = f32(1, 8, 1, 8);
  check_told(pairs(t, t, t, t, Target::A2A3), {"TIL-R0", Severity::Error, "", {"tinterleave", "a2a3", "no"}, true});
  for (const char* instruction : {"tinterleave", "tdeinterleave"}) {
    ProgramBuilder extended = pairs(t, t, t, t, Target::A2A3, instruction);
    extended.options().a2a3_interleave = 1;
    check_told(std::move(extended), std::initializer_list<Told>{});
  }
}

TEST_CASE("TIL-R1: element types") {
  for (const DType type : {DType::I64, DType::U64}) {
    const TileType t = vec_tile(type, 1, 8);
    check_told(pairs(t, t, t, t), {"TIL-R1", Severity::Error, "dst0", {name(type), "not supported"}, true});
  }
}

TEST_CASE("TIL-R2: row-major tiles") {
  const TileType t = f32(8, 8, 8, 8);
  check_told(pairs(t, t, col_major(t), t), {"TIL-R2", Severity::Error, "src0", {"src0", "col_major", "row_major"}});
  check_told(pairs(t, t, t, col_major(t)), {"TIL-R2", Severity::Error, "src1", {"src1", "col_major"}});
  check_told(pairs(col_major(t), t, t, t), {"TIL-R2", Severity::Error, "dst0", {"dst0", "col_major"}});
  check_told(pairs(t, col_major(t), t, t), {"TIL-R2", Severity::Error, "dst1", {"dst1", "col_major"}});
  const TileType wide = f32(16, 16, 16, 16);
  check_told(pairs(wide, wide, wide, boxed(TileLoc::Vec, DType::F32, 16, 16, BoxOrder::ColMajor, InnerOrder::RowMajor)),
             {"TIL-R2", Severity::Error, "src1", {"nz"}});
}

TEST_CASE("TIL-R3: one element type") {
  const TileType t = f32(1, 8, 1, 8), i = vec_tile(DType::I32, 1, 8);
  check_told(pairs(t, t, t, i), {"TIL-R3", Severity::Error, "src1", {"f32", "i32"}});
  check_told(pairs(t, t, i, t), {"TIL-R3", Severity::Error, "src0", {"f32", "i32"}});
  check_told(pairs(t, i, t, t), {"TIL-R3", Severity::Error, "dst1", {"f32", "i32"}});
}

TEST_CASE("TIL-R4: one valid shape") {
  const TileType t = f32(2, 8, 2, 8);
  check_told(pairs(t, t, t, f32(2, 8, 2, 6)), {"TIL-R4", Severity::Error, "src1", {"src1", "2x6", "2x8"}});
  check_told(pairs(t, t, f32(2, 8, 1, 8), t), {"TIL-R4", Severity::Error, "src0", {"src0", "1x8", "2x8"}});
  check_told(pairs(t, f32(2, 8, 1, 8), t, t), {"TIL-R4", Severity::Error, "dst1", {"dst1", "1x8", "2x8"}});
}

TEST_CASE("TIL-R5: an even number of columns, or, by the option, a warning") {
  const TileType t = f32(2, 8, 2, 7);
  check_told(pairs(t, t, t, t), {"TIL-R5", Severity::Error, "dst0", {"validCol 7", "odd"}});
  ProgramBuilder allowed = pairs(t, t, t, t);
  allowed.options().tinterleave_allow_odd = 1;
  check_told(std::move(allowed), {"TIL-R5", Severity::Warning, "dst0", {"validCol 7", "odd"}});
}

TEST_CASE("G5: tinterleave over a source of its own") {
  const TileType t = f32(4, 64, 4, 64);
  for (const std::uint32_t result : {0u, 1u}) {
    for (const std::uint32_t source : {0u, 1u}) {
      HandTiles tile(Target::A5);
      const TileId a = tile("a", t, {.address = 0x4000}), b = tile("b", t, {.address = 0x8000});
      const TileId c = tile("c", t, {.address = result == 0 ? 0x4000 + 0x4000 * source : 0xC000}),
                   d = tile("d", t, {.address = result == 1 ? 0x4000 + 0x4000 * source : 0x10000});
      tile.builder.add("tinterleave", {a, b}, {c, d});
      check_told(std::move(tile.builder),
                 {"G5", Severity::Warning, result == 0 ? "dst0" : "dst1", {source == 0 ? "src0" : "src1", "overlaps"}});
    }
  }
}

}  // namespace ts::test
