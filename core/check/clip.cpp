// Values that quantising cuts off at the ends of their type, as the trace of the step has them before that.
#include <fmt/format.h>

#include "core/check/walk.h"
#include "core/debug/origins/unrounded.h"
#include "core/isa/dtype.h"
#include "core/record/operand_place.h"
#include "core/text/count.h"

namespace ts {
namespace {

// Elements of a result that the range of its type cuts off.
struct Clipped {
  std::uint64_t count = 0;
  DiagnosticElement first = {};
  double unclipped = 0;  // what that would be
};

// Whether an integer is an end of its type: nothing else stands for what is beyond.
bool is_end(DType type, std::uint64_t bits) {
  const std::uint64_t all = (std::uint64_t{1} << (8 * size_bytes(type) - 1)) * 2 - 1,
                      most = is_signed_int(type) ? all >> 1 : all;
  return bits == most || bits == ((most + 1) & all);
}

// Of NaN nothing is cut off: it becomes 0.
Clipped clipped_by(CheckedStep& step, const TileRef& dst) {
  const DType type = dst.type.dtype;
  std::vector<DiagnosticElement> ends;
  const Memory& after = step.after();
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    for (std::uint32_t col = 0; col < dst.valid_cols; ++col)
      if (is_end(type, after.element(dst.space(), dst.at(row, col), dst.elem_bytes()))) ends.push_back({row, col});
  Clipped found;
  if (ends.empty()) return found;
  const Trace trace = step.inspector().trace(step.number());
  UnroundedElements unrounded(trace);
  for (const DiagnosticElement& end : ends) {
    const ByteRange place{dst.space(), dst.at(end.row, end.col), dst.elem_bytes()};
    const auto before = unrounded.of(place);
    if (!before ||
        before->first.number() == to_double(type, step.after().element(place.space, place.address, place.size)))
      continue;
    if (found.count++ == 0) found.first = end, found.unclipped = before->value.number();
  }
  return found;
}

class ClipExaminer : public Examiner {
 public:
  ClipExaminer(const Recording& recording, std::uint64_t most) : recording_(recording), most_(most) {}

  void look(CheckedStep& step, FindingSink& sink) override {
    const Bound& bound = step.bound();
    if (!bound.row->clips || !sink.takes(FindingKind::Clip, step.number())) return;
    const TileRef& dst = bound.tile("dst");
    const Clipped clipped = clipped_by(step, dst);
    if (clipped.count <= most_) return;
    const auto operand = bound.find("dst") - bound.operands.data();
    const auto [row, col] = clipped.first;
    const ByteRange place = place_of(bound.operands[static_cast<std::size_t>(operand)], row, col);
    const std::uint64_t bits = step.after().element(place);
    sink.add(FindingKind::Clip, step.number(),
             fmt::format("{} of {} values were clipped; the first is {}[{},{}] = {}, and {} unclipped",
                         text::grouped(clipped.count), text::grouped(std::uint64_t{dst.valid_rows} * dst.valid_cols),
                         recording_.program().operand_name(*bound.find("dst")), row, col,
                         format_value(dst.type.dtype, bits), clipped.unclipped),
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
