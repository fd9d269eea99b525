// Windows of a step.
#include "core/debug/picture/step_windows.h"

#include "core/catalogue/windows_of.h"

namespace ts {

std::optional<MapWindows> windows_of_step(const Bound& bound, const Memory& before) {
  if (bound.row->draw != Drawing::Windows || !whole_map(bound.tile("src").type)) return {};
  const MapWindows how =
      windows_of(bound, [&](std::uint32_t at) { return before.element(Space::Spr, at, 8, bound.core); });
  if (how.out_height() == 0 || how.out_width() == 0) return {};
  return how;
}

}  // namespace ts
