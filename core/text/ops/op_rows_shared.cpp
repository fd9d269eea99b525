// Operations of the dialects that program text shares with others: arith, scf, func, memref, builtin.
#include "core/text/ops/op_rows.h"

namespace ts::text {
namespace {

using enum OpGroup;
using enum OpKind;

constexpr OpRow kSharedRows[] = {
    as(Constant, {"arith.constant", Shared, "!", "A number."}),

    {"arith.addi", Shared, "lhs:I rhs:I -> result:I", "lhs + rhs, wrapping round."},
    {"arith.subi", Shared, "lhs:I rhs:I -> result:I", "lhs - rhs, wrapping round."},
    {"arith.muli", Shared, "lhs:I rhs:I -> result:I", "lhs * rhs, wrapping round."},
    {"arith.andi", Shared, "lhs:I rhs:I -> result:I", "Bitwise and."},
    {"arith.ori", Shared, "lhs:I rhs:I -> result:I", "Bitwise or."},
    {"arith.xori", Shared, "lhs:I rhs:I -> result:I", "Bitwise exclusive or."},
    {"arith.shli", Shared, "lhs:I rhs:I -> result:I", "lhs shifted left by rhs bits."},
    {"arith.shrsi", Shared, "lhs:I rhs:I -> result:I", "lhs shifted right by rhs bits, filled with its sign."},
    {"arith.shrui", Shared, "lhs:I rhs:I -> result:I", "lhs shifted right by rhs bits, filled with zeros."},
    {"arith.divsi", Shared, "lhs:I rhs:I -> result:I", "Signed lhs / rhs, rounded towards zero."},
    {"arith.divui", Shared, "lhs:I rhs:I -> result:I", "Unsigned lhs / rhs, rounded down."},
    {"arith.ceildivsi", Shared, "lhs:I rhs:I -> result:I", "Signed lhs / rhs, rounded up."},
    {"arith.ceildivui", Shared, "lhs:I rhs:I -> result:I", "Unsigned lhs / rhs, rounded up."},
    {"arith.floordivsi", Shared, "lhs:I rhs:I -> result:I", "Signed lhs / rhs, rounded down."},
    {"arith.remsi", Shared, "lhs:I rhs:I -> result:I", "Signed remainder, with the sign of lhs."},
    {"arith.remui", Shared, "lhs:I rhs:I -> result:I", "Unsigned remainder."},
    {"arith.maxsi", Shared, "lhs:I rhs:I -> result:I", "The larger of two signed integers."},
    {"arith.maxui", Shared, "lhs:I rhs:I -> result:I", "The larger of two unsigned integers."},
    {"arith.minsi", Shared, "lhs:I rhs:I -> result:I", "The smaller of two signed integers."},
    {"arith.minui", Shared, "lhs:I rhs:I -> result:I", "The smaller of two unsigned integers."},
    {"arith.addui_extended", Shared, "lhs:I rhs:I -> sum:I overflow:I", "lhs + rhs, and whether it wrapped round."},
    {"arith.mulsi_extended", Shared, "lhs:I rhs:I -> low:I high:I", "Both halves of the signed product."},
    {"arith.mului_extended", Shared, "lhs:I rhs:I -> low:I high:I", "Both halves of the unsigned product."},
    as(Compare, {"arith.cmpi", Shared, "predicate:N lhs:I rhs:I -> result:I",
                 "Compares integers: eq ne slt sle sgt sge, and ult ule ugt uge for unsigned ones."}),
    {"arith.select", Shared, "condition:I if_true:? if_false:? -> result:?", "One of two values."},

    {"arith.addf", Shared, "lhs:S rhs:S -> result:S", "lhs + rhs, to nearest even."},
    {"arith.subf", Shared, "lhs:S rhs:S -> result:S", "lhs - rhs, to nearest even."},
    {"arith.mulf", Shared, "lhs:S rhs:S -> result:S", "lhs * rhs, to nearest even."},
    {"arith.divf", Shared, "lhs:S rhs:S -> result:S", "lhs / rhs, to nearest even."},
    {"arith.remf", Shared, "lhs:S rhs:S -> result:S", "Remainder of lhs / rhs, with the sign of lhs."},
    {"arith.negf", Shared, "src:S -> result:S", "Changes the sign."},
    {"arith.maximumf", Shared, "lhs:S rhs:S -> result:S", "The larger of two numbers, or NaN if one is NaN."},
    {"arith.minimumf", Shared, "lhs:S rhs:S -> result:S", "The smaller of two numbers, or NaN if one is NaN."},
    {"arith.maxnumf", Shared, "lhs:S rhs:S -> result:S", "The larger of two numbers, or the one that is not NaN."},
    {"arith.minnumf", Shared, "lhs:S rhs:S -> result:S", "The smaller of two numbers, or the one that is not NaN."},
    as(Compare, {"arith.cmpf", Shared, "predicate:N lhs:S rhs:S -> result:I",
                 "Compares floats: o... is false where one is NaN, u... is true there."}),

    {"arith.index_cast", Shared, "src:I -> result:I", "Between index and another integer type, with the sign."},
    {"arith.index_castui", Shared, "src:I -> result:I", "Between index and another integer type, without sign."},
    {"arith.extsi", Shared, "src:I -> result:I", "To a wider integer, filled with the sign."},
    {"arith.extui", Shared, "src:I -> result:I", "To a wider integer, filled with zeros."},
    {"arith.trunci", Shared, "src:I -> result:I", "To a narrower integer: its low bits."},
    {"arith.bitcast", Shared, "src:S -> result:S", "The same bits as another type."},
    {"arith.sitofp", Shared, "src:I -> result:S", "Signed integer to float."},
    {"arith.uitofp", Shared, "src:I -> result:S", "Unsigned integer to float."},
    {"arith.fptosi", Shared, "src:S -> result:I", "Float to signed integer, rounded towards zero."},
    {"arith.fptoui", Shared, "src:S -> result:I", "Float to unsigned integer, rounded towards zero."},
    {"arith.extf", Shared, "src:S -> result:S", "To a wider float."},
    {"arith.truncf", Shared, "src:S -> result:S", "To a narrower float, to nearest even."},

    as(For, {"scf.for", Shared, "!", "Counts from a lower bound up to, but not including, an upper bound."}),
    as(If, {"scf.if", Shared, "!", "Runs one of two regions."}),
    as(While, {"scf.while", Shared, "!", "Runs its second region as long as its first says so."}),
    as(Condition, {"scf.condition", Shared, "!", "Ends the first region of scf.while and says whether to go on."}),
    as(Yield, {"scf.yield", Shared, "!", "Ends a region with the values it gives."}),
    as(ExecuteRegion, {"scf.execute_region", Shared, "!", "Runs a region once."}),
    as(IndexSwitch, {"scf.index_switch", Shared, "!", "Runs the region of a number."}),

    as(BlockBranch, {"cf.br", Shared, "!", "Goes on in another block of the function."}),
    as(BlockBranch, {"cf.cond_br", Shared, "!", "Goes on in one of two blocks of the function."}),

    as(Module, {"builtin.module", Shared, "!", "A file's functions, with the target they are for."}),
    {"builtin.unrealized_conversion_cast", Shared, "src:? -> result:?", "The same bits as another type."},
    as(Function, {"func.func", Shared, "!", "A function; the entry is the kernel."}),
    as(Call, {"func.call", Shared, "!", "Calls a function."}),
    as(Return, {"func.return", Shared, "!", "Ends a function."}),

    as(AllocMemref, {"memref.alloc", Shared, "!", "A buffer in the memory that its type names.", "pto.alloc_tile"}),
    as(FreeMemref, {"memref.dealloc", Shared, "src:?", "Gives a buffer back; moves no byte."}),
    {"memref.reinterpret_cast", Shared, "!", "The same buffer with another offset, sizes and strides."},
};

}  // namespace

std::span<const OpRow> shared_op_rows() { return kSharedRows; }

}  // namespace ts::text
