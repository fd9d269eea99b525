// The tag arena and the tags of the memories.
#include "core/engine/tag/tag.h"

#include <algorithm>
#include <cstring>

namespace ts {

void TagArena::clear() {
  size_ = 0;
  reasons_.clear();
  shadows_.clear();
}

Tag TagArena::add(NodeKind kind, TagSpan a, TagSpan b) {
  const Rows rows = add_rows(kind, 1);
  *rows.a = a.first;
  *rows.b = b.first;
  *rows.a_count = a.count;
  *rows.b_count = b.count;
  return rows.first;
}

TagArena::Rows TagArena::add_rows(NodeKind kind, std::uint32_t count) {
  const std::uint32_t at = size_;
  size_ += count;
  if (size_ > kind_.size()) grow();
  std::fill_n(kind_.begin() + at, count, kind);
  return {kFirstNodeTag + at, a_.data() + at, b_.data() + at, a_count_.data() + at, b_count_.data() + at};
}

void TagArena::grow() {
  const std::size_t room = std::max<std::size_t>(2 * std::size_t{size_}, 4096);
  kind_.resize(room);
  a_.resize(room);
  b_.resize(room);
  a_count_.resize(room);
  b_count_.resize(room);
}

std::size_t TagArena::held_bytes() const {
  constexpr std::size_t kRow = sizeof(NodeKind) + 2 * sizeof(Tag) + 2;
  return kind_.capacity() * kRow + shadows_.capacity() * sizeof(Shadow) + reasons_.capacity() * sizeof(const char*);
}

Tag TagArena::first_bit(Tag byte) const {
  while (is_node_tag(byte) && kind(byte) == NodeKind::Combine && b(byte).first == kNoTag && a(byte).count == 1)
    byte = a(byte).first;
  return is_node_tag(byte) && kind(byte) == NodeKind::Bits ? a(byte).first : kNoTag;
}
Tag TagArena::half(Tag byte, BytePart part) const {
  if (part == BytePart::Whole) return byte;
  const bool high = part == BytePart::High;
  while (is_node_tag(byte) && kind(byte) == NodeKind::Combine && b(byte).first == kNoTag && a(byte).count == 1)
    byte = a(byte).first;
  if (has_bit_tags(byte)) return half_tag(byte, high ? 1 : 0);
  return is_node_tag(byte) && kind(byte) == NodeKind::Halves ? (high ? b(byte) : a(byte)).first : byte;
}
Tag TagArena::unspecified(const char* why) {
  reasons_.push_back(why);
  return add(NodeKind::Unspecified, {static_cast<Tag>(reasons_.size() - 1), 1}, {});
}

Shadow* TagArena::add_shadows(Tag first, std::uint32_t count) {
  const std::size_t at = first - kFirstNodeTag;
  shadows_.resize(std::max(shadows_.size(), at + count));
  return shadows_.data() + at;
}

TagMemory::TagMemory(const MemoryMap& map) : chunk_used_((map.end() + kSlack) / kChunk + 1, 0) {
  held_ = HostPages(chunk_used_.size() * kChunk / 8);
  for (HostPages& plane : planes_) plane = HostPages(map.end() + kSlack);
}

void TagMemory::begin_step() {
  for (std::uint32_t chunk : used_chunks_) {
    std::memset(held_.data() + std::size_t{chunk} * kChunk / 8, 0, kChunk / 8);
    chunk_used_[chunk] = 0;
  }
  used_chunks_.clear();
  arena.clear();
}

Tag TagMemory::tag(Flat flat) const {
  if (!held(flat)) return flat;
  Tag tag = 0;
  for (int i = 4; i-- > 0;) tag = tag << 8 | std::to_integer<Tag>(planes_[i].data()[flat]);
  return tag;
}

Shadow TagMemory::shadow(TagSpan span) const {
  while (is_node_tag(span.first)) {
    if (span.count != 1) return {};
    if (arena.kind(span.first) != NodeKind::Chosen) return arena.shadow(span.first);
    span = arena.a(span.first);
  }
  if (!is_byte_tag(span.first)) return {};
  const Shadow kept = shadows->at(span.first);
  return kept && size_bytes(kept.type) == span.count ? kept : Shadow{};
}

const BitMap* TagMemory::composed(const BitMap& outer, const BitMap& inner) {
  const auto [place, fresh] = composed_.try_emplace({&outer, &inner});
  BitMap& map = place->second;
  for (std::size_t k = 0; fresh && k < map.size(); ++k) {
    const int from = outer[k];
    map[k] = from < 0 || from >= 256 ? std::int16_t{-1} : inner[static_cast<std::size_t>(from)];
  }
  return &map;
}

void TagMemory::touch(Flat begin, std::uint32_t size) {
  for (std::uint32_t chunk = begin / kChunk; chunk <= (begin + size - 1) / kChunk; ++chunk) {
    if (chunk_used_[chunk]) continue;
    chunk_used_[chunk] = 1;
    used_chunks_.push_back(chunk);
  }
}

bool TagMemory::any_held(Flat begin, std::uint32_t size) const {
  for (std::uint32_t chunk = begin / kChunk; chunk <= (begin + size - 1) / kChunk; ++chunk) {
    if (!chunk_used_[chunk]) continue;
    const Flat from = std::max(begin, chunk * kChunk), to = std::min(begin + size, (chunk + 1) * kChunk);
    for (Flat at = from; at < to;) {
      const Flat end = std::min<Flat>(to, (at / 64 + 1) * 64);
      const std::uint64_t below = end % 64 == 0 ? ~0ull : (1ull << (end % 64)) - 1;
      if (held_bits()[at / 64] & below & ~((1ull << (at % 64)) - 1)) return true;
      at = end;
    }
  }
  return false;
}

template <class F>
void TagMemory::for_held_words(Flat begin, std::uint32_t size, F f) {
  for (Flat at = begin, last = begin + size; at < last;) {
    const Flat end = std::min<Flat>(last, (at / 64 + 1) * 64);
    const std::uint64_t below = end % 64 == 0 ? ~0ull : (1ull << (end % 64)) - 1;
    f(held_bits()[at / 64], below & ~((1ull << (at % 64)) - 1));
    at = end;
  }
}

void TagMemory::hold(Flat begin, std::uint32_t size) {
  if (size == 0) return;
  touch(begin, size);
  for_held_words(begin, size, [](std::uint64_t& held, std::uint64_t bits) { held |= bits; });
}

void TagMemory::release(Flat begin, std::uint32_t size) {
  for_held_words(begin, size, [](std::uint64_t& held, std::uint64_t bits) { held &= ~bits; });
}

void TagMemory::ensure(Flat begin, std::uint32_t size) {
  if (size == 0) return;
  touch(begin, size);
  for (Flat at = begin, last = begin + size; at < last;) {
    const Flat word = at / 64, end = std::min<Flat>(last, (word + 1) * 64);
    const std::uint64_t below = end % 64 == 0 ? ~0ull : (1ull << (end % 64)) - 1;
    const std::uint64_t wanted = below & ~((1ull << (at % 64)) - 1), missing = wanted & ~held_bits()[word];
    if (missing == wanted) {
      stand_for_themselves(at, end - at);
    } else {
      for (Flat flat = at; missing != 0 && flat < end; ++flat)
        for (int i = 0; i < 4 && (missing >> (flat % 64) & 1); ++i)
          planes_[i].data()[flat] = static_cast<std::byte>(flat >> (8 * i));
    }
    held_bits()[word] |= missing;
    at = end;
  }
}

// At most 64 bytes, none before a multiple of 64: so only the tags' lowest byte differs among them.
void TagMemory::stand_for_themselves(Flat first, std::uint32_t count) {
  for (std::uint32_t k = 0; k < count; ++k) planes_[0].data()[first + k] = static_cast<std::byte>(first + k);
  for (int i = 1; i < 4; ++i) std::memset(planes_[i].data() + first, static_cast<int>(first >> (8 * i) & 0xFF), count);
}

}  // namespace ts
