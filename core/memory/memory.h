// The memories of all cores and the global memory: bytes, and two bits per byte that say what the byte is worth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/isa/dtype.h"
#include "core/isa/target.h"
#include "core/memory/host_pages.h"

namespace ts {

// A byte of any memory as one number: every space has an origin on this line. Tags, write logs and snapshots use it.
// Numbers below kFirstFlat name no byte (tags use them for scalar operands).
using Flat = std::uint32_t;
inline constexpr Flat kFirstFlat = 2048;
inline constexpr std::uint64_t kFlatLimit = std::uint64_t{1} << 31;

inline constexpr std::uint32_t kPageBytes = 2048;
inline constexpr std::uint8_t kPoison = 0xCD;  // what never-written on-chip bytes hold

enum class Definedness : std::uint8_t { Never, Written, Unspecified };

// Elements of 4 bits stand in the halves of a byte.
enum class BytePart : std::uint8_t { Whole, Low, High };
constexpr std::uint64_t bits_in(std::uint64_t byte, BytePart part) {
  return part == BytePart::Whole ? byte : part == BytePart::Low ? byte & 0xF : byte >> 4 & 0xF;
}

// Bytes on the flat line, up to `end`.
struct FlatRange {
  Flat begin = 0, end = 0;
  bool overlaps(const FlatRange& other) const { return begin < other.end && other.begin < end; }
};

struct ByteRange {
  Space space = Space::Ub;
  std::uint32_t address = 0, size = 0;
  BytePart part = BytePart::Whole;  // of a single byte
  CoreId core = 0;                  // whose memory it is
  bool in_same_memory(const ByteRange& other) const { return space == other.space && core == other.core; }
  // Others of the same memory.
  ByteRange with(std::uint32_t other_address, std::uint32_t other_size) const {
    return {space, other_address, other_size, BytePart::Whole, core};
  }
  bool overlaps(const ByteRange& other) const {
    return in_same_memory(other) && address < std::uint64_t{other.address} + other.size &&
           other.address < std::uint64_t{address} + size &&
           (part == BytePart::Whole || other.part == BytePart::Whole || part == other.part);
  }
  bool operator==(const ByteRange&) const = default;
};

// Where element number `index` stands, of those that stand behind each other from `base` on.
constexpr ByteRange element_place(Space space, std::uint64_t base, std::uint32_t size_bits, std::uint64_t index) {
  const auto address = static_cast<std::uint32_t>(base + index * size_bits / 8);
  if (size_bits >= 8) return {space, address, size_bits / 8};
  return {space, address, 1, index % 2 == 0 ? BytePart::Low : BytePart::High};
}
constexpr ByteRange element_place(Space space, std::uint64_t base, DType type, std::uint64_t index) {
  return element_place(space, base, size_bits(type), index);
}
// Which element a byte, or its half, is part of: its number, where elements stand behind each other from `base` on.
constexpr std::uint32_t element_number(std::uint32_t base, DType type, std::uint32_t address,
                                       BytePart part = BytePart::Whole) {
  return static_cast<std::uint32_t>(elements_in(type, address - base)) +
         (is_packed(type) && part == BytePart::High ? 1 : 0);
}

// Where the spaces of all cores stand on the flat line: those of one core behind those of another, global memory last.
class MemoryMap {
 public:
  // One core with everything.
  MemoryMap(Target target, std::uint32_t gm_bytes);
  // These cores: each cube core has the vector cores behind it as those of its block. Each that has a vector unit has so
  // many bytes of registers.
  MemoryMap(Target target, std::uint32_t gm_bytes, std::span<const CoreKind> cores, std::uint32_t reg_bytes = 0);

  // What a core has not, it may reach at another core of its block: the UB of a vector core, the L1 of the cube core.
  Flat origin(Space space, CoreId core = 0) const { return cores_[core].origin[static_cast<int>(space)]; }
  std::uint32_t size(Space space, CoreId core = 0) const { return cores_[core].size[static_cast<int>(space)]; }
  Flat flat(Space space, std::uint32_t address, CoreId core = 0) const { return origin(space, core) + address; }
  Flat flat(const ByteRange& place) const { return flat(place.space, place.address, place.core); }
  Flat end() const { return end_; }
  std::uint32_t pages() const { return (end_ + kPageBytes - 1) / kPageBytes; }
  // The space and address of a flat byte, with the core that has it; flat must lie in a space.
  ByteRange locate(Flat flat, std::uint32_t size = 1) const;
  Target target() const { return target_; }

  std::uint32_t cores() const { return static_cast<std::uint32_t>(cores_.size()); }
  CoreKind kind(CoreId core) const { return cores_[core].kind; }
  // The bytes of a core's own memories, its special registers last.
  Flat begin_of(CoreId core) const { return cores_[core].begin; }
  Flat end_of(CoreId core) const { return cores_[core].end; }

 private:
  struct Core {
    CoreKind kind = CoreKind::Joint;
    Flat begin = 0, end = 0;
    Flat origin[kSpaceNames] = {};
    std::uint32_t size[kSpaceNames] = {};
    bool has(int space) const { return origin[space] >= begin && origin[space] < end; }
  };
  void reach_peers();

  Target target_;
  std::vector<Core> cores_;
  Flat end_ = 0;
};

class LatePages;

class Memory {
 public:
  explicit Memory(MemoryMap map);
  Memory(Target target, std::uint32_t gm_bytes) : Memory(MemoryMap(target, gm_bytes)) {}
  ~Memory();
  Memory(Memory&&) noexcept;
  Memory& operator=(Memory&&) noexcept;

  const MemoryMap& map() const { return map_; }
  // Host address of flat byte 0; kSlack bytes behind the last byte may be read and rewritten unchanged. What is looked at
  // or changed through it has to be there: `need`.
  std::byte* base() { return bytes_.data(); }
  const std::byte* base() const { return bytes_.data(); }

  std::span<std::byte> bytes(Space space, std::uint32_t address, std::uint32_t size) {
    return at(map_.flat(space, address), size);
  }
  std::span<const std::byte> bytes(Space space, std::uint32_t address, std::uint32_t size) const {
    return at(map_.flat(space, address), size);
  }
  std::span<std::byte> bytes(const ByteRange& place) { return at(map_.flat(place), place.size); }
  std::span<const std::byte> bytes(const ByteRange& place) const { return at(map_.flat(place), place.size); }
  std::span<std::byte> at(Flat begin, std::uint32_t size) {
    need(begin, size);
    return {base() + begin, size};
  }
  std::span<const std::byte> at(Flat begin, std::uint32_t size) const {
    need(begin, size);
    return {base() + begin, size};
  }

  // What these pages of a fresh memory hold is made page by page, when it is needed first.
  void make_late(std::shared_ptr<const LatePages> pages);
  // Makes the pages of a range that wait to be made. By several threads at once as long as nobody writes.
  void need(Flat begin, std::uint64_t size) const {
    if (late_ != nullptr) make(begin, size);
  }
  // From now on the bytes of global memory that anybody needs are written to this list, in their order; null: to none.
  void note_needs(std::vector<FlatRange>* list);
  // Whether a page waits to be made.
  bool waits(std::uint32_t page) const;
  // So much was made, and takes memory of the host.
  std::size_t late_bytes() const;

  // One little-endian element of `size` (1, 2, 4, 8) bytes.
  std::uint64_t element(Space space, std::uint32_t address, std::uint32_t size, CoreId core = 0) const;
  // Of that place, be it half a byte: the other half stays as it is.
  std::uint64_t element(const ByteRange& place) const {
    return bits_in(element(place.space, place.address, place.size, place.core), place.part);
  }
  void set_element(Space space, std::uint32_t address, std::uint32_t size, std::uint64_t bits, CoreId core = 0);
  void set_element(const ByteRange& place, std::uint64_t bits);

  Definedness definedness(Flat flat) const;
  // Of a range: never written before unspecified before written.
  Definedness worst_definedness(Flat begin, std::uint32_t size) const;
  void mark(Flat begin, std::uint32_t size, Definedness what);
  // Both planes of one page, as they are kept in a snapshot: 2 x kPageBytes bits.
  static constexpr std::size_t kPlaneWords = kPageBytes / 64;
  std::span<std::uint64_t> written_plane(std::uint32_t page) { return {written() + page * kPlaneWords, kPlaneWords}; }
  std::span<std::uint64_t> unspecified_plane(std::uint32_t page) {
    return {unspecified() + page * kPlaneWords, kPlaneWords};
  }
  std::span<const std::uint64_t> written_plane(std::uint32_t page) const {
    return {written() + page * kPlaneWords, kPlaneWords};
  }
  std::span<const std::uint64_t> unspecified_plane(std::uint32_t page) const {
    return {unspecified() + page * kPlaneWords, kPlaneWords};
  }
  // True when every byte of the page is written and none unspecified: the usual page of a running program.
  bool page_is_whole(std::uint32_t page) const { return whole_[page] != 0; }
  // Puts back what was kept of a page: its bytes and both planes; no planes: it is whole.
  void put_page(std::uint32_t page, std::span<const std::byte> bytes, std::span<const std::byte> planes);
  // Whether a bit of the page's planes changed since somebody last said that it keeps them: so that a recorder need not
  // compare planes that nobody changed.
  bool planes_changed(std::uint32_t page) const { return planes_edits_[page] == PlanesEdits::Since; }
  void planes_kept(std::uint32_t page) {
    if (planes_changed(page)) planes_edits_[page] = PlanesEdits::Before;
  }
  // Before the first step of a core: memories that nobody uses cost nothing.
  void begin_core(CoreId core) {
    if (begun_[core] == 0) fill_core(core);
  }
  // Back to what the page held before anything ran; untouched: no byte of it was ever written since.
  void make_fresh(std::uint32_t page);
  bool untouched(std::uint32_t page) const;

 private:
  struct Late;
  static constexpr std::size_t kSlack = 1024;
  void make(Flat begin, std::uint64_t size) const;
  void fill_core(CoreId core);
  void planes_edited(std::uint32_t page);
  void mark_in_page(std::uint32_t page, std::uint64_t begin, std::uint64_t end, Definedness what);
  std::uint64_t* written() const { return reinterpret_cast<std::uint64_t*>(planes_.data()); }
  std::uint64_t* unspecified() const { return written() + std::size_t{map_.pages()} * kPlaneWords; }

  MemoryMap map_;
  HostPages bytes_, planes_;
  // Of the bits of a page's planes. Without any, nobody need look at them: looking costs host memory on some systems.
  enum class PlanesEdits : std::uint8_t { None, Before, Since };  // that somebody last said that it keeps them
  std::vector<std::uint8_t> whole_;                               // by page
  std::vector<PlanesEdits> planes_edits_;
  std::vector<std::uint8_t> begun_;  // by core
  std::unique_ptr<Late> late_;       // null: no page is ever made late
};

// As they stand before the first step, of all cores.
void set_special_registers(Memory& memory);

}  // namespace ts
