// A shadow of every float element in double precision.
#include "core/check/walk.h"

namespace ts {

std::unique_ptr<Examiner> examine_precision(const Recording&, const CheckOptions&) { return nullptr; }

}  // namespace ts
