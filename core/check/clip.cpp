// Values that quantising cuts off at the ends of their type.
#include <fmt/format.h>

#include "core/check/walk.h"
#include "core/isa/dtype.h"
#include "core/record/operand_place.h"
#include "core/text/count.h"

namespace ts {
namespace {

class ClipExaminer : public Examiner {
 public:
  ClipExaminer(const Recording& recording, std::uint64_t most) : recording_(recording), most_(most) {}

  void look(CheckedStep& step, FindingSink& sink) override {
    const Bound& bound = step.bound();
    if (bound.row->clipped == nullptr || !sink.takes(FindingKind::Clip, step.number())) return;
    const Clipped clipped = bound.row->clipped(bound, step.before());
    if (clipped.count <= most_) return;
    const auto operand = bound.find("dst") - bound.operands.data();
    const auto [row, col] = clipped.first;
    const ByteRange place = place_of(bound.operands[static_cast<std::size_t>(operand)], row, col);
    const std::uint64_t bits = step.after().element(place);
    sink.add(FindingKind::Clip, step.number(),
             fmt::format("{} of {} values were clipped; the first is {}[{},{}] = {}, and {} unclipped",
                         text::grouped(clipped.count), text::grouped(clipped.of),
                         recording_.program().operand_name(*bound.find("dst")), row, col,
                         format_value(bound.tile("dst").type.dtype, bits), clipped.value),
             "a scale by the largest magnitude of what it is for clips nothing; clip.elements=N lets N be clipped",
             FoundElement{static_cast<int>(operand), row, col, place});
  }

 private:
  const Recording& recording_;
  std::uint64_t most_;
};

}  // namespace

std::unique_ptr<Examiner> examine_clip(const Recording& recording, const CheckOptions& options) {
  if (options.of(FindingKind::Clip) == Level::Off) return nullptr;
  return std::make_unique<ClipExaminer>(recording, options.most_clipped);
}

}  // namespace ts
