// Micro-instructions: operations on registers and masks inside pto.vecscope, copies between memories, matrix products.
#include "core/text/ops/op_rows.h"

namespace ts::text {
namespace {

using enum OpGroup;
using enum OpKind;

constexpr OpRow a5_only(std::string_view name, std::string_view signature, std::string_view meaning) {
  return {.name = name, .group = Micro, .signature = signature, .meaning = meaning, .only = "a5"};
}

constexpr OpRow in_ub(OpRow row) {
  row.needs_ub = true;
  return row;
}

// On registers of lanes.
constexpr OpRow vector(std::string_view name, std::string_view signature, std::string_view meaning) {
  return in_ub(a5_only(name, signature, meaning));
}

// Changes what a lane is, so that predicate and lanes may differ in width.
constexpr OpRow widening(std::string_view name, std::string_view signature, std::string_view meaning) {
  OpRow row = vector(name, signature, meaning);
  row.changes_width = true;
  return row;
}

// On masks alone, of lanes of `bits`; 0: of any.
constexpr OpRow masks_of(std::uint8_t bits, std::string_view name, std::string_view signature,
                         std::string_view meaning) {
  OpRow row = a5_only(name, signature, meaning);
  row.mask_bits = bits;
  row.changes_width = true;
  return row;
}
constexpr OpRow mask(std::string_view name, std::string_view signature, std::string_view meaning) {
  return masks_of(0, name, signature, meaning);
}

constexpr std::string_view kUnary = "src:V mask:M -> dst:V";
constexpr std::string_view kBinary = "lhs:V rhs:V mask:M -> dst:V";
constexpr std::string_view kScalar = "src:V scalar:S mask:M -> dst:V";
constexpr std::string_view kMaskBinary = "lhs:M rhs:M gate:M -> dst:M";

// clang-format off
constexpr OpRow kMicroRows[] = {
    // Regions.
    as(VecScope, a5_only("pto.vecscope", "!", "A region of vector instructions; it sees the values around it.")),
    as(StrictVecScope, a5_only("pto.strict_vecscope", "!", "A region of vector instructions that sees only its arguments.")),
    as(MemoryBarrier, a5_only("pto.mem_bar", "order:N", "Orders reads and writes of UB inside a vector region, as the word says.")),

    // Loads and stores of registers.
    vector("pto.vlds", "src:X -> dst:V next:P?", "Loads a register; dist says how elements are spread, repeated or thinned."),
    vector("pto.vsts", "src:V dst:X mask:M -> next:P?", "Stores the active lanes; dist says how elements are packed."),
    vector("pto.vldsx2", "src:X dist:N -> low:V high:V next:P?", "Loads two registers and takes pairs apart."),
    vector("pto.vstsx2", "low:V high:V dst:X dist:N mask:M -> next:P?", "Stores two registers as a stream of pairs."),
    vector("pto.vldas", "src:P -> align:A", "Begins a stream of loads from an address that is not aligned."),
    vector("pto.vldus",
     "src:P align:A step:I? -> dst:V next_align:A next:P?",
     "Loads a register from an address that is not aligned."),
    a5_only("pto.init_align", "-> align:A", "Begins a stream of stores to addresses that are not aligned."),
    vector("pto.vstus",
     "align:A count:I src:V dst:P -> next_align:A next:P?",
     "Stores the first elements to an address that is not aligned; the last bytes wait."),
    vector("pto.vstur",
     "align:A src:V dst:P mode:N -> next_align:A",
     "Stores the lanes that vsqz kept, at the place that register AR counts."),
    vector("pto.vstas", "align:A dst:P offset:I -> next:P?", "Ends a stream of stores: writes the bytes that wait."),
    vector("pto.vstar", "align:A dst:P", "Ends a stream of stores at the place that register AR counts."),
    vector("pto.vsldb",
     "src:P block_stride:I repeat_stride:I mask:M -> dst:V next:P?",
     "Loads blocks of 32 bytes that lie apart."),
    vector("pto.vsstb",
     "src:V dst:P block_stride:I repeat_stride:I mask:M -> next:P?",
     "Stores blocks of 32 bytes that lie apart."),
    widening("pto.vgather2", "src:P indices:V mask:M -> dst:V", "Gathers elements by index."),
    widening("pto.vgather2_bc", "src:P indices:V mask:M -> dst:V", "Gathers elements by index into wider lanes."),
    widening("pto.vgatherb", "src:P offsets:V mask:M -> dst:V", "Gathers blocks of 32 bytes by byte offset."),
    widening("pto.vscatter", "src:V dst:P indices:V mask:M", "Scatters elements by index."),

    // Two registers, lane by lane.
    vector("pto.vadd", kBinary, "lhs + rhs."),
    vector("pto.vsub", kBinary, "lhs - rhs."),
    vector("pto.vmul", kBinary, "lhs * rhs: the low bits."),
    vector("pto.vdiv", kBinary, "lhs / rhs."),
    vector("pto.vmax", kBinary, "The larger of two lanes."),
    vector("pto.vmin", kBinary, "The smaller of two lanes."),
    vector("pto.vand", kBinary, "Bitwise and."),
    vector("pto.vor", kBinary, "Bitwise or."),
    vector("pto.vxor", kBinary, "Bitwise exclusive or."),
    vector("pto.vshl", "src:V count:V mask:M -> dst:V", "Shifts each lane left by its count."),
    vector("pto.vshr", "src:V count:V mask:M -> dst:V", "Shifts each lane right by its count."),
    vector("pto.vprelu", "src:V slope:V mask:M -> dst:V", "Multiplies negative lanes by their slope."),
    vector("pto.vexpdif",
     "src:V max:V mask:M part:N -> dst:V",
     "exp(src - max); for f16 the word says which half of the lanes."),
    vector("pto.vaddc", "lhs:V rhs:V mask:M -> dst:V carry:M", "lhs + rhs, and where it wrapped round."),
    vector("pto.vsubc", "lhs:V rhs:V mask:M -> dst:V no_borrow:M", "lhs - rhs, and where it did not borrow."),
    vector("pto.vaddcs", "lhs:V rhs:V carry_in:M mask:M -> dst:V carry:M", "lhs + rhs + carry, and where it wrapped round."),
    vector("pto.vsubcs",
     "lhs:V rhs:V no_borrow_in:M mask:M -> dst:V no_borrow:M",
     "lhs - rhs - borrow, and where it did not borrow."),
    widening("pto.vmull", "lhs:V rhs:V mask:M -> low:V high:V", "Both halves of the product."),
    vector("pto.vmula", "acc:V lhs:V rhs:V mask:M -> dst:V", "acc + lhs * rhs."),
    vector("pto.vaxpy", "src:V addend:V scalar:S mask:M -> dst:V", "src * scalar + addend."),

    // One register.
    vector("pto.vabs", kUnary, "Absolute value."),
    vector("pto.vneg", kUnary, "Changes the sign."),
    vector("pto.vexp", kUnary, "e to the power of each lane."),
    vector("pto.vln", kUnary, "Natural logarithm."),
    vector("pto.vsqrt", kUnary, "Square root."),
    vector("pto.vrelu", kUnary, "0 where a lane is negative."),
    vector("pto.vnot", kUnary, "Inverts every bit."),
    widening("pto.vcvt", kUnary, "Converts to dst's element type: rnd how to round, sat whether to clamp, part which lanes."),
    vector("pto.vtrc", "src:V mask:M rounding:N -> dst:V", "Rounds to whole numbers."),

    // A register and a scalar.
    vector("pto.vadds", kScalar, "src + scalar."),
    vector("pto.vmuls", kScalar, "src * scalar."),
    vector("pto.vmaxs", kScalar, "The larger of lane and scalar."),
    vector("pto.vmins", kScalar, "The smaller of lane and scalar."),
    vector("pto.vlrelu", "src:V slope:S mask:M -> dst:V", "Multiplies negative lanes by a slope."),
    vector("pto.vshls", "src:V count:I mask:M -> dst:V", "Shifts every lane left."),
    vector("pto.vshrs", "src:V count:I mask:M -> dst:V", "Shifts every lane right."),

    // Comparing, choosing, filling.
    vector("pto.vcmp", "lhs:V rhs:V seed:M predicate:N -> dst:M", "Compares two registers where the seed is set."),
    vector("pto.vcmps",
     "src:V scalar:S seed:M predicate:N -> dst:M",
     "Compares a register with a scalar where the seed is set."),
    vector("pto.vsel", "if_true:V if_false:V mask:M -> dst:V", "Takes each lane from one of two registers."),
    vector("pto.vselr", "src:V indices:V -> dst:V", "Takes lanes by their numbers."),
    in_ub({"pto.vselrv2", Micro, "src:V indices:V -> dst:V", "Takes lanes by their numbers; A5 has it no more.", "pto.vselr"}),
    vector("pto.vdup", "src:? mask:M -> dst:V", "Repeats a scalar, or the lane that position names."),
    vector("pto.vbr", "scalar:S -> dst:V", "Repeats a scalar in every lane."),
    vector("pto.vci", "start:S -> dst:V", "Counts up from start, or down with order DESC."),
    as(CastRegister, vector("pto.vbitcast", "src:V -> dst:V", "The same bits as lanes of another type.")),

    // Reductions.
    vector("pto.vcadd", kUnary, "Sum of the active lanes, in lane 0."),
    vector("pto.vcmax", kUnary, "Largest active lane in lane 0, its number in lane 1."),
    vector("pto.vcmin", kUnary, "Smallest active lane in lane 0, its number in lane 1."),
    vector("pto.vcgadd", kUnary, "Sum of each 32 bytes, in lanes 0 to 7."),
    vector("pto.vcgmax", kUnary, "Largest lane of each 32 bytes, in lanes 0 to 7."),
    vector("pto.vcgmin", kUnary, "Smallest lane of each 32 bytes, in lanes 0 to 7."),
    vector("pto.vcpadd", kUnary, "Sums of neighbouring lanes, in the lower half."),

    // Moving lanes about.
    vector("pto.vintlv", "lhs:V rhs:V -> low:V high:V", "Joins two registers into a stream of pairs."),
    vector("pto.vdintlv", "lhs:V rhs:V -> even:V odd:V", "Takes a stream of pairs apart."),
    vector("pto.vsqz", kUnary, "Moves the active lanes to the front."),
    vector("pto.vusqz", kUnary, "How many lanes before this one are active."),
    widening("pto.vpack", "src:V half:N -> dst:V", "Low bits of each lane, in one half of the result."),
    widening("pto.vsunpack", "src:V half:I -> dst:V", "Widens one half of the lanes, with their sign."),
    widening("pto.vzunpack", "src:V half:I -> dst:V", "Widens one half of the lanes, with zeros."),

    // Sorting in UB.
    vector("pto.vbitsort",
     "dst:P scores:P indices:P repeat:I",
     "Sorts each 32 scores, largest first, into records of score and index."),
    vector("pto.vmrgsort4", "dst:P src0:P src1:P src2:P src3:P counts:I config:I", "Merges up to four sorted lists of records."),
    a5_only("pto.get_vms4_sr", "-> count0:I count1:I count2:I count3:I", "How many records the last merge took of each list."),

    // Masks.
    masks_of(8, "pto.pset_b8", "pattern:N -> dst:M", "A mask of 8-bit lanes by pattern."),
    masks_of(16, "pto.pset_b16", "pattern:N -> dst:M", "A mask of 16-bit lanes by pattern."),
    masks_of(32, "pto.pset_b32", "pattern:N -> dst:M", "A mask of 32-bit lanes by pattern."),
    masks_of(8, "pto.pge_b8", "pattern:N -> dst:M", "A mask of the first 8-bit lanes, by pattern."),
    masks_of(16, "pto.pge_b16", "pattern:N -> dst:M", "A mask of the first 16-bit lanes, by pattern."),
    masks_of(32, "pto.pge_b32", "pattern:N -> dst:M", "A mask of the first 32-bit lanes, by pattern."),
    masks_of(8, "pto.plt_b8", "count:I -> dst:M rest:I", "A mask of the first 8-bit lanes, and how many elements are left."),
    masks_of(16, "pto.plt_b16", "count:I -> dst:M rest:I", "A mask of the first 16-bit lanes, and how many elements are left."),
    masks_of(32, "pto.plt_b32", "count:I -> dst:M rest:I", "A mask of the first 32-bit lanes, and how many elements are left."),
    mask("pto.pand", kMaskBinary, "Bitwise and, under a gate."),
    mask("pto.por", kMaskBinary, "Bitwise or, under a gate."),
    mask("pto.pxor", kMaskBinary, "Bitwise exclusive or, under a gate."),
    mask("pto.pnot", "src:M gate:M -> dst:M", "Inverts a mask, under a gate."),
    mask("pto.psel", "if_true:M if_false:M selector:M -> dst:M", "Takes each bit from one of two masks."),
    mask("pto.ppack", "src:M half:N -> dst:M", "Every second bit, in one half of the result."),
    mask("pto.punpack", "src:M half:N -> dst:M", "Spreads one half of the bits over the whole mask."),
    as(CastRegister, mask("pto.pbitcast", "src:M -> dst:M", "The same bits for lanes of another width.")),
    masks_of(8, "pto.pintlv_b8", "lhs:M rhs:M -> low:M high:M", "Joins two masks of 8-bit lanes into a stream of pairs."),
    masks_of(16, "pto.pintlv_b16", "lhs:M rhs:M -> low:M high:M", "Joins two masks of 16-bit lanes into a stream of pairs."),
    masks_of(32, "pto.pintlv_b32", "lhs:M rhs:M -> low:M high:M", "Joins two masks of 32-bit lanes into a stream of pairs."),
    masks_of(8, "pto.pdintlv_b8", "lhs:M rhs:M -> even:M odd:M", "Takes a stream of pairs of 8-bit lanes apart."),
    masks_of(16, "pto.pdintlv_b16", "lhs:M rhs:M -> even:M odd:M", "Takes a stream of pairs of 16-bit lanes apart."),
    masks_of(32, "pto.pdintlv_b32", "lhs:M rhs:M -> even:M odd:M", "Takes a stream of pairs of 32-bit lanes apart."),
    in_ub(mask("pto.plds", "src:X dist:N -> dst:M next:P?", "Loads a mask.")),
    mask("pto.pldi", "src:X dist:N -> dst:M next:P?", "Loads a mask from a constant offset."),
    in_ub(mask("pto.psts", "src:M dst:X dist:N -> next:P?", "Stores a mask.")),
    mask("pto.psti", "src:M dst:X dist:N -> next:P?", "Stores a mask at a constant offset."),
    mask("pto.pstu", "align:A src:M dst:P -> next_align:A next:P", "Adds a mask's bits to a stream of stores."),

    // Copies between memories. Strides count bytes from start to start, gaps blocks from end to start.
    as(CopyToUb, a5_only("pto.mte_gm_ub",
     "src:P dst:P l2_hint:I length:I nburst(count:I src_stride:I dst_stride:I) loop(count:I src_stride:I dst_stride:I)* "
     "pad(value:S left:I? right:I?)?",
     "Copies rows of bytes from global memory to UB.")),
    as(CopyFromUb, a5_only("pto.mte_ub_gm",
     "src:P dst:P length:I nburst(count:I src_stride:I dst_stride:I) loop(count:I src_stride:I dst_stride:I)*",
     "Copies rows of bytes from UB to global memory.")),
    a5_only("pto.mte_ub_ub", "src:P dst:P length:I nburst(count:I src_gap:I dst_gap:I)", "Copies blocks inside UB."),
    a5_only("pto.mte_ub_l1", "src:P dst:P length:I nburst(count:I src_gap:I dst_gap:I)", "Copies blocks from UB to L1."),
    as(CopyToL1, a5_only("pto.mte_gm_l1",
     "src:P dst:P length:I nburst(count:I src_stride:I dst_stride:I) loop(count:I src_stride:I dst_stride:I)*",
     "Copies rows of bytes from global memory to L1.")),
    a5_only("pto.mte_l1_ub", "src:P dst:P length:I nburst(count:I src_gap:I dst_gap:I)", "Copies blocks from L1 to UB."),
    a5_only("pto.mte_gm_l1_frac",
     "src:P dst:P nd2nz()? dn2nz()? shape(n:I d:I) src_layout(inner:I outer:I?) dst_group(count:I stride2:I stride3:I stride4:I) "
     "ctrl(cache:I small:I)",
     "Copies a matrix from global memory to L1 in boxes."),
    a5_only("pto.mte_l1_bt", "src:P dst:P length:I nburst(count:I src_gap:I dst_gap:I)", "Copies from L1 to the bias table."),
    a5_only("pto.mte_l1_fb",
     "src:P dst:P length:I nburst(count:I src_gap:I dst_gap:I)",
     "Copies from L1 to the quantisation tables."),
    a5_only("pto.mte_l1_l0a", "src:P dst:P m:I k:I", "Copies a left operand from L1 to L0A."),
    a5_only("pto.mte_l1_l0b", "src:P dst:P k:I n:I", "Copies a right operand from L1 to L0B."),
    a5_only("pto.mte_l1_l0a_mx", "src:P dst:P m:I k:I", "Copies the left operand's scales."),
    a5_only("pto.mte_l1_l0b_mx", "src:P dst:P k:I n:I", "Copies the right operand's scales."),
    a5_only("pto.mte_l0c_gm",
     "src:P dst:P m:I n:I src_stride:I dst_stride:I stream:I l2_hint:I unit_flag(mode:N)? pre_quant(payload:? mode:N)? "
     "pre_relu(slope:?? mode:N clip:S?)? nz2nd()? nz2dn(stride:I)? nz2nz(split:I)? loop3(count:I src_stride:I "
     "dst_stride:I)? sat(mode:N?)? nosat()? atomic(type:N op:N)?",
     "Copies results from L0C to global memory, converting on the way."),
    a5_only("pto.mte_l0c_l1",
     "src:P dst:P m:I n:I src_stride:I dst_stride:I unit_flag(mode:N)? pre_quant(payload:? mode:N)? pre_relu(slope:?? "
     "mode:N clip:S?)? nz2nd()? nz2dn(stride:I)? nz2nz(split:I)? loop3(count:I src_stride:I dst_stride:I)? sat(mode:N?)? "
     "nosat()?",
     "Copies results from L0C to L1, converting on the way."),
    a5_only("pto.mte_l0c_ub",
     "src:P dst:P m:I n:I src_stride:I dst_stride:I dst_mode(mode:?) unit_flag(mode:N)? pre_quant(payload:? mode:N)? "
     "pre_relu(slope:?? mode:N clip:S?)? nz2nd()? nz2dn(stride:I)? nz2nz(split:I)? loop3(count:I src_stride:I "
     "dst_stride:I)? sat(mode:N?)? nosat()?",
     "Copies results from L0C to UB, converting on the way."),

    // Matrix products.
    a5_only("pto.mad",
     "lhs:P rhs:P dst:P m:I n:I k:I unit_flag(mode:N)? disable_gemv()? sat()? nosat()? tf32_mode(mode:N)? n_dir()?",
     "dst = lhs x rhs."),
    a5_only("pto.mad_acc",
     "lhs:P rhs:P dst:P m:I n:I k:I unit_flag(mode:N)? disable_gemv()? sat()? nosat()? tf32_mode(mode:N)? n_dir()?",
     "dst += lhs x rhs."),
    a5_only("pto.mad_bias",
     "lhs:P rhs:P dst:P bias:P m:I n:I k:I unit_flag(mode:N)? disable_gemv()? sat()? nosat()? tf32_mode(mode:N)? n_dir()?",
     "dst = lhs x rhs + bias."),
    a5_only("pto.mad_mx",
     "lhs:P rhs:P dst:P m:I n:I k:I unit_flag(mode:N)? disable_gemv()? sat()? nosat()? tf32_mode(mode:N)? n_dir()?",
     "dst = lhs x rhs, with shared exponents."),
    a5_only("pto.mad_mx_acc",
     "lhs:P rhs:P dst:P m:I n:I k:I unit_flag(mode:N)? disable_gemv()? sat()? nosat()? tf32_mode(mode:N)? n_dir()?",
     "dst += lhs x rhs, with shared exponents."),
    a5_only("pto.mad_mx_bias",
     "lhs:P rhs:P dst:P bias:P m:I n:I k:I unit_flag(mode:N)? disable_gemv()? sat()? nosat()? tf32_mode(mode:N)? n_dir()?",
     "dst = lhs x rhs + bias, with shared exponents."),

    // Older spellings.
    as(OldCopyToUb, {"pto.copy_gm_to_ubuf", Micro, "src:P dst:P stream:I count:I length:I left:I right:I pad:I l2_hint:I src_stride:I dst_stride:I",
     "Copies rows of bytes from global memory to UB.", "pto.mte_gm_ub"}),
    as(OldCopyFromUb, {"pto.copy_ubuf_to_gm", Micro, "src:P dst:P stream:I count:I length:I reserved:I dst_stride:I src_stride:I",
     "Copies rows of bytes from UB to global memory.", "pto.mte_ub_gm"}),
    {"pto.copy_ubuf_to_ubuf", Micro, "src:P dst:P stream:I count:I length:I src_gap:I dst_gap:I",
     "Copies blocks inside UB.", "pto.mte_ub_ub"},
    {"pto.copy_gm_to_cbuf", Micro, "src:P dst:P count:I length:I src_gap:I dst_gap:I", "Copies from global memory to L1.", "pto.mte_gm_l1"},
    {"pto.copy_cbuf_to_ubuf", Micro, "src:P dst:P subblock:I count:I length:I src_gap:I dst_gap:I",
     "Copies blocks from L1 to UB.", "pto.mte_l1_ub"},
    {"pto.copy_ubuf_to_cbuf", Micro, "src:P dst:P stream:I count:I length:I src_gap:I dst_gap:I",
     "Copies blocks from UB to L1.", "pto.mte_ub_l1"},
    {"pto.load_cbuf_to_ca", Micro, "src:P dst:P m_start:I k_start:I m_count:I k_count:I src_stride:I dst_stride:I",
     "Copies a left operand from L1 to L0A.", "pto.mte_l1_l0a"},
    as(SetInnerLoopIn, {"pto.set_loop1_stride_outtoub", Micro, "src_stride:I dst_stride:I",
     "Sets the strides of the inner loop of copies to UB.", "pto.mte_gm_ub"}),
    as(SetInnerLoopOut, {"pto.set_loop1_stride_ubtoout", Micro, "src_stride:I dst_stride:I",
     "Sets the strides of the inner loop of copies from UB.", "pto.mte_ub_gm"}),
    as(SetOuterLoopIn, {"pto.set_loop2_stride_outtoub", Micro, "src_stride:I dst_stride:I",
     "Sets the strides of the outer loop of copies to UB.", "pto.mte_gm_ub"}),
    as(SetOuterLoopOut, {"pto.set_loop2_stride_ubtoout", Micro, "src_stride:I dst_stride:I",
     "Sets the strides of the outer loop of copies from UB.", "pto.mte_ub_gm"}),
    as(SetLoopSizesIn, {"pto.set_loop_size_outtoub", Micro, "inner:I outer:I", "Sets the counts of the loops of copies to UB.", "pto.mte_gm_ub"}),
    as(SetLoopSizesOut, {"pto.set_loop_size_ubtoout", Micro, "inner:I outer:I", "Sets the counts of the loops of copies from UB.", "pto.mte_ub_gm"}),
    in_ub({"pto.vsta", Micro, "align:A dst:X", "Ends a stream of stores: writes the bytes that wait.", "pto.vstas"}),
    in_ub({"pto.vstu", Micro, "align:A offset:I src:V dst:P mode:N -> next_align:A next_offset:I",
     "Stores to an address that is not aligned.", "pto.vstus"}),
    in_ub({"pto.vmrgsort", Micro, "dst:P src0:P src1:P src2:P src3:P counts:I config:I",
     "Merges up to four sorted lists of records.", "pto.vmrgsort4"}),

    // Registers of the core.
    as(ClearSpecial, a5_only("pto.sprclr", "register:N", "Sets a special register to 0.")),
    a5_only("pto.get_ctrl", "-> value:I", "Reads the control register."),
    as(SetControl, a5_only("pto.set_ctrl", "value:I", "Writes the control register.")),
    a5_only("pto.sbitset1", "value:I bit:I -> result:I", "Sets one bit."),
};
// clang-format on

}  // namespace

std::span<const OpRow> micro_op_rows() { return kMicroRows; }

}  // namespace ts::text
