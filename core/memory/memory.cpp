// Memory layout, elements and definedness.
#include "core/memory/memory.h"

#include <algorithm>
#include <cstring>

namespace ts {
namespace {

Flat round_up(std::uint64_t value) { return static_cast<Flat>((value + kPageBytes - 1) / kPageBytes * kPageBytes); }

// Calls f(word index, mask) for the bits [begin, end) of a bit plane.
template <class F>
void for_words(std::uint64_t begin, std::uint64_t end, F f) {
  while (begin < end) {
    const std::uint64_t word = begin / 64, first = begin % 64, last = std::min<std::uint64_t>(64, first + (end - begin));
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
      whole_(map_.pages(), 0) {
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
  bool unspecified_seen = false;
  for (Flat at = begin; at < begin + size; ++at) {
    const Definedness here = definedness(at);
    if (here == Definedness::Never) return here;
    unspecified_seen = unspecified_seen || here == Definedness::Unspecified;
  }
  return unspecified_seen ? Definedness::Unspecified : Definedness::Written;
}

void Memory::mark(Flat begin, std::uint32_t size, Definedness what) {
  if (size == 0) return;
  const std::uint64_t end = std::uint64_t{begin} + size;
  const std::uint32_t first_page = begin / kPageBytes, last_page = static_cast<std::uint32_t>((end - 1) / kPageBytes);
  if (what == Definedness::Written &&
      std::all_of(whole_.begin() + first_page, whole_.begin() + last_page + 1, [](std::uint8_t whole) { return whole != 0; })) {
    return;
  }
  std::uint64_t *w = written(), *u = unspecified();
  for_words(begin, end, [&](std::uint64_t word, std::uint64_t mask) {
    w[word] = what == Definedness::Written ? w[word] | mask : w[word] & ~mask;
    u[word] = what == Definedness::Unspecified ? u[word] | mask : u[word] & ~mask;
  });
  for (std::uint32_t page = first_page; page <= last_page; ++page) refresh_whole(page);
}

void Memory::refresh_whole(std::uint32_t page) {
  const auto all = written_plane(page), none = unspecified_plane(page);
  whole_[page] = std::ranges::all_of(all, [](std::uint64_t word) { return word == ~0ull; }) &&
                 std::ranges::all_of(none, [](std::uint64_t word) { return word == 0; });
}

}  // namespace ts
