// The tree of splits.
#include "app/window/shell/layout.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "app/panes/pane_row.h"

namespace ts::ui {
namespace {

using Kind = LayoutNode::Kind;

const LayoutNode* find_leaf(const LayoutNode& node, std::string_view pane) {
  if (node.kind == Kind::Leaf) return std::ranges::find(node.panes, pane) != node.panes.end() ? &node : nullptr;
  for (const LayoutNode& part : node.parts)
    if (const LayoutNode* found = find_leaf(part, pane)) return found;
  return nullptr;
}

void add_panes(const LayoutNode& node, std::vector<std::string>& out) {
  out.insert(out.end(), node.panes.begin(), node.panes.end());
  for (const LayoutNode& part : node.parts) add_panes(part, out);
}

void place_node(LayoutNode& node, const Rect& area, float gap, std::vector<Layout::Placed>& leaves,
                std::vector<Layout::Gap>& gaps) {
  if (node.kind == Kind::Leaf) {
    leaves.push_back({&node, area});
    return;
  }
  const bool across = node.kind == Kind::Row;
  const float whole = across ? area.width() : area.height();
  const float room = std::max(0.0f, whole - gap * static_cast<float>(node.parts.size() - 1));
  float at = across ? area.min.x : area.min.y;
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    const bool last = i + 1 == node.parts.size();
    const float end = last ? (across ? area.max.x : area.max.y) : std::round(at + room * node.shares[i]);
    const Rect part = across ? Rect{{at, area.min.y}, {end, area.max.y}} : Rect{{area.min.x, at}, {area.max.x, end}};
    place_node(node.parts[i], part, gap, leaves, gaps);
    if (last) break;
    const Rect between =
        across ? Rect{{end, area.min.y}, {end + gap, area.max.y}} : Rect{{area.min.x, end}, {area.max.x, end + gap}};
    gaps.push_back({&node, i, between, room});
    at = end + gap;
  }
}

LayoutNode* largest_leaf(LayoutNode& node, float area, float& best) {
  if (node.kind == Kind::Leaf) {
    if (area <= best) return nullptr;
    best = area;
    return &node;
  }
  LayoutNode* found = nullptr;
  for (std::size_t i = 0; i < node.parts.size(); ++i)
    if (LayoutNode* part = largest_leaf(node.parts[i], area * node.shares[i], best)) found = part;
  return found;
}

}  // namespace

void Layout::keep_only(const std::function<bool(const std::string&)>& known) {
  for (const std::string& pane : panes())
    if (!known(pane)) close(pane);
}

void Layout::place(const Rect& area, float gap, std::vector<Placed>& leaves, std::vector<Gap>& gaps) {
  LayoutNode* big = maximised_.empty() ? nullptr : leaf_of(maximised_);
  if (big != nullptr) leaves.push_back({big, area});
  else if (!is_empty(root_)) place_node(root_, area, gap, leaves, gaps);
}

LayoutNode* Layout::leaf_of(std::string_view pane) { return const_cast<LayoutNode*>(find_leaf(root_, pane)); }

bool Layout::is_open(std::string_view pane) const { return find_leaf(root_, pane) != nullptr; }

bool Layout::is_in_front(std::string_view pane) const {
  const LayoutNode* leaf = find_leaf(root_, pane);
  return leaf != nullptr && leaf->panes[leaf->active] == pane;
}

void Layout::show(const std::string& pane, const Layout* usual) {
  LayoutNode* leaf = leaf_of(pane);
  if (leaf == nullptr) {
    const auto stood = std::ranges::find(closed_, pane, &std::pair<std::string, std::string>::first);
    if (stood != closed_.end()) leaf = leaf_of(stood->second);
    if (const LayoutNode* neighbours = usual != nullptr ? find_leaf(usual->root(), pane) : nullptr;
        leaf == nullptr && neighbours != nullptr)
      for (const std::string& other : neighbours->panes)
        if (leaf == nullptr) leaf = leaf_of(other);
    float best = -1;
    if (leaf == nullptr) leaf = largest_leaf(root_, 1, best);
    leaf->panes.push_back(pane);
  }
  leaf->active = static_cast<std::size_t>(std::ranges::find(leaf->panes, pane) - leaf->panes.begin());
  if (!maximised_.empty() && leaf_of(maximised_) != leaf) maximised_.clear();
}

void Layout::close(const std::string& pane) {
  LayoutNode* leaf = leaf_of(pane);
  if (leaf == nullptr) return;
  if (maximised_ == pane) maximised_.clear();
  std::erase_if(closed_, [&](const auto& stood) { return stood.first == pane; });
  const auto neighbour = std::ranges::find_if(leaf->panes, [&](const std::string& other) { return other != pane; });
  if (neighbour != leaf->panes.end()) closed_.emplace_back(pane, *neighbour);
  std::erase(leaf->panes, pane);
  tidy(root_);
}

void Layout::toggle_maximised(const std::string& pane) {
  if (maximised_ == pane) {
    maximised_.clear();
    return;
  }
  if (!is_open(pane)) return;
  show(pane);
  maximised_ = pane;
}

void Layout::move(const std::string& pane, const std::string& beside, Side side) {
  LayoutNode* from = leaf_of(pane);
  LayoutNode* to = leaf_of(beside);
  if (from == nullptr || to == nullptr || (pane == beside && (side == Side::Center || from->panes.size() == 1))) return;
  maximised_.clear();
  std::erase(from->panes, pane);
  if (side == Side::Center) {
    to->panes.push_back(pane);
    to->active = to->panes.size() - 1;
  } else {
    LayoutNode old = std::move(*to), made = leaf({pane});
    old.active = 0;
    const bool first = side == Side::Left || side == Side::Top;
    auto parts = std::vector<std::pair<float, LayoutNode>>{{0.5f, first ? made : old}, {0.5f, first ? old : made}};
    *to = side == Side::Left || side == Side::Right ? row(std::move(parts)) : column(std::move(parts));
  }
  tidy(root_);
}

void Layout::resize(const Gap& gap, float delta) {
  if (gap.room <= 0) return;
  float& before = gap.split->shares[gap.before];
  float& after = gap.split->shares[gap.before + 1];
  const float both = before + after, least = std::min(kLeastShare, both / 2);
  before = std::clamp(before + delta / gap.room, least, both - least);
  after = both - before;
}

std::vector<std::string> Layout::panes() const {
  std::vector<std::string> all;
  add_panes(root_, all);
  return all;
}

nlohmann::json Layout::save() const { return save_layout(root_); }

std::optional<Layout> Layout::load(const nlohmann::json& saved, const std::function<bool(const std::string&)>& known) {
  std::optional<LayoutNode> root = load_layout(saved, known);
  return root ? std::optional<Layout>(std::move(*root)) : std::nullopt;
}

namespace {

// --- the layouts ---

// The panes that say they stand there.
LayoutNode spot(const char* layout, const char* name) { return leaf(panes_at(layout, name)); }

LayoutNode debug_layout() {
  const auto at = [](const char* name) { return spot("debug", name); };
  LayoutNode left = column({{0.68f, at("left")}, {0.32f, at("left below")}});
  LayoutNode middle = column({{0.58f, at("middle")}, {0.42f, at("middle below")}});
  LayoutNode right = column({{0.56f, at("right")}, {0.44f, at("right below")}});
  LayoutNode upper = row({{0.27f, std::move(left)}, {0.52f, std::move(middle)}, {0.21f, std::move(right)}});
  LayoutNode lower = row({{0.36f, at("below left")}, {0.30f, at("below middle")}, {0.34f, at("lists")}});
  return column({{0.78f, std::move(upper)}, {0.22f, std::move(lower)}});
}

LayoutNode compare_layout() {
  const auto at = [](const char* name) { return spot("compare", name); };
  LayoutNode left = column({{0.62f, at("left")}, {0.38f, at("left below")}});
  LayoutNode sides = row({{0.36f, at("tile")}, {0.36f, at("other side")}, {0.28f, at("difference")}});
  LayoutNode right = column({{0.56f, std::move(sides)}, {0.44f, at("lists")}});
  return row({{0.25f, std::move(left)}, {0.75f, std::move(right)}});
}

LayoutNode learn_layout() { return row({{0.64f, spot("learn", "stage")}, {0.36f, spot("learn", "text")}}); }

LayoutNode present_layout() { return row({{0.34f, spot("present", "left")}, {0.66f, spot("present", "right")}}); }

constexpr NamedLayout kLayouts[] = {
    {"learn", "Learn", "The stage, and the text of a lesson beside it.", learn_layout},
    {"debug", "Debug", "Everything that a search for a bug needs.", debug_layout},
    {"compare", "Compare", "This run and the other one side by side, and the list of what differs.", compare_layout},
    {"present", "Present", "Program and stage, in large type, without menus and bars; Page Down and Page Up step.",
     present_layout},
};

}  // namespace

std::span<const NamedLayout> named_layouts() { return kLayouts; }

}  // namespace ts::ui
