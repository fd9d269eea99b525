// A table without lists: an entry stands where its hash says, or in the next free place.
#include "core/record/known_bounds.h"

#include <xxhash.h>

#include <array>

namespace ts {
namespace {

// What changes from turn to turn; the rest is compared.
std::uint64_t hash_of(std::size_t place, const Bound& bound) {
  std::uint64_t hash = place;
  for (const Operand& operand : bound.operands) {
    const std::array<std::uint64_t, 4> words = {std::uint64_t{operand.tile.address} << 32 | operand.id,
                                                std::uint64_t{operand.tile.valid_rows} << 32 | operand.tile.valid_cols,
                                                std::uint64_t{operand.global.address} << 16 | operand.global.shape[4],
                                                operand.scalar.bits};
    hash = XXH3_64bits_withSeed(words.data(), sizeof words, hash);
  }
  return hash;
}

bool are_same(const Bound& a, const Bound& b) {
  return a.row == b.row && a.form == b.form && a.core == b.core && a.operands == b.operands &&
         a.attributes == b.attributes;
}

}  // namespace

std::optional<std::uint32_t> KnownBounds::find(const std::deque<Bound>& bounds, std::size_t place,
                                               const Bound& bound) const {
  if (table_.empty()) return {};
  const std::uint64_t hash = hash_of(place, bound);
  for (std::size_t at = hash & (table_.size() - 1); table_[at].number != 0; at = (at + 1) & (table_.size() - 1)) {
    const Entry& entry = table_[at];
    if (entry.hash == hash && entry.place == static_cast<std::uint32_t>(place) &&
        are_same(bounds[entry.number - 1], bound))
      return entry.number - 1;
  }
  return {};
}

void KnownBounds::add(const std::deque<Bound>& bounds, std::size_t place) {
  if (2 * (used_ + 1) > table_.size()) grow();
  put({hash_of(place, bounds.back()), static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(bounds.size())});
  ++used_;
}

void KnownBounds::put(const Entry& entry) {
  std::size_t at = entry.hash & (table_.size() - 1);
  while (table_[at].number != 0) at = (at + 1) & (table_.size() - 1);
  table_[at] = entry;
}

void KnownBounds::grow() {
  std::vector<Entry> before(table_.empty() ? 64 : 2 * table_.size());
  before.swap(table_);
  for (const Entry& entry : before)
    if (entry.number != 0) put(entry);
}

}  // namespace ts
