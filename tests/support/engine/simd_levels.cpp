// Switching Highway's dynamic dispatch.
#include "tests/support/engine/simd_levels.h"

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

namespace {

// To ask the CPU takes long in a virtual machine, so it is asked once.
std::int64_t all_levels() {
  static const std::int64_t levels = hwy::SupportedTargets();
  return levels;
}
void switch_to(std::int64_t levels) {
  hwy::SetSupportedTargetsForTest(levels);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

OnSimdLevel::OnSimdLevel(std::int64_t level) {
  simd_levels();  // listed before the list can be narrowed
  all_levels();
  switch_to(level);
}

OnSimdLevel::~OnSimdLevel() { switch_to(all_levels()); }

}  // namespace ts::test
