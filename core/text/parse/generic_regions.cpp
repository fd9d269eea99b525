// The generic form of operations with regions: what stands in the first block's arguments, and in attributes, comes to where
// the operation's own form has it.
#include <fmt/format.h>

#include <algorithm>

#include "core/text/parse/generic_form.h"

namespace ts::text {

bool GenericForm::has_regions(std::size_t least, std::size_t most) {
  const std::size_t count = regions_.size();
  if (count >= least && count <= most) return true;
  const std::size_t needed = count < least ? least : most;
  return wrong("E-REGION", op_.name,
               fmt::format("{} has {} region{}, needs {}", name(), count, plural_s(count), needed),
               least == 2 ? "({...}, {...})" : "({...})");
}

std::vector<Item> GenericForm::arguments_of(const Item& region) const {
  if (region.first == kNoId) return {};
  const auto args = tree_.args(tree_.blocks[region.first]);
  return {args.begin(), args.end()};
}

bool GenericForm::has_arguments(const Item& region, std::size_t count, const char* what) {
  const std::vector<Item> args = arguments_of(region);
  const bool named = std::ranges::all_of(
      args, [&](const Item& arg) { return arg.count >= 2 && tree_.children(arg).front().kind == ItemKind::Def; });
  if (args.size() == count && named) return true;
  const SourceRange where = args.empty() ? SourceRange{region.range.begin, region.range.begin + 1}
                                         : SourceRange{args.front().range.begin, args.back().range.end};
  return wrong("E-REGION", where,
               fmt::format("the region's block has {} argument{}, needs {}: {}", args.size(), plural_s(args.size()),
                           count, what),
               "^bb0(%x: T):");
}

bool GenericForm::has_results(std::size_t count, const char* what) {
  if (results_.size() == count) return true;
  return wrong("E-TYPES", results_.empty() ? op_.name : results_.front().range,
               fmt::format("{} has {} result type{}, needs {}: {}", name(), results_.size(), plural_s(results_.size()),
                           count, what));
}

// "builtin.module"() <{sym_name = "m"}> ({...}) {pto.target_arch = "a5"} : () -> ()
bool GenericForm::module(std::vector<Item>& out) {
  if (!has_regions(1, 1)) return false;
  symbol(out);
  out.insert(out.end(), dicts_.begin(), dicts_.end());
  out.push_back(regions_.front());
  return true;
}

// The name that an attribute gives.
bool GenericForm::symbol(std::vector<Item>& out) {
  const Item* given = attribute("sym_name");
  if (given == nullptr || given->count == 0) return false;
  const Item value = tree_.children(*given).front();
  if (value.kind != ItemKind::String) return false;
  out.push_back(
      {.kind = ItemKind::Symbol, .style = ItemStyle::Implied, .range = {value.range.begin + 1, value.range.end - 1}});
  return true;
}

// "func.func"() <{function_type = (T) -> (), sym_name = "f"}> ({^bb0(%a: T): ...}) : () -> ()
bool GenericForm::function(std::vector<Item>& out) {
  if (!has_regions(1, 1)) return false;
  if (const Item* visibility = attribute("sym_visibility"); visibility != nullptr && visibility->count != 0) {
    const SourceRange word = tree_.children(*visibility).front().range;
    out.push_back({.kind = ItemKind::Word, .range = {word.begin + 1, word.end - 1}});
  }
  if (!symbol(out)) return wrong_attribute(attribute("sym_name"), "sym_name", "a name in quotes");
  const Item* given = attribute("function_type");
  const Item* type = given == nullptr || given->count == 0 ? nullptr : &tree_.children(*given).front();
  if (type == nullptr || type->kind != ItemKind::Type || tree_.types[type->first].kind != TypeKind::Function)
    return wrong_attribute(given, "function_type", "a type of functions, (T, T) -> ()");
  const SourceRange where = type->range;
  const Type& its = tree_.types[type->first];
  const auto type_item = [&](TypeId id) {
    Item item{.kind = ItemKind::Type, .range = where};
    item.first = id;
    return item;
  };
  const Item& region = regions_.front();
  const bool declared = region.first == kNoId;
  std::vector<Item> params = arguments_of(region), results;
  if (!declared && !same_parameters(its, params)) return false;
  for (std::size_t i = 0; declared && i < its.inputs.size(); ++i) {
    const Item input = type_item(its.inputs[i]);
    params.push_back(parent(ItemKind::Param, {&input, 1}, where));
  }
  for (const TypeId result : its.results) results.push_back(type_item(result));
  out.push_back(group(params));
  if (!results.empty()) out.push_back(row_of_types(ItemKind::Arrow, results));
  out.insert(out.end(), dicts_.begin(), dicts_.end());
  if (!declared) out.push_back(region);
  return true;
}

// Whether the block's arguments are those of the function's type.
bool GenericForm::same_parameters(const Type& function, std::span<const Item> params) {
  if (!has_arguments(regions_.front(), function.inputs.size(), "as function_type says")) return false;
  for (std::size_t i = 0; i < params.size(); ++i) {
    const Item& type = tree_.children(params[i])[1];
    if (type.first == function.inputs[i]) continue;
    return wrong("E-TYPES", type.range,
                 fmt::format("argument {} is {} here and {} in function_type", i + 1, tree_.types.print(type.first),
                             tree_.types.print(function.inputs[i])),
                 tree_.types.print(function.inputs[i]));
  }
  return true;
}

// %x = %y for each argument and the operand that it begins with.
std::vector<Item> GenericForm::carried(std::span<const Item> params, std::size_t first_operand) {
  std::vector<Item> pairs;
  for (std::size_t i = 0; i < params.size(); ++i) {
    const Item parts[] = {tree_.children(params[i]).front(), operands_.uses[first_operand + i]};
    Item& pair = pairs.emplace_back(parent(ItemKind::Named, parts, parts[0].range));
    pair.name_end = pair.range.begin;
  }
  return pairs;
}

// "scf.for"(%a, %b, %c, %y) ({^bb0(%i: index, %x: T): ...}) : (index, index, index, T) -> T
bool GenericForm::for_loop(std::vector<Item>& out) {
  constexpr std::size_t kBounds = 3;
  const std::size_t operands = operands_.uses.size();
  if (operands < kBounds)
    return wrong("E-OPERANDS", operands_end(),
                 fmt::format("{} has {} operand{}, needs at least {}", name(), operands, plural_s(operands), kBounds),
                 "lower bound, upper bound, step, and what is carried");
  const std::size_t inits = operands - kBounds;
  if (!has_regions(1, 1) || !has_arguments(regions_.front(), 1 + inits, "the counter, and what is carried") ||
      !has_results(inits, "as many as are carried"))
    return false;
  const std::vector<Item> args = arguments_of(regions_.front());
  const Item counter = tree_.children(args.front())[1];
  for (std::size_t i = 0; i < operands; ++i) {
    const Item wanted = i < kBounds ? counter : tree_.children(args[i - kBounds + 1])[1];
    if (operands_.types[i].first == wanted.first) continue;
    return wrong("E-TYPES", operands_.types[i].range,
                 fmt::format("operand {} is {}, its block argument {}", i + 1,
                             tree_.types.print(operands_.types[i].first), tree_.types.print(wanted.first)),
                 tree_.types.print(wanted.first));
  }
  if (const Item* given = attribute("unsignedCmp"))
    out.push_back(implied(ItemKind::Word, "unsigned", {}, given->range));
  out.push_back(tree_.children(args.front()).front());
  out.insert(out.end(), operands_.uses.begin(), operands_.uses.begin() + kBounds);
  if (inits != 0) {
    const std::vector<Item> pairs = carried(std::span<const Item>(args).subspan(1), kBounds);
    out.push_back(implied(ItemKind::Group, "iter_args", pairs, {args[1].range.begin, args.back().range.end}));
    out.push_back(row_of_types(ItemKind::Arrow, results_));
  }
  out.push_back(row_of_types(ItemKind::Types, {&counter, 1}));
  out.push_back(regions_.front());
  out.insert(out.end(), dicts_.begin(), dicts_.end());
  return true;
}

// "scf.if"(%c) ({...}, {...}) : (i1) -> T
bool GenericForm::branch(std::vector<Item>& out) {
  const std::size_t operands = operands_.uses.size();
  if (operands != 1)
    return wrong("E-OPERANDS", operands_end(),
                 fmt::format("{} has {} operand{}, needs 1", name(), operands, plural_s(operands)), "the condition");
  if (!has_regions(1, 2)) return false;
  out.push_back(operands_.uses.front());
  if (!results_.empty()) out.push_back(row_of_types(ItemKind::Arrow, results_));
  out.push_back(regions_.front());
  // An empty region is no other way.
  if (regions_.size() == 2 && regions_.back().first != kNoId) out.push_back(regions_.back());
  out.insert(out.end(), dicts_.begin(), dicts_.end());
  return true;
}

// "scf.while"(%x) ({^bb0(%a: T): ... "scf.condition"...}, {^bb0(%b: U): ... "scf.yield"...}) : (T) -> U
bool GenericForm::while_loop(std::vector<Item>& out) {
  if (!has_regions(2, 2) || !has_arguments(regions_[0], operands_.uses.size(), "what is carried") ||
      !has_arguments(regions_[1], results_.size(), "what the condition hands on"))
    return false;
  const std::vector<Item> args = arguments_of(regions_.front());
  if (!args.empty()) out.push_back(group(carried(args, 0)));
  if (!operands_.types.empty()) out.push_back(row_of_types(ItemKind::Types, operands_.types));
  if (!results_.empty()) out.push_back(row_of_types(ItemKind::Arrow, results_));
  out.insert(out.end(), regions_.begin(), regions_.end());
  out.insert(out.end(), dicts_.begin(), dicts_.end());
  return true;
}

}  // namespace ts::text
