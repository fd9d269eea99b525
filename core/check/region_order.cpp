// Inside of a region of vector instructions nothing but pto.mem_bar orders accesses to UB: a load may miss what a store
// before it wrote to the same bytes. Here they take effect in the order of the text, so that results are those of a program
// with all barriers.
#include <fmt/format.h>

#include <array>

#include "core/check/sharing_operands.h"
#include "core/check/sharing_runs.h"
#include "core/check/walk.h"
#include "core/program/sync.h"

namespace ts {
namespace {

// Accesses of the vector unit and of the scalar unit, as the barrier's words have them.
enum class Access : std::uint8_t { VectorLoad, VectorStore, ScalarLoad, ScalarStore };
constexpr std::size_t kAccesses = 4;
constexpr bool is_store(Access access) { return access == Access::VectorStore || access == Access::ScalarStore; }
constexpr bool is_scalar(Access access) { return access == Access::ScalarLoad || access == Access::ScalarStore; }

// The classes that a word of the barrier means: "VST" of VST_VLD, "SV" of SV_ALL for both.
struct Order {
  std::array<bool, kAccesses> before{}, behind{};
};
Order order_of(std::string_view word) {
  Order order;
  const auto add = [](std::array<bool, kAccesses>& to, std::string_view what) {
    to[0] |= what == "V" || what == "VLD";
    to[1] |= what == "V" || what == "VST";
    to[2] |= what == "S" || what == "LD";
    to[3] |= what == "S" || what == "ST";
  };
  const std::size_t cut = word.find('_');
  const bool all = word.substr(cut + 1) == "ALL";
  add(order.before, all ? word.substr(0, 1) : word.substr(0, cut));
  add(order.behind, all ? word.substr(1, 1) : word.substr(cut + 1));
  return order;
}

// Steps are numbered from 1 here; 0: none.
struct Newest {
  std::array<std::uint32_t, kAccesses> step{};
  bool operator==(const Newest&) const = default;
};

class RegionOrderExaminer : public Examiner {
 public:
  explicit RegionOrderExaminer(const Recording& recording) : recording_(recording), map_(recording.map()) {}

  void look(CheckedStep& step, FindingSink& sink) override {
    const auto turns = recording_.loops(step.number());
    const auto region = std::ranges::find_if(turns, &LoopTurn::is_region);
    const std::uint32_t entry = region == turns.end() ? kNone : region->entry;
    if (entry != entry_) begin(entry);
    if (entry == kNone) return;
    const Bound& bound = step.bound();
    if (bound.row == &kMemoryBarrier) return barrier(step);
    const bool scalar = bound.pipe == Pipe::S;
    for (std::size_t i = 0; i < bound.operands.size(); ++i) {
      const Operand& operand = bound.operands[i];
      if (operand.spec->kind != OperandKind::Tile || operand.tile.space() != Space::Ub || !is_read(operand)) continue;
      runs_.clear();
      add_meant_reads(map_, bound, operand, runs_);
      for (const FlatRange& run : runs_)
        access(step, static_cast<int>(i), scalar ? Access::ScalarLoad : Access::VectorLoad, run.begin, run.end, sink);
    }
    const Flat ub = map_.origin(Space::Ub, bound.core), end = ub + map_.size(Space::Ub, bound.core);
    for (const WritePattern& pattern : step.writes())
      for_runs(pattern, [&](Flat at, std::uint32_t size) {
        if (at >= ub && at < end)
          access(step, written_operand(map_, bound, at), scalar ? Access::ScalarStore : Access::VectorStore, at,
                 at + size, sink);
      });
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  void begin(std::uint32_t entry) {
    entry_ = entry;
    seen_.clear();
    barriers_ = {};
  }

  void barrier(const CheckedStep& step) {
    const Order order = order_of(value_name(kMemoryBarrier.attributes[0].values, step.bound().attributes[0]));
    for (std::size_t a = 0; a < kAccesses; ++a)
      for (std::size_t b = 0; b < kAccesses; ++b)
        if (order.before[a] && order.behind[b]) barriers_[a][b] = step.number() + 1;
  }

  // Loads do not disturb each other, and the scalar unit keeps its own order.
  static bool disturb(Access a, Access b) { return (is_store(a) || is_store(b)) && !(is_scalar(a) && is_scalar(b)); }

  void access(CheckedStep& step, int operand, Access now, Flat begin, Flat end, FindingSink& sink) {
    const std::uint32_t number = step.number() + 1;
    seen_.visit(begin, end, [&](Flat at, Flat, const Newest& newest) {
      for (std::size_t a = 0; a < kAccesses; ++a) {
        const auto before = static_cast<Access>(a);
        const std::uint32_t earlier = newest.step[a];
        if (earlier == 0 || earlier == number || !disturb(before, now) ||
            barriers_[a][static_cast<std::size_t>(now)] > earlier)
          continue;
        return tell(step, operand, at, before, now, earlier - 1, sink);
      }
    });
    seen_.update(begin, end, [&](Flat, Flat, Newest& newest) { newest.step[static_cast<std::size_t>(now)] = number; });
  }

  void tell(CheckedStep& step, int operand, Flat at, Access before, Access now, std::uint32_t earlier,
            FindingSink& sink) {
    if (!sink.takes(FindingKind::Sync, step.number())) return;
    constexpr const char* kWords[] = {"VLD", "VST", "LD", "ST"};
    const Bound& bound = step.bound();
    const FoundElement element = found_at(map_, bound, operand, at);
    Diagnostic* told = sink.add(
        FindingKind::Sync, step.number(),
        fmt::format("{} {} {}, which step {} {}: nothing in the region orders the two", bound.row->name,
                    is_store(now) ? "writes" : "reads", element_name(recording_.program(), bound, element), earlier,
                    is_store(before) ? "wrote" : "read"),
        fmt::format("between them: pto.mem_bar \"{}_{}\"", kWords[static_cast<int>(before)],
                    kWords[static_cast<int>(now)]),
        element, {{recording_.bound(earlier).pos, is_store(before) ? "it was written here" : "it was read here"}});
    if (told == nullptr) return;
    told->rule = "MEM-BAR";
    told->severity = Severity::Warning;
  }

  const Recording& recording_;
  const MemoryMap& map_;
  std::uint32_t entry_ = kNone;
  ByteRuns<Newest> seen_;  // of UB
  std::array<std::array<std::uint32_t, kAccesses>, kAccesses> barriers_{};
  std::vector<FlatRange> runs_;
};

}  // namespace

std::unique_ptr<Examiner> examine_region_order(const Recording& recording, const CheckOptions& options) {
  if (options.of(FindingKind::Sync) == Level::Off || recording.program().reg_bytes == 0) return nullptr;
  return std::make_unique<RegionOrderExaminer>(recording);
}

}  // namespace ts
