// Bits in levels, and counts of them.
#include "core/debug/session/step_set.h"

#include <algorithm>
#include <bit>

namespace ts {

StepSet::StepSet(std::uint32_t steps) : steps_(steps) {
  std::size_t words = steps / 64 + 1;
  levels_.emplace_back(words);
  while (words > 1) levels_.emplace_back(words = (words + 63) / 64);
  before_.assign(1, 0);
}

void StepSet::add(std::uint32_t step) { levels_[0][step / 64] |= std::uint64_t{1} << step % 64; }

void StepSet::finish() {
  for (std::size_t level = 1; level < levels_.size(); ++level) {
    const std::vector<std::uint64_t>& below = levels_[level - 1];
    for (std::size_t word = 0; word < below.size(); ++word)
      if (below[word] != 0) levels_[level][word / 64] |= std::uint64_t{1} << word % 64;
  }
  before_.clear();
  std::uint32_t before = 0;
  for (std::size_t word = 0; word < levels_[0].size(); ++word) {
    if (word % kWordsAGroup == 0) before_.push_back(before);
    before += static_cast<std::uint32_t>(std::popcount(levels_[0][word]));
  }
  before_.push_back(before);
}

std::uint32_t StepSet::rank(std::uint32_t step) const {
  const std::uint32_t last = std::min(step, steps_), word = last / 64;
  std::uint32_t before = before_[word / kWordsAGroup];
  for (std::uint32_t i = word / kWordsAGroup * kWordsAGroup; i < word; ++i)
    before += static_cast<std::uint32_t>(std::popcount(levels_[0][i]));
  const std::uint64_t below = (std::uint64_t{1} << last % 64) - 1;
  return before + static_cast<std::uint32_t>(std::popcount(levels_[0][word] & below));
}

// Up until a word has a bit behind the place, then down along first bits.
std::optional<std::uint32_t> StepSet::next(std::uint32_t step) const {
  std::uint64_t at = step;
  for (std::size_t level = 0; level < levels_.size(); ++level, at = at / 64 + 1) {
    const std::vector<std::uint64_t>& words = levels_[level];
    if (at / 64 >= words.size()) return {};
    const std::uint64_t rest = words[at / 64] >> at % 64;
    if (rest == 0) continue;
    at += static_cast<std::uint64_t>(std::countr_zero(rest));
    while (level-- > 0) at = at * 64 + static_cast<std::uint64_t>(std::countr_zero(levels_[level][at]));
    return static_cast<std::uint32_t>(at);
  }
  return {};
}

// The same the other way: up until a word has a bit before the place, then down along last bits.
std::optional<std::uint32_t> StepSet::previous(std::uint32_t step) const {
  std::uint64_t at = std::min(step, steps_);
  for (std::size_t level = 0; level < levels_.size(); ++level, at /= 64) {
    const std::vector<std::uint64_t>& words = levels_[level];
    const std::uint64_t below = at % 64 == 0 ? 0 : words[at / 64] & ((std::uint64_t{1} << at % 64) - 1);
    if (below == 0) continue;
    const auto last_bit = [](std::uint64_t word) { return 63 - static_cast<std::uint64_t>(std::countl_zero(word)); };
    at = at / 64 * 64 + last_bit(below);
    while (level-- > 0) at = at * 64 + last_bit(levels_[level][at]);
    return static_cast<std::uint32_t>(at);
  }
  return {};
}

std::size_t StepSet::bytes() const {
  std::size_t words = 0;
  for (const auto& level : levels_) words += level.size();
  return words * sizeof(std::uint64_t) + before_.size() * sizeof(std::uint32_t);
}

}  // namespace ts
