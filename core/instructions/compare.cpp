// Comparisons that pack their answers, one bit each: TCMP of two tiles, TCMPS with one element. The valid region of the
// first source is the domain; bit (r, c) is bit c % 8 of the byte at dst + r * (bytes of a row of dst) + c / 8.
#include <fmt/format.h>

#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

constexpr AnyLane kWord{DType::U32};
constexpr std::uint32_t kStoredColumns = 128;  // what one predicate store holds of 16 and 32 bits

CompareOp mode_of(const Bound& bound) { return static_cast<CompareOp>(bound.attribute("cmpMode")); }

// Bytes that a row gets.
std::uint32_t row_bytes(Target target, DType type, std::uint32_t cols) {
  const std::uint32_t size = size_bytes(type);
  if (target == Target::A2A3) return size == 2 ? 16 * ceil_div(cols, 128) : 8 * ceil_div(cols, 64);
  return size == 2 || size == 4 ? 16 * ceil_div(cols, kStoredColumns) : 32 * ceil_div(cols, 256);
}
bool is_stream(const Bound& bound, const TileRef& src, const TileRef& dst) {
  if (bound.target != Target::A5 || src.elem_bytes() == 8) return false;
  const std::uint8_t pack = bound.options->tcmps_pack;
  return pack == 0 ? bound.has("scalar") && dst.valid_cols == src.valid_cols : pack == 2;
}
// 32 bits: rows follow each other bit by bit; narrower ones in whole registers.
std::uint32_t bits_a_row(const TileRef& src) {
  const std::uint32_t lanes = VL / src.elem_bytes();
  return src.elem_bytes() < 4 ? ceil_div(src.valid_cols, lanes) * lanes : src.valid_cols;
}
std::uint32_t stream_bytes(const TileRef& src) {
  return 16 * ceil_div(src.valid_rows * bits_a_row(src), kStoredColumns);
}

// --- A5: `answer(cell, active)` compares one register

// Registers of bytes and halves have the bits of a store each.
void store_answers(A5& m, const Pred& answers, const TileRef& dst, std::uint32_t at) {
  if (m.bytes() == 1) return m.psts(answers, dst.ub(), at);
  m.psts_pk(answers, dst.ub(), at);
}
template <class F>
void narrow_rows_a5(A5& m, const TileRef& src, const TileRef& dst, std::uint32_t pitch, F answer) {
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    std::uint32_t left = src.valid_cols;
    for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes())
      store_answers(m, answer(Cell{row, col}, m.plt(left)), dst, row * pitch + col / 8);
  }
}
// Two registers of words fill a store. Where nothing is left, the empty predicate is the answer.
template <class F>
void word_rows_a5(A5& m, const TileRef& dst, std::uint32_t rows, std::uint32_t cols, F answer) {
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::uint32_t left = cols;
    const auto next = [&](std::uint32_t col) {
      const Pred active = m.plt(left);
      return col < cols ? answer(Cell{row, col}, active) : active;
    };
    for (std::uint32_t col = 0; col < cols; col += kStoredColumns) {
      const Pred first = next(col), second = next(col + m.lanes());
      m.psts_pk(m.pdintlv_b8(first, second).lo, dst.ub(), row * dst.pitch_bytes() + col / 8);
    }
  }
}
// 64 bits: four steps of 64 columns fill a store.
template <class F>
void wide_rows_a5(A5& m, const TileRef& src, const TileRef& dst, F answer) {
  const std::uint32_t cols = m.options().quirk_words64 ? std::min(src.valid_cols, kWordStep) : src.valid_cols;
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    std::uint32_t left = cols;
    for (std::uint32_t col = 0; col < src.valid_cols; col += 4 * kWordStep) {
      Pred part[4];
      for (std::uint32_t k = 0; k < 4; ++k) {
        const Cell cell{row, col + k * kWordStep};
        const Pred active = m.plt(kWord, left);
        part[k] = cell.col < cols ? answer(cell, active) : active;
      }
      const Pred low = m.pdintlv_b8(part[0], part[1]).lo, high = m.pdintlv_b8(part[2], part[3]).lo;
      m.psts(m.pdintlv_b8(low, high).lo, dst.ub(), row * dst.pitch_bytes() + col / 8);
    }
  }
}

void tcmp_a5(A5& m, const Bound& bound) {
  const TileRef src0 = bound.tile("src0"), src1 = bound.tile("src1"), dst = bound.tile("dst");
  if (src0.valid_rows == 0 || src0.valid_cols == 0) return;
  const CompareOp mode = mode_of(bound);
  if (m.bytes() == 8)
    return wide_rows_a5(m, src0, dst, [&](const Cell& cell, const Pred& active) {
      const Words a = load_words(m, src0, cell), b = load_words(m, src1, cell);
      return m.emu_compare_words(mode, m.dtype(), a, b, active);
    });
  // The library reads every second register of a source with the other one's pitch.
  const bool mixed = m.bytes() == 4 && bound.options->quirk_tcmp;
  const auto answer = [&](const Cell& cell, const Pred& active) {
    const bool odd = mixed && cell.col / m.lanes() % 2 == 1, even = mixed && !odd;
    const Reg a = m.vlds(src0.ub(), cell.in(odd ? src1 : src0)), b = m.vlds(src1.ub(), cell.in(even ? src0 : src1));
    return m.vcmp(m.ty(), mode, a, b, active);
  };
  if (m.bytes() == 4) return word_rows_a5(m, dst, src0.valid_rows, src0.valid_cols, answer);
  narrow_rows_a5(m, src0, dst, dst.pitch_bytes(), answer);
}

// One register of a stream of words, whose lanes may come from several rows: each row is read so that its elements come to
// stand in their lanes.
template <class F>
Pred stream_register(A5& m, const TileRef& src, std::uint32_t first, F compare) {
  const std::uint32_t cols = src.valid_cols, end = std::min(first + m.lanes(), src.valid_rows * cols);
  std::uint32_t none = 0;
  Pred all_answers = m.plt(none);
  for (std::uint32_t at = first; at < end;) {
    const std::uint32_t row = at / cols, stop = std::min(end, (row + 1) * cols);
    std::uint32_t before = at - first, until = stop - first;
    const std::uint32_t offset = row * src.row_stride() + at % cols - before;
    const Pred upto = m.plt(until);
    m.vldas(src.ub(), offset);
    const Reg values = m.vldus(src.ub(), offset);
    if (before == 0) {
      all_answers = compare(values, upto);
    } else {
      const Pred own = m.pnot(m.plt(before), upto), answers = compare(values, own);
      all_answers = m.por(all_answers, answers, upto);
    }
    at = stop;
  }
  return all_answers;
}
template <class F>
void stream_a5(A5& m, const TileRef& src, const TileRef& dst, F compare) {
  const auto answer = [&](const Cell& cell, const Pred& active) {
    return compare(m.vlds(src.ub(), cell.in(src)), active);
  };
  if (m.bytes() < 4) return narrow_rows_a5(m, src, dst, ceil_div(src.valid_cols, m.lanes()) * m.lanes() / 8, answer);
  const std::uint32_t total = src.valid_rows * src.valid_cols;
  if (src.valid_rows == 1 || src.valid_cols == src.row_stride()) return word_rows_a5(m, dst, 1, total, answer);
  for (std::uint32_t first = 0; first < total; first += kStoredColumns) {
    const Pred low = stream_register(m, src, first, compare),
               high = stream_register(m, src, first + m.lanes(), compare);
    m.psts_pk(m.pdintlv_b8(low, high).lo, dst.ub(), first / 8);
  }
}

void tcmps_a5(A5& m, const Bound& bound) {
  const TileRef src = bound.tile("src"), dst = bound.tile("dst");
  if (src.valid_rows == 0 || src.valid_cols == 0) return;
  const CompareOp mode = mode_of(bound);
  const bool with_tile = bound.has("src1");
  const LaneScalar scalar = with_tile ? LaneScalar{} : lane_scalar(bound, "scalar");
  Reg element;
  if (with_tile) element = m.vlds_brc(bound.tile("src1").ub(), 0);
  if (m.bytes() == 8) {
    Words other;
    if (with_tile) other = m.vdintlv<std::uint32_t>(element, element);
    else other = words_of(m, scalar);
    return wide_rows_a5(m, src, dst, [&](const Cell& cell, const Pred& active) {
      return m.emu_compare_words(mode, m.dtype(), load_words(m, src, cell), other, active);
    });
  }
  const auto compare = [&](const Reg& values, const Pred& active) {
    return with_tile ? m.vcmp(m.ty(), mode, values, element, active) : m.vcmps(m.ty(), mode, values, scalar, active);
  };
  if (is_stream(bound, src, dst)) return stream_a5(m, src, dst, compare);
  const auto answer = [&](const Cell& cell, const Pred& active) {
    return compare(m.vlds(src.ub(), cell.in(src)), active);
  };
  if (m.bytes() == 4) return word_rows_a5(m, dst, src.valid_rows, src.valid_cols, answer);
  narrow_rows_a5(m, src, dst, dst.pitch_bytes(), answer);
}

// --- A2A3: whole repeats, 240 a call, so that the next call's bits begin with a block

// f(d, byte offset in the row of the first source's tile, repeats). Not equal is equal, inverted over all bytes of the rows.
template <class F>
void compare_rows(A2A3& m, const TileRef& src, const TileRef& dst, bool inverted, F f) {
  constexpr std::uint32_t kRepeats = 240;
  const std::uint32_t repeats = ceil_div(src.valid_cols, m.lanes()), pitch = dst.pitch_bytes(),
                      promised = ceil_div(src.valid_cols, 8);
  for (std::uint32_t row = 0; row < src.valid_rows; ++row)
    for (std::uint32_t done = 0; done < repeats; done += kRepeats)
      f(Ub{dst.address + row * pitch + done * m.lanes() / 8}, Cell{row, done * m.lanes()},
        std::min(repeats - done, kRepeats));
  if (inverted) {
    m.set_mask_count();
    m.set_vector_mask(0, src.valid_rows * pitch / 2);
    m.vnot(AnyLane{DType::U16}, dst.ub(), dst.ub(), 0, {}, {});
    m.set_mask_norm();
    m.set_mask_all();
  }
  const std::uint32_t touched = inverted ? pitch : row_bytes(Target::A2A3, m.dtype(), src.valid_cols);
  for (std::uint32_t row = 0; row < src.valid_rows; ++row)
    m.emu_unspecified({dst.address + row * pitch + promised}, touched - promised, "bits behind the last column");
}

// Integers of 32 bits know equal only.
CompareOp mode_a2a3(const Bound& bound, DType type) {
  const CompareOp mode = mode_of(bound);
  return mode == CompareOp::Ne || type == DType::I32 ? CompareOp::Eq : mode;
}
Ub at_place(const TileRef& tile, const Cell& cell) { return {tile.address + cell.bytes_in(tile)}; }

void tcmp_a2a3(A2A3& m, const Bound& bound) {
  const TileRef src0 = bound.tile("src0"), src1 = bound.tile("src1"), dst = bound.tile("dst");
  if (src0.valid_rows == 0 || src0.valid_cols == 0) return;
  const CompareOp mode = mode_a2a3(bound, m.dtype());
  compare_rows(m, src0, dst, mode_of(bound) == CompareOp::Ne, [&](Ub d, const Cell& cell, std::uint32_t n) {
    m.vcmpv(m.ty(), mode, d, at_place(src0, cell), at_place(src1, cell), n, {}, {});
  });
}

void tcmps_a2a3(A2A3& m, const Bound& bound) {
  const TileRef src = bound.tile("src"), dst = bound.tile("dst");
  if (src.valid_rows == 0 || src.valid_cols == 0) return;
  const CompareOp mode = mode_a2a3(bound, m.dtype());
  const AnyLane lane = bound.options->quirk_compare && m.bytes() == 2 ? AnyLane{DType::F16} : m.ty();
  const bool inverted = mode_of(bound) == CompareOp::Ne;
  if (bound.has("src1")) {
    const Ub element = bound.tile("src1").ub();
    m.sync(Pipe::V, Pipe::S);
    return compare_rows(m, src, dst, inverted, [&](Ub d, const Cell& cell, std::uint32_t n) {
      m.vcmpvs(lane, mode, d, at_place(src, cell), element, n, {});
    });
  }
  const LaneScalar scalar = lane_scalar(bound, "scalar");
  compare_rows(m, src, dst, inverted, [&](Ub d, const Cell& cell, std::uint32_t n) {
    m.vcmpvs(lane, mode, d, at_place(src, cell), scalar, n, {});
  });
}

// --- rules

constexpr DTypeSet kTwoTiles{DType::I32, DType::F16, DType::F32};
constexpr DTypeSet kWithScalar = kTwoTiles | DTypeSet{DType::I16, DType::U16};
constexpr DTypeSet kBits{DType::U8, DType::I8, DType::U16, DType::U32};

void bits_type(RuleCheck& check) {
  const DType type = check.tile("dst").type.dtype;
  if (!kBits.contains(type))
    check.error(check.own("R8"), "dst", fmt::format("dst is {}, bits go to {}", name(type), kBits.list()),
                "declare it as u8");
}
void bits_rows(RuleCheck& check, const TileRef& src) {
  const TileRef& dst = check.tile("dst");
  const std::uint32_t needed = row_bytes(check.target(), src.type.dtype, src.valid_cols);
  if (dst.rows() < src.valid_rows)
    check.error(check.own("R9"), "dst",
                fmt::format("dst has {} rows, the source {} valid ones", dst.rows(), src.valid_rows),
                "give it as many rows");
  else if (src.valid_rows != 0 && dst.pitch_bytes() < needed)
    check.error(check.own("R9"), "dst",
                fmt::format("a row of dst has {} bytes, {} are written", dst.pitch_bytes(), needed), "widen dst");
}
void equal_only(RuleCheck& check, const TileRef& src) {
  const CompareOp mode = mode_of(check.bound());
  if (check.target() == Target::A2A3 && src.type.dtype == DType::I32 && mode != CompareOp::Eq && mode != CompareOp::Ne)
    check.warn(check.own("W1"), "cmpMode", "i32 knows eq and ne only: the answer is that of eq", "compare as f32");
}

void tcmp_rules(RuleCheck& check) {
  const TileRef &src0 = check.tile("src0"), &src1 = check.tile("src1");
  same_types(check, {"src1"}, "src0");
  row_major(check, {"src0", "src1", "dst"});
  same_valid(check, {"src1"}, "src0");
  bits_type(check);
  bits_rows(check, src0);
  equal_only(check, src0);
  const bool by_rows = src0.type.row_major() && src1.type.row_major();
  if (check.target() == Target::A5 && by_rows && src0.elem_bytes() == 4 && src0.row_stride() != src1.row_stride() &&
      src0.valid_rows > 1)
    check.warn(
        check.own("W2"), "src1",
        fmt::format("rows of {} and {} elements: the library mixes them up", src0.row_stride(), src1.row_stride()),
        check.options().quirk_tcmp ? "" : "each source is read with its own; option quirks.tcmp does as the library");
  warn_words(check, "src0", "W3");
  for (const char* src : {"src0", "src1"}) check.warn_overlap("dst", src, false);
}

void tcmps_rules(RuleCheck& check) {
  const Bound& bound = check.bound();
  const TileRef &src = check.tile("src"), &dst = check.tile("dst");
  if (bound.has("src1")) same_types(check, {"src1"}, "src");
  else scalar_type(check, "scalar", "src");
  row_major(check, {"src", "dst"});
  if (bound.has("src1")) row_major(check, {"src1"});
  bits_type(check);
  if (!is_stream(bound, src, dst)) {
    bits_rows(check, src);
  } else if (src.valid_rows != 0 && dst.type.size_bytes() < stream_bytes(src)) {
    check.error(check.own("R9"), "dst",
                fmt::format("dst has {} bytes, the stream {}", dst.type.size_bytes(), stream_bytes(src)), "widen dst");
  } else if (src.valid_rows > 1 && bits_a_row(src) != dst.pitch_bytes() * 8) {
    check.warn(
        check.own("W4"), "dst",
        fmt::format(
            "dst has as many valid columns as src: rows of {} bits follow each other, and do not begin at rows of dst ({} bytes)",
            bits_a_row(src), dst.pitch_bytes()),
        "tsel and tsels look for them there: give dst another number of valid columns, or set option tcmps.pack = pitch");
  }
  equal_only(check, src);
  if (check.target() == Target::A2A3 && src.elem_bytes() == 2 && !is_float(src.type.dtype))
    check.warn(check.own("W2"), "src",
               fmt::format("the library compares {} as f16 of the same bits", name(src.type.dtype)),
               check.options().quirk_compare ? "" : "integers are compared; option quirks.compare does as the library");
  warn_words(check, "src", "W3");
  check.warn_overlap("dst", "src", false);
  if (bound.has("src1")) check.warn_overlap("dst", "src1", false);
}

// --- rows

constexpr AttributeSpec kMode{"cmpMode", "eq|ne|lt|le|gt|ge",
                              "equal=eq|not_equal=ne|less_than=lt|less_equal=le|greater_than=gt|greater_equal=ge"};

const InstructionRow tcmp{
    .name = "tcmp",
    .summary = "Compares two tiles element by element and packs the answers, one bit each.",
    .forms = {{"", {in("src0"), in("src1"), out("dst")}, "TCMP(dst, src0, src1, cmpMode)"}},
    .attributes = {kMode},
    .typed_by = "src0",
    .types = types_of<kAllTypes, kTwoTiles>,
    .draw = Drawing::Compare,
    .rules = tcmp_rules,
    .machines = machines_of<tcmp_a5, tcmp_a2a3>(),
};
const InstructionRow tcmps{
    .name = "tcmps",
    .summary = "Compares each element with one scalar and packs the answers, one bit each.",
    .forms = {{"with_scalar", {in("src"), scalar("scalar"), out("dst")}, "TCMPS(dst, src, scalar, cmpMode)"},
              {"with_tile", {in("src"), in("src1"), out("dst")}, "TCMPS(dst, src, src1, cmpMode)"}},
    .attributes = {kMode},
    .typed_by = "src",
    .types = types_of<kAllTypes, kWithScalar>,
    .draw = Drawing::Compare,
    .rules = tcmps_rules,
    .machines = machines_of<tcmps_a5, tcmps_a2a3>(),
};

const Registered registered[] = {Registered(tcmp), Registered(tcmps)};

}  // namespace
}  // namespace ts
