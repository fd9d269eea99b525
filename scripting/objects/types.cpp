// The list of all types that scripts see, in the order of the manual.
#include <array>

#include "scripting/objects/values/array.h"
#include "scripting/objects/compare/assertions.h"
#include "scripting/objects/recording/breakpoint.h"
#include "scripting/objects/values/cell.h"
#include "scripting/objects/recording/finding.h"
#include "scripting/objects/lesson/lesson.h"
#include "scripting/objects/values/mask.h"
#include "scripting/objects/values/memory.h"
#include "scripting/run/open_recording.h"
#include "scripting/objects/program/program.h"
#include "scripting/objects/values/rng.h"
#include "scripting/objects/rows.h"
#include "scripting/objects/compare/run_comparison.h"
#include "scripting/objects/recording/step.h"
#include "scripting/objects/recording/stop.h"
#include "scripting/objects/values/tile.h"

namespace ts::scripting {

std::span<const ObjectType* const> object_types() {
  static const std::array types{
      &pto_type(),
      &ProgramObject::type(),
      &RecordingObject::type(),
      &StepObject::type(),
      &StopObject::type(),
      &FindingObject::type(),
      &TileObject::type(),
      &BufferObject::type(),
      &CellObject::type(),
      &MaskObject::type(),
      &MemoryObject::type(),
      &RegisterObject::type(),
      &history_type(),
      &slice_type(),
      &ArrayObject::type(),
      &ComparisonObject::type(),
      &RunComparisonObject::type(),
      &LessonObject::type(),
      &assert_type(),
      &on_type(),
      &BreakpointObject::type(),
      &ListenerObject::type(),
      &Rng::type(),
      &gui_type(),
      &ui_type(),
  };
  return types;
}

}  // namespace ts::scripting
