// Tiles of the cube core's memories, and programs of them.
#pragma once

#include "core/program/builder.h"
#include "tests/support/random.h"

namespace ts::test {

// A tile of whole boxes around the valid region, laid out as the memory has it.
TileType cube_tile(TileLoc loc, DType type, std::uint32_t rows, std::uint32_t cols, Target target);

// Shared exponents of a left operand (zz) or of a right one (nn), where the cube core reads them or, in mat, before.
TileType scale_tile(TileLoc loc, bool left, std::uint32_t rows, std::uint32_t cols);

// How the elements of a tile stand: in rows, in columns, in boxes of 512 bytes, in those of sums, of exponents.
enum class TileOrder : std::uint8_t { Rows, Cols, Nz, Zn, Zz, Nn, Sums, LeftScales, RightScales };
constexpr TileOrder kTileOrders[] = {TileOrder::Rows, TileOrder::Cols,       TileOrder::Nz,
                                     TileOrder::Zn,   TileOrder::Zz,         TileOrder::Nn,
                                     TileOrder::Sums, TileOrder::LeftScales, TileOrder::RightScales};
TileType ordered_tile(TileLoc loc, DType type, TileOrder order, std::uint32_t rows, std::uint32_t cols);

// The usual ones, for rules.
namespace cube {
inline TileType left(Target target, DType type = DType::F16, std::uint32_t rows = 32, std::uint32_t cols = 32) {
  return cube_tile(TileLoc::Left, type, rows, cols, target);
}
inline TileType right(DType type = DType::F16, std::uint32_t rows = 32, std::uint32_t cols = 32) {
  return cube_tile(TileLoc::Right, type, rows, cols, Target::A5);
}
inline TileType acc(DType type = DType::F32, std::uint32_t rows = 32, std::uint32_t cols = 32) {
  return cube_tile(TileLoc::Acc, type, rows, cols, Target::A5);
}
inline TileType mat(DType type = DType::F16, std::uint32_t rows = 64, std::uint32_t cols = 64) {
  return cube_tile(TileLoc::Mat, type, rows, cols, Target::A5);
}
inline TileType bias_row(DType type = DType::F32, std::uint32_t cols = 32) {
  return cube_tile(TileLoc::Bias, type, 1, cols, Target::A5);
}
inline TileType factors(std::uint32_t cols = 32, DType type = DType::U64) {
  return cube_tile(TileLoc::Scaling, type, 1, cols, Target::A5);
}
}  // namespace cube

class CubeBuilder {
 public:
  CubeBuilder(Target target, Random& random) : target_(target), random_(random), builder_(target, "cube") {}
  ProgramBuilder& program() { return builder_; }
  // At a random place from `first_free` on; its valid region is known from the type or not.
  TileId tile(const char* name, TileType type, std::uint32_t first_free = 0);
  TileId tile(const char* name, TileLoc loc, DType type, std::uint32_t rows, std::uint32_t cols,
              std::uint32_t first_free = 0) {
    return tile(name, cube_tile(loc, type, rows, cols, target_), first_free);
  }

 private:
  Target target_;
  Random& random_;
  ProgramBuilder builder_;
};

}  // namespace ts::test
