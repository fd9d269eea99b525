// The walk through a text: each operation goes to its handler.
#pragma once

#include <vector>

#include "core/compile/compilation.h"

namespace ts {

// The operations from `first` to the end of its block.
void compile_ops(Compilation& c, text::OpId first);
// A region, in a scope of its own.
void compile_body(Compilation& c, const text::Item& region);
// A region up to its terminator; what that gives.
std::vector<Slot> compile_yielding(Compilation& c, const text::Item& region, text::OpKind terminator);
// What a terminator gives; the condition of scf.condition(%c) comes first.
std::vector<Slot> yielded_slots(Compilation& c, const text::Op& op);

// False, and told: an operation has another number of operands, results, ... than it needs.
bool same_count(Compilation& c, const text::Op& op, std::size_t got, std::size_t wanted, const char* what);
// False, and told: a value is of another kind. Or the slot is none, which was told before.
bool needs_kind(Compilation& c, const text::Item& item, Slot slot, text::TypeKind kind, const char* what);
// The results of a region's operation or a call: one name each, or one for all of them.
void bind_pack(Compilation& c, const text::Op& op, const std::vector<Slot>& from);

// Whether values of two types have the same bits and mean the same: whether an integer has a sign is no matter of its bits.
bool same_elements(text::ScalarKind a, text::ScalarKind b);
// False, and told: a value is no scalar of what `what` has.
bool same_scalar(Compilation& c, const text::Item& item, Slot value, text::ScalarKind wanted, const char* what);

}  // namespace ts
