// The operands, types and attributes of an operation, whatever form it is written in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/catalogue/row.h"
#include "core/text/tree.h"

namespace ts {

inline constexpr text::TypeId kNoType = text::kNoId;

// An input: a use of a value, a literal, a word. Or a result: a use (ins/outs form) or a definition.
struct StatementOperand {
  const text::Item* item = nullptr;
  text::TypeId type = kNoType;
  text::SourceRange type_range;
};

struct StatementAttribute {
  std::string_view name;
  const text::Item* named = nullptr;  // the entry
  const text::Item* value = nullptr;  // null: a unit attribute
};

struct Statement {
  const text::Tree* tree = nullptr;
  const text::Op* op = nullptr;
  std::string_view mnemonic;  // without "pto."
  bool destinations = false;  // results are operands: ins(...) outs(...), or destination first
  std::vector<StatementOperand> ins, outs;
  std::vector<StatementAttribute> attributes;
  text::SourceRange operands_end;  // behind the last operand, before the types

  const StatementAttribute* attribute(std::string_view name) const;
};

// What a list of types could not be dealt out to.
struct TypeMismatch {
  std::size_t types = 0, operands = 0;
  text::SourceRange where;
  explicit operator bool() const { return types != operands; }
};

// Reads an operation on tiles, or any that has operands and types only. `results`: how many results its form has, for
// the destination-first form; `scalar_in(i)` tells which inputs are scalars, for the short types of the synchronous
// form.
struct FormShape {
  std::size_t results = 1;
  std::vector<bool> scalar_in;
};
Statement read_statement(const text::Tree& tree, const text::Op& op, const FormShape& shape, TypeMismatch& mismatch);

// `pto.tassign %tile, %address` writes the tile it moves among the inputs; to its row it is the result.
void tile_goes_out(const InstructionRow& row, Statement& statement);

// The word an attribute or enum item stands for: lt of #pto<cmp lt>, PIPE_V of "PIPE_V", 1 of 1.
std::string_view word_of(const text::Tree& tree, const text::Item& item);

}  // namespace ts
