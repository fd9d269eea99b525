// Transposition.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/instructions/transpose.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/instructions/family-inl.h"
#include "core/instructions/transpose_path.h"

// TTRANS dst, src: dst[c][r] = src[r][c]. The domain is src's valid region on A2A3; on A5 it is the whole of src, or its
// valid region by option ttrans.a5_domain.
HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

// Col-major tiles have no sequence that gives the right result: by option, elements are moved one by one.
template <class M>
void transpose_by_elements(M& m, const TileRef& dst, const TileRef& src, std::uint32_t rows, std::uint32_t cols) {
  const std::uint32_t size = src.elem_bytes();
  const std::uint32_t to_step = dst.type.row_major() ? size : dst.pitch_bytes(),
                      from_step = src.type.row_major() ? src.pitch_bytes() : size;
  for (std::uint32_t col = 0; col < cols && rows > 0; ++col)
    m.emu_move({Space::Ub, dst.at(col, 0), to_step}, {Space::Ub, src.at(0, col), from_step}, rows);
}
inline bool by_elements(const TileRef& dst, const TileRef& src) {
  return !dst.type.row_major() || !src.type.row_major();
}

struct TtransA5 {
  template <class M>
  static TS_INLINE void lower(M& m, const Bound& bound) {
    const TileRef dst = bound.tile("dst"), src = bound.tile("src");
    const bool valid_only = bound.options->ttrans_valid_domain != 0;
    const std::uint32_t rows = valid_only ? src.valid_rows : src.rows(),
                        cols = valid_only ? src.valid_cols : src.cols();
    if (rows == 0 || cols == 0) return;
    if (by_elements(dst, src)) {
      transpose_by_elements(m, dst, src, rows, cols);
    } else if (valid_only && src.rows() < src.cols()) {
      by_rows(m, dst, src, rows, cols);
    } else {
      by_columns(m, dst, src, rows, cols);
    }
  }

 private:
  // Bytes travel in 16-bit lanes, under 16-bit indices.
  template <class M>
  using Lane = std::conditional_t<sizeof(typename M::T) == 4, std::uint32_t, std::uint16_t>;

  // Lane i = min(first + i, last) * stride + offset.
  template <class M>
  static TS_INLINE auto indices(M& m, std::uint32_t first, std::uint32_t last, std::uint32_t stride,
                                std::uint32_t offset, const typename M::Pred& active) {
    using Idx = Lane<M>;
    auto index = m.template vmins<Idx>(m.template vci<Idx>(first), last, active);
    return m.template vadds<Idx>(m.template vmuls<Idx>(index, stride, active), offset, active);
  }

  // A column of src is gathered, and stored as a row of dst.
  template <class M>
  static TS_INLINE void by_columns(M& m, const TileRef& dst, const TileRef& src, std::uint32_t rows,
                                   std::uint32_t cols) {
    constexpr std::uint32_t kLanes = EPR<Lane<M>>;
    for (std::uint32_t col = 0; col < cols; ++col) {
      std::uint32_t row = 0, left = rows;
      for (; left >= kLanes; row += kLanes) gather_column(m, dst, src, row, col, rows, left);
      if (left > 0) gather_column(m, dst, src, row, col, rows, left);
    }
  }
  template <class M>
  static TS_INLINE void gather_column(M& m, const TileRef& dst, const TileRef& src, std::uint32_t row,
                                      std::uint32_t col, std::uint32_t rows, std::uint32_t& left) {
    using Idx = Lane<M>;
    auto active = m.template plt<Idx>(left);
    auto column = m.template vgather2<Idx>(src, indices(m, row, rows - 1, src.row_stride(), col, active), active);
    m.vsts_gathered(column, dst.ub(), col * dst.row_stride() + row, active);
  }

  // A row of src is loaded, and scattered to a column of dst.
  template <class M>
  static TS_INLINE void by_rows(M& m, const TileRef& dst, const TileRef& src, std::uint32_t rows, std::uint32_t cols) {
    using Idx = Lane<M>;
    for (std::uint32_t row = 0; row < rows; ++row) {
      std::uint32_t left = cols;
      for (std::uint32_t col = 0; col < cols; col += EPR<Idx>) {
        auto active = m.template plt<Idx>(left);
        auto values = load_row(m, src, row * src.row_stride() + col);
        m.template vscatter<Idx>(values, dst, indices(m, col, cols - 1, dst.row_stride(), row, active), active);
      }
    }
  }
  template <class M>
  static TS_INLINE auto load_row(M& m, const TileRef& src, std::uint32_t at) {
    if constexpr (sizeof(typename M::T) == 1) {
      return m.vlds_unpk_b8(src.ub(), at);
    } else {
      return m.vlds(src.ub(), at);
    }
  }
};

// Sub-tiles of 16x16 (16 bits), 16x8 (32 bits) or 32x32 (bytes) are turned over into tmp, whose rows are dst's rows; then
// tmp's rows are copied to dst, whole blocks of them.
template <class M>
class BlockTranspose {
 public:
  BlockTranspose(M& m, const TileRef& dst, const TileRef& src, const TileRef& tmp)
      : m_(m),
        dst_(dst),
        src_(src),
        tmp_(tmp),
        rows_(src.valid_rows),
        cols_(src.valid_cols),
        pitch_(ceil_to(rows_, kHigh)) {}

  void run(bool poison) {
    const std::uint32_t bands = rows_ / kHigh, strips = (cols_ + kWide - 1) / kWide;
    if (bands > 0)
      for (std::uint32_t strip = 0; strip < strips; ++strip)
        turn(strip * kWide, 0, kHigh, bands, kHigh * kSize / BLK, kHigh * src_.pitch_bytes() / BLK);
    // What is left of the rows: one instruction, whose repeats walk over the strips.
    if (rows_ % kHigh > 0) turn(0, bands * kHigh, rows_ % kHigh, strips, kWide * pitch_ * kSize / BLK, 1);
    m_.pipe_barrier();
    if (rows_ % kHigh > 0) mark_spare(tmp_.address, pitch_, strips * kWide, pitch_, poison);
    const std::uint32_t len = (rows_ * kSize + BLK - 1) / BLK;
    m_.copy_ubuf_to_ubuf(dst_.ub(), tmp_.ub(), cols_, len, pitch_ * kSize / BLK - len, dst_.pitch_bytes() / BLK - len);
    if (rows_ % kBlock > 0) mark_spare(dst_.address, dst_.row_stride(), cols_, len * kBlock, false);
  }

 private:
  static constexpr std::uint32_t kSize = sizeof(typename M::T), kBlock = BLK / kSize;
  static constexpr std::uint32_t kHigh = sub_tile_rows(kSize), kWide = kBlock;  // of a sub-tile, in src
  static constexpr const char* kWhy = "lanes of a block that no source row stands for";

  // Sub-tiles from source column `col`, row `row` on, `high` rows of them real; then `repeats` steps in blocks. In tmp a
  // sub-tile of 32-bit elements is two blocks wide.
  void turn(std::uint32_t col, std::uint32_t row, std::uint32_t high, std::uint32_t repeats, std::uint32_t to_step,
            std::uint32_t from_step) {
    if (repeats == 1) to_step = from_step = 0;
    BlockList from{}, low_from{}, to, low_to;  // address 0 for rows that are not there
    const std::uint32_t first = src_.at(row, col), line_bytes = src_.pitch_bytes();
    for (std::uint32_t j = 0; j < 16; ++j) {
      if (j < high) from[j] = first + j * line_bytes;
      if (16 + j < high) low_from[j] = first + (16 + j) * line_bytes;
      const std::uint32_t line = kSize == 4 ? j / 2 : j, half = kSize == 4 ? j % 2 * 8 : 0;
      to[j] = tmp_.address + ((col + line) * pitch_ + row + half) * kSize;
      low_to[j] = to[j] + 16 * pitch_ * kSize;
    }
    if constexpr (kSize == 1) {
      turn_bytes(to, low_to, from, low_from, repeats, to_step, from_step);
    } else {
      m_.set_va("VA0, VA1", to);
      m_.set_va("VA2, VA3", from);
      m_.vnchwconv(to, from, repeats, to_step, from_step);
    }
  }
  // A sub-tile of bytes is four instructions, one for each quarter.
  void turn_bytes(const BlockList& to, const BlockList& low_to, const BlockList& from, const BlockList& low_from,
                  std::uint32_t repeats, std::uint32_t to_step, std::uint32_t from_step) {
    m_.set_va("VA0, VA1", to);
    m_.set_va("VA2, VA3", from);
    m_.set_va("VA4, VA5", low_from);
    m_.set_va("VA6, VA7", low_to);
    m_.vnchwconv_b8(to, from, repeats, to_step, from_step, false, false);
    m_.vnchwconv_b8(low_to, from, repeats, to_step, from_step, false, true);
    m_.vnchwconv_b8(to, low_from, repeats, to_step, from_step, true, false);
    m_.vnchwconv_b8(low_to, low_from, repeats, to_step, from_step, true, true);
  }

  // Columns [valid rows of src, end) of the lines of a result or of tmp hold what stood at UB address 0.
  void mark_spare(std::uint32_t base, std::uint32_t pitch, std::uint32_t lines, std::uint32_t end, bool poison) {
    for (std::uint32_t line = 0; line < lines; ++line) {
      const Ub at{base + (line * pitch + rows_) * kSize};
      if (poison) m_.emu_fill(at, (end - rows_) * kSize, kPoison);
      m_.emu_unspecified(at, (end - rows_) * kSize, kWhy);
    }
  }

  M& m_;
  const TileRef &dst_, &src_, &tmp_;
  std::uint32_t rows_, cols_;
  std::uint32_t pitch_;  // of tmp, in elements
};

struct TtransA2A3 {
  template <class M>
  static void lower(M& m, const Bound& bound) {
    const TileRef dst = bound.tile("dst"), src = bound.tile("src");
    if (src.valid_rows == 0 || src.valid_cols == 0) return;
    if (by_elements(dst, src)) {
      transpose_by_elements(m, dst, src, src.valid_rows, src.valid_cols);
    } else if (!block_path(dst, src)) {
      by_scalars(m, dst, src);
    } else {
      const TileRef tmp = bound.tile("tmp");
      BlockTranspose<M>(m, dst, src, tmp).run(bound.options->ttrans_poison_tail != 0);
    }
  }

 private:
  template <class M>
  static void by_scalars(M& m, const TileRef& dst, const TileRef& src) {
    m.sync(Pipe::V, Pipe::S);
    for (std::uint32_t row = 0; row < src.valid_rows; ++row)
      m.scalar_loop({dst.at(0, row)}, dst.pitch_bytes(), {src.at(row, 0)}, src.elem_bytes(), src.valid_cols);
    m.sync(Pipe::S, Pipe::V);
  }
};

TS_LOWERINGS(ttrans, Roomy<On<Target::A5, TtransA5, ByWidthTo32>>, On<Target::A2A3, TtransA2A3, ByWidthTo32>);

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <fmt/format.h>

namespace ts {
namespace {

TS_MACHINES(ttrans);

DTypeSet ttrans_types(Target, const Options&) { return kTypesTo32; }

bool goes_through_whole_source(const Bound& bound) {
  return bound.target == Target::A5 && !bound.options->ttrans_valid_domain;
}

// A2A3, block path: tmp's rows are the transposed rows, each a whole number of sub-tiles long.
TileType ttrans_scratch(const Bound& bound) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  if (bound.target == Target::A5 || !block_path(dst, src) || src.elem_bytes() > 4) return {.rows = 0};
  const std::uint32_t lines = ceil_to(std::max(src.valid_cols, 1u), BLK / src.elem_bytes());
  return vec_tile(src.type.dtype, lines, ceil_to(std::max(src.valid_rows, 1u), sub_tile_rows(src.elem_bytes())));
}

// A layout that no sequence serves: an error, or by option a warning, with elements moved one by one.
void need_row_major_or_option(RuleCheck& check, const char* rule, const char* operand) {
  const TileType& type = check.tile(operand).type;
  if (type.row_major()) return;
  const std::string text = fmt::format("{} is {}, needs row_major", operand, type.layout_name());
  if (check.options().ttrans_col_major && type.col_major()) {
    check.warn(rule, operand, text, "emulator steps move the elements one by one");
  } else {
    check.error(rule, operand, text, type.col_major() ? "option ttrans.colmajor moves the elements one by one" : "");
  }
}

void check_index_range(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  if (src.elem_bytes() == 4 || !dst.type.row_major() || !src.type.row_major()) return;
  const bool scatters = check.options().ttrans_valid_domain && src.rows() < src.cols();
  const TileRef& indexed = scatters ? dst : src;
  const std::uint64_t most = std::uint64_t{indexed.rows() - 1} * indexed.row_stride() + indexed.cols() - 1;
  if (most > 0xFFFF)
    check.error("TTR-R6", scatters ? "dst" : "src", fmt::format("max index {} exceeds 65535", most),
                "transpose the tile in pieces");
}

void ttrans_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  if (src.type.conv != ConvLayout::None || dst.type.conv != ConvLayout::None) {
    check.error("TTR-R0", "src", "conv-tile ttrans not supported");
    return;
  }
  if (src.elem_bytes() != dst.elem_bytes()) {
    check.error("TTR-R1", "dst",
                fmt::format("src {} and dst {} differ in size", name(src.type.dtype), name(dst.type.dtype)));
    return;
  }
  const bool a5 = check.target() == Target::A5;
  need_row_major_or_option(check, a5 ? "TTR-R5" : "TTR-R3", "src");
  need_row_major_or_option(check, "TTR-R10", "dst");
  const bool whole = goes_through_whole_source(check.bound());
  const std::uint32_t rows = whole ? src.rows() : src.valid_rows, cols = whole ? src.cols() : src.valid_cols;
  if (dst.rows() < cols || dst.cols() < rows)
    check.error(
        "TTR-R7", "dst", fmt::format("dst {}x{} cannot hold {}x{}", dst.rows(), dst.cols(), cols, rows),
        whole ? "a5 transposes the whole source tile; option ttrans.a5_domain=valid its valid region only" : "");
  if (dst.valid_rows != src.valid_cols || dst.valid_cols != src.valid_rows)
    check.documented(
        "TTR-R9", "dst",
        fmt::format("dst valid {}x{}, expected {}x{}", dst.valid_rows, dst.valid_cols, src.valid_cols, src.valid_rows));
  if (a5) check_index_range(check);
  const bool through_tmp = !a5 && block_path(dst, src);
  check.warn_overlap("dst", "src", through_tmp);
  if (!through_tmp || !check.bound().has("tmp") || rows == 0 || cols == 0) return;
  const TileType needed = ttrans_scratch(check.bound());
  if (check.tile("tmp").type.size_bytes() < needed.size_bytes())
    check.error("TTR-R8", "tmp",
                fmt::format("tmp {} bytes < {}", check.tile("tmp").type.size_bytes(), needed.size_bytes()),
                fmt::format("{} rows of {} {}", needed.rows, needed.cols, name(needed.dtype)));
  for (const char* other : {"src", "dst"}) check.warn_overlap("tmp", other, false);
}

const InstructionRow ttrans{
    .name = "ttrans",
    .summary = "Transposes a tile.",
    .forms = {{"", {in("src"), optional_tmp("tmp"), out("dst")}, "TTRANS(dst, src, tmp)"}},
    .typed_by = "src",
    .types = ttrans_types,
    .type_rules = {"TTR-R2", "TTR-R2"},
    .draw = Drawing::Transpose,
    .rules = ttrans_rules,
    .scratch = ttrans_scratch,
    .moves = true,
    .ignores_valid = goes_through_whole_source,
    .machines = ttrans_machines,
};
const Registered ttrans_registered(ttrans);

}  // namespace
}  // namespace ts
#endif
