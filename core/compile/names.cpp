// Names and scopes.
#include "core/compile/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/program/literal.h"

namespace ts {

using text::Item;
using text::ItemKind;

namespace {

constexpr std::size_t kWorthHelping = 20;  // mistakes

// One edit apart, or one a prefix of the other: near enough to be meant.
bool alike(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return a.size() >= 2 && b.starts_with(a);
  std::size_t same = 0;
  while (same < a.size() && a[same] == b[same]) ++same;
  return a.substr(std::min(a.size(), same + (a.size() == b.size() ? 1 : 0))) == b.substr(same + 1);
}

}  // namespace

const Names::Binding* Names::find(std::string_view name) const {
  const auto it = names_.find(name);
  return it == names_.end() ? nullptr : &it->second;
}

void Names::bind(const Item& def, Slot slot, std::uint32_t count) {
  const std::string_view name = tree_.value_name(def);
  const auto [it, made] = names_.try_emplace(name, Binding{slot, count, def.range});
  if (made) return bound_.push_back(name);
  messages_.error(def.range, "E-NAME", fmt::format("%{} redefined", name), "", "give it another name")
      .notes.push_back({messages_.position(it->second.defined), "first defined here"});
}

Slot Names::bind_result(const text::Op& op, std::size_t index, text::TypeId type, Value value) {
  const Slot slot = code_.new_slot(type, value);
  if (index < op.result_count) bind(tree_.results(op)[index], slot);
  return slot;
}

Slot Names::use(const Item& item) {
  const Item& name_item = item.kind == ItemKind::Element ? tree_.children(item).front() : item;
  const std::string_view name = tree_.value_name(name_item);
  const Binding* binding = find(name);
  if (binding == nullptr) {
    std::vector<std::string_view> near;
    // All names are looked at: for the first mistakes only, since nobody reads the thousandth.
    if (messages_.count() < kWorthHelping)
      for (const auto& [other, unused] : names_)
        if (alike(name, other)) near.push_back(other);
    std::ranges::sort(near);
    if (near.size() > 3) near.resize(3);
    messages_.error(name_item.range, "E-NAME", fmt::format("use of undefined value %{}", name), "",
                    near.empty() ? "" : fmt::format("did you mean %{}?", fmt::join(near, ", %")));
    return kNoSlot;
  }
  if (binding->slot == kNoSlot) return kNoSlot;
  const std::uint32_t number = name_item.pack_number();
  if (number >= binding->count) {
    messages_.error(name_item.range, "E-NAME",
                    fmt::format("%{} has {} values, there is no #{}", name, binding->count, number));
    return kNoSlot;
  }
  return binding->slot + number;
}

Slot Names::use_or_integer(const Item& item) {
  if (item.kind == ItemKind::Use) return use(item);
  if (item.kind == ItemKind::Int) {
    const auto value = parse_integer(tree_.text(item));
    if (value) return code_.constant(*value);
    messages_.error(item.range, "E-NUMBER", fmt::format("{} does not fit 64 bits", tree_.text(item)));
    return kNoSlot;
  }
  messages_.error(item.range, "E-SYNTAX", fmt::format("unexpected {}", tree_.text(item)), "a value or an integer");
  return kNoSlot;
}

std::vector<Slot> Names::use_operands(const text::Op& op) {
  std::vector<Slot> slots;
  for (const Item& item : tree_.items(op))
    if (item.kind == ItemKind::Use || item.kind == ItemKind::Int) slots.push_back(use_or_integer(item));
  return slots;
}

void Names::leave_scope(std::size_t mark) {
  for (; bound_.size() > mark; bound_.pop_back()) names_.erase(bound_.back());
}

std::unordered_map<std::string_view, Names::Binding> Names::hide() { return std::exchange(names_, {}); }

}  // namespace ts
