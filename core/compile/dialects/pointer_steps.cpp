// Operations on pointers and numbers: each statement becomes a step.
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/on_pointers.h"
#include "core/compile/dialects.h"
#include "core/compile/walk.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OperandSort;
using text::OpId;
using text::SignatureOperand;
using text::TypeKind;

namespace {

// The row of an operation; of an older spelling that of what it is called now. Null: it is none of these.
const PointerRow* row_for(const text::OpRow& row) {
  if (row.group != text::OpGroup::Micro || row.kind != text::OpKind::Other) return nullptr;
  const std::string_view name = row.current.empty() ? row.name : row.current;
  return find_on_pointers(name.substr(name.find('.') + 1));
}
const PointerRow* row_of(text::OpCode code) {
  static const std::vector<const PointerRow*> rows = [] {
    std::vector<const PointerRow*> all;
    for (const text::OpRow& row : text::op_rows()) all.push_back(row_for(row));
    return all;
  }();
  return rows[code];
}

class PointerStep {
 public:
  PointerStep(Compilation& c, OpId id, const Op& op)
      : c_(c), id_(id), op_(op), pointers_(*row_of(op.code)), row_(*pointers_.row) {}

  void compile() {
    if (!read()) return;
    Instruction step{.row = &row_,
                     .fixed = false,
                     .pos = c_.messages.position(op_.name),
                     .op = id_,
                     .operands = {},
                     .attributes = {}};
    for (const OperandSpec& spec : row_.forms.front().operands) {
      const auto given = std::ranges::find(given_, spec.name, &Given::name);
      if (given == given_.end()) return known_by_signature(c_, id_, op_);
      if (!add(step, spec, *given)) return;
    }
    c_.code.emit_step(op_.range, std::move(step));
  }

 private:
  struct Given {
    std::string_view name;
    Slot slot;
    const Item* item;
  };

  // Operands by the names that the signature gives them, those in clauses too.
  bool read() {
    std::vector<SignatureOperand> direct;
    for (const SignatureOperand& operand : text::signature(op_.code).forms.front().operands) {
      const bool clause = operand.sort == OperandSort::Clause;
      if (!clause) direct.push_back(operand);
      // The generic form has all numbers in a row.
      else if (op_.form == text::OpForm::Generic)
        direct.insert(direct.end(), operand.operands.begin(), operand.operands.end());
      else if (const Item* group = c_.tree.find(op_, operand.name); group != nullptr)
        take(c_.tree.children(*group), operand.operands);
    }
    take(c_.tree.items(op_), direct);
    return std::ranges::find(given_, kNoSlot, &Given::slot) == given_.end();
  }
  template <class Items>
  void take(const Items& items, const std::vector<SignatureOperand>& operands) {
    auto operand = operands.begin();
    for (const Item& item : items)
      if ((item.kind == ItemKind::Use || item.kind == ItemKind::Int) && operand != operands.end())
        given_.push_back({operand++->name, c_.names.use_or_integer(item), &item});
  }

  bool add(Instruction& step, const OperandSpec& spec, const Given& given) {
    if (spec.kind == OperandKind::Scalar) {
      step.operands.push_back({&spec, given.slot, DType::I64});
      return true;
    }
    if (!needs_kind(c_, *given.item, given.slot, TypeKind::Ptr, "a pointer")) return false;
    const text::Type& pointer = c_.tree.type(c_.code.type_of(given.slot));
    const auto dtype = text::dtype(pointer.scalar);
    const TileType type = pointers_.type_of(spec.name, dtype.value_or(DType::U8), [&](std::string_view name) {
      const auto number = std::ranges::find(given_, name, &Given::name);
      return number != given_.end() && c_.code.is_constant(number->slot) ? c_.code.value(number->slot).number() : 0;
    });
    if (pointer.word != name(type.space())) {
      c_.messages.error(given.item->range, "E-TYPE",
                        fmt::format("{} of {} stands in {}; {} points to {}", spec.name, row_.name, name(type.space()),
                                    c_.tree.text(*given.item), pointer.word));
      return false;
    }
    if (!dtype || is_packed(*dtype)) {
      known_by_signature(c_, id_, op_);
      return false;
    }
    const Slot tile = c_.tiles.add_pointed(op_.range, c_.tree.text(*given.item), type, {given.slot});
    step.operands.push_back({&spec, tile, *dtype});
    return true;
  }

  Compilation& c_;
  OpId id_;
  const Op& op_;
  const PointerRow& pointers_;
  const InstructionRow& row_;
  std::vector<Given> given_;
};

}  // namespace

bool is_pointer_step(text::OpCode code) { return code < text::op_rows().size() && row_of(code) != nullptr; }

DTypeSet pointer_types(text::OpCode code) { return row_of(code)->row->types(Target::A5, {}); }

void pointer_step(Compilation& c, OpId id, const Op& op) { PointerStep(c, id, op).compile(); }

}  // namespace ts
