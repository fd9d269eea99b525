// Beside the tiles pane: the same tile in the other run, or how far the two are apart.
#pragma once

#include "app/draw/tile_grid.h"
#include "app/panes/pane.h"

namespace ts::ui {

class OtherPane final : public Pane {
 public:
  enum class Shows : std::uint8_t { Other, Apart };
  explicit OtherPane(Shows shows);
  void draw(DebugView& view, CommandQueue& out) override;

 private:
  void draw_grid(DebugView& view, CommandQueue& out, const TilePicture& mine, const SideBySide& sides);
  void draw_tip(DebugView& view, const TilePicture& mine, GridCell cell) const;

  Shows shows_;
  bool ulps_ = true;
  TileGrid grid_;
  std::uint64_t made_of_ = 0;
  bool made_ulps_ = false;
  TilePicture apart_;
};

}  // namespace ts::ui
