// Widgets that look like the rest of the window.
#include "app/window/shell/style.h"

namespace ts::ui {
namespace {

void set_distances(ImGuiStyle& style) {
  style.WindowPadding = {10, 8};
  style.FramePadding = {8, 4};
  style.ItemSpacing = {8, 5};
  style.ItemInnerSpacing = {6, 4};
  style.CellPadding = {6, 3};
  style.ScrollbarSize = 11;
  style.GrabMinSize = 14;
  style.WindowRounding = 0;
  style.ChildRounding = 0;
  style.FrameRounding = 4;
  style.PopupRounding = 6;
  style.ScrollbarRounding = 6;
  style.GrabRounding = 4;
  style.TabRounding = 4;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.DisabledAlpha = 0.5f;
}

}  // namespace

void style_widgets(const Look& look) {
  ImGuiStyle style;
  set_distances(style);
  const Theme& theme = *look.theme;
  auto set = [&](ImGuiCol_ which, Color color) { style.Colors[which] = tint(color); };
  const Color none = with_alpha(theme.pane, 0);
  set(ImGuiCol_Text, theme.text);
  set(ImGuiCol_TextDisabled, theme.text_quiet);
  set(ImGuiCol_WindowBg, theme.window);
  set(ImGuiCol_ChildBg, none);
  set(ImGuiCol_PopupBg, theme.pane);  // so that fields and buttons stand out from it
  set(ImGuiCol_Border, theme.line);
  set(ImGuiCol_BorderShadow, none);
  set(ImGuiCol_FrameBg, theme.raised);
  set(ImGuiCol_FrameBgHovered, theme.hovered);
  set(ImGuiCol_FrameBgActive, theme.pressed);
  set(ImGuiCol_TitleBg, theme.raised);
  set(ImGuiCol_TitleBgActive, theme.raised);
  set(ImGuiCol_MenuBarBg, theme.window);
  set(ImGuiCol_ScrollbarBg, none);
  set(ImGuiCol_ScrollbarGrab, theme.pressed);
  set(ImGuiCol_ScrollbarGrabHovered, mix(theme.pressed, theme.text_quiet, 0.4));
  set(ImGuiCol_ScrollbarGrabActive, theme.text_quiet);
  set(ImGuiCol_CheckMark, theme.accent);
  set(ImGuiCol_SliderGrab, theme.accent);
  set(ImGuiCol_SliderGrabActive, theme.accent);
  set(ImGuiCol_Button, theme.raised);
  set(ImGuiCol_ButtonHovered, theme.hovered);
  set(ImGuiCol_ButtonActive, theme.pressed);
  set(ImGuiCol_Header, theme.hovered);
  set(ImGuiCol_HeaderHovered, theme.hovered);
  set(ImGuiCol_HeaderActive, theme.pressed);
  set(ImGuiCol_Separator, theme.line);
  set(ImGuiCol_SeparatorHovered, theme.accent);
  set(ImGuiCol_SeparatorActive, theme.accent);
  set(ImGuiCol_ResizeGrip, none);
  set(ImGuiCol_Tab, theme.raised);
  set(ImGuiCol_TabHovered, theme.hovered);
  set(ImGuiCol_TabActive, theme.hovered);
  set(ImGuiCol_PlotLines, theme.src0);
  set(ImGuiCol_PlotHistogram, theme.src0);
  set(ImGuiCol_TableHeaderBg, theme.raised);
  set(ImGuiCol_TableBorderStrong, theme.line);
  set(ImGuiCol_TableBorderLight, theme.line);
  set(ImGuiCol_TableRowBg, none);
  set(ImGuiCol_TableRowBgAlt, with_alpha(theme.text, 0.03));
  set(ImGuiCol_TextSelectedBg, with_alpha(theme.accent, 0.35));
  set(ImGuiCol_NavHighlight, none);  // app/draw/focus.h draws it
  set(ImGuiCol_ModalWindowDimBg, with_alpha(rgb(0x000000), 0.45));
  // Where the grounds do not part controls from what they stand on, a line does.
  if (theme.window == theme.pane) style.FrameBorderSize = 1;
  style.ScaleAllSizes(look.scale);
  ImGui::GetStyle() = style;
}

}  // namespace ts::ui
