// TCONCAT: rows of src0, and behind each of them the same row of src1.
#include <fmt/format.h>

#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

// Whatever begins within a block goes through a stream, that keeps the bytes of a block until it is whole.
void tconcat_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst");
  const TileRef sources[] = {bound.tile("src0"), bound.tile("src1")};
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    A5::Align align = m.init_align();
    std::uint32_t to = row * dst.row_stride();
    for (const TileRef& src : sources)
      for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes()) {
        const std::uint32_t lanes = std::min(m.lanes(), src.valid_cols - col);
        align = m.vstus(align, lanes, m.vlds(src.ub(), row * src.row_stride() + col), dst.ub(), to);
        to += lanes;
      }
    m.vstas(align, dst.ub(), to);
  }
}

// Behind a part of a block no block can be copied.
void tconcat_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), first = bound.tile("src0"), second = bound.tile("src1");
  const bool whole_blocks = first.valid_cols * m.bytes() % BLK == 0;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    const Ub behind{dst.at(row, first.valid_cols)}, rest{second.at(row, 0)};
    copy_row(m, {dst.at(row, 0)}, {first.at(row, 0)}, first.valid_cols);
    if (whole_blocks) copy_row(m, behind, rest, second.valid_cols);
    else if (second.valid_cols != 0)
      m.emu_move({Space::Ub, behind.address, m.bytes()}, {Space::Ub, rest.address, m.bytes()}, second.valid_cols);
  }
}

void tconcat_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &first = check.tile("src0"), &second = check.tile("src1");
  same_types(check, {"src0", "src1"});
  row_major(check, {"dst", "src0", "src1"});
  for (const char* source : {"src0", "src1"})
    if (check.tile(source).valid_rows != dst.valid_rows)
      check.error(check.own("R4"), source,
                  fmt::format("{} has {} valid rows, dst {}", source, check.tile(source).valid_rows, dst.valid_rows),
                  "each row of dst is a row of src0 and one of src1");
  const std::uint64_t both = std::uint64_t{first.valid_cols} + second.valid_cols;
  const std::string sum = fmt::format("src0 and src1 have {} + {} valid columns", first.valid_cols, second.valid_cols);
  if (both > dst.cols())
    check.error(check.own("R10"), "dst", fmt::format("{}, dst has {}", sum, dst.cols()), "give dst as many columns");
  else if (check.target() == Target::A5 && both != dst.valid_cols)
    check.error(check.own("R10"), "dst", fmt::format("{}, dst has {} valid ones", sum, dst.valid_cols),
                "a5 wants as many valid columns in dst as both have");
  for (const char* source : {"src0", "src1"}) check.warn_overlap("dst", source, false);
}

const InstructionRow tconcat{
    .name = "tconcat",
    .summary = "Puts the columns of a tile behind those of another one.",
    .forms = {{"", {in("src0"), in("src1"), out("dst")}, "TCONCAT(dst, src0, src1)"}},
    .typed_by = "dst",
    .types = types_of<kTypesTo32, kTypesTo32>,
    .draw = Drawing::None,
    .rules = tconcat_rules,
    .moves = true,
    .machines = machines_of<tconcat_a5, tconcat_a2a3>(),
};
const Registered registered(tconcat);

}  // namespace
}  // namespace ts
