// What the generic form of an operation, "pto.alloc_tile"(%a, %r) <{...}> : (T, T) -> T, says by the places of its operands
// and by the names of its attributes, and its own form says by clauses.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/text/ops/op_table.h"

namespace ts::text {

enum class GenericPlace : std::uint8_t {
  Value,      // a value where it stands
  Out,        // a destination: outs(%x)
  Clause,     // x = %v
  List,       // x = [%v, %w]
  Index,      // %p[%v, %w], of the value before it
  Group,      // x(%v, %w), in the parentheses
  Attribute,  // no operand: the attribute's value stands among the operands
  Numbers,    // no operand: the attribute's numbers are a list, x = [8, 16]
  Hint,       // no operand: an attribute that stays one
};

struct GenericPart {
  std::string_view name;
  GenericPlace place = GenericPlace::Value;
  bool optional = false;  // may be left out
  bool repeated = false;  // any number of operands
  bool is_operand() const { return place < GenericPlace::Attribute; }
};

enum class GenericTypes : std::uint8_t {
  Operands,  // of the operands, and behind an arrow those of the results
  Both,      // of the operands and results in one row
  Results,   // of the results alone, without an arrow
};

struct GenericShape {
  std::vector<GenericPart> parts;
  GenericTypes types = GenericTypes::Operands;
  bool in_parentheses = false;  // the operands
  bool as_ins = false;          // ins(%a, %b), and outs(...)
  bool value_moves = false;     // the value is the last operand, or the one behind what holds it, and is written first
  bool certain = false;         // what does not fit is wrong; else it is only not known which operand is which
};

// Null: an operation with regions that its reader knows, or one of which nobody knows the places.
const GenericShape* generic_shape(OpCode code);
// Nothing when `text` is no row of the table. For generic_shape and tests.
std::optional<GenericShape> parse_generic_shape(std::string_view text);

}  // namespace ts::text
