// TCONCAT: rows of src0, and behind each of them the same row of src1. TCONCATIDX: of each row of both as many columns as
// tiles of counts say.
#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

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

// n0 = min(counts0[r], valid columns of dst), n1 = min(counts1[r], what is left of them): dst[r] = n0 elements of src0[r], then
// n1 of src1[r]; what is behind them stays, and indices[r], if it is there, is n0 + n1. A count stands in bytes of its own type: 4 elements are 8 in an i16, 16 in an i32.
template <class M>
void tconcatidx(M& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst");
  const TileRef* made = bound.has("indices") ? &bound.tile("indices") : nullptr;
  m.watch_data();
  for (std::uint32_t row = 0; row < dst.valid_rows && dst.valid_cols != 0; ++row)
    m.emu_concat(dst, bound.tile("src0"), bound.tile("src1"), bound.tile("indices0"), bound.tile("indices1"), made,
                 row);
}
void tconcatidx_a5(A5& m, const Bound& bound) { tconcatidx(m, bound); }
void tconcatidx_a2a3(A2A3& m, const Bound& bound) { tconcatidx(m, bound); }

constexpr DTypeSet kCounts{DType::I16, DType::U16, DType::I32, DType::U32};
constexpr std::pair<const char*, const char*> kCounted[] = {{"src0", "indices0"}, {"src1", "indices1"}};

// A tile whose rows begin with counts.
void check_counts(RuleCheck& check, const char* counts) {
  const TileRef &dst = check.tile("dst"), &tile = check.tile(counts);
  row_major(check, {counts});
  if (!kCounts.contains(tile.type.dtype))
    check.error(check.own("R9"), counts,
                fmt::format("{} are {}, needs {}", counts, name(tile.type.dtype), kCounts.list()),
                "a count has two or four bytes");
  if (dst.valid_rows != 0 && tile.valid_cols == 0)
    check.error(check.own("R8"), counts, fmt::format("{} has no valid column", counts),
                "the first element of each row is a count");
}
void check_rows(RuleCheck& check, const char* tile) {
  const std::uint32_t rows = check.tile(tile).valid_rows, wanted = check.tile("dst").valid_rows;
  if (rows != wanted)
    check.error(check.own("R4"), tile, fmt::format("{} has {} valid rows, dst {}", tile, rows, wanted),
                "each row of dst is a row of src0 and one of src1");
}

void tconcatidx_rules(RuleCheck& check) {
  same_types(check, {"src0", "src1"});
  row_major(check, {"dst", "src0", "src1"});
  for (const auto& [source, counts] : kCounted) {
    check_counts(check, counts);
    for (const char* tile : {source, counts}) {
      check_rows(check, tile);
      check.warn_overlap("dst", tile, false);
      check.warn_overlap("indices", tile, false);
    }
  }
  if (!check.bound().has("indices")) return;
  check_counts(check, "indices");
  check_rows(check, "indices");
  check.warn_overlap("indices", "dst", false);
}
// R13: a count that leads out of a tile. W1: a count is whole elements. W2: what is not valid is taken.
class CountRules {
 public:
  CountRules(RuleCheck& check, const Memory& before) : check_(check), before_(before) {}

  void tell() {
    const TileRef& dst = check_.tile("dst");
    for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
      std::uint64_t left = dst.valid_cols;
      for (const auto& [source, counts] : kCounted) left -= look(source, counts, row, left);
    }
  }

 private:
  std::uint64_t look(const char* source, const char* counts, std::uint32_t row, std::uint64_t left) {
    const TileRef &from = check_.tile(source), &list = check_.tile(counts);
    const std::uint64_t bytes = before_.element(list.place_of(row, 0)),
                        count = std::min(bytes / list.elem_bytes(), left);
    const std::string says = fmt::format("{}[{},0] = {} are {} columns", counts, row, bytes, bytes / list.elem_bytes());
    const ByteRange whole = from.range();
    if (from.at(row, 0) + count * from.elem_bytes() > std::uint64_t{whole.address} + whole.size) {
      if (once("R13"))
        check_.error_about(FindingKind::Offset, DiagnosticElement{row, 0}, check_.own("R13"), counts,
                           fmt::format("{}, {} ends after {}", says, source, from.cols()), kHint);
    } else if (count > from.valid_cols && once("W2")) {
      warn("W2", counts, row, fmt::format("{}, {} has {} valid ones", says, source, from.valid_cols));
    }
    if (bytes % list.elem_bytes() != 0 && once("W1")) warn("W1", counts, row, says + ", and a part of one");
    return count;
  }
  // Of each rule the first row is told.
  bool once(const char* rule) { return told_.insert(rule).second; }
  void warn(const char* rule, const char* counts, std::uint32_t row, std::string text) {
    check_.warn(check_.own(rule), counts, std::move(text), kHint);
    check_.about(FindingKind::Rule, DiagnosticElement{row, 0});
  }

  static constexpr const char* kHint = "a count is the number of columns, times the bytes of its own type";
  RuleCheck& check_;
  const Memory& before_;
  std::set<std::string_view> told_;
};
void tconcatidx_data_rules(RuleCheck& check, const Memory& before) { CountRules(check, before).tell(); }

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
const InstructionRow tconcatidx_row{
    .name = "tconcatidx",
    .summary = "Puts columns of a tile behind those of another one, as many of each row as counts say.",
    .forms = {{"plain",
               {in("src0"), in("src1"), offsets("indices0"), offsets("indices1"), out("dst")},
               "TCONCAT(dst, src0, src1, src0Idx, src1Idx)"},
              {"counted",
               {in("src0"), in("src1"), offsets("indices0"), offsets("indices1"), out("dst"), out("indices")},
               "TCONCAT(dst, src0, src1, dstIdx, src0Idx, src1Idx)"}},
    .typed_by = "dst",
    .types = types_of<kTypesTo32, kTypesTo32>,
    .draw = Drawing::None,
    .rules = tconcatidx_rules,
    .data_rules = tconcatidx_data_rules,
    .moves = true,
    .machines = machines_of<tconcatidx_a5, tconcatidx_a2a3>(),
};
const Registered registered[] = {Registered(tconcat), Registered(tconcatidx_row)};

}  // namespace
}  // namespace ts
