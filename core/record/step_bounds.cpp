// Binding steps, and knowing them again.
#include "core/record/step_bounds.h"

namespace ts {
namespace {

std::size_t bytes_of(const Bound& bound) { return sizeof bound + bound.operands.size() * sizeof(Operand); }

}  // namespace

void StepBounds::count_bytes() {
  bytes_ = 0;
  for (const Bound& bound : bounds_) bytes_ += bytes_of(bound);
}

std::optional<std::uint32_t> StepBounds::bind(const StepSource& source, std::size_t instruction) {
  // Of some programs the instructions come one after another.
  const std::size_t place = instruction * program_.cores_at_once() + source.core();
  if (last_.size() <= place) last_.resize(place + 1);
  Last& last = last_[place];
  const std::uint32_t environment = source.environment_version();
  if (last.environment == environment && program_.instructions[instruction].fixed) return last.number;
  last.environment = environment;
  words_.clear();
  const bool has_words = source.operand_words(instruction, words_);
  if (has_words)
    if (const auto known = known_.find(place, words_)) return last.number = *known;
  std::optional<Bound> bound = source.bind(instruction);
  if (!bound) return {};
  if (!has_words)
    if (const auto known = known_.find(bounds_, place, *bound, words_)) return last.number = *known;
  bounds_.push_back(std::move(*bound));
  last.number = count() - 1;
  known_.add(place, words_, last.number);
  bytes_ += bytes_of(bounds_.back());
  return last.number;
}

}  // namespace ts
