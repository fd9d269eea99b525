// TFILLPAD of a tile of L1, in its own place: zeros in the rows behind its valid ones, and in the columns of boxes that have no
// valid column. Lanes behind the last valid column of a block stay as they are.
#include <fmt/format.h>

#include <algorithm>

#include "core/cube/cube_machine.h"
#include "core/instructions/cube/cube_moves.h"

namespace ts {
namespace {

void zero_tails(CubeMachine& m, const Bound& bound) {
  const TileRef& tile = bound.tile("dst");
  const std::uint32_t wide = box_of(tile.type).cols, covered = (tile.valid_cols + wide - 1) / wide;
  for (std::uint32_t strip = 0; strip < tile.cols() / wide; ++strip) {
    const std::uint32_t first = strip < covered ? tile.valid_rows : 0;
    if (first < tile.rows()) m.zero_blocks(tile, tile.at(0, strip * wide) + first * BLK, tile.rows() - first);
  }
}

}  // namespace

bool pads_in_mat(const Bound& bound) {
  return bound.tile("dst").type.loc == TileLoc::Mat && bound.tile("src").type.loc == TileLoc::Mat;
}
const Machines* mat_pad(const Bound& bound) {
  static const Machines machines = cube_machines<zero_tails>();
  return pads_in_mat(bound) ? &machines : nullptr;
}

void mat_pad_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  check.need_same_type(check.own("R2"), "src", "dst");
  if (dst.type.layout_name() != "nz" || dst.type.fractal != 512 || !dst.type.in_boxes())
    check.error(check.own("R12"), "dst", fmt::format("dst is {}", dst.type.describe()),
                "a tile of mat is filled in nz boxes of 512 bytes");
  if (dst.address != src.address || dst.rows() != src.rows() || dst.cols() != src.cols() ||
      dst.valid_rows != src.valid_rows || dst.valid_cols != src.valid_cols)
    check.error(check.own("R10"), "dst",
                fmt::format("dst is {} at 0x{:x}, src {} at 0x{:x}", dst.type.describe(), dst.address,
                            src.type.describe(), src.address),
                "a tile of mat is filled in its own place: give one tile as both");
  if (dst.type.pad != PadKind::Null && dst.type.pad != PadKind::Zero)
    check.error(check.own("R8"), "dst", "the pad of dst is not zero",
                "a tile of mat is filled with zeros: pad=1, or 0");
}

}  // namespace ts
