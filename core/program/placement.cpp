// Simple placement: no place is used twice, so that a tile stands where it stands in every picture.
#include "core/program/placement.h"

#include <fmt/format.h>

#include <algorithm>

namespace ts {
namespace {

// The assembler keeps the last 8 KiB of A5's UB for itself; explicit addresses may use them.
constexpr std::uint32_t kA5AutoLimit = 248 * 1024;
constexpr std::size_t kMostNamed = 8;

std::uint64_t rounded(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

// As the assembler's planner aligns.
std::uint32_t alignment(Space space) {
  return space == Space::L0a || space == Space::L0b || space == Space::L0c ? 512 : BLK;
}

std::uint32_t automatic_limit(Target target, Space space) {
  return target == Target::A5 && space == Space::Ub ? kA5AutoLimit : capacity_bytes(target, space);
}

struct Interval {
  std::uint64_t begin, end;
};

class SpacePlacer {
 public:
  SpacePlacer(Program& program, Space space, const std::vector<char>& placed) : program_(program), space_(space) {
    for (std::size_t i = 0; i < program.tiles.size(); ++i) {
      const TileDecl& tile = program.tiles[i];
      if (placed[i] && !tile.alias && space_of(tile.type.loc) == space)
        taken_.push_back({tile.address, tile.address + tile.type.size_bytes()});
    }
    std::ranges::sort(taken_, {}, &Interval::begin);
  }

  bool place(TileDecl& tile) {
    const std::uint64_t size = rounded(tile.type.size_bytes(), alignment(space_));
    std::uint64_t at = rounded(next_, alignment(space_));
    // Around what the author has placed himself.
    for (; taken_at_ < taken_.size() && taken_[taken_at_].begin < at + size; ++taken_at_)
      if (taken_[taken_at_].end > at) at = rounded(taken_[taken_at_].end, alignment(space_));
    if (at + size > automatic_limit(program_.target, space_)) return false;
    tile.address = static_cast<std::uint32_t>(at);
    next_ = at + size;
    return true;
  }

  std::uint64_t used() const { return next_; }

 private:
  Program& program_;
  Space space_;
  std::vector<Interval> taken_;
  std::size_t taken_at_ = 0;
  std::uint64_t next_ = 0;
};

std::string largest_tiles(const Program& program, Space space) {
  std::vector<const TileDecl*> tiles;
  for (const TileDecl& tile : program.tiles)
    if (!tile.alias && space_of(tile.type.loc) == space) tiles.push_back(&tile);
  std::ranges::stable_sort(tiles, std::greater{}, [](const TileDecl* tile) { return tile->type.size_bytes(); });
  std::string text;
  for (std::size_t i = 0; i < std::min(tiles.size(), kMostNamed); ++i)
    text += fmt::format("{}%{} {}", i == 0 ? "" : ", ", tiles[i]->name, tiles[i]->type.size_bytes());
  if (tiles.size() > kMostNamed) text += fmt::format(" and {} more", tiles.size() - kMostNamed);
  return text;
}

}  // namespace

void place_tiles(Program& program, const std::vector<char>& placed, const std::vector<char>& never_touched,
                 Diagnostics& out) {
  for (int s = 0; s < kSpaces; ++s) {
    const auto space = static_cast<Space>(s);
    SpacePlacer placer(program, space, placed);
    for (const bool scratch : {false, true}) {
      for (std::size_t i = 0; i < program.tiles.size(); ++i) {
        TileDecl& tile = program.tiles[i];
        if (placed[i] || tile.alias || space_of(tile.type.loc) != space || scratch != (never_touched[i] != 0) ||
            placer.place(tile) || scratch)
          continue;
        out.push_back({"E-PLACE",
                       Severity::Error,
                       {},
                       tile.name,
                       fmt::format("no room for %{} ({} bytes) in {}: {} of {} used", tile.name, tile.type.size_bytes(),
                                   name(space), placer.used(), automatic_limit(program.target, space)),
                       "give tiles explicit addresses where their lifetimes do not overlap; the largest are " +
                           largest_tiles(program, space)});
        return;
      }
    }
  }
}

}  // namespace ts
