// How the window looks at the moment: theme, fonts, scale. One for the process, set by the window.
#pragma once

#include <imgui.h>

#include "app/draw/motion.h"
#include "app/theme/theme.h"

namespace ts::ui {

struct Fonts {
  ImFont *text = nullptr, *small = nullptr, *bold = nullptr, *heading = nullptr;  // sentences, titles
  ImFont *mono = nullptr, *mono_small = nullptr;                                  // numbers, program text
};

struct Look {
  const Theme* theme = nullptr;
  Fonts fonts;
  float scale = 1;  // of the screen, times the user's zoom
  Motion motion = {Motion::Mode::Off, 1};
  // Distances are given for a scale of 1.
  float px(float distance) const { return distance * scale; }
};
const Look& look();
void set_look(const Look& look);

inline ImU32 ink(Color color) { return IM_COL32(color.r, color.g, color.b, color.a); }
inline ImVec4 tint(Color color) {
  return {static_cast<float>(color.r) / 255, static_cast<float>(color.g) / 255, static_cast<float>(color.b) / 255,
          static_cast<float>(color.a) / 255};
}

// The font of a scope.
class WithFont {
 public:
  explicit WithFont(ImFont* font) { ImGui::PushFont(font); }
  ~WithFont() { ImGui::PopFont(); }
  WithFont(const WithFont&) = delete;
  WithFont& operator=(const WithFont&) = delete;
};

}  // namespace ts::ui
