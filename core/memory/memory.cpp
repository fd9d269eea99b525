// Memory layout, elements and definedness.
#include "core/memory/memory.h"

#include <algorithm>
#include <cstring>

#include "core/isa/special_registers.h"

namespace ts {
namespace {

Flat round_up(std::uint64_t value) { return static_cast<Flat>((value + kPageBytes - 1) / kPageBytes * kPageBytes); }

// Calls f(word index, mask) for the bits [begin, end) of a bit plane.
template <class F>
void for_words(std::uint64_t begin, std::uint64_t end, F f) {
  while (begin < end) {
    const std::uint64_t word = begin / 64, first = begin % 64,
                        last = std::min<std::uint64_t>(64, first + (end - begin));
    const std::uint64_t below_last = last == 64 ? ~0ull : (1ull << last) - 1;
    f(word, below_last & ~((1ull << first) - 1));
    begin += last - first;
  }
}

}  // namespace

MemoryMap::MemoryMap(Target target, std::uint32_t gm_bytes) : target_(target) {
  std::uint64_t at = kFirstFlat;
  for (int i = 0; i < kSpaces; ++i) {
    const auto space = static_cast<Space>(i);
    size_[i] = space == Space::Gm ? gm_bytes : capacity_bytes(target, space);
    origin_[i] = static_cast<Flat>(at);
    at = round_up(at + size_[i]);
  }
  end_ = static_cast<Flat>(at);
}

ByteRange MemoryMap::locate(Flat flat, std::uint32_t size) const {
  int space = kSpaces - 1;
  while (space > 0 && flat < origin_[space]) --space;
  return {static_cast<Space>(space), flat - origin_[space], size};
}

Memory::Memory(Target target, std::uint32_t gm_bytes)
    : map_(target, gm_bytes),
      bytes_(map_.end() + kSlack),
      planes_(std::size_t{map_.pages()} * kPlaneWords * 8 * 2),
      whole_(map_.pages(), 0),
      planes_changed_(map_.pages(), 0) {
  const Flat begin = map_.origin(Space::Ub), end = map_.origin(Space::Gm);
  std::memset(base() + begin, kPoison, end - begin);
}

std::uint64_t Memory::element(Space space, std::uint32_t address, std::uint32_t size) const {
  std::uint64_t bits = 0;
  std::memcpy(&bits, base() + map_.flat(space, address), size);
  return bits;
}

void Memory::set_element(Space space, std::uint32_t address, std::uint32_t size, std::uint64_t bits) {
  std::memcpy(base() + map_.flat(space, address), &bits, size);
}

Definedness Memory::definedness(Flat flat) const {
  const std::uint64_t bit = 1ull << (flat % 64);
  if (unspecified()[flat / 64] & bit) return Definedness::Unspecified;
  return (written()[flat / 64] & bit) ? Definedness::Written : Definedness::Never;
}

Definedness Memory::worst_definedness(Flat begin, std::uint32_t size) const {
  const std::uint64_t end = std::uint64_t{begin} + size;
  bool never = false, unspecified_seen = false;
  for (std::uint64_t at = begin; at < end && !never;) {
    const auto page = static_cast<std::uint32_t>(at / kPageBytes);
    const std::uint64_t page_end = std::min(end, (std::uint64_t{page} + 1) * kPageBytes);
    if (!page_is_whole(page))
      for_words(at, page_end, [&](std::uint64_t word, std::uint64_t mask) {
        const std::uint64_t u = unspecified()[word] & mask;
        unspecified_seen = unspecified_seen || u != 0;
        never = never || (mask & ~written()[word] & ~u) != 0;
      });
    at = page_end;
  }
  return never ? Definedness::Never : unspecified_seen ? Definedness::Unspecified : Definedness::Written;
}

void Memory::mark(Flat begin, std::uint32_t size, Definedness what) {
  const std::uint64_t end = std::uint64_t{begin} + size;
  for (std::uint64_t at = begin; at < end;) {
    const auto page = static_cast<std::uint32_t>(at / kPageBytes);
    const std::uint64_t page_end = std::min(end, (std::uint64_t{page} + 1) * kPageBytes);
    // Most pages of a running program are whole, and writes leave them so.
    if (what != Definedness::Written || !page_is_whole(page)) mark_in_page(page, at, page_end, what);
    at = page_end;
  }
}

void Memory::mark_in_page(std::uint32_t page, std::uint64_t begin, std::uint64_t end, Definedness what) {
  std::uint64_t *w = written(), *u = unspecified();
  bool changed = false;
  for_words(begin, end, [&](std::uint64_t word, std::uint64_t mask) {
    const std::uint64_t new_w = what == Definedness::Written ? w[word] | mask : w[word] & ~mask;
    const std::uint64_t new_u = what == Definedness::Unspecified ? u[word] | mask : u[word] & ~mask;
    changed = changed || new_w != w[word] || new_u != u[word];
    w[word] = new_w;
    u[word] = new_u;
  });
  if (changed) planes_edited(page);
}

void Memory::make_fresh(std::uint32_t page) {
  const bool on_chip = page * kPageBytes < map_.origin(Space::Gm);
  std::memset(base() + std::size_t{page} * kPageBytes, on_chip ? kPoison : 0, kPageBytes);
  std::ranges::fill(written_plane(page), 0);
  std::ranges::fill(unspecified_plane(page), 0);
  planes_edited(page);
}

bool Memory::untouched(std::uint32_t page) const {
  const auto empty = [&](const std::uint64_t* plane) {
    return std::all_of(plane + page * kPlaneWords, plane + (page + 1) * kPlaneWords,
                       [](std::uint64_t word) { return word == 0; });
  };
  return empty(written()) && empty(unspecified());
}

void Memory::planes_edited(std::uint32_t page) {
  const auto all = written_plane(page), none = unspecified_plane(page);
  whole_[page] = std::ranges::all_of(all, [](std::uint64_t word) { return word == ~0ull; }) &&
                 std::ranges::all_of(none, [](std::uint64_t word) { return word == 0; });
  planes_changed_[page] = 1;
}

void set_special_registers(Memory& memory) {
  for (const SpecialRegister& one : special_registers(memory.map().target())) {
    if (!one.start) continue;
    for (std::uint32_t at = 0; at < one.size_bytes; at += 8)
      memory.set_element(Space::Spr, one.address + at, 8, (*one.start)[at / 8]);
    memory.mark(memory.map().flat(Space::Spr, one.address), one.size_bytes, Definedness::Written);
  }
}

}  // namespace ts
