// Filling what lies outside a valid region. TFILLPAD, TFILLPAD_EXPAND: dst[r][c] = src[r][c] over src's valid region, and
// dst's pad value behind it in those rows and in all columns of the rows from there to dst's last valid one.
// TFILLPAD_INPLACE: only the pad values; both tiles stand in one place. Of a tile of mat see cube/mat_pad.cpp.
#include <fmt/format.h>

#include "core/instructions/cube/cube_moves.h"
#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

enum class Fill { Copy, Expand, InPlace };

LaneScalar pad_of(const TileRef& dst) { return {dst.type.pad_bits(), dst.type.dtype, 0}; }

// --- A5: what is copied under a predicate, the rest of the row as an unaligned stream

void copy_row(A5& m, const TileRef& dst, const TileRef& src, std::uint32_t row) {
  std::uint32_t left = src.valid_cols;
  for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes()) {
    const Cell cell{row, col};
    m.vsts(m.vlds(src.ub(), cell.in(src)), dst.ub(), cell.in(dst), m.plt(left));
  }
}
void pad_row(A5& m, const TileRef& dst, std::uint32_t row, std::uint32_t from, const Reg& pad) {
  if (from == dst.cols()) return;
  A5::Align align = m.init_align();
  for (std::uint32_t col = from; col < dst.cols(); col += m.lanes())
    align = m.vstus(align, std::min(dst.cols() - col, m.lanes()), pad, dst.ub(), Cell{row, col}.in(dst));
  m.vstas(align, dst.ub(), Cell{row, dst.cols()}.in(dst));
}
template <Fill fill>
void fill_pad_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  const Reg pad = m.vdup(pad_of(dst), m.pset_all());
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    if (fill != Fill::InPlace) copy_row(m, dst, src, row);
    pad_row(m, dst, row, src.valid_cols, pad);
  }
  for (std::uint32_t row = src.valid_rows; row < dst.valid_rows; ++row) {
    std::uint32_t left = dst.cols();
    for (std::uint32_t col = 0; col < dst.cols(); col += m.lanes()) {
      const Pred active = m.plt(left);
      m.vsts(pad, dst.ub(), Cell{row, col}.in(dst), active);
    }
  }
}

// --- A2A3: in 16-bit lanes where elements are bytes

bool same_pad(const TileType& a, const TileType& b) {
  return a.pad == b.pad && (a.pad != PadKind::Custom || a.custom_pad == b.custom_pad);
}

class PadA2A3 {
 public:
  PadA2A3(A2A3& m, const Bound& bound)
      : m_(m), dst_(bound.tile("dst")), src_(bound.tile("src")), bytes_(m.bytes() == 1) {
    const std::uint64_t bits = dst_.type.pad_bits();
    pad_ = bytes_ ? LaneScalar{bits | bits << 8, DType::U16, 0} : pad_of(dst_);
    lane_ = AnyLane{bytes_ ? DType::U16 : m.dtype()};
    const std::uint32_t in_block = BLK / m.bytes();
    next_block_ = (src_.valid_cols + in_block - 1) / in_block * in_block;
  }
  void run(bool copies) {
    // The library takes a block for padded already where the pads are the same.
    const bool trusts_block = same_pad(dst_.type, src_.type);
    m_.set_mask_count();
    if (copies) copy(trusts_block ? next_block_ : src_.valid_cols);
    if (!trusts_block) rest_of_block();
    rest_of_rows();
    rows_below();
    m_.set_mask_norm();
    m_.set_mask_all();
  }

 private:
  Ub at(std::uint32_t row, std::uint32_t col) const { return {dst_.at(row, col)}; }
  std::uint32_t pitch() const { return dst_.pitch_bytes() / BLK; }
  // Of a run of elements, in lanes.
  void count(std::uint32_t elements) { m_.set_vector_mask(0, bytes_ ? (elements + 1) / 2 : elements); }

  void copy(std::uint32_t cols) {
    if (src_.valid_rows == 0 || cols == 0) return;
    count(cols);
    m_.vcopy_rows(lane_, at(0, 0), src_.ub(), src_.valid_rows, pitch(), src_.pitch_bytes() / BLK);
  }
  // From the last valid column to its block's end, in all rows.
  void rest_of_block() {
    const std::uint32_t from = src_.valid_cols, lanes = next_block_ - from;
    if (lanes == 0 || src_.valid_rows == 0) return;
    if (bytes_) return rest_of_block_by_bytes();
    const std::uint32_t first = from % (BLK / m_.bytes());
    m_.set_mask_norm();
    m_.set_vector_mask(0, ((1ull << lanes) - 1) << first);
    const std::uint32_t rows_a_call = pitch() <= A2A3::kMaxStride ? A2A3::kMaxRepeat : 1;
    for (std::uint32_t row = 0; row < src_.valid_rows; row += rows_a_call)
      m_.vector_dup(lane_, at(row, from - first), pad_, std::min(src_.valid_rows - row, rows_a_call), {1, pitch()});
    m_.set_mask_count();
  }
  void rest_of_block_by_bytes() {
    m_.sync(Pipe::V, Pipe::S);
    for (std::uint32_t row = 0; row < src_.valid_rows; ++row)
      for (std::uint32_t col = src_.valid_cols; col < next_block_; ++col) m_.store_element(at(row, col), pad_of(dst_));
    m_.sync(Pipe::S, Pipe::V);
  }
  // The first row is filled, and the others copy it.
  void rest_of_rows() {
    if (src_.valid_rows == 0 || next_block_ >= dst_.cols()) return;
    count(dst_.cols() - next_block_);
    m_.vector_dup(lane_, at(0, next_block_), pad_, 1, {});
    if (src_.valid_rows > 1)
      m_.vcopy_rows(lane_, at(1, next_block_), at(0, next_block_), src_.valid_rows - 1, pitch(), 0);
  }
  void rows_below() {
    if (dst_.valid_rows <= src_.valid_rows) return;
    const bool one_run = dst_.row_stride() == dst_.cols();
    const std::uint32_t rows = dst_.valid_rows - src_.valid_rows, runs = one_run ? 1 : rows;
    count(one_run ? rows * dst_.cols() : dst_.cols());
    for (std::uint32_t run = 0; run < runs; ++run) m_.vector_dup(lane_, at(src_.valid_rows + run, 0), pad_, 1, {});
  }

  A2A3& m_;
  const TileRef dst_, src_;
  const bool bytes_;
  LaneScalar pad_{};
  AnyLane lane_{DType::U16};
  std::uint32_t next_block_ = 0;
};
template <Fill fill>
void fill_pad_a2a3(A2A3& m, const Bound& bound) {
  PadA2A3(m, bound).run(fill != Fill::InPlace);
}

// --- rows

void shapes_fit(RuleCheck& check, const TileRef& dst, const TileRef& src, bool may_grow) {
  const bool fits = may_grow ? dst.rows() >= src.rows() && dst.cols() >= src.cols()
                             : dst.rows() == src.rows() && dst.cols() == src.cols();
  if (fits) return;
  check.error(check.own("R9"), "dst",
              fmt::format("dst is {}x{}, src {}x{}", dst.rows(), dst.cols(), src.rows(), src.cols()),
              may_grow ? "a dst with at least the rows and columns of src"
                       : "static shapes must be equal; tfillpad_expand takes a larger dst");
}
// Only the plain form takes tiles of other memories.
bool check_memories(RuleCheck& check) {
  const TileLoc from = check.tile("src").type.loc, to = check.tile("dst").type.loc;
  if (from == to && (to == TileLoc::Vec || to == TileLoc::Mat)) return true;
  check.error(check.own("R11"), "dst", fmt::format("src is in {}, dst in {}", name(from), name(to)),
              "both in vec, or one tile of mat as both");
  check.about(FindingKind::Reach);
  return false;
}
Pipe pad_pipe(const Bound& bound) { return pads_in_mat(bound) ? Pipe::Mte2 : Pipe::V; }

template <Fill fill>
void fill_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  if (!check_memories(check)) return;
  if (pads_in_mat(check.bound())) return mat_pad_rules(check);
  same_types(check, {"src"});
  row_major(check, {"dst", "src"});
  if (dst.valid_rows < src.valid_rows)
    check.error(check.own("R4"), "dst", fmt::format("dst has {} valid rows, src {}", dst.valid_rows, src.valid_rows),
                "make all rows of src valid in dst, or more");
  if (dst.type.pad == PadKind::Null)
    check.error(check.own("R8"), "dst", "dst has no pad value", "declare it with pad=1 (zero), 2 (max) or 3 (min)");
  shapes_fit(check, dst, src, fill == Fill::Expand);
  if (fill != Fill::InPlace) {
    check.warn_overlap("dst", "src", false);
  } else if (dst.address != src.address) {
    check.error(check.own("R10"), "dst", fmt::format("dst at 0x{:x}, src at 0x{:x}", dst.address, src.address),
                "both stand in one place: tassign both, or use tfillpad");
  }
  const std::uint32_t in_block = BLK / dst.elem_bytes(), behind = src.valid_cols % in_block;
  if (check.target() == Target::A2A3 && dst.type.pad != PadKind::Null && same_pad(dst.type, src.type) && behind != 0 &&
      src.valid_rows != 0)
    check.warn(check.own("W1"), "dst",
               fmt::format("src and dst have the same pad: columns {}..{} are taken for padded", src.valid_cols,
                           src.valid_cols + in_block - behind - 1),
               "leave the pad of src null, unless tload has filled them");
}

template <Fill fill>
InstructionRow padding(const char* name, const char* summary, const char* cpp) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", {in("src"), out("dst")}, cpp}},
          .typed_by = "dst",
          .types = types_of<kTypesTo32, kTypesTo32>,
          .draw = Drawing::Pad,
          .rules = fill_rules<fill>,
          .moves = true,
          .machines = machines_of<fill_pad_a5<fill>, fill_pad_a2a3<fill>>()};
}

const InstructionRow tfillpad = [] {
  InstructionRow made = padding<Fill::Copy>(
      "tfillpad", "Copies the valid region and fills the rest with the pad value of dst.", "TFILLPAD(dst, src)");
  made.forms = {{"", {any_in("src"), any_out("dst")}, "TFILLPAD(dst, src)"}};
  made.pipe_of = pad_pipe;
  made.other_machines = mat_pad;
  return made;
}();
const InstructionRow tfillpad_expand = padding<Fill::Expand>(
    "tfillpad_expand", "Copies the valid region into a tile that may be larger, and fills the rest with its pad value.",
    "TFILLPAD_EXPAND(dst, src)");
const InstructionRow tfillpad_inplace = padding<Fill::InPlace>(
    "tfillpad_inplace", "Fills what lies outside the valid region with a pad value; src and dst share their bytes.",
    "TFILLPAD_INPLACE(dst, src)");

const Registered registered[] = {Registered(tfillpad), Registered(tfillpad_expand), Registered(tfillpad_inplace)};

}  // namespace
}  // namespace ts
