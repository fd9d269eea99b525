// Where panes stand: a tree of splits whose leaves hold panes as tabs. No ImGui: rectangles and names.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/draw/rect.h"
#include "app/settings/layout_tree.h"

namespace ts::ui {

// Which side of a leaf a pane is dropped on; Center: as another tab.
enum class Side : std::uint8_t { Center, Left, Right, Top, Bottom };

class Layout {
 public:
  explicit Layout(LayoutNode root = {}) : root_(std::move(root)) {}
  // Takes out panes that there are not.
  void keep_only(const std::function<bool(const std::string&)>& known);

  // A leaf on the screen, or the gap between two parts of a split.
  struct Placed {
    LayoutNode* leaf = nullptr;
    Rect area;
  };
  struct Gap {
    LayoutNode* split = nullptr;
    std::size_t before = 0;  // the part left of it or above
    Rect area;
    float room = 0;  // of all parts together
  };
  // What of it is shown: only the leaf with a maximised pane, if there is one. Leaves without panes take no room.
  void place(const Rect& area, float gap, std::vector<Placed>& leaves, std::vector<Gap>& gaps);

  bool is_open(std::string_view pane) const;
  // Whether it is the active tab of its leaf.
  bool is_in_front(std::string_view pane) const;
  // To the front; a closed pane opens where it stood last, else with a neighbour that it has in `usual`, else in the
  // largest leaf.
  void show(const std::string& pane, const Layout* usual = nullptr);
  void close(const std::string& pane);
  void toggle_maximised(const std::string& pane);
  const std::string& maximised() const { return maximised_; }
  void move(const std::string& pane, const std::string& beside, Side side);
  // Moves the gap so that the part before it takes `share` of the two around it. No part vanishes.
  static void resize(const Gap& gap, float delta);
  std::vector<std::string> panes() const;

  nlohmann::json save() const;
  // Unknown panes are left out, a damaged text gives nothing.
  static std::optional<Layout> load(const nlohmann::json& saved, const std::function<bool(const std::string&)>& known);

  const LayoutNode& root() const { return root_; }

 private:
  LayoutNode* leaf_of(std::string_view pane);
  LayoutNode root_;
  std::string maximised_;
  std::vector<std::pair<std::string, std::string>> closed_;  // pane, and a neighbour it stood with
};

// "learn", "debug", "compare", "present".
struct NamedLayout {
  const char *name, *title, *help;
  LayoutNode (*make)();
};
std::span<const NamedLayout> named_layouts();

}  // namespace ts::ui
