// The places of this frame.
#include "app/view/targets.h"

#include <utility>

namespace ts::ui {
namespace {

struct Noted {
  bool wanted = false;
  Targets places;
};
Noted& noted() {
  static Noted made;
  return made;
}

}  // namespace

bool targets_wanted() { return noted().wanted; }

void want_targets(bool wanted) {
  noted().wanted = wanted;
  noted().places.clear();
}

void note_target(std::string name, const Rect& rect) {
  if (noted().wanted) noted().places.emplace(std::move(name), rect);
}

void begin_targets() { noted().places.clear(); }

const Targets& targets() { return noted().places; }

}  // namespace ts::ui
