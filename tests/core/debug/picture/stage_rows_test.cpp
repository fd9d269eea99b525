// Rows of results as the stage draws them: the stream of an interleaving, the choices of a selection, and the elements
// that sources are.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/debug/origins/source_text.h"
#include "core/debug/picture/stage_rows.h"
#include "core/debug/session/session.h"
#include "tests/support/record/recorded.h"
#include "tests/support/text/small_text.h"

namespace ts::test {
namespace {

struct Asked {
  explicit Asked(SharedRecording made) : recording(std::move(made)), inspector(*recording) {}

  std::uint32_t find(std::string_view name) const {
    for (std::uint32_t step = 0; step < recording->count(); ++step)
      if (recording->bound(step).row->name == name) return step;
    FAIL("no such step: " << name);
    return 0;
  }
  StepFlow flow_of(std::uint32_t step) {
    map.look_at(step);
    flow.emplace(inspector.flow(step));
    return {*recording, *flow, map};
  }

  SharedRecording recording;
  Inspector inspector;
  StepMap map;
  std::optional<Flow> flow;
};

std::string two_tiles(std::string_view op, std::uint32_t cols) {
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
  func.func @main(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {{
    %a = pto.alloc_tile : !pto.tile_buf<vec, 2x16xf32, valid=2x{0}>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 2x16xf32, valid=2x{0}>
    %c = pto.alloc_tile : !pto.tile_buf<vec, 2x16xf32, valid=2x{0}>
    %d = pto.alloc_tile : !pto.tile_buf<vec, 2x16xf32, valid=2x{0}>
    pto.{1} ins(%a, %b : !pto.tile_buf<vec, 2x16xf32, valid=2x{0}>, !pto.tile_buf<vec, 2x16xf32, valid=2x{0}>)
      outs(%c, %d : !pto.tile_buf<vec, 2x16xf32, valid=2x{0}>, !pto.tile_buf<vec, 2x16xf32, valid=2x{0}>)
    return
  }}
}})",
                     cols, op);
}

}  // namespace

TEST_CASE("stage rows: two tiles are joined to a stream that is cut in the middle") {
  Asked asked(record_text(two_tiles("tinterleave", 6)));
  const Stream stream = stream_of(asked.flow_of(0), 1);
  CHECK(stream.joins);
  REQUIRE(stream.strands.size() == 12);
  CHECK(stream.parts == std::vector<std::uint32_t>{0, 6});
  for (std::uint32_t i = 0; i < 12; ++i) {
    CAPTURE(i);
    CHECK(stream.strands[i] == Strand{{static_cast<int>(i % 2), 1, i / 2}, {i < 6 ? 2 : 3, 1, i % 6}});
    CHECK(stream.part_of(i) == i / 6);
  }
}

TEST_CASE("stage rows: a stream of two tiles is split, element by element") {
  Asked asked(record_text(two_tiles("tdeinterleave", 6)));
  const Stream stream = stream_of(asked.flow_of(0), 0);
  CHECK_FALSE(stream.joins);
  REQUIRE(stream.strands.size() == 12);
  CHECK(stream.parts == std::vector<std::uint32_t>{0, 6});
  for (std::uint32_t i = 0; i < 12; ++i) {
    CAPTURE(i);
    CHECK(stream.strands[i] == Strand{{static_cast<int>(i / 6), 0, i % 6}, {static_cast<int>(2 + i % 2), 0, i / 2}});
  }
}

TEST_CASE("stage rows: a row that the step does not write has no stream") {
  Asked asked(record_text(two_tiles("tinterleave", 6)));
  CHECK(stream_of(asked.flow_of(0), 7).strands.empty());
}

TEST_CASE("stage rows: every lane of a selection has its bit, and the bytes know which bits were read") {
  Asked asked(record_sample("masked_select"));
  const std::uint32_t step = asked.find("tsel");
  const Bound& bound = asked.recording->bound(step);
  const auto index = [&](const char* name) { return static_cast<int>(bound.find(name) - bound.operands.data()); };
  const TileRef dst = bound.tile("dst"), mask = bound.tile("mask");
  const Memory& before = asked.recording->final_memory();  // the mask stays as it was loaded
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    CAPTURE(row);
    const StepFlow flow = asked.flow_of(step);
    const std::vector<Choice> choices = choices_of(flow, index("dst"), row, {0, dst.valid_cols});
    REQUIRE(choices.size() == dst.valid_cols);
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col) {
      CAPTURE(col);
      REQUIRE(choices[col].bit);
      CHECK(choices[col].bit->place.address == mask.mask_byte_at(row, col));
      CHECK(choices[col].bit->bit == col % 8);
      CHECK(choices[col].taken == index(choices[col].bit->bits != 0 ? "src0" : "src1"));
    }
    const std::vector<MaskByte> bytes = mask_bytes(flow, choices, 0, index("mask"), before);
    REQUIRE(bytes.size() == (dst.valid_cols + 7) / 8);
    CHECK(bytes.front().offset == row * mask.pitch_bytes());
    CHECK(bytes.front().read == 0xFF);
    CHECK(bytes.back().lane_of_bit0 == dst.valid_cols / 8 * 8);
    CHECK(bytes.back().read == (1u << dst.valid_cols % 8) - 1);
    CHECK(bytes.back().bits == before.element(Space::Ub, bytes.back().address, 1));
  }
}

TEST_CASE("step map: sources of tiles and of views, and back to what a source reached") {
  Asked asked(record_sample("complex_split"));
  const Program& program = asked.recording->program();
  const std::uint32_t step = asked.find("tload");
  const Bound& bound = asked.recording->bound(step);
  const StepFlow flow = asked.flow_of(step);
  const auto& sources = flow.sources({1, 2, 3});
  REQUIRE(sources.size() == 1);
  // Rows and columns of a view are those of its buffer.
  const auto from = element_of_source(program, bound, sources.front());
  REQUIRE(from);
  CHECK(*from == StepElement{0, 2, 3});
  CHECK(place_of(program, bound, *from) == sources.front().place);
  CHECK(asked.map.reached_by(*asked.recording, flow.flow, *from) == std::vector<StepElement>{{1, 2, 3}});
  // The columns behind the view are no source of this step.
  CHECK(asked.map.reached_by(*asked.recording, flow.flow, {0, 2, 13}).empty());
}

TEST_CASE("step map: what a step does not write has no sources") {
  Asked asked(record_text(two_tiles("tinterleave", 6)));
  CHECK(asked.flow_of(0).sources({2, 0, 7}).empty());
  CHECK(asked.flow_of(0).sources({0, 0, 0}).empty());
}

TEST_CASE("source text: the arithmetic of addresses comes out at the address") {
  TileRef tile{vec_tile(DType::F32, 4, 16), 0x100, 4, 12};
  CHECK(address_text(tile, 1, 3) == "0x100 + (1*16 + 3)*4 = 0x14c");
  tile.type.pitch = 32;
  CHECK(address_text(tile, 1, 3) == "0x100 + (1*32 + 3)*4 = 0x18c");
  tile.type.pitch = 0;
  tile.type.blayout = BoxOrder::ColMajor;
  CHECK(address_text(tile, 1, 3) == "0x100 + (3*4 + 1)*4 = 0x134");
  TileType boxed = vec_tile(DType::F16, 32, 32);
  boxed.loc = TileLoc::Mat;
  boxed.blayout = BoxOrder::ColMajor;
  boxed.slayout = InnerOrder::RowMajor;
  const TileRef nz{boxed, 0x200, 32, 32};
  CHECK(address_text(nz, 17, 20) == fmt::format("0x200 + (3*256 + 20)*2 = 0x{:x}", nz.at(17, 20)));
}

TEST_CASE("stage rows: the sign of an operation is what its summary says") {
  CHECK(sign_of("Adds two tiles element by element.") == "+");
  CHECK(sign_of("Takes the larger of two elements.") == "max");
  CHECK(sign_of("Does something else.") == "op");
}

TEST_CASE("stage rows: what an operation makes of two elements") {
  CHECK(expression_of("Adds one value per row.", "a", "b") == "a + b");
  CHECK(expression_of("Takes the smaller of element and one value per row.", "a", "b") == "min(a, b)");
  CHECK(expression_of("Computes exp(element - one value per column).", "a", "b") == "exp(a - b)");
  CHECK(expression_of("Subtracts one value per row.", "-1", "-2") == "-1 - (-2)");
  CHECK(expression_of("Does something else.", "a", "b").empty());
}

TEST_CASE("stage rows: which source is spread over the result, and how") {
  const auto spread = [](Target target, const std::string& op, const std::vector<std::string>& types) {
    SmallText text(target);
    std::vector<std::string> ins;
    for (std::size_t i = 0; i + 1 < types.size(); ++i) {
      ins.push_back(std::string(1, static_cast<char>('a' + i)));
      text.tile(ins.back(), types[i]);
    }
    text.tile("d", types.back()).step(op, ins, {"d"});
    Asked asked(record_text(text.text()));
    const Bound& bound = asked.recording->bound(0);
    const auto found = spread_of(asked.flow_of(0), static_cast<int>(bound.find("dst") - bound.operands.data()));
    if (!found) return std::string("none");
    return fmt::format("{} over {}{}", found->small, found->rows ? "rows" : "columns",
                       found->full < 0 ? "" : fmt::format(", with {}", found->full));
  };
  for (const Target target : kBothTargets) {
    CAPTURE(target);
    const std::string full = "4x16xf32", row = "1x16xf32", column = "4x1xf32, blayout=col_major";
    CHECK(spread(target, "trowexpand", {"4x8xf32", full}) == "0 over rows");
    CHECK(spread(target, "trowexpand", {"1x8xf32", "1x16xf32"}) == "0 over rows");
    CHECK(spread(target, "trowexpandsub", {full, "4x8xf32, valid=4x1", full}) == "1 over rows, with 0");
    CHECK(spread(target, "trowexpandsub", {"4x8xf32, valid=4x1", full, full}) == "0 over rows, with 1");
    CHECK(spread(target, "tcolexpand", {full, "6x16xf32"}) == "0 over columns");
    CHECK(spread(target, "tcolexpandadd", {full, row, full}) == "1 over columns, with 0");
    CHECK(spread(target, "tcolexpandmul", {row, full, full}) == "0 over columns, with 1");
    // One row, one column, nothing.
    CHECK(spread(target, "tcolexpandadd", {row, row, row}) == "1 over columns, with 0");
    CHECK(spread(target, "trowexpandadd", {"4x8xf32, valid=4x1", "4x8xf32, valid=4x1", "4x8xf32, valid=4x1"}) ==
          "1 over rows, with 0");
  }
}

}  // namespace ts::test
