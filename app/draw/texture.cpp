// Textures by OpenGL.
#include "app/draw/texture.h"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ts::ui {
namespace {

constexpr int kSide = 32;

// False: nothing is drawn with OpenGL, as where a test reads what would be drawn. Textures have no number then.
bool draws() { return glad_glGenTextures != nullptr; }

unsigned make_texture(int filter, int wrap) {
  unsigned id = 0;
  glGenTextures(1, &id);
  glBindTexture(GL_TEXTURE_2D, id);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter == GL_LINEAR ? GL_LINEAR_MIPMAP_LINEAR : filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap);
  return id;
}

void fill_texture(const std::vector<Color>& pixels, std::uint32_t width, std::uint32_t height, int level = 0) {
  static_assert(sizeof(Color) == 4);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, static_cast<int>(width), static_cast<int>(height), 0, GL_RGBA,
               GL_UNSIGNED_BYTE, pixels.data());
}

float from_line(float x, float y, float ax, float ay, float bx, float by) {
  const float dx = bx - ax, dy = by - ay;
  const float along = std::clamp(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0.0f, 1.0f);
  return std::hypot(x - ax - along * dx, y - ay - along * dy);
}

float wrapped(float value) {
  const float part = value - std::floor(value);
  return std::min(part, 1 - part);
}

// Whether a point of the unit square, y downwards, belongs to the pattern.
bool in_pattern(Pattern pattern, float x, float y) {
  switch (pattern) {
    case Pattern::Hatch: return wrapped(x + y) < 0.09f;
    case Pattern::CrossHatch: return wrapped(x + y) < 0.05f || wrapped(x - y) < 0.05f;
    case Pattern::Dots: return std::hypot(wrapped(2 * x) / 2, wrapped(2 * y) / 2) < 0.09f;
    case Pattern::Cross:
      return std::min(from_line(x, y, 0.22f, 0.22f, 0.78f, 0.78f), from_line(x, y, 0.78f, 0.22f, 0.22f, 0.78f)) < 0.09f;
    case Pattern::Diamond: return std::abs(std::abs(x - 0.5f) + std::abs(y - 0.5f) - 0.3f) < 0.09f;
    case Pattern::Speck: return std::hypot(x - 0.5f, y - 0.6f) < 0.13f;
    case Pattern::NoteCorner: return y - x > 0.5f;
    case Pattern::Corner: return x - y > 0.5f;
    case Pattern::OpenCorner: return (x - y > 0.45f && x - y < 0.62f) || (x - y > 0.45f && (y < 0.09f || x > 0.91f));
    case Pattern::Differs:
      return std::min(from_line(x, y, 0.2f, 0.4f, 0.8f, 0.4f), from_line(x, y, 0.2f, 0.62f, 0.8f, 0.62f)) < 0.07f ||
             from_line(x, y, 0.35f, 0.82f, 0.65f, 0.2f) < 0.06f;
    case Pattern::Alarm:
      return std::max(std::abs(x - 0.5f), std::abs(y - 0.5f)) > 0.4f ||
             (std::abs(x - 0.5f) < 0.07f && ((y > 0.22f && y < 0.58f) || (y > 0.66f && y < 0.78f)));
  }
  return false;
}

bool in_halo(Pattern pattern, float x, float y) {
  constexpr float kSeam = 0.11f, kSlanted = 0.078f;
  constexpr std::array<std::array<float, 2>, 9> kAround = {{{0, 0},
                                                            {kSeam, 0},
                                                            {-kSeam, 0},
                                                            {0, kSeam},
                                                            {0, -kSeam},
                                                            {kSlanted, kSlanted},
                                                            {-kSlanted, kSlanted},
                                                            {kSlanted, -kSlanted},
                                                            {-kSlanted, -kSlanted}}};
  return std::ranges::any_of(kAround, [&](const auto& by) { return in_pattern(pattern, x + by[0], y + by[1]); });
}

std::vector<Color> pattern_pixels(Pattern pattern, bool halo) {
  constexpr int kSamples = 4;
  std::vector<Color> pixels;
  for (int row = 0; row < kSide; ++row) {
    for (int col = 0; col < kSide; ++col) {
      int inside = 0;
      for (int i = 0; i < kSamples * kSamples; ++i) {
        const float dx = (static_cast<float>(i % kSamples) + 0.5f) / kSamples,
                    dy = (static_cast<float>(i / kSamples) + 0.5f) / kSamples;
        const float x = (static_cast<float>(col) + dx) / kSide, y = (static_cast<float>(row) + dy) / kSide;
        inside += (halo ? in_halo(pattern, x, y) : in_pattern(pattern, x, y)) ? 1 : 0;
      }
      pixels.push_back({255, 255, 255, static_cast<std::uint8_t>(inside * 255 / (kSamples * kSamples))});
    }
  }
  return pixels;
}

// Half as wide and as high: each pixel the mean of four.
std::vector<Color> halved(const std::vector<Color>& pixels, std::size_t side) {
  std::vector<Color> half;
  for (std::size_t row = 0; row < side; row += 2)
    for (std::size_t col = 0; col < side; col += 2) {
      int sum = 0;
      for (const std::size_t at :
           {row * side + col, row * side + col + 1, (row + 1) * side + col, (row + 1) * side + col + 1})
        sum += pixels[at].a;
      half.push_back({255, 255, 255, static_cast<std::uint8_t>((sum + 2) / 4)});
    }
  return half;
}

// The smaller pictures of it are made here: a driver without a graphics card would compile a program to make them, in the
// middle of the first frame that shows a tile.
unsigned make_pattern(Pattern pattern, bool halo) {
  if (!draws()) return 0;
  const unsigned id = make_texture(GL_LINEAR, GL_REPEAT);
  std::vector<Color> pixels = pattern_pixels(pattern, halo);
  fill_texture(pixels, kSide, kSide);
  int level = 0;
  for (std::uint32_t side = kSide; side > 1; side /= 2) {
    pixels = halved(pixels, side);
    fill_texture(pixels, side / 2, side / 2, ++level);
  }
  return id;
}

}  // namespace

Texture::~Texture() {
  if (id_ != 0) glDeleteTextures(1, &id_);
}

void Texture::upload(const std::vector<Color>& pixels, std::uint32_t width, std::uint32_t height) {
  if (!draws()) return;
  if (id_ == 0) id_ = make_texture(GL_NEAREST, GL_CLAMP_TO_EDGE);
  glBindTexture(GL_TEXTURE_2D, id_);
  fill_texture(pixels, width, height);
}

std::uint32_t Texture::largest() {
  static const int size = [] {
    int most = 0;
    if (draws()) glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    return most;
  }();
  return static_cast<std::uint32_t>(std::max(size, 1024));
}

ImTextureID pattern_texture(Pattern pattern, bool halo) {
  // They live as long as the process: the window's context goes with it.
  static std::array<unsigned, 2 * kPatterns> made{};
  unsigned& id = made[2 * static_cast<std::size_t>(pattern) + (halo ? 1 : 0)];
  if (id == 0) id = make_pattern(pattern, halo);
  return reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(id));
}

}  // namespace ts::ui
