// Which units of a range are used, and where each of them comes to stand when those that are used move together.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ts {

class UsedUnits {
 public:
  explicit UsedUnits(std::size_t units) : words_(units / 64 + 1, 0) {}

  // More than once is once.
  void use(std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t unit = first; unit < first + count; ++unit) words_[unit / 64] |= std::uint64_t{1} << unit % 64;
  }
  // All were said.
  void settle();
  // Of one that is used.
  std::uint32_t moved(std::uint32_t unit) const {
    const std::uint64_t before = words_[unit / 64] & ((std::uint64_t{1} << unit % 64) - 1);
    return before_[unit / 64] + static_cast<std::uint32_t>(std::popcount(before));
  }
  std::uint32_t count() const { return before_.back(); }
  // f(first, count) for units that stand side by side, in their order.
  template <class F>
  void for_runs(F f) const {
    const auto is_used = [&](std::size_t unit) { return (words_[unit / 64] >> unit % 64 & 1) != 0; };
    const std::size_t end = words_.size() * 64;
    for (std::size_t unit = 0; unit < end; ++unit) {
      if (words_[unit / 64] == 0) {
        unit |= 63;
        continue;
      }
      const std::size_t first = unit;
      while (unit < end && is_used(unit)) ++unit;
      if (unit > first) f(first, unit - first);
    }
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> before_;  // by word: how many are used before it; and of all
};

inline void UsedUnits::settle() {
  before_.assign(words_.size() + 1, 0);
  for (std::size_t i = 0; i < words_.size(); ++i)
    before_[i + 1] = before_[i] + static_cast<std::uint32_t>(std::popcount(words_[i]));
}

}  // namespace ts
