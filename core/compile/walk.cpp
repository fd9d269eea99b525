// From operations to their handlers.
#include "core/compile/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/compile/clauses.h"
#include "core/compile/dialects.h"
#include "core/compile/has_meaning.h"
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
  for (const auto dialect : {number_dialect(), control_dialect(), function_dialect(), view_dialect(), tile_dialect(),
                             window_dialect(), scalar_dialect(), sync_dialect()})
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
                                                      : known_by_signature);
    }
    return handlers;
  }();
  return made;
}

// How many operands `operandSegmentSizes = array<i32: 1, 1, 0>` speaks of.
std::size_t sum_of_segments(std::string_view text) {
  constexpr std::size_t kMost = 1 << 20;
  std::size_t sum = 0, number = 0;
  for (const char ch : text.substr(std::min(text.find(':'), text.size()))) {
    if (ch >= '0' && ch <= '9') {
      number = std::min(10 * number + static_cast<std::size_t>(ch - '0'), kMost);
    } else {
      sum += std::exchange(number, 0);
    }
  }
  return sum + number;
}

// "pto.op"(%a) <{...}> : (T) -> T: constants, tile instructions and other names of tiles mean what they mean elsewhere. What else is written so
// is shown, and nobody emulates it.
void generic_operation(Compilation& c, OpId id, const Op& op) {
  const Item *group = c.tree.find(op, ItemKind::Group), *segments = c.tree.find(op, "operandSegmentSizes");
  std::size_t operands = 0;
  if (group != nullptr)
    for (const Item& item : c.tree.children(*group)) operands += item.kind == ItemKind::Use ? 1 : 0;
  if (segments != nullptr && segments->count != 0) {
    const std::size_t sum = sum_of_segments(c.tree.text(c.tree.children(*segments).front()));
    if (sum != operands) {
      c.messages.error(segments->range, "V60-05",
                       fmt::format("operandSegmentSizes sums to {}, the op has {} operands", sum, operands),
                       fmt::format("numbers that sum to {}", operands),
                       "each number says how many operands of its place there are");
      return;
    }
  }
  const OpKind kind = text::kind_of(op.code);
  const bool as_elsewhere = kind == OpKind::Constant || kind == OpKind::Return || kind == OpKind::AliasTile ||
                            text::op_row(op.code).instruction != nullptr;
  as_elsewhere ? handlers()[op.code](c, id, op) : known_by_signature(c, id, op);
}

void handle(Compilation& c, OpId id, const Op& op) {
  static const Handler constant = handlers_by_kind()[static_cast<std::size_t>(OpKind::Constant)];
  if (op.form == text::OpForm::Directive) return constant(c, id, op);
  if (op.code == text::kUnknownOp) return;  // told by the parser
  if (op.form == text::OpForm::Generic) return generic_operation(c, id, op);
  handlers()[op.code](c, id, op);
}

// One message a statement: what a failed one would have made is known from then on to be of no use.
void compile_op(Compilation& c, OpId id) {
  if (c.gives_up()) return;
  const Op& op = c.tree.op(id);
  const std::size_t told = c.messages.count();
  if (op.form == text::OpForm::Generic || check_clause_names(c, op)) handle(c, id, op);
  for (const Item& result : c.tree.results(op)) {
    if (c.names.find(result) != nullptr) continue;
    if (c.messages.count() == told) {
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
