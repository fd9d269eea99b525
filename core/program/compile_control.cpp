// Functions, loops, branches and numbers.
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "core/program/compiler_impl.h"
#include "core/program/literal.h"
#include "core/program/sync.h"

namespace ts {

using text::ItemKind;
using text::kNoId;
using text::OpId;
using text::ScalarKind;
using text::Tree;
using text::TypeKind;

namespace {

constexpr std::string_view kTargetKeys[] = {"pto.target_arch", "pto.device-spec"};

std::string_view unquoted(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

// The value of an attribute of a module or function; null: it has none.
const text::Item* attribute_of(const Tree& tree, const text::Op& op, std::string_view name) {
  for (const text::Item& item : tree.op_items(op)) {
    if (item.kind != ItemKind::Dict) continue;
    for (const text::Item& entry : tree.children(item))
      if (unquoted(tree.name_of(entry)) == name) return &entry;
  }
  return nullptr;
}

std::optional<Target> target_of(const Tree& tree, const text::Op& module) {
  for (const std::string_view key : kTargetKeys) {
    const text::Item* entry = attribute_of(tree, module, key);
    if (entry == nullptr || entry->count == 0) continue;
    const std::string_view value = unquoted(tree.text(tree.children(*entry).front()));
    if (value == "a5" || value.starts_with("Ascend950")) return Target::A5;
    if (value == "a2a3" || value == "a3" || value == "a2" || value.starts_with("Ascend910")) return Target::A2A3;
  }
  return {};
}

bool is_op(const Tree& tree, const text::Op& op, std::string_view name) {
  if (op.code != text::kUnknownOp) return text::op_rows()[op.code].name == name;
  return tree.name_of(op) == name;
}

template <class F>
void for_ops(const Tree& tree, OpId first, F f) {
  for (OpId id = first; id != kNoId; id = tree.ops[id].next) f(id, tree.ops[id]);
}

// The operations of a region's first block.
OpId first_op(const Tree& tree, const text::Item* region) {
  return region == nullptr || region->first == kNoId ? kNoId : tree.blocks[region->first].first_op;
}

bool returns_nothing(const Tree& tree, const text::Op& function) {
  const text::Item* arrow = tree.find(function, ItemKind::Arrow);
  return arrow == nullptr || arrow->count == 0;
}

std::string symbol_name(const Tree& tree, const text::Op& op) {
  const text::Item* symbol = tree.find(op, ItemKind::Symbol);
  if (symbol == nullptr) return "";
  return std::string(unquoted(tree.text(*symbol).substr(1)));
}

bool is_private(const Tree& tree, const text::Op& function) {
  const text::Item* word = tree.find(function, ItemKind::Word);
  return word != nullptr && tree.text(*word) == "private";
}

}  // namespace

std::vector<EntryPoint> entry_points(const Tree& tree, Diagnostics& out) {
  std::vector<EntryPoint> marked, plain;
  std::size_t functions = 0;
  bool statements = false;
  const auto take = [&](OpId id, const text::Op& function, std::optional<Target> target) {
    if (tree.find(function, ItemKind::Region) == nullptr) return;
    ++functions;
    EntryPoint entry{symbol_name(tree, function), id, target};
    const bool is_marked =
        attribute_of(tree, function, "pto.entry") != nullptr || attribute_of(tree, function, "pto.aicore") != nullptr;
    if (is_marked) marked.push_back(entry);
    if (!is_private(tree, function) && returns_nothing(tree, function)) plain.push_back(entry);
  };
  // Modules may stand in modules.
  const auto walk = [&](auto&& self, OpId first, std::optional<Target> target) -> void {
    for_ops(tree, first, [&](OpId id, const text::Op& op) {
      if (is_op(tree, op, "builtin.module")) {
        const auto own = target_of(tree, op);
        self(self, first_op(tree, tree.find(op, ItemKind::Region)), own ? own : target);
      } else if (is_op(tree, op, "func.func")) {
        take(id, op, target);
      } else {
        statements = true;
      }
    });
  };
  walk(walk, tree.first_op, {});
  if (!marked.empty()) return marked;
  if (functions == 0 && statements) return {{"main", kNoId, {}}};
  if (plain.size() > 1)
    out.push_back(
        {"E-ENTRY",
         Severity::Note,
         {},
         "",
         fmt::format("no function is marked pto.entry; each of the {} that return nothing counts as one", plain.size()),
         ""});
  return plain;
}

// --- functions -----------------------------------------------------------------------------------------------------

void Compiler::compile_file(const EntryPoint& entry) {
  // Functions may be called before they stand in the text.
  const auto collect = [&](auto&& self, OpId first) -> void {
    for_ops(tree_, first, [&](OpId, const Op& op) {
      if (is_op(tree_, op, "builtin.module")) return self(self, first_op(tree_, find(op, ItemKind::Region)));
      const Item* symbol = is_op(tree_, op, "func.func") ? find(op, ItemKind::Symbol) : nullptr;
      if (symbol == nullptr) return;
      const auto [it, made] = functions_.try_emplace(unquoted(text(*symbol).substr(1)));
      if (!made)
        error(symbol->range, "E-NAME", fmt::format("function {} redefined", text(*symbol)))
            .notes.push_back({position(find(*it->second.op, ItemKind::Symbol)->range), "first defined here"});
      it->second.op = &op;
    });
  };
  collect(collect, tree_.first_op);
  if (program_.blocks > 1) {
    program_.instructions.push_back({.row = &kBeginBlock, .operands = {}, .attributes = {}});
    emit(CodeKind::Step, {}, {}, {}, 0);
  }
  if (entry.function != kNoId) return compile_entry_function(tree_.ops[entry.function]);
  bare_file_ = true;
  collect_assigns(tree_.first_op);
  compile_ops(tree_.first_op);
  end_assigns();
  emit(CodeKind::End, {});
}

void Compiler::compile_entry_function(const Op& op) {
  if (!returns_nothing(tree_, op)) {
    error(tree_.children(*find(op, ItemKind::Arrow)).front().range, "E-ENTRY", "entry functions return nothing", "",
          "write results to memory; a function that gives a value is called by one");
    return;
  }
  collect_assigns(first_op(tree_, find(op, ItemKind::Region)));
  for (const Item& param : tree_.children(*find(op, ItemKind::Group))) bind_argument(param);
  function_ = entry_ = &functions_[unquoted(text(*find(op, ItemKind::Symbol)).substr(1))];
  compile_body(*find(op, ItemKind::Region));
  end_assigns();
  emit(CodeKind::End, {op.range.end, op.range.end});
  compile_callees();
}

// Functions that are called stand behind the code of the entry; one may need others.
void Compiler::compile_callees() {
  for (bool more = true; more;) {
    more = false;
    for (auto& [name, function] : functions_) {
      if (!function.needed || function.compiled) continue;
      more = true;
      compile_function(function);
    }
  }
  for (const CallSite& site : call_sites_) program_.code[site.code].data = site.function->code;
  refuse_recursion();
}

// Each function is followed once, however many ways lead to it, and on no stack of ours: both may be many.
void Compiler::refuse_recursion() {
  struct Place {
    Function* function;
    std::size_t next_call;
  };
  std::vector<Place> path{{entry_, 0}};
  entry_->on_path = true;
  while (!path.empty()) {
    Place& place = path.back();
    if (place.next_call == place.function->calls.size()) {
      place.function->on_path = false;
      place.function->followed = true;
      path.pop_back();
      continue;
    }
    const auto [callee, where] = place.function->calls[place.next_call++];
    if (callee->on_path) {
      error(where, "E-CALL", "recursive function calls are not supported", "", "use scf.for or scf.while");
      return;
    }
    if (callee->followed) continue;
    callee->on_path = true;
    path.push_back({callee, 0});
  }
}

// An argument of the launch: a buffer, a number, or an object that the host would have made.
void Compiler::bind_argument(const Item& param) {
  const Item &def = tree_.children(param)[0], &type_item = tree_.children(param)[1];
  const TypeId id = type_item.first;
  const text::Type& argument = type(id);
  if (argument.kind == TypeKind::Ptr) {
    const std::string_view name = name_of(def);
    const auto buffer = static_cast<std::uint32_t>(program_.buffers.size());
    program_.buffers.push_back({.name = std::string(name), .dtype = text::dtype(argument.scalar).value_or(DType::U8)});
    bind_name(def, new_slot(id, {0, buffer, ValueKind::Pointer}));
    add_input(name, ProgramInput::Kind::Buffer, buffer, argument.scalar, def.range);
  } else if (argument.kind == TypeKind::Scalar) {
    bind_input(def, ProgramInput::Kind::Scalar, id, argument);
  } else if (kind_of(id) == OperandKind::Global) {
    bind_input(def, ProgramInput::Kind::Buffer, id, argument);
  } else if (kind_of(id) == OperandKind::Tile) {
    bind_input(def, ProgramInput::Kind::Tile, id, argument);
  } else {
    warn(type_item.range, "E-ENTRY", fmt::format("nothing can be bound to an argument of type {}", type_text(id)));
    bind_name(def, new_slot(id));
  }
}

// A name whose value comes from outside: a number, a view with a buffer of its own, a tile's contents.
Slot Compiler::bind_input(const Item& def, ProgramInput::Kind kind, TypeId id, const text::Type& its) {
  const std::string_view name = name_of(def);
  Value value;
  std::uint32_t number = 0;
  if (kind == ProgramInput::Kind::Tile) {
    number = add_tile(name, id);
    value = tile_value(number);
  } else if (kind == ProgramInput::Kind::Buffer) {
    number = static_cast<std::uint32_t>(program_.buffers.size());
    value = host_view(its, name, number);
  }
  const Slot slot = new_slot(id, value);
  if (kind == ProgramInput::Kind::Scalar) {
    variable_[slot] = 1;
    number = slot;
  }
  bind_name(def, slot);
  add_input(name, kind, number, its.scalar, def.range);
  return slot;
}

// A view that the host would have made: a buffer of its shape, dense.
Value Compiler::host_view(const text::Type& its, std::string_view name, std::uint32_t buffer) {
  constexpr std::int64_t kMostElements = std::int64_t{1} << 28;
  ViewValue view{.buffer = buffer,
                 .dtype = text::dtype(its.scalar).value_or(DType::U8),
                 .rank = static_cast<std::uint8_t>(std::min<std::size_t>(its.dims.size(), 5))};
  std::int64_t elements = 1;
  for (std::size_t dim = 5; dim-- > 0;) {
    const std::size_t front = 5 - std::min<std::size_t>(its.dims.size(), 5);
    if (dim >= front) view.shape[dim] = std::max<std::int64_t>(its.dims[dim - front], 1);
    view.stride[dim] = elements;
    elements = std::min(elements * view.shape[dim], kMostElements);
  }
  program_.buffers.push_back(
      {.name = std::string(name), .dtype = view.dtype, .elements = static_cast<std::uint32_t>(elements)});
  program_.views.push_back(view);
  return view_value(static_cast<std::uint32_t>(program_.views.size() - 1));
}

Compiler::Function* Compiler::function_named(std::string_view symbol) {
  const auto it = functions_.find(unquoted(symbol.substr(1)));
  return it == functions_.end() ? nullptr : &it->second;
}

void Compiler::compile_function(Function& function) {
  const Op& op = *function.op;
  function.compiled = true;
  function.code = here();
  function_ = &function;
  auto callers_names = std::exchange(names_, {});
  const auto params = tree_.children(*find(op, ItemKind::Group));
  const std::size_t scope = enter_scope();
  for (std::size_t i = 0; i < params.size(); ++i) bind_name(tree_.children(params[i]).front(), function.params[i]);
  collect_assigns(first_op(tree_, find(op, ItemKind::Region)));
  compile_body(*find(op, ItemKind::Region));
  end_assigns();
  leave_scope(scope);
  emit(CodeKind::Return, {op.range.end, op.range.end});
  names_ = std::move(callers_names);
}

// On the first call; the code comes later.
void Compiler::give_slots(Function& function) {
  if (function.needed) return;
  function.needed = true;
  const auto add = [&](std::vector<Slot>& slots, TypeId type) {
    slots.push_back(new_slot(type));
    variable_[slots.back()] = 1;
  };
  for (const Item& param : tree_.children(*find(*function.op, ItemKind::Group)))
    add(function.params, tree_.children(param)[1].first);
  for (const TypeId result : types_of(find(*function.op, ItemKind::Arrow))) add(function.results, result);
}

bool Compiler::call_op(const Op& op) {
  const Item* symbol = find(op, ItemKind::Symbol);
  Function* function = symbol == nullptr ? nullptr : function_named(text(*symbol));
  if (function == nullptr || find(*function->op, ItemKind::Region) == nullptr) {
    error(symbol == nullptr ? op.range : symbol->range, "E-CALL",
          fmt::format("no function {} with a body", symbol == nullptr ? "" : text(*symbol)));
    return false;
  }
  if (function == entry_) {
    error(symbol->range, "E-CALL", "recursive function calls are not supported", "",
          "the entry starts the launch and is not called");
    return false;
  }
  give_slots(*function);
  std::vector<Slot> arguments;
  if (const Item* group = find(op, ItemKind::Group))
    for (const Item& item : tree_.children(*group))
      if (item.kind == ItemKind::Use) arguments.push_back(use(item));
  if (std::ranges::count(arguments, kNoSlot) != 0) return false;
  if (!same_count(op, arguments.size(), function->params.size(), "arguments")) return false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const TypeId given = slot_types_[arguments[i]], wanted = slot_types_[function->params[i]];
    if (given == kNoType || given == wanted) continue;
    error(op.range, "E-TYPE",
          fmt::format("argument {} is {}, {} takes {}", i + 1, type_text(given), text(*symbol), type_text(wanted)));
    return false;
  }
  if (function_ != nullptr) function_->calls.emplace_back(function, symbol->range);
  emit_move(op.range, arguments, function->params);
  call_sites_.push_back({here(), function});
  emit(CodeKind::Call, op.range);
  bind_pack(op, function->results);
  return true;
}

void Compiler::return_op(const Op& op) {
  if (function_ == nullptr || function_ == entry_) return;  // the end of the launch
  const std::vector<Slot> values = yield_slots(op);
  if (!same_count(op, values.size(), function_->results.size(), "values") || std::ranges::count(values, kNoSlot) != 0)
    return;
  emit_move(op.range, values, function_->results);
}

// --- operations ----------------------------------------------------------------------------------------------------

void Compiler::compile_body(const Item& region) {
  const std::size_t scope = enter_scope();
  compile_ops(first_op(tree_, &region));
  leave_scope(scope);
}

void Compiler::compile_ops(OpId first) {
  for_ops(tree_, first, [&](OpId id, const Op&) { compile_op(id); });
}

void Compiler::dispatch(OpId id, const Op& statement) {
  using Handler = void (*)(Compiler&, OpId, const Op&);
  struct Row {
    std::string_view name;
    Handler handler;
  };
  static constexpr Row kHandlers[] = {
      {"arith.constant", [](Compiler& c, OpId, const Op& op) { c.constant_op(op); }},
      {"scf.for", [](Compiler& c, OpId, const Op& op) { c.for_op(op); }},
      {"scf.if", [](Compiler& c, OpId, const Op& op) { c.if_op(op); }},
      {"scf.while", [](Compiler& c, OpId, const Op& op) { c.while_op(op); }},
      {"func.call", [](Compiler& c, OpId, const Op& op) { c.call_op(op); }},
      {"func.return", [](Compiler& c, OpId, const Op& op) { c.return_op(op); }},
      {"pto.section.vector", [](Compiler& c, OpId, const Op& op) { c.section(op); }},
      {"pto.section.cube", [](Compiler& c, OpId, const Op& op) { c.section(op); }},
      {"pto.vecscope", [](Compiler& c, OpId, const Op& op) { c.section(op); }},
      {"pto.get_block_idx", [](Compiler& c, OpId, const Op& op) { c.query(op, Query::BlockIdx); }},
      {"pto.get_block_num", [](Compiler& c, OpId, const Op& op) { c.query(op, Query::BlockNum); }},
      {"pto.get_subblock_idx", [](Compiler& c, OpId, const Op& op) { c.query(op, Query::SubblockIdx); }},
      {"pto.get_subblock_num", [](Compiler& c, OpId, const Op& op) { c.query(op, Query::SubblockNum); }},
      {"pto.make_tensor_view", [](Compiler& c, OpId, const Op& op) { c.make_view(op); }},
      {"pto.partition_view", [](Compiler& c, OpId, const Op& op) { c.partition(op); }},
      {"pto.subview", [](Compiler& c, OpId, const Op& op) { c.partition(op); }},
      {"pto.alloc_tile", [](Compiler& c, OpId, const Op& op) { c.alloc_tile(op); }},
      {"pto.set_validshape", [](Compiler& c, OpId, const Op& op) { c.set_validshape(op); }},
      {"pto.subset", [](Compiler& c, OpId, const Op& op) { c.subset(op); }},
      {"pto.treshape", [](Compiler& c, OpId, const Op& op) { c.alias_tile(op); }},
      {"pto.bitcast", [](Compiler& c, OpId, const Op& op) { c.alias_tile(op); }},
      {"pto.tassign", [](Compiler& c, OpId, const Op& op) { c.rebase_tile(op); }},
      {"memref.alloc", [](Compiler& c, OpId, const Op& op) { c.alloc_memref(op); }},
      {"memref.dealloc", [](Compiler&, OpId, const Op&) {}},
      {"pto.addptr", [](Compiler& c, OpId, const Op& op) { c.add_pointer(op); }},
      {"pto.castptr", [](Compiler& c, OpId, const Op& op) { c.cast_pointer(op); }},
      {"pto.load_scalar", [](Compiler& c, OpId, const Op& op) { c.load_scalar(op); }},
      // Ends of regions are read by what they end.
      {"scf.yield", [](Compiler&, OpId, const Op&) {}},
      {"scf.condition", [](Compiler&, OpId, const Op&) {}},
      {"func.func", [](Compiler&, OpId, const Op&) {}},
      {"builtin.module", [](Compiler&, OpId, const Op&) {}},
  };
  if (statement.form == text::OpForm::Directive) return constant_op(statement);
  if (statement.code == text::kUnknownOp) return;  // told by the parser
  const std::string_view name = text::op_rows()[statement.code].name;
  if (const auto* row = std::ranges::find(kHandlers, name, &Row::name); row != std::end(kHandlers))
    return row->handler(*this, id, statement);
  if (const int scalar = find_scalar_op(name); scalar >= 0) return scalar_op(statement, scalar);
  if (const InstructionRow* sync = find_sync(name)) return synchronisation(id, statement, *sync);
  if (const InstructionRow* row = find_instruction(name)) return instruction(id, statement, *row);
  missing(id, statement);
}

// One message a statement: what a failed one would have made is known from then on to be of no use.
void Compiler::compile_op(OpId id) {
  const Op& op = tree_.ops[id];
  op_id_ = id;
  const std::size_t told = out_.size();
  dispatch(id, op);
  for (const Item& result : tree_.results(op)) {
    if (find_name(name_of(result)) != nullptr) continue;
    if (out_.size() == told) {
      const std::string_view signature = op.code == text::kUnknownOp ? "" : text::op_rows()[op.code].signature;
      error(op.name, "E-SYNTAX", fmt::format("{} is not written as it should be", tree_.name_of(op)),
            signature == "!" ? "" : std::string(signature), "`tilescope explain` shows its form");
    }
    bind_name(result, kNoSlot);
  }
}

// %c = arith.constant 5 : i64; .const %c = 5 : index; .arg %a : T
void Compiler::constant_op(const Op& op) {
  const auto items = tree_.op_items(op);
  const auto literal = std::ranges::find_if(items, [](const Item& item) {
    return item.kind == ItemKind::Int || item.kind == ItemKind::Float || item.kind == ItemKind::Bool ||
           item.kind == ItemKind::Attr;
  });
  const TypeId id = only_type(find(op, ItemKind::Types));
  if (op.result_count != 1) return;
  if (literal == items.end()) {  // .arg
    if (id != kNoType) free_name(tree_.results(op).front(), id);
    return;
  }
  if (literal->kind == ItemKind::Attr) {  // dense<...>: a vector of numbers that nobody reads yet
    bind_result(op, 0, id);
    return;
  }
  const ScalarKind kind = id == kNoType ? ScalarKind::I1 : type(id).scalar;
  if (id != kNoType && type(id).kind != TypeKind::Scalar) {
    error(literal->range, "E-TYPE", fmt::format("{} is no number type", type_text(id)));
    return;
  }
  const bool hex = text(*literal).starts_with("0x");
  if (literal->kind == ItemKind::Int && text::is_float(kind) && !hex) {
    error(literal->range, "E-TYPE", "integer literal for float type", "a number with a point",
          fmt::format("write {}.0", text(*literal)));
    return;
  }
  if (literal->kind == ItemKind::Float && !text::is_float(kind)) {
    error(literal->range, "E-TYPE", fmt::format("float literal for {}", type_text(id)), "an integer");
    return;
  }
  const auto bits = parse_scalar(text(*literal), kind);
  if (!bits) {
    error(literal->range, "E-NUMBER",
          fmt::format("{} does not fit {}", text(*literal), id == kNoType ? "i1" : type_text(id)));
    return;
  }
  bind_result(op, 0, id, scalar_value(*bits));
}

void Compiler::scalar_op(const Op& op, int number) {
  const ScalarOpShape shape = scalar_op_shape(number);
  std::vector<Slot> ins;
  int predicate = 0;
  for (const Item& item : tree_.op_items(op)) {
    if (item.kind == ItemKind::Use) ins.push_back(use(item));
    if (item.kind != ItemKind::Word || !shape.predicate || !ins.empty()) continue;
    predicate = find_predicate(number, text(item));
    if (predicate < 0) {
      error(
          item.range, "E-SYNTAX", fmt::format("unknown comparison '{}'", text(item)),
          find_predicate(number, "oeq") >= 0 ? "oeq ogt oge olt ole one ..." : "eq ne slt sle sgt sge ult ule ugt uge");
      return;
    }
  }
  if (std::ranges::count(ins, kNoSlot) != 0) return;
  if (!same_count(op, ins.size(), shape.operands, "operands") ||
      !same_count(op, op.result_count, shape.results, "results"))
    return;
  const std::vector<TypeId> types = types_of(find(op, ItemKind::Types));
  if (types.empty() || (shape.cast && types.size() != 2)) {
    error({op.range.end, op.range.end}, "E-TYPE", shape.cast ? "two types are needed" : "the type is missing",
          shape.cast ? ": A to B" : ": type");
    return;
  }
  // select may name the condition's type first.
  const TypeId first = ins.size() == 3 ? types.back() : types.front();
  for (std::size_t i = ins.size() == 3 ? 1 : 0; i < ins.size(); ++i) {
    const TypeId given = slot_types_[ins[i]];
    if (given == kNoType || given == first) continue;
    error(op.range, "E-TYPE",
          fmt::format("operand {} is {}, the operation says {}", i + 1, type_text(given), type_text(first)));
    return;
  }
  std::vector<Slot> outs;
  for (std::size_t i = 0; i < op.result_count; ++i)
    outs.push_back(bind_result(op, i, shape.cast ? types[1] : shape.predicate || i == 1 ? kNoType : first));
  CodeOp& code = emit(CodeKind::Compute, op.range, ins, outs,
                      static_cast<std::uint32_t>(number) | static_cast<std::uint32_t>(predicate) << 16);
  code.type = static_cast<std::uint8_t>(type(first).scalar);
  code.to = static_cast<std::uint8_t>(type(shape.cast ? types[1] : first).scalar);
}

bool Compiler::same_count(const Op& op, std::size_t got, std::size_t wanted, const char* what) {
  if (got == wanted) return true;
  error(op.name, "E-OPERANDS", fmt::format("{} has {} {}, needs {}", tree_.name_of(op), got, what, wanted));
  return false;
}

// What a terminator gives; the condition of scf.condition(%c) comes first.
std::vector<Slot> Compiler::yield_slots(const Op& op) {
  std::vector<Slot> slots;
  const auto take = [&](const Item& item) {
    if (item.kind == ItemKind::Use) slots.push_back(use(item));
  };
  for (const Item& item : tree_.op_items(op)) {
    take(item);
    if (item.kind == ItemKind::Group) std::ranges::for_each(tree_.children(item), take);
  }
  return slots;
}

// Compiles a region up to its terminator and gives what that yields.
std::vector<Slot> Compiler::yielded(const Item& region, std::string_view terminator) {
  std::vector<Slot> slots;
  for_ops(tree_, first_op(tree_, &region), [&](OpId id, const Op& op) {
    if (is_op(tree_, op, terminator)) {
      slots = yield_slots(op);
    } else {
      compile_op(id);
    }
  });
  return slots;
}

bool Compiler::for_op(const Op& op) {
  std::vector<const Item*> bounds;
  const Item *variable = nullptr, *inits = find(op, "iter_args"), *region = find(op, ItemKind::Region);
  bool is_unsigned = false;
  for (const Item& item : tree_.op_items(op)) {
    is_unsigned = is_unsigned || item.kind == ItemKind::Word;
    if (item.kind == ItemKind::Def) variable = &item;
    if (item.kind == ItemKind::Use) bounds.push_back(&item);
  }
  if (variable == nullptr || bounds.size() != 3 || region == nullptr) return false;
  std::vector<Slot> limits, starts, carried;
  for (const Item* bound : bounds) limits.push_back(use(*bound));
  if (inits != nullptr)
    for (const Item& init : tree_.children(*inits)) starts.push_back(use(tree_.children(init).back()));
  if (std::ranges::count(limits, kNoSlot) + std::ranges::count(starts, kNoSlot) != 0) return false;
  if (is_constant(limits[2]) && program_.slots[limits[2]].number() <= 0) {
    error(bounds[2]->range, "E-LOOP",
          fmt::format("step must be positive; {} is {}", text(*bounds[2]), program_.slots[limits[2]].number()));
    return false;
  }
  TypeId counter = only_type(find(op, ItemKind::Types));
  if (counter == kNoType) counter = slot_types_[limits[0]];
  const ScalarKind kind = counter == kNoType ? ScalarKind::Index : type(counter).scalar;

  const std::size_t scope = enter_scope();
  const Slot turn = new_slot(counter);
  bind_name(*variable, turn);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    carried.push_back(new_slot(slot_types_[starts[i]]));
    bind_name(tree_.children(tree_.children(*inits)[i]).front(), carried.back());
  }
  emit_move(op.range, starts, carried);
  const std::uint32_t enter = here();
  // Turns that nobody knows give what nobody knows.
  std::vector<Slot> made{turn};
  made.insert(made.end(), carried.begin(), carried.end());
  CodeOp& loop = emit(CodeKind::LoopEnter, op.range, limits, made);
  loop.type = static_cast<std::uint8_t>(kind);
  loop.to = is_unsigned ? 1 : 0;
  const std::uint32_t body = here();
  const std::vector<Slot> values = yielded(*region, "scf.yield");
  leave_scope(scope);
  if (!same_count(op, values.size(), carried.size(), "yielded values") || std::ranges::count(values, kNoSlot) != 0)
    return false;
  emit_move(op.range, values, carried);
  emit(CodeKind::LoopNext, op.range, {}, made, body).type = static_cast<std::uint8_t>(kind);
  program_.code[enter].data = here();
  bind_pack(op, carried);
  return true;
}

// The results of a region's operation: one name each, or one for all of them.
void Compiler::bind_pack(const Op& op, const std::vector<Slot>& from) {
  std::vector<Slot> to;
  for (const Slot slot : from) to.push_back(new_slot(slot_types_[slot]));
  const auto results = tree_.results(op);
  std::size_t next = 0;
  for (const Item& result : results) {
    const std::uint32_t count = std::max<std::uint32_t>(result.extra, 1);
    if (next + count <= to.size()) bind_name(result, to[next], count);
    next += count;
  }
  // Results that nobody names are legal.
  if (!results.empty() && next != to.size()) same_count(op, next, to.size(), "results");
  emit_move(op.range, from, to);
}

bool Compiler::if_op(const Op& op) {
  const auto items = tree_.op_items(op);
  const Item *condition = find(op, ItemKind::Use), *then_region = nullptr, *else_region = nullptr;
  for (const Item& item : items)
    if (item.kind == ItemKind::Region) (then_region == nullptr ? then_region : else_region) = &item;
  const std::vector<TypeId> types = types_of(find(op, ItemKind::Arrow));
  if (condition == nullptr || then_region == nullptr) return false;
  if (else_region == nullptr && !types.empty()) {
    error(op.name, "E-REGION", "results need an else region", "else { ... scf.yield ... }");
    return false;
  }
  const Slot test = use(*condition);
  if (test == kNoSlot) return false;
  std::vector<Slot> results;
  for (const TypeId id : types) results.push_back(new_slot(id));
  const std::uint32_t branch = here();
  emit(CodeKind::BranchUnless, op.range, {test}, results);
  const auto way = [&](const Item& region) {
    const std::size_t scope = enter_scope();
    const std::vector<Slot> values = yielded(region, "scf.yield");
    leave_scope(scope);
    if (!same_count(op, values.size(), results.size(), "yielded values") || std::ranges::count(values, kNoSlot) != 0)
      return false;
    emit_move(op.range, values, results);
    return true;
  };
  if (!way(*then_region)) return false;
  const std::uint32_t jump = here();
  emit(CodeKind::Jump, op.range);
  program_.code[branch].data = here();
  if (else_region != nullptr && !way(*else_region)) return false;
  program_.code[jump].data = here();
  bind_pack(op, results);
  return true;
}

// { ...; scf.condition(%c) %v } do { ^bb0(%p): ...; scf.yield %w }
bool Compiler::while_op(const Op& op) {
  std::vector<const Item*> regions;
  for (const Item& item : tree_.op_items(op))
    if (item.kind == ItemKind::Region) regions.push_back(&item);
  const Item* inits = find(op, ItemKind::Group);
  if (regions.size() != 2) return false;
  const std::size_t scope = enter_scope();
  std::vector<Slot> starts, before, after;
  if (inits != nullptr)
    for (const Item& init : tree_.children(*inits)) starts.push_back(use(tree_.children(init).back()));
  if (std::ranges::count(starts, kNoSlot) != 0) return false;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    before.push_back(new_slot(slot_types_[starts[i]]));
    bind_name(tree_.children(tree_.children(*inits)[i]).front(), before.back());
  }
  emit_move(op.range, starts, before);
  emit(CodeKind::WhileEnter, op.range);
  const std::uint32_t test = here();
  std::vector<Slot> given = yielded(*regions[0], "scf.condition");
  if (given.empty() || std::ranges::count(given, kNoSlot) != 0) {
    if (given.empty())
      error(op.name, "E-REGION", "the first region of scf.while ends in scf.condition", "scf.condition(%c)");
    return false;
  }
  const Slot condition = given.front();
  given.erase(given.begin());
  for (const Slot slot : given) after.push_back(new_slot(slot_types_[slot]));
  emit_move(op.range, given, after);
  const std::uint32_t leave = here();
  emit(CodeKind::WhileTest, op.range, {condition}, after);
  if (regions[1]->first != kNoId) {
    const auto params = tree_.args(tree_.blocks[regions[1]->first]);
    for (std::size_t i = 0; i < std::min(params.size(), after.size()); ++i)
      bind_name(tree_.children(params[i]).front(), after[i]);
  }
  const std::vector<Slot> values = yielded(*regions[1], "scf.yield");
  leave_scope(scope);
  if (!same_count(op, values.size(), before.size(), "yielded values") || std::ranges::count(values, kNoSlot) != 0)
    return false;
  emit_move(op.range, values, before);
  emit(CodeKind::WhileNext, op.range, {}, {}, test);
  program_.code[leave].data = here();
  bind_pack(op, after);
  return true;
}

// Asked only where it matters: a file may have many functions, and each is compiled by itself.
bool Compiler::has_vector_section() {
  if (!has_vector_section_) has_vector_section_ = std::ranges::any_of(tree_.ops, [&](const Op& op) { return is_op(tree_, op, "pto.section.vector"); });
  return *has_vector_section_;
}

// A core runs its own sections. Vector programs pass over the cube's.
void Compiler::section(const Op& op) {
  const Item* region = find(op, ItemKind::Region);
  if (region == nullptr) return;
  const bool scope = is_op(tree_, op, "pto.vecscope");
  if (is_op(tree_, op, "pto.section.cube") && has_vector_section()) return;
  vecscopes_ += scope ? 1 : 0;
  compile_body(*region);
  vecscopes_ -= scope ? 1 : 0;
}

void Compiler::query(const Op& op, Query query) {
  if (op.result_count != 1) return;
  const Slot slot = bind_result(op, 0, kNoType);
  emit(CodeKind::Query, op.range, {}, {slot}, static_cast<std::uint32_t>(query));
}

}  // namespace ts
