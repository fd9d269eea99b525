// TSORT32: each 32 elements of a row of src, with their indices, as 32 records of 8 bytes in a row of dst, the largest
// element first. With tmp the last elements of a row may be fewer: NaNs make them 32.
#include "core/instructions/sort/sort_family.h"

namespace ts {
namespace {

using namespace vec;

constexpr std::uint32_t kBlocksAtOnce = 255;

bool fills_up(const Bound& bound) { return bound.has("tmp") && bound.tile("src").valid_cols % kRecordsSorted != 0; }
std::uint32_t blocks_of(const Bound& bound) {
  return bound.tile("src").valid_cols / kRecordsSorted + (fills_up(bound) ? 1 : 0);
}
// -(0.0 / 0.0), whose bits are not known (unverified).
LaneScalar filler(DType type) { return {type == DType::F16 ? 0xFE00u : 0xFFC00000u, type, 0}; }

// A row of src in tmp, and NaN behind it up to a whole block.
void fill_up(A5& m, const TileRef& tmp, const TileRef& src, std::uint32_t row, std::uint32_t whole) {
  const Reg nan = m.vdup(filler(m.dtype()), m.pset_all());
  std::uint32_t left = src.valid_cols, left_of_whole = whole;
  for (std::uint32_t col = 0; col < whole; col += m.lanes()) {
    const Pred active = m.plt(left), stored = m.plt(left_of_whole);
    const Reg v = m.vlds(src.ub(), row * src.row_stride() + col);
    m.vsts(m.vsel(v, nan, active), tmp.ub(), col, stored);
  }
}
void fill_up(A2A3& m, const TileRef& tmp, const TileRef& src, std::uint32_t row, std::uint32_t whole) {
  const std::uint32_t last = whole - kRecordsSorted, there = src.valid_cols - last;
  copy_row(m, tmp.ub(), {src.at(row, 0)}, src.valid_cols);
  m.pipe_barrier();
  m.set_vector_mask(0, ~0u << there);
  m.vector_dup(m.ty(), {tmp.address + last * m.bytes()}, filler(m.dtype()), 1, {});
  m.set_mask_all();
  m.pipe_barrier();
}

template <class M>
void tsort32(M& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), indices = bound.tile("indices");
  const std::uint32_t blocks = blocks_of(bound);
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    std::uint32_t scores = src.at(row, 0);
    if (fills_up(bound)) {
      scores = bound.tile("tmp").address;
      fill_up(m, bound.tile("tmp"), src, row, blocks * kRecordsSorted);
    }
    const std::uint32_t numbers = indices.at(indices.valid_rows == 1 ? 0 : row, 0);
    for (std::uint32_t done = 0; done < blocks; done += kBlocksAtOnce) {
      const std::uint32_t first = done * kRecordsSorted;
      m.vbitsort({dst.at(row, 0) + first * kRecordBytes}, {scores + first * m.bytes()}, {numbers + first * 4},
                 std::min(kBlocksAtOnce, blocks - done));
    }
  }
  if (fills_up(bound)) leave_scratch(m, bound);
}
void tsort32_a5(A5& m, const Bound& bound) { tsort32(m, bound); }
void tsort32_a2a3(A2A3& m, const Bound& bound) { tsort32(m, bound); }

// --- rules

void tmp_rules(RuleCheck& check) {
  const TileRef& src = check.tile("src");
  check.need_same_type(check.own("R7"), "tmp", "src");
  check.need_row_major(check.own("R7"), "tmp");
  scratch_bytes(check, std::uint64_t{blocks_of(check.bound())} * kRecordsSorted * src.elem_bytes(),
                "a row of src stands there, filled up to whole blocks of 32");
  for (const char* other : {"src", "indices", "dst"}) check.warn_overlap("tmp", other, false);
}
void tsort32_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src"), &indices = check.tile("indices");
  same_types(check, {"src"});
  row_major(check, {"dst", "src", "indices"});
  if (indices.type.dtype != DType::U32)
    check.error(check.own("R9"), "indices", fmt::format("indices are {}, needs u32", name(indices.type.dtype)),
                "a record has 32 bits for an index: convert with tcvt");
  if (src.valid_rows < dst.valid_rows)
    check.error(check.own("R4"), "src", fmt::format("src has {} valid rows, dst {}", src.valid_rows, dst.valid_rows),
                "each row of dst is a row of src");
  if (indices.valid_rows != 1 && indices.valid_rows < dst.valid_rows)
    check.error(check.own("R4"), "indices",
                fmt::format("indices has {} valid rows, dst {}", indices.valid_rows, dst.valid_rows),
                "a row for each row of dst, or one for all");
  if (indices.valid_cols < src.valid_cols)
    check.error(check.own("R4"), "indices",
                fmt::format("indices has {} valid columns, src {}", indices.valid_cols, src.valid_cols),
                "an index for each element");
  for (const char* source : {"src", "indices"}) check.warn_overlap("dst", source, false);
  if (!check.bound().has("tmp") && src.valid_cols % kRecordsSorted != 0)
    return check.error(check.own("R11"), "src",
                       fmt::format("src has {} valid columns, no whole blocks of 32", src.valid_cols),
                       "name a tile that a row may be filled up in: ins(%src, %indices, %tmp)");
  const std::uint32_t sorted = blocks_of(check.bound()) * kRecordsSorted;
  if (dst.cols() < sorted * record_cols(dst))
    check.error(check.own("R10"), "dst",
                fmt::format("dst has {} columns, {} records take {}", dst.cols(), sorted, sorted * record_cols(dst)),
                "an element becomes a record of 8 bytes, and a row whole blocks of 32 records");
  if (!fills_up(check.bound())) return;
  tmp_rules(check);
  if (indices.cols() < sorted)
    check.warn(check.own("W1"), "indices",
               fmt::format("indices has {} columns, the last block of a row takes {}", indices.cols(), sorted),
               "the records that fill it up get what stands behind the row");
}
void tsort32_data_rules(RuleCheck& check, const Memory& before) {
  const TileRef& src = check.tile("src");
  for (std::uint32_t row = 0; row < check.tile("dst").valid_rows; ++row)
    if (note_nan(check, before, {"src", row, 0, 1, src.valid_cols})) return;
}

// --- row

const InstructionRow tsort32_row{
    .name = "tsort32",
    .summary = "Sorts each 32 elements of a row, the largest first, into records of element and index.",
    .forms = {{"", {in("src"), in("indices"), optional_tmp("tmp"), out("dst")}, "TSORT32(dst, src, indices, tmp)"}},
    .typed_by = "src",
    .types = types_of<kF16AndF32, kF16AndF32>,
    .draw = Drawing::Sort,
    .rules = tsort32_rules,
    .data_rules = tsort32_data_rules,
    .moves = true,
    .machines = machines_of<tsort32_a5, tsort32_a2a3>(),
};
const Registered registered(tsort32_row);

}  // namespace
}  // namespace ts
