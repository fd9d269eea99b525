// Simple placement: tile by tile, the lowest bytes that nobody else needs while it does.
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

class SpacePlacer {
 public:
  SpacePlacer(Program& program, const TileLives& lives, Space space, CoreKind kind, const std::vector<char>& placed)
      : program_(program), lives_(lives), space_(space) {
    for (std::uint32_t i = 0; i < program.tiles.size(); ++i)
      if (placed[i] && !program.tiles[i].alias && program.tiles[i].type.space() == space &&
          program.tiles[i].kind == kind)
        take(i);
  }

  bool place(std::uint32_t number) {
    TileDecl& tile = program_.tiles[number];
    const std::uint64_t size = rounded(tile.type.size_bytes(), alignment(space_));
    const std::uint64_t at = lives_.some_share() ? lowest(number, size) : next(size);
    if (at + size > automatic_limit(program_.target, space_)) return false;
    tile.address = static_cast<std::uint32_t>(at);
    used_ = std::max(used_, at + size);
    if (lives_.some_share()) take(number);
    return true;
  }

  std::uint64_t used() const { return used_; }

 private:
  struct Taken {
    std::uint64_t begin, end;
    std::uint32_t tile;
  };

  void take(std::uint32_t number) {
    const TileDecl& tile = program_.tiles[number];
    const Taken taken{tile.address, tile.address + tile.type.size_bytes(), number};
    taken_.insert(std::ranges::upper_bound(taken_, taken.begin, {}, &Taken::begin), taken);
  }

  std::uint64_t lowest(std::uint32_t number, std::uint64_t size) const {
    std::uint64_t at = 0;
    for (auto other = taken_.begin(); other != taken_.end() && other->begin < at + size; ++other)
      if (other->end > at && !lives_.may_share(number, other->tile)) at = rounded(other->end, alignment(space_));
    return at;
  }

  // Behind all that were placed before, and around what the author has placed himself.
  std::uint64_t next(std::uint64_t size) {
    std::uint64_t at = rounded(used_, alignment(space_));
    for (; passed_ < taken_.size() && taken_[passed_].begin < at + size; ++passed_)
      if (taken_[passed_].end > at) at = rounded(taken_[passed_].end, alignment(space_));
    return at;
  }

  Program& program_;
  const TileLives& lives_;
  Space space_;
  std::vector<Taken> taken_;  // ascending; where none share, only those that the author placed
  std::size_t passed_ = 0;
  std::uint64_t used_ = 0;  // up to there, by tiles that were placed here
};

std::string largest_tiles(const Program& program, Space space) {
  std::vector<const TileDecl*> tiles;
  for (const TileDecl& tile : program.tiles)
    if (!tile.alias && tile.type.space() == space) tiles.push_back(&tile);
  std::ranges::stable_sort(tiles, std::greater{}, [](const TileDecl* tile) { return tile->type.size_bytes(); });
  std::string text;
  for (std::size_t i = 0; i < std::min(tiles.size(), kMostNamed); ++i)
    text += fmt::format("{}%{} {}", i == 0 ? "" : ", ", tiles[i]->name, tiles[i]->type.size_bytes());
  if (tiles.size() > kMostNamed) text += fmt::format(" and {} more", tiles.size() - kMostNamed);
  return text;
}

}  // namespace

namespace {

// Of the cores of one kind, in one of their memories. False: there is no room, which was told.
bool place_in(Program& program, const TileLives& lives, Space space, CoreKind kind, const std::vector<char>& placed,
              const std::vector<char>& never_touched, Diagnostics& out) {
  SpacePlacer placer(program, lives, space, kind, placed);
  for (const bool scratch : {false, true}) {
    for (std::uint32_t i = 0; i < program.tiles.size(); ++i) {
      const TileDecl& tile = program.tiles[i];
      if (placed[i] || tile.alias || tile.kind != kind || tile.type.space() != space ||
          scratch != (never_touched[i] != 0) || placer.place(i) || scratch)
        continue;
      out.push_back(
          {"E-PLACE",
           Severity::Error,
           {},
           tile.name,
           fmt::format("no room for %{} ({} bytes) in {}: {} of {} used", tile.name, tile.type.size_bytes(),
                       name(space), placer.used(), automatic_limit(program.target, space)),
           (program.options.placement_keep
                ? "--placement reuse lets tiles share bytes that are not needed at the same time; the largest are "
                : "too many are needed at the same time: make them smaller, or use one again; the largest are ") +
               largest_tiles(program, space)});
      return false;
    }
  }
  return true;
}

}  // namespace

void place_tiles(Program& program, const TileLives& lives, const std::vector<char>& placed,
                 const std::vector<char>& never_touched, Diagnostics& out) {
  for (int s = 0; s < kSpaces; ++s)
    for (const CoreKind kind : {CoreKind::Joint, CoreKind::Cube, CoreKind::Vector})
      if (!place_in(program, lives, static_cast<Space>(s), kind, placed, never_touched, out)) return;
}

}  // namespace ts
