// Forms of text that few programs use: they open, run, and leave what they say.
#include <doctest/doctest.h>

#include "core/record/recording.h"
#include "tests/support/text/open_text.h"
#include "tests/support/text/waiting_op.h"

namespace ts::test {
namespace {

std::unique_ptr<Recording> run_text(std::string_view text, std::optional<Target> target = {},
                                    const OpenRequest& request = {}) {
  OpenedText opened = open_text(text, target, request);
  for (const Diagnostic& diagnostic : opened.diagnostics) CAPTURE(diagnostic.format());
  REQUIRE(opened.opened);
  return Recording::run(std::move(opened.opened->program), {.budget_bytes = std::size_t{16} << 20});
}

// Element (row, col) of the last tile of that name, after the last step.
double element(const Recording& recording, std::string_view name, std::uint32_t row, std::uint32_t col) {
  const auto& tiles = recording.program().tiles;
  for (std::size_t i = tiles.size(); i-- > 0;) {
    if (tiles[i].name != name) continue;
    const TileRef tile = recording.tile_at_end(static_cast<std::uint32_t>(i));
    return to_double(tile.type.dtype,
                     recording.final_memory().element(tile.space(), tile.at(row, col), tile.elem_bytes()));
  }
  FAIL("no tile of that name");
  return 0;
}

}  // namespace

TEST_CASE("text: .arg and .const, and the destination first") {
  const auto recording = run_text(R"(
.arg %a : !pto.tile<4x8xf32>;
.const %c = 2.5 : f32;
%e = texpands %c : f32, !pto.tile<4x8xf32>;
tadd %sum, %a, %e : !pto.tile<f32, 4, 8>
)");
  REQUIRE(recording->count() == 2);
  CHECK(element(*recording, "sum", 3, 7) == element(*recording, "a", 3, 7) + 2.5);
  REQUIRE(recording->program().inputs.size() == 1);  // what is only written needs nothing from outside
  CHECK(recording->program().inputs[0].name == "a");
}

TEST_CASE("text: what the type of a reshaped tile fixes stays, and what it leaves open is the whole size") {
  const auto recording = run_text(R"(module attributes {pto.target_arch = "a2a3"} {
  func.func @line() {
    %c10 = arith.constant 10 : index
    %four = arith.constant 4.0 : f32
    %column = pto.alloc_tile valid_row = %c10 : !pto.tile_buf<vec, 16x1xf32, valid=?x1, blayout=col_major>
    pto.texpands ins(%four : f32) outs(%column : !pto.tile_buf<vec, 16x1xf32, valid=?x1, blayout=col_major>)
    %line = pto.treshape %column : !pto.tile_buf<vec, 16x1xf32, valid=?x1, blayout=col_major> -> !pto.tile_buf<vec, 1x16xf32, valid=1x?>
    %back = pto.treshape %line : !pto.tile_buf<vec, 1x16xf32, valid=1x?> -> !pto.tile_buf<vec, 16x1xf32, valid=?x1, blayout=col_major>
    pto.tsqrt ins(%line : !pto.tile_buf<vec, 1x16xf32, valid=1x?>) outs(%line : !pto.tile_buf<vec, 1x16xf32, valid=1x?>)
    pto.texpands ins(%four : f32) outs(%back : !pto.tile_buf<vec, 16x1xf32, valid=?x1, blayout=col_major>)
    return
  }
})");
  const TileRef& line = recording->bound(1).tile("dst");
  CHECK(line.valid_rows == 1);
  CHECK(line.valid_cols == 16);
  const TileRef& back = recording->bound(2).tile("dst");
  CHECK(back.valid_rows == 16);
  CHECK(back.valid_cols == 1);
  CHECK(recording->findings().empty());  // nothing was written beyond the tile
}

TEST_CASE("text: memrefs are tiles or views, by their memory") {
  const auto recording = run_text(R"(module attributes {"pto.device-spec" = "Ascend910B1"} {
  func.func @k(%a: memref<4x8xf32, #pto.address_space<gm>>, %b: memref<4x8xf32, #pto.address_space<gm>>) {
    %t = memref.alloc() : memref<4x8xf32, #pto.address_space<vec>>
    pto.tload ins(%a : memref<4x8xf32, #pto.address_space<gm>>) outs(%t : memref<4x8xf32, #pto.address_space<vec>>)
    pto.tstore ins(%t : memref<4x8xf32, #pto.address_space<vec>>) outs(%b : memref<4x8xf32, #pto.address_space<gm>>)
    memref.dealloc %t : memref<4x8xf32, #pto.address_space<vec>>
    return
  }
})");
  CHECK(recording->program().target == Target::A2A3);
  REQUIRE(recording->count() == 2);
  const auto& buffers = recording->program().buffers;
  const Memory& memory = recording->final_memory();
  for (std::uint32_t i = 0; i < 32; ++i)
    CHECK(memory.element(Space::Gm, buffers[0].address + 4 * i, 4) ==
          memory.element(Space::Gm, buffers[1].address + 4 * i, 4));
}

TEST_CASE("text: a vector program passes over the cube's section; tassign moves a tile; events are steps") {
  const auto recording = run_text(R"(module attributes {pto.target_arch = "a5"} {
  func.func @k() attributes {pto.entry} {
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %there = arith.constant 4096 : i64
    %t = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>
    pto.section.cube {
      %m = pto.alloc_tile : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>
    }
    pto.section.vector {
      pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 4x8xf32>)
      pto.tassign ins(%t, %there : !pto.tile_buf<vec, 4x8xf32>, i64)
      pto.texpands ins(%two : f32) outs(%t : !pto.tile_buf<vec, 4x8xf32>)
      pto.record_event [#pto.pipe_event_type<TVEC>, #pto.sync_op_type<TSTORE_VEC>, #pto.event<EVENT_ID0>]
      pto.wait_event [#pto.pipe_event_type<TVEC>, #pto.sync_op_type<TSTORE_VEC>, #pto.event<EVENT_ID0>]
    }
    return
  }
})");
  CHECK(recording->stop_reason() == StopReason::End);
  CHECK(recording->findings().empty());
  REQUIRE(recording->count() == 5);
  CHECK(recording->bound(2).tile("dst").address == 4096);
  CHECK(recording->bound(4).pipe == Pipe::Mte3);
  CHECK(recording->final_memory().element(Space::Ub, 0, 4) == from_double(DType::F32, 1));
  CHECK(recording->final_memory().element(Space::Ub, 4096, 4) == from_double(DType::F32, 2));
}

TEST_CASE("text: what floats are padded with is finite on a5, unless the option says otherwise") {
  constexpr std::string_view kText = R"(func.func @k(%a: !pto.ptr<f32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %v = pto.make_tensor_view %a, shape = [%c4, %c7], strides = [%c7, %c1] : !pto.tensor_view<4x7xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32, valid=4x7, pad=2>
  pto.tload ins(%v : !pto.tensor_view<4x7xf32>) outs(%t : !pto.tile_buf<vec, 4x8xf32, valid=4x7, pad=2>)
  return
})";
  const auto padding = [&](Target target, std::uint8_t option) {
    OpenRequest request;
    request.options.pad_float = option;
    return run_text(kText, target, request)->final_memory().element(Space::Ub, 7 * 4, 4);
  };
  CHECK(padding(Target::A5, 0) == 0x7F7FFFFF);
  CHECK(padding(Target::A5, 1) == 0x7F800000);
  CHECK(padding(Target::A2A3, 0) == 0x7F800000);
  CHECK(padding(Target::A2A3, 2) == 0x7F7FFFFF);
}

TEST_CASE("text: an operation that nobody emulates stops the run, with everything before it intact") {
  const auto recording = run_text(R"(module attributes {pto.target_arch = "a5"} {
  func.func @k(%p: !pto.ptr<f32>) {
    %one = arith.constant 1.0 : f32
    %t = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>
    pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 4x8xf32>)
)" + waiting_line() +
                                  R"(    pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 4x8xf32>)
    return
  }
})");
  CHECK(recording->stop_reason() == StopReason::NotEmulated);
  CHECK(recording->count() == 1);
  REQUIRE(recording->findings().size() == 1);
  CHECK(recording->findings()[0].diagnostic.text == "not emulated on a5 yet: " + kWaitingOp);
  CHECK(recording->findings()[0].diagnostic.pos == SourcePos{6, 5});
  CHECK(element(*recording, "t", 3, 7) == 1);
}

}  // namespace ts::test
