// Words for marks.
#include "core/debug/session/followed.h"

#include <fmt/format.h>

namespace ts {

std::string describe(const FollowedMark& followed) {
  switch (followed.fate) {
    case FollowedMark::Fate::Moved: return "moved from " + followed.was;
    case FollowedMark::Fate::Doubtful: return fmt::format("doubtful: {} was changed", followed.was);
    case FollowedMark::Fate::Gone: break;
  }
  return "gone: " + followed.was;
}

}  // namespace ts
