// Which operands of a tile operation are its destinations: the generic form has them all in one row.
#include <algorithm>

#include "core/text/parse/generic_form.h"

namespace ts::text {
namespace {

bool is_of_sort(OperandSort sort, TypeKind kind) {
  switch (sort) {
    case OperandSort::Tile: return kind == TypeKind::Tile || kind == TypeKind::Elided;
    case OperandSort::Partition:
    case OperandSort::View: return kind == TypeKind::PartitionView || kind == TypeKind::TensorView;
    default: return true;
  }
}

}  // namespace

bool GenericForm::is_view(const Item& type) const {
  return is_of_sort(OperandSort::View, tree_.types[type.first].kind);
}

// Where operands may be scratch or a second result, results of one operation have one shape, which is not that of its source.
bool GenericForm::are_alike(std::size_t first) const {
  const auto tile = [&](std::size_t i) -> const Type& { return tree_.types[operands_.types[i].first]; };
  const auto same = [](const Type& a, const Type& b) {
    return a.kind == TypeKind::Tile && b.kind == TypeKind::Tile && a.tile.rows == b.tile.rows &&
           a.tile.cols == b.tile.cols && a.tile.valid_rows == b.tile.valid_rows &&
           a.tile.valid_cols == b.tile.valid_cols;
  };
  const std::size_t last = operands_.types.size() - 1;
  for (std::size_t i = first; i < last; ++i)
    if (!same(tile(i), tile(last))) return false;
  return !same(tile(0), tile(last));
}

// The destinations are the last operands, or, where these cannot be, the ones of the right kind. A vector behind them is one
// of no signature.
void GenericForm::destinations_of(const Signature& signature, std::vector<bool>& is_out) const {
  std::size_t count = operands_.types.size();
  if (count > 1 && tree_.types[operands_.types.back().first].kind == TypeKind::Vector) is_out[--count] = true;
  const auto is = [&](OperandSort sort, std::size_t i) {
    return is_of_sort(sort, tree_.types[operands_.types[i].first].kind);
  };
  const SignatureForm* chosen = nullptr;
  bool fits = false;
  for (const SignatureForm& form : signature.forms) {
    const std::size_t outs = form.most_results;
    if (form.most_operands == kUnlimited || outs == kUnlimited) continue;
    if (chosen == nullptr) chosen = &form;
    if (count < form.least_operands + form.least_results || count > form.most_operands + outs || outs > count) continue;
    bool now = true;
    for (std::size_t i = 0; i < outs; ++i) now = now && is(form.results[i].sort, count - outs + i);
    const bool better = !fits || (now && outs > chosen->most_results && are_alike(count - outs));
    if (better) chosen = &form;
    fits = fits || now;
  }
  if (chosen == nullptr) return;
  const std::size_t outs = std::min(count, chosen->most_results);
  if (outs == 1 && !is(chosen->results.front().sort, count - 1)) {
    for (std::size_t i = 0; i < count; ++i)
      if (is(chosen->results.front().sort, i)) return void(is_out[i] = true);
  }
  for (std::size_t i = count - outs; i < count; ++i) is_out[i] = true;
}

// "pto.tadd"(%a, %b, %c) : (T, T, T) -> (): ins(%a, %b : T, T) outs(%c : T)
void GenericForm::by_tiles(std::vector<Item>& out) {
  std::vector<bool> is_out(operands_.uses.size());
  destinations_of(signature(op_.code), is_out);
  for (const bool outs : {false, true}) {
    Operands some;
    for (std::size_t i = 0; i < is_out.size(); ++i) {
      if (is_out[i] != outs) continue;
      some.uses.push_back(operands_.uses[i]);
      some.types.push_back(operands_.types[i]);
    }
    if (!some.uses.empty()) out.push_back(operand_group(outs ? "outs" : "ins", some));
  }
  end(out, GenericTypes::Results);
}

}  // namespace ts::text
