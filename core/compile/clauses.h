// What stands in an operation's clauses, `word(%a)` and `word = %a`, and in its parentheses.
#pragma once

#include "core/compile/compilation.h"
#include "core/text/ops/signature.h"

namespace ts {

// False, and told: a name in a clause means nothing, or is of another type than the clause states.
bool check_clause_names(Compilation& c, const text::Op& op);
// False, and told: the types that a list in parentheses states are not those of what it names, or not as many.
bool check_stated_types(Compilation& c, const text::Op& op);
// False, and told: what is in parentheses is not what the signature says.
bool check_parentheses(Compilation& c, const text::Op& op, const text::OpRow& row);
// Whether a type is one of values of this sort; memrefs stand for pointers, views and tiles.
bool is_of_sort(const Compilation& c, text::OperandSort sort, text::TypeId type);
// False, and told: a value is of another kind than it must be.
bool has_sort(Compilation& c, const text::Item& used, text::OperandSort sort);

}  // namespace ts
