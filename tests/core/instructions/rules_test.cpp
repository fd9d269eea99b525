// One test per rule of the compute instructions: its id, the operand, the values in the text, the line; and nothing of
// the instruction executed.
#include <doctest/doctest.h>

#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

// TDEINTERLEAVE on four tiles.
ProgramBuilder two_sources(const TileType& dst0, const TileType& dst1, const TileType& src0, const TileType& src1,
                           Target target = Target::A5) {
  HandTiles tile(target);
  const TileId a = tile("a", src0), b = tile("b", src1), c = tile("c", dst0), d = tile("d", dst1);
  tile.builder.add("tdeinterleave", {a, b}, {c, d});
  return std::move(tile.builder);
}
ProgramBuilder one_source(const TileType& dst0, const TileType& dst1, const TileType& src) {
  HandTiles tile(Target::A5);
  const TileId a = tile("a", src), c = tile("c", dst0), d = tile("d", dst1);
  tile.builder.add("tdeinterleave", {a}, {c, d});
  return std::move(tile.builder);
}
ProgramBuilder add(Target target, const TileType& dst, const TileType& src0, const TileType& src1) {
  HandTiles tile(target);
  const TileId a = tile("a", src0), b = tile("b", src1), c = tile("c", dst);
  tile.builder.add("tadd", {a, b}, {c});
  return std::move(tile.builder);
}

struct HandTsels {
  Target target = Target::A5;
  TileType dst = f32(4, 64, 4, 64), src = dst, mask = vec_tile(DType::U8, 4, 32), tmp = vec_tile(DType::F32, 1, 8);
  DType scalar = DType::F32;
  std::uint32_t dst_at = 0x4000, src_at = 0x8000, mask_at = 0xC000, tmp_at = 0x10000;
  bool strict = false;
};
ProgramBuilder select(const HandTsels& s) {
  HandTiles tile(s.target);
  tile.builder.options().strict = s.strict;
  const TileId dst = tile("d", s.dst, {.address = s.dst_at}), src = tile("s", s.src, {.address = s.src_at}),
               mask = tile("m", s.mask, {.address = s.mask_at});
  std::vector<BuildOperand> inputs{mask, src};
  if (s.target == Target::A2A3) inputs.push_back(tile("t", s.tmp, {.address = s.tmp_at}));
  inputs.push_back(Scalar{s.scalar, 0});
  tile.builder.add("tsels", inputs, {dst});
  return std::move(tile.builder);
}

}  // namespace

TEST_CASE("TDI-R0: no tdeinterleave on a2a3") {
  const TileType t = f32(1, 8, 1, 8);
  check_told(two_sources(t, t, t, t, Target::A2A3), {"TDI-R0", Severity::Error, "", {"tdeinterleave", "a2a3", "no"}});
}

TEST_CASE("TDI-R1: element types") {
  for (const DType type : {DType::I64, DType::U64}) {
    const TileType t = vec_tile(type, 1, 8);
    check_told(two_sources(t, t, t, t), {"TDI-R1", Severity::Error, "dst0", {name(type), "not supported"}});
  }
}

TEST_CASE("TDI-R2: row-major tiles") {
  const TileType t = f32(8, 8, 8, 8);
  check_told(two_sources(t, t, col_major(t), t),
             {"TDI-R2", Severity::Error, "src0", {"src0", "col_major", "row_major"}});
  check_told(two_sources(t, col_major(t), t, t), {"TDI-R2", Severity::Error, "dst1", {"dst1", "col_major"}});
  TileType boxed = f32(16, 16, 16, 16);
  boxed.slayout = InnerOrder::RowMajor;
  const TileType wide = f32(16, 16, 16, 16);
  check_told(two_sources(wide, wide, boxed, wide), {"TDI-R2", Severity::Error, "src0", {"zz"}});
  const TileType half = f32(8, 8, 8, 4);
  check_told(one_source(half, half, col_major(f32(8, 128, 8, 8))), {"TDI-R2", Severity::Error, "src", {"col_major"}});
}

TEST_CASE("TDI-R3: one element type") {
  const TileType t = f32(1, 8, 1, 8), i = vec_tile(DType::I32, 1, 8);
  check_told(two_sources(t, t, t, i), {"TDI-R3", Severity::Error, "src1", {"f32", "i32"}});
  check_told(two_sources(t, i, t, t), {"TDI-R3", Severity::Error, "dst1", {"f32", "i32"}});
  check_told(one_source(f32(1, 64, 1, 64), f32(1, 64, 1, 64), vec_tile(DType::U32, 1, 128)),
             {"TDI-R3", Severity::Error, "src", {"f32", "u32"}});
}

TEST_CASE("TDI-R4: one valid shape") {
  const TileType t = f32(2, 8, 2, 8);
  check_told(two_sources(t, t, t, f32(2, 8, 2, 6)), {"TDI-R4", Severity::Error, "src1", {"src1", "2x6", "2x8"}});
  check_told(two_sources(t, f32(2, 8, 1, 8), t, t), {"TDI-R4", Severity::Error, "dst1", {"dst1", "1x8", "2x8"}});
}

TEST_CASE("TDI-R5: an even number of columns") {
  const TileType t = f32(2, 8, 2, 7);
  check_told(two_sources(t, t, t, t), {"TDI-R5", Severity::Error, "dst0", {"validCol 7", "odd"}});
}

TEST_CASE("TDI-R6: an even number of columns of the one source") {
  const TileType to = f32(2, 8, 2, 3);
  check_told(one_source(to, to, f32(2, 128, 2, 7)), {"TDI-R6", Severity::Error, "src", {"validCol 7", "odd"}});
}

TEST_CASE("TDI-R7: rows of the one source") {
  check_told(one_source(f32(4, 8, 4, 4), f32(4, 8, 3, 4), f32(4, 128, 4, 8)),
             {"TDI-R7", Severity::Error, "dst1", {"dst1", "validRow 3", "4"}});
}

TEST_CASE("TDI-R8: destinations of half or the whole of the source's columns") {
  const TileType src = f32(2, 128, 2, 8);
  check_told(one_source(f32(2, 8, 2, 5), f32(2, 8, 2, 4), src),
             {"TDI-R8", Severity::Error, "dst0", {"dst0", "validCol 5", "4", "8"}});
  // Half for one and the whole for the other is no form: the whole one is named.
  check_told(one_source(f32(2, 8, 2, 4), f32(2, 8, 2, 8), src), {"TDI-R8", Severity::Error, "dst1", {"validCol 8"}});
}

TEST_CASE("TDI-R9: the one source is two registers wide") {
  const TileType to = f32(2, 8, 2, 4);
  check_told(one_source(to, to, f32(2, 64, 2, 8)), {"TDI-R9", Severity::Error, "src", {"64", "128"}});
  const TileType half = vec_tile(DType::F16, 2, 16, 2, 4);
  check_told(one_source(half, half, vec_tile(DType::F16, 2, 128, 2, 8)),
             {"TDI-R9", Severity::Error, "src", {"128", "256"}});
  ProgramBuilder allowed = one_source(to, to, f32(2, 64, 2, 8));
  allowed.options().tdeinterleave_allow_narrow = true;
  check_told(std::move(allowed), {"TDI-R9", kWarning, "src", {"64", "128"}});
}

TEST_CASE("TDI-R10: a destination that holds half of the source") {
  const TileType to = f32(1, 64, 1, 64), small = f32(1, 32, 1, 32);
  // Its valid shape cannot fit either.
  check_told(one_source(to, small, f32(1, 128, 1, 128)), {{"TDI-R10", Severity::Error, "dst1", {"dst1", "32", "64"}},
                                                          {"TDI-R8", Severity::Error, "dst1", {"32", "64"}}});
}

TEST_CASE("TDI-N1: a destination as wide as the source is noted") {
  const TileType to = f32(1, 128, 1, 128);
  check_told(one_source(to, to, f32(1, 128, 1, 128)), {"TDI-N1", kNote, "dst0", {"128", "64"}});
  const TileType half = f32(1, 64, 1, 64);
  check_told(one_source(half, half, f32(1, 128, 1, 128)), std::initializer_list<Told>{});
}

TEST_CASE("TADD-R1: element types") {
  const TileType bf16 = vec_tile(DType::BF16, 1, 16), u8 = vec_tile(DType::U8, 1, 32);
  check_told(add(Target::A2A3, bf16, bf16, bf16), {"TADD-R1", Severity::Error, "dst", {"bf16", "a2a3"}});
  check_told(add(Target::A2A3, u8, u8, u8), {"TADD-R1", Severity::Error, "dst", {"u8", "a2a3"}});
  check_told(add(Target::A5, bf16, bf16, bf16), std::initializer_list<Told>{});
}

TEST_CASE("TADD-R2: one element type") {
  const TileType t = f32(1, 8, 1, 8);
  for (const Target target : kBothTargets)
    check_told(add(target, t, t, vec_tile(DType::I32, 1, 8)), {"TADD-R2", Severity::Error, "src1", {"f32", "i32"}});
}

TEST_CASE("TADD-R3: row-major tiles") {
  const TileType t = f32(8, 8, 8, 8);
  for (const Target target : kBothTargets)
    check_told(add(target, t, col_major(t), t), {"TADD-R3", Severity::Error, "src0", {"src0", "col_major"}});
}

TEST_CASE("TADD-R4: one valid shape") {
  for (const Target target : kBothTargets)
    check_told(add(target, f32(16, 64, 16, 64), f32(16, 64, 16, 64), f32(16, 64, 16, 60)),
               {"TADD-R4", Severity::Error, "src1", {"src1", "16x60", "dst", "16x64"}});
}

TEST_CASE("TSS-R1: element types on a2a3") {
  HandTsels s{.target = Target::A2A3};
  s.dst = s.src = vec_tile(DType::I32, 4, 64);
  s.tmp = vec_tile(DType::I32, 1, 8);
  s.scalar = DType::I32;
  check_told(select(s), {"TSS-R1", Severity::Error, "dst", {"i32", "a2a3"}});
  ProgramBuilder library = select(s);
  library.options().library_types = true;
  check_told(std::move(library), std::initializer_list<Told>{});
}

TEST_CASE("TSS-R2: element types on a5") {
  HandTsels s;
  s.dst = s.src = vec_tile(DType::BF16, 4, 64);
  s.scalar = DType::BF16;
  check_told(select(s), {"TSS-R2", Severity::Error, "dst", {"bf16", "a5"}});
}

TEST_CASE("TSS-R3: dst, src and scalar of one type") {
  for (const Target target : kBothTargets) {
    HandTsels s{.target = target};
    s.scalar = DType::F16;
    check_told(select(s), {"TSS-R3", Severity::Error, "scalar", {"dst f32", "src f32", "scalar f16"}});
  }
  HandTsels s;
  s.src = vec_tile(DType::I32, 4, 64);
  check_told(select(s), {"TSS-R3", Severity::Error, "scalar", {"dst f32", "src i32", "scalar f32"}});
}

TEST_CASE("TSS-R4: row-major dst and src") {
  for (const Target target : kBothTargets) {
    HandTsels s{.target = target};
    s.dst = col_major(f32(8, 64, 8, 64));
    s.src = f32(8, 64, 8, 64);
    s.mask = vec_tile(DType::U8, 8, 32);
    check_told(select(s), {"TSS-R4", Severity::Error, "dst", {"dst", "col_major"}});
  }
}

TEST_CASE("TSS-R5: a row-major mask on a5") {
  HandTsels s;
  s.mask = col_major(vec_tile(DType::U8, 32, 32));
  check_told(select(s), {"TSS-R5", Severity::Error, "mask", {"mask", "col_major"}});
}

TEST_CASE("TSS-R6: one valid shape") {
  for (const Target target : kBothTargets) {
    HandTsels s{.target = target};
    s.src = f32(4, 64, 3, 64);
    check_told(select(s), {"TSS-R6", Severity::Error, "src", {"src", "3x64", "dst", "4x64"}});
  }
}

TEST_CASE("TSS-R7: a mask with too few bits or rows") {
  for (const Target target : kBothTargets) {
    HandTsels s{.target = target};
    s.dst = s.src = f32(4, 512, 4, 300);
    check_told(select(s), {"TSS-R7", kWarning, "mask", {"256 bits", "300"}});
    HandTsels rows{.target = target};
    rows.mask = vec_tile(DType::U8, 3, 32);
    check_told(select(rows), {"TSS-R7", kWarning, "mask", {"3 rows", "4"}});
  }
}

TEST_CASE("TSS-R8: tmp takes the scalar") {
  HandTsels s{.target = Target::A2A3};
  s.tmp = vec_tile(DType::U8, 1, 32);
  check_told(select(s), {"TSS-R8", kWarning, "tmp", {"1x32", "u8", "f32"}});
  s.strict = true;
  check_told(select(s), {"TSS-R8", Severity::Error, "tmp", {"1x32", "u8", "f32"}});
  // On a5 nobody looks at it.
  HandTsels a5;
  a5.tmp = s.tmp;
  check_told(select(a5), std::initializer_list<Told>{});
}

TEST_CASE("TSS-R9: tmp apart from src, mask and dst") {
  for (const char* other : {"src", "mask", "dst"}) {
    HandTsels s{.target = Target::A2A3};
    s.tmp_at = std::string_view(other) == "src"    ? s.src_at + 0x20
               : std::string_view(other) == "mask" ? s.mask_at
                                                   : s.dst_at + 0x40;
    check_told(select(s), {"TSS-R9", kWarning, "tmp", {"tmp", other, "overlaps"}});
  }
}

TEST_CASE("G1: tiles in vec") {
  TileType mat = f32(1, 8, 1, 8);
  mat.loc = TileLoc::Mat;
  const TileType t = f32(1, 8, 1, 8);
  for (const Target target : kBothTargets)
    check_told(add(target, t, t, mat),
               {"G1", Severity::Error, "src1", {"tadd", "src1", "mat", "vec"}, true, FindingKind::Reach});
}

TEST_CASE("G2: a valid shape inside the static one") {
  const TileType t = f32(4, 16, 4, 16);
  check_told(add(Target::A5, t, f32(4, 16, 5, 16), t), {"G2", Severity::Error, "src0", {"src0", "5x16", "4x16"}});
  check_told(add(Target::A5, t, f32(4, 16, 4, 17), t), {"G2", Severity::Error, "src0", {"src0", "4x17", "4x16"}});
  // Only known when it runs.
  for (const Target target : kBothTargets) {
    HandTiles tile(target);
    const TileId a = tile("a", t), c = tile("c", t);
    const TileId b =
        tile.builder.tile("b", f32(4, 16, kDynamic, kDynamic), {.address = 0x20000, .valid_rows = 4, .valid_cols = 18});
    tile.builder.add("tadd", {a, b}, {c});
    check_told(std::move(tile.builder), {"G2", Severity::Error, "src1", {"src1", "4x18", "4x16"}});
  }
}

TEST_CASE("G3: alignment and the end of the memory") {
  for (const Target target : kBothTargets) {
    const TileType t = f32(1, 8, 1, 8);
    HandTiles odd(target);
    TileId a = odd("a", t), b = odd("b", t), c = odd("c", t, {.address = 0x1010});
    odd.builder.add("tadd", {a, b}, {c});
    check_told(std::move(odd.builder), {"G3", Severity::Error, "dst", {"dst", "0x1010", "32"}});

    const std::uint32_t capacity = capacity_bytes(target, Space::Ub);
    HandTiles end(target);
    a = end("a", t), b = end("b", t), c = end("c", f32(2, 8, 2, 8), {.address = capacity - 32});
    end.builder.add("tadd", {a, b}, {c});
    check_told(std::move(end.builder), {"G3", Severity::Error, "dst", {"dst", "outside ub", std::to_string(capacity)}});
  }
}

TEST_CASE("G5: a result over a source still to be read") {
  const TileType t = f32(4, 64, 4, 64);
  for (const Target target : kBothTargets) {
    // Shifted by a row.
    HandTiles shifted(target);
    TileId a = shifted("a", t, {.address = 0x4000}), b = shifted("b", t, {.address = 0x8000}),
           c = shifted("c", t, {.address = 0x4100});
    shifted.builder.add("tadd", {a, b}, {c});
    check_told(std::move(shifted.builder), {"G5", kWarning, "dst", {"dst", "0x4100", "src0", "0x4000", "overlaps"}});
    // Exactly in place is safe; at the same place with another pitch it is not.
    HandTiles in_place(target);
    a = in_place("a", t, {.address = 0x4000}), b = in_place("b", t, {.address = 0x8000}),
    c = in_place("c", t, {.address = 0x4000});
    in_place.builder.add("tadd", {a, b}, {c});
    check_told(std::move(in_place.builder), std::initializer_list<Told>{});
    HandTiles pitch(target);
    a = pitch("a", f32(4, 72, 4, 64), {.address = 0x4000}), b = pitch("b", t, {.address = 0x8000}),
    c = pitch("c", t, {.address = 0x4000});
    pitch.builder.add("tadd", {a, b}, {c});
    check_told(std::move(pitch.builder), {"G5", kWarning, "dst", {"overlaps"}});
    // A mask under the result.
    HandTsels s{.target = target};
    s.mask_at = s.dst_at + 0x20;
    check_told(select(s), {"G5", kWarning, "dst", {"dst", "mask"}});
  }
  HandTiles pairs(Target::A5);
  const TileId a = pairs("a", t, {.address = 0x4000}), b = pairs("b", t, {.address = 0x8000}),
               c = pairs("c", t, {.address = 0xC000}), d = pairs("d", t, {.address = 0x8000});
  pairs.builder.add("tdeinterleave", {a, b}, {c, d});
  check_told(std::move(pairs.builder), {"G5", kWarning, "dst1", {"dst1", "src1", "overlaps"}});
}

TEST_CASE("G6: no valid row or column is legal and changes nothing") {
  for (const Target target : kBothTargets) {
    check_told(add(target, f32(4, 16, 0, 16), f32(4, 16, 0, 16), f32(4, 16, 0, 16)), std::initializer_list<Told>{});
    check_told(add(target, f32(4, 16, 4, 0), f32(4, 16, 4, 0), f32(4, 16, 4, 0)), std::initializer_list<Told>{});
  }
}

}  // namespace ts::test
