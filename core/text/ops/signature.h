// The signatures of the table of operations, taken apart. The words they are written in are explained at OpRow.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/text/ops/op_table.h"

namespace ts::text {

enum class OperandSort : std::uint8_t {
  Tile,       // T
  Scalar,     // S
  Integer,    // I
  Pointer,    // P
  Partition,  // W
  View,       // TV
  Vector,     // V
  Mask,       // M
  Align,      // A
  Element,    // X: a pointer with an index in brackets
  Word,       // N
  Event,      // E
  Any,        // ?
  Clause,     // a word with operands of its own in parentheses, or the word alone, or the parentheses alone
};
const char* name(OperandSort sort);  // for messages: "tile", "partition view", "vector register"

// Names point into the table, or into the catalogue.
struct SignatureOperand {
  std::string_view name;
  OperandSort sort = OperandSort::Any;
  bool optional = false;
  bool repeated = false;                   // any number, also none
  std::vector<SignatureOperand> operands;  // of a clause
};

struct SignatureForm {
  std::vector<SignatureOperand> operands, results;
  // How many the text must name, clauses not counted; `most_operands` is kUnlimited with a repeated one.
  std::size_t least_operands = 0, most_operands = 0, least_results = 0, most_results = 0;
};
inline constexpr std::size_t kUnlimited = ~std::size_t{0};

struct Signature {
  bool own_form = false;             // "!": no forms; its parser or compiler knows
  std::vector<SignatureForm> forms;  // alternatives, in the table's order
};

// Of any row. The signatures of the catalogue's instructions are made from their forms. All are made on the first call.
const Signature& signature(OpCode code);
// Nothing when `text` is no signature. For signature() and tests.
std::optional<Signature> parse_signature(std::string_view text);

}  // namespace ts::text
