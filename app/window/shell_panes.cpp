// The panes in their splits: tabs, gaps that are dragged, panes that are moved.
#include <algorithm>
#include <cmath>

#include "app/draw/focus.h"
#include "app/draw/icons.h"
#include "app/draw/look.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"
#include "app/window/shell.h"

namespace ts::ui {
namespace {

constexpr float kTabHeight = 28, kGap = 5;

// Where in a leaf a pane would be dropped.
Side side_at(const Rect& area, ImVec2 point) {
  const float x = (point.x - area.min.x) / std::max(1.0f, area.width());
  const float y = (point.y - area.min.y) / std::max(1.0f, area.height());
  constexpr float kEdge = 0.25f;
  if (x < kEdge && x < y && x < 1 - y) return Side::Left;
  if (x > 1 - kEdge && 1 - x < y && 1 - x < 1 - y) return Side::Right;
  if (y < kEdge) return Side::Top;
  if (y > 1 - kEdge) return Side::Bottom;
  return Side::Center;
}

Rect half_of(const Rect& area, Side side) {
  const ImVec2 middle = area.center();
  switch (side) {
    case Side::Left:
      return {area.min, {middle.x, area.max.y}};
    case Side::Right:
      return {{middle.x, area.min.y}, area.max};
    case Side::Top:
      return {area.min, {area.max.x, middle.y}};
    case Side::Bottom:
      return {{area.min.x, middle.y}, area.max};
    case Side::Center:
      break;
  }
  return area;
}

}  // namespace

void Shell::draw_tab_menu(const std::string& pane) {
  const std::string id = "menu " + pane;
  ImGui::OpenPopupOnItemClick(id.c_str());
  if (tab_menu_ == pane) {
    ImGui::OpenPopup(id.c_str());
    ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y});
    show_focus();
    tab_menu_.clear();
  }
  if (!ImGui::BeginPopup(id.c_str())) return;
  if (ImGui::MenuItem(layout().maximised() == pane ? "Restore" : "Maximise", key_hint("maximisePane").c_str()))
    maximise(pane);
  if (ImGui::MenuItem("Close", key_hint("closePane").c_str())) layout().close(pane);
  ImGui::Separator();
  if (ImGui::BeginMenu("Move beside")) {
    for (const std::string& other : layout().panes()) {
      if (other == pane || !layout().is_in_front(other)) continue;
      if (!ImGui::BeginMenu(find_pane(other)->title())) continue;
      if (ImGui::MenuItem("as a tab")) layout().move(pane, other, Side::Center);
      if (ImGui::MenuItem("left")) layout().move(pane, other, Side::Left);
      if (ImGui::MenuItem("right")) layout().move(pane, other, Side::Right);
      if (ImGui::MenuItem("above")) layout().move(pane, other, Side::Top);
      if (ImGui::MenuItem("below")) layout().move(pane, other, Side::Bottom);
      ImGui::EndMenu();
    }
    ImGui::EndMenu();
  }
  ImGui::EndPopup();
}

void Shell::draw_tabs(LayoutNode& leaf, const Rect& bar) {
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const Theme& theme = *look().theme;
  // Of a copy: a tab's menu may take panes away.
  const std::vector<std::string> ids = leaf.panes;
  const std::string front = ids[leaf.active];
  float x = bar.min.x + look().px(4);
  for (const std::string& id : ids) {
    const char* title = find_pane(id)->title();
    ImFont* font = id == front ? look().fonts.bold : look().fonts.text;
    const float size = look().fonts.small->FontSize + look().px(0.5f);
    const float wide = font->CalcTextSizeA(size, FLT_MAX, 0, title).x + look().px(18);
    ImGui::SetCursorScreenPos({x, bar.min.y});
    if (ImGui::InvisibleButton(("tab " + id).c_str(), {wide, bar.height()})) queue_.push("focusPane", {id});
    // Also when the button came up in the frame of the first move.
    const ImVec2 pulled = ImGui::GetMouseDragDelta(0, look().px(12));
    const bool moved = pulled.x != 0 || pulled.y != 0;
    if (moved && (ImGui::IsItemActive() || ImGui::IsItemDeactivated())) dragged_ = id;
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) maximise(id);
    if (targets_wanted()) note_target("tab/" + id, {{x, bar.min.y}, {x + wide, bar.max.y}});
    const bool hovered = ImGui::IsItemHovered(), active = id == front;
    draw_tab_menu(id);
    if (hovered && !active) out.AddRectFilled({x, bar.min.y}, {x + wide, bar.max.y}, ink(theme.hovered), look().px(3));
    out.AddText(font, size, {x + look().px(9), bar.min.y + (bar.height() - size) / 2},
                ink(active ? theme.text : theme.text_quiet), title);
    if (active && (ids.size() > 1 || id == focused_))
      out.AddRectFilled({x + look().px(6), bar.max.y - look().px(2)}, {x + wide - look().px(6), bar.max.y},
                        ink(id == focused_ ? theme.accent : theme.text_quiet));
    x += wide;
  }
  const Rect whole{bar.min, bar.max};
  const bool by_keys = front == focused_ && shows_focus();
  if ((!whole.holds(ImGui::GetMousePos()) && !by_keys) || bar.max.x - x < look().px(50)) return;
  ImGui::SetCursorScreenPos({bar.max.x - look().px(48), bar.min.y + look().px(3)});
  const bool big = layout().maximised() == front;
  if (icon_button(("max " + front).c_str(), big ? Icon::Restore : Icon::Maximise, big ? "Restore" : "Maximise", true,
                  22))
    maximise(front);
  ImGui::SetCursorScreenPos({bar.max.x - look().px(25), bar.min.y + look().px(3)});
  if (icon_button(("close " + front).c_str(), Icon::Close, "Close", true, 22)) layout().close(front);
}

void Shell::draw_leaf(LayoutNode& leaf, const Rect& area) {
  if (leaf.panes.empty() || area.width() < 8 || area.height() < look().px(kTabHeight) + 8) return;
  const Theme& theme = *look().theme;
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const Rect bar{area.min, {area.max.x, area.min.y + look().px(kTabHeight)}};
  out.AddRectFilled(area.min, area.max, ink(theme.pane), look().px(5));
  out.AddLine({area.min.x, bar.max.y}, {area.max.x, bar.max.y}, ink(theme.line));
  const std::string front = leaf.panes[leaf.active];
  draw_tabs(leaf, bar);
  Pane& pane = *find_pane(front);
  ImGui::SetCursorScreenPos({area.min.x, bar.max.y + 1});
  const Rect body{{area.min.x, bar.max.y + 1}, area.max};
  places_.emplace_back(front, body);
  const bool focuses = wants_focus_ == front, by_keys = focuses && focus_by_keys_;
  if (focuses) {
    ImGui::SetNextWindowFocus();
    wants_focus_.reset();
    focus_by_keys_ = false;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look().px(8), look().px(6)});
  if (ImGui::BeginChild(front.c_str(), {body.width(), body.height()}, false, ImGuiWindowFlags_AlwaysUseWindowPadding)) {
    ImGui::PopStyleVar();
    if (by_keys) focus_first();
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows)) focused_ = front;
    pane.draw(desk_.view(), queue_);
  } else {
    ImGui::PopStyleVar();
  }
  ImGui::EndChild();
  // Where the grounds do not part panes, a line does.
  if (theme.window == theme.pane) out.AddRect(area.min, area.max, ink(theme.line), look().px(5));
  // Where keys go, seen also where nothing in the pane can have the focus.
  if (front == focused_ && shows_focus())
    out.AddRect({area.min.x, area.min.y}, area.max, ink(theme.accent), look().px(5), 0, look().px(2));
}

void Shell::draw_gaps(std::vector<Layout::Gap>& gaps) {
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const Layout::Gap& gap = gaps[i];
    ImGui::SetCursorScreenPos(gap.area.min);
    if (gap.area.width() < 1 || gap.area.height() < 1) continue;
    ImGui::InvisibleButton(("gap" + std::to_string(i)).c_str(), {gap.area.width(), gap.area.height()});
    const bool across = gap.split->kind == LayoutNode::Kind::Row;
    if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) continue;
    ImGui::SetMouseCursor(across ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    ImGui::GetWindowDrawList()->AddRectFilled(gap.area.min, gap.area.max, ink(look().theme->accent), 2);
    if (ImGui::IsItemActive()) Layout::resize(gap, across ? ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y);
  }
}

void Shell::draw_drop_zones(const std::vector<Layout::Placed>& leaves) {
  if (dragged_.empty()) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  for (const Layout::Placed& placed : leaves) {
    if (!placed.area.holds(mouse) || placed.leaf->panes.empty()) continue;
    const Side side = side_at(placed.area, mouse);
    const Rect zone = half_of(placed.area, side);
    ImDrawList& out = *ImGui::GetForegroundDrawList();
    out.AddRectFilled(zone.min, zone.max, ink(with_alpha(look().theme->accent, 0.25)), look().px(5));
    out.AddRect(zone.min, zone.max, ink(look().theme->accent), look().px(5), 0, 2);
    out.AddText({mouse.x + 14, mouse.y + 8}, ink(look().theme->text), find_pane(dragged_)->title());
    if (ImGui::IsMouseReleased(0)) layout().move(dragged_, placed.leaf->panes[placed.leaf->active], side);
    break;
  }
  if (!ImGui::IsMouseDown(0)) dragged_.clear();
}

void Shell::draw_layout(const Rect& area) {
  std::vector<Layout::Placed> leaves;
  std::vector<Layout::Gap> gaps;
  layout().place(area, look().px(kGap), leaves, gaps);
  draw_gaps(gaps);
  // Moving or closing a pane makes other leaves: not while they are being drawn.
  const Layout before = layout();
  for (const Layout::Placed& placed : leaves) {
    draw_leaf(*placed.leaf, placed.area);
    if (!(before.root() == layout().root())) return;
  }
  draw_drop_zones(leaves);
  // Where the pane with the focus was closed or covered, another one gets it: keys need a place to go to.
  const bool seen = std::ranges::find(places_, focused_, &std::pair<std::string, Rect>::first) != places_.end();
  if (!seen && !focused_.empty() && !wants_focus_ && !places_.empty()) wants_focus_ = places_.front().first;
}

}  // namespace ts::ui
