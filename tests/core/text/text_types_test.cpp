// Types: every spelling, what it is printed as, and what is said of those that cannot be.
#include <doctest/doctest.h>

#include "core/text/parse/parser.h"
#include "core/text/type.h"
#include "tests/support/text/text_outline.h"

namespace ts::test {
namespace {

using namespace ts::text;

struct TypeOf {
  Parsed parsed;
  const Type* type = nullptr;
  std::string print() const { return type == nullptr ? messages(parsed.diagnostics) : parsed.tree.types.print(*type); }
};

// The type stands at column 1 of line 2, so that columns can be counted.
TypeOf read(const std::string& spelled) {
  TypeOf result{parse_text(".arg %a :\n" + spelled)};
  const Tree& tree = result.parsed.tree;
  if (tree.first_op != kNoId) {
    const Item& types = tree.op_items(tree.ops[tree.first_op])[0];
    result.type = &tree.types[tree.children(types)[0].first];
  }
  return result;
}

std::string printed_type(const std::string& spelled) {
  const TypeOf result = read(spelled);
  CHECK(messages(result.parsed.diagnostics) == "");
  return result.print();
}

}  // namespace

TEST_CASE("types: each scalar has one name, and old ones") {
  for (int i = 0; i <= static_cast<int>(ScalarKind::HIF8); ++i) {
    const auto kind = static_cast<ScalarKind>(i);
    CAPTURE(name(kind));
    CHECK(scalar_kind(name(kind)) == kind);
    CHECK(printed_type(name(kind)) == name(kind));
    CHECK(bits(kind) > 0);
    if (const auto known = dtype(kind)) {
      CHECK(size_bits(*known) == bits(kind));
      CHECK(is_float(*known) == is_float(kind));
    }
  }
  CHECK(printed_type("int8") == "i8");
  CHECK(printed_type("u16") == "ui16");
  CHECK(printed_type("half") == "f16");
  CHECK(printed_type("float") == "f32");
  CHECK(!scalar_kind("i7").has_value());
  CHECK(dtype(ScalarKind::UI8) == DType::U8);
  CHECK(!dtype(ScalarKind::Index).has_value());
}

TEST_CASE("types: the spellings of tiles") {
  struct Case {
    const char *spelled, *printed;
  };
  // clang-format off
  const Case cases[] = {
      {"!pto.tile_buf<vec, 16x64xf32>", "!pto.tile_buf<vec, 16x64xf32>"},
      {"!pto.tile_buf<vec, 16x64xf32, valid=?x1, blayout=col_major, slayout=row_major, fractal=1024, pad=2, compact=1>",
       "!pto.tile_buf<vec, 16x64xf32, valid=?x1, blayout=col_major, slayout=row_major, fractal=1024, pad=2, compact=1>"},
      {"!pto.tile_buf< vec ,\n 16x64xf32 , pad = 0, valid=16x64, slayout=\"none_box\", compact = 2 >",
       "!pto.tile_buf<vec, 16x64xf32, compact=2>"},
      {"!pto.tile_buf<vec, 16x64xf32, valid=-1x-1>", "!pto.tile_buf<vec, 16x64xf32, valid=?x?>"},
      {"!pto.tile_buf<loc=vec, dtype=f16, rows=32, cols=32, v_row=?, v_col=4, blayout=row_major, slayout=none_box, fractal=512, pad=3, "
       "compact=1>",
       "!pto.tile_buf<vec, 32x32xf16, valid=?x4, pad=3, compact=1>"},
      {"!pto.tile_buf<32x64xf32, #pto.address_space<mat>>", "!pto.tile_buf<mat, 32x64xf32>"},
      {"!pto.tile_buf<32x32xf32, strided<[32, 1], offset: [?, ?]>, #pto.address_space<vec>>", "!pto.tile_buf<vec, 32x32xf32>"},
      {"!pto.tile_buf<32x32xf32, strided<[32, 1]>>", "!pto.tile_buf<vec, 32x32xf32>"},
      {"<loc=left, dtype=f32, rows=16, cols=16, v_row=16, v_col=16>", "!pto.tile_buf<left, 16x16xf32>"},
      {"<32x64xf32, #pto.address_space<vec>>", "!pto.tile_buf<vec, 32x64xf32>"},
      {"<acc, 16x16xf32>", "!pto.tile_buf<acc, 16x16xf32>"},
      {"!pto.tile_buf<loc=vec, f32, 16, 16, RowMajor, NoneBox, None, Zero>", "!pto.tile_buf<vec, 16x16xf32, pad=1>"},
      {"!pto.tile_buf<loc=left, int8, 32, 32, RowMajor, RowMajor, NZ, Null>", "!pto.tile_buf<left, 32x32xi8, slayout=row_major>"},
      {"!pto.tile_buf<loc=acc, f32, 16, 16, ColMajor, RowMajor, NZ, Null>",
       "!pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>"},
      {"!pto.tile<vec, f32, 16, 16, RowMajor, NoneBox, None, Null>", "!pto.tile_buf<vec, 16x16xf32>"},
      {"!pto.tile<vec, f32, 16, 16, 8, 4, row_major, none_box, 512, Null>", "!pto.tile_buf<vec, 16x16xf32, valid=8x4>"},
      {"!pto.tile<vec, f32, 16, 16, v_row=?, v_col=?, RowMajor, NoneBox, None, Invalid>", "!pto.tile_buf<vec, 16x16xf32, valid=?x?>"},
      {"!pto.tile<vec, f32, 16, 16>", "!pto.tile_buf<vec, 16x16xf32>"},
      {"!pto.tile<f32, 16, 16>", "!pto.tile<16x16xf32>"},
      {"!pto.tile_buf<f32, 64, 64>", "!pto.tile_buf<vec, 64x64xf32>"},
      {"!pto.tile<16x16xf16>", "!pto.tile<16x16xf16>"},
      {"!pto.tile<2x16x16xf16>", "!pto.tile<2x16x16xf16>"},
      {"!pto.tile<16x16xi1>", "!pto.tile<16x16xi1>"},
      {"!pto.tile<predicate, 16, 16>", "!pto.tile<16x16xi1>"},
      {"!pto.tile<...>", "!pto.tile<...>"},
      {"!pto.tile_buf< ... >", "!pto.tile_buf<...>"},
      {"<...>", "!pto.tile_buf<...>"},
      {"!pto.tile<RxCxi32>", "!pto.tile<RxCxi32>"},
      {"dtype", "dtype"},
      {"!pto.tile_buf<scaling, 16x2xf8E8M0FNU, slayout=row_major, fractal=32>", "!pto.tile_buf<scaling, 16x2xf8E8M0FNU, "
                                                                                "slayout=row_major, fractal=32>"},
      {"!pto.tile_buf<vec, 16x64x!pto.hif8>", "!pto.tile_buf<vec, 16x64x!pto.hif8>"},
      {"!pto.tile_buf<left, 16x64xf4E2M1FN>", "!pto.tile_buf<left, 16x64xf4E2M1FN>"},
      {"!pto.tile_buf<vec, 16x64xsi4>", "!pto.tile_buf<vec, 16x64xsi4>"},
      {"!pto.tile_buf<vec, 16x64xui4>", "!pto.tile_buf<vec, 16x64xui4>"},
      {"!pto.tile_buf<vec, 16x64xint4b_t>", "!pto.tile_buf<vec, 16x64xi4>"},
      {"!pto.tile_buf<vec, 16x64x!pto.f4E1M2x2>", "!pto.tile_buf<vec, 16x64x!pto.f4E1M2x2>"},
      {"!pto.tile_buf<vec, 16x64xfloat4_e2m1x2_t>", "!pto.tile_buf<vec, 16x64x!pto.f4E2M1x2>"},
  };
  // clang-format on
  for (const Case& c : cases) {
    CAPTURE(c.spelled);
    CHECK(printed_type(c.spelled) == c.printed);
    CHECK(printed_type(c.printed) == c.printed);
  }
}

TEST_CASE("types: what a tile's type holds") {
  const TypeOf keyed = read(
      "!pto.tile_buf<loc=mat, dtype=bf16, rows=32, cols=48, v_row=?, v_col=40, blayout=col_major, slayout=row_major, "
      "fractal=512, pad=2, compact=1>");
  REQUIRE(keyed.type != nullptr);
  CHECK(keyed.type->tile == TileType{.loc = TileLoc::Mat,
                                     .dtype = DType::BF16,
                                     .rows = 32,
                                     .cols = 48,
                                     .valid_rows = kDynamic,
                                     .valid_cols = 40,
                                     .blayout = BoxOrder::ColMajor,
                                     .slayout = InnerOrder::RowMajor,
                                     .fractal = 512,
                                     .pad = PadKind::Max});
  CHECK(keyed.type->compact == 1);
  CHECK(!keyed.type->short_tile);

  const TypeOf fp8 = read("!pto.tile_buf<left, 16x64xf8E5M2>");
  REQUIRE(fp8.type != nullptr);
  CHECK(fp8.type->scalar == ScalarKind::F8E5M2);
  CHECK(size_bytes(fp8.type->tile.dtype) == 1);

  const TypeOf mask = read("!pto.tile<16x16xi1>");
  REQUIRE(mask.type != nullptr);
  CHECK(mask.type->predicate);
  CHECK(mask.type->short_tile);
  CHECK(mask.type->tile.loc == TileLoc::Vec);

  const TypeOf elided = read("!pto.tile<...>");
  REQUIRE(elided.type != nullptr);
  CHECK(elided.type->kind == TypeKind::Elided);
  CHECK(elided.type->short_tile);
}

TEST_CASE("types: all others") {
  struct Case {
    const char *spelled, *printed;
  };
  // clang-format off
  const Case cases[] = {
      {"none", "none"},
      {"!pto.tensor_view<16x?xf32>", "!pto.tensor_view<16x?xf32>"},
      {"!pto.partition_tensor_view<1x1x1x16x64xf16>", "!pto.partition_tensor_view<1x1x1x16x64xf16>"},
      {"!pto.tile_view<16x64xf16>", "!pto.partition_tensor_view<16x64xf16>"},
      {"!pto.tensor_view<f32>", "!pto.tensor_view<f32>"},
      {"!pto.ptr<f32>", "!pto.ptr<f32>"},
      {"!pto.ptr<f32, gm>", "!pto.ptr<f32>"},
      {"!pto.ptr<f32,vec>", "!pto.ptr<f32, ub>"},
      {"!pto.ptr<f16, l0a>", "!pto.ptr<f16, l0a>"},
      {"!pto.ptr<f16, left>", "!pto.ptr<f16, l0a>"},
      {"!pto.ptr<f16, #pto.address_space<mat>>", "!pto.ptr<f16, l1>"},
      {"<f16, ub>", "!pto.ptr<f16, ub>"},
      {"<f16>", "!pto.ptr<f16>"},
      {"!pto.vreg<64xf32>", "!pto.vreg<64xf32>"},
      {"!pto.vreg<32xi64>", "!pto.vreg<32xi64>"},
      {"!pto.mask<b8>", "!pto.mask<b8>"},
      {"!pto.align", "!pto.align"},
      {"!pto.eventid_array<8>", "!pto.eventid_array<8>"},
      {"!pto.async_session", "!pto.async_session"},
      {"memref<16x?xf16, strided<[?, 1], offset: ?>, #pto.address_space<gm>>", "memref<16x?xf16, strided<[?, 1], offset: ?>, "
                                                                               "#pto.address_space<gm>>"},
      {"memref<f32,\n   affine_map<(d0) -> (d0)>>", "memref<f32, affine_map<(d0) -> (d0)>>"},
      {"vector<2x4xi16>", "vector<2x4xi16>"},
  };
  // clang-format on
  for (const Case& c : cases) {
    CAPTURE(c.spelled);
    CHECK(printed_type(c.spelled) == c.printed);
    CHECK(printed_type(c.printed) == c.printed);
  }
}

TEST_CASE("types: functions are attributes' types") {
  const auto attribute = [](const std::string& spelled) {
    const Parsed parsed = parse_text("pto.trap {t = " + spelled + "}");
    CHECK(messages(parsed.diagnostics) == "");
    return outline(parsed.tree);
  };
  CHECK(attribute("(i32, f32) -> (i64)") == "pto.trap dict[ named:t[ type:(i32, f32) -> i64 ] ]\n");
  CHECK(attribute("() -> ()") == "pto.trap dict[ named:t[ type:() -> () ] ]\n");
  CHECK(attribute("() -> (() -> i32)") == "pto.trap dict[ named:t[ type:() -> (() -> i32) ] ]\n");
  CHECK(attribute("((i32) -> i32) -> (i32, i32)") == "pto.trap dict[ named:t[ type:((i32) -> i32) -> (i32, i32) ] ]\n");
}

TEST_CASE("types: equal ones have one number, whatever their spelling") {
  const Parsed parsed = parse_text(
      "pto.x : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<loc=vec, f32, 16, 16>, !pto.tile_buf< vec, "
      "16x16xf32 >, f32, float");
  CHECK(parsed.tree.types.size() == 2);
}

TEST_CASE("types: mistakes, at their places") {
  struct Case {
    const char *spelled, *message;
  };
  // clang-format off
  const Case cases[] = {
      {"!pto.tile_buf<ubuf, 16x64xf32>", "2:15 E-TYPE unknown loc 'ubuf'\n"},
      {"!pto.tile_buf<scalar, 16x64xf32>", "2:15 E-TYPE unknown loc 'scalar'\n"},
      {"!pto.tile_buf<vec, 16x?xf32>", "2:23 E-TYPE physical columns must be a number\n"},
      {"!pto.tile_buf<vec, ?x16xf32>", "2:20 E-TYPE physical rows must be a number\n"},
      {"!pto.tile_buf<vec, 16x16x16xf32>", "2:26 E-TYPE a tile has two dimensions\n"},
      {"!pto.tile_buf<vec, 16xf32>", "2:23 E-TYPE physical columns must be a number\n"},
      {"!pto.tile_buf<vec, 16x64xi7>", "2:26 E-TYPE unknown element type 'i7'\n"},
      {"!pto.tile_buf<vec, 16x64xf32, fractal=256>", "2:39 E-TYPE unsupported fractal 256\n"},
      {"!pto.tile_buf<vec, 16x64xf32, pad=4>", "2:35 E-TYPE unknown pad '4'\n"},
      {"!pto.tile_buf<vec, 16x64xf32, pad=neg>", "2:35 E-TYPE unknown pad 'neg'\n"},
      {"!pto.tile_buf<vec, 16x64xf32, compact=3>", "2:39 E-TYPE unknown compact '3'\n"},
      {"!pto.tile_buf<vec, 16x64xf32, blayout=none_box>", "2:39 E-TYPE unknown blayout 'none_box'\n"},
      {"!pto.tile_buf<vec, 16x64xf32, layout=row_major>", "2:38 E-TYPE unknown layout 'row_major'\n"},
      {"!pto.tile_buf<vec, 16x64xf32, pad=1, pad=1>", "2:38 E-TYPE key 'pad' is given twice\n"},
      {"!pto.tile_buf<vec, 16x64xf32, valid=17x64>", "2:37 G2 valid rows 17 exceed physical rows 16\n"},
      {"!pto.tile_buf<vec, 16x64xf32, valid=16x65>", "2:40 G2 valid columns 65 exceed physical columns 64\n"},
      {"!pto.tile_buf<vec, 16x64xf32, valid=-2x64>", "2:37 E-TYPE valid size -2 is out of range\n"},
      {"!pto.tile_buf<vec, 16x64xf32, valid=16>", "2:39 E-TYPE valid takes two sizes\n"},
      {"!pto.tile_buf<vec, 16x63xf32>", "2:20 TILE-R2 row of 252 bytes is not a multiple of 32\n"},
      {"!pto.tile_buf<vec, 3x64xf32, blayout=col_major>", "2:20 TILE-R2 column of 12 bytes is not a multiple of 32\n"},
      {"!pto.tile_buf<mat, 20x64xf16, blayout=col_major, slayout=row_major>", "2:20 TILE-R3 20 rows not divisible by box rows 16\n"},
      {"!pto.tile_buf<mat, 32x40xf16, blayout=col_major, slayout=row_major>", "2:20 TILE-R3 40 columns not divisible by box columns 16\n"},
      {"!pto.tile_buf<vec, 0x64xf32>", "2:20 TILE-R1 the tile is 0x64; a tile has at least one element\n"},
      {"!pto.tile_buf<vec, 99999999999999999999x64xf32>", "2:20 E-TYPE 99999999999999999999 rows are too many\n"},
      {"!pto.tile_buf<loc=vec, rows=16, cols=64, v_row=1, v_col=1>", "2:58 E-TYPE key 'dtype' is missing\n"},
      {"!pto.tile_buf<loc=vec, dtype=f32, lines=16>", "2:35 E-TYPE unknown key 'lines'\n"},
      {"!pto.tile_buf<loc=vec, loc=vec>", "2:24 E-TYPE key 'loc' is given twice\n"},
      {"!pto.tile_buf<f32, 16, 16, 16>", "2:26 E-TYPE expected '>' or ',' in the tile's parameters\n"},
      {"!pto.tile<16x?xf32>", "2:11 E-TYPE a tile's physical shape must be numbers\n"},
      {"!pto.tile<vec, f32, 16, 16, Diagonal>", "2:29 E-TYPE unknown blayout 'Diagonal'\n"},
      {"!pto.tile<vec, f32, 16, 16, RowMajor, NoneBox, XX>", "2:48 E-TYPE unknown fractal 'XX'\n"},
      {"!pto.tile<vec, f32, 16, 16, RowMajor, NoneBox, None, Null, 1>", "2:60 E-TYPE too many parameters\n"},
      {"!pto.tile_buf<16x16xf32, #pto.address_space<gm>>", "2:45 E-TYPE unknown loc 'gm'\n"},
      {"!pto.tile_buf", "2:14 E-TYPE expected '<' before the tile's parameters\n"},
      {"!pto.tile_buf<vec, 16x64xf32\n", "2:29 E-TYPE expected '>' or ',' in the tile's parameters\n"},
      {"!pto.vreg<32xf32>", "2:11 E-TYPE 32 lanes x 32 bits = 1024 bits, a vreg has 2048\n"},
      {"!pto.vreg<99999999999999xf32>", "2:11 E-TYPE 99999999999999 lanes are too many, a vreg has 2048 bits\n"},
      {"!pto.vreg<?xf32>", "2:11 E-TYPE a vreg has one number of lanes\n"},
      {"!pto.vreg<f32>", "2:11 E-TYPE a vreg has one number of lanes\n"},
      {"!pto.mask<b64>", "2:11 E-TYPE unknown mask granularity 'b64'\n"},
      {"!pto.ptr<f32, moon>", "2:15 E-TYPE unknown memory 'moon'\n"},
      {"!pto.ptr<f31>", "2:10 E-TYPE unknown element type 'f31'\n"},
      {"!pto.eventid_array<x>", "2:20 E-TYPE expected the number of events\n"},
      {"!pto.eventide", "2:1 E-TYPE unknown type '!pto.eventide'\n"},
      {"!llvm.ptr", "2:1 E-TYPE unknown type '!llvm.ptr'\n"},
      {"f31", "2:1 E-TYPE unknown type 'f31'\n"},
      {"memref<4xf32,>", "2:14 E-TYPE expected a layout or a memory\n"},
      {"vector<f32>", "2:11 E-TYPE a vector has dimensions\n"},
      {"!pto.tensor_view<4 x f32>", "2:20 E-TYPE expected 'x' after a dimension\n"},
  };
  // clang-format on
  for (const Case& c : cases) {
    CAPTURE(c.spelled);
    const TypeOf result = read(c.spelled);
    CHECK(messages(result.parsed.diagnostics) == c.message);
    CHECK(result.type == nullptr);
  }
}

TEST_CASE("types: odd spellings that are accepted with a remark, once each") {
  const Parsed order = parse_text(
      ".arg %a :\n!pto.tile_buf<loc=vec, rows=16, dtype=f32, cols=64, v_row=16, v_col=64, blayout=row_major, slayout=none_box, "
      "fractal=512, pad=0>");
  REQUIRE(order.diagnostics.size() == 1);
  CHECK(messages(order.diagnostics) == "2:24 warning W-TYPE keys out of order (`dtype` expected)\n");
  CHECK(order.diagnostics[0].expected ==
        "order loc, dtype, rows, cols, v_row, v_col, blayout, slayout, fractal, pad, compact");
  CHECK(order.diagnostics[0].span == 4);

  const std::string zero = "!pto.tile_buf<vec, 16x64xf32, pad=zero>";
  const Parsed pad = parse_text(".arg %a :\n" + zero + "\n.arg %b : " + zero);
  REQUIRE(pad.diagnostics.size() == 1);
  CHECK(messages(pad.diagnostics) == "2:35 note W-TYPE pad takes an integer here\n");
  CHECK(pad.diagnostics[0].expected == "0 null 1 zero 2 max 3 min");
  CHECK(pad.diagnostics[0].hint == "write pad=1");

  const Parsed mask = parse_text(".arg %a :\n!pto.tile_buf<vec, 256x16xui8>");
  CHECK(messages(mask.diagnostics) == "2:20 warning TILE-R2 row of 16 bytes is not a multiple of 32\n");
}

TEST_CASE("types: what the messages advise") {
  const auto first = [](const std::string& spelled) {
    const TypeOf result = read(spelled);
    REQUIRE(!result.parsed.diagnostics.empty());
    return result.parsed.diagnostics[0];
  };
  CHECK(first("!pto.tile_buf<ubuf, 16x64xf32>").expected == "one of vec mat left right acc bias scaling");
  CHECK(first("!pto.tile_buf<ubuf, 16x64xf32>").hint == "did you mean vec (UB)?");
  CHECK(first("!pto.tile_buf<vec, 16x?xf32>").expected == "integer");
  CHECK(first("!pto.tile_buf<vec, 16x?xf32>").hint == "use valid=16x? for a run-time column count");
  CHECK(first("!pto.tile_buf<vec, 16x64xf32, fractal=256>").expected == "32, 512, 1024 (16 old)");
  CHECK(first("!pto.tile_buf<vec, 16x63xf32>").expected == "columns multiple of 8 for f32");
  CHECK(first("!pto.tile_buf<vec, 16x63xf32>").hint == "use 64 columns with valid=16x63");
  CHECK(first("!pto.vreg<32xf32>").expected == "!pto.vreg<64xf32>");
}

}  // namespace ts::test
