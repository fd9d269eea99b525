// MTE_GM_UB, MTE_UB_GM, MTE_GM_L1: rows of bytes between global memory and UB or L1, by pointers. All distances are bytes from
// start to start; the loops around a burst go from the innermost outwards. They stand beside the catalogue: they are no
// instructions on tiles.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/catalogue/beside.h"
#include "core/catalogue/on_pointers.h"
#include "core/catalogue/rules.h"
#include "core/engine/any_machines.h"

namespace ts {
namespace {

constexpr MicroOp kRows{
    "dma rows", FlowKind::Copy, "rows of bytes, evenly spaced",
    "the copy engine moves row after row; a row that ends inside of a block is filled up to its end"};

// So many rows, or groups of them, and how far apart they are.
struct Level {
  std::uint64_t count = 1, from_step = 0, to_step = 0;
};
constexpr std::size_t kMostLoops = 3;

constexpr const char* kLevelNames[1 + kMostLoops][3] = {{"count", "src_stride", "dst_stride"},
                                                        {"count1", "src_stride1", "dst_stride1"},
                                                        {"count2", "src_stride2", "dst_stride2"},
                                                        {"count3", "src_stride3", "dst_stride3"}};

Level level_of(const Bound& bound, std::size_t number) {
  const auto& [count, from, to] = kLevelNames[number];
  if (!bound.has(count)) return {};
  return {bound.scalar(count).bits, bound.scalar(from).bits, bound.scalar(to).bits};
}

// f(bytes from the first row's start, in the source and in the destination), row by row. False ends it.
template <class F>
void for_rows(const Bound& bound, F f) {
  std::array<Level, 1 + kMostLoops> levels;
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = level_of(bound, i);
  for (std::uint64_t d = 0; d < levels[3].count; ++d)
    for (std::uint64_t c = 0; c < levels[2].count; ++c)
      for (std::uint64_t b = 0; b < levels[1].count; ++b)
        for (std::uint64_t a = 0; a < levels[0].count; ++a) {
          const auto at = [&](std::uint64_t Level::*step) {
            return a * levels[0].*step + b * levels[1].*step + c * levels[2].*step + d * levels[3].*step;
          };
          if (!f(at(&Level::from_step), at(&Level::to_step))) return;
        }
}

// The part of [begin, begin + size) that a buffer has: how much of it there is.
std::uint32_t inside(const GlobalRef& view, std::uint64_t begin, std::uint32_t size) {
  if (begin < view.buffer_begin || begin >= view.buffer_end) return 0;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(size, view.buffer_end - begin));
}

class Loading {
 public:
  Loading(AnyCore& core, const Bound& bound)
      : core_(core), bound_(bound), view_(bound.global("src")), to_(bound.tile("dst")) {
    size_ = static_cast<std::uint32_t>(bound.scalar("length").bits);
    element_ = to_.elem_bytes();
    if (!bound.has("value")) return;
    const Operand& value = *bound.find("value");
    pad_ = {value.scalar.bits, bits_of(to_.type.dtype), static_cast<std::uint32_t>(&value - bound.operands.data()) + 1};
    left_ = static_cast<std::uint32_t>(bound.scalar("left").bits),
    right_ = static_cast<std::uint32_t>(bound.scalar("right").bits);
  }

  bool row(std::uint64_t from_step, std::uint64_t to_step) {
    const std::uint64_t from = view_.address + from_step;
    std::uint64_t to = to_.address + to_step;
    if (left_ != 0) fill(to, left_ * element_);
    to += left_ * element_;
    const std::uint32_t there = inside(view_, from, size_);
    if (there != 0) core_.copy(kRows, Space::Ub, to, Space::Gm, from, there);
    core_.unspecified(Space::Ub, to + there, size_ - there, "the source ends before");
    const std::uint64_t end = to + size_ + right_ * element_, block_end = (end + BLK - 1) / BLK * BLK;
    if (bound_.has("value")) {
      fill(to + size_, static_cast<std::uint32_t>(block_end - to - size_));
    } else if (block_end != end) {
      for (std::uint64_t at = end; there >= element_ && at + element_ <= block_end; at += element_)
        core_.copy(kRows, Space::Ub, at, Space::Gm, from, element_);
      core_.unspecified(Space::Ub, end, static_cast<std::uint32_t>(block_end - end),
                        "filler of the copy up to the block's end");
    }
    return true;
  }

 private:
  void fill(std::uint64_t at, std::uint32_t bytes) {
    core_.fill(kRows, Space::Ub, at, element_, bytes / element_, pad_);
  }

  AnyCore& core_;
  const Bound& bound_;
  const GlobalRef& view_;
  const TileRef& to_;
  std::uint32_t size_ = 0, element_ = 1, left_ = 0, right_ = 0;
  LaneScalar pad_{};
};

void load_rows(AnyCore& core, const Bound& bound, DType type) {
  core.micro(kRows, type, AddressArg{Space::Gm, bound.global("src").address, 0, 1},
             AddressArg{Space::Ub, bound.tile("dst").address, 0, 1});
  Loading loading(core, bound);
  for_rows(bound, [&](std::uint64_t from, std::uint64_t to) { return loading.row(from, to); });
}

void store_rows(AnyCore& core, const Bound& bound, DType type) {
  const TileRef& from = bound.tile("src");
  const GlobalRef& view = bound.global("dst");
  const auto size = static_cast<std::uint32_t>(bound.scalar("length").bits);
  core.micro(kRows, type, AddressArg{Space::Ub, from.address, 0, 1}, AddressArg{Space::Gm, view.address, 0, 1});
  for_rows(bound, [&](std::uint64_t from_step, std::uint64_t to_step) {
    const std::uint64_t to = view.address + to_step;
    const std::uint32_t there = inside(view, to, size);
    if (there != 0) core.copy(kRows, Space::Gm, to, Space::Ub, from.address + from_step, there);
    return true;
  });
}

// To L1 nothing but the rows themselves moves.
void load_plain_rows(AnyCore& core, const Bound& bound, DType type) {
  const GlobalRef& view = bound.global("src");
  const std::uint64_t to = bound.tile("dst").address;
  const auto size = static_cast<std::uint32_t>(bound.scalar("length").bits);
  core.micro(kRows, type, AddressArg{Space::Gm, view.address, 0, 1}, AddressArg{Space::L1, to, 0, 1});
  for_rows(bound, [&](std::uint64_t from_step, std::uint64_t to_step) {
    const std::uint64_t from = view.address + from_step;
    const std::uint32_t there = inside(view, from, size);
    if (there != 0) core.copy(kRows, Space::L1, to + to_step, Space::Gm, from, there);
    core.unspecified(Space::L1, to + to_step + there, size - there, "the source ends before");
    return true;
  });
}

// --- rules ------------------------------------------------------------------------------------------------------------

// Far behind a buffer nothing of the same allocation can be.
constexpr std::uint64_t kFar = 1u << 20;

void rows_rules(RuleCheck& check) {
  const Bound& bound = check.bound();
  const bool loads = bound.find("src")->spec->kind == OperandKind::Global;
  const char *global = loads ? "src" : "dst", *local = loads ? "dst" : "src";
  const GlobalRef& view = bound.global(global);
  constexpr std::uint64_t kMostRows = 1u << 24;
  std::uint64_t rows = 1, last = 0;
  for (std::size_t i = 0; i <= kMostLoops; ++i) {
    const Level level = level_of(bound, i);
    rows = std::min(rows, kMostRows + 1) * std::min(level.count, kMostRows + 1);
    if (level.count != 0) last += (level.count - 1) * (loads ? level.from_step : level.to_step);
    const std::uint64_t on_chip = loads ? level.to_step : level.from_step;
    if (level.count > 1 && on_chip % BLK != 0)
      return check.error(check.own("R2"), local,
                         fmt::format("rows are {} bytes apart in {}, no multiple of {}", on_chip,
                                     name(check.tile(local).space()), BLK),
                         fmt::format("place them {} apart", (on_chip + BLK - 1) / BLK * BLK));
  }
  if (rows > kMostRows) return check.error("E-LIMIT", "", fmt::format("more than {} rows in one copy", kMostRows));
  if (check.tile(local).address % BLK != 0) {
    check.error(check.own("R2"), local,
                fmt::format("{} at 0x{:x} is not {}-byte aligned", local, check.tile(local).address, BLK));
    return check.about(FindingKind::Align);
  }
  const std::uint64_t end = view.address + last + bound.scalar("length").bits;
  if (rows == 0 || (end <= view.buffer_end && view.address >= view.buffer_begin)) return;
  const std::string what = fmt::format("{} reaches byte {} of a buffer of {}", global, end - view.buffer_begin,
                                       view.buffer_end - view.buffer_begin);
  if (end > view.buffer_end + kFar) check.error(check.own("R3"), global, what, "check its lengths and strides");
  else
    check.warn(check.own("R3"), global, what,
               loads ? "what is read behind the end is nobody's" : "what is written behind the end is lost");
  check.about(FindingKind::Bounds);
}

// --- rows of the table ------------------------------------------------------------------------------------------------

// A form for each number of loops, without padding before those with.
std::vector<FormRow> forms_of(bool loads, const OperandSpec& local, bool pads) {
  std::vector<FormRow> forms;
  for (int padded = 0; padded < (pads ? 2 : 1); ++padded) {
    for (std::size_t loops = 0; loops <= kMostLoops; ++loops) {
      FormRow form{"", {}, ""};
      form.operands.push_back(loads ? global_in("src") : local);
      form.operands.push_back(loads ? local : global_out("dst"));
      form.operands.push_back(scalar("length"));
      for (std::size_t i = 0; i <= loops; ++i)
        for (const char* name : kLevelNames[i]) form.operands.push_back(scalar(name));
      if (padded != 0)
        for (const char* name : {"value", "left", "right"}) form.operands.push_back(scalar(name));
      forms.push_back(std::move(form));
    }
  }
  return forms;
}

InstructionRow row_of(const char* name, const char* summary, bool loads, std::vector<FormRow> forms,
                      Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = std::move(forms),
          .typed_by = loads ? "dst" : "src",
          .types = copied_types,
          .pipe = loads ? Pipe::Mte2 : Pipe::Mte3,
          .draw = Drawing::Transfer,
          .rules = rows_rules,
          .micro = true,
          .moves = true,
          .machines = machines};
}

const InstructionRow load = row_of("mte_gm_ub", "Copies rows of bytes from global memory to UB.", true,
                                   forms_of(true, out("dst"), true), any_machines<load_rows>());
const InstructionRow store = row_of("mte_ub_gm", "Copies rows of bytes from UB to global memory.", false,
                                    forms_of(false, in("src"), false), any_machines<store_rows>());
const InstructionRow load_l1 =
    row_of("mte_gm_l1", "Copies rows of bytes from global memory to L1.", true,
           forms_of(true, out_at("dst", TileLoc::Mat), false), any_machines<load_plain_rows>());
const RegisteredBeside registered_load(load), registered_store(store), registered_l1(load_l1);

}  // namespace
}  // namespace ts
