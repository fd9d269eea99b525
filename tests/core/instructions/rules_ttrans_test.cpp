// One test per rule of TTRANS.
#include <doctest/doctest.h>

#include <optional>

#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

// 8x16 into 16x16, by way of tmp on a2a3.
struct Transpose {
  Target target = Target::A5;
  TileType src = vec_tile(DType::F32, 8, 16), dst = vec_tile(DType::F32, 16, 16, 16, 8);
  std::optional<TileType> tmp = {};
  std::uint32_t src_at = 0x4000, dst_at = 0xC000, tmp_at = 0x14000;
  Options options = {};

  operator ProgramBuilder() const {
    HandTiles tile(target);
    tile.builder.options() = options;
    std::vector<BuildOperand> inputs{tile("s", src, {.address = src_at})};
    if (tmp) inputs.push_back(tile("t", *tmp, {.address = tmp_at}));
    tile.builder.add("ttrans", inputs, {tile("d", dst, {.address = dst_at})});
    return std::move(tile.builder);
  }
};

}  // namespace

TEST_CASE("ttrans: nothing is told of a transposition that is in order") {
  for (const Target target : kBothTargets) check_told(Transpose{.target = target}, kNothing);
}

TEST_CASE("TTR-R0: tiles of the convolution unit") {
  for (const Target target : kBothTargets) {
    Transpose t{.target = target};
    t.src = conv_tile(DType::F32, ConvLayout::NC1HWC0, {1, 1, 2, 2, 8});
    t.src.loc = TileLoc::Vec;
    t.dst = vec_tile(DType::F32, 16, 16, 8, 4);
    check_told(t, {"TTR-R0", Severity::Error, "src", {"conv", "not supported"}});
  }
}

TEST_CASE("TTR-R1: elements of one size") {
  for (const Target target : kBothTargets) {
    Transpose t{.target = target};
    t.dst = vec_tile(DType::F16, 16, 16, 16, 8);
    check_told(t, {"TTR-R1", Severity::Error, "dst", {"src f32", "dst f16"}});
    t.dst = vec_tile(DType::U32, 16, 16, 16, 8);
    check_told(t, kNothing);
  }
}

TEST_CASE("TTR-R2: element types") {
  for (const Target target : kBothTargets) {
    Transpose t{.target = target};
    t.src = vec_tile(DType::I64, 8, 16);
    t.dst = vec_tile(DType::I64, 16, 16, 16, 8);
    check_told(t, {"TTR-R2", Severity::Error, "src", {"i64", "not supported"}, true});
  }
}

TEST_CASE("TTR-R3: a2a3: a row-major source") {
  Transpose t{.target = Target::A2A3};
  t.src = col_major(t.src);
  check_told(t, {"TTR-R3", Severity::Error, "src", {"src", "col_major", "row_major"}});
  t.options.ttrans_col_major = 1;
  check_told(t, {"TTR-R3", kWarning, "src", {"src", "col_major", "row_major"}});
}

TEST_CASE("TTR-R4: lines of whole blocks, which every tile has") {
  Transpose t;
  t.src = vec_tile(DType::F32, 8, 12);
  check_told(t, {"TILE-R2", Severity::Error, "src", {"src", "48", "32"}});
}

TEST_CASE("TTR-R5: a5: a row-major source") {
  Transpose t;
  t.src = col_major(t.src);
  check_told(t, {"TTR-R5", Severity::Error, "src", {"src", "col_major", "row_major"}});
  t.options.ttrans_col_major = 1;
  check_told(t, {"TTR-R5", kWarning, "src", {"src", "col_major", "row_major"}});
}

TEST_CASE("TTR-R6: a5: indices in 16 bits") {
  Transpose t;
  t.src = vec_tile(DType::U8, 2080, 32, 2080, 32);
  t.dst = vec_tile(DType::U8, 32, 2080);
  t.dst_at = 0x18000;
  check_told(t, {"TTR-R6", Severity::Error, "src", {"66559", "65535"}});
  // Exactly 65536 elements end at index 65535.
  t.src = vec_tile(DType::U8, 2048, 32);
  t.dst = vec_tile(DType::U8, 32, 2048);
  check_told(t, kNothing);
  // By the valid domain a wide source scatters into the result, whose indices count.
  t.options.ttrans_valid_domain = 1;
  t.src = vec_tile(DType::U8, 16, 2048);
  t.dst = vec_tile(DType::U8, 2080, 32, 2048, 16);
  check_told(t, {"TTR-R6", Severity::Error, "dst", {"66559", "65535"}});
}

TEST_CASE("TTR-R7: a result that holds the domain") {
  for (const Target target : kBothTargets) {
    Transpose t{.target = target};
    t.dst = vec_tile(DType::F32, 15, 16, 15, 8);
    t.options.ttrans_valid_domain = 1;
    check_told(t,
               {{"TTR-R7", Severity::Error, "dst", {"15x16", "16x8"}}, {"TTR-R9", kWarning, "dst", {"15x8", "16x8"}}});
  }
  // The whole tile of the source, on a5.
  Transpose whole;
  whole.src = vec_tile(DType::F32, 8, 24, 8, 16);
  check_told(whole, {"TTR-R7", Severity::Error, "dst", {"16x16", "24x8"}});
  whole.options.ttrans_valid_domain = 1;
  check_told(whole, kNothing);
}

TEST_CASE("TTR-R8: a2a3: a tmp for whole sub-tiles") {
  Transpose t{.target = Target::A2A3};
  t.tmp = vec_tile(DType::F32, 15, 16);
  check_told(t, {"TTR-R8", Severity::Error, "tmp", {"960", "1024"}});
  t.tmp = vec_tile(DType::F32, 16, 16);
  check_told(t, kNothing);
  // The way without tmp, and a5, do not look at it.
  t.tmp = vec_tile(DType::F32, 1, 8);
  t.dst = vec_tile(DType::F32, 16, 24, 16, 8);
  check_told(t, kNothing);
  t.target = Target::A5;
  check_told(t, kNothing);
}

TEST_CASE("TTR-R9: a result whose valid shape is the source's, swapped") {
  for (const Target target : kBothTargets) {
    Transpose t{.target = target};
    t.dst = vec_tile(DType::F32, 16, 16, 16, 9);
    check_told(t, {"TTR-R9", kWarning, "dst", {"16x9", "16x8"}});
    t.options.strict = 1;
    check_told(t, {"TTR-R9", Severity::Error, "dst", {"16x9", "16x8"}});
  }
}

TEST_CASE("TTR-R10: a row-major result") {
  for (const Target target : kBothTargets) {
    Transpose t{.target = target};
    t.dst = col_major(t.dst);
    check_told(t, {"TTR-R10", Severity::Error, "dst", {"dst", "col_major", "row_major"}});
    t.options.ttrans_col_major = 1;
    check_told(t, {"TTR-R10", kWarning, "dst", {"dst", "col_major", "row_major"}});
  }
}

TEST_CASE("G5: ttrans over its source, and tmp over either") {
  Transpose in_place;
  in_place.src = in_place.dst = vec_tile(DType::F32, 16, 16);
  in_place.dst_at = in_place.src_at;
  check_told(in_place, {"G5", kWarning, "dst", {"dst", "src", "overlaps"}});
  // a2a3: safe by way of a tmp elsewhere, wrong without it.
  in_place.target = Target::A2A3;
  check_told(in_place, kNothing);
  in_place.src = in_place.dst = vec_tile(DType::F32, 24, 24);
  check_told(in_place, {"G5", kWarning, "dst", {"dst", "src", "overlaps"}});
  for (const char* other : {"src", "dst"}) {
    Transpose t{.target = Target::A2A3};
    t.tmp = vec_tile(DType::F32, 16, 16);
    t.tmp_at = (std::string_view(other) == "src" ? t.src_at : t.dst_at) + 0x40;
    check_told(t, {"G5", kWarning, "tmp", {"tmp", other, "overlaps"}});
  }
}

}  // namespace ts::test
