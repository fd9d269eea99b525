// Which block wrote to which piece of global memory: blocks share nothing as long as none needs a piece that another wrote.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/engine/write_log.h"
#include "core/memory/memory.h"

namespace ts {

class BlockOwners {
 public:
  static constexpr std::uint32_t kMostBlocks = 0xFFFE;
  explicit BlockOwners(const MemoryMap& map)
      : begin_(map.origin(Space::Gm)), owner_((map.end() - begin_) / kPieceBytes + 1, kNobody) {}

  // What is not in global memory is nobody else's anyway.
  void wrote(std::uint32_t block, std::span<const WritePattern> writes) {
    for (const WritePattern& pattern : writes)
      if (pattern.base >= begin_)
        for_runs(pattern, [&](Flat base, std::uint32_t size) {
          for (std::uint32_t piece = piece_of(base); piece <= piece_of(base + size - 1); ++piece) take(piece, block);
        });
  }
  // Whether another block wrote to one of these bytes, or close to them.
  bool is_of_another(std::uint32_t block, FlatRange range) const {
    for (std::uint32_t piece = piece_of(range.begin); piece <= piece_of(range.end - 1); ++piece)
      if (owner_[piece] != kNobody && owner_[piece] != block + 1) return true;
    return false;
  }

 private:
  // Elements of one line mostly belong to the same block.
  static constexpr std::uint32_t kPieceBytes = 64;
  static constexpr std::uint16_t kNobody = 0, kSeveral = 0xFFFF;

  std::uint32_t piece_of(Flat at) const { return (at - begin_) / kPieceBytes; }
  void take(std::uint32_t piece, std::uint32_t block) {
    const auto own = static_cast<std::uint16_t>(block + 1);
    owner_[piece] = owner_[piece] == kNobody || owner_[piece] == own ? own : kSeveral;
  }

  Flat begin_;
  std::vector<std::uint16_t> owner_;  // by piece: one more than the block's number
};

}  // namespace ts
