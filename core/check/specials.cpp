// The first NaN or infinity.
#include "core/check/walk.h"

namespace ts {

std::unique_ptr<Examiner> examine_specials(const Recording&, const CheckOptions&) { return nullptr; }

}  // namespace ts
