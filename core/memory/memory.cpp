// Memory layout, elements and definedness.
#include "core/memory/memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>

#include "core/isa/special_registers.h"
#include "core/memory/late_pages.h"

namespace ts {
namespace {

Flat round_up(std::uint64_t value) { return static_cast<Flat>((value + kPageBytes - 1) / kPageBytes * kPageBytes); }

// Of a huge memory a program may touch a byte here and there, each of which would cost a big page.
Paging paging_for(std::uint32_t bytes) {
  constexpr std::uint32_t kHuge = 64u << 20;
  return bytes > kHuge ? Paging::Small : Paging::Big;
}

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

bool has_space(CoreKind kind, Space space) {
  if (kind == CoreKind::Joint || space == Space::Spr) return true;
  return (space == Space::Ub || space == Space::Reg) == (kind == CoreKind::Vector);
}

}  // namespace

MemoryMap::MemoryMap(Target target, std::uint32_t gm_bytes)
    : MemoryMap(target, gm_bytes, std::array{CoreKind::Joint}) {}

MemoryMap::MemoryMap(Target target, std::uint32_t gm_bytes, std::span<const CoreKind> cores, std::uint32_t reg_bytes)
    : target_(target) {
  constexpr int kGm = static_cast<int>(Space::Gm);
  std::uint64_t at = kFirstFlat;
  for (const CoreKind kind : cores) {
    Core& core = cores_.emplace_back();
    core.kind = kind;
    core.begin = static_cast<Flat>(at);
    for (int i = 0; i < kGm; ++i) {
      const auto space = static_cast<Space>(i);
      const std::uint32_t size = space == Space::Reg ? reg_bytes : capacity_bytes(target, space);
      core.size[i] = has_space(kind, space) ? size : 0;
      core.origin[i] = static_cast<Flat>(at);
      at = round_up(at + core.size[i]);
    }
    core.end = static_cast<Flat>(at);
  }
  for (Core& core : cores_) {
    core.size[kGm] = gm_bytes;
    core.origin[kGm] = static_cast<Flat>(at);
  }
  end_ = round_up(at + gm_bytes);
  reach_peers();
}

void MemoryMap::reach_peers() {
  const auto reach = [](Core& core, int name, const Core& other, Space space) {
    core.origin[name] = other.origin[static_cast<int>(space)];
    core.size[name] = other.size[static_cast<int>(space)];
  };
  const auto is_vector = [&](std::size_t i) { return i < cores_.size() && cores_[i].kind == CoreKind::Vector; };
  const Core* cube = nullptr;
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    Core& core = cores_[i];
    if (core.kind == CoreKind::Vector && cube != nullptr) reach(core, static_cast<int>(Space::L1), *cube, Space::L1);
    if (core.kind != CoreKind::Cube) continue;
    cube = &core;
    if (is_vector(i + 1)) reach(core, static_cast<int>(Space::Ub), cores_[i + 1], Space::Ub);
    if (is_vector(i + 1) && is_vector(i + 2)) reach(core, static_cast<int>(kSecondUb), cores_[i + 2], Space::Ub);
  }
}

ByteRange MemoryMap::locate(Flat flat, std::uint32_t size) const {
  constexpr int kGm = static_cast<int>(Space::Gm);
  if (flat >= cores_.back().end) return {Space::Gm, flat - origin(Space::Gm), size};
  const auto behind = std::ranges::upper_bound(cores_, flat, {}, &Core::begin);
  const auto number = static_cast<CoreId>(std::max<std::ptrdiff_t>(behind - cores_.begin() - 1, 0));
  const Core& core = cores_[number];
  int space = kGm - 1;
  while (space > 0 && (flat < core.origin[space] || !core.has(space))) --space;
  return {static_cast<Space>(space), flat - core.origin[space], size, BytePart::Whole, number};
}

// Which pages wait to be made, and who makes them; and who wants to know what is needed.
struct Memory::Late {
  std::shared_ptr<const LatePages> pages = std::make_shared<LatePages>();
  std::unique_ptr<std::atomic<bool>[]> waits = {};  // by page; null: none does
  std::atomic<std::uint32_t> made = 0;
  std::mutex mutex = {};  // of whoever makes one
  std::vector<FlatRange>* needs = nullptr;
};

Memory::~Memory() = default;
Memory::Memory(Memory&&) noexcept = default;
Memory& Memory::operator=(Memory&&) noexcept = default;

Memory::Memory(MemoryMap map)
    : map_(std::move(map)),
      bytes_(map_.end() + kSlack, paging_for(map_.end())),
      planes_(std::size_t{map_.pages()} * kPlaneWords * 8 * 2, paging_for(map_.end())),
      whole_(map_.pages(), 0),
      planes_edits_(map_.pages(), PlanesEdits::None),
      begun_(map_.cores(), 0) {
  // What nobody wrote is the same whenever it is looked at. Of very many cores only those that run cost anything.
  constexpr Flat kMostAtOnce = 64u << 20;
  const CoreId at_once = map_.origin(Space::Gm) <= kMostAtOnce ? static_cast<CoreId>(map_.cores()) : 1;
  for (CoreId core = 0; core < at_once; ++core) begin_core(core);
}

// What was put here before its core began stays.
void Memory::fill_core(CoreId core) {
  begun_[core] = 1;
  for (std::uint32_t page = map_.begin_of(core) / kPageBytes; page < map_.end_of(core) / kPageBytes; ++page)
    if (untouched(page)) std::memset(base() + std::size_t{page} * kPageBytes, kPoison, kPageBytes);
}

// --- pages that are made late ---

void Memory::make_late(std::shared_ptr<const LatePages> pages) {
  if (pages == nullptr || pages->empty()) return;
  if (late_ == nullptr) late_ = std::make_unique<Late>();
  late_->waits = std::make_unique<std::atomic<bool>[]>(map_.pages());
  for (const LatePages::Run& run : pages->runs())
    for (std::uint32_t page = run.begin; page < run.end; ++page) {
      late_->waits[page] = true;
      whole_[page] = 1;
    }
  late_->pages = std::move(pages);
}

void Memory::note_needs(std::vector<FlatRange>* list) {
  if (late_ == nullptr) late_ = std::make_unique<Late>();
  late_->needs = list;
}

void Memory::make(Flat begin, std::uint64_t size) const {
  if (size == 0) return;
  if (late_->needs != nullptr && begin >= map_.origin(Space::Gm)) {
    const auto end = static_cast<Flat>(begin + size);
    if (!late_->needs->empty() && late_->needs->back().end == begin) late_->needs->back().end = end;
    else late_->needs->push_back({begin, end});
  }
  if (late_->waits == nullptr) return;
  const auto last = static_cast<std::uint32_t>((begin + size - 1) / kPageBytes);
  for (std::uint32_t page = begin / kPageBytes; page <= last; ++page) {
    if (!waits(page)) continue;
    const std::lock_guard lock(late_->mutex);
    if (!waits(page)) continue;
    late_->pages->make(page, {bytes_.data() + std::size_t{page} * kPageBytes, kPageBytes});
    std::fill_n(written() + page * kPlaneWords, kPlaneWords, ~0ull);
    std::fill_n(unspecified() + page * kPlaneWords, kPlaneWords, 0);
    ++late_->made;
    late_->waits[page].store(false, std::memory_order_release);
  }
}

bool Memory::waits(std::uint32_t page) const {
  return late_ != nullptr && late_->waits != nullptr && late_->waits[page].load(std::memory_order_acquire);
}

std::size_t Memory::late_bytes() const {
  return late_ == nullptr ? 0 : late_->made.load() * std::size_t{kPageBytes + kPageBytes / 4};
}

// --- elements and definedness ---

std::uint64_t Memory::element(Space space, std::uint32_t address, std::uint32_t size, CoreId core) const {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at(map_.flat(space, address, core), size).data(), size);
  return bits;
}

void Memory::set_element(const ByteRange& place, std::uint64_t bits) {
  if (place.part != BytePart::Whole) {
    const unsigned shift = place.part == BytePart::High ? 4 : 0;
    bits = (element(place.space, place.address, 1, place.core) & ~(0xFull << shift)) | (bits & 0xF) << shift;
  }
  set_element(place.space, place.address, place.size, bits, place.core);
}

void Memory::set_element(Space space, std::uint32_t address, std::uint32_t size, std::uint64_t bits, CoreId core) {
  std::memcpy(at(map_.flat(space, address, core), size).data(), &bits, size);
}

Definedness Memory::definedness(Flat flat) const {
  if (waits(flat / kPageBytes)) return Definedness::Written;
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
  need(page * kPageBytes, kPageBytes);
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
  if (late_ != nullptr && late_->pages->holds(page)) {
    if (!late_->waits[page].exchange(true)) --late_->made;
    whole_[page] = 1;
    planes_edits_[page] = PlanesEdits::Since;
    return;
  }
  const bool on_chip = page * kPageBytes < map_.origin(Space::Gm);
  const auto bytes = at(page * kPageBytes, kPageBytes);
  const auto fresh = static_cast<std::byte>(on_chip ? kPoison : 0);
  // What was never touched costs no memory of the host, and should not begin to.
  if (untouched(page) && bytes[0] == fresh && std::memcmp(bytes.data(), bytes.data() + 1, kPageBytes - 1) == 0) return;
  std::ranges::fill(bytes, fresh);
  std::ranges::fill(written_plane(page), 0);
  std::ranges::fill(unspecified_plane(page), 0);
  planes_edited(page);
}

void Memory::put_page(std::uint32_t page, std::span<const std::byte> bytes, std::span<const std::byte> planes) {
  const bool waited = waits(page);
  if (waited) {
    ++late_->made;
    late_->waits[page] = false;
  }
  // For sizes that the compiler knows it writes `rep movs`, which takes several times as long as the library's copy.
  const std::size_t size = bytes.size(), plane = size / 8;
  std::memcpy(base() + std::size_t{page} * kPageBytes, bytes.data(), size);
  const auto written = written_plane(page), unspecified = unspecified_plane(page);
  planes_edits_[page] = PlanesEdits::Since;
  if (planes.empty()) {
    if (whole_[page] == 0 || waited) {
      std::memset(written.data(), 0xFF, plane);
      std::memset(unspecified.data(), 0, plane);
    }
    whole_[page] = 1;
  } else {
    std::memcpy(written.data(), planes.data(), plane);
    std::memcpy(unspecified.data(), planes.data() + plane, plane);
    planes_edited(page);
  }
}

bool Memory::untouched(std::uint32_t page) const {
  if (waits(page)) return false;
  const bool made_late = late_ != nullptr && late_->pages->holds(page);
  if (planes_edits_[page] == PlanesEdits::None && !made_late) return true;
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
  planes_edits_[page] = PlanesEdits::Since;
}

void set_special_registers(Memory& memory) {
  const MemoryMap& map = memory.map();
  for (std::uint32_t core = 0; core < map.cores(); ++core) {
    const auto id = static_cast<CoreId>(core);
    memory.make_fresh(map.origin(Space::Spr, id) / kPageBytes);
    for (const SpecialRegister& one : special_registers(map.target())) {
      if (!one.start) continue;
      for (std::uint32_t at = 0; at < one.size_bytes; at += 8)
        memory.set_element(Space::Spr, one.address + at, 8, (*one.start)[at / 8], id);
      memory.mark(map.flat(Space::Spr, one.address, id), one.size_bytes, Definedness::Written);
    }
  }
}

}  // namespace ts
