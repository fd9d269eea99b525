// Samples of program text. Names that nobody defines do not matter to the reader.
#include "tests/support/text/text_corpus.h"

namespace ts::test {
namespace {

constexpr TextSample kSamples[] = {
    {"synchronous form", R"(# Auto mode.
%dst = tsels %mask, %src, %scalar : !pto.tile<16x16xf32>
%dst0, %dst1 = tdeinterleave %src0, %src1 : !pto.tile<...>
%dst2, %dst3 = tdeinterleave %src : !pto.tile<...>
%d = ttrans %src : !pto.tile<16x16xf32> -> !pto.tile<16x16xf32>;
%e = tgatherb %src, %offsets : !pto.tile<16x16xf32> -> !pto.tile<16x16xf32>
%f = texpands %scalar : f32, !pto.tile<16x16xf32>
%g = texpands 1.5 : f32, !pto.tile<16x16xf32>  # an immediate
%h = tadd %a,
    %b : !pto.tile<16x16xf32>
%i = tadd %a, %b
    : !pto.tile<16x16xf32>
)"},
    {"level 1", R"(%dst = pto.tsels %mask, %src, %scalar : (!pto.tile<...>, !pto.tile<...>, dtype) -> !pto.tile<...>
%t = pto.ttrans %src : !pto.tile<...> -> !pto.tile<...>
%g = pto.tgatherb %src, %offsets : (!pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>
%x = pto.texpands %scalar : dtype -> !pto.tile<...>
%dst0, %dst1 = pto.tdeinterleave %src0, %src1 : (!pto.tile<...>, !pto.tile<...>) -> (!pto.tile<...>, !pto.tile<...>)
%dst2, %dst3 = pto.tdeinterleave %src : (!pto.tile<...>) -> (!pto.tile<...>, !pto.tile<...>)
)"},
    {"level 2",
     R"(pto.tsels ins(%mask, %src, %scalar : !pto.tile_buf<...>, !pto.tile_buf<...>, dtype) outs(%dst : !pto.tile_buf<...>)
pto.ttrans ins(%src : !pto.tile_buf<...>) outs(%dst : !pto.tile_buf<...>)
pto.tgatherb ins(%src, %offsets : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%dst : !pto.tile_buf<...>)
pto.texpands ins(%scalar : dtype) outs(%dst : !pto.tile_buf<...>)
pto.tdeinterleave ins(%src0, %src1 : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%dst0, %dst1 : !pto.tile_buf<...>, !pto.tile_buf<...>)
)"},
    {"manual binding", R"(# Manual mode: bind resources first.
# pto.tassign %arg0, @tile(0x1000)
pto.tassign %src, @tile(0x1000)
pto.tassign %dst, @tile(slot)
pto.tassign %tile, %addr : !pto.tile<16x16xf32>, i64
pto.tassign ins(%tile, %addr : !pto.tile_buf<vec, 16x16xf32>, i64)
%r = pto.tassign %tile, %addr : !pto.tile_buf<vec, 16x16xf32> -> !pto.tile_buf<vec, 16x16xf32>
%dst = pto.tsels %mask, %src, %scalar : (!pto.tile<16x16xf32>, !pto.tile<16x16xf32>, f32) -> !pto.tile<16x16xf32>
)"},
    {"destination first", R"(start:
tadd %dst, %src0, %src1 : !pto.tile<f32, 16, 16>
tcmps %dst, %src, 0 #cmp=gt
texpands %dst, -1.5 : !pto.tile<f32, 16, 16>
)"},
    {"directives", R"(.arg %a : !pto.tile<16x16xf32>;
.const %c0 = 0 : index;
.const %s = 1.5 : f32
%d = tadds %a, %s : !pto.tile<16x16xf32>;
)"},
    {"tile types", R"(func.func @types() {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32, valid=?x1, blayout=col_major, slayout=row_major, fractal=1024, pad=2, compact=1>
  %b = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f16, rows=32, cols=32, v_row=?, v_col=-1, blayout=row_major, slayout=none_box, fractal=512, pad=0, compact=1>
  %c = pto.alloc_tile : !pto.tile_buf<loc=mat, dtype=f32, rows=32, cols=32, blayout=col_major, v_row=32, v_col=32, slayout=row_major, fractal=512, pad=0>
  %d = pto.alloc_tile : !pto.tile_buf<32x64xf32, #pto.address_space<vec>>
  %e = pto.alloc_tile : !pto.tile_buf<32x32xf32, strided<[32, 1], offset: [?, ?]>, #pto.address_space<ub>>
  pto.tmatmul.bias ins(%a, %b, %c : <loc=left, dtype=f16, rows=16, cols=16, v_row=16, v_col=16>, <right, 16x16xf16>, <1x16xf32, #pto.address_space<bias>>) outs(%d : <acc, 16x16xf32, fractal=1024>)
  %f = pto.alloc_tile : !pto.tile_buf<loc=vec, f32, 16, 16, RowMajor, NoneBox, None, Zero>
  %g = pto.alloc_tile : !pto.tile_buf<loc=left, int8, 32, 32, RowMajor, RowMajor, NZ, Null>
  %h = pto.alloc_tile : !pto.tile<vec, f32, 16, 16, RowMajor, NoneBox, None, Null>
  %i = pto.alloc_tile : !pto.tile<vec, f32, 16, 16, 8, ?, RowMajor, NoneBox, None, Null>
  %j = pto.alloc_tile : !pto.tile<vec, f32, 16, 16, v_row=?, v_col=?, RowMajor, NoneBox, None, Null>
  %k = pto.alloc_tile : !pto.tile<f32, 16, 16>
  %l = pto.alloc_tile : !pto.tile_buf<half, 64, 64>
  %m = pto.alloc_tile : !pto.tile<16x16xf16>
  %n = pto.alloc_tile : !pto.tile<2x16x16xf16>
  %o = pto.alloc_tile : !pto.tile<RxCxi32>
  %p = pto.alloc_tile : !pto.tile<16x16xi1>
  %q = pto.alloc_tile : !pto.tile<predicate, 16, 16>
  %r = pto.alloc_tile : !pto.tile<...>
}
)"},
    {"other types",
     R"(func.func private @types(%a: !pto.ptr<f32>, %b: !pto.ptr<bf16, ub>, %c: !pto.ptr<i8, vec>, %d: !pto.ptr<f32, #pto.address_space<gm>>, %e: memref<16x256xf16, #pto.address_space<gm>>, %f: memref<?x?xf32, strided<[?, 1], offset: ?>, #pto.address_space<gm>>, %g: vector<4xi16>, %h: index, %i: ui64, %j: si8, %k: f8E4M3FN, %l: f8E5M2, %m: tf32, %n: i1, %o: !pto.hif8, %p: !pto.vreg<128xbf16>, %q: !pto.mask<b16>, %r: !pto.align, %s: !pto.eventid_array<4>, %t: !pto.pipe, %u: !pto.async_session, %v: !pto.tensor_view<1x1x1x16x64xf32>, %w: !pto.tile_view<16x16xf32>, %x: (i32, f32) -> (i64), %y: () -> (), %z: none, %0: u8, %1: float, %2: memref<f32>, %3: !pto.tensor_view<0x10xf32>)
func.func @declared(i32, !pto.ptr<f32> {pto.x}) -> (i32, f32)
)"},
    {"module", R"(// RUN: something
builtin.module @program attributes {"pto.target_arch" = "a2a3", "pto.device-spec" = "Ascend910B1", pto.kernel_kind = #pto.kernel_kind<vector>} {
  func.func private @helper(%arg0: i32) -> i32 {
    return %arg0 : i32
  }

  func.func @entry(%arg0: !pto.ptr<f32> {pto.role = "in"}, %arg1: !pto.ptr<f32>) attributes {pto.entry, pto.auto_sync_tail_hint = "barrier-all"} {
    %0 = func.call @helper(%x) : (i32) -> i32
    %1 = call @helper(%0) : (i32) -> i32
    call @nothing() : () -> ()
    func.return
  }
}
)"},
    {"empty module", "module {\n}\n"},
    {"views", R"(func.func @views() {
  %tv = pto.make_tensor_view %p, shape = [%c0, %c1], strides = [%c2, %c3] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
  %pv = pto.partition_view %tv, offsets = [%c0, 4], sizes = [%c1, %c1] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x64xf32>
  %sv = pto.subview %tv, offsets = [%c0, %c0], sizes = [%c1, %c1] : !pto.tensor_view<?x?xf32> -> !pto.tile_view<16x64xf32>
  %t = pto.alloc_tile addr = %a valid_row = %r valid_col = %c : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
  %u = pto.alloc_tile valid_row = %r {x = 1} : !pto.tile_buf<vec, 16x64xf32, valid=?x64>
  pto.set_validshape %t, %r, %c : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
  %s = pto.subset %t[%c0, %c1] sizes [8, 32] : !pto.tile_buf<vec, 16x64xf32>
  %r2 = pto.treshape %t : !pto.tile_buf<vec, 16x64xf32> -> !pto.tile_buf<vec, 32x32xf32>
  %addr = pto.tile_buf_addr %t : !pto.tile_buf<vec, 16x64xf32> -> !pto.ptr<f32, ub>
  %dt = pto.declare_tile -> !pto.tile_buf<vec, 16x64xf32>
  %bt = pto.bind_tile %m, %r, %c {config = #pto.tile_buf_config<blayout=1 : i32, slayout=1 : i32, s_fractal_size=512, pad=0 : i32, compact=0>} : memref<16x16xf16> -> memref<16x16xf16>
  %bu = pto.bind_tile %m {config = #pto.tile_buf_config<row_major, none_box, 16, zero>} : memref<16x16xf16> -> memref<16x16xf16>
  %pc = pto.pointer_cast(%addr0) {config = #pto.tile_buf_config<>} : memref<16x16xf16, #pto.address_space<vec>>
  %q = pto.addptr %p, %i : !pto.ptr<f32> -> !pto.ptr<f32>
  %cp = pto.castptr %c0_i64 : i64 -> !pto.ptr<bf16, ub>
  %ls = pto.load_scalar %p[%i] : !pto.ptr<f32> -> f32
  pto.store_scalar %v, %p[3] : !pto.ptr<f32>, f32
  %dim = pto.get_tensor_view_dim %tv, %i : !pto.tensor_view<?x?xf32> -> index
}
)"},
    {"tile operations", R"(func.func @tiles() {
  pto.tload ins(%pv : !pto.partition_tensor_view<16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>) pad_mode = #pto.padmode<PadValue> pad_value = %v : f32 {pto.inferred_layout = true}
  pto.tstore ins(%t : !pto.tile_buf<acc, 16x64xf32>, %fp : !pto.tile_buf<scaling, 1x16xui64>) outs(%pv : !pto.partition_tensor_view<16x64xf32>) {stPhase = #pto<st_phase final>, atomicType = #pto.atomic_type<atomic_add>}
  pto.tstore ins(%t : !pto.tile_buf<acc, 16x64xf32>, %pre : i64) outs(%pv : !pto.partition_tensor_view<16x64xf32>)
  pto.tcmp ins(%a, %b {cmpMode = #pto<cmp lt>} : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%m : !pto.tile_buf<vec, 16x32xui8>)
  pto.tcmps ins(%a, %s {cmpMode = #pto.cmp<GT>} : !pto.tile_buf<vec, 16x64xf32>, f32) outs(%m : !pto.tile_buf<vec, 16x32xui8>)
  pto.tcvt ins(%a {rmode = #pto<round_mode CAST_RINT>, sat_mode = #pto<saturation_mode ON>} : !pto.tile_buf<vec, 16x64xf32>) outs(%b : !pto.tile_buf<vec, 16x64xf16>)
  pto.tgather ins(%a, {maskPattern = #pto.mask_pattern<P0101>} : !pto.tile_buf<vec, 16x64xf32>) outs(%b : !pto.tile_buf<vec, 16x32xf32>)
  pto.tgather ins(%a, %k, %tmp : !pto.tile_buf<vec, 16x64xf32>, f32, !pto.tile_buf<vec, 16x64xf32>) outs(%b, %c : !pto.tile_buf<vec, 16x64xi32>, !pto.tile_buf<vec, 16x32xui8>) {cmpMode = #pto<cmp gt>, offset = 0 : i32}
  pto.tdivs ins(%s, %a : f32, !pto.tile_buf<vec, 16x64xf32>) outs(%b : !pto.tile_buf<vec, 16x64xf32>)
  pto.taddsc ins(%a, %s, %b : !pto.tile_buf<vec, 16x64xf32>, f32, !pto.tile_buf<vec, 16x64xf32>) outs(%c : !pto.tile_buf<vec, 16x64xf32>)
  pto.texp ins(%a : !pto.tile_buf<vec, 16x64xf32>) outs(%b : !pto.tile_buf<vec, 16x64xf32>) {precision_mode = #pto<precision_mode HIGH_PRECISION>}
  pto.tci ins(%s : i32) outs(%b : !pto.tile_buf<vec, 16x64xi32>) {descending = false}
  pto.trandom ins(%a, %b, %c, %d, %e, %f {rounds = 7 : i32} : i32, i32, i32, i32, i32, i32) outs(%t : !pto.tile_buf<vec, 16x64xui32>)
  pto.tmrgsort ins(%s0, %s1, %s2, %s3, %tmp {exhausted = false} : !pto.tile_buf<vec, 1x128xf32>, !pto.tile_buf<vec, 1x128xf32>, !pto.tile_buf<vec, 1x128xf32>, !pto.tile_buf<vec, 1x128xf32>, !pto.tile_buf<vec, 1x512xf32>) outs(%d, %ex : !pto.tile_buf<vec, 1x512xf32>, vector<4xi16>)
  pto.tprint ins(%a : !pto.tile_buf<vec, 16x64xf32>)
  pto.tsetval ins(%off, %v : index, f32) outs(%t : !pto.tile_buf<vec, 16x64xf32>)
  %val = pto.tgetval ins(%t, %off : !pto.tile_buf<vec, 16x64xf32>, index) outs : f32
  pto.tmov ins(%a : !pto.tile_buf<acc, 16x16xf32>, %fp : !pto.tile_buf<scaling, 1x16xui64>) outs(%b : !pto.tile_buf<mat, 16x16xf16>) {accToVecMode = #pto.acc_to_vec_mode<single_vec0>}
  pto.textract ins(%a, %r, %c : !pto.tile_buf<mat, 32x32xf16>, index, index) outs(%b : !pto.tile_buf<left, 16x16xf16>)
  pto.tmatmul.mx.acc ins(%c, %a, %sa, %b, %sb : !pto.tile_buf<acc, 16x16xf32>, !pto.tile_buf<left, 16x64xf8E4M3FN>, !pto.tile_buf<scaling, 16x2xf8E8M0FNU, fractal=32, slayout=row_major>, !pto.tile_buf<right, 64x32xf8E4M3FN>, !pto.tile_buf<scaling, 2x16xf8E8M0FNU, fractal=32, blayout=col_major, slayout=col_major>) outs(%c : !pto.tile_buf<acc, 16x16xf32>)
  pto.mgather ins(%gm, %idx : memref<16xf32, #pto.address_space<gm>>, !pto.tile_buf<vec, 1x16xi32>) outs(%t : !pto.tile_buf<vec, 1x16xf32>) {gatherOob = #pto<gather_oob clamp>}
  pto.tsync ins(%e0, %e1 : !pto.event, !pto.event)
  pto.print ins("value %d", %s : i32)
  pto.trap
}
)"},
    {"synchronisation", R"(func.func @sync() {
  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.wait_flag ["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
  pto.set_flag[#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_V>, #pto.event<EVENT_ID0>]
  pto.set_flag_dyn [#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_V>, %idx]
  pto.barrier <PIPE_ALL>
  pto.barrier #pto.pipe<PIPE_ALL>
  pto.pipe_barrier #pto.pipe<PIPE_V>
  pto.barrier_sync [#pto.sync_op_type<TVEC>]
  pto.record_event [#pto.pipe_event_type<TLOAD>, #pto.sync_op_type<TVEC>, #pto.event<EVENT_ID0>]
  pto.get_buf [#pto.pipe_event_type<TVEC>, 0] {mode = 0 : i32}
  pto.rls_buf "PIPE_V", 0, 0
  pto.sync.set <PIPE_FIX>, 1 {ffts_mode = 2 : i32}
  pto.sync.wait <PIPE_V>, %idx
  %ids = pto.declare_eventid_array -> !pto.eventid_array<4>
  %id = pto.eventid_array_get %ids[%i] : !pto.eventid_array<4>
  pto.eventid_array_set %ids[%i], %id : !pto.eventid_array<4>
  pto.set_ffts %m : memref<256xi64>
  pto.section.cube {
    %b = pto.get_block_idx
    %n = pto.get_block_num
    %s = pto.get_subblock_idx %x = arith.constant 1 : index
  }
  pto.section.vector {
  }
}
)"},
    {"queues", R"(func.func @queues() attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
  %b = pto.reserve_buffer {name = "fifo", size = 4096, location = #pto.address_space<vec>, auto = true} -> i32
  %i = pto.import_reserved_buffer {name = "fifo", peer_func = @vector_kernel} -> i32
  pto.aic_initialize_pipe {dir_mask = 1, slot_size = 1024, nosplit = false} (gm_slot_buffer = %p : !pto.ptr<f32>, c2v_consumer_buf = %b : i32, v2c_consumer_buf = %i : i32)
  pto.tpush_to_aiv(%t : !pto.tile_buf<acc, 16x16xf32>) {split = 0}
  %t2 = pto.tpop_from_aic {split = 0} -> !pto.tile_buf<vec, 16x64xf32>
  %t3 = pto.tpop_from_aic(%r, %c) {split = 1} -> !pto.tile_buf<vec, 16x64xf32, valid=?x?>
  pto.tfree_from_aic {split = 0}
  %pipe = pto.initialize_l2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 8, flag_base = 0} (%l : i32, %peer : i32) -> !pto.pipe
  pto.tpush(%t, %pipe : !pto.tile_buf<vec, 16x64xf32>, !pto.pipe) {split = 0}
  pto.tfree(%pipe : !pto.pipe) {split = 0}
  %ses = pto.build_async_session(%scratch, %ws : !pto.tile_buf<vec, 1x64xf32>, memref<64xi8>) {sync_id = 0 : i32} -> !pto.async_session
  %e = pto.tput_async(%d, %s, %ses : memref<64xf32>, memref<64xf32>, !pto.async_session) -> !pto.async_event
  %done = pto.wait_async_event(%e, %ses : !pto.async_event, !pto.async_session) -> i1
}
)"},
    {"vector instructions", R"(func.func @micro() attributes {pto.aicore} {
  pto.vecscope {
    %m = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %m2, %rest = pto.plt_b32 %n : i32 -> !pto.mask<b32>, i32
    %v = pto.vlds %p[%i] {dist = "BRC_B32"} : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
    %a, %b = pto.vldsx2 %p[%i], "DINTLV_B32" : !pto.ptr<f32, ub>, index -> !pto.vreg<64xf32>, !pto.vreg<64xf32>
    %al = pto.init_align : !pto.align
    %w = pto.vadd %v, %a, %m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
    %x = pto.vmuls %v, %s, %m : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> !pto.vreg<64xf32>
    %c = pto.vcmp %v, %a, %m, "lt" : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.mask<b32>
    %h = pto.vcvt %v, %m {rnd = "R", sat = "SAT", part = "EVEN"} : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<128xf16>
    %d = pto.vdup %v, %m {position = "LOWEST"} : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
    %sum, %carry = pto.vaddc %v, %a, %m : !pto.vreg<64xi32>, !pto.vreg<64xi32>, !pto.mask<b32> -> !pto.vreg<64xi32>, !pto.mask<b32>
    pto.vsts %w, %p[%i], %m {dist = "NORM_B32"} : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
    pto.vstsx2 %a, %b, %p[%i], "INTLV_B32", %m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.ptr<f32, ub>, index, !pto.mask<b32>
    %al2 = pto.vstus %al, %n, %v, %p : !pto.align, i32, !pto.vreg<64xf32>, !pto.ptr<f32, ub> -> !pto.align
    pto.psts %m, %p[%i], "NORM" : !pto.mask<b32>, !pto.ptr<ui8, ub>, index
    pto.mem_bar "VST_VLD"
    pto.sprclr "AR"
    %c0, %c1, %c2, %c3 = pto.get_vms4_sr : i16, i16, i16, i16
    %ctrl = pto.get_ctrl : i64
  }
  pto.strict_vecscope(%p, %n) {
  ^bb0(%q: !pto.ptr<f32, ub>, %k: i32):
    %m = pto.pge_b32 "PAT_VL8" : !pto.mask<b32>
  } : (!pto.ptr<f32, ub>, i32) -> ()
  return
}
)"},
    {"copies", R"(func.func @copies() {
  pto.mte_gm_ub %src, %dst, %l2, %len nburst(%n, %ss, %ds) loop(%n1, %s1, %d1) loop(%n2, %s2, %d2) pad(%v, %left, %right) : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64, loop i64, i64, i64, loop i64, i64, i64, pad f32, i64, i64
  pto.mte_ub_gm %src, %dst, %len
      nburst(%n, %ss, %ds)
      : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64
  pto.mte_gm_l1_frac %s, %d, nd2nz, shape(%n, %dd), src_layout(%inner), dst_group(%a, %b, %c, %e), ctrl(%f, %g) : !pto.ptr<f16, gm>, !pto.ptr<f16, l1>, nd2nz, shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1
  pto.mte_l1_l0a %s, %d, %m, %k {transpose} : !pto.ptr<f16, l1>, !pto.ptr<f16, l0a>, i64, i64
  pto.mad %a, %b, %c, %m, %n, %k unit_flag(check_and_set) disable_gemv sat tf32_mode(round_even) n_dir : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, i64, i64, i64
  pto.mte_l0c_ub %s, %d, %m, %n, %ss, %ds, dst_mode(split_m), unit_flag(check_only), pre_quant(%payload, mode = qf322f16_pre_scalar), pre_relu(mode = normal_relu, clip = %clip), nz2nd : !pto.ptr<f32, l0c>, !pto.ptr<f16, ub>, i64, i64, i64, i64, pre_quant i64, pre_relu f32
  pto.mte_l0c_gm %s, %d, %m, %n, %ss, %ds, %sid, %l2, nz2dn(%stride), loop3(%c3, %s3, %d3), sat(preserve_nan), atomic(type = f32, op = add) : !pto.ptr<f32, l0c>, !pto.ptr<f32, gm>, i64, i64, i64, i64, i64, i64, nz2dn i64, loop3 i64, i64, i64
  pto.copy_gm_to_ubuf %a, %b, %c, %d, %e, %f, %g, %h, %i, %j, %k : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64, i1, i64, i64, i64
  pto.set_loop1_stride_outtoub %s, %d : i64, i64
}
)"},
    {"numbers", R"(func.func @numbers() {
  %a = arith.constant 5 : i64
  %b = arith.constant -1.5e-3 : f32
  %c = arith.constant 0xFF800000 : f32
  %d = arith.constant true
  %e = arith.constant dense<[1, 2, 3, 4]> : vector<4xi16>
  %f = arith.constant dense<0> : vector<4xi16>
  %g = arith.addi %a, %a : i64
  %h = arith.cmpi slt, %a, %g : i64
  %i = arith.select %h, %a, %g : i64
  %j = arith.index_cast %a : i64 to index
  %k, %l = arith.addui_extended %a, %g : i64, i1
  %m = builtin.unrealized_conversion_cast %x : ui32 to i32
  %n = arith.constant 123456789012345678901234567890 : i64
  %o = arith.constant 1. : f32
  %alloc = memref.alloc() : memref<16x16xf16, #pto.address_space<vec>>
  %view = memref.reinterpret_cast %alloc to offset: [%j], sizes: [%j, 16], strides: [16, 1] : memref<16x16xf16> to memref<?x16xf16, strided<[16, 1], offset: ?>>
  memref.dealloc %alloc : memref<16x16xf16, #pto.address_space<vec>>
}
)"},
    {"control flow", R"(func.func @control(%n: index) {
  scf.for %i = %c0 to %n step %c1 {
  }
  scf.for unsigned %i = %c0 to %n step %c1 : i32 {
    scf.yield
  }
  %final:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (f32, index) {
    scf.yield %x, %y : f32, index
  }
  %one = scf.if %cond -> f32 {
    scf.yield %final#0 : f32
  } else {
    scf.yield %zero : f32
  }
  scf.if %cond {
    pto.trap
  }
  %r:2 = scf.while (%i = %final#1, %j = %one) : (index, f32) -> (index, f32) {
    scf.condition(%cond) %i, %j : index, f32
  } do {
  ^bb0(%p: index, %q: f32):
    scf.yield %p, %q : index, f32
  }
  scf.while : () -> () {
    scf.condition(%cond)
  } do {
    scf.yield
  }
  scf.execute_region {
    scf.yield
  }
  scf.index_switch %n
  case 2 {
    scf.yield
  }
  default {
  }
}
)"},
    {"generic operations", R"("builtin.module"() <{sym_name = "m"}> ({
^bb0:
  "func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i32):
    %0 = "pto.tadd"(%a, %b) : (!pto.tile<16x16xf32>, !pto.tile<16x16xf32>) -> !pto.tile<16x16xf32>
    %1:2 = "scf.if"(%c) ({
      "scf.yield"(%0, %0) : (f32, f32) -> ()
    }, {
    }) {a, b = [1, 2 : i32, "x"], c = {d = unit}} : (i1) -> (f32, f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
)"},
    {"attributes",
     R"(func.func @attributes() attributes {a, "b-c" = 1, d = -2.5 : f32, e = [], f = [1, [2]], g = {}, h = @symbol, i = @"quoted symbol", j = true, k = word, l = array<i32: 1, 2>, m = dense<[[1, 2], [3, 4]]> : vector<2x2xi16>, n = #pto.layout<nd>, o = #other<x, y>, p = f32, q = !pto.align, r = (i32) -> f32, s = "with \"quotes\" and \\", t = #pto.unit, u = %v, v = none} {
}
)"},
    {"aliases and locations", R"(#layout = #pto.layout<nd>
!tile = !pto.tile_buf<vec, 16x64xf32>
#loc = loc("file.pto":1:2)
func.func @aliases() {
  %a = pto.alloc_tile {layout = #layout} : !tile loc(#loc)
  pto.tadd ins(%a, %a : !tile, !tile) outs(%a : !tile) loc("file.pto":3:4)
  pto.tload ins(%v : !pto.partition_tensor_view<16x64xf32>) outs(%a : !tile) {x = [#layout]}
}
)"},
    {"comments", R"(// license
# another

module { // opened
  // before

  func.func @f() { # body
    pto.trap // trailing
    #pto.trap ins(%a)
    # pto.trap

    pto.tadd ins(%a, // first
                 %b : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>)
        // result
        outs(%c : !pto.tile_buf<vec, 16x64xf32>)
    // last
  } // f
  // after
} // module
// end
)"},
    {"one line",
     R"(module { func.func @f() { %a = pto.get_block_idx %b = pto.get_block_num pto.trap pto.trap return } })"},
};

}  // namespace

std::span<const TextSample> text_samples() { return kSamples; }

}  // namespace ts::test
