// Records in the order of their keys: what a sort puts where, and which keys decided that.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/block_core.h"
#include "core/isa/dtype.h"
#include "core/memory/memory.h"

namespace ts {

// A record is a key, then (of a key of 16 bits) 16 bits of nothing, and an index of 32 bits.
inline constexpr std::uint32_t kRecordBytes = 8, kRecordsSorted = 32;

// Whether a key comes before another one: larger numbers first, NaN behind all of them, -0 and +0 alike. Where neither
// comes first both stay in the order that they are in.
bool goes_before(DType type, std::uint64_t a, std::uint64_t b);

// The UB of a core.
struct UbOf {
  UbOf(const Memory& of, CoreId whose = 0) : memory(of), core(whose) {}
  const Memory& memory;
  CoreId core;
};
// Sorted lists of records in UB.
struct RecordLists {
  std::uint32_t count = 0;
  std::array<std::uint32_t, 4> address{}, records{};
};
using RecordCounts = std::array<std::uint32_t, 4>;

// An element of UB that goes to another place because of the first `decided` of all keys; or zeros, which nothing decides.
struct OrderedMove {
  static constexpr std::uint32_t kZeros = ~0u;
  std::uint32_t from, to;
  std::uint32_t size;
  std::uint32_t decided;
};
struct OrderedMoves {
  DType key;
  std::vector<ByteRange> reads;     // what is looked at, as a whole
  std::vector<std::uint32_t> keys;  // addresses, in the order in which they are compared
  std::vector<OrderedMove> moves;   // `decided` never falls; everything is read before anything is written
  bool odd = false;                 // NaN among the keys, or a list that is not sorted
};

// 32 scores and 32 indices as one block of records. Keys of the same rank stay in their order.
OrderedMoves sorted_block(UbOf ub, DType type, std::uint32_t to, std::uint32_t scores, std::uint32_t indices);
// The same block at once, for whoever does not ask what moved. False: some of it lies outside of the UB.
bool sort_at_once(UbOf ub, DType type, std::uint32_t scores, std::uint32_t indices, Block& out, bool& odd);
// Lists as one: of the first records that are left the one whose key comes first; of equal ones that of the lowest list.
// A record is decided by the keys that were compared up to it. `exhausted`: a list that came to its end ends it.
OrderedMoves merged_lists(UbOf ub, DType type, std::uint32_t to, const RecordLists& lists, bool exhausted,
                          RecordCounts& taken);
// The same at once.
struct MergedRecords {
  std::vector<std::uint64_t> records;  // as they stand in memory
  RecordCounts taken{};
  bool odd = false;
};
bool merge_at_once(UbOf ub, DType type, const RecordLists& lists, bool exhausted, MergedRecords& out);

// The moves on values.
void move_ordered(BlockCore& run, UbOf ub, const MicroOp& op, const OrderedMoves& order);

}  // namespace ts
