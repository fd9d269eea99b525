// Running a lowering on the tag machine.
#include "core/engine/tag/tag_core.h"

namespace ts {
namespace {

struct WholeStep final : TagCore {
  WholeStep(StepContext& context, BlockCore& run) : TagCore(context, run, *context.tags) {}
};

}  // namespace

void tag_any(StepContext& context, const Bound& bound, DType lanes, AnyLowering lowering) {
  run_watched<WholeStep>(context, bound, lanes, lowering);
}

}  // namespace ts
