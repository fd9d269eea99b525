// Which steps wrote a page, and where tiles stood: made of a whole recording once, when first asked for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/record/recording.h"

namespace ts {

class StepIndex {
 public:
  explicit StepIndex(const Recording& recording);

  // The last step before `position` that wrote one of these bytes.
  std::optional<std::uint32_t> last_write(Flat begin, Flat end, std::uint32_t position) const;
  // The first step from `position` on that writes one of these bytes.
  std::optional<std::uint32_t> next_write(Flat begin, Flat end, std::uint32_t position) const;
  // The last block before `position` began with this step: what the core's own memories held was lost there.
  std::optional<std::uint32_t> block_start(std::uint32_t position) const;
  // How steps saw a tile, from a position on; only where that differs from the use before.
  struct TileUse {
    std::uint32_t position;
    TileRef tile;
  };
  std::span<const TileUse> uses(std::uint32_t tile) const { return uses_[tile]; }
  // As it stands where nothing has moved it.
  TileRef declared(std::uint32_t tile) const;
  std::size_t held_bytes() const;

 private:
  std::span<const std::uint32_t> writers(std::uint32_t page) const {
    return {writers_.data() + first_writer_[page], first_writer_[page + 1] - first_writer_[page]};
  }
  std::optional<std::uint32_t> scan_back(Flat begin, Flat end, std::uint32_t first, std::uint32_t position) const;
  void index_writes();
  void index_tiles();
  void use(std::uint32_t tile, std::uint32_t position, const TileRef& place);
  void begin_block(std::uint32_t step);

  const Recording& recording_;
  std::vector<std::uint64_t> first_writer_;  // by page, into writers_
  std::vector<std::uint32_t> writers_;       // steps, ascending by page
  std::vector<std::uint32_t> block_starts_;
  std::vector<std::vector<TileUse>> uses_;  // by tile
  std::size_t use_count_ = 0;               // of all tiles
  // Answers given for a range: the same at all positions from `from` to `until`.
  struct LastWrite {
    std::optional<std::uint32_t> step = {};
    std::uint32_t from = 0, until = 0;
  };
  static constexpr std::size_t kMostKnown = 100'000;
  mutable std::map<std::pair<Flat, Flat>, LastWrite> known_;
};

// A memory of a core's own, which holds nothing when a block begins.
inline bool is_core_memory(Space space) { return space != Space::Gm && space != Space::Spr; }

// Whether a pattern touches [begin, end).
bool touches(const WritePattern& pattern, Flat begin, Flat end);
// Whether one of them does.
bool touch(std::span<const WritePattern> patterns, Flat begin, Flat end);
// Whether a step writes a byte of `place`.
bool writes_to(const Recording& recording, std::uint32_t step, ByteRange place);

}  // namespace ts
