// Standing in a recording that was compared with another: its steps that differ.
#include <algorithm>

#include "core/debug/compare/compare_runs.h"
#include "core/debug/session/session.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

auto step_on(Side side) {
  return side == Side::A ? &ResultDifference::step_a : &ResultDifference::step_b;
}

}  // namespace

const ResultDifference* Session::difference_of(std::uint32_t step) const {
  if (reference_.differences == nullptr) return nullptr;
  const auto& all = reference_.differences->differences;
  const auto found = std::ranges::lower_bound(all, step, {}, step_on(reference_.side));
  return found != all.end() && (*found).*step_on(reference_.side) == step ? &*found : nullptr;
}

Cell Session::differing_cell(const ResultDifference& difference) const {
  const int number = reference_.side == Side::A ? difference.operand_a : difference.operand_b;
  const Bound& bound = recording_->bound(difference.*step_on(reference_.side));
  const auto& first = difference.comparison.first;
  return {number, first->row, first->col,
          place_of(bound.operands[static_cast<std::size_t>(number)], first->row, first->col)};
}

std::optional<Stopped> Session::to_difference(Direction direction) {
  if (reference_.differences == nullptr) return {};
  const auto& all = reference_.differences->differences;
  // The place of a difference is behind its step, where its results are.
  const std::uint32_t position = moment_.position;
  auto found = std::ranges::lower_bound(all, position, {}, step_on(reference_.side));
  if (direction == Direction::Backward) {
    // From the middle of a step, the place behind the step before it lies further back.
    const std::uint32_t here = moment_.micro > 0 || position == 0 ? position : position - 1;
    const auto end = std::ranges::lower_bound(all, here, {}, step_on(reference_.side));
    found = end == all.begin() ? all.end() : end - 1;
  }
  if (found == all.end()) return {};
  const std::uint32_t step = (*found).*step_on(reference_.side);
  arrive({step + 1, 0});
  return told({.reason = Stopped::Reason::Done, .step = step, .cell = differing_cell(*difference_of(step))});
}

}  // namespace ts
