// Finding and loading fonts.
#include "app/window/shell/fonts.h"

#include <imgui_freetype.h>

#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <system_error>

namespace ts::ui {
namespace {

// What the window writes: Latin, punctuation such as the ellipsis, arrows, some mathematics.
constexpr ImWchar kGlyphs[] = {0x0020, 0x00FF, 0x0370, 0x03FF, 0x2010, 0x2027, 0x2030, 0x203A,
                               0x2190, 0x21FF, 0x2200, 0x22FF, 0x25A0, 0x25FF, 0};

constexpr std::initializer_list<const char*> kText = {
    "/usr/share/fonts/opentype/inter/Inter-Regular.otf", "/usr/share/fonts/truetype/inter/Inter-Regular.ttf",
    "/usr/share/fonts/inter/Inter-Regular.otf", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"};
constexpr std::initializer_list<const char*> kBold = {
    "/usr/share/fonts/opentype/inter/Inter-SemiBold.otf", "/usr/share/fonts/truetype/inter/Inter-SemiBold.ttf",
    "/usr/share/fonts/inter/Inter-SemiBold.otf", "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"};
constexpr std::initializer_list<const char*> kMono = {
    "/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
    "/usr/share/fonts/jetbrains-mono/JetBrainsMono-Regular.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"};

std::string first_installed(std::initializer_list<const char*> paths) {
  std::error_code failed;
  for (const char* path : paths)
    if (std::filesystem::is_regular_file(path, failed)) return path;
  return "";
}

ImFont* load(const std::string& path, float size) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  ImFontConfig config;
  config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  config.PixelSnapH = true;
  if (!path.empty())
    if (ImFont* font = atlas.AddFontFromFileTTF(path.c_str(), std::round(size), &config, kGlyphs)) return font;
  config = {};
  config.SizePixels = std::round(size);
  return atlas.AddFontDefault(&config);
}

}  // namespace

Fonts load_fonts(float scale, std::string* missing) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  const std::string text = first_installed(kText), bold = first_installed(kBold), mono = first_installed(kMono);
  if (missing != nullptr) {
    if (text != *kText.begin()) *missing = "Inter (package fonts-inter)";
    if (mono != *kMono.begin())
      *missing += (missing->empty() ? "" : " and ") + std::string("JetBrains Mono (package fonts-jetbrains-mono)");
  }
  Fonts fonts;
  fonts.text = load(text, 15 * scale);
  fonts.small = load(text, 12.5f * scale);
  fonts.bold = load(bold, 15 * scale);
  fonts.heading = load(bold, 20 * scale);
  fonts.mono = load(mono, 14 * scale);
  fonts.mono_small = load(mono, 11.5f * scale);
  return fonts;
}

}  // namespace ts::ui
