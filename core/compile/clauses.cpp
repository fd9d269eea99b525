// Names, types and counts in clauses and parentheses.
#include "core/compile/clauses.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/compile/statements.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OperandSort;
using text::SignatureOperand;
using text::TypeId;
using text::TypeKind;

namespace {

bool names_a_value(Compilation& c, const Item& use) {
  if (c.arguments.is_free(use)) return true;
  const std::size_t told = c.messages.count();
  c.names.use(use);
  return c.messages.count() == told;
}

// %n = ... : T
bool check_named(Compilation& c, const Item& named) {
  const auto parts = c.tree.children(named);
  if (parts.size() != 2 || parts[0].kind != ItemKind::Use || parts[1].kind != ItemKind::Type) return true;
  const Names::Binding* known = c.names.find(parts[0]);
  return known == nullptr || known->slot == kNoSlot ||
         has_stated_type(c, parts[0], parts[1].first, parts[1].range, c.names.use(parts[0]));
}

// The names in <<<%x, %y, %z>>>, which is kept as it stands.
bool check_launch_shape(Compilation& c, const Item& shape) {
  const std::string_view all = c.tree.text(shape);
  if (!all.starts_with("<<<")) return true;
  for (std::size_t at = all.find('%'); at != std::string_view::npos; at = all.find('%', at + 1)) {
    const std::size_t end = std::min(all.find_first_of(", \t>#", at), all.size());
    const std::uint32_t begin = shape.range.begin + static_cast<std::uint32_t>(at);
    const Item use{.kind = ItemKind::Use, .range = {begin, shape.range.begin + static_cast<std::uint32_t>(end)}};
    if (!names_a_value(c, use)) return false;
  }
  return true;
}

bool check_names(Compilation& c, const Item& item, bool in_clause) {
  const auto all = [&](bool inside) {
    return std::ranges::all_of(c.tree.children(item), [&](const Item& child) { return check_names(c, child, inside); });
  };
  switch (item.kind) {
    case ItemKind::Use: return !in_clause || names_a_value(c, item);
    case ItemKind::Attr: return check_launch_shape(c, item);
    case ItemKind::Element:
    case ItemKind::List:
    case ItemKind::Dict: return all(in_clause);
    case ItemKind::Named: return all(true) && check_named(c, item);
    case ItemKind::Group: {
      // Those in ins(...) and outs(...) are looked up with the operands.
      const std::string_view name = c.tree.tree().name_of(item);
      return all(in_clause || !(name.empty() || name == "ins" || name == "outs"));
    }
    default: return true;
  }
}

// --- types ---------------------------------------------------------------------------------------------------------

bool is_value(const Item& item) {
  return item.kind == ItemKind::Use || item.kind == ItemKind::Element || item.kind == ItemKind::Int ||
         item.kind == ItemKind::Float || item.kind == ItemKind::Bool;
}

// The values of a list and of the clauses in it, and the types behind them.
void collect(const Compilation& c, const Item& group, std::vector<const Item*>& values,
             std::vector<const Item*>& types) {
  for (const Item& item : c.tree.children(group)) {
    if (is_value(item)) values.push_back(&item);
    if (item.kind == ItemKind::Group) collect(c, item, values, types);
    if (item.kind != ItemKind::Types) continue;
    for (const Item& type : c.tree.children(item))
      if (type.kind == ItemKind::Type) types.push_back(&type);
  }
}

bool check_types_in(Compilation& c, const Item& group) {
  std::vector<const Item*> values, types;
  collect(c, group, values, types);
  if (types.empty()) return true;
  if (values.size() != types.size()) {
    const auto count = [](std::size_t n, const char* what) {
      return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
    };
    c.messages.error(types.front()->range, "E-TYPES",
                     fmt::format("{} for {}", count(types.size(), "type"), count(values.size(), "operand")),
                     fmt::format("{} separated by ','", count(values.size(), "type")));
    return false;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]->kind != ItemKind::Use) continue;
    const Names::Binding* known = c.names.find(*values[i]);
    if (known == nullptr || known->slot == kNoSlot) continue;
    if (!has_stated_type(c, *values[i], types[i]->first, types[i]->range, c.names.use(*values[i]))) return false;
  }
  return true;
}

// --- signatures ----------------------------------------------------------------------------------------------------

// dst, src, buf(first, second?)
std::string shown(const std::vector<SignatureOperand>& operands) {
  std::string out;
  for (const SignatureOperand& operand : operands) {
    if (!out.empty()) out += ", ";
    out += operand.name;
    if (operand.sort == OperandSort::Clause) out += fmt::format("({})", shown(operand.operands));
    out += operand.optional ? "?" : operand.repeated ? "..." : "";
  }
  return out.empty() ? "nothing" : out;
}

std::size_t count_values(const Compilation& c, const Item& group) {
  return static_cast<std::size_t>(std::ranges::count_if(c.tree.children(group), is_value));
}

struct Clause {
  std::string_view of;  // what messages call it
  const Item& group;
  const std::vector<SignatureOperand>& wanted;
};

bool check_count(Compilation& c, const Clause& clause) {
  std::size_t least = 0, most = 0;
  for (const SignatureOperand& operand : clause.wanted) {
    if (operand.sort == OperandSort::Clause) continue;
    least += operand.optional || operand.repeated ? 0 : 1;
    most = operand.repeated || most == text::kUnlimited ? text::kUnlimited : most + 1;
  }
  const std::size_t got = count_values(c, clause.group);
  if (got >= least && got <= most) return true;
  c.messages.error(
      clause.group.range, "E-OPERANDS",
      fmt::format("{} has {} operand{}, needs {}", clause.of, got, plural(got), got < least ? least : most),
      shown(clause.wanted));
  return false;
}

bool check_group(Compilation& c, const Clause& clause);

// The clauses inside parentheses: those that must be there, and no others.
bool check_inner(Compilation& c, const Clause& clause) {
  const auto called = [&](std::string_view name) {
    return [&c, name](const Item& item) { return item.kind == ItemKind::Group && c.tree.tree().name_of(item) == name; };
  };
  const auto items = c.tree.children(clause.group);
  for (const Item& item : items) {
    if (item.kind != ItemKind::Group) continue;
    const std::string_view name = c.tree.tree().name_of(item);
    const bool known = std::ranges::any_of(clause.wanted, [&](const SignatureOperand& operand) {
      return operand.sort == OperandSort::Clause && operand.name == name;
    });
    if (known) continue;
    c.messages.error(item.range, "E-OPERANDS", fmt::format("{} knows no clause {}(...)", clause.of, name),
                     shown(clause.wanted));
    return false;
  }
  for (const SignatureOperand& operand : clause.wanted) {
    if (operand.sort != OperandSort::Clause) continue;
    const auto found = std::ranges::find_if(items, called(operand.name));
    if (found != items.end()) {
      if (!check_group(c, {operand.name, *found, operand.operands})) return false;
    } else if (!operand.optional && !operand.repeated) {
      c.messages.error(clause.group.range, "E-OPERANDS",
                       fmt::format("{}({}) is required", operand.name, shown(operand.operands)), shown(clause.wanted));
      return false;
    }
  }
  return true;
}

bool check_group(Compilation& c, const Clause& clause) {
  if (!check_count(c, clause)) return false;
  std::vector<const SignatureOperand*> values;
  for (const SignatureOperand& operand : clause.wanted)
    if (operand.sort != OperandSort::Clause) values.push_back(&operand);
  std::size_t next = 0;
  for (const Item& item : c.tree.children(clause.group)) {
    if (!is_value(item)) continue;
    const SignatureOperand& operand = *values[std::min(next++, values.size() - 1)];
    if (item.kind == ItemKind::Use && !has_sort(c, item, operand.sort)) return false;
  }
  return check_inner(c, clause);
}

}  // namespace

bool check_clause_names(Compilation& c, const Op& op) {
  // Loops and functions bind names of their own; their dialect looks up what they take.
  const bool has_region =
      std::ranges::any_of(c.tree.items(op), [](const Item& item) { return item.kind == ItemKind::Region; });
  return std::ranges::all_of(c.tree.items(op), [&](const Item& item) {
    return has_region ? item.kind != ItemKind::Attr || check_launch_shape(c, item) : check_names(c, item, false);
  });
}

bool check_stated_types(Compilation& c, const Op& op) {
  return std::ranges::all_of(c.tree.items(op),
                             [&](const Item& item) { return item.kind != ItemKind::Group || check_types_in(c, item); });
}

bool is_of_sort(const Compilation& c, OperandSort sort, TypeId id) {
  const text::Type& type = c.tree.type(id);
  const bool memref = type.kind == TypeKind::Memref;
  switch (sort) {
    case OperandSort::Tile: return c.tiles.kind_of(id) == OperandKind::Tile;
    case OperandSort::Scalar: return type.kind == TypeKind::Scalar;
    case OperandSort::Integer: return type.kind == TypeKind::Scalar && !text::is_float(type.scalar);
    case OperandSort::Pointer: return memref || type.kind == TypeKind::Ptr;
    case OperandSort::Partition:
    case OperandSort::View: return memref || type.kind == TypeKind::TensorView || type.kind == TypeKind::PartitionView;
    default: return true;
  }
}

bool has_sort(Compilation& c, const Item& used, OperandSort sort) {
  const Names::Binding* known = c.names.find(used);
  if (known == nullptr || known->slot == kNoSlot) return true;
  const TypeId type = c.code.type_of(c.names.use(used));
  if (type == kNoType || is_of_sort(c, sort, type)) return true;
  c.messages.error(used.range, "E-TYPE",
                   fmt::format("{} is {}, needs {} {}", c.tree.text(used), c.tree.type_text(type),
                               sort == OperandSort::Integer ? "an" : "a", text::name(sort)));
  return false;
}

bool check_parentheses(Compilation& c, const Op& op, const text::OpRow& row) {
  const text::Signature& signature = text::signature(op.code);
  if (signature.own_form || signature.forms.empty() || signature.forms.front().operands.empty()) return true;
  const SignatureOperand& first = signature.forms.front().operands.front();
  if (first.sort != OperandSort::Clause || !first.name.empty()) return true;
  const std::string_view name = row.name.substr(row.name.find('.') + 1);
  if (const Item* group = c.tree.find(op, ItemKind::Group)) return check_group(c, {name, *group, first.operands});
  if (first.optional) return true;
  c.messages.error(op.name, "E-OPERANDS", fmt::format("{} has 0 operands, needs {}", name, shown(first.operands)),
                   fmt::format("{}({})", name, shown(first.operands)));
  return false;
}

}  // namespace ts
