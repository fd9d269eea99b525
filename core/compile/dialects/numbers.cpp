// Constants, arithmetic, and where in the launch a block is.
#include <fmt/format.h>

#include <algorithm>

#include "core/compile/dialects.h"
#include "core/compile/walk.h"
#include "core/program/literal.h"
#include "core/program/scalar_ops.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::OpKind;
using text::ScalarKind;
using text::TypeId;
using text::TypeKind;

namespace {

bool is_literal(const Item& item) {
  return item.kind == ItemKind::Int || item.kind == ItemKind::Float || item.kind == ItemKind::Bool ||
         item.kind == ItemKind::Attr;
}

// Whether a literal may stand for a number of this type; told where not.
bool literal_fits(Compilation& c, const Item& literal, TypeId id) {
  const ScalarKind kind = id == kNoType ? ScalarKind::I1 : c.tree.type(id).scalar;
  if (id != kNoType && c.tree.type(id).kind != TypeKind::Scalar) {
    c.messages.error(literal.range, "E-TYPE", fmt::format("{} is no number type", c.tree.type_text(id)));
    return false;
  }
  const bool hex = c.tree.text(literal).starts_with("0x");
  if (literal.kind == ItemKind::Int && text::is_float(kind) && !hex) {
    c.messages.error(literal.range, "E-TYPE", "integer literal for float type", "a number with a point",
                     fmt::format("write {}.0", c.tree.text(literal)));
    return false;
  }
  if (literal.kind == ItemKind::Float && !text::is_float(kind)) {
    c.messages.error(literal.range, "E-TYPE", fmt::format("float literal for {}", c.tree.type_text(id)), "an integer");
    return false;
  }
  return true;
}

// %c = arith.constant 5 : i64; .const %c = 5 : index; .arg %a : T
void constant(Compilation& c, OpId, const Op& op) {
  const auto items = c.tree.items(op);
  const auto literal = std::ranges::find_if(items, is_literal);
  const TypeId id = c.tree.only_type(c.tree.find(op, ItemKind::Types));
  if (op.result_count != 1) return;
  if (literal == items.end()) {  // .arg
    if (id != kNoType) c.arguments.bind_free_name(c.tree.results(op).front(), id);
    return;
  }
  if (literal->kind == ItemKind::Attr) {  // dense<...>: a vector of numbers that nobody reads yet
    c.names.bind_result(op, 0, id);
    return;
  }
  if (!literal_fits(c, *literal, id)) return;
  const auto bits = parse_scalar(c.tree.text(*literal), id == kNoType ? ScalarKind::I1 : c.tree.type(id).scalar);
  if (!bits) {
    c.messages.error(
        literal->range, "E-NUMBER",
        fmt::format("{} does not fit {}", c.tree.text(*literal), id == kNoType ? "i1" : c.tree.type_text(id)));
    return;
  }
  c.names.bind_result(op, 0, id, scalar_value(*bits));
}

struct Operands {
  std::vector<Slot> slots;
  int predicate = 0;
};

// Nothing: told why.
std::optional<Operands> operands_of(Compilation& c, const Op& op, int number) {
  const ScalarOpShape shape = scalar_op_shape(number);
  Operands operands;
  for (const Item& item : c.tree.items(op)) {
    if (item.kind == ItemKind::Use) operands.slots.push_back(c.names.use(item));
    // `true` and `false` are comparisons, too.
    const bool word = item.kind == ItemKind::Word || item.kind == ItemKind::Bool;
    if (!word || !shape.predicate || !operands.slots.empty()) continue;
    operands.predicate = find_predicate(number, c.tree.text(item));
    if (operands.predicate >= 0) continue;
    c.messages.error(
        item.range, "E-SYNTAX", fmt::format("unknown comparison '{}'", c.tree.text(item)),
        find_predicate(number, "oeq") >= 0 ? "oeq ogt oge olt ole one ..." : "eq ne slt sle sgt sge ult ule ugt uge");
    return {};
  }
  if (any_missing(operands.slots) || !same_count(c, op, operands.slots.size(), shape.operands, "operands") ||
      !same_count(c, op, op.result_count, shape.results, "results"))
    return {};
  return operands;
}

bool has_type(Compilation& c, const Op& op, const std::vector<Slot>& slots, TypeId type) {
  // The condition of a select has a type of its own.
  for (std::size_t i = slots.size() == 3 ? 1 : 0; i < slots.size(); ++i) {
    const TypeId given = c.code.type_of(slots[i]);
    if (given == kNoType || given == type) continue;
    c.messages.error(
        op.range, "E-TYPE",
        fmt::format("operand {} is {}, the operation says {}", i + 1, c.tree.type_text(given), c.tree.type_text(type)));
    return false;
  }
  return true;
}

void query(Compilation& c, const Op& op, Query what) {
  if (op.result_count != 1) return;
  const Slot slot = c.names.bind_result(op, 0, kNoType);
  c.code.emit(CodeKind::Query, op.range, {}, {slot}, static_cast<std::uint32_t>(what));
}

}  // namespace

void scalar_operation(Compilation& c, OpId, const Op& op) {
  const int number = find_scalar_op(op.code);
  const ScalarOpShape shape = scalar_op_shape(number);
  const std::optional<Operands> operands = operands_of(c, op, number);
  if (!operands) return;
  const std::vector<TypeId> types = c.tree.types_of(c.tree.find(op, ItemKind::Types));
  if (types.empty() || (shape.cast && types.size() != 2)) {
    c.messages.error({op.range.end, op.range.end}, "E-TYPE",
                     shape.cast ? "two types are needed" : "the type is missing", shape.cast ? ": A to B" : ": type");
    return;
  }
  // select may name the condition's type first.
  const TypeId first = operands->slots.size() == 3 ? types.back() : types.front();
  if (!has_type(c, op, operands->slots, first)) return;
  std::vector<Slot> outs;
  for (std::size_t i = 0; i < op.result_count; ++i)
    outs.push_back(c.names.bind_result(op, i, shape.cast ? types[1] : shape.predicate || i == 1 ? kNoType : first));
  CodeOp& code =
      c.code.emit(CodeKind::Compute, op.range, operands->slots, outs,
                  static_cast<std::uint32_t>(number) | static_cast<std::uint32_t>(operands->predicate) << 16);
  code.type = static_cast<std::uint8_t>(c.tree.type(first).scalar);
  code.to = static_cast<std::uint8_t>(c.tree.type(shape.cast ? types[1] : first).scalar);
}

std::span<const DialectRow> number_dialect() {
  static constexpr DialectRow kRows[] = {
      {OpKind::Constant, constant},
      {OpKind::BlockIndex, [](Compilation& c, OpId, const Op& op) { query(c, op, Query::BlockIdx); }},
      {OpKind::BlockCount, [](Compilation& c, OpId, const Op& op) { query(c, op, Query::BlockNum); }},
      {OpKind::SubblockIndex, [](Compilation& c, OpId, const Op& op) { query(c, op, Query::SubblockIdx); }},
      {OpKind::SubblockCount, [](Compilation& c, OpId, const Op& op) { query(c, op, Query::SubblockNum); }},
  };
  return kRows;
}

}  // namespace ts
