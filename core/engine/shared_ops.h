// The rows of the micro-operations that both targets have, and of the emulator's own.
#pragma once

#include "core/catalogue/micro_op.h"

namespace ts::shared {

inline constexpr MicroOp kMicroOps[] = {
    {"create_cbuf_matrix", FlowKind::Fill, "create_cbuf_matrix D, cfg, scalar", "fills blocks of L1"},
    {"set_atomic", FlowKind::Control, "set_atomic_add; set_atomic_TYPE", "stores to global memory add from here on"},
    {"set_atomic_none", FlowKind::Control, "set_atomic_none", "stores to global memory replace again"},
    {"gm.gather.elem", FlowKind::Copy, "for ...: D[i] = table[idx[i]]",
     "elements from where their indices say in global memory"},
    {"gm.gather.row", FlowKind::Copy, "D = row idx of table", "a row from where its index says in global memory"},
    {"gm.scatter.elem", FlowKind::Copy, "for ...: table[idx[i]] = S[i]",
     "elements to where their indices say in global memory"},
    {"gm.scatter.row", FlowKind::Copy, "row idx of table = S", "a row to where its index says in global memory"},
    {"vbitsort", FlowKind::Copy, "vbitsort D, S, I, rep",
     "32 scores and their indices a repeat, as records of 8 bytes, the largest score first"},
    {"vmrgsort4", FlowKind::Copy, "vmrgsort4 D, S[4], count, config", "up to four sorted lists of records as one"},
    {"emu.concat", FlowKind::Emulator, "D = n0 elements of A, n1 of B",
     "the first elements of two rows, as many of each as a number in memory says"},
    {"emu.move", FlowKind::Emulator, "moves elements", "one by one, without a hardware sequence"},
    {"emu.fill", FlowKind::Emulator, "fills bytes", "a value that tells that nothing is promised"},
    {"emu.unspecified", FlowKind::Emulator, "marks bytes", "no document promises what these bytes hold now"},
};

consteval const MicroOp& op(const char* name) { return find_micro_op(kMicroOps, name); }

}  // namespace ts::shared
