// From where to where in a program's code the bytes of a tile are needed: tiles that are never needed at the same time may
// stand on the same bytes.
#pragma once

#include <vector>

#include "core/program/program.h"

namespace ts {

class TileLives {
 public:
  // Every tile is needed all the time.
  TileLives() = default;
  // By the paths that its code may take. A tile that is read where nothing wrote all of it before, or whose address is
  // used as a number, is needed all the time: so bytes that nobody wrote are seen as such. So is one with a result that
  // nobody reads. With `padding`, all of it is the tile, else its valid region, and what is read of the rest may be
  // another tile's.
  TileLives(const Program& program, bool padding);

  bool some_share() const { return !ranges_.empty(); }
  bool may_share(std::uint32_t tile, std::uint32_t other) const;

 private:
  // Operations of the code, [begin, end).
  struct Range {
    std::uint32_t begin, end;
  };
  std::vector<std::vector<Range>> ranges_;  // by tile, ascending; none: all the time
};

}  // namespace ts
