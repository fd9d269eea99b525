// Which operands an instruction was given before: a loop comes back to the same ones, and one copy of them serves all of its
// turns.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "core/catalogue/row.h"

namespace ts {

bool work_on_the_same(const Bound& a, const Bound& b);

class KnownBounds {
 public:
  // The number of the one that was known by these words at this place of the program.
  std::optional<std::uint32_t> find(std::size_t place, std::span<const std::uint64_t> words) const;
  // The number of one that says the same; `words`: what it is known by from now on.
  std::optional<std::uint32_t> find(const std::deque<Bound>& bounds, std::size_t place, const Bound& bound,
                                    std::vector<std::uint64_t>& words) const;
  // It is a new one.
  void add(std::size_t place, std::span<const std::uint64_t> words, std::uint32_t number);
  std::size_t held_bytes() const {
    return table_.capacity() * sizeof(Entry) + 2 * words_.size() * sizeof(std::uint64_t);  // lists grow by doubling
  }

 private:
  struct Entry {
    std::uint64_t hash = 0, first = 0;    // of its words, which are behind how many there are
    std::uint32_t place = 0, number = 0;  // the bound's, from one on; 0: the entry is free
  };
  bool has_words(const Entry& entry, std::span<const std::uint64_t> words) const;
  void grow();
  void put(const Entry& entry);

  std::vector<Entry> table_;  // a power of two, at most half of it full
  std::vector<std::uint64_t> words_;
  std::size_t used_ = 0;
};

}  // namespace ts
