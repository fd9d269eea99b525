// Statements as the compiler reads them: what is wrong with one is told.
#pragma once

#include "core/compile/compilation.h"
#include "core/program/statement.h"
#include "core/text/ops/word_list.h"

namespace ts {

// False, and told: there are more or fewer types than operands.
bool read_statement(Compilation& c, const text::Op& op, const FormShape& shape, Statement& out);
// Tells that `!pto.tile<...>` is no type.
void refuse_elided(Compilation& c, const StatementOperand& operand);
// Words of lists, such as #pto<cmp lt>. False, and told: one is not in its list.
bool check_words(Compilation& c, const text::Op& op);
// The same of one word: what holds it.
bool known_word(Compilation& c, const text::WordList& list, const text::Item& item);
// False, and told: the text states a type for a value that is not that of its definition.
bool has_stated_type(Compilation& c, const text::Item& used, text::TypeId type, text::SourceRange where, Slot slot);
// False, and told: a vector micro-instruction stands outside of every region for them.
bool in_vecscope(Compilation& c, const text::Op& op);
// True, and told: a tile operation stands in a region of vector instructions.
bool refused_in_vecscope(Compilation& c, const text::Op& op);

}  // namespace ts
