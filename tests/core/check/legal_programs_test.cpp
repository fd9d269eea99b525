// Programs that are legal by the pages and were refused, or told off, at some time. A row is enough to add one.
#include <doctest/doctest.h>

#include <string>

#include "tests/support/text/program_rows.h"

namespace ts::test {
namespace {

constexpr LegalRow kLegal[] = {
    {"one column of neighbours into a column", "pto-text 2.3", "a5 a2a3", Becomes::Runs, R"(
    %v = pto.make_tensor_view %p, shape = [%c16, %c1], strides = [%c1, %c1] : !pto.tensor_view<16x1xf32>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>
    pto.tload ins(%v : !pto.tensor_view<16x1xf32>) outs(%t : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>)
    pto.tstore ins(%t : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>) outs(%v : !pto.tensor_view<16x1xf32>))"},
    {"the same into rows of one element", "pto-text 2.3", "a5 a2a3", Becomes::Runs, R"(
    %v = pto.make_tensor_view %p, shape = [%c16, %c1], strides = [%c1, %c1] : !pto.tensor_view<16x1xf32>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 16x8xf32, valid=16x1>
    pto.tload ins(%v : !pto.tensor_view<16x1xf32>) outs(%t : !pto.tile_buf<vec, 16x8xf32, valid=16x1>)
    pto.tstore ins(%t : !pto.tile_buf<vec, 16x8xf32, valid=16x1>) outs(%v : !pto.tensor_view<16x1xf32>))"},
    {"a part of such a view", "pto-text 2.3", "a5 a2a3", Becomes::Runs, R"(
    %v = pto.make_tensor_view %p, shape = [%c64, %c1], strides = [%c1, %c1] : !pto.tensor_view<64x1xf32>
    %w = pto.partition_view %v, offsets = [%c16, %c0], sizes = [%c16, %c1] : !pto.tensor_view<64x1xf32> -> !pto.partition_tensor_view<16x1xf32>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>
    pto.tload ins(%w : !pto.partition_tensor_view<16x1xf32>) outs(%t : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>))"},
    {"a column that is called dn", "pto-text 2.3", "a5 a2a3", Becomes::Runs, R"(
    %v = pto.make_tensor_view %p, shape = [%c16, %c1], strides = [%c1, %c1] {layout = #pto.layout<dn>} : !pto.tensor_view<16x1xf32>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>
    pto.tload ins(%v : !pto.tensor_view<16x1xf32>) outs(%t : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>))"},
    {"moving a column-major tile", "tile-ops-memory-cube 2.4", "a5 a2a3", Becomes::Runs, R"(
    %v = pto.make_tensor_view %p, shape = [%c16, %c8], strides = [%c1, %c16] : !pto.tensor_view<16x8xf32>
    %a = pto.alloc_tile : !pto.tile_buf<vec, 16x8xf32, blayout=col_major>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 16x8xf32, blayout=col_major>
    pto.tload ins(%v : !pto.tensor_view<16x8xf32>) outs(%a : !pto.tile_buf<vec, 16x8xf32, blayout=col_major>)
    pto.tmov ins(%a : !pto.tile_buf<vec, 16x8xf32, blayout=col_major>) outs(%b : !pto.tile_buf<vec, 16x8xf32, blayout=col_major>)
    pto.tstore ins(%b : !pto.tile_buf<vec, 16x8xf32, blayout=col_major>) outs(%v : !pto.tensor_view<16x8xf32>))"},
    {"moving part of one column", "tile-ops-memory-cube 2.4", "a5 a2a3", Becomes::Runs, R"(
    %v = pto.make_tensor_view %p, shape = [%c8, %c1], strides = [%c1, %c1] : !pto.tensor_view<8x1xf32>
    %a = pto.alloc_tile : !pto.tile_buf<vec, 16x1xf32, valid=8x1, blayout=col_major>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 16x1xf32, valid=8x1, blayout=col_major>
    pto.tload ins(%v : !pto.tensor_view<8x1xf32>) outs(%a : !pto.tile_buf<vec, 16x1xf32, valid=8x1, blayout=col_major>)
    pto.tmov ins(%a : !pto.tile_buf<vec, 16x1xf32, valid=8x1, blayout=col_major>) outs(%b : !pto.tile_buf<vec, 16x1xf32, valid=8x1, blayout=col_major>))"},
    {"moving part of several columns", "tile-ops-memory-cube 2.4", "a5", Becomes::Runs, R"(
    %v = pto.make_tensor_view %p, shape = [%c8, %c4], strides = [%c1, %c8] : !pto.tensor_view<8x4xf32>
    %a = pto.alloc_tile : !pto.tile_buf<vec, 16x8xf32, valid=8x4, blayout=col_major>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 16x8xf32, valid=8x4, blayout=col_major>
    pto.tload ins(%v : !pto.tensor_view<8x4xf32>) outs(%a : !pto.tile_buf<vec, 16x8xf32, valid=8x4, blayout=col_major>)
    pto.tmov ins(%a : !pto.tile_buf<vec, 16x8xf32, valid=8x4, blayout=col_major>) outs(%b : !pto.tile_buf<vec, 16x8xf32, valid=8x4, blayout=col_major>))"},
    {"a move into boxes", "tile-ops-memory-cube 2.4", "a5", Becomes::Runs, R"(
    %a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32, blayout=col_major, slayout=row_major>
    pto.texpands ins(%two : f32) outs(%a : !pto.tile_buf<vec, 16x16xf32>)
    pto.tmov ins(%a : !pto.tile_buf<vec, 16x16xf32>) outs(%b : !pto.tile_buf<vec, 16x16xf32, blayout=col_major, slayout=row_major>))"},
    {"a move with scratch", "pto-text-v060 5", "a5 a2a3", Becomes::Runs, R"(
    %a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    pto.texpands ins(%two : f32) outs(%a : !pto.tile_buf<vec, 16x16xf32>)
    pto.tmov ins(%a : !pto.tile_buf<vec, 16x16xf32>, %t : !pto.tile_buf<vec, 16x16xf32>) outs(%b : !pto.tile_buf<vec, 16x16xf32>))"},
    {"a store with a scale", "tile-ops-memory-cube 2.2", "a5 a2a3", Becomes::NotEmulated, R"(
    %scale = arith.constant 5 : i64
    %v = pto.make_tensor_view %p, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<16x16xf32>
    %a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    pto.tstore ins(%a, %scale : !pto.tile_buf<vec, 16x16xf32>, i64) outs(%v : !pto.tensor_view<16x16xf32>))"},
    {"the generic form of treshape", "pto-text 3", "a5 a2a3", Becomes::Runs, R"(
    %a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    pto.texpands ins(%two : f32) outs(%a : !pto.tile_buf<vec, 16x16xf32>)
    %r = "pto.treshape"(%a) : (!pto.tile_buf<vec, 16x16xf32>) -> !pto.tile_buf<vec, 8x32xf32>
    %e = "pto.texp"(%r) : (!pto.tile_buf<vec, 8x32xf32>) -> !pto.tile_buf<vec, 8x32xf32>)"},
    {"the generic form of bitcast", "pto-text 3", "a5 a2a3", Becomes::Runs, R"(
    %a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    pto.texpands ins(%two : f32) outs(%a : !pto.tile_buf<vec, 16x16xf32>)
    %r = "pto.bitcast"(%a) : (!pto.tile_buf<vec, 16x16xf32>) -> !pto.tile_buf<vec, 16x16xi32>
    %e = "pto.tneg"(%r) : (!pto.tile_buf<vec, 16x16xi32>) -> (!pto.tile_buf<vec, 16x16xi32>))"},
    {"hints to templates", "tile-ops-vector 8.2", "a5 a2a3", Becomes::Runs, R"(
    %a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    %c = pto.alloc_tile : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>
    %d = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    pto.texpands ins(%two : f32) outs(%a : !pto.tile_buf<vec, 16x16xf32>)
    %v = pto.make_tensor_view %p, shape = [%c16, %c1], strides = [%c1, %c1] : !pto.tensor_view<16x1xf32>
    pto.tload ins(%v : !pto.tensor_view<16x1xf32>) outs(%c : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>)
    pto.trowexpandsub ins(%a, %c {src0eqdst = false, highPrecision = true} : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x1xf32, blayout=col_major>) outs(%d : !pto.tile_buf<vec, 16x16xf32>)
    pto.trowexpandmax ins(%a, %c {src0eqdst = true} : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x1xf32, blayout=col_major>) outs(%d : !pto.tile_buf<vec, 16x16xf32>)
    pto.trowexpanddiv ins(%a, %c {highPrecision} : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x1xf32, blayout=col_major>) outs(%d : !pto.tile_buf<vec, 16x16xf32>))"},
    {"in place under two names", "tile-ops-memory-cube 1.8", "a5 a2a3", Becomes::Runs, R"(
    %v = pto.make_tensor_view %p, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<16x16xf32>
    %a = pto.alloc_tile addr = %zero : !pto.tile_buf<vec, 16x16xf32>
    %b = pto.alloc_tile addr = %zero : !pto.tile_buf<vec, 16x16xf32>
    pto.tload ins(%v : !pto.tensor_view<16x16xf32>) outs(%a : !pto.tile_buf<vec, 16x16xf32>)
    pto.tmuls ins(%a, %two : !pto.tile_buf<vec, 16x16xf32>, f32) outs(%b : !pto.tile_buf<vec, 16x16xf32>)
    pto.tadds ins(%a, %two : !pto.tile_buf<vec, 16x16xf32>, f32) outs(%b : !pto.tile_buf<vec, 16x16xf32>)
    pto.tstore ins(%b : !pto.tile_buf<vec, 16x16xf32>) outs(%v : !pto.tensor_view<16x16xf32>))"},
    {"from turn to turn under two names", "tile-ops-memory-cube 1.8", "a5 a2a3", Becomes::Runs, R"(
    %far = arith.constant 4096 : i64
    %v = pto.make_tensor_view %p, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<16x16xf32>
    %old = pto.alloc_tile addr = %zero : !pto.tile_buf<vec, 16x16xf32>
    %new = pto.alloc_tile addr = %zero : !pto.tile_buf<vec, 16x16xf32>
    %t = pto.alloc_tile addr = %far : !pto.tile_buf<vec, 16x16xf32>
    pto.tload ins(%v : !pto.tensor_view<16x16xf32>) outs(%old : !pto.tile_buf<vec, 16x16xf32>)
    scf.for %i = %c0 to %c4 step %c1 {
      pto.tmuls ins(%old, %two : !pto.tile_buf<vec, 16x16xf32>, f32) outs(%t : !pto.tile_buf<vec, 16x16xf32>)
      pto.tadds ins(%t, %two : !pto.tile_buf<vec, 16x16xf32>, f32) outs(%new : !pto.tile_buf<vec, 16x16xf32>)
    }
    pto.tstore ins(%new : !pto.tile_buf<vec, 16x16xf32>) outs(%v : !pto.tensor_view<16x16xf32>))"},
    {"more tiles than fit, few at a time", "pto-text 7", "a5 a2a3", Becomes::Runs, R"(
    %v = pto.make_tensor_view %p, shape = [%c64, %c64], strides = [%c64, %c1] : !pto.tensor_view<64x64xf32>
    %a = pto.alloc_tile : !pto.tile_buf<vec, 256x64xf32, valid=64x64>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 256x64xf32, valid=64x64>
    %c = pto.alloc_tile : !pto.tile_buf<vec, 256x64xf32, valid=64x64>
    %d = pto.alloc_tile : !pto.tile_buf<vec, 256x64xf32, valid=64x64>
    %e = pto.alloc_tile : !pto.tile_buf<vec, 256x64xf32, valid=64x64>
    pto.tload ins(%v : !pto.tensor_view<64x64xf32>) outs(%a : !pto.tile_buf<vec, 256x64xf32, valid=64x64>)
    pto.tmuls ins(%a, %two : !pto.tile_buf<vec, 256x64xf32, valid=64x64>, f32) outs(%b : !pto.tile_buf<vec, 256x64xf32, valid=64x64>)
    pto.tmuls ins(%b, %two : !pto.tile_buf<vec, 256x64xf32, valid=64x64>, f32) outs(%c : !pto.tile_buf<vec, 256x64xf32, valid=64x64>)
    pto.tmuls ins(%c, %two : !pto.tile_buf<vec, 256x64xf32, valid=64x64>, f32) outs(%d : !pto.tile_buf<vec, 256x64xf32, valid=64x64>)
    pto.tmuls ins(%d, %two : !pto.tile_buf<vec, 256x64xf32, valid=64x64>, f32) outs(%e : !pto.tile_buf<vec, 256x64xf32, valid=64x64>)
    pto.tstore ins(%e : !pto.tile_buf<vec, 256x64xf32, valid=64x64>) outs(%v : !pto.tensor_view<64x64xf32>))"},
    {"the same in a loop", "pto-text 7", "a5 a2a3", Becomes::Runs, R"(
    %v = pto.make_tensor_view %p, shape = [%c64, %c64], strides = [%c64, %c1] : !pto.tensor_view<64x64xf32>
    scf.for %i = %c0 to %c4 step %c1 {
      %a = pto.alloc_tile : !pto.tile_buf<vec, 256x64xf32, valid=64x64>
      %b = pto.alloc_tile : !pto.tile_buf<vec, 256x64xf32, valid=64x64>
      %c = pto.alloc_tile : !pto.tile_buf<vec, 256x64xf32, valid=64x64>
      %d = pto.alloc_tile : !pto.tile_buf<vec, 256x64xf32, valid=64x64>
      %e = pto.alloc_tile : !pto.tile_buf<vec, 256x64xf32, valid=64x64>
      pto.tload ins(%v : !pto.tensor_view<64x64xf32>) outs(%a : !pto.tile_buf<vec, 256x64xf32, valid=64x64>)
      pto.tmuls ins(%a, %two : !pto.tile_buf<vec, 256x64xf32, valid=64x64>, f32) outs(%b : !pto.tile_buf<vec, 256x64xf32, valid=64x64>)
      pto.tmuls ins(%b, %two : !pto.tile_buf<vec, 256x64xf32, valid=64x64>, f32) outs(%c : !pto.tile_buf<vec, 256x64xf32, valid=64x64>)
      pto.tmuls ins(%c, %two : !pto.tile_buf<vec, 256x64xf32, valid=64x64>, f32) outs(%d : !pto.tile_buf<vec, 256x64xf32, valid=64x64>)
      pto.tmuls ins(%d, %two : !pto.tile_buf<vec, 256x64xf32, valid=64x64>, f32) outs(%e : !pto.tile_buf<vec, 256x64xf32, valid=64x64>)
      pto.tstore ins(%e : !pto.tile_buf<vec, 256x64xf32, valid=64x64>) outs(%v : !pto.tensor_view<64x64xf32>)
    })"},
    {"a precise division by a column", "tile-ops-vector 8.2", "a5", Becomes::Runs, R"(
    %a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    %c = pto.alloc_tile : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>
    pto.texpands ins(%two : f32) outs(%a : !pto.tile_buf<vec, 16x16xf32>)
    %v = pto.make_tensor_view %p, shape = [%c16, %c1], strides = [%c1, %c1] : !pto.tensor_view<16x1xf32>
    pto.tload ins(%v : !pto.tensor_view<16x1xf32>) outs(%c : !pto.tile_buf<vec, 16x1xf32, blayout=col_major>)
    pto.trowexpanddiv ins(%a, %c {highPrecision = true, src0eqdst = true} : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x1xf32, blayout=col_major>) outs(%a : !pto.tile_buf<vec, 16x16xf32>))"},
    {"negative shorts as unsigned words", "tile-ops-memory-cube 2.14", "a5", Becomes::Runs, R"(
    %minus = arith.constant -7 : i16
    %a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xi16>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 16x16xui32>
    pto.texpands ins(%minus : i16) outs(%a : !pto.tile_buf<vec, 16x16xi16>)
    pto.tcvt ins(%a : !pto.tile_buf<vec, 16x16xi16>) outs(%b : !pto.tile_buf<vec, 16x16xui32>))"},
};

// Rows that draw a warning that is right: nothing graver is said, and they run.
constexpr LegalRow kLegalWithWarning[] = {
    {"a packed mask with rows of half a block", "tile-ops-vector 0.3", "a5", Becomes::Runs, R"(
    %v = pto.make_tensor_view %m, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<16x16xui8>
    %a = pto.alloc_tile : !pto.tile_buf<vec, 16x128xf32>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 16x16xui8>
    pto.texpands ins(%two : f32) outs(%a : !pto.tile_buf<vec, 16x128xf32>)
    pto.tload ins(%v : !pto.tensor_view<16x16xui8>) outs(%b : !pto.tile_buf<vec, 16x16xui8>)
    pto.tcmp ins(%a, %a {cmpMode = #pto<cmp eq>} : !pto.tile_buf<vec, 16x128xf32>, !pto.tile_buf<vec, 16x128xf32>) outs(%b : !pto.tile_buf<vec, 16x16xui8>))"},
};

}  // namespace

TEST_CASE("legal programs: nothing is said against them") {
  for (const LegalRow& row : kLegal)
    for (const char* target : {"a5", "a2a3"})
      if (names_target(row.targets, target)) check_legal(row, target);
}

TEST_CASE("legal programs: what is only a warning is no error") {
  for (const LegalRow& row : kLegalWithWarning) {
    CAPTURE(row.name);
    OpenedText text = open_text(row_text(row.targets, row.statements));
    REQUIRE(text.opened.has_value());
    const auto recording = Recording::run(std::move(text.opened->program), {.budget_bytes = kPlentyOfBytes});
    CHECK(recording->stop_reason() == StopReason::End);
  }
}

}  // namespace ts::test
