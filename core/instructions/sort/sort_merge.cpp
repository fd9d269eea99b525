// TMRGSORT: sorted lists of records as one sorted list, of equal keys those of the first list first. Two to four lists of
// tiles of their own, through tmp; or the blocks of one tile, each four of them.
#include <vector>

#include "core/instructions/sort/sort_family.h"

namespace ts {
namespace {

using namespace vec;

constexpr std::uint32_t kMostGroups = 255;
constexpr const char* kLists[] = {"src0", "src1", "src2", "src3"};

bool has_lists(const Bound& bound) { return bound.has("src0"); }
std::vector<const char*> list_names(const Bound& bound) {
  std::vector<const char*> names;
  for (const char* list : kLists)
    if (bound.has(list)) names.push_back(list);
  return names;
}
bool ends_early(const Bound& bound) { return bound.attribute("exhausted") != 0; }

// Records, with nothing of one that is there in part.
std::uint32_t records_in(const TileRef& tile) { return tile.valid_rows == 0 ? 0 : tile.valid_cols / record_cols(tile); }
RecordLists lists_of(const Bound& bound) {
  RecordLists lists;
  for (const char* name : list_names(bound)) {
    lists.address[lists.count] = bound.tile(name).address;
    lists.records[lists.count++] = records_in(bound.tile(name));
  }
  return lists;
}

// Of one tile: columns of a block, and groups of four blocks.
std::uint32_t block_cols(const Bound& bound) { return static_cast<std::uint32_t>(bound.scalar("block_len").bits); }
std::uint32_t groups_of(const Bound& bound) { return bound.tile("src").valid_cols / (4 * block_cols(bound)); }

void copy_valid(A5& m, const TileRef& dst, const TileRef& tmp) {
  std::uint32_t left = dst.valid_cols;
  for (std::uint32_t col = 0; col < dst.valid_cols; col += m.lanes()) {
    const Pred active = m.plt(left);
    m.vsts(m.vlds(tmp.ub(), col), dst.ub(), col, active);
  }
}
void copy_valid(A2A3& m, const TileRef& dst, const TileRef& tmp) {
  m.pipe_barrier();
  copy_row(m, dst.ub(), tmp.ub(), dst.valid_cols);
}

template <class M>
void merge_blocks(M& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst"), src = bound.tile("src");
  const std::uint32_t records = block_cols(bound) / record_cols(src);
  RecordLists lists{.count = 4, .address = {}, .records = {records, records, records, records}};
  for (std::uint32_t i = 0; i < 4; ++i) lists.address[i] = src.address + i * records * kRecordBytes;
  m.vmrgsort4(dst.ub(), lists, groups_of(bound), false);
}
template <class M>
void tmrgsort(M& m, const Bound& bound) {
  if (!has_lists(bound)) return merge_blocks(m, bound);
  if (ends_early(bound)) m.watch_data();
  m.vmrgsort4(bound.tile("tmp").ub(), lists_of(bound), 1, ends_early(bound));
  copy_valid(m, bound.tile("dst"), bound.tile("tmp"));
  leave_scratch(m, bound);
}
void tmrgsort_a5(A5& m, const Bound& bound) { tmrgsort(m, bound); }
void tmrgsort_a2a3(A2A3& m, const Bound& bound) { tmrgsort(m, bound); }

// --- rules

void one_row(RuleCheck& check, std::initializer_list<const char*> tiles) {
  for (const char* tile : tiles)
    if (check.tile(tile).rows() != 1)
      check.error(check.own("R11"), tile, fmt::format("{} has {} rows", tile, check.tile(tile).rows()),
                  "a list is one row");
}
void block_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  const Scalar& length = check.bound().scalar("block_len");
  same_types(check, {"src"});
  row_major(check, {"dst", "src"});
  one_row(check, {"dst", "src"});
  check.warn_overlap("dst", "src", false);
  if (ends_early(check.bound()))
    check.error(check.own("R8"), "src", "tmrgsort of one tile has no `exhausted`",
                "all blocks are merged: leave it out, or give each list a tile");
  const double cols = to_double(length.dtype, length.bits);
  if (is_float(length.dtype) || cols <= 0 || cols > 0x7FFFFFFF || std::fmod(cols, 64) != 0)
    return check.error(check.own("R9"), "block_len",
                       fmt::format("block_len is {}", format_value(length.dtype, length.bits)),
                       "the columns of a block, an integer: 64, 128, ...");
  const std::uint64_t group = 4 * std::uint64_t{block_cols(check.bound())};
  if (src.valid_cols % group != 0 || src.valid_cols / group > kMostGroups)
    return check.error(check.own("R10"), "src",
                       fmt::format("src has {} valid columns, four blocks have {}", src.valid_cols, group),
                       fmt::format("a multiple of it, {} of them at most", kMostGroups));
  if (dst.cols() < src.valid_cols)
    check.error(check.own("R4"), "dst",
                fmt::format("dst has {} columns, src {} valid ones", dst.cols(), src.valid_cols),
                "a group stands in dst where it does in src");
}

// The manual's limit for all tiles together; the memory of A2A3 is no larger.
void budget_rule(RuleCheck& check) {
  constexpr std::uint64_t kBudget = 192 * 1024;
  std::uint64_t bytes = 0;
  for (const Operand& operand : check.bound().operands)
    if (operand.spec->kind == OperandKind::Tile) bytes += operand.tile.type.size_bytes();
  if (check.target() == Target::A5 && bytes >= kBudget)
    check.documented(check.own("W3"), "dst", fmt::format("all tiles together have {} bytes", bytes),
                     fmt::format("documents allow less than {}, on a5 too", kBudget));
}
void list_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &tmp = check.tile("tmp");
  std::uint32_t cols = 0, merged = 0;
  for (const char* name : list_names(check.bound())) {
    const TileRef& list = check.tile(name);
    same_types(check, {name});
    row_major(check, {name});
    one_row(check, {name});
    for (const char* written : {"tmp", "dst"}) check.warn_overlap(written, name, false);
    cols += list.cols();
    merged += records_in(list) * record_cols(list);
  }
  row_major(check, {"dst"});
  one_row(check, {"dst", "tmp"});
  check.warn_overlap("dst", "tmp", false);
  check.need_same_type(check.own("R7"), "tmp", "dst");
  check.need_row_major(check.own("R7"), "tmp");
  if (tmp.cols() < cols)
    check.error(check.own("R7"), "tmp", fmt::format("tmp has {} columns, the lists {}", tmp.cols(), cols),
                "all lists are merged there");
  if (dst.valid_cols > tmp.cols())
    check.error(check.own("R4"), "dst", fmt::format("dst has {} valid columns, tmp {}", dst.valid_cols, tmp.cols()),
                "dst is copied from tmp");
  else if (dst.valid_cols > merged)
    check.warn(check.own("W2"), "dst", fmt::format("dst has {} valid columns, the lists {}", dst.valid_cols, merged),
               "what stood in tmp before comes behind them");
  budget_rule(check);
}
void tmrgsort_rules(RuleCheck& check) { return has_lists(check.bound()) ? list_rules(check) : block_rules(check); }

// --- rules on data

// W1: the first key of a list that comes before the one in front of it.
bool warn_unsorted(RuleCheck& check, const Memory& before, const KeyRow& keys, const std::string& list) {
  const TileRef& tile = check.tile(keys.operand);
  for (std::uint32_t i = 1; i < keys.count; ++i) {
    const std::uint64_t a = key_bits(before, tile, keys, i - 1), b = key_bits(before, tile, keys, i);
    if (!goes_before(tile.type.dtype, b, a)) continue;
    check.warn(check.own("W1"), keys.operand,
               fmt::format("{} is not sorted: {} stands behind {}", list, key_text(tile, keys, i, b),
                           key_text(tile, keys, i - 1, a)),
               "a merge looks at the first records that are left, and no further: sort it with tsort32 first");
    check.about(FindingKind::Rule, DiagnosticElement{keys.row, keys.col + i * keys.step});
    return true;
  }
  return false;
}
struct KeyList {
  KeyRow keys;
  std::string name;
};
std::vector<KeyList> key_lists(const Bound& bound) {
  std::vector<KeyList> lists;
  for (const char* name : list_names(bound))
    lists.push_back({{name, 0, 0, record_cols(bound.tile(name)), records_in(bound.tile(name))}, name});
  if (has_lists(bound)) return lists;
  const std::uint32_t step = record_cols(bound.tile("src")), cols = block_cols(bound);
  for (std::uint32_t block = 0; block < 4 * groups_of(bound); ++block)
    lists.push_back({{"src", 0, block * cols, step, cols / step}, fmt::format("block {} of src", block)});
  return lists;
}
void note_taken(RuleCheck& check, const Memory& before) {
  const RecordLists lists = lists_of(check.bound());
  RecordCounts taken{};
  merged_lists({before, check.bound().core}, check.tile("dst").type.dtype, 0, lists, true, taken);
  std::string text;
  for (std::uint32_t i = 0; i < lists.count; ++i)
    text += fmt::format("{}{} of {} from {}", i == 0 ? "" : ", ", taken[i], lists.records[i], kLists[i]);
  check.note(check.own("N2"), "dst", fmt::format("records that were taken: {}", text),
             "exhausted: it ends with the first list that does; VMS4_SR holds these numbers");
}
void tmrgsort_data_rules(RuleCheck& check, const Memory& before) {
  const std::vector<KeyList> lists = key_lists(check.bound());
  for (const KeyList& list : lists)
    if (warn_unsorted(check, before, list.keys, list.name)) break;
  for (const KeyList& list : lists)
    if (note_nan(check, before, list.keys)) break;
  if (ends_early(check.bound())) note_taken(check, before);
}

// --- row

constexpr OperandSpec kTmp{"tmp", Role::Tmp};

const InstructionRow tmrgsort_row{
    .name = "tmrgsort",
    .summary = "Merges two to four sorted lists of records, or each four sorted blocks of a tile.",
    .forms = {{"blocks", {in("src"), scalar("block_len"), out("dst")}, "TMRGSORT(dst, src, blockLen)"},
              {"two lists",
               {in("src0"), in("src1"), kTmp, out("dst")},
               "TMRGSORT<..., exhausted>(dst, executed, tmp, src0, src1)"},
              {"three lists",
               {in("src0"), in("src1"), in("src2"), kTmp, out("dst")},
               "TMRGSORT<..., exhausted>(dst, executed, tmp, src0, src1, src2)"},
              {"four lists",
               {in("src0"), in("src1"), in("src2"), in("src3"), kTmp, out("dst")},
               "TMRGSORT<..., exhausted>(dst, executed, tmp, src0, src1, src2, src3)"}},
    .attributes = {{"exhausted", "false|true"}},
    .typed_by = "dst",
    .types = types_of<kF16AndF32, kF16AndF32>,
    .draw = Drawing::Sort,
    .rules = tmrgsort_rules,
    .data_rules = tmrgsort_data_rules,
    .unread_result = "vector<4xi16>",
    .moves = true,
    .machines = machines_of<tmrgsort_a5, tmrgsort_a2a3>(),
};
const Registered registered(tmrgsort_row);

}  // namespace
}  // namespace ts
