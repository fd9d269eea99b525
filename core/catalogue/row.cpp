// Operand lookup and form choice.
#include "core/catalogue/row.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace ts {
namespace {

// A lowering or rule that asks for an operand its own row does not have is a bug of ours.
[[noreturn]] void missing(const Bound& bound, std::string_view operand) {
  std::fprintf(stderr, "tilescope: bug: %s has no operand %.*s\n", bound.row->name, static_cast<int>(operand.size()),
               operand.data());
  std::abort();
}

}  // namespace

const char* name(Role role) {
  constexpr const char* kNames[] = {"in", "out", "tmp", "mask", "scalar", "offsets", "address"};
  return kNames[static_cast<int>(role)];
}

std::uint8_t Bound::attribute(std::string_view name) const {
  for (std::size_t i = 0; i < row->attributes.size(); ++i)
    if (row->attributes[i].name == name) return attributes[i];
  missing(*this, name);
}

const Operand* Bound::find(std::string_view name) const {
  const auto it = std::ranges::find_if(operands, [&](const Operand& operand) { return operand.spec->name == name; });
  return it == operands.end() ? nullptr : &*it;
}

const TileRef& Bound::tile(std::string_view name) const {
  const Operand* operand = find(name);
  if (operand == nullptr) missing(*this, name);
  return operand->tile;
}

const GlobalRef& Bound::global(std::string_view name) const {
  const Operand* operand = find(name);
  if (operand == nullptr) missing(*this, name);
  return operand->global;
}

const Scalar& Bound::scalar(std::string_view name) const {
  const Operand* operand = find(name);
  if (operand == nullptr) missing(*this, name);
  return operand->scalar;
}

DType Bound::dtype() const {
  const Operand* operand = find(row->typed_by);
  if (operand == nullptr) missing(*this, row->typed_by);
  switch (operand->spec->kind) {
    case OperandKind::Global: return operand->global.dtype;
    case OperandKind::Scalar: return operand->scalar.dtype;
    case OperandKind::Tile: break;
  }
  return operand->tile.type.dtype;
}

std::size_t FormRow::results() const {
  return static_cast<std::size_t>(std::ranges::count(operands, Role::Out, &OperandSpec::role));
}

std::size_t FormRow::inputs(bool with_optional) const {
  const auto counts = [&](const OperandSpec& spec) { return spec.is_input(with_optional); };
  return static_cast<std::size_t>(std::ranges::count_if(operands, counts));
}

std::optional<std::uint8_t> attribute_number(const AttributeSpec& spec, std::string_view word) {
  if (const auto number = value_number(spec.values, word)) return number;
  std::string plain(word);
  std::ranges::transform(plain, plain.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (plain.starts_with("cast_")) plain.erase(0, 5);
  for (std::string_view left = spec.aliases; !left.empty();) {
    const std::string_view alias = left.substr(0, left.find('|'));
    const std::size_t equals = alias.find('=');
    if (alias.substr(0, equals) == plain || alias.substr(0, equals) == word)
      return value_number(spec.values, alias.substr(equals + 1));
    left.remove_prefix(std::min(alias.size() + 1, left.size()));
  }
  return value_number(spec.values, plain);
}

const Machines& machines_for(const Bound& bound) {
  const InstructionRow& row = *bound.row;
  const Machines* others = row.other_machines == nullptr ? nullptr : row.other_machines(bound);
  return others == nullptr ? row.machines : *others;
}

std::string own_rule(const InstructionRow& row, std::string_view number) {
  std::string id(row.name);
  std::ranges::transform(id, id.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return id + "-" + std::string(number);
}
std::string type_rule(const InstructionRow& row, Target target) {
  const char* named = row.type_rules[static_cast<int>(target)];
  return named != nullptr ? named : own_rule(row, "R1");
}
std::string absent_rule(const InstructionRow& row) {
  return row.absent_rule != nullptr ? row.absent_rule : own_rule(row, "R1");
}

int find_form(const InstructionRow& row, std::span<const OperandKind> inputs, std::size_t outputs) {
  for (std::size_t form = 0; form < row.forms.size(); ++form) {
    const auto& specs = row.forms[form].operands;
    if (row.forms[form].results() != outputs) continue;
    // Optional operands may be left out, all together: that is how documents and files differ.
    for (const bool with_optional : {true, false}) {
      std::vector<OperandKind> wanted;
      for (const OperandSpec& spec : specs)
        if (spec.is_input(with_optional)) wanted.push_back(spec.kind);
      if (std::ranges::equal(wanted, inputs)) return static_cast<int>(form);
    }
  }
  return -1;
}

}  // namespace ts
