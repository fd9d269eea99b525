// Colours of parts.
#include "app/draw/role_color.h"

#include "app/draw/look.h"

namespace ts::ui {

Color role_color(Role role, std::size_t values_before) {
  const Theme& theme = *look().theme;
  switch (role) {
    case Role::Out: return theme.written;
    case Role::Tmp: return theme.scratch;
    case Role::Mask:
    case Role::Offsets: return theme.mask;
    case Role::Address: return theme.text_quiet;
    case Role::In:
    case Role::Scalar: break;
  }
  return values_before == 0 ? theme.src0 : theme.src1;
}

}  // namespace ts::ui
