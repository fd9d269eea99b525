// The steps of a recording that differ from another one.
#include "core/debug/compare/reference.h"

#include <algorithm>

#include "core/record/operand_place.h"

namespace ts {
namespace {

auto step_on(Side side) { return side == Side::A ? &ResultDifference::step_a : &ResultDifference::step_b; }

// The differences are by step, on both sides.
auto first_from(const Reference& reference, std::uint32_t step) {
  return std::ranges::lower_bound(reference.differences->differences, step, {}, step_on(reference.side));
}

}  // namespace

const ResultDifference* Reference::of_step(std::uint32_t step) const {
  if (differences == nullptr || next(step) != step) return nullptr;
  return &*first_from(*this, step);
}

std::optional<std::uint32_t> Reference::next(std::uint32_t step) const {
  if (differences == nullptr) return {};
  const auto found = first_from(*this, step);
  return found == differences->differences.end() ? std::nullopt : std::optional((*found).*step_on(side));
}

std::optional<std::uint32_t> Reference::last_before(std::uint32_t step) const {
  if (differences == nullptr) return {};
  const auto end = first_from(*this, step);
  return end == differences->differences.begin() ? std::nullopt : std::optional((*(end - 1)).*step_on(side));
}

Cell differing_cell(const Recording& recording, Side side, const ResultDifference& difference) {
  const int number = side == Side::A ? difference.operand_a : difference.operand_b;
  const Bound& bound = recording.bound(difference.*step_on(side));
  const auto& first = difference.comparison.first;
  return {number, first->row, first->col,
          place_of(bound.operands[static_cast<std::size_t>(number)], first->row, first->col)};
}

}  // namespace ts
