// TGATHER in its three forms. By index: dst[r][c] = the element of src with the number indices[r][c]. By a pattern: every
// second or fourth element of each row, close together, or every second or fourth row. Compared: the numbers of a row's
// elements that compare with the row's limit, and how many they are.
#include "core/instructions/indexed/index_family.h"

namespace ts {
namespace {

using namespace vec;

constexpr AnyLane kWord{DType::U32}, kHalf{DType::U16};
LaneScalar word(std::uint64_t bits) { return {bits, DType::U32, 0}; }

// --- by index

// The element a lane's index means stands in the low part of the lane.
void store_gathered(A5& m, const Reg& v, AnyLane lane, const TileRef& dst, std::uint32_t at, const Pred& active) {
  const std::uint32_t size = dst.elem_bytes();
  if (size == lane.bytes()) return m.vsts(v, dst.ub(), at, active);
  if (lane.bytes() == 2) return m.vsts_pk_b16(v, dst.ub(), at, active);
  if (size == 2) return m.vsts_pk_b32(v, dst.ub(), at, active);
  m.vsts_pk4_b32(v, dst.ub(), at, active);
}
// Lanes that gather: all of them, or (option) those whose index is inside.
Pred gathering(A5& m, AnyLane lane, const Reg& index, std::uint32_t limit, const Pred& active) {
  const bool all = m.options().gather_outside == 0 || (lane.bytes() == 2 && limit > 0xFFFF);
  return all ? active : m.vcmps(lane, CompareOp::Lt, index, {limit, lane, 0}, active);
}
// 64-bit elements are two words each.
Words gathered_words(A5& m, const TileRef& src, const Reg& index, const Pred& inside) {
  const Pred all = m.pset_all(kWord);
  const Reg low = m.vshls(kWord, index, word(1), all), high = m.vadds(kWord, low, word(1), all);
  return {m.vgather2(kWord, kWord, src, low, inside), m.vgather2(kWord, kWord, src, high, inside)};
}
void gather_indices_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), indices = bound.tile("indices");
  m.watch_indices(index_list(indices, dst.valid_rows, dst.valid_cols), elements_of(src), false);
  const bool narrow = indices.elem_bytes() == 2;
  const AnyLane lane = narrow && m.bytes() <= 2 ? kHalf : kWord;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    std::uint32_t left = dst.valid_cols;
    for (std::uint32_t col = 0; col < dst.valid_cols; col += lane.lanes()) {
      const Cell cell{row, col};
      const Pred active = m.plt(lane, left);
      const Reg index = narrow && lane.bytes() == 4 ? m.vlds_unpk_b16(indices.ub(), cell.in(indices))
                        : lane.bytes() == 2         ? m.vlds<std::uint16_t>(indices.ub(), cell.in(indices))
                                                    : m.vlds<std::uint32_t>(indices.ub(), cell.in(indices));
      const Pred inside = gathering(m, lane, index, elements_of(src), active);
      if (m.bytes() == 8) store_words(m, gathered_words(m, src, index, inside), dst, cell, active);
      else store_gathered(m, m.vgather2(m.ty(), lane, src, index, inside), lane, dst, cell.in(dst), active);
    }
  }
}

// Byte offsets are made where the elements of 32 bits will stand, or in tmp, whose rows are then as long as those of dst.
void gather_indices_a2a3(A2A3& m, const Bound& bound) {
  constexpr AnyLane kOffset{DType::I32};
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), indices = bound.tile("indices");
  m.watch_indices(index_list(indices, dst.valid_rows, dst.valid_cols), elements_of(src), false);
  if (m.options().gather_outside != 0) {
    for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
      m.emu_vgather(m.ty(), {dst.at(row, 0)}, {indices.at(row, 0)}, src, elements_of(src), dst.valid_cols);
  } else {
    const bool in_place = m.bytes() == 4;
    const std::uint32_t scratch = in_place ? dst.address : bound.tile("tmp").address;
    counted_rows(m, dst.valid_rows, dst.valid_cols, [&](std::uint32_t row) {
      const Ub offsets{scratch + row * dst.cols() * 4};
      m.vmuls(kOffset, offsets, {indices.at(row, 0)}, {m.bytes(), kOffset, 0}, 1, {}, {});
      m.pipe_barrier();
      m.vgather(m.ty(), {dst.at(row, 0)}, offsets, src);
    });
  }
  leave_scratch(m, bound);
}

// --- by a pattern

bool along_columns(const Bound& bound) { return bound.attribute("gatherAxis") != 0; }
std::uint32_t source_row(const MaskPattern& pattern, std::uint32_t row) { return row * pattern.step + pattern.first; }

void gather_rows_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  const MaskPattern pattern = pattern_of(bound);
  A5::Align align = m.init_align();
  std::uint32_t stored = 0;
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes()) {
      const std::uint32_t lanes = std::min(m.lanes(), src.valid_cols - col), kept = pattern.among(lanes);
      const Reg v = m.vlds(src.ub(), row * src.row_stride() + col);
      const Reg close = m.vsqz(v, m.pset_every(m.ty(), pattern.first, pattern.step, lanes));
      align = m.vstus(align, kept, close, dst.ub(), stored);
      stored += kept;
    }
  }
  m.vstas(align, dst.ub(), stored);
}
void gather_pattern_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  if (!along_columns(bound)) return gather_rows_a5(m, bound);
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    std::uint32_t left = dst.valid_cols;
    for (std::uint32_t col = 0; col < dst.valid_cols; col += m.lanes()) {
      const Pred active = m.plt(left);
      m.vsts(m.vlds(src.ub(), source_row(pattern_of(bound), row) * src.row_stride() + col), dst.ub(),
             row * dst.row_stride() + col, active);
    }
  }
}
void gather_pattern_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  const MaskPattern pattern = pattern_of(bound);
  if (!along_columns(bound)) {
    m.set_mask_count();
    m.set_vector_mask(0, src.valid_cols);
    m.vreducev2(m.ty(), dst.ub(), src.ub(), pattern.number, pattern.first, pattern.step, src.valid_cols, src.valid_rows,
                src.pitch_bytes());
    m.set_mask_norm();
    m.set_mask_all();
    return;
  }
  counted_rows(m, dst.valid_rows, dst.valid_cols, [&](std::uint32_t row) {
    m.vcopy(m.ty(), {dst.at(row, 0)}, {src.at(source_row(pattern, row), 0)}, 1, {}, {});
  });
}

// --- compared

CompareOp compare_mode(const Bound& bound) { return bound.attribute("cmpMode") == 0 ? CompareOp::Eq : CompareOp::Gt; }
// One value for each row of src: in one row of a tile, or down its first column.
std::uint32_t row_value_at(const TileRef& tile, std::uint32_t row) {
  return tile.valid_rows == 1 ? tile.at(0, row) : tile.at(row, 0);
}
std::uint32_t row_value_room(const TileRef& tile) { return tile.valid_rows == 1 ? tile.cols() : tile.rows(); }

// A5 compares words. As the library does, everything becomes i32, and is compared without its sign; or (option) elements
// are only widened.
AnyLane compared_as(const Bound& bound, DType type) {
  if (bound.options->gather_compare == 0) return {DType::U32};
  return {is_float(type) ? DType::F32 : is_signed_int(type) ? DType::I32 : DType::U32};
}
// Elements of a type, each at the start of a word, or (spread) in every lane.
Reg as_compared(A5& m, const Bound& bound, DType type, bool spread, const Reg& v, const Pred& active) {
  if (type == DType::U16) return spread ? m.vcvt({DType::U32}, {type}, {}, v, active) : v;
  const bool floats = is_float(bound.dtype()) && bound.options->gather_compare != 0;
  const DType to = floats ? DType::F32 : DType::I32;
  if (type == DType::U32 || type == to) return v;
  return m.vcvt({to}, {type}, {.rounding = Rounding::Even, .overflow = Overflow::Clamp}, v, active);
}
// A limit that is no element of a tile, in another type.
LaneScalar scalar_limit(const Bound& bound, DType to) {
  const LaneScalar limit = lane_scalar(bound, "limit");
  if (limit.dtype == to) return limit;
  const double value = to_double(limit.dtype, limit.bits);
  if (is_float(to)) return {from_double(to, value), to, limit.origin};
  return {is_float(limit.dtype) ? whole_word(value) : static_cast<std::uint32_t>(static_cast<std::int64_t>(value)), to,
          limit.origin};
}
Reg limit_a5(A5& m, const Bound& bound, std::uint32_t row, const Pred& all) {
  const AnyLane as = compared_as(bound, bound.dtype());
  const Operand& limit = *bound.find("limit");
  if (limit.spec->kind == OperandKind::Scalar) return m.vdup(as, scalar_limit(bound, as), all);
  const Reg v = m.vlds_brc({row_value_at(limit.tile, row)}, 0);
  return as_compared(m, bound, limit.tile.type.dtype, true, v, all);
}
void gather_compared_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), counts = bound.tile("counts");
  if (dst.cols() < src.valid_cols) m.watch_data();
  const LaneScalar offset = lane_scalar(bound, "offset");
  const AnyLane as = compared_as(bound, bound.dtype());
  const std::uint32_t steps = ceil_div(src.valid_cols, kWord.lanes());
  const Pred all = m.pset_all(kWord);
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    const Reg limit = limit_a5(m, bound, row, all);
    Reg stored = m.vdup(kWord, word(0), all);
    std::uint32_t left = src.valid_cols;
    for (std::uint32_t step = 0; step < steps; ++step) {
      const std::uint32_t at = row * src.row_stride() + step * kWord.lanes();
      const Pred active = m.plt(kWord, left);
      const Reg v = m.bytes() == 2 ? m.vlds_unpk_b16(src.ub(), at) : m.vlds(src.ub(), at);
      const Pred kept =
          m.vcmp(as, compare_mode(bound), as_compared(m, bound, src.type.dtype, false, v, active), limit, active);
      // The ramp goes on from row to row, a whole register for each step.
      const std::uint64_t first = offset.bits + (std::uint64_t{row} * steps + step) * kWord.lanes();
      m.vstur(m.vci(kWord, {first & 0xFFFFFFFF, DType::U32, offset.origin}, false), {dst.at(row, 0)}, kept, stored);
    }
    if (m.options().gather_counts == 0) stored = m.vshls(kWord, stored, word(2), all);
    m.vsts_1pt(AnyLane{counts.type.dtype}, stored, {row_value_at(counts, row)}, 0);
  }
}
Reg limit_a2a3(A2A3& m, const Bound& bound, std::uint32_t row) {
  const Operand& limit = *bound.find("limit");
  if (limit.spec->kind == OperandKind::Scalar) return m.scalar_value(scalar_limit(bound, m.dtype()));
  return m.scalar_load_as(m.ty(), {limit.tile.type.dtype}, {row_value_at(limit.tile, row)});
}
void gather_compared_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src"), counts = bound.tile("counts");
  if (dst.cols() < src.valid_cols) m.watch_data();
  const LaneScalar offset = lane_scalar(bound, "offset");
  for (std::uint32_t row = 0; row < src.valid_rows; ++row)
    m.vreducev2_mask(m.ty(), compare_mode(bound), {dst.at(row, 0)}, {row_value_at(counts, row)},
                     size_bytes(counts.type.dtype), {src.at(row, 0)}, limit_a2a3(m, bound, row), offset,
                     row * src.cols(), src.valid_cols);
  leave_scratch(m, bound);
}

// --- the three

void tgather_a5(A5& m, const Bound& bound) {
  if (bound.has("counts")) return gather_compared_a5(m, bound);
  return bound.has("indices") ? gather_indices_a5(m, bound) : gather_pattern_a5(m, bound);
}
void tgather_a2a3(A2A3& m, const Bound& bound) {
  if (bound.has("counts")) return gather_compared_a2a3(m, bound);
  return bound.has("indices") ? gather_indices_a2a3(m, bound) : gather_pattern_a2a3(m, bound);
}

// --- rules

constexpr DTypeSet kA2A3Gathered = kIntegers16And32 | kF16AndF32 | DTypeSet{DType::BF16};

void index_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src"), &indices = check.tile("indices");
  same_types(check, {"src"});
  row_major(check, {"dst", "src", "indices"});
  const bool short_ones = check.target() == Target::A5 && src.elem_bytes() < 8;
  index_type(check, short_ones ? kIndices16 | kIndices32 : kIndices32, "indices count elements; convert them");
  if (indices.valid_rows < dst.valid_rows || indices.valid_cols < dst.valid_cols)
    check.error(check.own("R4"), "indices",
                fmt::format("indices valid {}x{} is smaller than dst valid {}x{}", indices.valid_rows,
                            indices.valid_cols, dst.valid_rows, dst.valid_cols),
                "an index for each element of dst");
  if (check.target() == Target::A5) return may_overlap(check, {"src", "indices"});
  if (src.elem_bytes() == 4) return apart(check, {"src", "indices"});
  may_overlap(check, {"src", "indices"});
  if (!check.bound().has("tmp")) return;
  const TileRef& tmp = check.tile("tmp");
  check.need_same_type(check.own("R7"), "tmp", "indices");
  const std::uint64_t needed =
      dst.valid_rows == 0 ? 0 : (std::uint64_t{dst.valid_rows - 1} * dst.cols() + dst.valid_cols) * 4;
  scratch_bytes(check, needed, fmt::format("rows of offsets stand {} words apart there, as wide as dst", dst.cols()));
  for (const char* other : {"dst", "src", "indices"}) check.warn_overlap("tmp", other, false);
  const bool named = !check.bound().find("tmp")->implicit;
  if (named && (tmp.valid_rows != indices.valid_rows || tmp.valid_cols != indices.valid_cols))
    check.error(check.own("R7"), "tmp",
                fmt::format("tmp valid {}x{} != indices valid {}x{}", tmp.valid_rows, tmp.valid_cols,
                            indices.valid_rows, indices.valid_cols),
                "give it the valid shape of indices");
}

void pattern_column_rules(RuleCheck& check, const TileRef& dst, const TileRef& src) {
  const MaskPattern pattern = pattern_of(check.bound());
  if (src.elem_bytes() == 8)
    check.error(check.own("R11"), "src", fmt::format("{} is gathered along rows only", name(src.type.dtype)),
                "gather by index, or along rows");
  if (src.valid_cols < dst.valid_cols)
    check.error(check.own("R4"), "src", fmt::format("src has {} valid columns, dst {}", src.valid_cols, dst.valid_cols),
                "rows are copied whole: give both as many");
  if (dst.valid_rows == 0) return;
  const std::uint32_t last = source_row(pattern, dst.valid_rows - 1);
  if (last >= src.rows())
    check.error(check.own("R4"), "src",
                fmt::format("row {} of dst is row {} of src, which has {}", dst.valid_rows - 1, last, src.rows()),
                "give dst fewer valid rows");
  else if (last >= src.valid_rows)
    check.warn(
        check.own("W2"), "src",
        fmt::format("row {} of dst is row {} of src, of which {} are valid", dst.valid_rows - 1, last, src.valid_rows),
        "the rows of dst decide: what stands there is taken");
}
void pattern_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  same_types(check, {"src"});
  row_major(check, {"dst", "src"});
  may_overlap(check, {"src"});
  if (along_columns(check.bound())) return pattern_column_rules(check, dst, src);
  const std::uint32_t kept = src.valid_rows * pattern_of(check.bound()).among(src.valid_cols);
  if (dst.valid_cols != dst.cols())
    check.error(check.own("R10"), "dst", fmt::format("dst has {} valid columns of {}", dst.valid_cols, dst.cols()),
                "elements go on from one row's end to the next one's start: make all columns valid");
  else if (kept > elements_of(dst))
    check.error(check.own("R10"), "dst",
                fmt::format("{} elements are kept, dst has room for {}", kept, elements_of(dst)), "add rows to dst");
}

DTypeSet limit_types(DType source) {
  const DType whole = size_bytes(source) == 2 ? DType::I16 : DType::I32;
  return is_float(source) ? DTypeSet{source, whole} : DTypeSet{source};
}
void compare_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src"), &counts = check.tile("counts");
  const bool a5 = check.target() == Target::A5, equal = compare_mode(check.bound()) == CompareOp::Eq;
  const auto wrong_type = [&](const char* operand, DType type, DTypeSet types) {
    if (!types.contains(type))
      check.error(check.own("R12"), operand, fmt::format("{} is {}, needs {}", operand, name(type), types.list()),
                  "convert with tcvt first");
    return !types.contains(type);
  };
  const DTypeSet sources = a5 ? kIntegers16And32 | kF16AndF32 : equal ? kF16AndF32 | DTypeSet{DType::I32} : kF16AndF32;
  const Operand& limit = *check.bound().find("limit");
  const bool scalar = limit.spec->kind == OperandKind::Scalar;
  row_major(check, {"dst", "src"});
  wrong_type("dst", dst.type.dtype, kIndices32);
  if (!wrong_type("counts", counts.type.dtype, kIntegersTo32) && !kIndices32.contains(counts.type.dtype))
    check.warn(check.own("W3"), "counts",
               fmt::format("counts is {}: of each number its low bits are kept (unverified)", name(counts.type.dtype)),
               "i32 or u32 hold any");
  if (!wrong_type("src", src.type.dtype, sources))
    wrong_type("limit", scalar ? limit.scalar.dtype : limit.tile.type.dtype, limit_types(src.type.dtype));
  const auto one_a_row = [&](const char* operand, const TileRef& tile) {
    if (tile.type.boxed() || row_value_room(tile) < src.valid_rows)
      check.error(check.own("R4"), operand,
                  fmt::format("{} is {}, src has {} valid rows", operand, tile.type.describe(), src.valid_rows),
                  "one row of values, or one column: a value for each row of src");
  };
  one_a_row("counts", counts);
  if (!scalar) one_a_row("limit", limit.tile);
  if (dst.rows() < src.valid_rows)
    check.error(check.own("R4"), "dst", fmt::format("dst has {} rows, src {} valid ones", dst.rows(), src.valid_rows),
                "a row of numbers for each row of src");
  for (const char* result : {"dst", "counts"})
    for (const char* other : {"src", "limit"})
      if (check.bound().find(other)->spec->kind == OperandKind::Tile) check.warn_overlap(result, other, false);
  check.warn_overlap("counts", "dst", false);
  if (!a5)
    for (const char* other : {"dst", "src", "counts"}) check.warn_overlap("tmp", other, false);
}

void tgather_rules(RuleCheck& check) {
  const bool compares = check.bound().has("counts");
  if (compares && has_pattern(check.bound()))
    return check.error(check.own("R8"), "src", "tgather has a maskPattern, and compares", "leave the maskPattern out");
  if (compares) return compare_rules(check);
  if (!pattern_fits(check, "indices")) return;
  return check.bound().has("indices") ? index_rules(check) : pattern_rules(check);
}

// --- rules on data

void outside_rule(RuleCheck& check, const Memory& before) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src"), &indices = check.tile("indices");
  const bool zero = check.options().gather_outside != 0;
  each_index(index_list(indices, dst.valid_rows, dst.valid_cols), before,
             [&](const DiagnosticElement& at, std::uint64_t index) {
               if (index < elements_of(src)) return false;
               const std::string text =
                   fmt::format("{}{} is outside src of {} elements ({}x{})", index_text(at, index),
                               as_signed(indices, index), elements_of(src), src.rows(), src.cols());
               if (zero) check.warn(check.own("R13"), "indices", text, "it gathers a zero (option tgather.outside)");
               else
                 check.error(check.own("R13"), "indices", text,
                             "an index is the number of an element in memory: row * Cols + column");
               check.about(FindingKind::Offset, at);
               return true;
             });
}

// What is compared, as a number. Of the limit: in the type of the elements that it is compared with.
double compared_number(const Bound& bound, DType type, std::uint64_t bits) {
  const double value = to_double(type, bits);
  if (bound.target == Target::A5 && bound.options->gather_compare == 0)
    return is_float(type) ? whole_word(value) : static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
  if (!is_float(bound.dtype())) return value;
  const DType in = bound.target == Target::A5 ? DType::F32 : bound.dtype();
  return to_double(in, from_double(in, value));
}
std::uint32_t kept_in_row(const Bound& bound, const Memory& before, std::uint32_t row) {
  const TileRef& src = bound.tile("src");
  const auto number = [&](const TileRef& tile, std::uint32_t at) {
    return compared_number(bound, tile.type.dtype, before.element(Space::Ub, at, tile.elem_bytes(), tile.core));
  };
  const Operand& limit = *bound.find("limit");
  const double k = limit.spec->kind == OperandKind::Scalar
                       ? compared_number(bound, limit.scalar.dtype, limit.scalar.bits)
                       : number(limit.tile, row_value_at(limit.tile, row));
  std::uint32_t kept = 0;
  for (std::uint32_t col = 0; col < src.valid_cols; ++col) {
    const double x = number(src, src.at(row, col));
    kept += compare_mode(bound) == CompareOp::Eq ? x == k : x > k;
  }
  return kept;
}
void overflow_rule(RuleCheck& check, const Memory& before) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    const std::uint32_t kept = kept_in_row(check.bound(), before, row);
    if (kept <= dst.cols()) continue;
    check.warn(check.own("W1"), "dst",
               fmt::format("{} elements of row {} compare, dst has {} columns", kept, row, dst.cols()),
               "the numbers go on behind the row: give dst as many columns as src has valid ones");
    return check.about(FindingKind::Bounds, DiagnosticElement{row, 0});
  }
}
void tgather_data_rules(RuleCheck& check, const Memory& before) {
  if (check.bound().has("indices")) outside_rule(check, before);
  if (check.bound().has("counts")) overflow_rule(check, before);
}

// --- row

TileType tgather_scratch(const Bound& bound) {
  if (!bound.has("indices") || bound.tile("src").elem_bytes() != 2) return no_scratch();
  const TileRef& dst = bound.tile("dst");
  return scratch_of(bound, bound.tile("indices").type.dtype, dst.rows(), dst.cols() * 4);
}

const InstructionRow tgather{
    .name = "tgather",
    .summary = "Gathers elements by index, by a pattern, or the numbers of those that compare.",
    .forms = {{"index",
               {in("src"), offsets("indices"), optional_tmp("tmp"), out("dst")},
               "TGATHER(dst, src, indices, tmp)"},
              {"pattern", {in("src"), out("dst")}, "TGATHER<Dst, Src, pattern, axis>(dst, src)"},
              {"compare",
               {in("src"), in("limit"), optional_tmp("tmp"), attribute_number("offset"), out("dst"), out("counts")},
               "TGATHER<..., cmpMode>(dst, src, limit, counts, tmp, offset)"},
              {"compare with a scalar",
               {in("src"), scalar("limit"), optional_tmp("tmp"), attribute_number("offset"), out("dst"), out("counts")},
               "TGATHER<..., cmpMode>(dst, src, limit, counts, tmp, offset)"}},
    .attributes = {kMaskPattern,
                   {"gatherAxis", "row|col", "gather_row=row|gather_col=col"},
                   {"cmpMode", "eq|gt", "equal=eq|greater_than=gt"}},
    .typed_by = "src",
    .types = types_of<kAllTypes, kA2A3Gathered>,
    .draw = Drawing::Gather,
    .rules = tgather_rules,
    .data_rules = tgather_data_rules,
    .scratch = tgather_scratch,
    .moves = true,
    .machines = machines_of<tgather_a5, tgather_a2a3>(),
};
const Registered registered(tgather);

}  // namespace
}  // namespace ts
