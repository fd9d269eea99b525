// Adding up with progress.
#include "app/cli/digest.h"

#include <fmt/format.h>

#include "app/cli/terminal/terminal.h"

namespace ts {

std::string digest_of(const Recording& recording) {
  const Watch watch(fmt::format("adding up {}", recording.program().name));
  return recording.digest(watch.question());
}

}  // namespace ts
