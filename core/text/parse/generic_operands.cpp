// The operands of the generic form, which stand in one row, to where the operation's own form has them.
#include <fmt/format.h>

#include <algorithm>

#include "core/text/count.h"
#include "core/text/parse/generic_form.h"

namespace ts::text {
namespace {

// Properties of many operations that mean nothing to a result.
bool is_common(std::string_view name) {
  constexpr std::string_view kCommon[] = {kGenericSegments, "resultSegmentSizes", "overflowFlags", "fastmath"};
  return std::ranges::find(kCommon, name) != std::end(kCommon);
}

std::string list_of_parts(const GenericShape& shape) {
  std::string out;
  for (const GenericPart& part : shape.parts)
    if (part.is_operand())
      out += fmt::format("{}{}{}", out.empty() ? "" : ", ", part.name,
                         part.repeated   ? "..."
                         : part.optional ? "?"
                                         : "");
  return out.empty() ? "no operands" : out;
}

bool takes_one_attribute(const GenericShape& shape) {
  return std::ranges::count_if(shape.parts, [](const GenericPart& part) { return !part.is_operand(); }) == 1;
}

std::size_t count_operands(const GenericShape& shape) {
  return static_cast<std::size_t>(std::ranges::count_if(shape.parts, &GenericPart::is_operand));
}

// The numbers of arith.cmpi and arith.cmpf.
constexpr std::string_view kIntegerPredicates[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
constexpr std::string_view kFloatPredicates[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                                 "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};

std::span<const std::string_view> predicates(OpCode code) {
  const bool floats = signature(code).forms.front().operands.back().sort == OperandSort::Scalar;
  return floats ? std::span<const std::string_view>(kFloatPredicates) : kIntegerPredicates;
}

}  // namespace

// --- operations with a row -------------------------------------------------------------------------------------------

bool GenericForm::by_shape(const GenericShape& shape, Op& op, std::vector<Item>& out) {
  if (op_row(op.code).group == OpGroup::Shared && shape.types == GenericTypes::Both && !same_number_types())
    return false;
  move_value(shape);
  const auto segments = split(shape);
  if (!segments) return false;
  if (segments->fit) {
    const std::size_t before = out.size();
    if (by_parts(shape, *segments, out)) {
      if (shape.certain) warn_of_unknown(shape);
      return true;
    }
    if (shape.certain || mistakes_.statement_failed()) return false;
    out.resize(before);
  }
  // Held to its signature all the same where that counts operands as they are.
  op.in_place = std::ranges::none_of(
      shape.parts, [](const GenericPart& part) { return part.place == GenericPlace::Index || !part.is_operand(); });
  if (op_row(op.code).group > OpGroup::TileCube || !results_.empty()) return as_written(out), true;
  op.in_place = true;
  by_tiles(out);
  return true;
}

// What is stored comes first in text: the last operand, or the one behind what holds it where indices follow.
void GenericForm::move_value(const GenericShape& shape) {
  const std::size_t count = operands_.uses.size();
  if (!shape.value_moves || count < 2) return;
  const auto type = [&](std::size_t i) -> const Type& { return tree_.types[operands_.types[i].first]; };
  const TypeKind first = type(0).kind;
  const bool holds = first == TypeKind::Ptr || first == TypeKind::LocalArray || first == TypeKind::EventArray ||
                     first == TypeKind::Struct;
  if (!holds || (type(count - 1).kind == TypeKind::Ptr && first == TypeKind::Ptr)) return;
  const auto is_index = [&](std::size_t i) {
    return type(i).kind == TypeKind::Scalar && type(i).scalar == ScalarKind::Index;
  };
  value_from_ = is_index(count - 1) && !is_index(1) ? ValueFrom::Second : ValueFrom::Last;
  const std::size_t value = value_from_ == ValueFrom::Second ? 1 : count - 1;
  const auto to_front = [&](std::vector<Item>& items) {
    std::rotate(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(value),
                items.begin() + static_cast<std::ptrdiff_t>(value) + 1);
  };
  to_front(operands_.uses);
  to_front(operands_.types);
}

// How many operands each part has. Nothing: told why that is not known.
std::optional<GenericForm::Segments> GenericForm::split(const GenericShape& shape) {
  if (const Item* segments = attribute(kGenericSegments)) {
    std::vector<std::size_t> given;
    const auto sizes = numbers_of(tree_.children(*segments).front());
    for (const Item& number : *sizes) {
      std::uint64_t size = 0;
      parse_count(tree_.text(number), size);
      given.push_back(size);
    }
    if (given.size() > 1) return given_segments(shape, std::move(given));
  }
  std::size_t least = 0, single = 0, open = 0, optional = 0;
  for (const GenericPart& part : shape.parts) {
    if (!part.is_operand()) continue;
    const bool is_open = part.repeated || part.optional;
    (is_open ? open : single) += 1;
    optional += part.optional ? 1 : 0;
    const bool needs_one = part.place == GenericPlace::Index && attribute_of(part) == nullptr;
    least += !is_open || needs_one ? 1 : 0;
  }
  const std::size_t count = operands_.uses.size();
  if (count < least || (count > single && (open == 0 || (open == 1 && optional == 1 && count > single + 1))))
    return wrong_count(shape, least, single + open);
  return share(shape, count - single, open, optional);
}

std::optional<GenericForm::Segments> GenericForm::wrong_count(const GenericShape& shape, std::size_t least,
                                                              std::size_t most) {
  if (!shape.certain) return Segments{.sizes = {}, .fit = false};
  const std::size_t count = operands_.uses.size();
  const bool any = std::ranges::any_of(shape.parts, &GenericPart::repeated);
  wrong("E-OPERANDS", operands_end(),
        fmt::format("{} has {} operand{}, needs {}{}", name(), count, plural_s(count), any ? "at least " : "",
                    count < least ? least : most),
        list_of_parts(shape));
  return {};
}

// `rest` operands among the `open` parts that may have none or many, where the text does not say how.
std::optional<GenericForm::Segments> GenericForm::share(const GenericShape& shape, std::size_t rest, std::size_t open,
                                                        std::size_t optional) {
  // A window has two offsets before its valid sizes. Lists of a view have one length. Where all places can be taken, they are.
  const bool window = open == 2 && shape.parts[1].place == GenericPlace::Index;
  const bool lists = optional == 0 && open > 1 && rest % open == 0, all_taken = rest == open;
  if (rest != 0 && open > 1 && !window && !lists && !all_taken) {
    if (!shape.certain) return Segments{.sizes = {}, .fit = false};
    wrong("V60-05", op_.name, fmt::format("{} is missing", kGenericSegments),
          fmt::format("<{{{} = array<i32: ...>}}>", kGenericSegments),
          fmt::format("{} has the places {}, and some may be empty", name(), list_of_parts(shape)));
    return {};
  }
  Segments segments;
  for (const GenericPart& part : shape.parts) {
    if (!part.is_operand()) continue;
    std::size_t& size = segments.sizes.emplace_back(1);
    if (!part.repeated && !part.optional) continue;
    size = open > 1 && window ? std::min<std::size_t>(rest, 2) : rest / open;
    rest -= size;
    --open;
  }
  return segments;
}

// `operandSegmentSizes` against the parts.
std::optional<GenericForm::Segments> GenericForm::given_segments(const GenericShape& shape,
                                                                 std::vector<std::size_t> given) {
  const std::size_t parts = count_operands(shape);
  const Item& where = *attribute(kGenericSegments);
  if (value_from_ == ValueFrom::Last) std::rotate(given.begin(), given.end() - 1, given.end());
  if (value_from_ == ValueFrom::Second) std::swap(given[0], given[1]);
  // The two valid sizes of a window may be two places.
  if (given.size() == parts + 1 && shape.parts.back().place == GenericPlace::List) {
    const std::size_t last = given.back();
    given.pop_back();
    given.back() += last;
  }
  Segments segments{.sizes = std::move(given)};
  const auto misfit = [&](std::string text, std::string expected) -> std::optional<Segments> {
    segments.fit = false;
    if (!shape.certain) return segments;
    wrong("V60-05", where.range, std::move(text), std::move(expected));
    return {};
  };
  if (segments.sizes.size() != parts) {
    // Each has one, or only those that must be there have, so that there is no doubt.
    const auto needed = static_cast<std::size_t>(std::ranges::count_if(
        shape.parts, [](const GenericPart& part) { return part.is_operand() && !part.optional && !part.repeated; }));
    const bool all = operands_.uses.size() == parts;
    if (all || operands_.uses.size() == needed) {
      segments.sizes.clear();
      for (const GenericPart& part : shape.parts)
        if (part.is_operand()) segments.sizes.push_back(all || (!part.optional && !part.repeated) ? 1 : 0);
      return segments;
    }
    return misfit(fmt::format("{} has {} numbers, {} has {} place{}", kGenericSegments, segments.sizes.size(), name(),
                              parts, plural_s(parts)),
                  list_of_parts(shape));
  }
  std::size_t next = 0;
  for (const GenericPart& part : shape.parts) {
    if (!part.is_operand()) continue;
    const std::size_t size = segments.sizes[next++];
    if (part.repeated || size == 1 || (part.optional && size == 0)) continue;
    return misfit(fmt::format("{} gives {} {} operand{}", kGenericSegments, part.name, size, plural_s(size)),
                  part.optional ? fmt::format("0 or 1 for {}", part.name) : fmt::format("1 for {}", part.name));
  }
  return segments;
}

bool GenericForm::by_parts(const GenericShape& shape, const Segments& segments, std::vector<Item>& out) {
  Row row;
  std::size_t next = 0, at = 0;
  for (const GenericPart& part : shape.parts) {
    if (!part.is_operand()) {
      if (!add_attribute(part, row.values)) return false;
      continue;
    }
    const std::size_t size = segments.sizes[next++];
    const Operands some{{operands_.uses.begin() + static_cast<std::ptrdiff_t>(at),
                         operands_.uses.begin() + static_cast<std::ptrdiff_t>(at + size)},
                        {operands_.types.begin() + static_cast<std::ptrdiff_t>(at),
                         operands_.types.begin() + static_cast<std::ptrdiff_t>(at + size)}};
    at += size;
    if (!add_operands(shape, part, some, row)) return false;
  }
  if (shape.as_ins) in_clauses(row, out);
  else if (shape.in_parentheses) in_parentheses(row, out);
  else out.insert(out.end(), row.values.begin(), row.values.end());
  end(out, shape.as_ins ? GenericTypes::Results : shape.types);
  return true;
}

// The operands of one part, as the operation's own form has them.
bool GenericForm::add_operands(const GenericShape& shape, const GenericPart& part, const Operands& some, Row& row) {
  const SourceRange range =
      some.uses.empty() ? op_.name : SourceRange{some.uses.front().range.begin, some.uses.back().range.end};
  switch (part.place) {
    case GenericPlace::Out:
      row.outs.uses.insert(row.outs.uses.end(), some.uses.begin(), some.uses.end());
      row.outs.types.insert(row.outs.types.end(), some.types.begin(), some.types.end());
      return true;
    case GenericPlace::Clause:
      if (!some.uses.empty()) row.values.push_back(implied(ItemKind::Named, part.name, some.uses, range));
      return true;
    case GenericPlace::List: {
      // A window may leave its valid sizes to its type.
      if (some.uses.empty() && kind_of(op_.code) == OpKind::Subview) return true;
      const Item list = parent(ItemKind::List, some.uses, range);
      row.values.push_back(implied(ItemKind::Named, part.name, {&list, 1}, range));
      return true;
    }
    case GenericPlace::Index: return add_index(shape, part, some, row);
    case GenericPlace::Group:
      if (some.uses.empty()) return true;
      row.values.push_back(implied(ItemKind::Group, part.name, some.uses, range));
      row.types.insert(row.types.end(), some.types.begin(), some.types.end());
      return true;
    default:
      row.values.insert(row.values.end(), some.uses.begin(), some.uses.end());
      row.types.insert(row.types.end(), some.types.begin(), some.types.end());
      return true;
  }
}

// %p[%i, %j]; a number may be an attribute.
bool GenericForm::add_index(const GenericShape& shape, const GenericPart& part, const Operands& some, Row& row) {
  if (row.values.empty()) return false;
  std::vector<Item> parts{row.values.back()};
  parts.insert(parts.end(), some.uses.begin(), some.uses.end());
  const Item* number = some.uses.empty() ? attribute_of(part) : nullptr;
  if (number != nullptr && number->count != 0) parts.push_back(tree_.children(*number).front());
  if (parts.size() < 2)
    return wrong("E-OPERANDS", operands_end(), fmt::format("{} has no {}", name(), part.name), list_of_parts(shape));
  row.values.back() = parent(ItemKind::Element, parts, {parts.front().range.begin, parts.back().range.end});
  return true;
}

Item GenericForm::operand_group(const char* word, const Operands& operands) {
  std::vector<Item> items = operands.uses;
  const SourceRange range{items.front().range.begin, items.back().range.end};
  if (!operands.types.empty()) items.push_back(row_of_types(ItemKind::Types, operands.types));
  return *word == '\0' ? group(items) : implied(ItemKind::Group, word, items, range);
}

// ins(%a : T) outs(%b : T) x = %v
void GenericForm::in_clauses(const Row& row, std::vector<Item>& out) {
  Operands ins{{}, row.types};
  std::vector<Item> clauses;
  for (const Item& item : row.values) (item.kind == ItemKind::Named ? clauses : ins.uses).push_back(item);
  if (!ins.uses.empty()) out.push_back(operand_group("ins", ins));
  if (!row.outs.uses.empty()) out.push_back(operand_group("outs", row.outs));
  out.insert(out.end(), clauses.begin(), clauses.end());
}

// (%a, %b : T, T), or of a call @f(%a, %b)
void GenericForm::in_parentheses(const Row& row, std::vector<Item>& out) {
  Operands inside{{}, row.types};
  for (const Item& item : row.values) {
    if (item.kind == ItemKind::Symbol) {
      out.push_back(item);
      inside.types.clear();
    } else {
      inside.uses.push_back(item);
    }
  }
  if (!inside.uses.empty()) out.push_back(operand_group("", inside));
}

bool GenericForm::add_attribute(const GenericPart& part, std::vector<Item>& out) {
  if (part.place == GenericPlace::Hint) return true;
  return part.place == GenericPlace::Numbers ? numbers(part, out) : attribute_value(part, out);
}

// Names differ from version to version: the only attribute of an operation that takes one can be no other.
const Item* GenericForm::only_attribute() const {
  const Item* only = nullptr;
  for (const Item& entry : attributes_) {
    if (is_common(tree_.name_of(entry))) continue;
    if (only != nullptr) return nullptr;
    only = &entry;
  }
  return only;
}

const Item* GenericForm::attribute_of(const GenericPart& part) const {
  if (const Item* given = attribute(part.name)) return given;
  if (!part.is_operand()) return takes_one_attribute(*generic_shape(op_.code)) ? only_attribute() : nullptr;
  const Item* only = only_attribute();
  const bool number = only != nullptr && only->count != 0 && tree_.children(*only).front().kind == ItemKind::Int;
  return number ? only : nullptr;
}

bool GenericForm::numbers(const GenericPart& part, std::vector<Item>& out) {
  const Item* given = attribute_of(part);
  const auto found = given == nullptr || given->count == 0 ? std::nullopt : numbers_of(tree_.children(*given).front());
  if (!found) return wrong_attribute(given, part.name, "array<i64: ...>, a list of numbers");
  const Item list = parent(ItemKind::List, *found, tree_.children(*given).front().range);
  out.push_back(implied(ItemKind::Named, part.name, {&list, 1}, list.range));
  return true;
}

bool GenericForm::attribute_value(const GenericPart& part, std::vector<Item>& out) {
  const Item* given = attribute_of(part);
  if (given == nullptr && part.optional) return true;
  const bool compares = kind_of(op_.code) == OpKind::Compare, calls = kind_of(op_.code) == OpKind::Call;
  if (given == nullptr && !compares && !generic_shape(op_.code)->certain) return false;
  if (given == nullptr || given->count == 0)
    return wrong_attribute(given, part.name,
                           calls      ? "the name of a function, @name"
                           : compares ? "a number"
                                      : "a word, such as #pto.pipe<PIPE_V>");
  const Item value = tree_.children(*given).front();
  if (calls && value.kind != ItemKind::Symbol)
    return wrong_attribute(given, part.name, "the name of a function, @name");
  if (!compares || value.kind != ItemKind::Int) return out.push_back(value), true;
  const auto words = predicates(op_.code);
  std::uint64_t number = 0;
  if (!parse_count(tree_.text(value), number) || number >= words.size())
    return wrong_attribute(given, part.name, fmt::format("0 to {}", words.size() - 1));
  out.push_back(implied(ItemKind::Word, words[number], {}, value.range));
  return true;
}

void GenericForm::warn_of_unknown(const GenericShape& shape) {
  // The only one may be what was meant, by another name.
  const bool may_be_meant = takes_one_attribute(shape) || std::ranges::any_of(shape.parts, [](const GenericPart& part) {
                              return part.place == GenericPlace::Index;
                            });
  if (may_be_meant && only_attribute() != nullptr) return;
  for (const Item& dict : dicts_) {
    if (dict.style != ItemStyle::Properties) continue;
    for (const Item& entry : tree_.children(dict)) {
      const std::string_view given = tree_.name_of(entry);
      if (is_common(given) || std::ranges::find(shape.parts, given, &GenericPart::name) != shape.parts.end()) continue;
      mistakes_.remark("E-ATTRIBUTE", Severity::Warning, entry.range,
                       {.text = fmt::format("{} knows no property {}; it changes nothing", name(), given)});
    }
  }
}

}  // namespace ts::text
