// The list of all types that scripts see, in the order of the manual.
#include <array>

#include "scripting/array.h"
#include "scripting/assertions.h"
#include "scripting/breakpoint.h"
#include "scripting/cell.h"
#include "scripting/finding.h"
#include "scripting/lesson.h"
#include "scripting/mask.h"
#include "scripting/memory.h"
#include "scripting/open_recording.h"
#include "scripting/program.h"
#include "scripting/rng.h"
#include "scripting/rows.h"
#include "scripting/run_comparison.h"
#include "scripting/step.h"
#include "scripting/stop.h"
#include "scripting/tile.h"

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
