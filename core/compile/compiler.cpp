// Entry points, and the order in which one is compiled.
#include "core/compile/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "core/compile/compilation.h"
#include "core/compile/dialects.h"
#include "core/compile/queue_rules.h"
#include "core/compile/walk.h"
#include "core/program/kernel.h"
#include "core/program/sync.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::OpKind;

namespace {

// --- entry points --------------------------------------------------------------------------------------------------

std::optional<Target> target_of(const TreeReader& tree, const Op& module) {
  for (const char* key : {"pto.target_arch", "pto.device-spec"}) {
    const Item* entry = tree.attribute(module, key);
    if (entry == nullptr || entry->count == 0) continue;
    const std::string_view value = unquoted(tree.text(tree.children(*entry).front()));
    if (value == "a5" || value.starts_with("Ascend950")) return Target::A5;
    if (value == "a2a3" || value == "a3" || value == "a2" || value.starts_with("Ascend910")) return Target::A2A3;
  }
  return {};
}

bool returns_nothing(const TreeReader& tree, const Op& function) {
  const Item* arrow = tree.find(function, ItemKind::Arrow);
  return arrow == nullptr || arrow->count == 0;
}

bool is_private(const TreeReader& tree, const Op& function) {
  const Item* word = tree.find(function, ItemKind::Word);
  return word != nullptr && tree.text(*word) == "private";
}

// Reached by calls only.
bool is_helper(const TreeReader& tree, const Op& function) { return tree.attribute(function, "pto.device") != nullptr; }

bool is_marked(const TreeReader& tree, const Op& function) {
  return tree.attribute(function, "pto.entry") != nullptr || tree.attribute(function, "pto.aicore") != nullptr ||
         tree.attribute(function, "pto.kernel") != nullptr;
}

// "X" of "X_aic" with the ending "_aic"; empty: it ends otherwise.
std::string_view without(std::string_view name, std::string_view ending) {
  return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : std::string_view();
}

// Which half of a pair a function is by its name's ending, where what it says of its core agrees.
struct PairHalf {
  std::string_view pair;  // the name of the whole; empty where it is no half
  bool vector = false;
};

PairHalf pair_half(const TreeReader& tree, const EntryPoint& entry) {
  const auto half = [&](std::string_view ending, bool vector) {
    const std::string_view pair = without(entry.name, ending);
    const bool agrees = !pair.empty() && tree.kernel_kind(tree.op(entry.function)) == core_name(vector);
    return PairHalf{agrees ? pair : std::string_view(), vector};
  };
  const PairHalf cube = half("_aic", false);
  return cube.pair.empty() ? half("_aiv", true) : cube;
}

// Two functions of one name, for the cube core and for the vector cores, are one kernel.
void join_pairs(const TreeReader& tree, std::vector<EntryPoint>& entries) {
  std::unordered_map<std::string_view, OpId> vector_halves;
  std::unordered_set<std::string_view> cube_halves;
  for (const EntryPoint& entry : entries) {
    const PairHalf half = pair_half(tree, entry);
    if (half.pair.empty()) continue;
    if (half.vector) {
      vector_halves.emplace(half.pair, entry.function);
    } else {
      cube_halves.insert(half.pair);
    }
  }
  std::vector<EntryPoint> joined;
  for (const EntryPoint& entry : entries) {
    const PairHalf half = pair_half(tree, entry);
    const bool paired = half.vector ? cube_halves.contains(half.pair) : vector_halves.contains(half.pair);
    if (paired && half.vector) continue;
    joined.push_back(entry);
    if (!paired) continue;
    joined.back().name = std::string(half.pair);
    joined.back().peer = vector_halves.at(half.pair);
  }
  entries = std::move(joined);
}

struct Found {
  std::vector<EntryPoint> marked, plain;
  OpId giving = text::kNoId;  // the first function that returns a value
  std::set<std::string> names;
  std::size_t functions = 0;
  bool statements = false;
};

// By which a part of a program is told from its siblings: its name, what compiles it, or where it begins.
std::string part_name(const TreeReader& tree, const Op& module) {
  if (const std::string_view name = tree.symbol_name(module); !name.empty()) return std::string(name);
  const Item* backend = tree.attribute(module, "pto.backend");
  if (backend != nullptr && backend->count != 0)
    return std::string(unquoted(tree.text(tree.children(*backend).front())));
  return fmt::format("line{}", tree.tree().source->position(module.range.begin).line);
}

// Modules may stand in modules.
void find_entries(const TreeReader& tree, OpId first, std::optional<Target> target, const std::string& part,
                  Found& found, StopQuestion& stop) {
  for_ops(tree, first, [&](OpId id, const Op& op) {
    if (stop.stops()) return;
    const OpKind kind = text::kind_of(op.code);
    const Item* region = tree.find(op, ItemKind::Region);
    if (kind == OpKind::Module) {
      const auto own = target_of(tree, op);
      return find_entries(tree, tree.first_op(region), own ? own : target, part_name(tree, op), found, stop);
    }
    found.statements = found.statements || kind != OpKind::Function;
    if (kind != OpKind::Function || region == nullptr) return;
    ++found.functions;
    if (is_helper(tree, op)) return;
    EntryPoint entry{.name = std::string(tree.symbol_name(op)), .function = id, .target = target};
    if (!found.names.insert(entry.name).second) entry.name = fmt::format("{}.{}", part, entry.name);
    if (is_marked(tree, op)) found.marked.push_back(entry);
    if (!is_private(tree, op) && returns_nothing(tree, op)) found.plain.push_back(entry);
    if (found.giving == text::kNoId && !returns_nothing(tree, op)) found.giving = id;
  });
}

// --- compiling -----------------------------------------------------------------------------------------------------

void compile_function(Compilation& c, Function& function) {
  const Op& op = *function.op;
  const Item* region = c.tree.find(op, ItemKind::Region);
  c.functions.begin(function);
  auto callers_names = c.names.hide();
  const auto params = c.tree.children(*c.tree.find(op, ItemKind::Group));
  const std::size_t scope = c.names.enter_scope();
  for (std::size_t i = 0; i < params.size(); ++i) c.names.bind(c.tree.children(params[i]).front(), function.params[i]);
  c.tiles.collect_assigns(c.tree.first_op(region));
  compile_body(c, *region);
  check_queues(c, op);
  c.tiles.end_assigns();
  c.names.leave_scope(scope);
  c.code.emit(CodeKind::Return, {op.range.end, op.range.end});
  c.names.restore(std::move(callers_names));
}

void compile_entry(Compilation& c, const Op& op) {
  if (!returns_nothing(c.tree, op)) {
    c.messages.error(c.tree.children(*c.tree.find(op, ItemKind::Arrow)).front().range, "E-ENTRY",
                     "entry functions return nothing", "",
                     "write results to memory; a function that gives a value is called by one");
    return;
  }
  const Item* region = c.tree.find(op, ItemKind::Region);
  c.tiles.collect_assigns(c.tree.first_op(region));
  for (const Item& param : c.tree.children(*c.tree.find(op, ItemKind::Group))) c.arguments.bind_parameter(param);
  c.functions.begin_entry(op);
  compile_body(c, *region);
  check_queues(c, op);
  c.tiles.end_assigns();
  c.code.emit(CodeKind::End, {op.range.end, op.range.end});
  // What is called stands behind the code of the entry.
  c.functions.compile_needed([&](Function& function) { compile_function(c, function); });
  c.functions.link();
}

// --- what each core runs ---

// f(operation) for all in a region.
template <class F>
void for_all_ops(const TreeReader& tree, const Item* region, F f) {
  for_ops(tree, tree.first_op(region), [&](OpId, const Op& op) {
    f(op);
    for (const Item& item : tree.items(op))
      if (item.kind == ItemKind::Region) for_all_ops(tree, &item, f);
  });
}

// Whether an entry has parts for the cube core and others for vector cores: calls, or sections.
bool is_for_both(Compilation& c, const Op& entry) {
  bool cube = false, vector = false;
  for_all_ops(c.tree, c.tree.find(entry, ItemKind::Region), [&](const Op& op) {
    const OpKind kind = text::kind_of(op.code);
    cube = cube || kind == OpKind::CubeSection;
    vector = vector || kind == OpKind::VectorSection;
    const Function* callee = kind == OpKind::Call ? c.functions.find(c.tree.symbol_name(op)) : nullptr;
    if (callee == nullptr) return;
    cube = cube || c.tree.kernel_kind(*callee->op) == core_name(false);
    vector = vector || c.tree.kernel_kind(*callee->op) == core_name(true);
  });
  return cube && vector && c.tree.kernel_kind(entry).empty();
}

// The code of one kind of core, behind what there is.
void compile_for(Compilation& c, CoreKind kind, const Op& entry) {
  c.kind = kind;
  c.tiles.set_kind(kind);
  c.functions.start_again();
  const std::size_t scope = c.names.enter_scope();
  compile_entry(c, entry);
  c.names.leave_scope(scope);
}

// On a2a3 both vector cores take part in every queue; on a5 the second one only in what is split, or where the program asks
// which of them it is.
std::size_t vector_cores(const Compilation& c, std::uint32_t code) {
  if (c.program.target == Target::A2A3 || c.queues.splits) return 2;
  const bool asks = std::any_of(c.program.code.begin() + code, c.program.code.end(), [](const CodeOp& op) {
    return op.kind == CodeKind::Query && op.data == static_cast<std::uint32_t>(Query::SubblockIdx);
  });
  return asks ? 2 : 1;
}

void compile_for_both(Compilation& c, const Op& cube, const Op& vector, Diagnostics& out) {
  c.program.cores = {{CoreKind::Cube, c.code.here()}};
  compile_for(c, CoreKind::Cube, cube);
  const std::size_t told = out.size();
  const CoreDecl core{CoreKind::Vector, c.code.here()};
  compile_for(c, CoreKind::Vector, vector);
  c.program.cores.resize(1 + vector_cores(c, core.code), core);
  // What both of them say of the same lines is said once.
  const Diagnostics before(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(told));
  const auto again = [&](const Diagnostic& one) {
    return std::ranges::any_of(before, [&](const Diagnostic& other) {
      return other.rule == one.rule && other.pos == one.pos && other.text == one.text;
    });
  };
  out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(told), out.end(), again), out.end());
}

void compile_statements(Compilation& c) {
  const OpId first = c.tree.tree().first_op;
  c.arguments.take_free_names();
  c.tiles.collect_assigns(first);
  compile_ops(c, first);
  c.tiles.end_assigns();
  c.code.emit(CodeKind::End, {});
}

// Why none of the functions that have a body can be started.
Diagnostic no_entry(const TreeReader& tree, const Found& found) {
  Diagnostic said;
  said.rule = "E-ENTRY";
  said.pos = {1, 1};
  said.text = "the program has no function to start";
  if (found.giving != text::kNoId) {
    const Op& function = tree.op(found.giving);
    said.pos = tree.tree().source->position(function.name.begin);
    said.text += fmt::format(": @{} returns a value", tree.symbol_name(function));
    said.hint = "write the result to memory and return nothing, or add a function that calls it";
  } else {
    said.text += ": all that have a body are private or helpers";
    said.hint = "mark one with attributes {pto.entry}, or drop `private`";
  }
  return said;
}

}  // namespace

std::vector<EntryPoint> entry_points(const text::Tree& text, Diagnostics& out, const std::function<bool()>& go_on) {
  Found found;
  StopQuestion stop(go_on);
  find_entries(TreeReader(text), text.first_op, {}, "", found, stop);
  const auto functions = std::make_shared<const FunctionIndex>(text, stop);
  if (stop.stopped()) {
    out.push_back({"E-STOPPED", Severity::Error, {}, "", "looking for functions was stopped", ""});
    return {};
  }
  for (auto* entries : {&found.marked, &found.plain}) join_pairs(TreeReader(text), *entries);
  for (EntryPoint& entry : found.marked) entry.functions = functions;
  for (EntryPoint& entry : found.plain) entry.functions = functions;
  if (!found.marked.empty()) return found.marked;
  if (found.functions == 0 && found.statements) return {{.name = "main"}};
  if (found.plain.empty() && found.functions != 0 && !has_error(out)) out.push_back(no_entry(TreeReader(text), found));
  if (found.plain.size() > 1)
    out.push_back({"E-ENTRY",
                   Severity::Note,
                   {},
                   "",
                   fmt::format("no function is marked pto.entry; each of the {} that return nothing counts as one",
                               found.plain.size()),
                   ""});
  return found.plain;
}

bool begins_block(const Program& program) {
  return std::ranges::any_of(program.instructions, [](const Instruction& one) { return one.row == &kBeginBlock; });
}

Program compile(std::shared_ptr<const text::Tree> tree, const EntryPoint& entry, const CompileRequest& request,
                Diagnostics& out) {
  Compilation c(tree, request.target, request.options, out);
  c.stop = StopQuestion(request.go_on);
  c.program.name = entry.name;
  c.program.blocks = request.blocks;
  c.program.private_slots = request.private_slots;
  const bool indexed = entry.functions != nullptr && entry.functions->tree == tree.get();
  c.functions.use(indexed ? entry.functions : std::make_shared<const FunctionIndex>(*tree, c.stop));
  const Op* function = entry.function == text::kNoId ? nullptr : &c.tree.op(entry.function);
  if (function != nullptr && entry.peer != text::kNoId) {
    compile_for_both(c, *function, c.tree.op(entry.peer), out);
  } else if (function != nullptr && is_for_both(c, *function)) {
    compile_for_both(c, *function, *function, out);
  } else {
    if (request.blocks > 1 || request.begins_block)
      c.code.emit_step({}, {.row = &kBeginBlock, .operands = {}, .attributes = {}});
    if (function != nullptr) compile_entry(c, *function);
    else compile_statements(c);
  }
  if (c.stop.stopped()) c.messages.error({}, "E-STOPPED", "compiling was stopped");
  else c.tiles.place();
  settle_queues(c);
  if (c.program.kernel != nullptr) c.program.kernel->set_cores(c.program);
  c.messages.finish();
  return std::move(c.program);
}

}  // namespace ts
