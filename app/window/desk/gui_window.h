// The window as scripts see it. They run in the session's thread: what concerns the window goes there as replies, which
// come in their order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "app/window/desk/walk.h"
#include "scripting/run/gui_host.h"

namespace ts::ui {

// A picture of the window that a script waits for: to be taken when it is drawn, and then to be said how it went.
struct PictureWish {
  std::string path;
  double scale = 1;
};

// What the session's thread and the window's both know of scripts. Held by both: the thread ends after the desk.
struct SharedWithScripts {
  bool typing = false, wrote_file = false;  // a line that was typed runs; it wrote a file. Of the session's thread
  std::atomic<bool> takes_pictures = false;
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<data::Error> picture = {};  // that a script waits for: how it went
};

class GuiWindow final : public scripting::GuiHost {
 public:
  // What the window does of it, in its own thread.
  struct Takers {
    std::function<void(const Element&, bool quiet)> select;
    std::function<void(std::optional<PictureWish>)> wish_picture;
    std::function<void(std::shared_ptr<const scripting::GuiItems>, const std::string& front)> show_items;
  };
  GuiWindow(Walk& walk, LiveSession& live, std::shared_ptr<SharedWithScripts> shared, Takers takers)
      : walk_(walk), live_(live), shared_(std::move(shared)), takers_(std::move(takers)) {}

  std::shared_ptr<Session> shown() override { return live_.session; }
  void command(const std::string& name, std::vector<scripting::GuiValue> values) override;
  void select(bool is_buffer, std::uint32_t id, std::uint32_t row, std::uint32_t col) override;
  void show(const std::string& owner, const scripting::ShowWish& wish) override;
  data::Error screenshot(const std::string& path, double scale) override;
  void show_items(std::shared_ptr<const scripting::GuiItems> items, const std::string& front) override;

 private:
  Walk& walk_;
  LiveSession& live_;
  std::shared_ptr<SharedWithScripts> shared_;
  Takers takers_;
};

}  // namespace ts::ui
