// VBITSORT, VMRGSORT4: sorting in UB by pointers. A record is a key, what fills 16 bits up, and 32 bits of index.
#include <fmt/format.h>

#include <bit>

#include "core/catalogue/on_pointers.h"
#include "core/engine/ordered.h"
#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using vec::A5;

std::uint32_t number(const Bound& bound, const char* name) {
  return static_cast<std::uint32_t>(bound.scalar(name).bits);
}

void vbitsort(A5& m, const Bound& bound) {
  m.vbitsort(bound.tile("dst").ub(), bound.tile("scores").ub(), bound.tile("indices").ub(), number(bound, "repeat"));
}

void vbitsort_rules(RuleCheck& check) {
  const std::uint64_t repeat = check.bound().scalar("repeat").bits;
  if (repeat >= 1 && repeat <= 255) return;
  check.error(check.own("R2"), "repeat", fmt::format("repeat is {}", static_cast<std::int64_t>(repeat)),
              "how many groups of 32 are sorted: 1 to 255");
}

// --- merging ----------------------------------------------------------------------------------------------------------

constexpr const char* kLists[] = {"src0", "src1", "src2", "src3"};

// What `config` and `counts` hold.
struct Merge {
  std::uint32_t repeats, lists;  // lists: a bit each
  bool ends_early;
  RecordLists records;
};
Merge merge_of(const Bound& bound) {
  const std::uint64_t config = bound.scalar("config").bits, counts = bound.scalar("counts").bits;
  Merge merge{.repeats = static_cast<std::uint32_t>(config & 0xFF),
              .lists = static_cast<std::uint32_t>(config >> 8 & 0xF),
              .ends_early = (config >> 12 & 1) != 0,
              .records = {}};
  merge.records.count = static_cast<std::uint32_t>(std::popcount(merge.lists));
  for (std::size_t i = 0; i < merge.records.count; ++i) {
    merge.records.address[i] = bound.tile(kLists[i]).address;
    merge.records.records[i] = static_cast<std::uint32_t>(counts >> (16 * i) & 0xFFFF);
  }
  return merge;
}

void vmrgsort4(A5& m, const Bound& bound) {
  const Merge merge = merge_of(bound);
  m.vmrgsort4(bound.tile("dst").ub(), merge.records, merge.repeats, merge.ends_early);
}

bool four_equal_in_a_row(const RecordLists& lists) {
  for (std::uint32_t i = 0; i < 4; ++i)
    if (lists.records[i] != lists.records[0] ||
        lists.address[i] != lists.address[0] + i * lists.records[0] * kRecordBytes)
      return false;
  return lists.count == 4;
}

void vmrgsort4_rules(RuleCheck& check) {
  const Merge merge = merge_of(check.bound());
  if (merge.lists != 0b11 && merge.lists != 0b111 && merge.lists != 0b1111)
    return check.error(check.own("R2"), "config",
                       fmt::format("bits 8 to 11 of config are {:04b}, which lists there are", merge.lists),
                       "0011, 0111 or 1111: the first two, three or four");
  if (merge.repeats <= 1) return;
  if (merge.ends_early)
    check.error(check.own("R3"), "config",
                fmt::format("config has {} repeats, and ends with the first list that is empty", merge.repeats),
                "bit 12 goes with one repeat");
  else if (!four_equal_in_a_row(merge.records))
    check.error(check.own("R3"), "config",
                fmt::format("config has {} repeats, and the lists are no four of one length in a row", merge.repeats),
                "merge them one after the other, each with one repeat");
}

// --- rows of the table ------------------------------------------------------------------------------------------------

DTypeSet keys(Target target, const Options&) {
  return target == Target::A5 ? DTypeSet{DType::F16, DType::F32} : DTypeSet{};
}

InstructionRow row_of(const char* name, const char* summary, std::vector<OperandSpec> operands, const char* typed_by,
                      void (*rules)(RuleCheck&), Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", std::move(operands), ""}},
          .typed_by = typed_by,
          .types = keys,
          .draw = Drawing::Sort,
          .rules = rules,
          .micro = true,
          .moves = true,
          .machines = machines};
}

const InstructionRow sort_row =
    row_of("vbitsort", "Sorts each 32 scores, largest first, into records of score and index.",
           {in("scores"), in("indices"), scalar("repeat"), out("dst")}, "scores", vbitsort_rules,
           vec::machines_of<vbitsort, nullptr>());
const InstructionRow merge_row =
    row_of("vmrgsort4", "Merges up to four sorted lists of records.",
           {in("src0"), in("src1"), in("src2"), in("src3"), scalar("counts"), scalar("config"), out("dst")}, "src0",
           vmrgsort4_rules, vec::machines_of<vmrgsort4, nullptr>());
TileType sort_type(std::string_view operand, DType type, const PointerUse& use) {
  const std::int64_t records = use.number("repeat") * kRecordsSorted;
  return row_of_bytes(type, records * (operand == "dst"       ? kRecordBytes
                                       : operand == "indices" ? sizeof(std::uint32_t)
                                                              : size_bytes(type)));
}
TileType merge_type(std::string_view operand, DType type, const PointerUse& use) {
  const std::int64_t repeats = use.number("config") & 0xFF, lists = use.number("config") >> 8 & 0xF;
  std::int64_t records = 0;
  for (std::size_t i = 0; i < std::size(kLists); ++i)
    if ((lists >> i & 1) != 0 && (operand == "dst" || operand == kLists[i]))
      records += (use.number("counts") >> (16 * i) & 0xFFFF) * repeats;
  return row_of_bytes(type, records * kRecordBytes);
}

const RegisteredOnPointers registered_sort({&sort_row, sort_type}), registered_merge({&merge_row, merge_type});

}  // namespace
}  // namespace ts
