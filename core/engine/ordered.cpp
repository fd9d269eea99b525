// The order of records. It is found once for all machines: each moves the same elements.
#include "core/engine/ordered.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ts {
namespace {

// What lies outside its memory is a fault of whoever reads it, and no key.
std::uint64_t element_or_zero(const UbOf& ub, std::uint64_t address, std::uint32_t size) {
  if (address + size > ub.memory.map().size(Space::Ub, ub.core)) return 0;
  return ub.memory.element(Space::Ub, static_cast<std::uint32_t>(address), size, ub.core);
}

bool is_nan_key(DType type, std::uint64_t bits) { return std::isnan(to_double(type, bits)); }

void add_record(OrderedMoves& order, std::uint32_t from, std::uint32_t to) {
  const auto decided = static_cast<std::uint32_t>(order.keys.size());
  const std::uint32_t size = size_bytes(order.key);
  for (std::uint32_t at = 0; at < kRecordBytes; at += size) order.moves.push_back({from + at, to + at, size, decided});
}

class Merge {
 public:
  Merge(UbOf ub, OrderedMoves& order, const RecordLists& lists) : ub_(ub), order_(order), lists_(lists) {}

  void look_for_odd() {
    for (std::uint32_t list = 0; list < lists_.count; ++list)
      for (std::uint32_t i = 0; i < lists_.records[list]; ++i)
        order_.odd = order_.odd || is_nan_key(order_.key, key(list, i)) ||
                     (i > 0 && goes_before(order_.key, key(list, i), key(list, i - 1)));
  }
  void run(std::uint32_t to, bool exhausted) {
    for (;;) {
      const std::uint32_t list = next();
      if (list == lists_.count) return;
      add_record(order_, lists_.address[list] + taken_[list] * kRecordBytes, to);
      to += kRecordBytes;
      if (++taken_[list] == lists_.records[list] && exhausted) return;
    }
  }
  const RecordCounts& taken() const { return taken_; }

 private:
  std::uint64_t key(std::uint32_t list, std::uint32_t i) const {
    return element_or_zero(ub_, std::uint64_t{lists_.address[list]} + std::uint64_t{i} * kRecordBytes,
                           size_bytes(order_.key));
  }
  bool has_more(std::uint32_t list) const { return taken_[list] < lists_.records[list]; }
  // The list with the next record; their number: none is left. The last one left is compared with nothing.
  std::uint32_t next() {
    std::uint32_t left = 0, best = lists_.count;
    for (std::uint32_t list = 0; list < lists_.count; ++list) left += has_more(list) ? 1 : 0;
    for (std::uint32_t list = 0; list < lists_.count; ++list) {
      if (!has_more(list)) continue;
      if (left > 1) compare(list);
      if (best == lists_.count || goes_before(order_.key, key(list, taken_[list]), key(best, taken_[best])))
        best = list;
    }
    return best;
  }
  void compare(std::uint32_t list) {
    if (compared_[list] > taken_[list]) return;
    compared_[list] = taken_[list] + 1;
    order_.keys.push_back(lists_.address[list] + taken_[list] * kRecordBytes);
  }

  UbOf ub_;
  OrderedMoves& order_;
  const RecordLists& lists_;
  RecordCounts taken_{}, compared_{};
};

}  // namespace

bool goes_before(DType type, std::uint64_t a, std::uint64_t b) {
  const double x = to_double(type, a), y = to_double(type, b);
  return !std::isnan(x) && (std::isnan(y) || x > y);
}

OrderedMoves sorted_block(UbOf ub, DType type, std::uint32_t to, std::uint32_t scores, std::uint32_t indices) {
  const std::uint32_t size = size_bytes(type);
  OrderedMoves order{.key = type,
                     .reads = {{Space::Ub, scores, kRecordsSorted * size}, {Space::Ub, indices, kRecordsSorted * 4}},
                     .keys = {},
                     .moves = {}};
  std::array<std::uint64_t, kRecordsSorted> keys;
  std::array<std::uint32_t, kRecordsSorted> from;
  std::iota(from.begin(), from.end(), 0u);
  for (const std::uint32_t i : from) {
    order.keys.push_back(scores + i * size);
    keys[i] = element_or_zero(ub, order.keys.back(), size);
    order.odd = order.odd || is_nan_key(type, keys[i]);
  }
  std::ranges::stable_sort(from, [&](std::uint32_t a, std::uint32_t b) { return goes_before(type, keys[a], keys[b]); });
  for (const std::uint32_t i : from) {
    order.moves.push_back({scores + i * size, to, size, kRecordsSorted});
    if (size == 2) order.moves.push_back({OrderedMove::kZeros, to + 2, 2, 0});
    order.moves.push_back({indices + i * 4, to + 4, 4, kRecordsSorted});
    to += kRecordBytes;
  }
  return order;
}

OrderedMoves merged_lists(UbOf ub, DType type, std::uint32_t to, const RecordLists& lists, bool exhausted,
                          RecordCounts& taken) {
  OrderedMoves order{.key = type, .reads = {}, .keys = {}, .moves = {}};
  for (std::uint32_t list = 0; list < lists.count; ++list)
    if (lists.records[list] != 0)
      order.reads.push_back({Space::Ub, lists.address[list], lists.records[list] * kRecordBytes});
  Merge merge(ub, order, lists);
  merge.look_for_odd();
  merge.run(to, exhausted);
  taken = merge.taken();
  return order;
}

void move_ordered(BlockCore& run, UbOf ub, const MicroOp& op, const OrderedMoves& order) {
  std::vector<std::uint64_t> bits;
  bits.reserve(order.moves.size());
  for (const OrderedMove& move : order.moves)
    bits.push_back(move.from == OrderedMove::kZeros ? 0 : element_or_zero(ub, move.from, move.size));
  for (std::size_t i = 0; i < bits.size(); ++i)
    run.store_scalar(op, Space::Ub, order.moves[i].to, order.moves[i].size, {bits[i], DType::U64, 0});
}

}  // namespace ts
