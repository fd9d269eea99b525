// A second tile beside the first one in the tiles pane: another one, the same at another position, or its bytes as another
// type. Both move and point together, unless the user lets go.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/tile_grid.h"
#include "app/view/command.h"
#include "app/view/debug_view.h"

namespace ts::ui {

class SecondTile {
 public:
  bool is_on() const { return on_; }
  // Another tile or buffer, or none for the first one; a position, or none for now; a type of its bytes, or "" for its own.
  void show(std::optional<Owner> owner, std::optional<std::uint32_t> position, const std::string& type);
  void hide() { on_ = false; }
  void forget();

  // `first`: what stands beside it, and where that is scrolled to.
  void draw(DebugView& view, CommandQueue& out, const Owner& owner, const TilePicture& first, TileGrid& grid,
            NumberStyle numbers, const Rect& area);
  // The element of the first tile that is pointed at here.
  std::optional<GridCell> pointed() const { return linked_ ? pointed_ : std::nullopt; }

 private:
  void draw_bar(DebugView& view, const Owner& first);
  void draw_tile_choice(DebugView& view, const Owner& first);
  void draw_type_choice();
  const TilePicture* picture(DebugView& view, const Owner& owner);
  void mark_differences(const TilePicture& first, const TilePicture& second);
  void scroll_together(TileGrid& grid);

  bool on_ = false, linked_ = true;
  std::optional<Owner> owner_;             // nothing: that of the first one
  std::optional<std::uint32_t> position_;  // nothing: where the session stands
  bool before_ = false;                    // one step before that
  std::string type_;
  std::string problem_;  // why there is no picture
  TileGrid grid_;
  std::optional<GridCell> pointed_;
  std::pair<std::uint64_t, std::uint64_t> marked_of_;  // pictures
  std::vector<Sign> differs_;
  std::size_t different_ = 0;
  std::uint64_t marked_ = 0;
};

// The same bytes as elements of another type; nothing where its rows cannot be cut that way.
std::optional<TileRef> seen_as(const TileRef& tile, DType type);

}  // namespace ts::ui
