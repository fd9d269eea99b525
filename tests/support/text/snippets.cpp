// The programs with one mistake each. Lines that matter begin at column 1, so that columns can be counted.
#include "tests/support/text/snippets.h"

namespace ts::test {
namespace {

// clang-format off
constexpr Snippet kSnippets[] = {
    // Operands and types of one operation.
    {.number = 1, .line = 1, .column = 18, .at = " :", .says = "has 2 operands, needs 3", .expected = "mask, src, ",
     .hint = "the scalar comes last",
     .text = R"(%d = tsels %m, %s : !pto.tile<16x16xf32>
)"},
    {.number = 2, .line = 1, .column = 31, .at = "...>", .says = "type parameters are elided", .expected = "!pto.tile<RxCxdtype>",
     .hint = "write the type once",
     .text = R"(%d = tadds %a, %b : !pto.tile<...>
)"},
    {.number = 3, .line = 1, .column = 26, .at = "(!pto.tile", .says = "expected ':' before the type list",
     .expected = ": (types) -> type",
     .text = R"(%d = pto.tsel %m, %a, %b (!pto.tile<4x8xf32>)
)"},
    {.number = 4, .line = 6, .column = 52, .at = ") outs", .says = "1 type for 2 operands", .expected = "2 types",
     .hint = "repeat the tile type",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%b = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%c = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
pto.tadd ins(%a, %b : !pto.tile_buf<vec, 16x64xf32>) outs(%c : !pto.tile_buf<vec, 16x64xf32>)
return
}
}
)"},
    {.number = 5, .line = 6, .column = 1, .at = "pto.taddd ", .says = "unknown op 'pto.taddd'", .hint = "pto.tadd",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%b = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%c = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
pto.taddd ins(%a, %b : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%c : !pto.tile_buf<vec, 16x64xf32>)
return
}
}
)"},

    // Tile types, and tiles made of them.
    {.number = 6, .line = 3, .column = 6, .at = "pto.alloc_tile", .says = "v_row is '?'", .expected = "valid_row",
     .hint = "numbers in valid=",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%t = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
return
}
}
)"},
    {.number = 7, .line = 4, .column = 21, .at = "valid_row", .says = "v_row is static 16", .expected = "valid=?x64",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%r = arith.constant 8 : index
%t = pto.alloc_tile valid_row = %r : !pto.tile_buf<vec, 16x64xf32>
return
}
}
)"},
    {.number = 8, .line = 4, .column = 24, .severity = Severity::Warning, .at = "rows=16", .says = "keys out of order",
     .expected = "loc, dtype, rows, cols",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%t = pto.alloc_tile :
!pto.tile_buf<loc=vec, rows=16, dtype=f32, cols=64, v_row=16, v_col=64, blayout=row_major,
              slayout=none_box, fractal=512, pad=0>
return
}
}
)"},
    {.number = 9, .line = 4, .column = 15, .at = "ubuf", .says = "unknown loc 'ubuf'", .expected = "vec mat left right acc bias scaling",
     .hint = "vec",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%t = pto.alloc_tile :
!pto.tile_buf<ubuf, 16x64xf32>
return
}
}
)"},
    {.number = 10, .line = 4, .column = 23, .at = "?x", .says = "physical columns must be a number", .expected = "integer",
     .hint = "valid=16x?",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%t = pto.alloc_tile :
!pto.tile_buf<vec, 16x?xf32>
return
}
}
)"},
    {.number = 11, .line = 4, .column = 35, .severity = Severity::Note, .at = "zero", .says = "pad takes an integer",
     .expected = "0 null", .hint = "pad=1",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%t = pto.alloc_tile :
!pto.tile_buf<vec, 16x64xf32, pad=zero>
return
}
}
)"},
    {.number = 12, .line = 4, .column = 39, .at = "256", .says = "unsupported fractal 256", .expected = "32, 512, 1024",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%t = pto.alloc_tile :
!pto.tile_buf<vec, 16x64xf32, fractal=256>
return
}
}
)"},
    {.number = 13, .line = 4, .column = 20, .at = "16x63", .says = "row of 252 bytes", .expected = "multiple of 8", .hint = "valid=16x63",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%t = pto.alloc_tile :
!pto.tile_buf<vec, 16x63xf32>
return
}
}
)"},
    {.number = 13, .line = 4, .column = 20, .severity = Severity::Warning, .at = "256x16", .says = "row of 16 bytes",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%mask = pto.alloc_tile :
!pto.tile_buf<vec, 256x16xui8>
%a = pto.alloc_tile : !pto.tile_buf<vec, 256x128xf16>
%d = pto.alloc_tile : !pto.tile_buf<vec, 256x128xf16>
%zero = arith.constant 0.0 : f16
pto.tsels ins(%mask, %a, %zero : !pto.tile_buf<vec, 256x16xui8>, !pto.tile_buf<vec, 256x128xf16>, f16)
          outs(%d : !pto.tile_buf<vec, 256x128xf16>)
return
}
}
)"},
    {.number = 14, .line = 4, .column = 20, .at = "20x64", .says = "20 rows",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%t = pto.alloc_tile :
!pto.tile_buf<mat, 20x64xf16, blayout=col_major, slayout=row_major>
return
}
}
)"},
    {.number = 15, .line = 4, .column = 37, .at = "17x64", .says = "valid rows 17 exceed",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%t = pto.alloc_tile :
!pto.tile_buf<vec, 16x64xf32, valid=17x64>
return
}
}
)"},

    // Registers and masks.
    {.number = 16, .line = 8, .column = 11, .at = "32xf32", .says = "a vreg has 2048", .expected = "!pto.vreg<64xf32>",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%address = arith.constant 0 : i64
%c0 = arith.constant 0 : index
%ub = pto.castptr %address : i64 -> !pto.ptr<f32, ub>
pto.vecscope {
%v = pto.vlds %ub[%c0] : !pto.ptr<f32, ub> ->
!pto.vreg<32xf32>
}
return
}
}
)"},
    {.number = 17, .line = 4, .column = 41, .at = "b16", .says = "makes a b32 mask",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
pto.vecscope {
%m = pto.pset_b32 "PAT_ALL" : !pto.mask<b16>
}
return
}
}
)"},
    {.number = 18, .line = 8, .column = 76, .at = "b16", .says = "does not fit f32 lanes",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
pto.vecscope {
%one = arith.constant 1.0 : f32
%a = pto.vbr %one : f32 -> !pto.vreg<64xf32>
%b = pto.vbr %one : f32 -> !pto.vreg<64xf32>
%m = pto.pset_b16 "PAT_ALL" : !pto.mask<b16>
%r = pto.vadd %a, %b, %m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b16> -> !pto.vreg<64xf32>
}
return
}
}
)"},

    // Views, loads and stores.
    {.number = 19, .line = 14, .column = 90, .at = "16x32xf32", .says = "16x32", .hint = "at least as large as the valid region",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel(%gm: !pto.ptr<f32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c16 = arith.constant 16 : index
%c32 = arith.constant 32 : index
%c64 = arith.constant 64 : index
%tv = pto.make_tensor_view %gm, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf32>
%pv = pto.partition_view %tv, offsets = [%c0, %c0], sizes = [%c16, %c32]
      : !pto.tensor_view<16x64xf32> -> !pto.partition_tensor_view<16x32xf32>
%c = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%zero = arith.constant 0.0 : f32
pto.texpands ins(%zero : f32) outs(%c : !pto.tile_buf<vec, 16x64xf32>)
pto.tstore ins(%c : !pto.tile_buf<vec, 16x64xf32>) outs(%pv : !pto.partition_tensor_view<16x32xf32>)
return
}
}
)"},
    {.number = 19, .line = 13, .column = 90, .severity = Severity::Warning, .at = "16x128xf32", .says = "only the",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel(%gm: !pto.ptr<f32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c16 = arith.constant 16 : index
%c128 = arith.constant 128 : index
%tv = pto.make_tensor_view %gm, shape = [%c16, %c128], strides = [%c128, %c1] : !pto.tensor_view<16x128xf32>
%pv = pto.partition_view %tv, offsets = [%c0, %c0], sizes = [%c16, %c128]
      : !pto.tensor_view<16x128xf32> -> !pto.partition_tensor_view<16x128xf32>
%c = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%zero = arith.constant 0.0 : f32
pto.texpands ins(%zero : f32) outs(%c : !pto.tile_buf<vec, 16x64xf32>)
pto.tstore ins(%c : !pto.tile_buf<vec, 16x64xf32>) outs(%pv : !pto.partition_tensor_view<16x128xf32>)
return
}
}
)"},
    {.number = 20, .line = 11, .column = 89, .at = "16x64xf32>)", .says = "element size 4", .expected = "same size", .hint = "pto.tcvt",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel(%gm: !pto.ptr<f16>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c16 = arith.constant 16 : index
%c64 = arith.constant 64 : index
%tv = pto.make_tensor_view %gm, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf16>
%pv = pto.partition_view %tv, offsets = [%c0, %c0], sizes = [%c16, %c64]
      : !pto.tensor_view<16x64xf16> -> !pto.partition_tensor_view<16x64xf16>
%t = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
pto.tload ins(%pv : !pto.partition_tensor_view<16x64xf16>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)
return
}
}
)"},
    {.number = 21, .line = 7, .column = 40, .at = "[%c0]", .says = "1 offset for rank 2",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel(%gm: !pto.ptr<f32>) {
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c16 = arith.constant 16 : index
%tv = pto.make_tensor_view %gm, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<16x16xf32>
%p = pto.partition_view %tv, offsets = [%c0], sizes = [%c16, %c16] : !pto.tensor_view<16x16xf32> -> !pto.partition_tensor_view<16x16xf32>
return
}
}
)"},

    // Numbers and operands.
    {.number = 22, .line = 3, .column = 21, .at = "1 : f32", .says = "integer literal for float type", .hint = "1.0",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%x = arith.constant 1 : f32
return
}
}
)"},
    {.number = 23, .line = 6, .column = 26, .at = "!pto.tile_buf<vec", .says = "lhs must be loc=left", .hint = "pto.tmov",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf16>
%b = pto.alloc_tile : !pto.tile_buf<right, 16x16xf16, slayout=col_major>
%c = pto.alloc_tile : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>
pto.tmatmul ins(%a, %b : !pto.tile_buf<vec, 16x16xf16>, !pto.tile_buf<right, 16x16xf16, slayout=col_major>)
            outs(%c : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>)
return
}
}
)"},

    // Flags, regions, memories.
    {.number = 24, .line = 3, .column = 38, .at = "EVENT_ID9", .says = "unknown event EVENT_ID9", .expected = "EVENT_ID0",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID9"]
return
}
}
)"},
    {.number = 25, .line = 4, .column = 1, .at = "pto.wait_flag", .says = "deadlock",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID1"]
pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
return
}
}
)"},
    {.number = 26, .line = 7, .column = 1, .at = "pto.tadd", .says = "vecscope", .hint = "pto.tile_buf_addr",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%b = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%c = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
pto.vecscope {
pto.tadd ins(%a, %b : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%c : !pto.tile_buf<vec, 16x64xf32>)
}
return
}
}
)"},
    {.number = 27, .line = 5, .column = 39, .at = "gm>", .says = "needs a ub pointer", .hint = "pto.mte_gm_ub",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel(%ub: !pto.ptr<f32, gm>) {
%i = arith.constant 0 : index
pto.vecscope {
%v = pto.vlds %ub[%i] : !pto.ptr<f32, gm> -> !pto.vreg<64xf32>
}
return
}
}
)"},

    // Places of tiles.
    {.number = 28, .line = 4, .column = 28, .at = "%a :", .says = "is not a multiple of 32", .expected = "32 or 64",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%a = arith.constant 40 : i64
%t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 16x64xf32>
return
}
}
)"},
    {.number = 29, .line = 4, .column = 28, .at = "%a :", .says = "196608", .target = Target::A2A3,
     .text = R"(module attributes {pto.target_arch = "a2a3"} {
func.func @kernel() {
%a = arith.constant 196576 : i64
%t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 16x64xf32>
return
}
}
)"},

    // Targets and names.
    {.number = 30, .line = 6, .column = 1, .at = "pto.thistogram", .says = "thistogram has no a2a3 implementation", .target = Target::A2A3,
     .text = R"(module attributes {pto.target_arch = "a2a3"} {
func.func @kernel() {
%a = pto.alloc_tile : !pto.tile_buf<vec, 4x256xui16>
%b = pto.alloc_tile : !pto.tile_buf<vec, 4x32xui8>
%c = pto.alloc_tile : !pto.tile_buf<vec, 4x256xui32>
pto.thistogram ins(%a, %b {isMSB = true} : !pto.tile_buf<vec, 4x256xui16>, !pto.tile_buf<vec, 4x32xui8>)
               outs(%c : !pto.tile_buf<vec, 4x256xui32>)
return
}
}
)"},
    {.number = 31, .line = 1, .column = 23, .at = "0x10)", .says = "0x10",
     .text = R"(pto.tassign %x, @tile(0x10)
%x = pto.texpands %value : f32 -> !pto.tile<16x16xf32>
)"},
    {.number = 32, .line = 2, .column = 13, .at = "%x, @tile(0x2000)", .says = "already bound", .hint = "another tile",
     .text = R"(pto.tassign %x, @tile(0x1000)
pto.tassign %x, @tile(0x2000)
%x = pto.texpands %value : f32 -> !pto.tile<16x16xf32>
)"},
    {.number = 33, .line = 5, .column = 15, .at = "%a, %b", .says = "undefined value %a",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%b = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%ab = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%d = pto.tadd %a, %b : (!pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) -> !pto.tile_buf<vec, 16x64xf32>
return
}
}
)"},
    {.number = 34, .line = 4, .column = 1, .at = "%x = arith.constant 2", .says = "%x redefined",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%x = arith.constant 1 : index
%x = arith.constant 2 : index
return
}
}
)"},

    // Control flow.
    {.number = 35, .line = 5, .column = 29, .at = "%c0 {", .says = "step must be positive",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%c0 = arith.constant 0 : index
%n = arith.constant 8 : index
scf.for %i = %c0 to %n step %c0 {
}
return
}
}
)"},
    {.number = 36, .line = 5, .column = 6, .at = "scf.if", .says = "results need an else region",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%c = arith.constant true
%v = arith.constant 1.0 : f32
%r = scf.if %c -> (f32) { scf.yield %v : f32 }
return
}
}
)"},

    // Enums, results, functions.
    {.number = 37, .line = 6, .column = 41, .at = "less>", .says = "unknown compare 'less'", .expected = "eq ne lt le gt ge",
     .hint = "lt",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%b = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%m = pto.alloc_tile : !pto.tile_buf<vec, 16x32xui8>
pto.tcmp ins(%a, %b {cmpMode = #pto<cmp less>} : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>)
         outs(%m : !pto.tile_buf<vec, 16x32xui8>)
return
}
}
)"},
    {.number = 38, .line = 5, .column = 34, .at = "!pto.mask<b32>", .says = "op has 2 results, 1 type given",
     .expected = "!pto.mask<b32>, i32",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%n = arith.constant 5 : i32
pto.vecscope {
%m, %r = pto.plt_b32 %n : i32 -> !pto.mask<b32>
}
return
}
}
)"},
    {.number = 39, .line = 1, .column = 36, .at = "i32 attributes", .says = "entry functions return nothing",
     .text = R"(func.func @k(%a: !pto.ptr<f32>) -> i32 attributes {pto.entry} {
%x = arith.constant 0 : i32
return %x : i32
}
)"},
    {.number = 40, .line = 4, .column = 2, .at = "", .says = "is not closed",
     .text = R"(module attributes {pto.target_arch = "a5"} {
  func.func @kernel() {
    return
})"},

    // Scratch tiles, queues, copies.
    {.number = 41, .line = 7, .column = 1, .severity = Severity::Note, .at = "pto.tsel ", .says = "internal scratch", .hint = "%tmp",
     .target = Target::A2A3,
     .text = R"(module attributes {pto.target_arch = "a2a3"} {
func.func @kernel() {
%m = pto.alloc_tile : !pto.tile_buf<vec, 16x32xui8>
%a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%b = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%d = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
pto.tsel ins(%m, %a, %b : !pto.tile_buf<vec, 16x32xui8>, !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>)
         outs(%d : !pto.tile_buf<vec, 16x64xf32>)
return
}
}
)"},
    {.number = 42, .line = 5, .column = 24, .at = "%r, %c", .says = "valid=?x?",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
%r = arith.constant 8 : index
%c = arith.constant 64 : index
%t = pto.tpop_from_aic(%r, %c) {split = 0} -> !pto.tile_buf<vec, 16x64xf32>
return
}
}
)"},
    {.number = 43, .line = 4, .column = 1, .at = "pto.tpush_to_aic", .says = "only in vector kernels",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
%t = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
pto.tpush_to_aic(%t : !pto.tile_buf<vec, 16x64xf32>) {split = 0}
return
}
}
)"},
    {.number = 44, .line = 3, .column = 100, .at = "base = 0", .says = "base must be absent",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
%b = pto.reserve_buffer {name = "f", size = 4096, location = #pto.address_space<vec>, auto = true, base = 0} -> i32
return
}
}
)"},
    {.number = 45, .line = 6, .column = 32, .at = " : !pto.ptr<f32, gm>", .says = "nburst(",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel(%g: !pto.ptr<f32, gm>) {
%c0 = arith.constant 0 : i64
%len = arith.constant 256 : i64
%u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
pto.mte_gm_ub %g, %u, %c0, %len : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64
return
}
}
)"},

    // Text that cannot be read.
    {.number = 46, .line = 5, .column = 17, .at = "; %b", .says = "unexpected ';'", .expected = ",",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
%a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%b = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
%d = pto.tadd %a; %b : (!pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) -> !pto.tile_buf<vec, 16x64xf32>
return
}
}
)"},
    {.number = 47, .line = 3, .column = 13, .at = "\"PIPE_V", .says = "not closed",
     .text = R"(module attributes {pto.target_arch = "a5"} {
func.func @kernel() {
pto.barrier "PIPE_V
return
}
}
)"},
};
// clang-format on

}  // namespace

std::span<const Snippet> snippets() { return kSnippets; }

}  // namespace ts::test
