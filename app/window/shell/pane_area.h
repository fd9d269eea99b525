// The panes and where they stand: layouts by name, tabs, gaps that are dragged, panes that are moved, and which has the
// focus.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panes/pane.h"
#include "app/window/shell/layout.h"

namespace ts::data {
class Fields;
}

namespace ts::ui {

class PaneArea {
 public:
  PaneArea();

  const std::vector<std::unique_ptr<Pane>>& all() const { return panes_; }
  Pane* find(const std::string& id) const;  // null: there is none

  // --- layouts ---
  const std::string& layout_name() const { return layout_name_; }
  // False: there is none of this name.
  bool set_layout(const std::string& name);
  bool presents() const { return layout_name_ == "present"; }
  Layout& layout();
  void reset_layout();
  // What the user set: how panes stand, and what they keep themselves.
  void load(const data::Fields& settings);
  void save(nlohmann::json& settings) const;
  // What can be gone back to.
  void save_view(nlohmann::json& state) const;
  void load_view(const nlohmann::json& state);

  // --- single panes ---
  // False: there is none of this name.
  bool show(const std::string& id);
  void close(const std::string& id) { layout().close(id); }
  void maximise(const std::string& id);
  // Gives the pane with the focus more or less of the room; `across` sideways.
  void resize_focused(bool across, float by);
  // The menu that a tab has under the right button.
  void open_tab_menu() { tab_menu_ = focused_; }

  // --- the focus ---
  const std::string& focused() const { return focused_; }
  // To the next pane that is seen, to the next tab beside the pane with the focus; `by` 1 or -1.
  void focus_pane(int by);
  void focus_tab(int by);

  // --- frames ---
  // Something else was opened.
  void forget();
  void begin_frame() { places_.clear(); }
  void draw(const Rect& area, DebugView& view, CommandQueue& queue);
  // One pane, wherever it stands, and nothing around it.
  void draw_alone(const std::string& id, const Rect& area, DebugView& view, CommandQueue& queue) {
    draw_body(id, area, view, queue);
  }
  // Where each pane was drawn in this frame.
  const std::vector<std::pair<std::string, Rect>>& places() const { return places_; }

 private:
  void draw_leaf(LayoutNode& leaf, const Rect& area, DebugView& view, CommandQueue& queue);
  void draw_body(const std::string& id, const Rect& body, DebugView& view, CommandQueue& queue);
  void draw_tabs(LayoutNode& leaf, const Rect& bar, CommandQueue& queue);
  float draw_tab(const std::string& id, bool front, bool alone, ImVec2 at, float high, CommandQueue& queue);
  void draw_tab_buttons(const std::string& front, const Rect& bar);
  void draw_tab_menu(const std::string& pane);
  void draw_gaps(std::vector<Layout::Gap>& gaps);
  void draw_drop_zones(const std::vector<Layout::Placed>& leaves);

  std::vector<std::unique_ptr<Pane>> panes_;
  std::vector<std::pair<std::string, Layout>> layouts_;  // by name
  std::string layout_name_ = "debug", focused_;
  std::optional<std::string> wants_focus_;
  bool focus_by_keys_ = false;
  std::vector<std::pair<std::string, Rect>> places_;
  std::string dragged_;  // a pane's tab
  std::string tab_menu_;
};

}  // namespace ts::ui
