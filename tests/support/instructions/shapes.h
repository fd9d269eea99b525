// Random tiles: static shapes with padding, valid shapes known or not known from the type, and places in memory.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/program/builder.h"
#include "tests/support/random.h"

namespace ts::test {

inline std::uint32_t rounded_up(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

struct Valid {
  std::uint32_t rows = 0, cols = 0;
};

// So many elements fill a block.
inline std::uint32_t block_elements(DType type) { return static_cast<std::uint32_t>(elements_in(type, BLK)); }

// Valid shapes of all sorts: one row, one column, tall, wide, around whole registers, small; sometimes with no element.
// A tile of `elem_bytes` elements just wide enough stays below `most_bytes`.
Valid random_valid(Random& random, std::uint32_t elem_bytes, std::uint32_t most_bytes);

// A tile that is to hold `valid`, and where. Rows and columns beyond the valid ones are padding.
struct TilePlan {
  std::string name;
  TileType type;
  Valid valid;
  std::uint32_t reserved_bytes = 0;  // what the instruction really reads or writes when that is more than the tile
  int in_place_of = -1;              // index of the plan whose address it shares
};

// All of a tile.
inline TilePlan whole_tile(std::string name, const TileType& type) {
  return {std::move(name), type, {type.rows, type.cols}};
}

// A row-major tile around `valid`, each valid dimension static or dynamic. `least_cols`: at least so wide.
TilePlan random_tile(Random& random, std::string name, DType type, Valid valid, std::uint32_t least_cols = 1);

// The same with rows and columns swapped, col-major.
TilePlan on_its_side(TilePlan plan);
TileType col_major(TileType type);
// A tile of 512-byte boxes; rows and cols are whole boxes.
TileType boxed(TileLoc loc, DType type, std::uint32_t rows, std::uint32_t cols, BoxOrder outer, InnerOrder inner);

// A packed mask for `valid`. Its element type and valid shape mean nothing; its pitch is what counts. `narrow`: too
// small, so that the bits come from wherever the addresses lead.
TilePlan random_mask(Random& random, Valid valid, bool narrow);

// Adds the tiles to the program at random block-aligned places where they do not overlap. The end of UB stays free:
// loads may read past a tile, and scratch that a program does not name needs a place.
std::vector<TileId> add_tiles(ProgramBuilder& builder, Random& random, Target target,
                              const std::vector<TilePlan>& plans);

// Element bits: plain numbers of similar size, any bits at all, or the special values of floats.
enum class Values : std::uint8_t { Plain, AnyBits, Special };
std::uint64_t random_element(Random& random, DType type, Values values);

}  // namespace ts::test
