// Reductions as a shower head upside down: the lanes of a row (or column) run together into one cell; below, the joins
// of the result in focus in the order in which the target makes them.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/draw/shapes.h"
#include "app/stage/drawing.h"
#include "app/stage/families/joins.h"
#include "app/stage/families/tree_drawing.h"
#include "app/stage/parts/row_parts.h"
#include "app/stage/parts/scratch.h"

namespace ts::ui {
namespace {

constexpr GridWish kResultCells{.least_width = 48};

// The bits of an element after the step, whether it has been made or comes next.
std::uint64_t bits_after(const StageStep& step, const StageCell& cell) {
  const ByteRange place = place_of(step.program(), step.bound, cell);
  std::uint64_t bits = 0;
  step.view.questions().peek(step.step + 1, place, std::as_writable_bytes(std::span(&bits, 1)).first(place.size));
  return bits;
}

// From the end of a line of the source to the cell that it runs into.
void draw_funnel(const CellGrid& src, const Rect& to, std::uint32_t line, bool rows, Color color, bool strong) {
  const float gap = look().px(2), side = look().px(strong ? 5 : 3.5f), thick = look().px(strong ? 2.2f : 1);
  const ImU32 fill = ink(with_alpha(color, strong ? 0.45 : 0.14)), edge = ink(with_alpha(color, strong ? 1.0 : 0.5));
  const Rect from = rows ? src.rect_of(line, src.cols.end() - 1) : src.rect_of(src.rows.end() - 1, line);
  const ImVec2 foot = rows ? ImVec2{from.max.x + gap, to.center().y} : ImVec2{to.center().x, from.max.y + gap},
               tip = rows ? ImVec2{to.min.x, foot.y} : ImVec2{foot.x, to.min.y},
               neck = rows ? ImVec2{tip.x - side * 1.4f, tip.y} : ImVec2{tip.x, tip.y - side * 1.4f},
               half = rows ? ImVec2{0, from.height() / 2 - gap} : ImVec2{from.width() / 2 - gap, 0},
               wing = rows ? ImVec2{0, side} : ImVec2{side, 0};
  canvas().AddTriangleFilled({foot.x - half.x, foot.y - half.y}, {foot.x + half.x, foot.y + half.y}, neck, fill);
  canvas().AddLine(foot, neck, edge, thick);
  canvas().AddTriangleFilled({neck.x - wing.x, neck.y - wing.y}, {neck.x + wing.x, neck.y + wing.y}, tip, edge);
}

// A search's last result is the index of what it found.
std::optional<StageCell> find_winner(const StageStep& step, const StageOperand& src, const Reduction& reduction) {
  StageCell index = reduction.of;
  for (const StageOperand& operand : step.operands)
    if (operand.result) index.operand = operand.index;
  const auto found = static_cast<std::uint32_t>(bits_after(step, index));
  const StageCell& first = reduction.tree.nodes.front().element;
  const StageCell at{first.operand, reduction.rows ? first.row : found, reduction.rows ? found : first.col};
  const Elements& elements = src.picture->elements;
  return at.row < elements.rows && at.col < elements.cols ? std::optional(at) : std::nullopt;
}

Reduction make_reduction(StageStep& step, const StageOperand& src, const StageCell& of) {
  Reduction made{.of = of, .tree = reduce_tree(flow_of(step), of), .values = {}, .winner = {}};
  if (made.tree.empty()) return made;
  // Of a single element both directions are true.
  const std::vector<StageCell> elements = elements_below(made.tree, made.tree.root_number());
  made.rows = elements.size() == 1 ? step.bound.operands[static_cast<std::size_t>(of.operand)].tile.valid_rows ==
                                         src.operand->tile.valid_rows
                                   : elements.front().row == elements.back().row;
  std::uint64_t result = bits_after(step, of);
  if (is_search(step.bound)) {
    made.winner = find_winner(step, src, made);
    if (!made.winner) return made;
    result = src.picture->elements.at(made.winner->row, made.winner->col);
  }
  made.values = values_of(made.tree, flow_of(step), sign_of(step.bound.row->summary), result);
  return made;
}

// Kept as long as the focus rests: there may be thousands of elements.
const Reduction* kept_reduction(StageStep& step, const StageOperand& src) {
  if (!step.focus) return nullptr;
  std::optional<Reduction>& kept = step.memory.reduction;
  if (!kept || kept->of != *step.focus) kept = make_reduction(step, src, *step.focus);
  return kept->tree.empty() ? nullptr : &*kept;
}

class ReduceDrawing {
 public:
  ReduceDrawing(StageStep& step, const StageOperand& src);
  void draw(const Rect& area);

 private:
  CellGrid draw_source(const Rect& area);
  void draw_result(const CellGrid& src, CellGrid grid, bool funnels);
  float draw_row_grids(const Rect& area);
  float draw_column_grids(const Rect& area);
  float draw_scratch(const Rect& area);
  std::string note() const;
  std::optional<StageCell> winner() const { return reduction_ != nullptr ? reduction_->winner : std::nullopt; }

  StageStep& step_;
  const StageOperand& src_;
  const StageOperand* tmp_;  // null where the step does without it
  std::vector<const StageOperand*> results_;
  std::string sign_;
  const Reduction* reduction_;  // of the focus; null where it was made of nothing
  bool rows_;                   // rows are reduced; else columns
};

ReduceDrawing::ReduceDrawing(StageStep& step, const StageOperand& src)
    : step_(step),
      src_(src),
      tmp_(used_scratch(step)),
      sign_(sign_of(step.bound.row->summary)),
      reduction_(kept_reduction(step, src)) {
  for (const StageOperand& operand : step.operands)
    if (operand.result) results_.push_back(&operand);
  const TileRef &from = src.operand->tile, &to = results_.front()->operand->tile;
  rows_ = reduction_ != nullptr ? reduction_->rows : from.valid_rows == to.valid_rows;
}

// --- the grids ---

CellGrid ReduceDrawing::draw_source(const Rect& area) {
  const float top = area.min.y + header_height();
  draw_header(src_, {area.min, {area.max.x, top}});
  GridWish wish = kResultCells;
  wish.seen = winner();
  const CellGrid grid = place_grid(step_, src_, {{area.min.x, top}, area.max}, wish);
  draw_grid(step_, grid, kResultCells);
  if (const auto winner = this->winner(); winner && grid.shows(*winner)) {
    const Rect cell = grid.rect_of(winner->row, winner->col);
    canvas().AddRect({cell.min.x - 1, cell.min.y - 1}, {cell.max.x + 1, cell.max.y + 1}, ink(look().theme->written), 0,
                     0, look().px(2.5f));
    flag_mark(canvas(), {cell.min.x + look().px(5), cell.max.y - look().px(2)}, look().px(13),
              ink(look().theme->written));
  }
  return grid;
}

// Its lines are those of the source that are in sight.
void ReduceDrawing::draw_result(const CellGrid& src, CellGrid grid, bool funnels) {
  const TileRef& tile = step_.operand(grid.operand)->operand->tile;
  const Shown& of = rows_ ? src.rows : src.cols;
  const std::uint32_t total = rows_ ? tile.rows() : tile.cols(), first = std::min(of.first, total);
  const Shown lines{first, std::min(of.end(), total) - first};
  (rows_ ? grid.rows : grid.cols) = lines;
  if (lines.count == 0 || grid.rows.count == 0 || grid.cols.count == 0) return;
  if (rows_) draw_grid_numbers(step_, grid);
  draw_cells(step_, grid);
  scroll_grid(step_, grid, src_.index);
  for (std::uint32_t line = lines.first; funnels && line < lines.end(); ++line) {
    const StageCell cell = rows_ ? StageCell{grid.operand, line, grid.cols.first} : StageCell{grid.operand, 0, line};
    if (step_.sources_of(cell).empty()) continue;
    const bool strong = step_.focus && (rows_ ? step_.focus->row : step_.focus->col) == line;
    Rect to = grid.rect_of(cell.row, cell.col);
    // The numbers of rows stand between.
    if (rows_) to.min.x -= row_number_width(total);
    draw_funnel(src, to, line, rows_, src_.color, strong);
  }
}

// The source on the left, the results beside it, row by row. Gives where the grids end.
float ReduceDrawing::draw_row_grids(const Rect& area) {
  const auto count = static_cast<float>(results_.size());
  const bool narrow = results_.front()->operand->tile.valid_cols == 1;
  const float gap = std::clamp(area.width() * 0.06f, look().px(26), look().px(60)),
              each = narrow ? std::clamp(area.width() * 0.17f, look().px(92), look().px(190)) : area.width() * 0.4f;
  const CellGrid src = draw_source({area.min, {area.max.x - count * (each + gap), area.max.y}});
  if (src.rows.count == 0 || src.cols.count == 0) return area.max.y;
  // Where the source is narrow the results have more room.
  float x = src.area().max.x + gap + look().px(8);
  const float wide = (area.max.x - x - (count - 1) * gap) / count, top = area.min.y + header_height();
  for (const StageOperand* result : results_) {
    draw_header(*result, {{x, area.min.y}, {x + wide, top}});
    CellGrid grid = place_grid(step_, *result, {{x, top}, {x + wide, area.max.y}}, kResultCells);
    grid.height = src.height;
    draw_result(src, grid, result == results_.front());
    x += wide + gap;
  }
  return src.area().max.y;
}

// The source above, the results below it, column by column.
float ReduceDrawing::draw_column_grids(const Rect& area) {
  const auto count = static_cast<float>(results_.size());
  const float gap = look().px(22),
              cell = std::clamp(area.height() * 0.12f, look().px(18), look().px(kResultCells.most_height));
  const CellGrid src = draw_source({area.min, {area.max.x, area.max.y - gap - count * (cell + header_height())}});
  if (src.rows.count == 0 || src.cols.count == 0) return area.max.y;
  float y = src.area().max.y + gap;
  for (const StageOperand* result : results_) {
    const CellGrid grid{.operand = result->index,
                        .rows = {0, 1},
                        .cols = {},
                        .origin = {src.origin.x, y},
                        .width = src.width,
                        .height = std::floor(cell)};
    draw_result(src, grid, result == results_.front());
    y += grid.height;
    draw_header(*result, {{src.origin.x, y}, {area.max.x, y + header_height()}});
    y += header_height();
  }
  return y;
}

// --- what is said ---

std::string ReduceDrawing::note() const {
  std::string text = unused_scratch_text(step_);
  if (const auto winner = this->winner()) {
    const std::string name = step_.program().operand_name(*src_.operand);
    text = fmt::format("{}[{},{}] is the {} and has the flag: its {} is the index.  {}", name, winner->row, winner->col,
                       sign_, rows_ ? "column" : "row", text);
  }
  if (reduction_ == nullptr && step_.focus) text = "The element in focus was made of nothing in this step.  " + text;
  return text;
}

float ReduceDrawing::draw_scratch(const Rect& area) {
  if (tmp_ == nullptr || area.height() < look().px(300)) return 0;
  const float high = scratch_row_height();
  draw_scratch_row(step_, *tmp_, rows_ && step_.focus ? step_.focus->row : 0,
                   {{area.min.x, area.max.y - high + look().px(4)}, area.max});
  return high;
}

void ReduceDrawing::draw(const Rect& whole) {
  Rect area = whole;
  area.max.y -= draw_scratch(whole);
  const bool room_for_joins = reduction_ != nullptr && area.height() > look().px(rows_ ? 150 : 250);
  const float share = room_for_joins ? area.height() * (rows_ ? 0.36f : 0.5f) : area.height();
  const std::string words = note();
  const float line = words.empty() ? 0 : look().fonts.small->FontSize + look().px(5);
  const Rect grids{area.min, {area.max.x, area.min.y + share - (room_for_joins ? 0 : line + look().px(12))}};
  float y = (rows_ ? draw_row_grids(grids) : draw_column_grids(grids)) + look().px(12);
  put_text_cut({area.min.x, y}, area.width(), words, look().theme->text_quiet, look().fonts.small);
  y += line;
  if (!room_for_joins) return;
  draw_joins(step_, *reduction_, {{area.min.x, y}, {area.max.x, area.max.y - look().px(4)}});
}

bool is_one_tile(const StageStep& step) {
  const auto tiles = std::ranges::count_if(step.operands, [](const StageOperand& operand) {
    return operand.operand->spec->role == Role::In && operand.picture != nullptr;
  });
  return tiles == 1 && step.find(Role::Out) != nullptr;
}

void draw_reduce(StageStep& step, const Rect& area) {
  if (!is_one_tile(step)) return draw_general(step, area);
  ReduceDrawing(step, *step.find(Role::In)).draw(area);
}

const RegisteredDrawing kReduceDrawing(Drawing::Reduce, draw_reduce);

}  // namespace

const Reduction* reduction_in_focus(StageStep& step) {
  if (step.bound.row->draw != Drawing::Reduce || !is_one_tile(step)) return nullptr;
  return kept_reduction(step, *step.find(Role::In));
}

void draw_joins(StageStep& step, const Reduction& reduction, const Rect& area) {
  const StageOperand& src = *step.find(Role::In);
  const std::optional<StageCell>&pointed = step.memory.pointed, &winner = reduction.winner;
  const std::optional<StageCell> way = pointed && pointed->operand == src.index ? pointed : winner;
  const ReduceTree& tree = reduction.tree;
  draw_tree(step,
            {.tree = tree,
             .values = reduction.values ? &*reduction.values : nullptr,
             .sign = sign_of(step.bound.row->summary),
             .name = step.program().operand_name(*src.operand),
             .strong = way ? find_element(tree, *way) : std::nullopt,
             .flagged = winner ? find_element(tree, *winner) : std::nullopt},
            tree.root_number(), area);
}

}  // namespace ts::ui
