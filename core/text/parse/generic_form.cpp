// Operands, attributes and types of the generic form. Operations with regions: generic_regions.cpp.
#include "core/text/parse/generic_form.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/count.h"
#include "core/text/ops/signature.h"

namespace ts::text {
GenericForm::GenericForm(Tree& tree, Mistakes& mistakes, const Op& op, std::span<const Item> written)
    : tree_(tree), mistakes_(mistakes), op_(op) {
  take(written);
}

// Sorts what is written into operands, regions, attributes and types.
void GenericForm::take(std::span<const Item> written) {
  bool has_operands = false;
  const auto add_types = [&](const Item& list, std::vector<Item>& to) {
    for (const Item& child : tree_.children(list))
      if (child.kind == ItemKind::Type) to.push_back(child);
  };
  for (const Item& item : written) {
    switch (item.kind) {
      case ItemKind::Group:
        for (const Item& child : tree_.children(item))
          (child.kind == ItemKind::Region ? regions_ : has_operands ? successors_ : operands_.uses).push_back(child);
        has_operands = true;
        break;
      case ItemKind::Region: regions_.push_back(item); break;
      case ItemKind::Dict:
        dicts_.push_back(item);
        for (const Item& entry : tree_.children(item)) attributes_.push_back(entry);
        break;
      case ItemKind::Types:
        has_types_ = true;
        add_types(item, operands_.types);
        break;
      case ItemKind::Arrow:
        has_arrow_ = true;
        add_types(item, results_);
        break;
      default: successors_.push_back(item); break;
    }
  }
}

bool GenericForm::read(Op& op, std::vector<Item>& meaning) {
  if (!counts_fit() || !check_segments()) return false;
  switch (kind_of(op.code)) {
    case OpKind::Module: return module(meaning);
    case OpKind::Function: return function(meaning);
    case OpKind::For: return for_loop(meaning);
    case OpKind::If: return branch(meaning);
    case OpKind::While: return while_loop(meaning);
    case OpKind::Constant: return constant(meaning);
    case OpKind::VectorSection:
    case OpKind::CubeSection:
    case OpKind::VecScope:
      if (!has_regions(1, 1)) return false;
      as_written(meaning);
      return true;
    default: break;
  }
  const bool of_view =
      kind_of(op.code) == OpKind::Subview && !operands_.types.empty() && is_view(operands_.types.front());
  const GenericShape* shape = generic_shape(of_view ? find_op("pto.partition_view") : op.code);
  if (shape != nullptr) return by_shape(*shape, op, meaning);
  const bool of_tiles = op.code != kUnknownOp && op_row(op.code).group <= OpGroup::TileCube;
  op.in_place = of_tiles;
  if (of_tiles && results_.empty()) by_tiles(meaning);
  else as_written(meaning);
  return true;
}

// --- what holds for all ----------------------------------------------------------------------------------------------

bool GenericForm::wrong(const char* rule, SourceRange where, std::string text, std::string expected, std::string hint) {
  return mistakes_.error(rule, where,
                         {.text = std::move(text), .expected = std::move(expected), .hint = std::move(hint)});
}

SourceRange GenericForm::operands_end() const {
  const std::uint32_t end = operands_.uses.empty() ? op_.name.end + 1 : operands_.uses.back().range.end;
  return {end, end};
}

// One type an operand, one a result.
bool GenericForm::counts_fit() {
  const std::uint32_t end = op_.range.end;
  if (!has_types_ || !has_arrow_)
    return wrong("E-TYPES", {end, end}, fmt::format("the types of \"{}\" are missing", name()), ": (T, T) -> T",
                 "the generic form ends with the types of its operands and of its results");
  const std::size_t operands = operands_.uses.size(), types = operands_.types.size();
  if (operands != types)
    return wrong("E-TYPES", types == 0 ? operands_end() : operands_.types.back().range,
                 fmt::format("{} type{} for {} operand{}", types, plural_s(types), operands, plural_s(operands)),
                 fmt::format("{} type{} separated by ','", operands, plural_s(operands)));
  std::size_t results = 0;
  for (const Item& result : tree_.results(op_)) results += result.pack_size();
  if (results == 0 || results == results_.size()) return true;
  return wrong("E-TYPES", results_.empty() ? SourceRange{end, end} : results_.front().range,
               fmt::format("op has {} result{}, {} type{} given", results, plural_s(results), results_.size(),
                           plural_s(results_.size())));
}

const Item* GenericForm::attribute(std::string_view name) const {
  const auto found = std::ranges::find_if(attributes_, [&](const Item& entry) { return tree_.name_of(entry) == name; });
  return found == attributes_.end() ? nullptr : &*found;
}

bool GenericForm::wrong_attribute(const Item* given, std::string_view attribute, std::string_view wanted) {
  if (given == nullptr)
    return wrong("E-ATTRIBUTE", op_.name, fmt::format("{} needs the attribute {}", name(), attribute),
                 fmt::format("<{{{} = ...}}>", attribute), fmt::format("{} is {}", attribute, wanted));
  const auto value = tree_.children(*given);
  return wrong("E-ATTRIBUTE", given->range,
               fmt::format("{} is {}, needs {}", attribute,
                           value.empty() ? "without a value" : tree_.text(value.front()), wanted),
               std::string(wanted));
}

// Of [8, 16 : i64], array<i64: 8, 16> and dense<[8, 16]> : vector<2xi64>. Nothing: it is something else.
std::optional<std::vector<Item>> GenericForm::numbers_of(const Item& value) const {
  std::vector<Item> found;
  if (value.kind == ItemKind::List) {
    for (const Item& child : tree_.children(value)) {
      if (child.kind == ItemKind::Int) found.push_back(child);
      else if (child.kind != ItemKind::Type) return {};
    }
    return found;
  }
  const std::string_view text = tree_.text(value);
  const bool array = text.starts_with("array<"), dense = text.starts_with("dense<");
  if (value.kind != ItemKind::Attr || (!array && !dense)) return {};
  const std::size_t end = std::min(text.find('>'), text.size());
  for (std::size_t at = std::min(text.find(array ? ':' : '<'), end); at < end; ++at) {
    const std::size_t begin = at;
    if (text[at] == '-') ++at;
    while (at < end && text[at] >= '0' && text[at] <= '9') ++at;
    if (at == begin) continue;
    const auto offset = [&](std::size_t place) { return value.range.begin + static_cast<std::uint32_t>(place); };
    found.push_back({.kind = ItemKind::Int, .range = {offset(begin), offset(at)}});
  }
  return found;
}

bool GenericForm::check_segments() {
  const Item* segments = attribute(kGenericSegments);
  if (segments == nullptr) return true;
  const auto value = tree_.children(*segments);
  const auto given = value.empty() ? std::nullopt : numbers_of(value.front());
  if (!given) return wrong_attribute(segments, kGenericSegments, "array<i32: 1, 0>, a number for each place");
  constexpr std::uint64_t kMost = 1 << 20;
  std::uint64_t sum = 0;
  for (const Item& number : *given) {
    std::uint64_t size = 0;
    if (!parse_count(tree_.text(number), size)) size = kMost;
    sum += std::min(size, kMost);
  }
  const std::size_t operands = operands_.uses.size();
  if (sum == operands) return true;
  return wrong(
      "V60-05", segments->range,
      fmt::format("{} sums to {}, the op has {} operand{}", kGenericSegments, sum, operands, plural_s(operands)),
      fmt::format("numbers that sum to {}", operands), "each number says how many operands of its place there are");
}

// --- new items -------------------------------------------------------------------------------------------------------

Item GenericForm::parent(ItemKind kind, std::span<const Item> children, SourceRange range) {
  Item item{.kind = kind, .range = range};
  item.first = static_cast<std::uint32_t>(tree_.items.size());
  item.count = static_cast<std::uint32_t>(children.size());
  tree_.items.insert(tree_.items.end(), children.begin(), children.end());
  return item;
}

Item GenericForm::implied(ItemKind kind, std::string_view word, std::span<const Item> children, SourceRange range) {
  Item item = parent(kind, children, range);
  item.style = ItemStyle::Implied;
  (kind == ItemKind::Word ? item.first : item.name_end) = find_implied_word(word);
  return item;
}

Item GenericForm::group(std::span<const Item> children) {
  const SourceRange range =
      children.empty() ? op_.name : SourceRange{children.front().range.begin, children.back().range.end};
  Item item = parent(ItemKind::Group, children, range);
  item.name_end = range.begin;
  return item;
}

Item GenericForm::row_of_types(ItemKind kind, std::span<const Item> types) {
  Item item = parent(kind, types, {types.front().range.begin, types.back().range.end});
  item.style = ItemStyle::Parentheses;
  return item;
}

// What follows the operands.
void GenericForm::end(std::vector<Item>& out, GenericTypes types) {
  out.insert(out.end(), dicts_.begin(), dicts_.end());
  out.insert(out.end(), successors_.begin(), successors_.end());
  out.insert(out.end(), regions_.begin(), regions_.end());
  std::vector<Item> row;
  if (types != GenericTypes::Results) row = operands_.types;
  if (types != GenericTypes::Operands) row.insert(row.end(), results_.begin(), results_.end());
  if (!row.empty()) out.push_back(row_of_types(ItemKind::Types, row));
  if (types == GenericTypes::Operands && !results_.empty()) out.push_back(row_of_types(ItemKind::Arrow, results_));
}

void GenericForm::as_written(std::vector<Item>& out) {
  out.insert(out.end(), operands_.uses.begin(), operands_.uses.end());
  end(out, GenericTypes::Operands);
}

// --- numbers ---------------------------------------------------------------------------------------------------------

// "arith.constant"() <{value = 5 : i32}> : () -> i32
bool GenericForm::constant(std::vector<Item>& out) {
  const Item* given = attribute("value");
  if (given == nullptr || given->count == 0) return wrong_attribute(given, "value", "a number");
  const auto parts = tree_.children(*given);
  if (parts.size() > 1 && results_.size() == 1 && parts[1].first != results_.front().first)
    return wrong("E-TYPE", parts[1].range,
                 fmt::format("the value is {}, the result {}", tree_.types.print(parts[1].first),
                             tree_.types.print(results_.front().first)),
                 tree_.types.print(results_.front().first));
  out.push_back(parts[0]);
  end(out, GenericTypes::Results);
  return true;
}

// Of arithmetic on two operands, or of a choice between two, all types agree but those that are i1.
bool GenericForm::same_number_types() {
  const std::size_t operands = operands_.types.size(), first = operands == 3 ? 1 : 0;
  if (operands < 2 || operands > 3 || results_.empty()) return true;
  const bool compares = kind_of(op_.code) == OpKind::Compare;
  const auto print = [&](const Item& type) { return tree_.types.print(type.first); };
  const auto is_i1 = [&](const Item& item) {
    const Type& type = tree_.types[item.first];
    return type.kind == TypeKind::Scalar && type.scalar == ScalarKind::I1;
  };
  const Item& one = operands_.types[first];
  const Item& other = operands_.types[first + 1];
  const Item& result = results_.front();
  if (one.first != other.first)
    return wrong(
        "E-TYPE", other.range,
        fmt::format("operand {} of {} is {}, operand {} is {}", first + 2, name(), print(other), first + 1, print(one)),
        print(one));
  if (compares ? is_i1(result) : result.first == one.first) return true;
  return wrong("E-TYPE", result.range,
               fmt::format("the result of {} is {}, its operands {}", name(), print(result), print(one)),
               compares ? "i1" : print(one));
}

}  // namespace ts::text
