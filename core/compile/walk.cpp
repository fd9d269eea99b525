// From operations to their handlers.
#include "core/compile/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/compile/clauses.h"
#include "core/compile/dialects.h"
#include "core/compile/has_meaning.h"
#include "core/compile/statements.h"
#include "core/program/scalar_ops.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::OpKind;

namespace {

using HandlersByKind = std::array<Handler, text::kOpKinds>;

HandlersByKind handlers_by_kind() {
  HandlersByKind handlers{};
  for (const auto dialect :
       {number_dialect(), control_dialect(), function_dialect(), view_dialect(), tile_dialect(), window_dialect(),
        scalar_dialect(), sync_dialect(), queue_dialect(), device_dialect(), micro_dialect(), pointer_copy_dialect()})
    for (const DialectRow& row : dialect) handlers[static_cast<std::size_t>(row.kind)] = row.handle;
  return handlers;
}

// By the operation's code. Found once.
const std::vector<Handler>& handlers() {
  static const std::vector<Handler> made = [] {
    const HandlersByKind by_kind = handlers_by_kind();
    std::vector<Handler> handlers;
    for (const text::OpRow& row : text::op_rows()) {
      const auto code = static_cast<text::OpCode>(handlers.size());
      const Handler own = by_kind[static_cast<std::size_t>(row.kind)];
      handlers.push_back(own != nullptr               ? own
                         : find_scalar_op(code) >= 0  ? scalar_operation
                         : row.instruction != nullptr ? catalogue_instruction
                         : is_micro_operation(code)   ? checked<micro_operation>
                         : reads_special(code)        ? checked<special_register>
                         : is_pointer_step(code)      ? checked<pointer_step>
                                                      : known_by_signature);
    }
    return handlers;
  }();
  return made;
}

// The types that the generic form gives its operands are those of their definitions.
bool types_are_defined(Compilation& c, const Op& op) {
  const auto written = c.tree.tree().op_items(op);
  const auto group = std::ranges::find(written, ItemKind::Group, &Item::kind);
  const auto list = std::ranges::find(written, ItemKind::Types, &Item::kind);
  if (group == written.end() || list == written.end()) return true;
  std::vector<const Item*> types;
  for (const Item& type : c.tree.children(*list))
    if (type.kind == ItemKind::Type) types.push_back(&type);
  const auto uses = c.tree.children(*group);
  for (std::size_t i = 0; i < std::min(uses.size(), types.size()); ++i) {
    const Names::Binding* known = uses[i].kind == ItemKind::Use ? c.names.find(uses[i]) : nullptr;
    if (known == nullptr || known->slot == kNoSlot || uses[i].pack_number() >= known->count) continue;
    const text::TypeId type = types[i]->first;
    if (c.tree.type(type).kind == text::TypeKind::Elided) continue;
    if (!has_stated_type(c, uses[i], type, types[i]->range, known->slot + uses[i].pack_number())) return false;
  }
  return true;
}

void handle(Compilation& c, OpId id, const Op& op) {
  static const Handler constant = handlers_by_kind()[static_cast<std::size_t>(OpKind::Constant)];
  if (op.form == text::OpForm::Directive) return constant(c, id, op);
  if (op.code == text::kUnknownOp) return;  // told by the parser
  if (op.form == text::OpForm::Generic && !types_are_defined(c, op)) return;
  handlers()[op.code](c, id, op);
}

// A value that it names is of no use, which was told.
bool names_what_failed(const Compilation& c, std::span<const Item> items) {
  return std::ranges::any_of(items, [&](const Item& item) {
    if (item.kind == ItemKind::Use) {
      const Names::Binding* known = c.names.find(item);
      return known != nullptr && known->slot == kNoSlot;
    }
    const bool holds_uses = item.kind == ItemKind::Group || item.kind == ItemKind::Element ||
                            item.kind == ItemKind::Named || item.kind == ItemKind::List;
    return holds_uses && names_what_failed(c, c.tree.children(item));
  });
}

// One message a statement: what a failed one would have made is known from then on to be of no use.
void compile_op(Compilation& c, OpId id) {
  if (c.gives_up()) return;
  const Op& op = c.tree.op(id);
  const std::size_t told = c.messages.count();
  if (op.form == text::OpForm::Generic || check_clause_names(c, op)) handle(c, id, op);
  for (const Item& result : c.tree.results(op)) {
    if (c.names.find(result) != nullptr) continue;
    if (c.messages.count() == told && !names_what_failed(c, c.tree.items(op))) {
      const std::string_view signature = text::op_row(op.code).signature;
      c.messages.error(op.name, "E-SYNTAX", fmt::format("{} is not written as it should be", c.tree.tree().name_of(op)),
                       signature == "!" ? "" : std::string(signature), "`tilescope explain` shows its form");
    }
    c.names.bind(result, kNoSlot);
  }
}

}  // namespace

bool has_meaning(text::OpCode code) {
  // Jumps between blocks have a handler that only says so.
  return code != text::kUnknownOp && handlers()[code] != known_by_signature &&
         text::kind_of(code) != OpKind::BlockBranch;
}

void compile_ops(Compilation& c, OpId first) {
  for_ops(c.tree, first, [&](OpId id, const Op&) { compile_op(c, id); });
}

void compile_body(Compilation& c, const Item& region) {
  const std::size_t scope = c.names.enter_scope();
  compile_ops(c, c.tree.first_op(&region));
  c.names.leave_scope(scope);
}

std::vector<Slot> yielded_slots(Compilation& c, const Op& op) {
  std::vector<Slot> slots;
  const auto take = [&](const Item& item) {
    if (item.kind == ItemKind::Use) slots.push_back(c.names.use(item));
  };
  for (const Item& item : c.tree.items(op)) {
    take(item);
    if (item.kind == ItemKind::Group) std::ranges::for_each(c.tree.children(item), take);
  }
  return slots;
}

std::vector<Slot> compile_yielding(Compilation& c, const Item& region, OpKind terminator) {
  std::vector<Slot> slots;
  for_ops(c.tree, c.tree.first_op(&region), [&](OpId id, const Op& op) {
    if (text::kind_of(op.code) == terminator) {
      slots = yielded_slots(c, op);
    } else {
      compile_op(c, id);
    }
  });
  return slots;
}

bool same_count(Compilation& c, const Op& op, std::size_t got, std::size_t wanted, const char* what) {
  if (got == wanted) return true;
  c.messages.error(op.name, "E-OPERANDS",
                   fmt::format("{} has {} {}, needs {}", c.tree.tree().name_of(op), got, what, wanted));
  return false;
}

bool needs_kind(Compilation& c, const Item& item, Slot slot, text::TypeKind kind, const char* what) {
  if (slot == kNoSlot) return false;
  const text::TypeId type = c.code.type_of(slot);
  if (type != kNoType && c.tree.type(type).kind == kind) return true;
  c.messages.error(item.range, "E-TYPE",
                   fmt::format("{} is {}, needs {}", c.tree.text(item), c.tree.type_text(type), what));
  return false;
}

bool same_elements(text::ScalarKind a, text::ScalarKind b) {
  return a == b || (!text::is_float(a) && !text::is_float(b) && text::bits(a) == text::bits(b));
}

bool same_scalar(Compilation& c, const Item& item, Slot value, text::ScalarKind wanted, const char* what) {
  const text::TypeId type = c.code.type_of(value);
  if (type == kNoType ||
      (c.tree.type(type).kind == text::TypeKind::Scalar && same_elements(c.tree.type(type).scalar, wanted)))
    return true;
  c.messages.error(
      item.range, "E-TYPE",
      fmt::format("{} is {}, {} has {}", c.tree.text(item), c.tree.type_text(type), what, text::name(wanted)),
      text::name(wanted));
  return false;
}

void bind_pack(Compilation& c, const Op& op, const std::vector<Slot>& from) {
  std::vector<Slot> to;
  for (const Slot slot : from) to.push_back(c.code.new_slot(c.code.type_of(slot)));
  const auto results = c.tree.results(op);
  std::size_t next = 0;
  for (const Item& result : results) {
    const std::uint32_t count = result.pack_size();
    if (next + count <= to.size()) c.names.bind(result, to[next], count);
    next += count;
  }
  // Results that nobody names are legal.
  if (!results.empty() && next != to.size()) same_count(c, op, next, to.size(), "results");
  c.code.emit_move(op.range, from, to);
}

}  // namespace ts
