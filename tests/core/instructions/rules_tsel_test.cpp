// One test per rule of TSEL.
#include <doctest/doctest.h>

#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

struct HandTsel {
  Target target = Target::A5;
  TileType dst = vec_tile(DType::F32, 4, 64), src0 = dst, src1 = dst, mask = vec_tile(DType::U8, 4, 32),
           tmp = vec_tile(DType::U32, 1, 8);
  std::uint32_t dst_at = 0x4000, src0_at = 0x8000, src1_at = 0xC000, mask_at = 0x10000, tmp_at = 0x14000;
  Options options = {};

  void of_type(const TileType& type) { dst = src0 = src1 = type; }
  operator ProgramBuilder() const {
    HandTiles tile(target);
    tile.builder.options() = options;
    std::vector<BuildOperand> inputs{tile("m", mask, {.address = mask_at}), tile("a", src0, {.address = src0_at}),
                                     tile("b", src1, {.address = src1_at})};
    if (target == Target::A2A3) inputs.push_back(tile("t", tmp, {.address = tmp_at}));
    tile.builder.add("tsel", inputs, {tile("d", dst, {.address = dst_at})});
    return std::move(tile.builder);
  }
};

}  // namespace

TEST_CASE("tsel: nothing is told of a selection that is in order") {
  for (const Target target : kBothTargets) check_told(HandTsel{.target = target}, kNothing);
}

TEST_CASE("TSL-R1: element types on a2a3") {
  for (const DType type : {DType::U8, DType::I8, DType::I64}) {
    HandTsel s{.target = Target::A2A3};
    s.of_type(vec_tile(type, 4, 64));
    check_told(s, {"TSL-R1", Severity::Error, "dst", {name(type), "a2a3"}, true});
  }
}

TEST_CASE("TSL-R2: element types on a5") {
  HandTsel s;
  s.of_type(vec_tile(DType::I64, 4, 64));
  check_told(s, {"TSL-R2", Severity::Error, "dst", {"i64", "a5"}, true});
  s.of_type(vec_tile(DType::BF16, 4, 64));
  check_told(s, kNothing);
}

TEST_CASE("TSL-R3: dst, src0 and src1 of one type") {
  for (const Target target : kBothTargets) {
    HandTsel s{.target = target};
    s.src0 = vec_tile(DType::I32, 4, 64);
    check_told(s, {"TSL-R3", Severity::Error, "src0", {"f32", "i32"}});
    HandTsel other{.target = target};
    other.src1 = vec_tile(DType::F16, 4, 64);
    check_told(other, {"TSL-R3", Severity::Error, "src1", {"f32", "f16"}});
  }
}

TEST_CASE("TSL-R3: row-major tiles") {
  for (const Target target : kBothTargets) {
    const auto with = [&](auto change) {
      HandTsel s{.target = target};
      s.of_type(vec_tile(DType::F32, 8, 64));
      s.mask = vec_tile(DType::U8, 8, 32);
      change(s);
      return s;
    };
    check_told(with([](HandTsel& s) { s.dst = col_major(s.dst); }),
               {"TSL-R3", Severity::Error, "dst", {"dst", "col_major"}});
    check_told(with([](HandTsel& s) { s.src0 = col_major(s.src0); }),
               {"TSL-R3", Severity::Error, "src0", {"src0", "col_major"}});
    check_told(with([](HandTsel& s) { s.src1 = col_major(s.src1); }),
               {"TSL-R3", Severity::Error, "src1", {"src1", "col_major"}});
  }
  HandTsel s;
  s.mask = col_major(vec_tile(DType::U8, 32, 32));
  check_told(s, {"TSL-R3", Severity::Error, "mask", {"mask", "col_major"}});
}

TEST_CASE("TSL-R4: tmp is documented as u32") {
  HandTsel s{.target = Target::A2A3};
  s.tmp = vec_tile(DType::F32, 1, 8);
  check_told(s, {"TSL-R4", kWarning, "tmp", {"tmp", "f32", "u32"}});
  s.options.strict = 1;
  check_told(s, {"TSL-R4", Severity::Error, "tmp", {"tmp", "f32", "u32"}});
}

TEST_CASE("TSL-R5: a mask with too few bits or rows") {
  for (const Target target : kBothTargets) {
    HandTsel s{.target = target};
    s.of_type(vec_tile(DType::F32, 4, 512, 4, 300));
    s.src1_at = 0x18000;
    check_told(s, {"TSL-R5", kWarning, "mask", {"256 bits", "300"}});
    HandTsel rows{.target = target};
    rows.mask = vec_tile(DType::U8, 3, 32);
    check_told(rows, {"TSL-R5", kWarning, "mask", {"3 rows", "4"}});
  }
}

TEST_CASE("TSL-W1: the library steps through the mask in another way") {
  HandTsel bytes;
  bytes.of_type(vec_tile(DType::U8, 4, 320, 4, 300));
  bytes.mask = vec_tile(DType::U8, 4, 64);
  check_told(bytes, {"TSL-W1", kWarning, "mask", {"16 bytes"}});
  HandTsel wide;
  wide.mask = vec_tile(DType::U16, 4, 16);
  check_told(wide, {"TSL-W1", kWarning, "mask", {"16 columns", "u16"}});
  // One register of bytes, a mask of bytes, and a2a3: nothing differs.
  bytes.of_type(vec_tile(DType::U8, 4, 256));
  check_told(bytes, kNothing);
  HandTsel a2a3{.target = Target::A2A3};
  a2a3.mask = wide.mask;
  check_told(a2a3, kNothing);
}

TEST_CASE("G5: tsel over what it still reads") {
  for (const Target target : kBothTargets) {
    const auto at = [&](auto place) {
      HandTsel s{.target = target};
      place(s);
      return s;
    };
    check_told(at([](HandTsel& s) { s.dst_at = s.src0_at + 0x100; }),
               {"G5", kWarning, "dst", {"dst", "src0", "overlaps"}});
    check_told(at([](HandTsel& s) { s.dst_at = s.src1_at - 0x100; }),
               {"G5", kWarning, "dst", {"dst", "src1", "overlaps"}});
    check_told(at([](HandTsel& s) { s.mask_at = s.dst_at + 0x20; }),
               {"G5", kWarning, "dst", {"dst", "mask", "overlaps"}});
    // Exactly in place is safe.
    check_told(at([](HandTsel& s) { s.dst_at = s.src0_at; }), kNothing);
    check_told(at([](HandTsel& s) { s.dst_at = s.src1_at; }), kNothing);
  }
}

}  // namespace ts::test
