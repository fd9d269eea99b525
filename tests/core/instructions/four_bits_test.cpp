// Elements of 4 bits, two in a byte: who takes them and who says that it does not, where they stand, and that each half of a
// byte has an origin of its own.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/debug/origins/group_scale.h"
#include "core/debug/origins/micro_view.h"
#include "core/debug/session/session.h"
#include "core/program/arrays.h"
#include "tests/support/instructions/random_check.h"
#include "tests/support/instructions/vector_plan.h"
#include "tests/support/scale.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

constexpr DType kPacked[] = {DType::E2M1, DType::E1M2, DType::I4, DType::U4};

// Told where it is written, or run.
void told_or_run(ProgramBuilder& builder) {
  Diagnostics told;
  Program program = builder.build(told);
  if (has_error(told)) return;
  const auto recording = Recording::run(std::move(program), {.budget_bytes = std::size_t{2} << 20});
  CHECK((recording->count() == 1 || !recording->findings().empty()));
}

std::string text_of(const std::vector<Source>& sources) {
  std::string text;
  for (const Source& source : sources)
    text += fmt::format("[{}:{},{}={:x}]", source.operand, source.row, source.col, source.bits);
  return text;
}

// bf16 to f4e2m1fn, moved, and back.
constexpr const char* kThere = R"(module attributes {pto.target_arch = "a5"} {
  func.func @k(%x: !pto.ptr<bf16>, %q: !pto.ptr<!pto.f4E2M1x2>, %y: !pto.ptr<bf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %vx = pto.make_tensor_view %x, shape = [%c2, %c8], strides = [%c8, %c1] : !pto.tensor_view<2x8xbf16>
    %vq = pto.make_tensor_view %q, shape = [%c2, %c8], strides = [%c8, %c1] : !pto.tensor_view<2x8x!pto.f4E2M1x2>
    %vy = pto.make_tensor_view %y, shape = [%c2, %c8], strides = [%c8, %c1] : !pto.tensor_view<2x8xbf16>
    %px = pto.partition_view %vx, offsets = [%c0, %c0], sizes = [%c2, %c8] : !pto.tensor_view<2x8xbf16> -> !pto.partition_tensor_view<2x8xbf16>
    %pq = pto.partition_view %vq, offsets = [%c0, %c0], sizes = [%c2, %c8] : !pto.tensor_view<2x8x!pto.f4E2M1x2> -> !pto.partition_tensor_view<2x8x!pto.f4E2M1x2>
    %py = pto.partition_view %vy, offsets = [%c0, %c0], sizes = [%c2, %c8] : !pto.tensor_view<2x8xbf16> -> !pto.partition_tensor_view<2x8xbf16>
    %a = pto.alloc_tile : !pto.tile_buf<vec, 2x16xbf16, valid=2x8>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 2x64x!pto.f4E2M1x2, valid=2x8>
    %c = pto.alloc_tile : !pto.tile_buf<vec, 2x64x!pto.f4E2M1x2, valid=2x8>
    %d = pto.alloc_tile : !pto.tile_buf<vec, 2x16xbf16, valid=2x8>
    pto.tload ins(%px : !pto.partition_tensor_view<2x8xbf16>) outs(%a : !pto.tile_buf<vec, 2x16xbf16, valid=2x8>)
    pto.tcvt ins(%a : !pto.tile_buf<vec, 2x16xbf16, valid=2x8>) outs(%b : !pto.tile_buf<vec, 2x64x!pto.f4E2M1x2, valid=2x8>)
    pto.tstore ins(%b : !pto.tile_buf<vec, 2x64x!pto.f4E2M1x2, valid=2x8>) outs(%pq : !pto.partition_tensor_view<2x8x!pto.f4E2M1x2>)
    pto.tload ins(%pq : !pto.partition_tensor_view<2x8x!pto.f4E2M1x2>) outs(%c : !pto.tile_buf<vec, 2x64x!pto.f4E2M1x2, valid=2x8>)
    pto.tcvt ins(%c : !pto.tile_buf<vec, 2x64x!pto.f4E2M1x2, valid=2x8>) outs(%d : !pto.tile_buf<vec, 2x16xbf16, valid=2x8>)
    pto.tstore ins(%d : !pto.tile_buf<vec, 2x16xbf16, valid=2x8>) outs(%py : !pto.partition_tensor_view<2x8xbf16>)
    return
  }
}
)";

std::shared_ptr<const Recording> recorded(const char* text, const OpenRequest& request = {}) {
  OpenedText opened = open_text(text, {}, request);
  for (const Diagnostic& diagnostic : opened.diagnostics)
    CHECK_MESSAGE(diagnostic.severity != Severity::Error, diagnostic.format());
  REQUIRE(opened.opened);
  std::shared_ptr<const Recording> recording = Recording::run(std::move(opened.opened->program), {});
  REQUIRE(recording->stop_reason() == StopReason::End);
  return recording;
}

}  // namespace

TEST_CASE("four bits: every instruction takes them where its rule says so, or says that it does not") {
  for (const Target target : kBothTargets)
    for (const InstructionRow* row : vector_instructions()) {
      Random random(4400);
      const DTypeSet types = row->types(target, {});
      for (int t = 0; t < kDTypes; ++t) {
        const auto type = static_cast<DType>(t);
        if (!types.contains(type) || (kSanitized && t % 4 != 0)) continue;
        CAPTURE(std::string(row->name));
        CAPTURE(std::string(name(type)));
        const VectorPlan plan = plan_vector(random, target, *row, type, Valid{4, 40});
        for (std::size_t k = 0; k < plan.tiles.size(); ++k) {
          const DType packed = kPacked[random.below(4)];
          CAPTURE(plan.tiles[k].name);
          CAPTURE(std::string(name(packed)));
          VectorPlan other = plan;
          TileType& tile = other.tiles[k].type;
          (tile.row_major() ? tile.cols : tile.rows) = rounded_up(tile.row_major() ? tile.cols : tile.rows, 64);
          tile.dtype = packed;
          ProgramBuilder builder(target, "packed");
          add_vector(builder, random, target, *row, other);
          told_or_run(builder);
        }
      }
    }
}

TEST_CASE("four bits: boxes are 64 elements wide, and element e stands in byte e/2") {
  const TileType nz = boxed(TileLoc::Mat, DType::E2M1, 32, 128, BoxOrder::ColMajor, InnerOrder::RowMajor);
  CHECK(box_of(nz).rows == 16);
  CHECK(box_of(nz).cols == 64);
  CHECK(nz.size_bytes() == 32 * 64);
  const TileRef tile{nz, 0x400, 32, 128};
  CHECK(tile.place_of(17, 5) == ByteRange{Space::L1, 0x400 + 512 + 32 + 2, 1, BytePart::High});
  CHECK(tile.place_of(0, 64) == ByteRange{Space::L1, 0x400 + 1024, 1, BytePart::Low});
  const TileRef rows{vec_tile(DType::I4, 16, 128), 0, 16, 128};
  CHECK(rows.pitch_bytes() == 64);
  CHECK(rows.range().size == 1024);
  CHECK(rows.place_of(3, 7) == ByteRange{Space::Ub, 3 * 64 + 3, 1, BytePart::High});
  Diagnostics told;
  check_tile_type(vec_tile(DType::E2M1, 1, 63), "t", {}, told);
  REQUIRE(told.size() == 1);
  CHECK(told[0].text == "t row of 31.5 bytes is not a multiple of 32");
}

TEST_CASE("four bits: the DMA takes lines that begin with a byte, of as many bits as the tile's elements") {
  const auto told_of = [](DType type, std::uint32_t pitch, GlobalLayout layout, const TileType& tile) {
    ProgramBuilder builder(Target::A5, "lines");
    const View view{.buffer = builder.buffer("g", type, 4096), .rows = 3, .cols = 6, .pitch = pitch, .layout = layout};
    builder.add("tload", {view}, {builder.tile("t", tile)});
    Diagnostics told;
    builder.build(told);
    return told.empty() ? std::string() : told[0].rule + ": " + told[0].text;
  };
  const TileType rows = vec_tile(DType::E2M1, 3, 64, 3, 6);
  CHECK(told_of(DType::E2M1, 8, GlobalLayout::ND, rows).empty());
  CHECK(told_of(DType::E1M2, 8, GlobalLayout::ND, rows).empty());
  CHECK(told_of(DType::E2M1, 7, GlobalLayout::ND, rows) ==
        "TLOAD-R2: stride 7 of dimension 3 ends in the middle of a byte; two f4e2m1fn share one");
  CHECK(told_of(DType::U8, 8, GlobalLayout::ND, rows) == "TLOAD-R3: element size 1/2 here, 1 in the view");
  TileType nz = boxed(TileLoc::Mat, DType::E2M1, 16, 64, BoxOrder::ColMajor, InnerOrder::RowMajor);
  nz.valid_rows = 3, nz.valid_cols = 6;
  CHECK(told_of(DType::E2M1, 8, GlobalLayout::ND, nz).empty());
  CHECK(told_of(DType::E2M1, 8, GlobalLayout::DN, nz).starts_with("TLOAD-R2: dn view and mat nz tile of f4e2m1fn"));
  for (const DType type : {DType::I4, DType::U4})
    CHECK(told_of(type, 8, GlobalLayout::ND, vec_tile(type, 3, 64, 3, 6)).starts_with("TLOAD-R1"));
}

TEST_CASE("four bits: each half of a byte has its own origin, there and back") {
  const std::shared_ptr<const Recording> recording = recorded(kThere);
  const Program& program = recording->program();
  Inspector inspector(*recording);
  const auto origins_of = [&](std::uint32_t step, int result, int col) {
    return text_of(inspector.flow(step).sources(result, 1, static_cast<std::uint32_t>(col)));
  };
  for (int col = 0; col < 8; ++col) {
    CAPTURE(col);
    // tcvt to 4 bits: step 1; from the element beside which the other half's stands.
    const std::string one = origins_of(1, 1, col);
    CHECK(one.starts_with(fmt::format("[0:1,{}=", col)));
    CHECK(std::ranges::count(one, '[') == 1);
    // tload: an element of the buffer, which is half a byte there too.
    const std::string loaded = origins_of(3, 1, col);
    CHECK(loaded.starts_with(fmt::format("[0:0,{}=", 8 + col)));
    CHECK(std::ranges::count(loaded, '[') == 1);
    const std::string back = origins_of(4, 1, col);
    CHECK(back.starts_with(fmt::format("[0:1,{}=", col)));
    CHECK(std::ranges::count(back, '[') == 1);
  }
  // The other way round: who is made of one half, and who of the other.
  const TileRef packed = recording->bound(4).tile("src");
  for (const std::uint32_t col : {4u, 5u}) {
    const auto reached = inspector.flow(4).reached_by(packed.place_of(1, col));
    REQUIRE(reached.size() == 1);
    CHECK(reached[0].row == 1);
    CHECK(reached[0].col == col);
    const auto stored = inspector.flow(2).reached_by(recording->bound(2).tile("src").place_of(1, col));
    REQUIRE(stored.size() == 1);
    CHECK(stored[0].col == 8 + col);
  }
  // A whole byte is both.
  ByteRange byte = packed.place_of(1, 4);
  byte.part = BytePart::Whole;
  CHECK(inspector.flow(4).reached_by(byte).size() == 2);
  CHECK(inspector.flow(3).sources_of_bytes(byte).size() == 2);

  // Back to the one number that went in.
  Session session(recording);
  const BufferDecl& y = program.buffers[2];
  const Slice slice =
      session.flow().slice({.place = element_place(Space::Gm, y.address, y.dtype, 13)}, recording->count(), {});
  std::vector<std::uint32_t> inputs;
  for (const SliceNode& node : slice.nodes)
    if (node.maker == Maker::Input) inputs.push_back(node.place.address);
  CHECK(inputs == std::vector<std::uint32_t>{program.buffers[0].address + 2 * 13});
}

TEST_CASE("four bits: the scale of a group is found from each of its elements, and from no other") {
  for (const bool down : {false, true})
    for (const bool in_turn : {false, true}) {
      if (in_turn && !down) continue;
      const std::uint32_t rows = 64, cols = 64, group_rows = down ? 2 : rows, group_cols = down ? cols : 2;
      ProgramBuilder builder(Target::A5, "scales");
      const auto tile = [&](const char* name, DType type, std::uint32_t r, std::uint32_t c) {
        return builder.tile(name, vec_tile(type, r, rounded_up(c, block_elements(type)), static_cast<std::int32_t>(r),
                                           static_cast<std::int32_t>(c)));
      };
      const TileId x = tile("x", DType::BF16, rows, cols), q = tile("q", DType::E2M1, rows, cols),
                   e = tile("e", DType::E8M0, in_turn ? 1 : group_rows, in_turn ? 2 * cols : group_cols),
                   max = tile("max", DType::BF16, group_rows, group_cols),
                   scaling = tile("scaling", DType::BF16, group_rows, group_cols);
      builder.add("tload", {View{builder.buffer("g", DType::BF16, rows * cols), rows, cols}}, {x});
      builder.add(
          "tquant.mx", {x}, {q, e, max, scaling},
          {{"quant_type", "mxfp4_e2m1"}, {"grpAxis", down ? "0" : "1"}, {"interleave", in_turn ? "true" : "false"}});
      const std::shared_ptr<const Recording> recording = Recording::run(build(builder), {.budget_bytes = 4 << 20});
      REQUIRE(recording->count() == 2);
      const Bound& bound = recording->bound(1);
      Session session(recording);
      for (const auto& [row, col] : {std::pair{0u, 0u}, std::pair{1u, 33u}, std::pair{40u, 7u}, std::pair{63u, 63u}}) {
        const ByteRange place = bound.tile("dst").place_of(row, col);
        const auto found = group_scale(*recording, session.flow().makers(place, 2), place);
        REQUIRE(found);
        const std::uint32_t r = down ? row / 32 : row, c = down ? col : col / 32;
        CHECK(found->row == (in_turn ? 0 : r));
        CHECK(found->col == (in_turn ? 2 * c + r : c));
        CHECK(found->place == bound.tile("exponents").place_of(found->row, found->col));
      }
      const ByteRange other = bound.tile("max").place_of(0, 0);
      CHECK(!group_scale(*recording, session.flow().makers(other, 2), other));
    }
}

TEST_CASE("four bits: registers hold bytes of two, and are not shown as if each byte were one") {
  const std::shared_ptr<const Recording> recording = recorded(kThere);
  Inspector inspector(*recording);
  for (const std::uint32_t step : {1u, 4u}) {
    const Trace trace = inspector.trace(step);
    const MicroIndex index(trace, &recording->bound(step));
    for (const TraceValue& value : trace.values) CHECK(!is_packed(value.type));
    for (std::uint32_t id = 0; id < trace.values.size(); ++id) CHECK(!is_packed(index.value(id).type));
  }
}

TEST_CASE("four bits: arrays come one a byte, or as memory has them, and go back") {
  std::vector<std::byte> codes(16), pairs(8);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes[i] = static_cast<std::byte>(i);
    pairs[i / 2] |= static_cast<std::byte>(i << (i % 2 * 4));
  }
  data::Array one_each{"V1", {2, 8}, codes}, bytes{"u1", {2, 4}, pairs};
  for (data::Array* array : {&one_each, &bytes}) {
    pack_array(DType::E2M1, *array);
    CHECK(array->bytes == pairs);
    CHECK(array->shape == std::vector<std::uint64_t>{2, 8});
    pack_array(DType::E2M1, *array);  // it is what memory has already
    CHECK(array->bytes == pairs);
    unpack_array(DType::E2M1, *array);
    CHECK(array->bytes == codes);
    CHECK(array->type == "V1");
  }
  // An odd value in another half does not change its neighbour.
  Memory memory(Target::A5, 64);
  memory.set_element(element_place(Space::Ub, 8, DType::I4, 0), 0x3);
  memory.set_element(element_place(Space::Ub, 8, DType::I4, 1), 0xC);
  CHECK(memory.element(Space::Ub, 8, 1) == 0xC3);
  CHECK(memory.element(element_place(Space::Ub, 8, DType::I4, 0)) == 0x3);
}

TEST_CASE("four bits: parts of views and pointers that end in the middle of a byte are refused") {
  constexpr const char* kText = R"(module attributes {{pto.target_arch = "a5"}} {{
  func.func @k(%q: !pto.ptr<{2}>) {{
    %c1 = arith.constant 1 : index
    %c{0} = arith.constant {0} : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %r = pto.addptr %q, %c{1} : !pto.ptr<{2}> -> !pto.ptr<{2}>
    %v = pto.make_tensor_view %r, shape = [%c1, %c256], strides = [%c256, %c1] : !pto.tensor_view<1x256x{2}>
    %p = pto.partition_view %v, offsets = [%c1, %c{0}], sizes = [%c1, %c64] : !pto.tensor_view<1x256x{2}> -> !pto.partition_tensor_view<1x64x{2}>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 1x64x{2}>
    pto.tload ins(%p : !pto.partition_tensor_view<1x64x{2}>) outs(%t : !pto.tile_buf<vec, 1x64x{2}>)
    return
  }}
}}
)";
  const auto told = [&](int offset, int pointer, const char* type) {
    std::string text = fmt::format(kText, offset, pointer, type);
    if (pointer != 1 && pointer != offset)
      text.replace(text.find("%c64 ="), 0, fmt::format("%c{0} = arith.constant {0} : index\n    ", pointer));
    text.replace(text.find("offsets = [%c1"), 14, "offsets = [%zero");
    text.replace(text.find("%c64 ="), 0, "%zero = arith.constant 0 : index\n    ");
    const OpenedText opened = open_text(text);
    std::string all;
    for (const Diagnostic& diagnostic : opened.diagnostics)
      if (diagnostic.severity == Severity::Error) all += diagnostic.text + "\n";
    return all;
  };
  CHECK(told(2, 6, "f4E2M1FN").empty());
  CHECK(told(2, 3, "!pto.f4E2M1x2").empty());  // three bytes of two
  CHECK(told(3, 2, "f4E2M1FN").find("begins with element 3 of f4e2m1fn, in the middle of a byte") != std::string::npos);
  CHECK(told(2, 3, "f4E2M1FN").find("3 elements of f4E2M1FN end in the middle of a byte") != std::string::npos);
}

TEST_CASE("four bits: int4 on a2a3 is stored as bytes, and Lua's reader sees numbers") {
  ProgramBuilder builder(Target::A2A3, "int4");
  const BufferId x = builder.buffer("x", DType::F16, {1.5, 2.5, -3, 7.5, -9, 100, 0.25, -0.75}),
                 g = builder.buffer("g", DType::I8, 4);
  const TileId h = builder.tile("h", vec_tile(DType::F16, 1, 16, 1, 8)),
               q = builder.tile("q", vec_tile(DType::I4, 1, 64, 1, 8), {.address = 0x400}),
               b = builder.tile("b", vec_tile(DType::I8, 1, 32, 1, 4), {.address = 0x400});
  builder.add("tload", {View{x, 1, 8}}, {h});
  builder.add("tcvt", {h}, {q});
  builder.add("treshape", {q}, {b});
  builder.add("tstore", {b}, {View{g, 1, 4}});
  const std::shared_ptr<const Recording> recording = Recording::run(build(builder), {.budget_bytes = 1 << 20});
  REQUIRE(recording->count() == 4);
  const Memory& memory = recording->final_memory();
  const std::uint32_t at = recording->program().buffers[1].address;
  const std::uint64_t expected[] = {0x22, 0x7D, 0x78, 0xF0};  // 2 2 -3 7 -8 7 0 -1
  for (std::uint32_t i = 0; i < 4; ++i) CHECK(memory.element(Space::Gm, at + i, 1) == expected[i]);
}

}  // namespace ts::test
