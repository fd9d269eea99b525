// One reader for the synchronous form, both assembly levels, and destination first.
#include "core/program/statement.h"

#include <algorithm>

namespace ts {
namespace {

using text::Item;
using text::ItemKind;
using text::SourceRange;
using text::TypeId;

// A symbol says what is called, it is no value that comes in.
bool is_input(ItemKind kind) { return text::is_operand(kind) && kind != ItemKind::Symbol; }

class Reader {
 public:
  Reader(const text::Tree& tree, const text::Op& op, const FormShape& shape, TypeMismatch& mismatch)
      : tree_(tree), shape_(shape), mismatch_(mismatch) {
    statement_.tree = &tree;
    statement_.op = &op;
    statement_.mnemonic = tree.name_of(op);
    if (statement_.mnemonic.starts_with("pto.")) statement_.mnemonic.remove_prefix(4);
    statement_.operands_end = {op.name.end, op.name.end};
  }

  Statement read() {
    const auto items = tree_.meaning(*statement_.op);
    const auto is_group = [&](const Item& item, std::string_view name) {
      return item.kind == ItemKind::Group && tree_.name_of(item) == name;
    };
    const bool dps =
        std::ranges::any_of(items, [&](const Item& item) { return is_group(item, "ins") || is_group(item, "outs"); });
    if (dps) {
      statement_.destinations = true;
      for (const Item& item : items) {
        if (is_group(item, "ins")) read_group(item, statement_.ins);
        if (is_group(item, "outs")) read_group(item, statement_.outs);
        if (item.kind == ItemKind::Dict) read_dict(item);
        if (item.kind == ItemKind::Named) add_attribute(item);
      }
    } else {
      read_row(items);
    }
    return std::move(statement_);
  }

 private:
  // ins(%a, %b {x = 1} : T, T), also with a type list behind each operand.
  void read_group(const Item& group, std::vector<StatementOperand>& out) {
    std::size_t typed = 0;
    for (const Item& item : tree_.children(group)) {
      if (is_input(item.kind)) {
        out.push_back({&item, kNoType, item.range});
        statement_.operands_end = {item.range.end, item.range.end};
      }
      if (item.kind == ItemKind::Dict) read_dict(item);
      if (item.kind != ItemKind::Types) continue;
      deal(item, out, typed);
      typed = out.size();
    }
    if (typed < out.size()) told({0, out.size() - typed, {group.range.end - 1, group.range.end}});
  }

  // %a, %b {x = 1} : (T, T) -> T, and the short types of the synchronous form.
  void read_row(std::span<const Item> items) {
    for (const Item& result : tree_.results(*statement_.op))
      statement_.outs.push_back({&result, kNoType, result.range});
    const Item *types = nullptr, *arrow = nullptr;
    for (const Item& item : items) {
      if (is_input(item.kind)) {
        statement_.ins.push_back({&item, kNoType, item.range});
        statement_.operands_end = {item.range.end, item.range.end};
      }
      if (item.kind == ItemKind::Dict) read_dict(item);
      if (item.kind == ItemKind::Named) add_attribute(item);
      if (item.kind == ItemKind::Types) types = &item;
      if (item.kind == ItemKind::Arrow) arrow = &item;
    }
    if (statement_.op->form == text::OpForm::Destination) take_destinations();
    if (statement_.op->form == text::OpForm::Bare || statement_.op->form == text::OpForm::Destination)
      return short_types(types, arrow);
    if (types != nullptr) deal(*types, statement_.ins, 0);
    if (types == nullptr && !statement_.ins.empty()) told({0, statement_.ins.size(), statement_.operands_end});
    if (arrow != nullptr) deal(*arrow, statement_.outs, 0);
    if (arrow == nullptr && !statement_.outs.empty())
      told({0, statement_.outs.size(), {statement_.op->range.end, statement_.op->range.end}});
  }

  void take_destinations() {
    statement_.destinations = true;
    const std::size_t count = std::min(shape_.results, statement_.ins.size());
    const auto end = statement_.ins.begin() + static_cast<std::ptrdiff_t>(count);
    statement_.outs.assign(statement_.ins.begin(), end);
    statement_.ins.erase(statement_.ins.begin(), end);
  }

  // `: T` for all tiles; `: T -> T` for inputs and results; `: S, T` for scalars and tiles; or one for each.
  void short_types(const Item* types, const Item* arrow) {
    std::vector<const Item*> given;
    if (types != nullptr)
      for (const Item& item : tree_.children(*types))
        if (item.kind == ItemKind::Type) given.push_back(&item);
    if (given.empty()) return told({0, statement_.ins.size() + statement_.outs.size(), statement_.operands_end});
    if (given.size() == statement_.ins.size() && given.size() > 1 && arrow != nullptr) {
      deal(*types, statement_.ins, 0);
      return deal(*arrow, statement_.outs, 0);
    }
    const Item *scalar = nullptr, *tile = nullptr;
    for (const Item* item : given) (tree_.types[item->first].kind == text::TypeKind::Scalar ? scalar : tile) = item;
    if (tile == nullptr && arrow == nullptr)
      return told({given.size(), statement_.ins.size() + statement_.outs.size(), types->range});
    for (std::size_t i = 0; i < statement_.ins.size(); ++i) {
      const bool is_scalar = i < shape_.scalar_in.size() && shape_.scalar_in[i];
      if (is_scalar && scalar == nullptr) continue;  // the element type of the tiles; whoever reads this knows which
      const Item* type = is_scalar || tile == nullptr ? scalar : tile;
      statement_.ins[i].type = type->first;
      statement_.ins[i].type_range = type->range;
    }
    if (arrow != nullptr) return deal(*arrow, statement_.outs, 0, true);
    for (StatementOperand& result : statement_.outs) {
      result.type = tile->first;
      result.type_range = tile->range;
    }
  }

  // Types to operands from `first` on, one each; where `spread`, a single type serves them all.
  void deal(const Item& list, std::vector<StatementOperand>& operands, std::size_t first, bool spread = false) {
    std::vector<const Item*> given;
    for (const Item& item : tree_.children(list))
      if (item.kind == ItemKind::Type) given.push_back(&item);
    const std::size_t wanted = operands.size() - std::min(first, operands.size());
    if (spread && given.size() == 1) given.resize(wanted, given.front());
    for (std::size_t i = 0; i < std::min(wanted, given.size()); ++i) {
      operands[first + i].type = given[i]->first;
      operands[first + i].type_range = given[i]->range;
    }
    if (given.size() == wanted) return;
    const bool result_list = list.kind == ItemKind::Arrow && !given.empty();
    told({given.size(), wanted, result_list ? given.front()->range : SourceRange{list.range.end, list.range.end + 1}});
  }

  void read_dict(const Item& dict) {
    for (const Item& entry : tree_.children(dict)) add_attribute(entry);
  }

  void add_attribute(const Item& entry) {
    const auto values = tree_.children(entry);
    std::string_view name = tree_.name_of(entry);
    if (name.size() >= 2 && name.front() == '"') name = name.substr(1, name.size() - 2);
    statement_.attributes.push_back({name, &entry, values.empty() ? nullptr : &values.front()});
  }

  void told(const TypeMismatch& mismatch) {
    if (!mismatch_) mismatch_ = mismatch;
  }

  const text::Tree& tree_;
  const FormShape& shape_;
  TypeMismatch& mismatch_;
  Statement statement_;
};

}  // namespace

const StatementAttribute* Statement::attribute(std::string_view name) const {
  const auto it = std::ranges::find(attributes, name, &StatementAttribute::name);
  return it == attributes.end() ? nullptr : &*it;
}

Statement read_statement(const text::Tree& tree, const text::Op& op, const FormShape& shape, TypeMismatch& mismatch) {
  return Reader(tree, op, shape, mismatch).read();
}

void tile_goes_out(const InstructionRow& row, Statement& statement) {
  if (row.effect != Effect::BindsAddress || !statement.outs.empty() || statement.ins.size() != 2) return;
  statement.outs.push_back(statement.ins.front());
  statement.ins.erase(statement.ins.begin());
  statement.destinations = true;
}

std::string_view word_of(const text::Tree& tree, const text::Item& item) {
  std::string_view text = tree.text(item);
  if (item.kind == text::ItemKind::Enum) return word_of(tree, tree.children(item).back());
  if (item.kind == text::ItemKind::String && text.size() >= 2) return text.substr(1, text.size() - 2);
  return text;
}

}  // namespace ts
