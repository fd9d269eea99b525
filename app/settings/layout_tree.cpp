// The tree of splits, read and written.
#include "app/settings/layout_tree.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

namespace ts::ui {
namespace {

using Kind = LayoutNode::Kind;

LayoutNode split(Kind kind, std::vector<std::pair<float, LayoutNode>> parts) {
  LayoutNode made;
  made.kind = kind;
  for (auto& [share, part] : parts) {
    made.shares.push_back(share);
    made.parts.push_back(std::move(part));
  }
  return made;
}

nlohmann::json save_node(const LayoutNode& node) {
  if (node.kind == Kind::Leaf) return {{"panes", node.panes}, {"active", node.active}};
  nlohmann::json parts = nlohmann::json::array();
  for (const LayoutNode& part : node.parts) parts.push_back(save_node(part));
  return {{node.kind == Kind::Row ? "row" : "column", parts}, {"shares", node.shares}};
}

constexpr int kDeepest = 16;

std::optional<LayoutNode> load_node(const nlohmann::json& saved, const std::function<bool(const std::string&)>& known,
                                    int depth) {
  if (!saved.is_object() || depth > kDeepest) return {};
  LayoutNode node;
  if (const auto panes = saved.find("panes"); panes != saved.end() && panes->is_array()) {
    for (const auto& pane : *panes)
      if (pane.is_string() && known(pane.get<std::string>())) node.panes.push_back(pane.get<std::string>());
    if (const auto active = saved.find("active"); active != saved.end() && active->is_number_unsigned())
      node.active = active->get<std::size_t>();
    return node;
  }
  const bool across = saved.contains("row");
  const auto parts = saved.find(across ? "row" : "column"), shares = saved.find("shares");
  if (parts == saved.end() || !parts->is_array() || shares == saved.end() || !shares->is_array() ||
      parts->size() != shares->size())
    return {};
  node.kind = across ? Kind::Row : Kind::Column;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    std::optional<LayoutNode> part = load_node((*parts)[i], known, depth + 1);
    if (!part || !(*shares)[i].is_number()) return {};
    node.parts.push_back(std::move(*part));
    node.shares.push_back(std::clamp((*shares)[i].get<float>(), kLeastShare, 1.0f));
  }
  return node;
}

// The first of two equal names stays.
void drop_doubles(LayoutNode& node, std::vector<std::string>& seen) {
  std::erase_if(node.panes, [&](const std::string& pane) {
    if (std::ranges::find(seen, pane) != seen.end()) return true;
    seen.push_back(pane);
    return false;
  });
  for (LayoutNode& part : node.parts) drop_doubles(part, seen);
}

}  // namespace

LayoutNode leaf(std::vector<std::string> panes) {
  LayoutNode made;
  made.panes = std::move(panes);
  return made;
}

LayoutNode row(std::vector<std::pair<float, LayoutNode>> parts) { return split(Kind::Row, std::move(parts)); }

LayoutNode column(std::vector<std::pair<float, LayoutNode>> parts) { return split(Kind::Column, std::move(parts)); }

bool is_empty(const LayoutNode& node) {
  return node.kind == Kind::Leaf ? node.panes.empty() : std::ranges::all_of(node.parts, is_empty);
}

void tidy(LayoutNode& node) {
  if (node.kind == Kind::Leaf) {
    node.active = node.panes.empty() ? 0 : std::min(node.active, node.panes.size() - 1);
    return;
  }
  for (LayoutNode& part : node.parts) tidy(part);
  for (std::size_t i = node.parts.size(); i-- > 0;) {
    if (!is_empty(node.parts[i])) continue;
    node.parts.erase(node.parts.begin() + static_cast<std::ptrdiff_t>(i));
    node.shares.erase(node.shares.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (node.parts.empty()) {
    node = {};
  } else if (node.parts.size() == 1) {
    LayoutNode only = std::move(node.parts.front());
    node = std::move(only);
  } else {
    const float sum = std::accumulate(node.shares.begin(), node.shares.end(), 0.0f);
    for (float& share : node.shares) share /= sum;
  }
}

nlohmann::json save_layout(const LayoutNode& node) { return save_node(node); }

std::optional<LayoutNode> load_layout(const nlohmann::json& saved,
                                      const std::function<bool(const std::string&)>& known) {
  std::optional<LayoutNode> root = load_node(saved, known, 0);
  if (!root) return {};
  std::vector<std::string> seen;
  drop_doubles(*root, seen);
  tidy(*root);
  if (is_empty(*root)) return {};
  return root;
}

}  // namespace ts::ui
