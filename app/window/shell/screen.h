// The window on the screen: GLFW, OpenGL 3.3, ImGui's backends; keys as they are pressed, files that are dropped, and
// pictures of what was drawn.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/settings/keys.h"
#include "core/data/png.h"

struct GLFWwindow;

namespace ts::ui {

class Screen {
 public:
  struct Wish {
    int width = 1600, height = 1000;  // pixels
    bool hidden = false;
    std::optional<float> scale = {};  // else the screen's
  };
  // Nothing, and `problem` says why: no display, or no OpenGL 3.3.
  static std::unique_ptr<Screen> open(const Wish& wish, std::string& problem);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  bool wants_to_close() const;
  void close();
  // Waits for input, at most so long.
  void wait(double seconds);
  // From any thread: ends a wait.
  static void wake();
  void begin_frame();
  // What ImGui has rendered is shown on this ground.
  void end_frame(std::uint32_t ground_rgb);
  // From the next frame on everything is drawn out of sight, so many times as large, for a picture; 0: on the screen
  // again.
  void draw_apart(float scale);
  float apart_scale() const { return apart_scale_; }  // 0: on the screen
  bool hidden() const { return hidden_; }
  // What the last frame drew; asked before the next one begins.
  data::Picture picture() const;
  void reload_fonts_texture();

  float scale() const;
  void set_title(const std::string& title);
  void set_clipboard(const std::string& text);
  // What came since the last frame. True: something did.
  bool had_input() const { return input_; }
  // Keys and buttons that went down or up, and turns of the wheel, so far.
  std::int64_t inputs() const { return inputs_; }

  std::function<void(const Chord&, bool repeated)> on_key;
  std::function<void(const Chord&)> on_key_up;
  std::function<void(std::vector<std::string>)> on_drop;
  // Keys are known, and nothing has looked at them yet.
  std::function<void()> before_frame;

 private:
  Screen() = default;
  void listen();
  bool is_out_of_sight() const { return hidden_ || apart_buffer_ != 0; }
  void paint() const;
  GLFWwindow* window_ = nullptr;
  std::optional<float> wished_scale_;
  bool hidden_ = false;
  // A hidden window has no pixels of its own that can be relied on: it is drawn into these.
  unsigned frame_buffer_ = 0, color_ = 0;
  int width_ = 0, height_ = 0;
  float apart_scale_ = 0;
  unsigned apart_buffer_ = 0, apart_color_ = 0;
  int apart_width_ = 0, apart_height_ = 0;
  std::uint32_t ground_ = 0;
  bool input_ = false;
  std::int64_t inputs_ = 0;
};

}  // namespace ts::ui
