// The focus, by what ImGui keeps of it.
#include "app/draw/focus.h"

#include <imgui.h>
#include <imgui_internal.h>

#include "app/draw/look.h"

namespace ts::ui {
namespace {

ImGuiContext& context() { return *ImGui::GetCurrentContext(); }

// The first frame in which the caret is where it was asked for.
int caret_frame = 0;

}  // namespace

bool shows_focus() { return !context().NavDisableHighlight; }

bool mouse_came_last() { return !context().NavDisableMouseHover; }

void show_focus() {
  context().NavDisableHighlight = false;
  context().NavDisableMouseHover = true;
}

bool has_focus() { return context().NavId != 0 && context().NavWindow != nullptr; }

void focus_menu(const char* name, const Rect& rect) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  window->NavLastIds[ImGuiNavLayer_Menu] = window->GetID(name);
  window->NavRectRel[ImGuiNavLayer_Menu] = ImGui::WindowRectAbsToRel(window, ImRect(rect.min, rect.max));
  show_focus();
}

Rect draw_focus_ring() {
  const ImGuiContext& g = context();
  if (g.NavDisableHighlight || g.NavId == 0 || g.NavWindow == nullptr || !g.NavIdIsAlive) return {};
  ImGuiWindow* window = g.NavWindow;
  const ImRect box = ImGui::WindowRectRelToAbs(window, window->NavRectRel[g.NavLayer]);
  const ImRect seen = window->OuterRectClipped;
  ImDrawList& out = *ImGui::GetForegroundDrawList();
  const float away = look().px(2);
  const Rect ring{{box.Min.x - away, box.Min.y - away}, {box.Max.x + away, box.Max.y + away}};
  out.PushClipRect(seen.Min, seen.Max, false);
  // Two lines, so that it is seen on every ground.
  out.AddRect(ring.min, ring.max, ink(look().theme->window), look().px(4), 0, look().px(4));
  out.AddRect(ring.min, ring.max, ink(look().theme->accent), look().px(4), 0, look().px(2));
  out.PopClipRect();
  return {box.Min, box.Max};
}

bool focus_stop(const char* name, const Rect& rect) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  if (window->SkipItems) return false;
  const ImGuiID id = window->GetID(name);
  if (!ImGui::ItemAdd(ImRect(rect.min, rect.max), id)) return false;
  return context().NavActivateId == id;
}

bool last_item_has_focus() { return shows_focus() && ImGui::IsItemFocused(); }

int rows_by_keys(int page) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!last_item_has_focus() || io.KeyCtrl || io.KeyAlt || io.KeyShift || io.WantTextInput) return 0;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  const int rows = pressed(ImGuiKey_DownArrow)  ? 1
                   : pressed(ImGuiKey_UpArrow)  ? -1
                   : pressed(ImGuiKey_PageDown) ? page
                   : pressed(ImGuiKey_PageUp)   ? -page
                                                : 0;
  if (rows != 0 && ImGui::NavMoveRequestButNoResultYet()) ImGui::NavMoveRequestCancel();
  return rows;
}

bool last_item_entered() { return context().NavActivateId != 0 && context().NavActivateId == ImGui::GetItemID(); }

void wrap_focus() {
  if (ImGuiWindow* window = context().NavWindow) ImGui::NavMoveRequestTryWrapping(window, ImGuiNavMoveFlags_WrapX);
}

void focus_first() {
  ImGui::NavInitWindow(ImGui::GetCurrentWindow(), false);
  show_focus();
}

void forget_alt() { context().NavWindowingToggleLayer = false; }

void give_caret() {
  ImGui::SetKeyboardFocusHere();
  expect_caret();
}

void expect_caret() { caret_frame = ImGui::GetFrameCount() + 2; }

bool caret_is_coming() { return ImGui::GetFrameCount() < caret_frame; }

void dim_at_once() { context().DimBgRatio = ImGui::GetTopMostPopupModal() != nullptr ? 1.0f : 0.0f; }

}  // namespace ts::ui
