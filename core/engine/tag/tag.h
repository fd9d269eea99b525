// Where values came from. A tag is 32 bits: which byte or bit of a memory, which scalar operand, or a node that joins
// others. Tags live as long as one instruction's flow is asked about.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/engine/tag/shadow.h"
#include "core/memory/memory.h"

namespace ts {

using Tag = std::uint32_t;

// The number line of tags:
//   0                         no source: a constant of the lowering
//   1 .. 255                  scalar operand number n
//   kFirstFlat .. 2^31 - 1    the byte of that flat address, as it was before the instruction
//   2^31 + 8*flat + k         bit k of that byte, which is in a memory of the core: they end before 2^25
//   9*2^28 + 256*n + k        byte k of register n, bit k of predicate n: where one micro-operation is looked at
//   3*2^30 - 2^26 + 2*flat+h  half h of that byte, the lower one being 0
//   3*2^30 + n                node n of the arena
inline constexpr Tag kNoTag = 0;
inline constexpr Tag kFirstBitTag = 1u << 31;
inline constexpr Tag kFirstValueTag = 9u << 28;
inline constexpr Tag kFirstNodeTag = 3u << 30;
inline constexpr Tag kFirstHalfTag = kFirstNodeTag - (1u << 26);
constexpr bool is_scalar_tag(Tag tag) { return tag != kNoTag && tag < 256; }
constexpr bool is_value_tag(Tag tag) { return tag >= kFirstValueTag && tag < kFirstHalfTag; }
constexpr bool is_byte_tag(Tag tag) { return tag >= kFirstFlat && tag < kFirstBitTag; }
constexpr bool is_bit_tag(Tag tag) { return tag >= kFirstBitTag && tag < kFirstValueTag; }
constexpr bool is_half_tag(Tag tag) { return tag >= kFirstHalfTag && tag < kFirstNodeTag; }
static_assert(kFlatLimit <= kFirstBitTag);
// Whether the bits of a byte have tags of their own, and its halves.
constexpr bool has_bit_tags(Tag byte) { return is_byte_tag(byte) && byte < (kFirstValueTag - kFirstBitTag) / 8; }
constexpr Tag half_tag(Flat byte, std::uint32_t half) { return kFirstHalfTag + 2 * byte + half; }
static_assert((kFirstValueTag - kFirstBitTag) / 8 <= (kFirstNodeTag - kFirstHalfTag) / 2);
// Of a memory: a byte, a bit or a half of one.
constexpr bool is_memory_tag(Tag tag) { return is_byte_tag(tag) || is_bit_tag(tag) || is_half_tag(tag); }
constexpr Flat byte_of(Tag memory) {
  return is_bit_tag(memory) ? (memory - kFirstBitTag) / 8 : is_half_tag(memory) ? (memory - kFirstHalfTag) / 2 : memory;
}
constexpr BytePart part_of(Tag memory) {
  return !is_half_tag(memory) ? BytePart::Whole : (memory - kFirstHalfTag) % 2 == 0 ? BytePart::Low : BytePart::High;
}
constexpr bool is_node_tag(Tag tag) { return tag >= kFirstNodeTag; }

enum class NodeKind : std::uint8_t {
  Combine,      // computed from a and b
  Chosen,       // the value a, because of b
  BitOf,        // bit number `b` of the byte a
  Bits,         // a byte of eight bits, whose tags stand in a row from a on
  HalfOf,       // half number `b` of the byte a
  Halves,       // a byte of two elements: a in its lower half, b in its upper one
  Unspecified,  // reason number `a`
};

// One to eight consecutive tags: the bytes of an element that stand together in memory, or a single node.
struct TagSpan {
  Tag first = kNoTag;
  std::uint8_t count = 1;
};

// The nodes of one instruction, as columns: machines append whole registers of them.
class TagArena {
 public:
  void clear();
  std::uint32_t size() const { return size_; }
  Tag add(NodeKind kind, TagSpan a, TagSpan b);
  // `count` nodes of one kind in a row; the columns are the caller's to fill.
  struct Rows {
    Tag first;
    Tag *a, *b;
    std::uint8_t *a_count, *b_count;
  };
  Rows add_rows(NodeKind kind, std::uint32_t count);
  Tag unspecified(const char* why);

  NodeKind kind(Tag node) const { return kind_[node - kFirstNodeTag]; }
  TagSpan a(Tag node) const { return {a_[node - kFirstNodeTag], a_count_[node - kFirstNodeTag]}; }
  TagSpan b(Tag node) const { return {b_[node - kFirstNodeTag], b_count_[node - kFirstNodeTag]}; }
  const char* reason(Tag node) const { return reasons_[a_[node - kFirstNodeTag]]; }
  // The tag of bit 0 of a byte whose bits each have their own, the others in a row behind it; none of another byte. Where
  // all bits were turned over each is still made of its own.
  Tag first_bit(Tag byte) const;
  // The tag of one half of a byte: of an element that shares it. kNoTag: the byte has none. Where what the byte was made of
  // is known of the whole byte only, that.
  Tag half(Tag byte, BytePart part) const;
  // Kinds whose b is a part of them, and not a number.
  static constexpr bool has_two(NodeKind kind) {
    return kind == NodeKind::Combine || kind == NodeKind::Chosen || kind == NodeKind::Halves;
  }

  // What a node would be in double precision: known of those that were added here, `count` in a row to be filled.
  Shadow* add_shadows(Tag first, std::uint32_t count);
  std::size_t held_bytes() const;
  Shadow shadow(Tag node) const {
    const std::uint32_t at = node - kFirstNodeTag;
    return at < shadows_.size() ? shadows_[at] : Shadow{};
  }

 private:
  void grow();

  std::uint32_t size_ = 0;  // the columns are longer, and keep their room from step to step
  std::vector<NodeKind> kind_;
  std::vector<Tag> a_, b_;
  std::vector<std::uint8_t> a_count_, b_count_;
  std::vector<const char*> reasons_;
  std::vector<Shadow> shadows_;  // ends with the last node that has one
};

// Where each of a predicate's 256 bits comes from: a bit number of the sources, or -1 for a constant.
using BitMap = std::array<std::int16_t, 256>;

// The tags of all memories. A byte that the instruction has not written stands for itself; for the others the tag is
// kept in four planes, the tag's four bytes, each laid out like the memory: so the machine moves tags with the very
// functions that move values.
class TagMemory {
 public:
  explicit TagMemory(const MemoryMap& map);

  // Forgets everything: every byte stands for itself again.
  void begin_step();

  Tag tag(Flat flat) const;
  TagArena arena;

  // Those of elements as they were before the step; null: the machine makes no shadows.
  const ShadowMemory* shadows = nullptr;
  // Of an element whose bytes have these tags; `shadows` is there.
  Shadow shadow(TagSpan span) const;

  // The map of `outer` after `inner`, where outer's bits below 256 are inner's results and the others are constants.
  // Both must outlive this object; the same pair gives the same map.
  const BitMap* composed(const BitMap& outer, const BitMap& inner);

  // For the tag machine: planes, and which bytes of them are in use.
  std::byte* plane(int i) { return planes_[i].data(); }
  bool any_held(Flat begin, std::uint32_t size) const;
  void hold(Flat begin, std::uint32_t size);     // the planes hold these bytes' tags from now on
  void release(Flat begin, std::uint32_t size);  // they stand for themselves again
  void ensure(Flat begin, std::uint32_t size);   // lets bytes that stand for themselves do so in the planes too

 private:
  bool held(Flat flat) const { return held_bits()[flat / 64] >> (flat % 64) & 1; }
  std::uint64_t* held_bits() const { return reinterpret_cast<std::uint64_t*>(held_.data()); }
  template <class F>
  void for_held_words(Flat begin, std::uint32_t size, F f);
  void touch(Flat begin, std::uint32_t size);
  void stand_for_themselves(Flat first, std::uint32_t count);

  static constexpr std::uint32_t kChunk = 4096;  // bytes of memory that are forgotten together
  static constexpr std::uint32_t kSlack = 1024;  // behind the last byte, as in Memory
  std::map<std::pair<const BitMap*, const BitMap*>, BitMap> composed_;
  HostPages planes_[4];
  HostPages held_;
  std::vector<std::uint8_t> chunk_used_;
  std::vector<std::uint32_t> used_chunks_;
};

}  // namespace ts
