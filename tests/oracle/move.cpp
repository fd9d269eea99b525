// TMOV from L1 to the cube core's operands, biases and factors: dst[r][c] = src[r][c], all of dst; biases are widened. From
// the accumulator: see fixpipe.cpp. From UB to L1, and into boxes: dst[r][c] = src[r][c] where both are valid.
// TMOV within UB: dst[r][c] = src[r][c] where both are valid; elements of 4 bits by the bytes that they share. A2A3 copies whole blocks (option quirks.blocks): of rows, or
// of columns where the tiles are column-major.
// TCONCAT: over the valid rows of dst, src0[r][c] in the valid columns of src0, and src1[r][c] as many columns further on.
// A2A3 copies whole blocks (option quirks.blocks) of what begins with a block.
// TCONCATIDX: over the valid rows of dst, the first n0 elements of row r of src0 and behind them the first n1 of src1, as far
// as dst is valid; n0 and n1 are the first elements of row r of the indices, divided by their own size. The first element of
// row r of the indices that it makes, where it makes them, is how many elements that were, times their size.
// TPACK (A5): over the valid region of dst, the low bytes of src[r][c].
// TPREFETCH: no element of dst is promised, unless nothing of it is valid: then nothing happens.
// TRESHAPE: dst stands where src does; no byte changes.
// TFILLPAD, TFILLPAD_EXPAND: dst[r][c] = src[r][c] over src's valid region; dst's pad value behind it in those rows, and in
// all columns of the rows from there to dst's last valid one. TFILLPAD_INPLACE: only the pad values; both stand in one
// place. Where both pad values are the same, A2A3 takes the rest of a row's last block for padded: it copies it along.
// In L1, boxes of nz are zeroed: rows from the first invalid one on, and columns of boxes without a valid column.
#include <algorithm>

#include "tests/oracle/fixpipe.h"
#include "tests/oracle/number.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

// Bits of an f16 or bf16 as those of the f32 of the same number.
std::uint64_t widened(DType from, DType to, std::uint64_t bits) {
  if (from == to) return bits;
  if (from == DType::BF16) return bits << 16;  // it is the upper half
  const std::uint64_t sign = (bits & sign_bit(from)) != 0 ? sign_bit(to) : 0;
  if (is_nan(from, bits)) return quieted(to, infinity(to) | (bits & 0x3FF) << 13) | sign;
  return (is_infinite(from, bits) ? infinity(to) : nearest_float(to, float_value(from, bits))) | sign;
}

// From L1 to what the cube core reads: all of dst.
Effects tmov_whole(const Bound& bound, const Before& before) {
  const TileRef &src = bound.tile("src"), &dst = bound.tile("dst");
  Work work(bound, before);
  for (std::uint32_t row = 0; row < dst.type.rows; ++row)
    for (std::uint32_t col = 0; col < dst.type.cols; ++col) {
      Value value = work.element("src", row, col);
      value.bits = widened(src.type.dtype, dst.type.dtype, value.bits);
      work.put("dst", row, col, value);
    }
  return work.take();
}

// From the accumulator: into boxes all rows, and columns to the end of a box; else what is valid.
Effects tmov_of_sums(const Bound& bound, const Before& before) {
  const TileRef &src = bound.tile("src"), &dst = bound.tile("dst");
  std::uint32_t rows = src.valid_rows, cols = src.valid_cols;
  if (dst.type.boxed() && rows != 0 && cols != 0) {
    rows = std::min(src.type.rows, dst.type.rows);
    cols = std::min({rounded_up(cols, std::max(16u, 32 / size_bytes(dst.type.dtype))), src.type.cols, dst.type.cols});
  }
  Work work(bound, before);
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t col = 0; col < cols; ++col)
      work.put("dst", row, col, through_fixpipe(work, bound, dst.type.dtype, row, col));
  return work.take();
}

// Into boxes of exponents: rows of src up to a multiple of 16 count, those that are not valid are zero from then on, in src
// too. grpAxis 0: rows of dst are columns of src.
Effects tmov_of_exponents(const Bound& bound, const Before& before) {
  const TileRef &src = bound.tile("src"), &dst = bound.tile("dst");
  const bool turned = value_name("1|0", bound.attribute("grpAxis")) == "0";
  const std::uint32_t src_rows = turned ? src.valid_cols : src.valid_rows,
                      src_cols = turned ? src.valid_rows : src.valid_cols;
  const std::uint32_t whole = turned ? std::min(src_rows, dst.valid_rows)
                                     : std::min({rounded_up(src_rows, 16), src.type.rows, dst.type.rows}),
                      cols = std::min(src_cols, dst.valid_cols);
  Work work(bound, before);
  for (std::uint32_t row = src_rows; row < whole; ++row)
    for (std::uint32_t col = 0; col < src.type.cols; ++col) work.put("src", row, col, {});
  for (std::uint32_t row = 0; row < whole; ++row)
    for (std::uint32_t col = 0; col < cols; ++col)
      work.put("dst", row, col,
               row >= src_rows ? Value{}
               : turned        ? work.element("src", col, row)
                               : work.element("src", row, col));
  return work.take();
}

Effects tmov(const Bound& bound, const Before& before) {
  const TileRef &src = bound.tile("src"), &dst = bound.tile("dst");
  if (src.type.loc == TileLoc::Acc) return tmov_of_sums(bound, before);
  if (src.type.loc != TileLoc::Vec) return tmov_whole(bound, before);
  if (dst.type.fractal == 32) return tmov_of_exponents(bound, before);
  Work work(bound, before);
  const std::uint32_t rows = std::min(src.valid_rows, dst.valid_rows), cols = std::min(src.valid_cols, dst.valid_cols);
  const std::uint32_t block = 32 / size_bytes(dst.type.dtype);
  const bool blocks = work.on(Target::A2A3) && bound.options->quirk_blocks, columns = dst.type.col_major();
  const std::uint32_t rows_moved = blocks && columns ? rounded_up(rows, block)
                                   : columns         ? whole_bytes(dst.type.dtype, rows)
                                                     : rows,
                      cols_moved = blocks && !columns ? rounded_up(cols, block)
                                   : columns          ? cols
                                                      : whole_bytes(dst.type.dtype, cols);
  for (std::uint32_t row = 0; row < rows_moved; ++row)
    for (std::uint32_t col = 0; col < cols_moved; ++col) work.put("dst", row, col, work.element("src", row, col));
  return work.take();
}

Effects tconcat(const Bound& bound, const Before& before) {
  const TileRef &first = bound.tile("src0"), &second = bound.tile("src1"), &dst = bound.tile("dst");
  Work work(bound, before);
  const std::uint32_t block = 32 / size_bytes(dst.type.dtype), behind = first.valid_cols;
  const bool blocks = work.on(Target::A2A3) && bound.options->quirk_blocks;
  const std::uint32_t of_first = blocks ? rounded_up(behind, block) : behind,
                      of_second =
                          blocks && behind % block == 0 ? rounded_up(second.valid_cols, block) : second.valid_cols;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < of_first; ++col)
      if (col < behind || col >= behind + of_second) work.put("dst", row, col, work.element("src0", row, col));
    for (std::uint32_t col = 0; col < of_second; ++col)
      work.put("dst", row, behind + col, work.element("src1", row, col));
  }
  return work.take();
}

Value that_decided(Value value) {
  for (Origin& origin : value.from) origin.kind = Origin::Kind::Decider;
  return value;
}
Effects tconcatidx(const Bound& bound, const Before& before) {
  const TileRef& dst = bound.tile("dst");
  Work work(bound, before);
  const auto whole = [&](const char* counts, const Value& count) {
    return static_cast<std::uint32_t>(count.bits / size_bytes(bound.tile(counts).type.dtype));
  };
  for (std::uint32_t row = 0; row < dst.valid_rows && dst.valid_cols != 0; ++row) {
    const Value first = that_decided(work.element("indices0", row, 0)),
                second = that_decided(work.element("indices1", row, 0));
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col) {
      const std::uint32_t behind = whole("indices0", first);
      if (col < behind) {
        const Value found = work.element("src0", row, col);
        work.put("dst", row, col, computed(found.bits, found, first));
      } else if (col - behind < whole("indices1", second)) {
        const Value found = work.element("src1", row, col - behind);
        work.put("dst", row, col, computed(found.bits, computed(found.bits, found, first), second));
      }
    }
    if (!bound.has("indices")) continue;
    Value made = computed(0, work.element("indices0", row, 0), work.element("indices1", row, 0));
    const std::uint64_t all = std::uint64_t{whole("indices0", first)} + whole("indices1", second);
    made.bits = std::min<std::uint64_t>(all, dst.valid_cols) * size_bytes(bound.tile("indices").type.dtype);
    work.put("indices", row, 0, made);
  }
  return work.take();
}

Effects tpack(const Bound& bound, const Before& before) {
  const TileRef& dst = bound.tile("dst");
  const std::uint32_t size = size_bytes(dst.type.dtype);
  Work work(bound, before);
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col) {
      Value value = work.element("src", row, col);
      for (Origin& origin : value.from) origin.place.size = size;
      work.put("dst", row, col, {value.bits & ((1u << 8 * size) - 1), value.from});
    }
  return work.take();
}

Effects tprefetch(const Bound& bound, const Before&) {
  const TileRef& dst = bound.tile("dst");
  Effects effects;
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return effects;
  for (std::uint32_t row = 0; row < dst.type.rows; ++row)
    for (std::uint32_t col = 0; col < dst.type.cols; ++col) effects.unspecified.push_back(element_place(dst, row, col));
  return effects;
}

// A tile that stands elsewhere, or is seen in another way: no byte changes.
Effects nothing_moves(const Bound&, const Before&) { return {}; }

std::uint64_t filled_pad(const TileType& type) {
  const bool upper = type.pad == PadKind::Max;
  if (type.pad == PadKind::Custom) return low_bits(type.dtype, type.custom_pad);
  if (type.pad == PadKind::Zero || type.pad == PadKind::Null || size_bytes(type.dtype) == 8) return 0;
  if (!is_float(type.dtype) || type.finite_pad) return upper ? largest(type.dtype) : lowest(type.dtype);
  return infinity(type.dtype) | (upper ? 0 : sign_bit(type.dtype));
}

bool same_pad(const TileType& a, const TileType& b) {
  return a.pad == b.pad && (a.pad != PadKind::Custom || a.custom_pad == b.custom_pad);
}

void zero_boxes(const TileRef& dst, Work& work) {
  const std::uint32_t wide = 32 / size_bytes(dst.type.dtype), boxed_cols = rounded_up(dst.valid_cols, wide);
  for (std::uint32_t row = 0; row < dst.type.rows; ++row)
    for (std::uint32_t col = row < dst.valid_rows ? boxed_cols : 0; col < dst.type.cols; ++col)
      work.put("dst", row, col, {});
}

template <bool copies>
Effects fill_pad(const Bound& bound, const Before& before) {
  const TileRef &src = bound.tile("src"), &dst = bound.tile("dst");
  Work work(bound, before);
  if (dst.type.loc == TileLoc::Mat) {
    zero_boxes(dst, work);
    return work.take();
  }
  const bool trusts_block = work.on(Target::A2A3) && same_pad(src.type, dst.type);
  const std::uint32_t pad_from =
      trusts_block ? rounded_up(src.valid_cols, 32 / size_bytes(dst.type.dtype)) : src.valid_cols;
  const Value pad{filled_pad(dst.type), {}};
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < pad_from && copies; ++col)
      work.put("dst", row, col, work.element("src", row, col));
    for (std::uint32_t col = pad_from; col < dst.type.cols; ++col) work.put("dst", row, col, pad);
  }
  for (std::uint32_t row = src.valid_rows; row < dst.valid_rows; ++row)
    for (std::uint32_t col = 0; col < dst.type.cols; ++col) work.put("dst", row, col, pad);
  return work.take();
}

const Oracles move_oracles{
    {"tmov", tmov},
    {"tconcat", tconcat},
    {"tconcatidx", tconcatidx},
    {"tpack", tpack},
    {"tprefetch", tprefetch},
    {"treshape", nothing_moves},
    {"tassign", nothing_moves},
    {"tfillpad", fill_pad<true>},
    {"tfillpad_expand", fill_pad<true>},
    {"tfillpad_inplace", fill_pad<false>},
};

}  // namespace
}  // namespace ts::oracle
