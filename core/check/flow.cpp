// Bytes that nobody promised, and bytes of nobody's operand, on their way into results.
#include <algorithm>
#include <array>
#include <tuple>

#include "core/check/flow_shape.h"
#include "core/check/flow_text.h"
#include "core/check/flow_verdict.h"
#include "core/check/walk.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

// Elements of an operand's valid region; of a view those that the step wrote.
std::uint32_t elements_of(const Bound& bound, int number, std::span<const WritePattern> writes, const MemoryMap& map) {
  const Operand& operand = bound.operands[static_cast<std::size_t>(number)];
  if (operand.spec->kind == OperandKind::Tile) return operand.tile.valid_rows * operand.tile.valid_cols;
  const ByteRange all = bytes_of(operand);
  const Flat first = map.flat(all), last = first + all.size;
  std::uint32_t bytes = 0;
  for (const WritePattern& pattern : writes)
    for_runs(pattern, [&](Flat base, std::uint32_t size) {
      const Flat begin = std::max(base, first), end = std::min(base + size, last);
      bytes += begin < end ? end - begin : 0;
    });
  return static_cast<std::uint32_t>(elements_in(element_type(operand), bytes));
}

// The bits of a byte of a comparison's result that stand for no valid column of what is compared.
std::uint8_t padding_bits(const Bound& bound, const ByteRange& place) {
  if (bound.row->draw != Drawing::Compare) return 0;
  const TileRef& dst = bound.tile("dst");
  const auto compared = std::ranges::find_if(bound.operands, [](const Operand& operand) {
    return operand.spec->kind == OperandKind::Tile && operand.spec->role == Role::In;
  });
  if (compared == bound.operands.end() || !dst.range().overlaps(place)) return 0;
  const std::uint32_t first = (place.address - dst.address) % dst.pitch_bytes() * 8,
                      columns = compared->tile.valid_cols;
  if (first + 8 <= columns) return 0;
  return first >= columns ? 0xFF : static_cast<std::uint8_t>(0xFF << (columns - first));
}

class FlowExaminer : public Examiner {
 public:
  explicit FlowExaminer(const Recording& recording)
      : recording_(recording), map_(recording.map()), taint_(map_), shapes_(recording), teller_(recording) {}

  void look(CheckedStep& step, FindingSink& sink) override {
    for (const Edit& edit : recording_.edits_at(step.number()))
      taint_.clear(map_.flat(edit.place()), edit.place().size);
    if (step.bound().row->effect == Effect::StartsBlock) taint_.forget_core();
    if (step.writes().empty()) return;
    new_taint_.clear();
    const FlowShape* shape = shapes_.find(step.number());
    const bool known = shape != nullptr && shape->offsets == offsets_of(step.bound(), step.before());
    if (known && !shape->open && may_skip(*shape, step)) copy_taint(*shape, step);
    else look_closely(step, !known, sink);
    for (const WritePattern& pattern : step.writes())
      for_runs(pattern, [&](Flat base, std::uint32_t size) { taint_.clear(base, size); });
    for (const auto& [at, origin] : new_taint_) taint_.set(at, origin);
  }

 private:
  // All that can reach a result is good.
  bool may_skip(const FlowShape& shape, CheckedStep& step) const {
    const Memory& before = step.before();
    const auto good = [&](const FlowShape::Piece& piece) {
      return all_good(before, taint_, piece.begin(step.bound(), map_), piece.size);
    };
    return std::ranges::all_of(shape.hulls, good) || std::ranges::all_of(shape.read, good);
  }

  void copy_taint(const FlowShape& shape, CheckedStep& step) {
    const Memory& before = step.before();
    for (const auto& [to, from] : shape.copies) {
      const Flat source = from.begin(step.bound(), map_), target = to.begin(step.bound(), map_);
      if (all_good(before, taint_, source, from.size)) continue;
      for (Flat i = 0; i < from.size; ++i)
        if (!all_good(before, taint_, source + i, 1))
          new_taint_.push_back({target + i, origin_of(source + i, step.number())});
    }
  }

  Taint::Origin origin_of(Flat byte, std::uint32_t step) const {
    const Taint::Origin* known = taint_.at(byte);
    return {known != nullptr ? known->byte : byte, step};
  }

  void look_closely(CheckedStep& step, bool learn, FindingSink& sink) {
    const Flow flow = step.flow();
    if (learn) shapes_.learn(step.number(), flow);
    const VerdictRule rule(step.bound(), flow.before(), taint_);
    const TagFold<Verdict, VerdictRule> verdicts(flow.tags().arena, rule);
    faults_ = {FlowFault{.kind = FindingKind::Defined}, FlowFault{.kind = FindingKind::Mask},
               FlowFault{.kind = FindingKind::Overread}};
    for (const WritePattern& pattern : step.writes())
      for_runs(pattern, [&](Flat base, std::uint32_t size) {
        for (Flat at = base; at < base + size; ++at)
          if (const Verdict verdict = verdicts.of(flow.tags().tag(at)))
            if (!only_in_padding(at, flow.tags(), verdicts, step)) judge_parts(at, flow.tags(), verdicts, step);
      });
    for (FlowFault& fault : faults_) {
      if (fault.cause == kNoTag || !sink.wants(fault.kind)) continue;
      fault.of = elements_of(step.bound(), fault.operand, step.writes(), map_);
      teller_.tell(fault, step.number(), flow, sink);
    }
  }

  // Where a comparison ends within a byte, the last bits compare padding and are promised by nobody. They taint the byte
  // for who reads them, and are no result.
  bool only_in_padding(Flat at, const TagMemory& tags, const TagFold<Verdict, VerdictRule>& verdicts,
                       const CheckedStep& step) {
    const std::uint8_t padding = padding_bits(step.bound(), map_.locate(at));
    const Tag first_bit = padding == 0 ? kNoTag : tags.arena.first_bit(tags.tag(at));
    if (first_bit == kNoTag) return false;
    std::uint8_t bad = 0;
    Tag cause = kNoTag;
    for (std::uint32_t bit = 0; bit < 8; ++bit) {
      const Verdict verdict = verdicts.of(first_bit + bit);
      if (!verdict) continue;
      if ((padding >> bit & 1) == 0) return false;
      bad = static_cast<std::uint8_t>(bad | 1 << bit);
      if (cause == kNoTag) cause = verdict.undefined != kNoTag ? verdict.undefined : verdict.mask;
    }
    if (cause == kNoTag) return true;
    Taint::Origin origin = origin_of(byte_of(cause), step.number());
    origin.bits = bad;
    new_taint_.push_back({at, origin});
    return true;
  }

  // A byte that was written, by the elements that share it.
  void judge_parts(Flat at, const TagMemory& tags, const TagFold<Verdict, VerdictRule>& verdicts,
                   const CheckedStep& step) {
    const int operand = operand_holding(step.bound(), map_.locate(at), true);
    if (operand < 0) return judge(at, BytePart::Whole, verdicts.of(tags.tag(at)), step);
    for (const BytePart part : parts_of_byte(step.bound().operands[static_cast<std::size_t>(operand)]))
      if (const Verdict verdict = verdicts.of(tags.arena.half(tags.tag(at), part))) judge(at, part, verdict, step);
  }
  // And what is wrong with it.
  void judge(Flat at, BytePart part, const Verdict& verdict, const CheckedStep& step) {
    ByteRange place = map_.locate(at);
    place.part = part;
    const int operand = valid_result_at(step.bound(), place);
    if (operand < 0) {
      const Tag cause = verdict.undefined != kNoTag ? verdict.undefined : verdict.mask;
      if (cause != kNoTag) new_taint_.push_back({at, origin_of(byte_of(cause), step.number())});
      return;
    }
    const OperandElement element =
        element_of(step.bound().operands[static_cast<std::size_t>(operand)], place.address, part);
    note(faults_[0], verdict.undefined, operand, element);
    note(faults_[1], verdict.mask, operand, element);
    // Of one element it is told once: that a byte is undefined is the graver thing.
    if (verdict.undefined == kNoTag && verdict.mask == kNoTag) note(faults_[2], verdict.beside, operand, element);
  }

  void note(FlowFault& fault, Tag cause, int operand, const OperandElement& element) {
    if (cause == kNoTag) return;
    const bool first_of_kind = fault.cause == kNoTag;
    if (!first_of_kind && operand == fault.operand && element.place == last_place_[index_of(fault)]) return;
    last_place_[index_of(fault)] = element.place;
    const auto order = [](int number, const OperandElement& e) { return std::tuple{number, e.row, e.col}; };
    if (!first_of_kind && operand > fault.operand) return;
    if (first_of_kind || operand < fault.operand) fault.count = 0;
    ++fault.count;
    if (!first_of_kind && order(operand, element) > order(fault.operand, fault.result)) return;
    fault.cause = cause;
    fault.operand = operand;
    fault.result = element;
    const Taint::Origin* origin = taint_.at(byte_of(cause));
    fault.origin = origin != nullptr ? std::optional(*origin) : std::nullopt;
  }
  std::size_t index_of(const FlowFault& fault) const { return static_cast<std::size_t>(&fault - faults_.data()); }

  const Recording& recording_;
  const MemoryMap& map_;
  Taint taint_;
  FlowShapes shapes_;
  FlowTeller teller_;
  std::vector<std::pair<Flat, Taint::Origin>> new_taint_;  // of the step
  std::array<FlowFault, 3> faults_;                        // of the step
  std::array<ByteRange, 3> last_place_;                    // the element noted last
};

}  // namespace

std::unique_ptr<Examiner> examine_flow(const Recording& recording, const CheckOptions& options) {
  const auto off = [&](FindingKind kind) { return options.of(kind) == Level::Off; };
  if (off(FindingKind::Defined) && off(FindingKind::Overread) && off(FindingKind::Mask)) return nullptr;
  return std::make_unique<FlowExaminer>(recording);
}

}  // namespace ts
