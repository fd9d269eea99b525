// A table without lists: an entry stands where its hash says, or in the next free place.
#include "core/record/known_bounds.h"

#include <xxhash.h>

#include <algorithm>

namespace ts {
namespace {

std::uint64_t hash_of(std::size_t place, std::span<const std::uint64_t> words) {
  return XXH3_64bits_withSeed(words.data(), words.size_bytes(), place);
}

// What changes from turn to turn; the rest is compared.
void add_words(const Bound& bound, std::vector<std::uint64_t>& words) {
  const auto pair = [](std::uint32_t first, std::uint32_t second) { return std::uint64_t{first} << 32 | second; };
  for (const Operand& operand : bound.operands) {
    const std::uint64_t own[] = {pair(operand.tile.address, operand.id),
                                 pair(operand.tile.valid_rows, operand.tile.valid_cols),
                                 pair(operand.global.address, operand.global.shape[4]), operand.scalar.bits};
    words.insert(words.end(), std::begin(own), std::end(own));
  }
}

}  // namespace

bool work_on_the_same(const Bound& a, const Bound& b) {
  return a.row == b.row && a.form == b.form && a.core == b.core && a.operands == b.operands &&
         a.attributes == b.attributes;
}

std::optional<std::uint32_t> KnownBounds::find(const std::deque<Bound>& bounds, std::size_t place, const Bound& bound,
                                               std::vector<std::uint64_t>& words) const {
  words.clear();
  add_words(bound, words);
  words.push_back(0);  // counts those that the others do not tell apart
  while (const auto known = find(place, words)) {
    if (work_on_the_same(bounds[*known], bound)) return known;
    ++words.back();
  }
  return {};
}

std::optional<std::uint32_t> KnownBounds::find(std::size_t place, std::span<const std::uint64_t> words) const {
  if (table_.empty()) return {};
  const std::uint64_t hash = hash_of(place, words);
  for (std::size_t at = hash & (table_.size() - 1); table_[at].number != 0; at = (at + 1) & (table_.size() - 1)) {
    const Entry& entry = table_[at];
    if (entry.hash == hash && entry.place == static_cast<std::uint32_t>(place) && has_words(entry, words))
      return entry.number - 1;
  }
  return {};
}

bool KnownBounds::has_words(const Entry& entry, std::span<const std::uint64_t> words) const {
  const std::uint64_t* own = words_.data() + entry.first;
  return *own == words.size() && std::equal(words.begin(), words.end(), own + 1);
}

void KnownBounds::add(std::size_t place, std::span<const std::uint64_t> words, std::uint32_t number) {
  if (2 * (used_ + 1) > table_.size()) grow();
  put({hash_of(place, words), words_.size(), static_cast<std::uint32_t>(place), number + 1});
  words_.push_back(words.size());
  words_.insert(words_.end(), words.begin(), words.end());
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
