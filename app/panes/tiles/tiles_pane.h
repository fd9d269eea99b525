// Any tile or buffer: as numbers, heat, digits, a histogram, in rows and columns and in the order of memory.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/tile_grid.h"
#include "app/panes/pane.h"
#include "app/panes/parts/find_bar.h"
#include "app/panes/tiles/byte_rows.h"
#include "app/panes/tiles/second_tile.h"
#include "app/panes/tiles/tile_parts.h"
#include "app/panes/tiles/value_editor.h"
#include "app/settings/tile_displays.h"
#include "core/debug/elements/copy_elements.h"
#include "core/debug/elements/slices.h"

namespace ts::ui {

class TilesPane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;
  void save(nlohmann::json& settings) const override;
  void load(const data::Fields& settings) override;
  void forget() override { second_.forget(); }

 private:
  using Mode = TileMode;
  using Setting = TileDisplay;
  static constexpr int kModeCount = kTileModes;

  void choose(DebugView& view);
  void show(const Owner& owner);
  Setting& setting(DebugView& view);
  // --- slices of what has more than two dimensions ---
  Slices slices(const DebugView& view) const;
  std::optional<Window> slice_shown(DebugView& view);
  void slice_at(DebugView& view, std::uint32_t row);
  bool show_slice(const Command& command, DebugView& view);
  void draw_slices(DebugView& view);
  TileGrid& grid(DebugView& view);
  void remember(DebugView& view, const TileGrid& grid);
  void show_as(DebugView& view, const Command& command);
  Moment shown_moment(const DebugView& view) const;
  const TilePicture& picture(DebugView& view);
  void note_rings(DebugView& view);
  void note_sources(DebugView& view, const Element& element);
  const TileBoxes* boxes(const TilePicture& shown);

  void draw_title(DebugView& view, const TilePicture& shown);
  void draw_chooser(DebugView& view);
  void draw_choice(DebugView& view, const Owner& owner);
  void draw_modes(DebugView& view, CommandQueue& out, bool has_boxes);
  void draw_heat_bar(Setting& set, const TilePicture& shown);
  GridContent content_of(DebugView& view, const TilePicture& shown);
  void split(const Command& command, DebugView& view);
  void draw_body(DebugView& view, CommandQueue& out, const TilePicture& shown, const Rect& area);
  void take(DebugView& view, CommandQueue& out, const std::optional<GridCell>& hovered, bool clicked, bool menu);
  void draw_menu(DebugView& view, CommandQueue& out);
  void draw_copies(DebugView& view, CommandQueue& out);
  void draw_tip(DebugView& view, const TilePicture& shown, GridCell cell);
  void select_next(DebugView& view, CommandQueue& out, Sign signs);
  void copy(DebugView& view, CommandQueue& out, CopyAs form, bool whole);
  void change(DebugView& view, CommandQueue& out, bool pastes);
  // --- finding ---
  void draw_find(DebugView& view, CommandQueue& out, const TilePicture& shown);
  FindBar::Found find_elements(DebugView& view, const TilePicture& shown);

  std::optional<Owner> owner_;
  std::optional<Element> followed_;
  std::optional<std::uint32_t> followed_step_;
  bool follows_ = true, choosing_ = false, wants_menu_ = false;
  std::string filter_;
  std::map<std::pair<int, std::uint32_t>, TileGrid> grids_;
  ByteRows bytes_;
  HistogramPlot histogram_;
  std::vector<GridRing> rings_;
  GridCell menu_cell_;
  FindBar find_;
  ValueEditor value_editor_;
  SecondTile second_;
  std::pair<std::uint64_t, std::string> matches_of_;  // a picture, and what was looked for in it
  std::vector<GridCell> matches_;
  std::uint64_t opening_ = 0, followed_look_ = 0;
  std::optional<TileType> boxes_of_;  // whose boxes these are
  std::optional<TileBoxes> boxes_;
  // Of a buffer that is too large to be pictured whole.
  struct Part {
    Owner owner;
    Moment moment;
    std::unique_ptr<TilePicture> picture = {};
  };
  Part part_;
};

}  // namespace ts::ui
