// Drawing panes in their splits, and moving them.
#include "app/window/shell/pane_area.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/draw/focus.h"
#include "app/draw/icons.h"
#include "app/draw/look.h"
#include "app/panes/pane_row.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"
#include "core/data/fields.h"

namespace ts::ui {
namespace {

constexpr float kTabHeight = 28, kPaneGap = 5;

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
    case Side::Left: return {area.min, {middle.x, area.max.y}};
    case Side::Right: return {{middle.x, area.min.y}, area.max};
    case Side::Top: return {area.min, {area.max.x, middle.y}};
    case Side::Bottom: return {{area.min.x, middle.y}, area.max};
    case Side::Center: break;
  }
  return area;
}

// Without panes that there are not.
Layout usual_layout(const NamedLayout& named, const PaneArea& area) {
  Layout made(named.make());
  made.keep_only([&area](const std::string& id) { return area.find(id) != nullptr; });
  return made;
}

const NamedLayout& named_layout(const std::string& name) {
  return *std::ranges::find(named_layouts(), name, &NamedLayout::name);
}

// Smaller panes show nothing that helps.
constexpr float kLeastPaneWidth = 150, kLeastPaneHeight = 110;

bool has_any(const LayoutNode& leaf, std::initializer_list<std::string_view> panes) {
  return std::ranges::any_of(panes, [&](std::string_view pane) { return std::ranges::count(leaf.panes, pane) != 0; });
}

// Where there is little room, such as in a small window or in large type, panes that would have too little of it leave it to
// the program, the stage and the pane with the focus. They are back when there is more, or when they are shown.
Layout fitting(const Layout& whole, const Rect& area, const std::string& focused) {
  Layout made = whole;
  for (;;) {
    std::vector<Layout::Placed> leaves;
    std::vector<Layout::Gap> gaps;
    made.place(area, look().px(kPaneGap), leaves, gaps);
    const LayoutNode* smallest = nullptr;
    float least = 1;
    for (const Layout::Placed& placed : leaves) {
      const float room = std::min(placed.area.width() / look().px(kLeastPaneWidth),
                                  placed.area.height() / look().px(kLeastPaneHeight));
      if (room >= least || has_any(*placed.leaf, {"program", "stage", focused})) continue;
      least = room;
      smallest = placed.leaf;
    }
    if (smallest == nullptr) return made;
    const std::vector<std::string> gone = smallest->panes;
    made.keep_only([&](const std::string& pane) { return std::ranges::count(gone, pane) == 0; });
  }
}

}  // namespace

PaneArea::PaneArea() : panes_(make_panes()) {
  for (const NamedLayout& layout : named_layouts()) layouts_.emplace_back(layout.name, usual_layout(layout, *this));
}

Pane* PaneArea::find(const std::string& id) const {
  const auto found = std::ranges::find_if(panes_, [&](const auto& pane) { return id == pane->id(); });
  return found == panes_.end() ? nullptr : found->get();
}

// --- layouts ---

bool PaneArea::set_layout(const std::string& name) {
  const bool known = std::ranges::any_of(named_layouts(), [&](const NamedLayout& one) { return name == one.name; });
  if (known) layout_name_ = name;
  return known;
}

Layout& PaneArea::layout() {
  return std::ranges::find(layouts_, layout_name_, &std::pair<std::string, Layout>::first)->second;
}

void PaneArea::reset_layout() { layout() = usual_layout(named_layout(layout_name_), *this); }

void PaneArea::load(const data::Fields& settings) {
  const auto known = [this](const std::string& id) { return find(id) != nullptr; };
  const data::Fields saved = settings.below("layouts");
  for (auto& [name, layout] : layouts_) {
    if (!saved.all().contains(name)) continue;
    if (auto read = Layout::load(saved.all()[name], known)) layout = std::move(*read);
    else saved.tell(name, "a layout");
  }
  const data::Fields panes = settings.below("panes");
  for (const auto& pane : panes_)
    if (panes.all().contains(pane->id())) pane->load(panes.below(pane->id()));
}

void PaneArea::save(nlohmann::json& settings) const {
  for (const auto& [name, layout] : layouts_) settings["layouts"][name] = layout.save();
  for (const auto& pane : panes_) {
    nlohmann::json own = nlohmann::json::object();
    pane->save(own);
    if (!own.empty()) settings["panes"][pane->id()] = std::move(own);
  }
}

void PaneArea::save_view(nlohmann::json& state) const {
  state["layout"] = layout_name_;
  for (const auto& [name, layout] : layouts_) {
    state["layouts"][name] = layout.save();
    state["maximised"][name] = layout.maximised();
  }
}

void PaneArea::load_view(const nlohmann::json& state) {
  const auto known = [this](const std::string& id) { return find(id) != nullptr; };
  layout_name_ = state["layout"];
  for (auto& [name, layout] : layouts_) {
    if (!state["layouts"].contains(name)) continue;
    // A layout without panes saves as one that cannot be loaded.
    layout = Layout::load(state["layouts"][name], known).value_or(Layout());
    if (const std::string big = state["maximised"][name]; !big.empty()) layout.toggle_maximised(big);
  }
}

// --- single panes ---

bool PaneArea::show(const std::string& id) {
  if (find(id) == nullptr) return false;
  const Layout usual = usual_layout(named_layout(layout_name_), *this);
  layout().show(id, &usual);
  wants_focus_ = id;
  focused_ = id;
  return true;
}

void PaneArea::maximise(const std::string& id) {
  if (layout().is_open(id)) layout().toggle_maximised(id);
}

void PaneArea::resize_focused(bool across, float by) {
  std::vector<Layout::Placed> leaves;
  std::vector<Layout::Gap> gaps;
  layout().place({{0, 0}, {1000, 1000}}, 0, leaves, gaps);
  const Rect* area = nullptr;
  for (const Layout::Placed& placed : leaves)
    if (std::ranges::find(placed.leaf->panes, focused_) != placed.leaf->panes.end()) area = &placed.area;
  if (area == nullptr) return;
  // The gap that is its own edge: the one behind it, or else the one before.
  for (const bool behind : {true, false})
    for (const Layout::Gap& gap : gaps) {
      const bool row = gap.split->kind == LayoutNode::Kind::Row;
      const float edge = row ? gap.area.min.x : gap.area.min.y,
                  own = row ? (behind ? area->max.x : area->min.x) : (behind ? area->max.y : area->min.y);
      const bool beside = row ? gap.area.min.y <= area->min.y + 1 && gap.area.max.y >= area->max.y - 1
                              : gap.area.min.x <= area->min.x + 1 && gap.area.max.x >= area->max.x - 1;
      if (row != across || !beside || std::abs(edge - own) > 1.5f) continue;
      return Layout::resize(gap, behind ? by : -by);
    }
}

// --- the focus ---

void PaneArea::focus_pane(int by) {
  if (places_.empty()) return;
  const auto count = static_cast<int>(places_.size());
  const auto now = std::ranges::find(places_, focused_, &std::pair<std::string, Rect>::first);
  const int at = now == places_.end() ? (by > 0 ? -1 : 0) : static_cast<int>(now - places_.begin());
  wants_focus_ = places_[static_cast<std::size_t>(((at + by) % count + count) % count)].first;
  focus_by_keys_ = true;
}

void PaneArea::focus_tab(int by) {
  std::vector<Layout::Placed> leaves;
  std::vector<Layout::Gap> gaps;
  layout().place({{0, 0}, {1000, 1000}}, 0, leaves, gaps);
  for (const Layout::Placed& placed : leaves) {
    const auto& panes = placed.leaf->panes;
    if (std::ranges::find(panes, focused_) == panes.end()) continue;
    const auto count = static_cast<int>(panes.size());
    show(panes[static_cast<std::size_t>((static_cast<int>(placed.leaf->active) + by + count) % count)]);
    focus_by_keys_ = true;
    return;
  }
}

// --- frames ---

void PaneArea::draw_tab_menu(const std::string& pane) {
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
      if (!ImGui::BeginMenu(find(other)->title())) continue;
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

void PaneArea::draw_tabs(LayoutNode& leaf, const Rect& bar, CommandQueue& queue) {
  // Of a copy: a tab's menu may take panes away.
  const std::vector<std::string> ids = leaf.panes;
  const std::string front = ids[leaf.active];
  float x = bar.min.x + look().px(4);
  for (const std::string& id : ids)
    x += draw_tab(id, id == front, ids.size() == 1, {x, bar.min.y}, bar.height(), queue);
  const bool by_keys = front == focused_ && shows_focus();
  if ((!bar.holds(ImGui::GetMousePos()) && !by_keys) || bar.max.x - x < look().px(50)) return;
  draw_tab_buttons(front, bar);
}

// Gives back its width.
float PaneArea::draw_tab(const std::string& id, bool front, bool alone, ImVec2 at, float high, CommandQueue& queue) {
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const Theme& theme = *look().theme;
  const char* title = find(id)->title();
  ImFont* font = front ? look().fonts.bold : look().fonts.text;
  const float size = look().fonts.small->FontSize + look().px(0.5f);
  const float wide = font->CalcTextSizeA(size, FLT_MAX, 0, title).x + look().px(18);
  const Rect area{at, {at.x + wide, at.y + high}};
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton(("tab " + id).c_str(), {wide, high})) queue.push("focusPane", {id});
  // Also when the button came up in the frame of the first move.
  const ImVec2 pulled = ImGui::GetMouseDragDelta(0, look().px(12));
  const bool moved = pulled.x != 0 || pulled.y != 0;
  if (moved && (ImGui::IsItemActive() || ImGui::IsItemDeactivated())) dragged_ = id;
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) maximise(id);
  if (targets_wanted()) note_target("tab/" + id, area);
  const bool hovered = ImGui::IsItemHovered();
  draw_tab_menu(id);
  if (hovered && !front) out.AddRectFilled(area.min, area.max, ink(theme.hovered), look().px(3));
  out.AddText(font, size, {at.x + look().px(9), at.y + (high - size) / 2}, ink(front ? theme.text : theme.text_quiet),
              title);
  if (front && (!alone || id == focused_))
    out.AddRectFilled({at.x + look().px(6), area.max.y - look().px(2)}, {area.max.x - look().px(6), area.max.y},
                      ink(id == focused_ ? theme.accent : theme.text_quiet));
  return wide;
}

void PaneArea::draw_tab_buttons(const std::string& front, const Rect& bar) {
  ImGui::SetCursorScreenPos({bar.max.x - look().px(48), bar.min.y + look().px(3)});
  const bool big = layout().maximised() == front;
  if (icon_button(("max " + front).c_str(), big ? Icon::Restore : Icon::Maximise, big ? "Restore" : "Maximise", true,
                  22))
    maximise(front);
  ImGui::SetCursorScreenPos({bar.max.x - look().px(25), bar.min.y + look().px(3)});
  if (icon_button(("close " + front).c_str(), Icon::Close, "Close", true, 22)) layout().close(front);
}

void PaneArea::draw_leaf(LayoutNode& leaf, const Rect& area, DebugView& view, CommandQueue& queue) {
  if (leaf.panes.empty() || area.width() < 8 || area.height() < look().px(kTabHeight) + 8) return;
  const Theme& theme = *look().theme;
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const Rect bar{area.min, {area.max.x, area.min.y + look().px(kTabHeight)}};
  out.AddRectFilled(area.min, area.max, ink(theme.pane), look().px(5));
  out.AddLine({area.min.x, bar.max.y}, {area.max.x, bar.max.y}, ink(theme.line));
  const std::string front = leaf.panes[leaf.active];
  draw_tabs(leaf, bar, queue);
  draw_body(front, {{area.min.x, bar.max.y + 1}, area.max}, view, queue);
  // Where the grounds do not part panes, a line does.
  if (theme.window == theme.pane) out.AddRect(area.min, area.max, ink(theme.line), look().px(5));
  // Where keys go, seen also where nothing in the pane can have the focus.
  if (front == focused_ && shows_focus())
    out.AddRect({area.min.x, area.min.y}, area.max, ink(theme.accent), look().px(5), 0, look().px(2));
}

void PaneArea::draw_body(const std::string& id, const Rect& body, DebugView& view, CommandQueue& queue) {
  Pane& pane = *find(id);
  ImGui::SetCursorScreenPos(body.min);
  places_.emplace_back(id, body);
  const bool focuses = wants_focus_ == id, by_keys = focuses && focus_by_keys_;
  if (focuses) {
    ImGui::SetNextWindowFocus();
    wants_focus_.reset();
    focus_by_keys_ = false;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look().px(8), look().px(6)});
  const bool seen =
      ImGui::BeginChild(id.c_str(), {body.width(), body.height()}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  if (seen) {
    if (by_keys) focus_first();
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows)) focused_ = id;
    pane.draw(view, queue);
  }
  ImGui::EndChild();
}

void PaneArea::draw_gaps(std::vector<Layout::Gap>& gaps) {
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

void PaneArea::draw_drop_zones(const std::vector<Layout::Placed>& leaves) {
  if (dragged_.empty()) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  for (const Layout::Placed& placed : leaves) {
    if (!placed.area.holds(mouse) || placed.leaf->panes.empty()) continue;
    const Side side = side_at(placed.area, mouse);
    const Rect zone = half_of(placed.area, side);
    ImDrawList& out = *ImGui::GetForegroundDrawList();
    out.AddRectFilled(zone.min, zone.max, ink(with_alpha(look().theme->accent, 0.25)), look().px(5));
    out.AddRect(zone.min, zone.max, ink(look().theme->accent), look().px(5), 0, 2);
    out.AddText({mouse.x + 14, mouse.y + 8}, ink(look().theme->text), find(dragged_)->title());
    if (ImGui::IsMouseReleased(0)) layout().move(dragged_, placed.leaf->panes[placed.leaf->active], side);
    break;
  }
  if (!ImGui::IsMouseDown(0)) dragged_.clear();
}

// Also those that nobody sees: a recording that was closed must not live on in what they keep.
void PaneArea::forget() {
  for (const auto& pane : panes_) pane->forget();
}

void PaneArea::draw(const Rect& area, DebugView& view, CommandQueue& queue) {
  std::vector<Layout::Placed> leaves;
  std::vector<Layout::Gap> gaps;
  Layout shown = fitting(layout(), area, focused_);
  const bool all = shown.root() == layout().root();
  (all ? layout() : shown).place(area, look().px(kPaneGap), leaves, gaps);
  draw_gaps(gaps);
  // Moving or closing a pane makes other leaves: not while they are being drawn.
  const Layout before = layout();
  for (const Layout::Placed& placed : leaves) {
    draw_leaf(*placed.leaf, placed.area, view, queue);
    if (!(before.root() == layout().root())) return;
  }
  draw_drop_zones(leaves);
  // Where the pane with the focus was closed or covered, another one gets it: keys need a place to go to.
  const bool seen = std::ranges::find(places_, focused_, &std::pair<std::string, Rect>::first) != places_.end();
  if (!seen && !focused_.empty() && !wants_focus_ && !places_.empty()) wants_focus_ = places_.front().first;
}

}  // namespace ts::ui
