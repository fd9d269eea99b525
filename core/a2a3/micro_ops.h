// The A2A3 micro-operations that lowerings use so far: one row each.
#pragma once

#include "core/isa/micro_op.h"

namespace ts::a2a3 {

inline constexpr MicroOp kMicroOps[] = {
    {"vadd", FlowKind::Repeat, "vadd D, A, B, rep, db, ab, bb, dr, ar, br", "D = A + B, repeat by repeat, under the vector mask"},
    {"vector_dup", FlowKind::Repeat, "vector_dup D, scalar, rep, db, sb, dr, sr", "the scalar, repeat by repeat, under the vector mask"},
    {"vsel.mode1", FlowKind::Repeat, "vsel D, A, M, ..., 1", "A where the streamed mask bit is 1, else the scalar in CMPMASK"},
    {"vsel.mode2", FlowKind::Repeat, "vsel D, A, B, ..., 2", "A where the bit streamed from the address in CMPMASK is 1, else B"},
    {"set_va_reg", FlowKind::Control, "set_va_reg_sb VA, p0 ... p7", "the addresses of blocks, for the next vnchwconv"},
    {"vnchwconv", FlowKind::Copy, "vnchwconv D, A, rep, ds, ss", "16 blocks of A turned over into 16 blocks of D, repeat by repeat"},
    {"vgatherb", FlowKind::Repeat, "vgatherb D, offsets, base, ds, 1, rep", "eight blocks a repeat, each from base + its offset; knows no mask"},
    {"vgather", FlowKind::Repeat, "vgather D, offsets, base, 8, 1", "elements from base + their byte offsets, under the vector mask"},
    {"copy_ubuf_to_ubuf", FlowKind::Copy, "copy_ubuf_to_ubuf D, S, n, len, sgap, dgap", "runs of blocks within UB"},
    {"scalar loop", FlowKind::Copy, "for ...: *d = *s", "the scalar pipe moves elements one by one"},
    {"scalar gather", FlowKind::Copy, "for ...: d[i] = base[offset[i]]", "the scalar pipe fetches bytes one by one"},
    {"emu.vgatherb", FlowKind::Emulator, "blocks, as far as they are valid", "the hardware stores eight whole blocks; the documents promise that the rest stays"},
    {"set_mask_norm", FlowKind::Control, "set_mask_norm", "the vector mask enables lanes of every repeat"},
    {"set_mask_count", FlowKind::Control, "set_mask_count", "the vector mask holds the number of elements"},
    {"set_vector_mask", FlowKind::Control, "set_vector_mask hi, lo", "MASK[1] = hi, MASK[0] = lo"},
    {"set_cmpmask", FlowKind::Copy, "set_cmpmask p", "16 bytes at p to CMPMASK"},
    {"scalar store", FlowKind::Fill, "*p = scalar", "the scalar pipe writes one element"},
    {"set_flag/wait_flag", FlowKind::Control, "set_flag src, dst; wait_flag src, dst", "the second pipe waits for the first"},
    {"pipe_barrier", FlowKind::Control, "pipe_barrier V", "earlier vector operations complete first"},
    {"copy_gm_to_ubuf_align", FlowKind::Copy, "copy_gm_to_ubuf_align D, S, n, len, left, right, sgap, dgap", "rows of bytes from global memory"},
    {"copy_gm_to_cbuf", FlowKind::Copy, "copy_gm_to_cbuf D, S, n, len, sgap, dgap", "runs of blocks from global memory to L1"},
    {"copy_gm_to_cbuf_multi_nd2nz", FlowKind::Copy, "copy_gm_to_cbuf_multi_nd2nz D, S, n, d, ...", "lines of elements from global memory into boxes in L1"},
    {"copy_cbuf_to_gm", FlowKind::Copy, "copy_cbuf_to_gm D, S, n, len, sgap, dgap", "runs of blocks from L1 to global memory"},
    {"copy_ubuf_to_gm_align", FlowKind::Copy, "copy_ubuf_to_gm_align D, S, n, len, sgap, dgap", "rows of bytes to global memory"},
};

consteval const MicroOp& op(const char* name) { return find_micro_op(kMicroOps, name); }

// Where the special registers stand in the spr space.
inline constexpr std::uint32_t kMask = 0;       // 16 bytes: MASK[0], MASK[1]; in counter mode MASK[0] is the element count
inline constexpr std::uint32_t kMaskMode = 16;  // 8 bytes: 0 norm, 1 counter
inline constexpr std::uint32_t kCmpMask = 32;   // 16 bytes

}  // namespace ts::a2a3
