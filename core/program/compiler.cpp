// What the compiler's parts share: messages, slots, names.
#include "core/program/compiler.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/rules.h"
#include "core/program/compiler_impl.h"
#include "core/program/execution.h"
#include "core/program/literal.h"
#include "core/program/place.h"
#include "core/program/pointing.h"

namespace ts {

using text::ItemKind;
using text::ScalarKind;
using text::TypeKind;

Program compile(std::shared_ptr<const text::Tree> tree, const EntryPoint& entry, const CompileRequest& request,
                Diagnostics& out) {
  return Compiler(std::move(tree), request, out).compile(entry);
}

void check_program(const Program& program, Diagnostics& out, std::uint64_t most_steps) {
  Execution walk(program, nullptr, Execution::Kind::Check, {most_steps, Execution::kCheckedCode});
  std::vector<std::optional<Bound>> last(program.instructions.size());
  std::vector<char> refused(program.instructions.size());
  while (walk.next()) {
    std::optional<Bound> bound = walk.bind(walk.instruction());
    if (!bound) continue;
    std::optional<Bound>& before = last[walk.instruction()];
    const bool known = before && before->operands == bound->operands;
    // Each place of the program is told once, for the first operands that break a rule.
    Diagnostics found;
    char& wrong = refused[walk.instruction()];
    if (!known && !wrong) check_rules(*bound, found);
    wrong = wrong || has_error(found);
    for (Diagnostic& diagnostic : found) {
      if (before && !wrong) break;
      point_at_operand(program, walk.instruction(), diagnostic);
      out.push_back(std::move(diagnostic));
    }
    walk.apply_effect(*bound);
    before = std::move(bound);
    if (has_error(out) && out.size() > 20) break;
  }
  for (Diagnostic& diagnostic : walk.take_warnings()) out.push_back(std::move(diagnostic));
  if (walk.problem()) out.push_back(*walk.problem());
}

Compiler::Compiler(std::shared_ptr<const text::Tree> tree, const CompileRequest& request, Diagnostics& out)
    : shared_tree_(std::move(tree)), tree_(*shared_tree_), request_(request), out_(out) {
  program_.target = request.target;
  program_.options = request.options;
  program_.blocks = request.blocks;
  program_.tree = shared_tree_;
}

Program Compiler::compile(const EntryPoint& entry) {
  program_.name = entry.name;
  compile_file(entry);
  place();
  return std::move(program_);
}

void Compiler::place() {
  std::vector<char> never_touched(program_.tiles.size());
  for (std::size_t i = 0; i < never_touched.size(); ++i)
    never_touched[i] = request_.target == Target::A5 && !touched_[i];
  place_tiles(program_, placed_, never_touched, out_);
}

// --- messages ------------------------------------------------------------------------------------------------------

Diagnostic& Compiler::tell(Severity severity, SourceRange where, std::string rule, std::string text,
                           std::string expected, std::string hint) {
  out_.push_back({std::move(rule), severity, position(where), "", std::move(text), std::move(hint),
                  tree_.source->span(where), std::move(expected)});
  return out_.back();
}

Diagnostic& Compiler::error(SourceRange where, std::string rule, std::string text, std::string expected,
                            std::string hint) {
  return tell(Severity::Error, where, std::move(rule), std::move(text), std::move(expected), std::move(hint));
}

Diagnostic& Compiler::warn(SourceRange where, std::string rule, std::string text, std::string hint) {
  return tell(Severity::Warning, where, std::move(rule), std::move(text), "", std::move(hint));
}

std::string Compiler::type_text(TypeId id) const {
  return id == kNoType ? "nothing" : tree_.types.print(id);
}

// The place of `words` inside a range; the whole range where it does not hold them.
text::SourceRange Compiler::part_of(SourceRange where, std::string_view words) const {
  const std::size_t at = tree_.text(where).find(words);
  if (at == std::string_view::npos) return where;
  const std::uint32_t begin = where.begin + static_cast<std::uint32_t>(at);
  return {begin, begin + static_cast<std::uint32_t>(words.size())};
}

// --- slots and code ------------------------------------------------------------------------------------------------

Slot Compiler::new_slot(TypeId type, Value value) {
  program_.slots.push_back(value);
  slot_types_.push_back(type);
  variable_.push_back(0);
  return static_cast<Slot>(program_.slots.size() - 1);
}

Slot Compiler::constant(std::int64_t value, ScalarKind kind) {
  if (kind != ScalarKind::Index)
    return new_slot(kNoType, scalar_value(cut_to(kind, static_cast<std::uint64_t>(value))));
  const auto [it, made] = index_constants_.try_emplace(value, kNoSlot);
  if (made) it->second = new_slot(kNoType, scalar_value(static_cast<std::uint64_t>(value)));
  return it->second;
}

CodeOp& Compiler::emit(CodeKind kind, SourceRange where, std::vector<Slot> ins, std::vector<Slot> outs,
                       std::uint32_t data) {
  CodeOp op{.kind = kind};
  op.ins = static_cast<std::uint16_t>(ins.size());
  op.outs = static_cast<std::uint16_t>(outs.size());
  op.slots = static_cast<std::uint32_t>(program_.code_slots.size());
  op.data = data;
  op.pos = position(where);
  program_.code_slots.insert(program_.code_slots.end(), ins.begin(), ins.end());
  program_.code_slots.insert(program_.code_slots.end(), outs.begin(), outs.end());
  for (const Slot slot : outs) variable_[slot] = 1;
  // A tile that goes on under another name may be read and written there.
  for (const Slot slot : ins)
    if (slot != kNoSlot && program_.slots[slot].kind == ValueKind::Tile) touched_[program_.slots[slot].bits] = 1;
  program_.code.push_back(op);
  return program_.code.back();
}

void Compiler::emit_move(SourceRange where, const std::vector<Slot>& from, const std::vector<Slot>& to) {
  if (!from.empty()) emit(CodeKind::Move, where, from, to);
}

void Compiler::add_input(std::string_view name, ProgramInput::Kind kind, std::uint32_t id, ScalarKind scalar,
                         SourceRange where) {
  program_.inputs.push_back({std::string(name), kind, id, scalar, position(where)});
}

// --- names ---------------------------------------------------------------------------------------------------------

std::string_view Compiler::name_of(const Item& item) const {
  std::string_view name = tree_.text(item);
  if (name.starts_with('%')) name.remove_prefix(1);
  return name.substr(0, name.find_first_of("#: "));
}

const Compiler::Binding* Compiler::find_name(std::string_view name) const {
  const auto it = names_.find(name);
  return it == names_.end() ? nullptr : &it->second;
}

void Compiler::bind_name(const Item& def, Slot slot, std::uint32_t count) {
  const std::string_view name = name_of(def);
  const auto it = names_.find(name);
  if (it != names_.end()) {
    error(def.range, "E-NAME", fmt::format("%{} redefined", name), "", "give it another name")
        .notes.push_back({position(it->second.place), "first defined here"});
    return;
  }
  scope_log_.emplace_back(name, std::nullopt);
  names_[name] = {slot, count, def.range};
}

void Compiler::leave_scope(std::size_t mark) {
  for (; scope_log_.size() > mark; scope_log_.pop_back()) names_.erase(scope_log_.back().first);
}

Slot Compiler::bind_result(const Op& op, std::size_t index, TypeId type, Value value) {
  const Slot slot = new_slot(type, value);
  if (index < op.result_count) bind_name(tree_.results(op)[index], slot);
  return slot;
}

namespace {

// One edit apart, or one a prefix of the other: near enough to be meant.
bool alike(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return a.size() >= 2 && b.starts_with(a);
  std::size_t same = 0;
  while (same < a.size() && a[same] == b[same]) ++same;
  return a.substr(std::min(a.size(), same + (a.size() == b.size() ? 1 : 0))) == b.substr(same + 1);
}

}  // namespace

Slot Compiler::use(const Item& item) {
  const Item& name_item = item.kind == ItemKind::Element ? tree_.children(item).front() : item;
  const std::string_view name = name_of(name_item);
  const Binding* binding = find_name(name);
  if (binding == nullptr) {
    std::vector<std::string_view> near;
    for (const auto& [other, unused] : names_)
      if (alike(name, other)) near.push_back(other);
    std::ranges::sort(near);
    if (near.size() > 3) near.resize(3);
    error(name_item.range, "E-NAME", fmt::format("use of undefined value %{}", name), "",
          near.empty() ? "" : fmt::format("did you mean %{}?", fmt::join(near, ", %")));
    return kNoSlot;
  }
  if (binding->slot == kNoSlot) return kNoSlot;  // told where it should have been made
  const std::uint32_t number = name_item.extra == 0 ? 0 : name_item.extra - 1u;
  if (number >= binding->count) {
    error(name_item.range, "E-NAME", fmt::format("%{} has {} values, there is no #{}", name, binding->count, number));
    return kNoSlot;
  }
  return binding->slot + number;
}

Slot Compiler::use_or_integer(const Item& item) {
  if (item.kind == ItemKind::Use) return use(item);
  if (item.kind == ItemKind::Int) {
    const auto value = parse_integer(text(item));
    if (value) return constant(*value);
    error(item.range, "E-NUMBER", fmt::format("{} does not fit 64 bits", text(item)));
    return kNoSlot;
  }
  error(item.range, "E-SYNTAX", fmt::format("unexpected {}", text(item)), "a value or an integer");
  return kNoSlot;
}

text::TypeId Compiler::only_type(const Item* list) const {
  const auto types = types_of(list);
  return types.size() == 1 ? types.front() : kNoType;
}

std::vector<text::TypeId> Compiler::types_of(const Item* list) const {
  std::vector<TypeId> types;
  if (list == nullptr) return types;
  for (const Item& item : tree_.children(*list))
    if (item.kind == ItemKind::Type) types.push_back(item.first);
  return types;
}

}  // namespace ts
