// Tables in global memory: rows or elements that go to a tile by indices, or come from one. Every index has a hue; one that
// lies outside of the table, and what became of it, is marked, and so are those that mean the same entry.
#include <fmt/format.h>

#include <algorithm>

#include "app/draw/chips.h"
#include "app/draw/look.h"
#include "app/stage/drawing.h"
#include "app/stage/parts/followed.h"
#include "app/stage/parts/hues.h"
#include "app/stage/parts/tinted_grid.h"
#include "core/debug/picture/table_picture.h"

namespace ts::ui {
namespace {

class TableDrawing {
 public:
  TableDrawing(StageStep& step, const TablePicture& picture)
      : step_(step),
        picture_(picture),
        table_(*step.operand(picture.table)),
        tile_(*step.operand(picture.tile)),
        indices_(*step.operand(picture.indices)) {
    if (step.focus) focus_ = move_at(*step.focus);
    if (step.memory.pointed)
      if (const auto pointed = move_at(*step.memory.pointed)) focus_ = pointed;
  }

  void draw(const Rect& area) {
    float y = area.min.y;
    draw_facts({area.min.x, y}, area.max.x);
    y += chip_height() + look().px(6);
    tell_focus({area.min.x, y}, area.width());
    y += line_step(look().fonts.small) + look().px(6);
    ImDrawList& canvas = *ImGui::GetWindowDrawList();
    canvas.ChannelsSplit(2);
    canvas.ChannelsSetCurrent(1);
    const Places places = place_grids({{area.min.x, y}, area.max});
    const CellGrid table = put(table_, places.table, 52), indices = put(indices_, places.indices, 44),
                   tile = put(tile_, places.tile, 52);
    canvas.ChannelsSetCurrent(0);
    draw_way(table, indices, tile);
    canvas.ChannelsMerge();
  }

 private:
  // The table on the side that elements come from, or go to; where there is little height, all three beside each other.
  struct Places {
    Rect table, indices, tile;
  };
  Places place_grids(const Rect& area) const {
    const bool low = area.height() < look().px(150);
    const float gap = look().px(28), wide = (area.width() - gap) * (low ? 0.36f : 0.5f),
                strip = std::clamp(area.height() * 0.36f, look().px(64), look().px(150));
    const float split = picture_.gathers ? area.min.x + wide : area.max.x - wide;
    const Rect table = picture_.gathers ? Rect{area.min, {split, area.max.y}} : Rect{{split, area.min.y}, area.max},
               rest = picture_.gathers ? Rect{{split + gap, area.min.y}, area.max}
                                       : Rect{area.min, {split - gap, area.max.y}};
    if (!low)
      return {table,
              {rest.min, {rest.max.x, rest.min.y + strip}},
              {{rest.min.x, rest.min.y + strip + look().px(8)}, rest.max}};
    const float half = (rest.width() - look().px(12)) / 2;
    const Rect left{rest.min, {rest.min.x + half, rest.max.y}}, right{{rest.max.x - half, rest.min.y}, rest.max};
    return picture_.gathers ? Places{table, left, right} : Places{table, right, left};
  }
  const TableMove* move_at(const StageCell& cell) const {
    const auto& known = cell.operand == picture_.indices ? picture_.of_index
                        : cell.operand == picture_.tile  ? picture_.of_tile
                                                         : picture_.of_table;
    const auto found = known.find({cell.row, cell.col});
    return found == known.end() ? nullptr : &picture_.moves[found->second];
  }
  std::uint32_t number(const TableMove& move) const {
    return static_cast<std::uint32_t>(&move - picture_.moves.data());
  }
  // Moves of one entry have one hue: that of the one that stays.
  Color hue(const TableMove& move) const { return row_hue(move.lost_to.value_or(number(move))); }
  const char* unit() const { return picture_.how.rows ? "row" : "element"; }

  void draw_facts(ImVec2 at, float end) const {
    const Theme& theme = *look().theme;
    FactRow facts{at, end};
    facts.put(picture_.how.rows ? "an index for each row" : "an index for each element", theme.mask, true);
    facts.put(fmt::format("table of {} {}s", picture_.how.entries, unit()), theme.line);
    if (picture_.outside > 0)
      facts.put(fmt::format("! {} outside: {}", picture_.outside, what_happens()), theme.finding, true);
    if (picture_.disputed > 0)
      facts.put(fmt::format("! {} {}{} wanted by several: {}", picture_.disputed, unit(),
                            picture_.disputed == 1 ? "" : "s", who_wins()),
                theme.finding, true);
  }
  std::string what_happens() const {
    switch (picture_.how.outside) {
      case GmOutside::Clamp: return fmt::format("the last {} is taken", unit());
      case GmOutside::Wrap: return fmt::format("counted modulo {}", picture_.how.entries);
      case GmOutside::Dropped: return picture_.gathers ? "zeros are taken" : "they go nowhere";
      case GmOutside::Undefined: break;
    }
    return "nobody says what happens";
  }
  std::string who_wins() const {
    if (picture_.joins) return "each takes part";
    return step_.bound.target == Target::A5 ? "the last one is taken here, a5 promises no order"
                                            : "the last one stays, row by row";
  }

  std::string cell_text(const StageOperand& operand, std::uint32_t row, std::uint32_t col) const {
    return fmt::format("{}[{},{}]", operand.operand->spec->name, row, col);
  }
  std::string index_text(const TableMove& move) const {
    return fmt::format("{} = {}", cell_text(indices_, move.index.row, move.index.col), move.bits);
  }
  std::string focus_text() const {
    if (focus_ == nullptr) return "Point at an index, or at an element of the table or the tile.";
    const TableMove& move = *focus_;
    std::string text = index_text(move);
    if (move.outside) text += fmt::format(" is outside of {} {}s: {}", picture_.how.entries, unit(), what_happens());
    if (move.entry) text += fmt::format("{} {} {}", move.outside ? ", so" : " means", unit(), *move.entry);
    const std::string here = picture_.how.rows ? fmt::format("row {} of {}", move.row, tile_.operand->spec->name)
                                               : cell_text(tile_, move.row, move.col);
    if (move.place) text += fmt::format(", which {} {}", picture_.gathers ? "becomes" : "gets", here);
    else if (!move.entry) text += fmt::format("; {} {}", here, picture_.gathers ? "gets none of it" : "goes nowhere");
    if (move.lost_to)
      text += fmt::format("; {} is overwritten by that of {}, which comes later", here,
                          index_text(picture_.moves[*move.lost_to]));
    else if (move.rivals > 0 && !picture_.gathers)
      text += fmt::format(
          "{} {}", picture_.joins ? "; others that join it there:" : ", over what others brought before:", move.rivals);
    return text;
  }
  void tell_focus(ImVec2 at, float room) const {
    const bool odd = focus_ != nullptr && (focus_->outside || focus_->lost_to);
    put_text_cut(at, room, focus_text(), odd ? look().theme->finding : look().theme->text, look().fonts.small);
  }

  Tint tint() {
    return [this](const StageCell& cell, CellLook& cell_look) {
      const TableMove* move = move_at(cell);
      if (move == nullptr) {
        if (cell.operand == picture_.table || cell.operand == picture_.indices)
          cell_look.marks = cell_look.marks | Mark::Faded;
        return;
      }
      const bool first =
          cell.operand == picture_.indices ||
          (cell.operand == picture_.tile ? cell.col == move->col
                                         : move->place && cell.row == move->place->row && cell.col == move->place->col);
      tint_cell(cell_look, hue(*move), first ? row_letter(move->lost_to.value_or(number(*move))) : '\0');
      if (!first) cell_look.source.reset();
      const bool nowhere = !move->entry || move->lost_to;
      if (nowhere && cell.operand != picture_.table) cell_look.marks = cell_look.marks | Mark::Faded;
      const bool fought = move->rivals > 0 && !picture_.gathers && !picture_.joins;
      if (move->outside || (fought && first)) cell_look.marks = cell_look.marks | Mark::Finding;
    };
  }
  CellGrid put(const StageOperand& operand, const Rect& area, float least) {
    return draw_tinted_operand(step_, operand, area, least, tint(), operand.index == picture_.indices);
  }

  static std::optional<Rect> seen(const CellGrid& grid, const StageCell& cell) {
    if (!grid.shows(cell)) return {};
    return grid.rect_of(cell.row, cell.col);
  }
  // Between the table and the tile; dashed from the index.
  void draw_way(const CellGrid& table, const CellGrid& indices, const CellGrid& tile) const {
    if (focus_ == nullptr || !focus_->place) return;
    const auto entry = seen(table, *focus_->place), index = seen(indices, focus_->index),
               element = seen(tile, {picture_.tile, focus_->row, focus_->col});
    // At the side of a grid that faces the other one: cells are not crossed.
    const auto beside = [](const CellGrid& grid, const Rect& cell, bool right) {
      return ImVec2{right ? grid.area().max.x : grid.area().min.x, cell.center().y};
    };
    if (!entry) return;
    const ImVec2 at_table = beside(table, *entry, picture_.gathers);
    if (element) {
      const ImVec2 at_tile = beside(tile, *element, !picture_.gathers);
      if (picture_.gathers) draw_link(at_table, at_tile, table_.color, false);
      else draw_link(at_tile, at_table, tile_.color, false);
    }
    if (index) draw_link(beside(indices, *index, !picture_.gathers), at_table, look().theme->mask, true);
  }

  StageStep& step_;
  const TablePicture& picture_;
  const StageOperand &table_, &tile_, &indices_;
  const TableMove* focus_ = nullptr;
};

void draw_table(StageStep& step, const Rect& area) {
  const auto* picture = followed<TablePicture>(step, area, "Following every index of the step...",
                                               [at = step.step](Session& session, const std::function<bool()>& go_on) {
                                                 return table_picture(session, at, go_on);
                                               });
  if (picture == nullptr) return;
  if (picture->moves.empty()) return draw_general(step, area);
  TableDrawing(step, *picture).draw(area);
}

const RegisteredDrawing kTableDrawing(Drawing::Table, draw_table);

}  // namespace
}  // namespace ts::ui
