// A sum rises from the moment at which its first factor is read, term by term.
#include "app/stage/motion/rising_sums.h"

#include <algorithm>

#include "app/stage/parts/row_parts.h"

namespace ts::ui {
namespace {

// So many sums are kept with all their terms.
constexpr std::size_t kMostKept = 512;

const ProductTerms* terms_of(StageStep& step, const StageCell& result) {
  auto& kept = step.memory.rising;
  if (const auto found = kept.find(result); found != kept.end()) return found->second ? &*found->second : nullptr;
  if (kept.size() >= kMostKept) kept.clear();
  const auto made =
      kept.emplace(result, product_terms(step.bound, flow_of(step).flow.before(), result.row, result.col));
  return made.first->second ? &*made.first->second : nullptr;
}

}  // namespace

std::optional<std::uint32_t> terms_done(StageStep& step, const StageCell& result) {
  if (!step.move || step.bound.row->product == nullptr || step.has_landed(result)) return std::nullopt;
  const auto left = std::ranges::find_if(
      step.operands, [](const StageOperand& one) { return one.operand->spec->name == std::string_view("lhs"); });
  if (left == step.operands.end()) return std::nullopt;
  const ProductSize size = product_size(step.bound);
  if (result.row >= size.rows || result.col >= size.cols) return std::nullopt;
  const auto way = step.move->motion->way(step.move->mode, result, {left->index, result.row, 0});
  if (!way) return std::nullopt;
  const double done = way->at(step.move->progress) * size.terms;
  return std::min(static_cast<std::uint32_t>(std::max(0.0, done)), size.terms);
}

std::optional<std::uint64_t> rising_sum(StageStep& step, const StageCell& result) {
  const auto done = terms_done(step, result);
  if (!done || *done == 0) return std::nullopt;
  const ProductTerms* terms = terms_of(step, result);
  if (terms == nullptr || terms->terms.size() < *done) return std::nullopt;
  return terms->terms[*done - 1].sum;
}

}  // namespace ts::ui
