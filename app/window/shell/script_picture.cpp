// Taking a picture.
#include "app/window/shell/script_picture.h"

#include "core/data/file.h"
#include "core/data/png.h"

namespace ts::ui {

void ScriptPicture::take(ScriptWindow& scripts, Screen& screen) {
  constexpr int kFrames = 6;
  const auto& wish = scripts.picture_wish();
  if (!wish) {
    if (frames_ > 0) screen.draw_apart(0);
    frames_ = 0;
    return;
  }
  if (++frames_ == 1) return screen.draw_apart(static_cast<float>(wish->scale));
  if (frames_ < kFrames) return;
  const std::vector<std::byte> picture = data::format_png(screen.picture());
  data::FileWriter file(wish->path, data::Replace::No);
  file.write(picture);
  data::Error error = file.finish();
  screen.draw_apart(0);
  frames_ = 0;
  scripts.picture_taken(std::move(error));
}

}  // namespace ts::ui
