// Pictures on the graphics card: the grounds of cells, and small patterns that repeat.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <vector>

#include "app/theme/color.h"

namespace ts::ui {

// Pixels that stay sharp however large they are drawn. Only in the window's thread.
class Texture {
 public:
  Texture() = default;
  ~Texture();
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  void upload(const std::vector<Color>& pixels, std::uint32_t width, std::uint32_t height);
  ImTextureID id() const { return reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(id_)); }
  explicit operator bool() const { return id_ != 0; }
  // The graphics card takes no more pixels in one direction.
  static std::uint32_t largest();

 private:
  unsigned id_ = 0;
};

// White on nothing, to be tinted; they repeat, one by one in texture coordinates.
enum class Pattern : std::uint8_t {
  Hatch,       // undefined
  CrossHatch,  // padding
  Dots,        // unspecified
  Cross,       // NaN
  Diamond,     // infinite
  Speck,       // denormal
  Corner,      // changed
  OpenCorner,  // written, and the same as before
  Alarm,       // a finding
  Differs,     // from what it is compared with
  NoteCorner,  // somebody wrote a note
};
inline constexpr int kPatterns = 11;
// `halo`: the shape and a seam around it, to be drawn below it in the opposite colour, so that it is seen on any
// ground.
ImTextureID pattern_texture(Pattern pattern, bool halo = false);

}  // namespace ts::ui
