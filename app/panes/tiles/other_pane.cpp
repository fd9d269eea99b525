// Beside the tiles pane, moving with it: the same tile in the other run, or how far the two are apart.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/draw/tile_grid.h"
#include "app/panes/pane.h"
#include "app/panes/parts/chip_row.h"
#include "app/panes/parts/empty.h"
#include "app/panes/tiles/tile_parts.h"

namespace ts::ui {
namespace {

class OtherPane final : public Pane {
 public:
  enum class Shows : std::uint8_t { Other, Apart };
  explicit OtherPane(Shows shows) : shows_(shows) {}
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

}  // namespace

void OtherPane::draw_tip(DebugView& view, const TilePicture& mine, GridCell cell) const {
  const Window& window = mine.window;
  if (cell.row < window.row || cell.col < window.col || cell.row >= window.row + window.rows ||
      cell.col >= window.col + window.cols)
    return;
  const std::uint32_t row = cell.row - window.row, col = cell.col - window.col;
  const Owner owner = *view.tiles_look().owner;
  const ElementFormat& format = *mine.elements.format;
  const std::uint64_t bits = mine.elements.at(row, col);
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(view.name_of(Element{owner, cell.row, cell.col}).c_str());
  ImGui::Text("this run %s  %s",
              cell_text(format, bits, mine.elements.worth_at(row, col), NumberStyle::Decimal).c_str(),
              hex_text(format, bits).c_str());
  tell_other_side(view, owner, mine, row, col);
  ImGui::EndTooltip();
}

void OtherPane::draw_grid(DebugView& view, CommandQueue& out, const TilePicture& mine, const SideBySide& sides) {
  TilesLook& seen = view.tiles_look();
  const bool apart = shows_ == Shows::Apart;
  if (apart && (made_of_ != sides.number || made_ulps_ != ulps_)) {
    apart_ = picture_of_difference(mine, sides, ulps_);
    made_of_ = sides.number;
    made_ulps_ = ulps_;
  }
  std::vector<Sign> differs(sides.differs.size());
  for (std::size_t i = 0; i < differs.size(); ++i)
    if (sides.differs[i] != 0 && view.marks_differences()) differs[i] = Sign::Different;
  GridContent content{.picture = apart ? &apart_ : &sides.other,
                      .more = differs,
                      .more_number = sides.number * 2 + (view.marks_differences() ? 1 : 0),
                      .only = seen.only};
  if (!apart) content.numbers = static_cast<NumberStyle>(seen.numbers);
  if (apart || seen.heat) content.heat = auto_range(*content.picture);
  const auto in_this = [&](const std::optional<Element>& element) -> std::optional<GridCell> {
    if (!element || element->owner != *seen.owner) return {};
    return GridCell{element->row, element->col};
  };
  content.selected = in_this(view.selected());
  content.hovered = in_this(view.hovered());
  // It moves with the tiles pane, and moves that in turn.
  grid_.set_zoom(seen.zoom);
  grid_.scroll_to(seen.row, seen.col);
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const GridInput input =
      grid_.draw("grid", {at, {at.x + std::max(room.x, 1.0f), at.y + std::max(room.y, 1.0f)}}, content);
  const bool moved =
      ImGui::IsWindowHovered() && (grid_.zoom() != seen.zoom || grid_.row() != seen.row || grid_.col() != seen.col);
  if (moved) {
    seen.zoom = grid_.zoom();
    seen.row = grid_.row();
    seen.col = grid_.col();
    ++seen.moved;
  }
  if (!input.hovered) return;
  view.hover(Element{*seen.owner, input.hovered->row, input.hovered->col});
  if (input.clicked)
    out.push("select", {view.name_of(*seen.owner), std::int64_t{input.hovered->row}, std::int64_t{input.hovered->col}});
  draw_tip(view, mine, *input.hovered);
}

void OtherPane::draw(DebugView& view, CommandQueue& out) {
  if (view.recording() == nullptr) return say_empty("No program runs.", "Open one that runs; then compare it.");
  if (view.against() == nullptr)
    return say_empty("This run is compared with nothing.",
                     "The Compare menu begins: with the other target, another program, or a file.");
  const TilesLook& seen = view.tiles_look();
  if (!seen.owner || seen.zoom <= 0)
    return say_empty("No tile is shown.", "What stands here is the tile of the Tiles pane: open that one too.");
  const TilePicture& mine = view.picture(*seen.owner, seen.moment);
  const SideBySide* sides = view.beside(*seen.owner, mine);
  {
    const WithFont small(look().fonts.small);
    const std::string title = fmt::format("{} of {}", view.name_of(*seen.owner), view.against()->title);
    if (shows_ == Shows::Other) ImGui::TextUnformatted(title.c_str());
  }
  if (sides->refused) return say_empty(sides->refused->text.c_str(), sides->refused->hint.c_str());
  if (shows_ == Shows::Apart) {
    ChipRow chips("apart");
    if (chips.put("ulp", ulps_, "How many numbers of the type lie between the two")) ulps_ = true;
    if (chips.put("|this - other|", !ulps_, "The absolute difference")) ulps_ = false;
    chips.end();
  } else {
    const WithFont small(look().fonts.small);
    ImGui::TextDisabled(
        "%s", fmt::format("{} of {} elements differ", sides->comparison.count, sides->comparison.compared).c_str());
  }
  draw_grid(view, out, mine, *sides);
}

namespace {

const RegisteredPane kOtherSide({
    .id = "other",
    .title = "Other side",
    .help = "The tile of the Tiles pane as the other run, or the array, has it.",
    .order = 130,
    .places = {{"compare", "other side", 1}},
    .manual = R"(The same tile on the other side of the comparison. It moves and zooms with the Tiles pane.)",
    .make = make_pane<OtherPane, OtherPane::Shows::Other>,
});

const RegisteredPane kDifference({
    .id = "apart",
    .title = "Difference",
    .help = "How far the elements of the Tiles pane are from those of the other side.",
    .order = 140,
    .places = {{"compare", "difference", 1}},
    .manual = R"(How far both sides are apart, element by element, in units of the last place.)",
    .make = make_pane<OtherPane, OtherPane::Shows::Apart>,
});

}  // namespace
}  // namespace ts::ui
