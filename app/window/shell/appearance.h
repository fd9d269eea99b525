// How the window looks: theme, size, motion; and the user's theme files.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/draw/motion.h"
#include "app/window/desk/walk.h"
#include "app/window/shell/screen.h"

namespace ts::data {
class Fields;
}

namespace ts::ui {

class Appearance {
 public:
  Appearance(Screen& screen, Walk& walk) : screen_(screen), walk_(walk) {}

  // What the user set.
  void load(const data::Fields& settings);
  void save(nlohmann::json& settings) const;
  // What can be gone back to.
  void save_view(nlohmann::json& state) const;
  void load_view(const nlohmann::json& state);
  // Before a frame. `presents`: in large type.
  void apply(bool presents);

  const std::string& theme() const { return theme_; }
  void set_theme(const std::string& name);
  void next_theme();
  // The theme files of the user, again.
  void read_themes(bool say);
  // Where somebody changed them.
  void look_at_themes();
  void zoom(float by);  // 0: back to 1
  float zoomed() const { return zoom_; }
  void set_motion(const std::string& text);
  void step_motion(int by) { motion_ = stepped(motion_, by); }
  const Motion& motion() const { return motion_; }

 private:
  Screen& screen_;
  Walk& walk_;
  std::string theme_ = "dark", applied_theme_;
  bool follows_desktop_ = false;  // in its theme, also the next time
  std::string theme_stamp_;
  float zoom_ = 1, applied_scale_ = 0;
  Motion motion_ = usual_motion(), applied_motion_;
};

}  // namespace ts::ui
