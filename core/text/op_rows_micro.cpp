// Micro-instructions: operations on registers and masks inside pto.vecscope, copies between memories, matrix products.
#include "core/text/op_rows.h"

namespace ts::text {
namespace {

using enum OpGroup;

constexpr std::string_view kUnary = "src:V mask:M -> dst:V";
constexpr std::string_view kBinary = "lhs:V rhs:V mask:M -> dst:V";
constexpr std::string_view kScalar = "src:V scalar:S mask:M -> dst:V";
constexpr std::string_view kMaskBinary = "lhs:M rhs:M gate:M -> dst:M";

constexpr OpRow kRows[] = {
    // Regions.
    {"pto.vecscope", Micro, "!", "A region of vector instructions; it sees the values around it.", {}, "a5"},
    {"pto.strict_vecscope", Micro, "!", "A region of vector instructions that sees only its arguments.", {}, "a5"},
    {"pto.mem_bar", Micro, "order:N", "Orders reads and writes of UB inside a vector region, as the word says.", {}, "a5"},

    // Loads and stores of registers.
    {"pto.vlds", Micro, "src:X -> dst:V next:P?", "Loads a register; dist says how elements are spread, repeated or thinned.", {}, "a5"},
    {"pto.vsts", Micro, "src:V dst:X mask:M -> next:P?", "Stores the active lanes; dist says how elements are packed.", {}, "a5"},
    {"pto.vldsx2", Micro, "src:X dist:N -> low:V high:V next:P?", "Loads two registers and takes pairs apart.", {}, "a5"},
    {"pto.vstsx2", Micro, "low:V high:V dst:X dist:N mask:M -> next:P?", "Stores two registers as a stream of pairs.", {}, "a5"},
    {"pto.vldas", Micro, "src:P -> align:A", "Begins a stream of loads from an address that is not aligned.", {}, "a5"},
    {"pto.vldus", Micro,
     "src:P align:A step:I? -> dst:V next_align:A next:P?",
     "Loads a register from an address that is not aligned.", {}, "a5"},
    {"pto.init_align", Micro, "-> align:A", "Begins a stream of stores to addresses that are not aligned.", {}, "a5"},
    {"pto.vstus", Micro,
     "align:A count:I src:V dst:P -> next_align:A next:P?",
     "Stores the first elements to an address that is not aligned; the last bytes wait.", {}, "a5"},
    {"pto.vstur", Micro,
     "align:A src:V dst:P mode:N -> next_align:A",
     "Stores the lanes that vsqz kept, at the place that register AR counts.", {}, "a5"},
    {"pto.vstas", Micro, "align:A dst:P offset:I -> next:P?", "Ends a stream of stores: writes the bytes that wait.", {}, "a5"},
    {"pto.vstar", Micro, "align:A dst:P", "Ends a stream of stores at the place that register AR counts.", {}, "a5"},
    {"pto.vsldb", Micro,
     "src:P block_stride:I repeat_stride:I mask:M -> dst:V next:P?",
     "Loads blocks of 32 bytes that lie apart.", {}, "a5"},
    {"pto.vsstb", Micro,
     "src:V dst:P block_stride:I repeat_stride:I mask:M -> next:P?",
     "Stores blocks of 32 bytes that lie apart.", {}, "a5"},
    {"pto.vgather2", Micro, "src:P indices:V mask:M -> dst:V", "Gathers elements by index.", {}, "a5"},
    {"pto.vgather2_bc", Micro, "src:P indices:V mask:M -> dst:V", "Gathers elements by index into wider lanes.", {}, "a5"},
    {"pto.vgatherb", Micro, "src:P offsets:V mask:M -> dst:V", "Gathers blocks of 32 bytes by byte offset.", {}, "a5"},
    {"pto.vscatter", Micro, "src:V dst:P indices:V mask:M", "Scatters elements by index.", {}, "a5"},

    // Two registers, lane by lane.
    {"pto.vadd", Micro, kBinary, "lhs + rhs.", {}, "a5"},
    {"pto.vsub", Micro, kBinary, "lhs - rhs.", {}, "a5"},
    {"pto.vmul", Micro, kBinary, "lhs * rhs: the low bits.", {}, "a5"},
    {"pto.vdiv", Micro, kBinary, "lhs / rhs.", {}, "a5"},
    {"pto.vmax", Micro, kBinary, "The larger of two lanes.", {}, "a5"},
    {"pto.vmin", Micro, kBinary, "The smaller of two lanes.", {}, "a5"},
    {"pto.vand", Micro, kBinary, "Bitwise and.", {}, "a5"},
    {"pto.vor", Micro, kBinary, "Bitwise or.", {}, "a5"},
    {"pto.vxor", Micro, kBinary, "Bitwise exclusive or.", {}, "a5"},
    {"pto.vshl", Micro, "src:V count:V mask:M -> dst:V", "Shifts each lane left by its count.", {}, "a5"},
    {"pto.vshr", Micro, "src:V count:V mask:M -> dst:V", "Shifts each lane right by its count.", {}, "a5"},
    {"pto.vprelu", Micro, "src:V slope:V mask:M -> dst:V", "Multiplies negative lanes by their slope.", {}, "a5"},
    {"pto.vexpdif", Micro,
     "src:V max:V mask:M part:N -> dst:V",
     "exp(src - max); for f16 the word says which half of the lanes.", {}, "a5"},
    {"pto.vaddc", Micro, "lhs:V rhs:V mask:M -> dst:V carry:M", "lhs + rhs, and where it wrapped round.", {}, "a5"},
    {"pto.vsubc", Micro, "lhs:V rhs:V mask:M -> dst:V no_borrow:M", "lhs - rhs, and where it did not borrow.", {}, "a5"},
    {"pto.vaddcs", Micro, "lhs:V rhs:V carry_in:M mask:M -> dst:V carry:M", "lhs + rhs + carry, and where it wrapped round.", {}, "a5"},
    {"pto.vsubcs", Micro,
     "lhs:V rhs:V no_borrow_in:M mask:M -> dst:V no_borrow:M",
     "lhs - rhs - borrow, and where it did not borrow.", {}, "a5"},
    {"pto.vmull", Micro, "lhs:V rhs:V mask:M -> low:V high:V", "Both halves of the product.", {}, "a5"},
    {"pto.vmula", Micro, "acc:V lhs:V rhs:V mask:M -> dst:V", "acc + lhs * rhs.", {}, "a5"},
    {"pto.vaxpy", Micro, "src:V addend:V scalar:S mask:M -> dst:V", "src * scalar + addend.", {}, "a5"},

    // One register.
    {"pto.vabs", Micro, kUnary, "Absolute value.", {}, "a5"},
    {"pto.vneg", Micro, kUnary, "Changes the sign.", {}, "a5"},
    {"pto.vexp", Micro, kUnary, "e to the power of each lane.", {}, "a5"},
    {"pto.vln", Micro, kUnary, "Natural logarithm.", {}, "a5"},
    {"pto.vsqrt", Micro, kUnary, "Square root.", {}, "a5"},
    {"pto.vrelu", Micro, kUnary, "0 where a lane is negative.", {}, "a5"},
    {"pto.vnot", Micro, kUnary, "Inverts every bit.", {}, "a5"},
    {"pto.vcvt", Micro, kUnary, "Converts to dst's element type: rnd how to round, sat whether to clamp, part which lanes.", {}, "a5"},
    {"pto.vtrc", Micro, "src:V mask:M rounding:N -> dst:V", "Rounds to whole numbers.", {}, "a5"},

    // A register and a scalar.
    {"pto.vadds", Micro, kScalar, "src + scalar.", {}, "a5"},
    {"pto.vmuls", Micro, kScalar, "src * scalar.", {}, "a5"},
    {"pto.vmaxs", Micro, kScalar, "The larger of lane and scalar.", {}, "a5"},
    {"pto.vmins", Micro, kScalar, "The smaller of lane and scalar.", {}, "a5"},
    {"pto.vlrelu", Micro, "src:V slope:S mask:M -> dst:V", "Multiplies negative lanes by a slope.", {}, "a5"},
    {"pto.vshls", Micro, "src:V count:I mask:M -> dst:V", "Shifts every lane left.", {}, "a5"},
    {"pto.vshrs", Micro, "src:V count:I mask:M -> dst:V", "Shifts every lane right.", {}, "a5"},

    // Comparing, choosing, filling.
    {"pto.vcmp", Micro, "lhs:V rhs:V seed:M predicate:N -> dst:M", "Compares two registers where the seed is set.", {}, "a5"},
    {"pto.vcmps", Micro,
     "src:V scalar:S seed:M predicate:N -> dst:M",
     "Compares a register with a scalar where the seed is set.", {}, "a5"},
    {"pto.vsel", Micro, "if_true:V if_false:V mask:M -> dst:V", "Takes each lane from one of two registers.", {}, "a5"},
    {"pto.vselr", Micro, "src:V indices:V -> dst:V", "Takes lanes by their numbers.", {}, "a5"},
    {"pto.vselrv2", Micro, "src:V indices:V -> dst:V", "Takes lanes by their numbers; A5 has it no more.", "pto.vselr"},
    {"pto.vdup", Micro, "src:? mask:M -> dst:V", "Repeats a scalar, or the lane that position names.", {}, "a5"},
    {"pto.vbr", Micro, "scalar:S -> dst:V", "Repeats a scalar in every lane.", {}, "a5"},
    {"pto.vci", Micro, "start:S -> dst:V", "Counts up from start, or down with order DESC.", {}, "a5"},
    {"pto.vbitcast", Micro, "src:V -> dst:V", "The same bits as lanes of another type.", {}, "a5"},

    // Reductions.
    {"pto.vcadd", Micro, kUnary, "Sum of the active lanes, in lane 0.", {}, "a5"},
    {"pto.vcmax", Micro, kUnary, "Largest active lane in lane 0, its number in lane 1.", {}, "a5"},
    {"pto.vcmin", Micro, kUnary, "Smallest active lane in lane 0, its number in lane 1.", {}, "a5"},
    {"pto.vcgadd", Micro, kUnary, "Sum of each 32 bytes, in lanes 0 to 7.", {}, "a5"},
    {"pto.vcgmax", Micro, kUnary, "Largest lane of each 32 bytes, in lanes 0 to 7.", {}, "a5"},
    {"pto.vcgmin", Micro, kUnary, "Smallest lane of each 32 bytes, in lanes 0 to 7.", {}, "a5"},
    {"pto.vcpadd", Micro, kUnary, "Sums of neighbouring lanes, in the lower half.", {}, "a5"},

    // Moving lanes about.
    {"pto.vintlv", Micro, "lhs:V rhs:V -> low:V high:V", "Joins two registers into a stream of pairs.", {}, "a5"},
    {"pto.vdintlv", Micro, "lhs:V rhs:V -> even:V odd:V", "Takes a stream of pairs apart.", {}, "a5"},
    {"pto.vsqz", Micro, kUnary, "Moves the active lanes to the front.", {}, "a5"},
    {"pto.vusqz", Micro, kUnary, "How many lanes before this one are active.", {}, "a5"},
    {"pto.vpack", Micro, "src:V half:N -> dst:V", "Low bits of each lane, in one half of the result.", {}, "a5"},
    {"pto.vsunpack", Micro, "src:V half:I -> dst:V", "Widens one half of the lanes, with their sign.", {}, "a5"},
    {"pto.vzunpack", Micro, "src:V half:I -> dst:V", "Widens one half of the lanes, with zeros.", {}, "a5"},

    // Sorting in UB.
    {"pto.vbitsort", Micro,
     "dst:P scores:P indices:P repeat:I",
     "Sorts each 32 scores, largest first, into records of score and index.", {}, "a5"},
    {"pto.vmrgsort4", Micro, "dst:P src0:P src1:P src2:P src3:P counts:I config:I", "Merges up to four sorted lists of records.", {}, "a5"},
    {"pto.get_vms4_sr", Micro, "-> count0:I count1:I count2:I count3:I", "How many records the last merge took of each list.", {}, "a5"},

    // Masks.
    {"pto.pset_b8", Micro, "pattern:N -> dst:M", "A mask of 8-bit lanes by pattern.", {}, "a5"},
    {"pto.pset_b16", Micro, "pattern:N -> dst:M", "A mask of 16-bit lanes by pattern.", {}, "a5"},
    {"pto.pset_b32", Micro, "pattern:N -> dst:M", "A mask of 32-bit lanes by pattern.", {}, "a5"},
    {"pto.pge_b8", Micro, "pattern:N -> dst:M", "A mask of the first 8-bit lanes, by pattern.", {}, "a5"},
    {"pto.pge_b16", Micro, "pattern:N -> dst:M", "A mask of the first 16-bit lanes, by pattern.", {}, "a5"},
    {"pto.pge_b32", Micro, "pattern:N -> dst:M", "A mask of the first 32-bit lanes, by pattern.", {}, "a5"},
    {"pto.plt_b8", Micro, "count:I -> dst:M rest:I", "A mask of the first 8-bit lanes, and how many elements are left.", {}, "a5"},
    {"pto.plt_b16", Micro, "count:I -> dst:M rest:I", "A mask of the first 16-bit lanes, and how many elements are left.", {}, "a5"},
    {"pto.plt_b32", Micro, "count:I -> dst:M rest:I", "A mask of the first 32-bit lanes, and how many elements are left.", {}, "a5"},
    {"pto.pand", Micro, kMaskBinary, "Bitwise and, under a gate.", {}, "a5"},
    {"pto.por", Micro, kMaskBinary, "Bitwise or, under a gate.", {}, "a5"},
    {"pto.pxor", Micro, kMaskBinary, "Bitwise exclusive or, under a gate.", {}, "a5"},
    {"pto.pnot", Micro, "src:M gate:M -> dst:M", "Inverts a mask, under a gate.", {}, "a5"},
    {"pto.psel", Micro, "if_true:M if_false:M selector:M -> dst:M", "Takes each bit from one of two masks.", {}, "a5"},
    {"pto.ppack", Micro, "src:M half:N -> dst:M", "Every second bit, in one half of the result.", {}, "a5"},
    {"pto.punpack", Micro, "src:M half:N -> dst:M", "Spreads one half of the bits over the whole mask.", {}, "a5"},
    {"pto.pbitcast", Micro, "src:M -> dst:M", "The same bits for lanes of another width.", {}, "a5"},
    {"pto.pintlv_b8", Micro, "lhs:M rhs:M -> low:M high:M", "Joins two masks of 8-bit lanes into a stream of pairs.", {}, "a5"},
    {"pto.pintlv_b16", Micro, "lhs:M rhs:M -> low:M high:M", "Joins two masks of 16-bit lanes into a stream of pairs.", {}, "a5"},
    {"pto.pintlv_b32", Micro, "lhs:M rhs:M -> low:M high:M", "Joins two masks of 32-bit lanes into a stream of pairs.", {}, "a5"},
    {"pto.pdintlv_b8", Micro, "lhs:M rhs:M -> even:M odd:M", "Takes a stream of pairs of 8-bit lanes apart.", {}, "a5"},
    {"pto.pdintlv_b16", Micro, "lhs:M rhs:M -> even:M odd:M", "Takes a stream of pairs of 16-bit lanes apart.", {}, "a5"},
    {"pto.pdintlv_b32", Micro, "lhs:M rhs:M -> even:M odd:M", "Takes a stream of pairs of 32-bit lanes apart.", {}, "a5"},
    {"pto.plds", Micro, "src:X dist:N -> dst:M next:P?", "Loads a mask.", {}, "a5"},
    {"pto.pldi", Micro, "src:X dist:N -> dst:M next:P?", "Loads a mask from a constant offset.", {}, "a5"},
    {"pto.psts", Micro, "src:M dst:X dist:N -> next:P?", "Stores a mask.", {}, "a5"},
    {"pto.psti", Micro, "src:M dst:X dist:N -> next:P?", "Stores a mask at a constant offset.", {}, "a5"},
    {"pto.pstu", Micro, "align:A src:M dst:P -> next_align:A next:P", "Adds a mask's bits to a stream of stores.", {}, "a5"},

    // Copies between memories. Strides count bytes from start to start, gaps blocks from end to start.
    {"pto.mte_gm_ub", Micro,
     "src:P dst:P l2_hint:I length:I nburst(count:I src_stride:I dst_stride:I) loop(count:I src_stride:I dst_stride:I)* "
     "pad(value:S left:I? right:I?)?",
     "Copies rows of bytes from global memory to UB.", {}, "a5"},
    {"pto.mte_ub_gm", Micro,
     "src:P dst:P length:I nburst(count:I src_stride:I dst_stride:I) loop(count:I src_stride:I dst_stride:I)*",
     "Copies rows of bytes from UB to global memory.", {}, "a5"},
    {"pto.mte_ub_ub", Micro, "src:P dst:P length:I nburst(count:I src_gap:I dst_gap:I)", "Copies blocks inside UB.", {}, "a5"},
    {"pto.mte_ub_l1", Micro, "src:P dst:P length:I nburst(count:I src_gap:I dst_gap:I)", "Copies blocks from UB to L1.", {}, "a5"},
    {"pto.mte_gm_l1", Micro,
     "src:P dst:P length:I nburst(count:I src_stride:I dst_stride:I) loop(count:I src_stride:I dst_stride:I)*",
     "Copies rows of bytes from global memory to L1.", {}, "a5"},
    {"pto.mte_l1_ub", Micro, "src:P dst:P length:I nburst(count:I src_gap:I dst_gap:I)", "Copies blocks from L1 to UB.", {}, "a5"},
    {"pto.mte_gm_l1_frac", Micro,
     "src:P dst:P nd2nz()? dn2nz()? shape(n:I d:I) src_layout(inner:I outer:I?) dst_group(count:I stride2:I stride3:I stride4:I) "
     "ctrl(cache:I small:I)",
     "Copies a matrix from global memory to L1 in boxes.", {}, "a5"},
    {"pto.mte_l1_bt", Micro, "src:P dst:P length:I nburst(count:I src_gap:I dst_gap:I)", "Copies from L1 to the bias table.", {}, "a5"},
    {"pto.mte_l1_fb", Micro,
     "src:P dst:P length:I nburst(count:I src_gap:I dst_gap:I)",
     "Copies from L1 to the quantisation tables.", {}, "a5"},
    {"pto.mte_l1_l0a", Micro, "src:P dst:P m:I k:I", "Copies a left operand from L1 to L0A.", {}, "a5"},
    {"pto.mte_l1_l0b", Micro, "src:P dst:P k:I n:I", "Copies a right operand from L1 to L0B.", {}, "a5"},
    {"pto.mte_l1_l0a_mx", Micro, "src:P dst:P m:I k:I", "Copies the left operand's scales.", {}, "a5"},
    {"pto.mte_l1_l0b_mx", Micro, "src:P dst:P k:I n:I", "Copies the right operand's scales.", {}, "a5"},
    {"pto.mte_l0c_gm", Micro,
     "src:P dst:P m:I n:I src_stride:I dst_stride:I stream:I l2_hint:I unit_flag(mode:N)? pre_quant(payload:? mode:N)? "
     "pre_relu(payload:?? mode:N clip:S?)? nz2nd()? nz2dn(stride:I)? nz2nz(split:I)? loop3(count:I src_stride:I "
     "dst_stride:I)? sat(mode:N?)? nosat()? atomic(type:N op:N)?",
     "Copies results from L0C to global memory, converting on the way.", {}, "a5"},
    {"pto.mte_l0c_l1", Micro,
     "src:P dst:P m:I n:I src_stride:I dst_stride:I unit_flag(mode:N)? pre_quant(payload:? mode:N)? pre_relu(payload:?? "
     "mode:N clip:S?)? nz2nd()? nz2dn(stride:I)? nz2nz(split:I)? loop3(count:I src_stride:I dst_stride:I)? sat(mode:N?)? "
     "nosat()?",
     "Copies results from L0C to L1, converting on the way.", {}, "a5"},
    {"pto.mte_l0c_ub", Micro,
     "src:P dst:P m:I n:I src_stride:I dst_stride:I dst_mode(mode:?) unit_flag(mode:N)? pre_quant(payload:? mode:N)? "
     "pre_relu(payload:?? mode:N clip:S?)? nz2nd()? nz2dn(stride:I)? nz2nz(split:I)? loop3(count:I src_stride:I "
     "dst_stride:I)? sat(mode:N?)? nosat()?",
     "Copies results from L0C to UB, converting on the way.", {}, "a5"},

    // Matrix products.
    {"pto.mad", Micro,
     "lhs:P rhs:P dst:P m:I n:I k:I unit_flag(mode:N)? disable_gemv()? sat()? nosat()? tf32_mode(mode:N)? n_dir()?",
     "dst = lhs x rhs.", {}, "a5"},
    {"pto.mad_acc", Micro,
     "lhs:P rhs:P dst:P m:I n:I k:I unit_flag(mode:N)? disable_gemv()? sat()? nosat()? tf32_mode(mode:N)? n_dir()?",
     "dst += lhs x rhs.", {}, "a5"},
    {"pto.mad_bias", Micro,
     "lhs:P rhs:P dst:P bias:P m:I n:I k:I unit_flag(mode:N)? disable_gemv()? sat()? nosat()? tf32_mode(mode:N)? n_dir()?",
     "dst = lhs x rhs + bias.", {}, "a5"},
    {"pto.mad_mx", Micro,
     "lhs:P rhs:P dst:P m:I n:I k:I unit_flag(mode:N)? disable_gemv()? sat()? nosat()? tf32_mode(mode:N)? n_dir()?",
     "dst = lhs x rhs, with shared exponents.", {}, "a5"},
    {"pto.mad_mx_acc", Micro,
     "lhs:P rhs:P dst:P m:I n:I k:I unit_flag(mode:N)? disable_gemv()? sat()? nosat()? tf32_mode(mode:N)? n_dir()?",
     "dst += lhs x rhs, with shared exponents.", {}, "a5"},
    {"pto.mad_mx_bias", Micro,
     "lhs:P rhs:P dst:P bias:P m:I n:I k:I unit_flag(mode:N)? disable_gemv()? sat()? nosat()? tf32_mode(mode:N)? n_dir()?",
     "dst = lhs x rhs + bias, with shared exponents.", {}, "a5"},

    // Older spellings.
    {"pto.copy_gm_to_ubuf", Micro,
     "src:P dst:P stream:I count:I length:I left:I right:I pad:I l2_hint:I src_stride:I dst_stride:I",
     "Copies rows of bytes from global memory to UB.", "pto.mte_gm_ub"},
    {"pto.copy_ubuf_to_gm", Micro,
     "src:P dst:P stream:I count:I length:I reserved:I dst_stride:I src_stride:I",
     "Copies rows of bytes from UB to global memory.", "pto.mte_ub_gm"},
    {"pto.copy_ubuf_to_ubuf", Micro,
     "src:P dst:P stream:I count:I length:I src_gap:I dst_gap:I",
     "Copies blocks inside UB.", "pto.mte_ub_ub"},
    {"pto.copy_gm_to_cbuf", Micro, "src:P dst:P count:I length:I src_gap:I dst_gap:I", "Copies from global memory to L1.", "pto.mte_gm_l1"},
    {"pto.copy_cbuf_to_ubuf", Micro,
     "src:P dst:P subblock:I count:I length:I src_gap:I dst_gap:I",
     "Copies blocks from L1 to UB.", "pto.mte_l1_ub"},
    {"pto.copy_ubuf_to_cbuf", Micro,
     "src:P dst:P stream:I count:I length:I src_gap:I dst_gap:I",
     "Copies blocks from UB to L1.", "pto.mte_ub_l1"},
    {"pto.load_cbuf_to_ca", Micro,
     "src:P dst:P m_start:I k_start:I m_count:I k_count:I src_stride:I dst_stride:I",
     "Copies a left operand from L1 to L0A.", "pto.mte_l1_l0a"},
    {"pto.set_loop1_stride_outtoub", Micro,
     "src_stride:I dst_stride:I",
     "Sets the strides of the inner loop of copies to UB.", "pto.mte_gm_ub"},
    {"pto.set_loop1_stride_ubtoout", Micro,
     "src_stride:I dst_stride:I",
     "Sets the strides of the inner loop of copies from UB.", "pto.mte_ub_gm"},
    {"pto.set_loop2_stride_outtoub", Micro,
     "src_stride:I dst_stride:I",
     "Sets the strides of the outer loop of copies to UB.", "pto.mte_gm_ub"},
    {"pto.set_loop2_stride_ubtoout", Micro,
     "src_stride:I dst_stride:I",
     "Sets the strides of the outer loop of copies from UB.", "pto.mte_ub_gm"},
    {"pto.set_loop_size_outtoub", Micro, "inner:I outer:I", "Sets the counts of the loops of copies to UB.", "pto.mte_gm_ub"},
    {"pto.set_loop_size_ubtoout", Micro, "inner:I outer:I", "Sets the counts of the loops of copies from UB.", "pto.mte_ub_gm"},
    {"pto.vsta", Micro, "align:A dst:X", "Ends a stream of stores: writes the bytes that wait.", "pto.vstas"},
    {"pto.vstu", Micro,
     "align:A offset:I src:V dst:P mode:N -> next_align:A next_offset:I",
     "Stores to an address that is not aligned.", "pto.vstus"},
    {"pto.vmrgsort", Micro,
     "dst:P src0:P src1:P src2:P src3:P counts:I config:I",
     "Merges up to four sorted lists of records.", "pto.vmrgsort4"},

    // Registers of the core.
    {"pto.sprclr", Micro, "register:N", "Sets a special register to 0.", {}, "a5"},
    {"pto.get_ctrl", Micro, "-> value:I", "Reads the control register.", {}, "a5"},
    {"pto.set_ctrl", Micro, "value:I", "Writes the control register.", {}, "a5"},
    {"pto.sbitset1", Micro, "value:I bit:I -> result:I", "Sets one bit.", {}, "a5"},
};

}  // namespace

std::span<const OpRow> micro_op_rows() { return kRows; }

}  // namespace ts::text
