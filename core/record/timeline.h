// Every state of the memories over a recording: per page a sorted list of versions, so that any position is one binary
// search per page away, and backwards costs what forwards costs. When the budget is used up, older positions are thinned.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/memory/arena.h"
#include "core/memory/memory.h"
#include "core/record/page_source.h"
#include "core/record/page_version.h"

namespace ts {

// A page that a step may have changed: its definedness, and its bytes in [begin, end), counted from the page's start.
struct TouchedPage {
  std::uint32_t page;
  std::uint32_t begin = 0, end = kPageBytes;
};

// Which positions can still be loaded: those from `dense_start` on, and before it the keyframes, every `interval`-th.
// The others are had by running the steps since the keyframe before them.
struct Thinning {
  std::uint32_t interval = 1, dense_start = 0;
  std::uint32_t times = 0;  // how often snapshots were thinned so far
  explicit operator bool() const { return times != 0; }
  // The nearest position at or before `position` that can be loaded.
  std::uint32_t keyframe(std::uint32_t position) const {
    return position < dense_start ? position / interval * interval : position;
  }
};

// Whether a version stays when a timeline is thinned: it is the one that is loaded at a keyframe, or it is of the dense
// part. `next` is the position of the page's next version, or beyond everything.
bool stays(const PageVersion& version, std::uint64_t next, const Thinning& thinning);

class PageCache;
class UsedUnits;

class Timeline {
 public:
  static constexpr std::uint32_t kUnit = 64;            // snapshots are aligned to host cache lines
  static constexpr std::uint32_t kWhole = 0xFFFFFFFFu;  // every byte written, none unspecified

  Timeline(const MemoryMap& map, std::size_t budget_bytes);
  // Of a recording that is over: its versions are read when they are asked for. Nothing can be committed to it. May be
  // read by several threads at once.
  Timeline(const MemoryMap& map, const Thinning& thinning, PagesElsewhere pages);
  ~Timeline();

  // Snapshots and versions may take no more than this from now on; only ever less than before.
  void limit(std::size_t budget_bytes) { budget_ = budget_bytes; }
  // Takes these pages, where they differ from their last version, as they are from `position` on. Sorted runs are best.
  // Thins older positions when the budget is used up; false, with nothing changed, when that is not enough.
  bool commit(Memory& memory, std::uint32_t position, std::span<const TouchedPage> pages);
  // What these pages hold where they have no version.
  void begin_late(std::shared_ptr<const LatePages> pages) { late_ = std::move(pages); }
  bool starts_late(std::uint32_t page) const;
  // The bytes of a page without a version, from its byte `first` on.
  void read_fresh(std::uint32_t page, std::uint32_t first, std::span<std::byte> out) const;
  // All pages that differ from a fresh memory: the state at position 0.
  bool commit_start(Memory& memory);

  // Puts a page of `memory` back to its last version; a page without one becomes fresh.
  void restore_last(Memory& memory, std::uint32_t page) const;
  // The number of versions of `page` at `position`, 0 when it still is fresh. The position must be one that can be loaded.
  std::uint32_t version_at(std::uint32_t page, std::uint32_t position) const;
  bool is_version_at(std::uint32_t page, std::uint32_t version, std::uint32_t position) const;
  // Puts version number `version` (from version_at) of a page into `memory`.
  void load(Memory& memory, std::uint32_t page, std::uint32_t version) const;
  // Puts every page of `memory` to what it is at a position that can be loaded. `held`: by page, which version is there,
  // before and behind; kNoVersion: none that is known.
  static constexpr std::uint32_t kNoVersion = ~0u;
  void load_all(Memory& memory, std::uint32_t position, std::span<std::uint32_t> held) const;
  // Bytes as they are at a position that can be loaded.
  void read(std::uint32_t position, Flat begin, std::span<std::byte> out) const;
  // Of a range: never written before unspecified before written.
  Definedness worst_definedness(std::uint32_t position, Flat begin, std::uint32_t size) const;
  // What each byte is worth, from `begin` on.
  void read_worth(std::uint32_t position, Flat begin, std::span<Definedness> out) const;

  // Every thinning renumbers the versions.
  const Thinning& thinning() const { return thinning_; }
  std::uint32_t pages() const { return map_.pages(); }
  std::span<const PageVersion> versions(std::uint32_t page) const { return list(page); }
  // Of number `version`, from 1 on.
  PageContent content(std::uint32_t page, std::uint32_t version) const;
  // Whether something that was asked for could not be read: it is shown as never written.
  bool is_damaged() const;
  // Of a version in memory: the two planes, written before unspecified; empty when the page is whole.
  std::span<const std::byte> planes(const PageVersion& version) const;
  std::size_t used_bytes() const;
  // What it takes of the host at most, with its lists; and a memory that holds any of its positions.
  std::size_t held_bytes() const;
  std::size_t memory_bytes() const;
  // The recording is over: memory that was got ready for more of it goes back.
  void settle() { arena_.settle(); }
  Arena& arena() { return arena_; }

 private:
  const std::vector<PageVersion>& list(std::uint32_t page) const;
  void keep(Memory& memory, std::uint32_t position, std::span<const TouchedPage> pages);
  void keep_run(Memory& memory, std::uint32_t position, std::span<const TouchedPage> run);
  void keep_pages(Memory& memory, std::uint32_t position, std::span<const TouchedPage> run);
  void keep_rest(Memory& memory, std::uint32_t position, const TouchedPage& touched);
  bool is_new(const Memory& memory, const TouchedPage& touched);
  std::uint32_t keep_pieces(const Memory& memory, const TouchedPage& touched, const PageVersion& last);
  std::uint32_t keep_planes(Memory& memory, std::uint32_t page);
  void add_version(std::uint32_t page, const PageVersion& version);
  void touch(std::uint32_t page);

  bool thin(std::uint32_t newest, std::size_t room);
  std::uint32_t dense_start_for(std::size_t dense_bytes, std::uint32_t newest) const;
  template <class Keep>
  std::size_t bytes_of(Keep keep) const;
  // Where the pieces of a page are told, and where they stand.
  using Places = std::array<std::uint32_t, kPiecesOfPage>;
  std::byte* at(std::uint32_t unit) const { return arena_.at(std::size_t{unit} * kUnit); }
  std::uint32_t unit_of(const std::byte* place) const {
    return static_cast<std::uint32_t>(arena_.offset(place) / kUnit);
  }
  Places places(const PageVersion& version) const;
  void drop_versions(const Thinning& thinning);
  void compact();
  void tell_moved(const UsedUnits& used);

  MemoryMap map_;
  Arena arena_;
  std::size_t budget_;
  std::vector<std::vector<PageVersion>> versions_;
  std::size_t version_count_ = 0;
  // The big pages of the host (host_pages.h) that a memory has touched: each costs as a whole.
  std::vector<bool> touched_;
  std::size_t touched_count_ = 0;
  std::vector<std::uint64_t> sample_;  // by page: a few words of its last version
  Thinning thinning_;
  std::shared_ptr<const LatePages> late_;  // null: there are none
  std::unique_ptr<PageCache> elsewhere_;   // null: the versions are in the arena
  std::size_t elsewhere_bytes_ = 0;        // that it may come to hold
};

}  // namespace ts
