// Where panes stand, as settings have it: a tree of splits whose leaves hold panes as tabs.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ts::ui {

struct LayoutNode {
  enum class Kind : std::uint8_t { Leaf, Row, Column };  // a row stands side by side, a column one above the other
  Kind kind = Kind::Leaf;
  std::vector<LayoutNode> parts = {};   // of a split
  std::vector<float> shares = {};       // of its parts; sum 1
  std::vector<std::string> panes = {};  // of a leaf: ids
  std::size_t active = 0;               // of a leaf
  bool operator==(const LayoutNode&) const = default;
};

// No part of a split is smaller.
inline constexpr float kLeastShare = 0.06f;

LayoutNode leaf(std::vector<std::string> panes);
LayoutNode row(std::vector<std::pair<float, LayoutNode>> parts);
LayoutNode column(std::vector<std::pair<float, LayoutNode>> parts);

// Without a pane.
bool is_empty(const LayoutNode& node);
// Splits with one part become that part; shares add up to 1 again.
void tidy(LayoutNode& node);

nlohmann::json save_layout(const LayoutNode& node);
// Unknown panes are left out, a damaged text gives nothing.
std::optional<LayoutNode> load_layout(const nlohmann::json& saved,
                                      const std::function<bool(const std::string&)>& known);

}  // namespace ts::ui
