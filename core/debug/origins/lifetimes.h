// When tiles use which bytes of a core's memories: what a map of address against time is drawn from.
//
// A tile's bytes are in use from a write or read of it to its last use. Where the tile is written anew, whole, after
// another tile has used some of its bytes, a new life begins: a buffer that takes turns with another one is no overlap.
// Lives that do cross are: there, a tile was still to be read when something else stood in its bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record/recording.h"

namespace ts {

// Time in halves of steps: step s reads in half 2s and writes in half 2s + 1, so that a result may take the place of an
// operand that is read for the last time. [begin, end).
struct HalfSteps {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t first_step() const { return begin / 2; }
  std::uint32_t last_step() const { return (end - 1) / 2; }
  bool holds(std::uint32_t half) const { return begin <= half && half < end; }
  bool operator==(const HalfSteps&) const = default;
};

// A tile where it stood, and its lives there.
struct TilePlace {
  std::uint32_t tile = 0;
  ByteRange bytes;  // from its first to its last; a part of another tile may leave some in between
  std::size_t first_life = 0, life_count = 0;
};

// Bytes that two tiles use at once which were not made to share them. (Aliases, such as subviews, were.)
struct Overlap {
  std::uint32_t a = 0, b = 0;  // places; the one at the lower address first
  ByteRange bytes;
  std::size_t first_time = 0, time_count = 0;
};

// A memory that tiles were used in.
struct MemoryUse {
  Space space = Space::Ub;
  CoreId core = 0;                   // that has it
  std::uint32_t capacity = 0;        // of the target
  std::uint32_t used = 0;            // bytes that belonged to a tile at any time
  std::uint64_t highest_end = 0;     // the address behind the last of them
  std::uint32_t most_live = 0;       // bytes in use at once, at most
  std::uint32_t most_live_step = 0;  // where that was first so
  std::uint32_t first_place = 0, end_place = 0;
  std::size_t first_overlap = 0, end_overlap = 0;
  bool over_capacity() const { return highest_end > capacity; }
};

class Lifetimes {
 public:
  // Nothing when `go_on` said no.
  static std::optional<Lifetimes> make(const Recording& recording, const std::function<bool()>& go_on = {});

  // Core by core, in the order of the enumeration; only those in use.
  std::span<const MemoryUse> memories() const { return memories_; }
  const MemoryUse* memory(Space space, CoreId core = 0) const;  // null: no tile was used there
  // By memory, then by address, then by tile.
  std::span<const TilePlace> places() const { return places_; }
  std::span<const TilePlace> places(const MemoryUse& memory) const {
    return places().subspan(memory.first_place, memory.end_place - memory.first_place);
  }
  // Ascending, apart from each other.
  std::span<const HalfSteps> lives(const TilePlace& place) const {
    return std::span(lives_).subspan(place.first_life, place.life_count);
  }
  std::span<const Overlap> overlaps() const { return overlaps_; }
  std::span<const Overlap> overlaps(const MemoryUse& memory) const {
    return overlaps().subspan(memory.first_overlap, memory.end_overlap - memory.first_overlap);
  }
  std::span<const HalfSteps> times(const Overlap& overlap) const {
    return std::span(overlap_times_).subspan(overlap.first_time, overlap.time_count);
  }
  // False: so many overlaps that the rest was left out.
  bool complete() const { return complete_; }

  // Where a tile stands at an address of a core; null: it was never used there.
  const TilePlace* find(std::uint32_t tile, std::uint32_t address, CoreId core = 0) const;
  // The tile whose bytes an alias stands in, or the tile itself.
  std::uint32_t root(std::uint32_t tile) const { return roots_[tile]; }

  std::size_t bytes() const;

 private:
  struct Maker;
  static constexpr std::size_t kMostOverlapTimes = 2'000'000;
  std::vector<MemoryUse> memories_;
  std::vector<TilePlace> places_;
  std::vector<HalfSteps> lives_;
  std::vector<Overlap> overlaps_;
  std::vector<HalfSteps> overlap_times_;
  std::vector<std::uint32_t> roots_;  // by tile
  bool complete_ = true;
};

// The first of ascending times that ends behind `half`; their end when there is none.
std::size_t first_ending_behind(std::span<const HalfSteps> times, std::uint32_t half);

// The tiles that share bytes on purpose, by tile: the one they are all parts of. Aliases of what only running tells
// stand alone.
std::vector<std::uint32_t> alias_roots(const Program& program);

}  // namespace ts
