// From calls of scripts to replies.
#include "app/window/desk/gui_window.h"

#include <fmt/format.h>

namespace ts::ui {
namespace {

constexpr double kPictureSeconds = 10;  // a window that draws nothing for so long draws nothing any more

}  // namespace

void GuiWindow::command(const std::string& name, std::vector<scripting::GuiValue> values) {
  walk_.driver().reply([wish = Wish{.command = {name, std::move(values)}, .quiet = shared_->typing}, &walk = walk_] {
    walk.wish(wish);
  });
}

void GuiWindow::select(bool is_buffer, std::uint32_t id, std::uint32_t row, std::uint32_t col) {
  const Element element{{is_buffer ? Owner::Kind::Buffer : Owner::Kind::Tile, id}, row, col};
  walk_.driver().reply([select = takers_.select, element, quiet = shared_->typing] { select(element, quiet); });
}

void GuiWindow::show(const std::string& owner, const scripting::ShowWish& wish) {
  std::vector<CommandValue> values{owner, wish.as, wish.format};
  if (wish.low && wish.high) values.insert(values.end(), {fmt::format("{}", *wish.low), fmt::format("{}", *wish.high)});
  command("showTile", std::move(values));
}

data::Error GuiWindow::screenshot(const std::string& path, double scale) {
  if (!shared_->takes_pictures) return {"this window takes no pictures", "tilescope shot draws one"};
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->picture.reset();
  }
  // First the window sees where the session stands.
  if (live_.session != nullptr) walk_.publish(live_, {.step = live_.session->moment().position});
  walk_.driver().reply([wish_picture = takers_.wish_picture, wish = PictureWish{path, scale}] { wish_picture(wish); });
  std::unique_lock lock(shared_->mutex);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kPictureSeconds);
  while (!shared_->picture && walk_.driver().go_on() && std::chrono::steady_clock::now() < end)
    shared_->changed.wait_for(lock, std::chrono::milliseconds(50));
  if (shared_->picture) return *shared_->picture;
  walk_.driver().reply([wish_picture = takers_.wish_picture] { wish_picture({}); });
  return {"no picture was taken", "the window was busy, or was told to stop"};
}

void GuiWindow::show_items(std::shared_ptr<const scripting::GuiItems> items, const std::string& front) {
  walk_.driver().reply(
      [show = takers_.show_items, items = std::move(items), front]() mutable { show(std::move(items), front); });
}

}  // namespace ts::ui
