// MTE_UB_UB, MTE_UB_L1, MTE_L1_UB: blocks of 32 bytes, with gaps between groups of them. MTE_GM_L1_FRAC: a matrix of global
// memory in boxes of L1.
#include <fmt/format.h>

#include "core/engine/any_machines.h"
#include "core/instructions/pointers/pointed.h"

namespace ts {
namespace {

using namespace pointed;

constexpr MicroOp kBlocks{"dma blocks", FlowKind::Copy, "blocks of 32 bytes, in groups",
                          "the copy engine moves group after group"};
constexpr MicroOp kBoxes{"nd2nz", FlowKind::Copy, "rows of a matrix, in runs of 32 bytes",
                         "the copy engine lays rows of global memory out in boxes of L1"};

std::uint64_t number(const Bound& bound, const char* name) { return bound.scalar(name).bits; }

// --- blocks -----------------------------------------------------------------------------------------------------------

void copy_blocks(AnyCore& core, const Bound& bound, DType type) {
  const TileRef &src = bound.tile("src"), &dst = bound.tile("dst");
  const auto length = static_cast<std::uint32_t>(number(bound, "length")) * BLK;
  const std::uint64_t from_step = length + number(bound, "src_gap") * BLK,
                      to_step = length + number(bound, "dst_gap") * BLK;
  core.micro(kBlocks, type, AddressArg{src.space(), src.address, 0, 1}, AddressArg{dst.space(), dst.address, 0, 1});
  for (std::uint64_t i = 0; i < number(bound, "count"); ++i)
    core.copy(kBlocks, dst.space(), dst.address + i * to_step, src.space(), src.address + i * from_step, length);
}

void block_rules(RuleCheck& check) {
  if (!check_numbers(check, check.own("R2"), {"length", "count", "src_gap", "dst_gap"}, 0, 1 << 16,
                     "blocks of 32 bytes are counted; no memory has so many"))
    return;
  for (const char* name : {"src", "dst"})
    if (check.tile(name).address % BLK != 0) {
      check.error(check.own("R3"), name,
                  fmt::format("{} at 0x{:x} is not {}-byte aligned", name, check.tile(name).address, BLK));
      return check.about(FindingKind::Align);
    }
}

// A row for each group where nothing is between them, else all from the first byte to the last.
template <TileLoc from, TileLoc to>
TileType blocks_type(std::string_view operand, DType type, const PointerUse& use) {
  const bool dst = operand == "dst";
  const std::int64_t length = use.number("length") * BLK, count = std::max<std::int64_t>(use.number("count"), 1),
                     gap = use.number(dst ? "dst_gap" : "src_gap") * BLK, size = size_bytes(type);
  constexpr std::int64_t kMost = 1 << 18;
  const std::int64_t bytes = std::clamp<std::int64_t>(count * length + (count - 1) * gap, BLK, kMost);
  TileType blocks = one_row(dst ? to : from, type, static_cast<std::uint32_t>(bytes / size));
  if (count == 1 || length <= 0 || gap < 0 || count * (length + gap) > kMost) return blocks;
  TileType rows = vec_tile(type, static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(length / size));
  rows.loc = blocks.loc;
  if (gap != 0) rows.pitch = static_cast<std::uint32_t>((length + gap) / size);
  return rows;
}

template <TileLoc from, TileLoc to>
InstructionRow blocks_row(const char* name, const char* summary, Pipe pipe) {
  return {.name = name,
          .summary = summary,
          .forms = {{"",
                     {in_at("src", from), scalar("length"), scalar("count"), scalar("src_gap"), scalar("dst_gap"),
                      out_at("dst", to)},
                     ""}},
          .typed_by = "dst",
          .types = copied_types,
          .pipe = pipe,
          .draw = Drawing::Transfer,
          .rules = block_rules,
          .micro = true,
          .moves = true,
          .machines = any_machines<copy_blocks>()};
}
const InstructionRow ub_ub = blocks_row<TileLoc::Vec, TileLoc::Vec>("mte_ub_ub", "Copies blocks inside UB.", Pipe::V);
const InstructionRow ub_l1 =
    blocks_row<TileLoc::Vec, TileLoc::Mat>("mte_ub_l1", "Copies blocks from UB to L1.", Pipe::Mte3);
// Whose UB, and on which pipe: that of the core's first vector core, and that of moves out of L1 (unverified).
const InstructionRow l1_ub =
    blocks_row<TileLoc::Mat, TileLoc::Vec>("mte_l1_ub", "Copies blocks from L1 to UB.", Pipe::Mte1);
const RegisteredOnPointers registered_ub_ub({&ub_ub, blocks_type<TileLoc::Vec, TileLoc::Vec>}),
    registered_ub_l1({&ub_l1, blocks_type<TileLoc::Vec, TileLoc::Mat>}),
    registered_l1_ub({&l1_ub, blocks_type<TileLoc::Mat, TileLoc::Vec>});

// --- boxes ------------------------------------------------------------------------------------------------------------

// Row i of n, run k of a row: to run (k * stride3 + i * stride2) of L1. The last run is filled up with zeros.
void load_boxes(AnyCore& core, const Bound& bound, DType type) {
  const GlobalRef& src = bound.global("src");
  const TileRef& dst = bound.tile("dst");
  const std::uint32_t size = dst.elem_bytes();
  const auto n = static_cast<std::uint32_t>(number(bound, "n")), d = static_cast<std::uint32_t>(number(bound, "d"));
  const std::uint64_t inner = number(bound, "inner"), of_row = number(bound, "stride2"),
                      of_run = number(bound, "stride3");
  core.micro(kBoxes, type, AddressArg{Space::Gm, src.address, 0, size}, AddressArg{Space::L1, dst.address, 0, size},
             CountArg{"n", n}, CountArg{"d", d});
  const std::uint32_t bytes = d * size;
  for (std::uint32_t at = 0; at < bytes; at += BLK)
    for (std::uint32_t row = 0; row < n; ++row) {
      const std::uint32_t there = std::min(BLK, bytes - at);
      const std::uint64_t to = dst.address + (at / BLK * of_run + row * of_row) * BLK;
      core.copy(kBoxes, Space::L1, to, Space::Gm, src.address + row * inner + at, there);
      if (there != BLK)
        core.fill(kBoxes, Space::L1, to + there, size, (BLK - there) / size, LaneScalar{0, dst.type.dtype, 0});
    }
}

constexpr std::uint64_t kMostRuns = 1u << 24;

void boxes_rules(RuleCheck& check) {
  const Bound& bound = check.bound();
  if (!check_numbers(check, check.own("R2"), {"n", "d"}, 1, 0xFFFF, "1 to 65535")) return;
  if (!check_numbers(check, check.own("R4"), {"stride2", "stride3"}, 0, 1 << 16,
                     "runs of 32 bytes are counted; L1 has 16384"))
    return;
  const std::uint64_t row_bytes = number(bound, "d") * check.tile("dst").elem_bytes();
  if (number(bound, "n") * ((row_bytes + BLK - 1) / BLK) > kMostRuns)
    return check.error("E-LIMIT", "", fmt::format("more than {} runs of 32 bytes in one copy", kMostRuns));
  const GlobalRef& src = bound.global("src");
  const std::uint64_t end = src.address + (number(bound, "n") - 1) * number(bound, "inner") + row_bytes;
  if (number(bound, "inner") <= 1 << 30 && src.address >= src.buffer_begin && end <= src.buffer_end) return;
  check.error(
      check.own("R3"), "src",
      fmt::format("src reaches byte {} of a buffer of {}", end - src.buffer_begin, src.buffer_end - src.buffer_begin),
      "inner counts bytes, d elements");
  check.about(FindingKind::Bounds);
}

TileType boxes_type(std::string_view, DType type, const PointerUse& use) {
  const std::uint32_t n = size_of(use, "n"), d = size_of(use, "d");
  TileType boxes = in_columns_of_boxes(TileLoc::Mat, type, n, d);
  boxes.rows = std::max(boxes.rows, rounded_up(size_of(use, "stride3"), 16));
  return boxes;
}
std::vector<PointedDimension> boxes_view(const PointerUse&) { return {{"n", "inner", true}, {"d", ""}}; }

// Several matrices at once, columns instead of rows, and four channels in a run.
bool boxes_wait(const PointerUse& use) {
  return use.number("count") > 1 || use.number("small") != 0 || use.number("stride2") > 1;
}

const InstructionRow boxes_row = {.name = "mte_gm_l1_frac",
                                  .summary = "Copies a matrix from global memory to L1 in boxes.",
                                  .forms = {{"",
                                             {global_in("src"), scalar("n"), scalar("d"), scalar("inner"),
                                              scalar("stride2"), scalar("stride3"), out_at("dst", TileLoc::Mat)},
                                             ""}},
                                  .attributes = {{"order", "nd2nz"}},
                                  .typed_by = "dst",
                                  .types = copied_types,
                                  .pipe = Pipe::Mte2,
                                  .draw = Drawing::Transfer,
                                  .rules = boxes_rules,
                                  .micro = true,
                                  .moves = true,
                                  .machines = any_machines<load_boxes>()};
const RegisteredOnPointers registered_boxes({&boxes_row, boxes_type, boxes_view, "ctrl", {}, boxes_wait});

}  // namespace
}  // namespace ts
