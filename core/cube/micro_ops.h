// The micro-operations of the cube core: one row each. The two targets share most of them.
#pragma once

#include "core/catalogue/micro_op.h"

namespace ts::cube {

// clang-format off
inline constexpr MicroOp kMicroOps[] = {
    {"load_cbuf_to_ca", FlowKind::Copy, "load_cbuf_to_ca L0A, L1, m, k", "boxes of L1 to the left operand's place"},
    {"load_cbuf_to_ca_transpose", FlowKind::Copy, "load_cbuf_to_ca_transpose L0A, L1, m, k", "boxes of L1 turned over, to the left operand's place"},
    {"img2colv2_cbuf_to_ca", FlowKind::Copy, "img2colv2_cbuf_to_ca L0A, L1, m, k", "windows of a map in L1 to the left operand's place; boxes as windows of one element"},
    {"load_cbuf_to_cb", FlowKind::Copy, "load_cbuf_to_cb L0B, L1, k, n", "boxes of L1 to the right operand's place"},
    {"load_cbuf_to_cb_transpose", FlowKind::Copy, "load_cbuf_to_cb_transpose L0B, L1, k, n", "boxes of L1 turned over, to the right operand's place"},
    {"load_cbuf_to_ca_mx", FlowKind::Copy, "load_cbuf_to_ca_mx L0A, L1, m, k", "boxes of exponents to those of the left operand"},
    {"load_cbuf_to_cb_mx", FlowKind::Copy, "load_cbuf_to_cb_mx L0B, L1, k, n", "boxes of exponents to those of the right operand"},
    {"copy_cbuf_to_bt", FlowKind::Copy, "copy_cbuf_to_bt BT, L1, len", "a row of L1 to the table of biases"},
    {"copy_cbuf_to_fbuf", FlowKind::Copy, "copy_cbuf_to_fbuf FB, L1, len", "a row of L1 to the fixpipe's factors"},
    {"mad", FlowKind::Product, "mad L0C, L0A, L0B, m, k, n", "every row of the left operand by every column of the right one"},
    {"mad_mx", FlowKind::Product, "mad_mx L0C, L0A, L0B, m, k, n", "the same with an exponent for each 32 terms of a row and of a column"},
    {"copy_matrix_cc_to_gm", FlowKind::Store, "copy_matrix_cc_to_gm GM, L0C, m, n", "results on their way through the fixpipe to global memory"},
    {"copy_matrix_cc_to_cbuf", FlowKind::Store, "copy_matrix_cc_to_cbuf L1, L0C, m, n", "results on their way through the fixpipe to L1"},
    {"copy_matrix_cc_to_ub", FlowKind::Store, "copy_matrix_cc_to_ub UB, L0C, m, n", "results on their way through the fixpipe to UB"},
    {"copy_ubuf_to_cbuf", FlowKind::Copy, "copy_ubuf_to_cbuf L1, UB, rows, cols", "elements of UB to a tile of L1"},
    {"copy_ubuf_to_ubuf", FlowKind::Copy, "copy_ubuf_to_ubuf UB, UB, rows, cols", "elements of UB to another tile there"},
    {"vector_dup", FlowKind::Fill, "vector_dup UB, rows, cols", "zeros in rows of a tile"},
    {"set_fmatrix", FlowKind::Store, "set_fmatrix bits", "the size of a map, and what is around it"},
    {"set_fmatrix_b", FlowKind::Store, "set_fmatrix_b bits", "the same for right operands"},
    {"set_l3d_rpt", FlowKind::Store, "set_l3d_rpt bits", "how windows of a map are taken again"},
    {"set_padding", FlowKind::Store, "set_padding bits", "what stands around a map"},
};
// clang-format on

consteval const MicroOp& op(const char* name) { return find_micro_op(kMicroOps, name); }

}  // namespace ts::cube
