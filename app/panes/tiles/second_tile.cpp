// Drawing it, and what is chosen above it.
#include "app/panes/tiles/second_tile.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/panes/parts/chip_row.h"
#include "app/panes/tiles/tile_parts.h"
#include "app/view/targets.h"
#include "core/isa/element.h"

namespace ts::ui {
namespace {

constexpr DType kSeenAs[] = {DType::F32, DType::F16, DType::BF16, DType::F8E4M3, DType::F8E5M2, DType::I32,
                             DType::U32, DType::I16, DType::U16,  DType::I8,     DType::U8};

std::optional<DType> type_called(const std::string& text) {
  const auto found = std::ranges::find_if(kSeenAs, [&](DType type) { return text == name(type); });
  return found != std::end(kSeenAs) ? std::optional(*found) : std::nullopt;
}

}  // namespace

std::optional<TileRef> seen_as(const TileRef& tile, DType type) {
  const std::uint32_t was = size_bits(tile.type.dtype), is = size_bits(type);
  TileRef seen = tile;
  seen.type.dtype = type;
  if (was == is) return seen;
  if (!tile.type.row_major() || tile.type.boxed() || tile.cols() * was % is != 0) return std::nullopt;
  seen.type.cols = tile.cols() * was / is;
  seen.valid_cols = tile.valid_cols * was / is;
  return seen;
}

void SecondTile::show(std::optional<Owner> owner, std::optional<std::uint32_t> position, const std::string& type) {
  on_ = true;
  owner_ = owner;
  position_ = position;
  before_ = false;
  type_ = type;
}

void SecondTile::forget() {
  owner_.reset();
  position_.reset();
  pointed_.reset();
}

const TilePicture* SecondTile::picture(DebugView& view, const Owner& owner) {
  problem_.clear();
  const std::uint32_t now = view.moment().position;
  Moment moment = position_ ? Moment{*position_, 0} : view.moment();
  if (!position_ && before_) moment = {now - std::min(now, 1u), 0};
  const auto type = type_called(type_);
  if (!type) return &view.picture(owner, moment);
  const bool tile = owner.kind == Owner::Kind::Tile;
  const std::optional<TileRef> seen = tile ? seen_as(view.tile_at(owner.id, moment.position), *type) : std::nullopt;
  if (seen) return &view.picture(*seen, moment);
  problem_ = tile ? fmt::format("its rows are no whole elements of {}, or stand in boxes", type_)
                  : "buffers are shown in their own type";
  return nullptr;
}

// What differs in the same place, where both have the same shape and type.
void SecondTile::mark_differences(const TilePicture& first, const TilePicture& second) {
  if (marked_of_ == std::pair{first.number, second.number}) return;
  marked_of_ = {first.number, second.number};
  ++marked_;
  differs_.clear();
  different_ = 0;
  const Elements &a = first.elements, &b = second.elements;
  if (a.rows != b.rows || a.cols != b.cols || a.format != b.format) return;
  differs_.resize(b.bits.size());
  for (std::uint32_t row = 0; row < b.rows; ++row)
    for (std::uint32_t col = 0; col < b.cols; ++col)
      if (a.at(row, col) != b.at(row, col) || a.worth_at(row, col) != b.worth_at(row, col)) {
        differs_[b.index(row, col)] = Sign::Different;
        ++different_;
      }
}

void SecondTile::draw_tile_choice(DebugView& view, const Owner& first) {
  ImGui::SetNextItemWidth(look().px(140));
  if (!ImGui::BeginCombo("##second", view.name_of(owner_.value_or(first)).c_str(), ImGuiComboFlags_HeightLarge)) return;
  const Program& program = view.recording()->program();
  if (ImGui::Selectable("the same tile", !owner_)) owner_.reset();
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(program.tiles.size() + program.buffers.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto id = static_cast<std::uint32_t>(i), tiles = static_cast<std::uint32_t>(program.tiles.size());
      const Owner one = id < tiles ? Owner{Owner::Kind::Tile, id} : Owner{Owner::Kind::Buffer, id - tiles};
      ImGui::PushID(i);
      if (ImGui::Selectable(view.name_of(one).c_str(), owner_ == one)) owner_ = one;
      ImGui::PopID();
    }
  ImGui::EndCombo();
}

void SecondTile::draw_type_choice() {
  ImGui::SetNextItemWidth(look().px(96));
  if (!ImGui::BeginCombo("##type", type_.empty() ? "own type" : type_.c_str(), ImGuiComboFlags_HeightLarge)) return;
  if (ImGui::Selectable("own type", type_.empty())) type_.clear();
  for (const DType type : kSeenAs)
    if (ImGui::Selectable(name(type), type_ == name(type))) type_ = name(type);
  ImGui::EndCombo();
}

void SecondTile::draw_bar(DebugView& view, const Owner& first) {
  draw_tile_choice(view, first);
  same_line_if_fits(look().px(96));
  draw_type_choice();
  ChipRow chips("second");
  const bool now = !position_ && !before_;
  if (chips.put("now", now, "As it stands where the session is")) position_.reset(), before_ = false;
  if (chips.put("a step before", !position_ && before_, "As it stood before the last step"))
    position_.reset(), before_ = true;
  if (chips.put(position_ ? fmt::format("at {}", *position_) : "keep", position_.has_value(),
                "Stays at the position of now while the session goes on"))
    position_ = view.moment().position;
  if (chips.put("linked", linked_, "Both scroll, zoom and point together")) linked_ = !linked_;
  if (chips.put("x", false, "Only the first tile")) hide();
  chips.end();
}

// It moves with the first one, and moves that in turn.
void SecondTile::scroll_together(TileGrid& grid) {
  const bool moved = ImGui::IsWindowHovered() &&
                     (grid_.zoom() != grid.zoom() || grid_.row() != grid.row() || grid_.col() != grid.col());
  if (!moved) return;
  grid.set_zoom(grid_.zoom());
  grid.scroll_to(grid_.row(), grid_.col());
}

void SecondTile::draw(DebugView& view, CommandQueue& out, const Owner& owner, const TilePicture& first, TileGrid& grid,
                      NumberStyle numbers, const Rect& area) {
  ImGui::SetCursorScreenPos(area.min);
  ImGui::BeginChild("second", {std::max(1.0f, area.width()), std::max(1.0f, area.height())}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  note_target("tiles/second", area);
  const Owner mine = owner_.value_or(owner);
  {
    const WithFont small(look().fonts.small);
    draw_bar(view, owner);
  }
  pointed_.reset();
  if (const TilePicture* shown = picture(view, mine)) {
    mark_differences(first, *shown);
    {
      const WithFont small(look().fonts.small);
      const std::string type = fmt::format("{} {}x{} at {}", shown->elements.format->name, shown->shape.rows,
                                           shown->shape.cols, shown->moment.position);
      ImGui::TextDisabled("%s", differs_.empty()
                                    ? type.c_str()
                                    : fmt::format("{}: {} of {} differ", type, different_, differs_.size()).c_str());
    }
    GridContent content{.picture = shown, .more = differs_, .more_number = marked_, .numbers = numbers};
    if (linked_ && shown->shape.rows == first.shape.rows) content.only = view.tiles_look().only;
    const bool own_cells = type_.empty();
    const auto in_this = [&](const std::optional<Element>& element) -> std::optional<GridCell> {
      if (!element || (!own_cells && !linked_)) return {};
      if (element->owner != mine && !(linked_ && element->owner == owner)) return {};
      return GridCell{element->row, element->col};
    };
    content.selected = in_this(view.selected());
    content.hovered = in_this(view.hovered());
    if (linked_ && grid.zoom() > 0) grid_.set_zoom(grid.zoom()), grid_.scroll_to(grid.row(), grid.col());
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const GridInput input =
        grid_.draw("grid", {at, {at.x + std::max(room.x, 1.0f), at.y + std::max(room.y, 1.0f)}}, content);
    if (linked_) scroll_together(grid);
    pointed_ = input.hovered;
    if (input.hovered && own_cells) view.hover(Element{mine, input.hovered->row, input.hovered->col});
    if (input.clicked && own_cells)
      out.push("select", {view.name_of(mine), std::int64_t{input.hovered->row}, std::int64_t{input.hovered->col}});
  } else {
    ImGui::TextWrapped("%s", problem_.c_str());
  }
  ImGui::EndChild();
}

}  // namespace ts::ui
