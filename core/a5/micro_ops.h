// The A5 micro-operations that lowerings use so far: one row each.
#pragma once

#include "core/isa/micro_op.h"

namespace ts::a5 {

inline constexpr MicroOp kMicroOps[] = {
    {"vlds", FlowKind::Load, "reg = vlds base[off]", "loads 256 bytes; not predicated, so it may read past the valid region"},
    {"vlds.DINTLV_B32", FlowKind::Load, "lo, hi = vldsx2 base[off]", "loads 512 bytes: even words to lo, odd words to hi"},
    {"vlds.UNPK_B8", FlowKind::Load, "reg = vlds base[off], UNPK_B8", "loads 128 bytes, each zero-extended to 16 bits"},
    {"vldas", FlowKind::Control, "align = vldas base[off]", "primes an unaligned load stream"},
    {"vldus", FlowKind::Load, "reg = vldus align, base[off]", "loads 256 bytes from an address that need not be a block's"},
    {"vsts", FlowKind::Store, "vsts reg, base[off], pred", "stores the active lanes; other bytes keep their value"},
    {"vsts.PK_B16", FlowKind::Store, "vsts reg, base[off], PK_B16, pred", "the low byte of every active 16-bit lane"},
    {"init_align", FlowKind::Control, "align = init_align", "an unaligned store stream that holds nothing"},
    {"vstus", FlowKind::Store, "align = vstus align, n, reg, base[off]", "appends n lanes to an unaligned stream; whole blocks reach memory"},
    {"vstas", FlowKind::Store, "vstas align, base[off]", "writes what the stream still holds"},
    {"vdintlv", FlowKind::Permutation, "lo, hi = vdintlv a, b", "even and odd lanes of a followed by b"},
    {"vintlv", FlowKind::Permutation, "lo, hi = vintlv a, b", "lanes of a and b, alternating"},
    {"vsel", FlowKind::Select, "reg = vsel a, b, pred", "a where the predicate is on, b elsewhere"},
    {"vdup", FlowKind::Fill, "reg = vdup scalar, pred", "the scalar in active lanes, 0 elsewhere"},
    {"vci", FlowKind::Fill, "reg = vci base, INC", "base, base + 1, base + 2, ..."},
    {"vmins", FlowKind::LaneWise, "reg = vmins a, scalar, pred", "the smaller of a and the scalar in active lanes, 0 elsewhere"},
    {"vmuls", FlowKind::LaneWise, "reg = vmuls a, scalar, pred", "a * scalar in active lanes, 0 elsewhere"},
    {"vadds", FlowKind::LaneWise, "reg = vadds a, scalar, pred", "a + scalar in active lanes, 0 elsewhere"},
    {"vshrs", FlowKind::LaneWise, "reg = vshrs a, bits, pred", "a shifted right in active lanes, 0 elsewhere"},
    {"vgather2", FlowKind::Load, "reg = vgather2 base, idx, pred", "active lane i is element idx[i]; 0 elsewhere"},
    {"vgatherb", FlowKind::Load, "reg = vgatherb base, offsets, pred", "block k is the 32 bytes at base + offset k, where 32-bit lane k is active"},
    {"vscatter", FlowKind::Store, "vscatter reg, base, idx, pred", "active lane i to element idx[i]"},
    {"vadd", FlowKind::LaneWise, "reg = vadd a, b, pred", "a + b in active lanes, 0 elsewhere"},
    {"vaddc", FlowKind::LaneWise, "reg, carry = vaddc a, b, pred", "32-bit a + b, and where it carries"},
    {"vaddcs", FlowKind::LaneWise, "reg, carry = vaddcs a, b, carry, pred", "32-bit a + b + carry, and where it carries"},
    {"plt", FlowKind::Predicate, "pred = plt n", "the first n lanes; n then counts down by a register's lanes"},
    {"pset", FlowKind::Predicate, "pred = pset PAT_ALL", "every lane"},
    {"plds.US", FlowKind::Load, "pred = plds base[off], US", "16 bytes of bits, each into two predicate bits"},
    {"plds", FlowKind::Load, "pred = plds base[off], NORM", "32 bytes of bits"},
    {"pintlv_b16", FlowKind::Predicate, "lo, hi = pintlv_b16 a, b", "16-bit lanes of a and b, alternating"},
    {"punpack", FlowKind::Predicate, "pred = punpack a, LOWER", "bit k to bit 2k"},
    {"mte_gm_ub", FlowKind::Copy, "mte_gm_ub gm, ub, len nburst(n, sstride, dstride)", "rows of bytes from global memory"},
    {"mte_gm_l1", FlowKind::Copy, "mte_gm_l1 gm, l1, len nburst(n, sstride, dstride)", "rows of bytes from global memory to L1"},
    {"mte_gm_l1_frac", FlowKind::Copy, "mte_gm_l1_frac gm, l1, nd2nz|dn2nz, shape(n, d)", "lines of elements from global memory into boxes in L1"},
    {"mte_ub_gm", FlowKind::Copy, "mte_ub_gm ub, gm, len nburst(n, sstride, dstride)", "rows of bytes to global memory"},
    {"emu.vsts_intlv", FlowKind::Emulator, "lo, hi to pairs of words, where pred is on",
     "the hardware's interleaving store writes all 512 bytes; the documents promise that the rest stays"},
    {"emu.plds", FlowKind::Emulator, "pred = mask bits base[off]", "the bits of the documents; the library's own step reads others"},
};

consteval const MicroOp& op(const char* name) { return find_micro_op(kMicroOps, name); }

}  // namespace ts::a5
