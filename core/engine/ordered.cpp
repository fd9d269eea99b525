// The order of records. It is found once for all machines: each moves the same elements.
#include "core/engine/ordered.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ts {
namespace {

// Elements of a UB. What lies outside of it is a fault of whoever reads it, and no key.
class UbElements {
 public:
  explicit UbElements(const UbOf& ub)
      : begin_(ub.memory.base() + ub.memory.map().origin(Space::Ub, ub.core)),
        size_(ub.memory.map().size(Space::Ub, ub.core)) {}
  std::uint64_t at(std::uint64_t address, std::uint32_t size) const {
    if (address + size > size_) return 0;
    switch (size) {
      case 2: return load<std::uint16_t>(address);
      case 4: return load<std::uint32_t>(address);
      default: return load<std::uint64_t>(address);
    }
  }

 private:
  template <class T>
  std::uint64_t load(std::uint64_t address) const {
    T value;
    std::memcpy(&value, begin_ + address, sizeof value);
    return value;
  }
  const std::byte* begin_;
  std::uint32_t size_;
};

// Keys as numbers, the smallest of what comes first. NaN is behind all of them.
constexpr std::uint32_t kNanRank = 0xFFFFFFFFu;
struct RankOf {
  explicit RankOf(DType type)
      : sign(1u << (8 * size_bytes(type) - 1)),
        infinity(type == DType::F16    ? 0x7C00u
                 : type == DType::BF16 ? 0x7F80u
                                       : 0x7F800000u) {}
  std::uint32_t operator()(std::uint32_t bits) const {
    const std::uint32_t magnitude = bits & (sign - 1);
    const bool negative = ((bits & sign) != 0) & (magnitude != 0);
    const std::uint32_t rank = negative ? 0x80000000u + magnitude : 0x7FFFFFFFu - magnitude;
    return magnitude > infinity ? kNanRank : rank;
  }
  std::uint32_t sign, infinity;
};
std::uint32_t rank_of(DType type, std::uint64_t bits) { return RankOf(type)(static_cast<std::uint32_t>(bits)); }

void add_record(OrderedMoves& order, std::uint32_t from, std::uint32_t to) {
  const auto decided = static_cast<std::uint32_t>(order.keys.size());
  const std::uint32_t size = size_bytes(order.key);
  for (std::uint32_t at = 0; at < kRecordBytes; at += size) order.moves.push_back({from + at, to + at, size, decided});
}

class Merge {
 public:
  Merge(const UbOf& ub, DType key, const RecordLists& lists) : ub_(ub), key_(key), lists_(lists) {
    for (std::uint32_t list = 0; list < lists.count; ++list) look_at_head(list);
  }

  // NaN among the keys, or a list that is not sorted.
  bool is_odd() const {
    for (std::uint32_t list = 0; list < lists_.count; ++list)
      for (std::uint32_t i = 0, before = 0; i < lists_.records[list]; ++i) {
        const std::uint32_t here = rank(list, i);
        if (here == kNanRank || here < before) return true;
        before = here;
      }
    return false;
  }
  // compared(address) of each key that is looked at, and taken(address) of each record in turn.
  template <class Compared, class Taken>
  void run(bool exhausted, Compared compared, Taken taken) {
    for (;;) {
      const std::uint32_t list = next(compared);
      if (list == lists_.count) return;
      taken(address(list, taken_[list]));
      if (++taken_[list] == lists_.records[list] && exhausted) return;
      look_at_head(list);
    }
  }
  const RecordCounts& taken() const { return taken_; }

 private:
  std::uint32_t address(std::uint32_t list, std::uint32_t i) const { return lists_.address[list] + i * kRecordBytes; }
  std::uint32_t rank(std::uint32_t list, std::uint32_t i) const {
    return rank_of(key_, ub_.at(address(list, i), size_bytes(key_)));
  }
  bool has_more(std::uint32_t list) const { return taken_[list] < lists_.records[list]; }
  void look_at_head(std::uint32_t list) {
    if (has_more(list)) head_[list] = rank(list, taken_[list]);
  }
  // The list with the next record; their number: none is left. The last one left is compared with nothing.
  template <class Compared>
  std::uint32_t next(Compared compared) {
    std::uint32_t left = 0, best = lists_.count;
    for (std::uint32_t list = 0; list < lists_.count; ++list) left += has_more(list) ? 1 : 0;
    for (std::uint32_t list = 0; list < lists_.count; ++list) {
      if (!has_more(list)) continue;
      if (left > 1 && compared_[list] <= taken_[list]) {
        compared_[list] = taken_[list] + 1;
        compared(address(list, taken_[list]));
      }
      if (best == lists_.count || head_[list] < head_[best]) best = list;
    }
    return best;
  }

  UbElements ub_;
  DType key_;
  const RecordLists& lists_;
  RecordCounts taken_{}, compared_{};
  std::array<std::uint32_t, 4> head_{};  // ranks of the first records that are left
};

}  // namespace

bool goes_before(DType type, std::uint64_t a, std::uint64_t b) { return rank_of(type, a) < rank_of(type, b); }

OrderedMoves sorted_block(UbOf ub, DType type, std::uint32_t to, std::uint32_t scores, std::uint32_t indices) {
  const std::uint32_t size = size_bytes(type);
  OrderedMoves order{.key = type,
                     .reads = {{Space::Ub, scores, kRecordsSorted * size}, {Space::Ub, indices, kRecordsSorted * 4}},
                     .keys = {},
                     .moves = {}};
  order.keys.reserve(kRecordsSorted);
  order.moves.reserve(kRecordsSorted * 3);
  const UbElements elements(ub);
  // With their places, so that no two are equal.
  std::array<std::uint64_t, kRecordsSorted> ranks;
  for (std::uint32_t i = 0; i < kRecordsSorted; ++i) {
    order.keys.push_back(scores + i * size);
    const std::uint32_t rank = rank_of(type, elements.at(order.keys.back(), size));
    order.odd = order.odd || rank == kNanRank;
    ranks[i] = std::uint64_t{rank} << 32 | i;
  }
  std::ranges::sort(ranks);
  for (const std::uint64_t rank : ranks) {
    const auto i = static_cast<std::uint32_t>(rank);
    order.moves.push_back({scores + i * size, to, size, kRecordsSorted});
    if (size == 2) order.moves.push_back({OrderedMove::kZeros, to + 2, 2, 0});
    order.moves.push_back({indices + i * 4, to + 4, 4, kRecordsSorted});
    to += kRecordBytes;
  }
  return order;
}

bool sort_at_once(UbOf ub, DType type, std::uint32_t scores, std::uint32_t indices, Block& out, bool& odd) {
  const std::uint32_t size = size_bytes(type);
  const std::uint64_t end = ub.memory.map().size(Space::Ub, ub.core);
  if (std::uint64_t{scores} + kRecordsSorted * size > end || std::uint64_t{indices} + kRecordsSorted * 4 > end)
    return false;
  const std::byte* begin = ub.memory.base() + ub.memory.map().origin(Space::Ub, ub.core);
  alignas(16) std::uint32_t key[kRecordsSorted];
  if (size == 2) {
    std::uint16_t narrow[kRecordsSorted];
    std::memcpy(narrow, begin + scores, sizeof narrow);
    std::ranges::copy(narrow, key);
  } else {
    std::memcpy(key, begin + scores, sizeof key);
  }
  // Ranks as signed numbers, which hosts compare.
  const RankOf rank_of_key(type);
  alignas(16) std::int32_t rank[kRecordsSorted];
  std::uint32_t nans = 0;
  for (std::uint32_t i = 0; i < kRecordsSorted; ++i) {
    const std::uint32_t unsigned_rank = rank_of_key(key[i]);
    nans |= unsigned_rank == kNanRank ? ~0u : 0u;
    rank[i] = static_cast<std::int32_t>(unsigned_rank ^ 0x80000000u);
  }
  odd = odd || nans != 0;
  std::uint32_t taken = 0;  // places
  for (std::uint32_t i = 0; i < kRecordsSorted; ++i) {
    std::int32_t place = 0;
    for (const std::int32_t other : rank) place += static_cast<std::int32_t>(other < rank[i]);
    place += std::countr_one(taken >> place);  // by equal ones that stand before it
    taken |= 1u << place;
    std::uint8_t* record = out.bytes + place * static_cast<std::int32_t>(kRecordBytes);
    std::memcpy(record, &key[i], 4);
    std::memcpy(record + 4, begin + indices + i * 4, 4);
  }
  return true;
}

OrderedMoves merged_lists(UbOf ub, DType type, std::uint32_t to, const RecordLists& lists, bool exhausted,
                          RecordCounts& taken) {
  OrderedMoves order{.key = type, .reads = {}, .keys = {}, .moves = {}};
  for (std::uint32_t list = 0; list < lists.count; ++list)
    if (lists.records[list] != 0)
      order.reads.push_back({Space::Ub, lists.address[list], lists.records[list] * kRecordBytes});
  Merge merge(ub, type, lists);
  order.odd = merge.is_odd();
  merge.run(
      exhausted, [&](std::uint32_t key) { order.keys.push_back(key); },
      [&](std::uint32_t record) {
        add_record(order, record, to);
        to += kRecordBytes;
      });
  taken = merge.taken();
  return order;
}

bool merge_at_once(UbOf ub, DType type, const RecordLists& lists, bool exhausted, MergedRecords& out) {
  const std::uint64_t end = ub.memory.map().size(Space::Ub, ub.core);
  for (std::uint32_t list = 0; list < lists.count; ++list)
    if (lists.address[list] + std::uint64_t{lists.records[list]} * kRecordBytes > end) return false;
  const std::byte* begin = ub.memory.base() + ub.memory.map().origin(Space::Ub, ub.core);
  Merge merge(ub, type, lists);
  out.odd = merge.is_odd();
  merge.run(
      exhausted, [](std::uint32_t) {},
      [&](std::uint32_t record) {
        std::uint64_t bytes;
        std::memcpy(&bytes, begin + record, sizeof bytes);
        out.records.push_back(bytes);
      });
  out.taken = merge.taken();
  return true;
}

void move_ordered(BlockCore& run, UbOf ub, const MicroOp& op, const OrderedMoves& order) {
  std::uint32_t size = 0;
  for (const OrderedMove& move : order.moves) size += move.size;
  const UbElements elements(ub);
  std::vector<std::uint8_t> bytes(size + sizeof(std::uint64_t));  // written eight at a time
  std::uint8_t* next = bytes.data();
  for (const OrderedMove& move : order.moves) {
    const std::uint64_t bits = move.from == OrderedMove::kZeros ? 0 : elements.at(move.from, move.size);
    std::memcpy(next, &bits, sizeof bits);
    next += move.size;
  }
  // Those that go side by side go together.
  const std::uint8_t* from = bytes.data();
  for (auto move = order.moves.begin(); move != order.moves.end();) {
    const std::uint32_t to = move->to;
    std::uint32_t run_size = 0;
    for (; move != order.moves.end() && move->to == to + run_size && run_size + move->size <= VL; ++move)
      run_size += move->size;
    Block image;
    std::memcpy(image.bytes, from, run_size);
    run.store_span(op, Space::Ub, to, image, run_size);
    from += run_size;
  }
}

}  // namespace ts
