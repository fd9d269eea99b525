// The one look.
#include "app/draw/look.h"

namespace ts::ui {
namespace {

Look& current() {
  static Look made{.theme = &themes().front(), .fonts = {}};
  return made;
}

}  // namespace

const Look& look() { return current(); }

void set_look(const Look& look) { current() = look; }

}  // namespace ts::ui
