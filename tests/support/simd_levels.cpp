// Switching Highway's dynamic dispatch.
#include "tests/support/simd_levels.h"

#include "hwy/highway.h"

namespace ts::test {

const std::vector<std::int64_t>& simd_levels() {
#ifdef HWY_COMPILE_ONLY_STATIC
  static const std::vector<std::int64_t> levels{HWY_STATIC_TARGET};
#else
  static const std::vector<std::int64_t> levels = hwy::SupportedAndGeneratedTargets();
#endif
  return levels;
}

const char* simd_level_name(std::int64_t level) { return hwy::TargetName(level); }

OnSimdLevel::OnSimdLevel(std::int64_t level) {
  simd_levels();  // listed before the list can be narrowed
  hwy::SetSupportedTargetsForTest(level);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

OnSimdLevel::~OnSimdLevel() {
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace ts::test
