// Tiles copied within UB, and tiles seen in another shape. TMOV: dst[r][c] = src[r][c] where both are valid.
// TRESHAPE: dst stands where src does; no byte moves.
#include <fmt/format.h>

#include "core/instructions/cube/cube_moves.h"
#include "core/instructions/cube/paths.h"
#include "core/instructions/transfer.h"
#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

struct Moved {
  TileRef dst, src;
  std::uint32_t rows, cols;
};
// Columns beside each other are the rows of the tile laid on its side.
TileRef lines_as_rows(TileRef tile) {
  if (!tile.type.col_major()) return tile;
  std::swap(tile.type.rows, tile.type.cols);
  std::swap(tile.type.valid_rows, tile.type.valid_cols);
  std::swap(tile.valid_rows, tile.valid_cols);
  tile.type.blayout = BoxOrder::RowMajor;
  return tile;
}
Moved moved(const Bound& bound) {
  const TileRef dst = lines_as_rows(in_bytes(bound.tile("dst"))), src = lines_as_rows(in_bytes(bound.tile("src")));
  return {dst, src, std::min(dst.valid_rows, src.valid_rows), std::min(dst.valid_cols, src.valid_cols)};
}

// 64-bit elements move as words, twice as many; those of 4 bits as bytes.
void tmov_a5(A5& m, const Bound& bound) {
  const Moved what = moved(bound);
  const bool words = m.bytes() == 8, pairs = is_packed(m.dtype());
  const AnyLane lane{words ? DType::U32 : pairs ? DType::U8 : m.dtype()};
  const std::uint32_t times = words ? 2 : 1, cols = what.cols * times;
  for (std::uint32_t row = 0; row < what.rows; ++row) {
    const std::uint32_t to = row * what.dst.row_stride() * times, from = row * what.src.row_stride() * times;
    std::uint32_t left = cols;
    for (std::uint32_t col = 0; col < cols; col += lane.lanes()) {
      const Pred active = m.plt(lane, left);
      const Ub src = what.src.ub();
      m.vsts(lane,
             words   ? m.vlds<std::uint32_t>(src, from + col)
             : pairs ? m.vlds<std::uint8_t>(src, from + col)
                     : m.vlds(src, from + col),
             what.dst.ub(), to + col, active);
    }
  }
}

// The hardware copies whole blocks. What is no whole block the emulator copies element by element, unless an option asks
// for what the hardware does.
void tmov_a2a3(A2A3& m, const Bound& bound) {
  const Moved what = moved(bound);
  const std::uint32_t size = m.bytes(), bytes = what.cols * size;
  if (what.rows == 0 || bytes == 0) return;
  const std::uint32_t d_pitch = what.dst.pitch_bytes() / BLK, s_pitch = what.src.pitch_bytes() / BLK;
  const std::uint32_t blocks = m.options().quirk_blocks ? (bytes + BLK - 1) / BLK : bytes / BLK;
  if (blocks == d_pitch && blocks == s_pitch) {
    m.copy_ubuf_to_ubuf(what.dst.ub(), what.src.ub(), 1, what.rows * blocks, 0, 0);
  } else if (blocks != 0) {
    m.copy_ubuf_to_ubuf(what.dst.ub(), what.src.ub(), what.rows, blocks, s_pitch - blocks, d_pitch - blocks);
  }
  const std::uint32_t done = blocks * BLK / size;
  for (std::uint32_t row = 0; row < what.rows && done < what.cols; ++row)
    m.emu_move({Space::Ub, what.dst.at(row, done), size}, {Space::Ub, what.src.at(row, done), size}, what.cols - done);
}

// A2A3 copies their blocks one after the other, whatever of them is valid. For A5 the assembler lays both tiles on their
// sides first.
void column_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  if (check.target() == Target::A5) {
    for (const char* tile : {"dst", "src"}) {
      const TileType& type = check.tile(tile).type;
      if (type.valid_rows != kDynamic && type.valid_cols != kDynamic) continue;
      return check.warn(check.own("W1"), tile, fmt::format("{} is col_major and its valid shape is dynamic", tile),
                        "static valid shapes are known to work; of dynamic ones no document tells");
    }
    return;
  }
  const std::uint32_t rows = std::min(dst.valid_rows, src.valid_rows), cols = std::min(dst.valid_cols, src.valid_cols);
  if (cols == dst.cols() && (rows == dst.rows() || dst.cols() == 1)) return;
  check.error(check.own("R9"), "dst",
              fmt::format("{}x{} of a col_major {}x{} tile move", rows, cols, dst.rows(), dst.cols()),
              "a2a3 copies whole blocks one after the other: make all of it valid, or the tile one column");
}
// Within UB, row by row or column by column.
void tmov_rules(RuleCheck& check) {
  if (moves_on_cube(check.bound())) return tmov_on_cube_rules(check);
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  check_no_fixpipe(check);
  same_types(check, {"src"});
  const bool columns = dst.type.col_major() && src.type.col_major();
  if (!columns) row_major(check, {"dst", "src"});
  if (columns) column_rules(check);
  if (check.target() == Target::A2A3 && (dst.rows() != src.rows() || dst.cols() != src.cols()))
    check.error(check.own("R8"), "dst",
                fmt::format("dst is {}x{}, src {}x{}", dst.rows(), dst.cols(), src.rows(), src.cols()),
                "make the static shapes equal; valid shapes may differ");
  may_be_in_place(check, {"src"});
}

void nothing_a5(A5&, const Bound&) {}
void nothing_a2a3(A2A3&, const Bound&) {}

void treshape_rules(RuleCheck& check) {
  const TileType &dst = check.tile("dst").type, &src = check.tile("src").type;
  if (dst.loc != src.loc)
    check.error(check.own("R8"), "dst", fmt::format("dst is in {}, src in {}", name(dst.loc), name(src.loc)),
                "move the data with an instruction");
  if (dst.size_bytes() != src.size_bytes())
    check.error(check.own("R9"), "dst", fmt::format("dst has {} bytes, src {}", dst.size_bytes(), src.size_bytes()),
                "rows * columns * element size must be the same");
  if (dst.boxed() != src.boxed())
    check.error(check.own("R10"), "dst", fmt::format("dst is {}, src {}", dst.layout_name(), src.layout_name()),
                "boxes order their elements differently: both have them, or none");
}

const InstructionRow tmov{
    .name = "tmov",
    .summary = "Copies the valid region of a tile into another one.",
    .forms = {{"plain", {any_in("src"), any_out("dst")}, "TMOV(dst, src)"},
              {"scalar", {any_in("src"), scalar("factor"), any_out("dst")}, "TMOV(dst, src, preQuantScalar)"},
              {"columns",
               {{.name = "src", .role = Role::In, .any_loc = true, .overwritten = true}, any_in("fp"), any_out("dst")},
               "TMOV_FP(dst, src, fp)"}},
    .attributes = {{"reluPreMode", "no_relu|normal_relu"},
                   {"accToVecMode", "single_mode_vec0|single_mode_vec1|dual_mode_split_m|dual_mode_split_n"},
                   {"grpAxis", "1|0"}},
    .typed_by = "dst",
    .types = every_type,
    .pipe_of = tmov_pipe,
    .draw = Drawing::Lanes,
    .rules = tmov_rules,
    .data_rules = fixpipe_data_rules<source_window>,
    .waits = tmov_on_cube_waits,
    .stations = stations_of<source_window>,
    .moves = true,
    .machines = machines_of<tmov_a5, tmov_a2a3>(),
    .other_machines = tmov_on_cube,
};
const InstructionRow treshape{
    .name = "treshape",
    .summary = "Looks at the bytes of a tile with another shape; no byte moves.",
    .forms = {{"", {any_in("src"), any_out("dst")}, "TRESHAPE(dst, src)"}},
    .typed_by = "dst",
    .types = any_bits,
    .pipe = Pipe::None,
    .effect = Effect::BindsAddress,
    .rules = treshape_rules,
    .moves = true,
    .machines = machines_of<nothing_a5, nothing_a2a3>(),
};

const Registered registered[] = {Registered(tmov), Registered(treshape)};

}  // namespace
}  // namespace ts
