// Which operands an instruction was given before: a loop comes back to the same ones, and one copy of them serves all of its
// turns.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/catalogue/row.h"

namespace ts {

class KnownBounds {
 public:
  // The number of an earlier one that says the same, of the instruction at this place of the program.
  std::optional<std::uint32_t> find(const std::deque<Bound>& bounds, std::size_t place, const Bound& bound) const;
  // The last of them is one more.
  void add(const std::deque<Bound>& bounds, std::size_t place);
  std::size_t held_bytes() const { return table_.capacity() * sizeof(Entry); }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t place = 0, number = 0;  // the bound's, from one on; 0: the entry is free
  };
  void grow();
  void put(const Entry& entry);

  std::vector<Entry> table_;  // a power of two, at most half of it full
  std::size_t used_ = 0;
};

}  // namespace ts
