// Every state of the memories over a recording: per page a sorted list of versions, so that any position is one binary
// search per page away, and backwards costs what forwards costs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/write_log.h"
#include "core/memory/arena.h"
#include "core/memory/memory.h"

namespace ts {

// A page as it is from `position` on. Position p is the state after p steps.
struct PageVersion {
  std::uint32_t position;
  std::uint32_t bytes;   // arena offset / kUnit
  std::uint32_t planes;  // the same, of the definedness planes; or kWhole
};

class Timeline {
 public:
  static constexpr std::uint32_t kUnit = 64;             // snapshots are aligned to host cache lines
  static constexpr std::uint32_t kWhole = 0xFFFFFFFFu;   // every byte written, none unspecified
  static constexpr std::uint32_t kPlanesBytes = 2 * kPageBytes / 8;

  Timeline(const MemoryMap& map, std::size_t budget_bytes);

  // Takes these pages, where they differ from their last version, as they are from `position` on. Sorted runs are best.
  // False when the budget is used up; nothing of `position` is kept then.
  bool commit(Memory& memory, std::uint32_t position, std::span<const std::uint32_t> pages);
  // All pages that differ from a fresh memory: the state at position 0.
  bool commit_start(Memory& memory);

  // Puts a page of `memory` back to its last version; a page without one becomes fresh.
  void restore_last(Memory& memory, std::uint32_t page) const;
  // The number of versions of `page` at `position`, 0 when it still is fresh.
  std::uint32_t version_at(std::uint32_t page, std::uint32_t position) const;
  // Puts version number `version` (from version_at) of a page into `memory`.
  void load(Memory& memory, std::uint32_t page, std::uint32_t version) const;

  std::uint32_t pages() const { return static_cast<std::uint32_t>(versions_.size()); }
  std::span<const PageVersion> versions(std::uint32_t page) const { return versions_[page]; }
  std::span<const std::byte> bytes(const PageVersion& version) const { return {arena_.at(std::size_t{version.bytes} * kUnit), kPageBytes}; }
  // The two planes, written before unspecified; empty when the page is whole.
  std::span<const std::byte> planes(const PageVersion& version) const;
  std::size_t used_bytes() const { return arena_.used(); }
  Arena& arena() { return arena_; }

 private:
  bool commit_run(Memory& memory, std::uint32_t position, std::uint32_t first, std::uint32_t count);
  void forget(std::uint32_t position, std::span<const std::uint32_t> pages);
  bool same_bytes_as_last(const Memory& memory, std::uint32_t page) const;
  bool keep_planes(Memory& memory, std::uint32_t page, PageVersion& version);
  void make_fresh(Memory& memory, std::uint32_t page) const;

  MemoryMap map_;
  Arena arena_;
  std::vector<std::vector<PageVersion>> versions_;
  std::vector<std::uint64_t> sample_;  // by page: a few words of its last version
};

}  // namespace ts
