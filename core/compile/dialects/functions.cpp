// Calls, and the way back from them.
#include <fmt/format.h>

#include "core/compile/dialects.h"
#include "core/compile/walk.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::OpKind;

namespace {

// On the first call; the code comes later.
void give_slots(Compilation& c, Function& function) {
  if (function.needed) return;
  function.needed = true;
  for (const Item& param : c.tree.children(*c.tree.find(*function.op, ItemKind::Group)))
    function.params.push_back(c.code.new_variable(c.tree.children(param)[1].first));
  for (const text::TypeId result : c.tree.types_of(c.tree.find(*function.op, ItemKind::Arrow)))
    function.results.push_back(c.code.new_variable(result));
}

// The function that a call may go to; null: told why not.
Function* callee_of(Compilation& c, const Op& op, const Item* symbol) {
  Function* function = symbol == nullptr ? nullptr : c.functions.find(c.tree.symbol_name(op));
  if (function == nullptr) {
    c.messages.error(symbol == nullptr ? op.range : symbol->range, "E-CALL",
                     fmt::format("there is no function {}", symbol == nullptr ? "" : c.tree.text(*symbol)));
    return nullptr;
  }
  if (c.tree.find(*function->op, ItemKind::Region) == nullptr) {
    c.messages
        .error(symbol->range, "V60-03", fmt::format("{} has no body", c.tree.text(*symbol)), "",
               "it is only declared here: give the text that defines it as well")
        .notes.push_back({c.messages.position(function->op->name), "declared here"});
    return nullptr;
  }
  if (function != c.functions.entry()) return function;
  c.messages.error(symbol->range, "E-CALL", "recursive function calls are not supported", "",
                   "the entry starts the launch and is not called");
  return nullptr;
}

bool arguments_fit(Compilation& c, const Op& op, const std::vector<Slot>& arguments, const Function& function) {
  if (any_missing(arguments)) return false;
  if (!same_count(c, op, arguments.size(), function.params.size(), "arguments")) return false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const text::TypeId given = c.code.type_of(arguments[i]), wanted = c.code.type_of(function.params[i]);
    if (given == kNoType || given == wanted) continue;
    c.messages.error(op.range, "E-TYPE",
                     fmt::format("argument {} is {}, {} takes {}", i + 1, c.tree.type_text(given),
                                 c.tree.text(*c.tree.find(op, ItemKind::Symbol)), c.tree.type_text(wanted)));
    return false;
  }
  return true;
}

// An entry that only calls runs on every core, and each core passes over what is not for it.
bool is_for_others(Compilation& c, const Item* symbol) {
  const Function *current = c.functions.current(),
                 *callee = symbol == nullptr ? nullptr : c.functions.find(unquoted(c.tree.text(*symbol).substr(1)));
  if (callee == nullptr || current == nullptr) return false;
  const std::string_view its = c.tree.kernel_kind(*callee->op);
  if (c.kind != CoreKind::Joint) return !its.empty() && its != core_name(c.kind == CoreKind::Vector);
  return its == "cube" && c.tree.kernel_kind(*current->op) != "cube";
}

void skip_call(Compilation& c, const Op& op, const Item& symbol) {
  // Of a kernel of both kinds it is enough to say it for one.
  if (c.kind != CoreKind::Cube)
    c.messages.tell(Severity::Note, symbol.range, "V60-01",
                    fmt::format("call of {} skipped on AIV0: it is a cube function", c.tree.text(symbol)), "", "");
  for (const Item& result : c.tree.results(op)) c.names.bind(result, c.code.new_variable(kNoType), 1);
}

void call(Compilation& c, OpId, const Op& op) {
  const Item* symbol = c.tree.find(op, ItemKind::Symbol);
  if (is_for_others(c, symbol)) return skip_call(c, op, *symbol);
  Function* function = callee_of(c, op, symbol);
  if (function == nullptr) return;
  give_slots(c, *function);
  std::vector<Slot> arguments;
  if (const Item* group = c.tree.find(op, ItemKind::Group))
    for (const Item& item : c.tree.children(*group))
      if (item.kind == ItemKind::Use) arguments.push_back(c.names.use(item));
  if (!arguments_fit(c, op, arguments, *function)) return;
  c.code.emit_move(op.range, arguments, function->params);
  c.functions.add_call(*function, op.range, symbol->range);
  bind_pack(c, op, function->results);
}

void return_values(Compilation& c, OpId, const Op& op) {
  const Function* function = c.functions.current();
  if (function == nullptr || function == c.functions.entry()) return;  // the end of the launch
  const std::vector<Slot> values = yielded_slots(c, op);
  if (!same_count(c, op, values.size(), function->results.size(), "values") || any_missing(values)) return;
  c.code.emit_move(op.range, values, function->results);
}

}  // namespace

std::span<const DialectRow> function_dialect() {
  static constexpr DialectRow kRows[] = {
      {OpKind::Call, call},
      {OpKind::Return, return_values},
      {OpKind::Function, makes_nothing},  // compiled when it is called
      {OpKind::Module, makes_nothing},
  };
  return kRows;
}

}  // namespace ts
