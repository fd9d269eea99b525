// Where cells stand, and what the mouse does with them.
#include "app/draw/tile_grid.h"

#include <algorithm>
#include <cmath>

#include "app/draw/look.h"
#include "app/draw/scroll_bar.h"
#include "app/draw/subjects.h"

namespace ts::ui {
namespace {

constexpr float kLargestCell = 160, kRowHeight = 21, kSquareUpTo = 21, kScrollBar = 10;

// Digits of the largest row number.
float header_width(BufferShape shape) {
  const float digit = look().fonts.mono_small->GetCharAdvance('0');
  const auto digits = static_cast<float>(std::to_string(std::max(shape.rows, 1u) - 1).size());
  return std::ceil(digit * std::max(2.0f, digits) + look().px(10));
}

float header_height() { return std::ceil(look().fonts.mono_small->FontSize + look().px(4)); }

// Numbers that need more room than decimals have wider cells.
float width_factor(NumberStyle style, const ElementFormat& format) {
  switch (style) {
    case NumberStyle::Hex: return format.size_bits >= 32 ? 1.3f : 1;
    case NumberStyle::Bits: return std::max(1.0f, static_cast<float>(format.size_bits) / 8);
    case NumberStyle::Exact: return 2.2f;
    case NumberStyle::Decimal: break;
  }
  return 1;
}

}  // namespace

// --- geometry ---

void TileGrid::set_sizes(const GridContent& content) {
  const float square = look().px(kSquareUpTo);
  text_from_ = look().px(18);
  cell_ = {zoom_, zoom_};
  if (zoom_ <= square) return;
  // Numbers are wider than high: rows stay low while columns grow.
  cell_.y = std::max(look().px(kRowHeight), zoom_ * 0.42f);
  const float factor = width_factor(content.numbers, *content.picture->elements.format);
  cell_.x = zoom_ * (1 + (factor - 1) * std::min(1.0f, (zoom_ - square) / look().px(20)));
}

void TileGrid::place(const Rect& area, BufferShape shape, const GridContent& content) {
  area_ = area;
  shape_ = shape;
  window_ = content.picture->window;
  first_row_ = content.only ? content.only->row : 0;
  end_row_ = content.only ? content.only->row + content.only->rows : shape.rows;
  if (filled_) place_filled(content);
  else place_readable(content);
  if (reveal_) {
    const double rows = cells_.height() / cell_.y, cols = cells_.width() / cell_.x;
    if (reveal_->row < row_ || reveal_->row + 1.0 > row_ + rows) row_ = reveal_->row + 0.5 - rows / 2;
    if (reveal_->col < col_ || reveal_->col + 1.0 > col_ + cols) col_ = reveal_->col + 0.5 - cols / 2;
    reveal_.reset();
  }
  clamp_scroll();
}

void TileGrid::place_readable(const GridContent& content) {
  const float bar = look().px(kScrollBar);
  const BufferShape shape{end_row_ - first_row_, shape_.cols};
  cells_ = {{area_.min.x + header_width(shape), area_.min.y + header_height()}, {area_.max.x - bar, area_.max.y - bar}};
  cells_.max = {std::max(cells_.max.x, cells_.min.x + 1), std::max(cells_.max.y, cells_.min.y + 1)};
  const float fits = std::min(cells_.width() / static_cast<float>(std::max(1u, shape.cols)),
                              cells_.height() / static_cast<float>(std::max(1u, shape.rows)));
  if (fit_) {
    // Readable numbers where that is possible by width alone; else all of the tile, however small its cells get.
    const float by_width = cells_.width() / static_cast<float>(std::max(1u, shape.cols));
    // Of a tile that is long in one direction only, the whole would be a thread: it scrolls.
    const bool short_one_way = std::min(cells_.width() / look().px(kRowHeight) - static_cast<float>(shape.cols),
                                        cells_.height() / look().px(kRowHeight) - static_cast<float>(shape.rows)) < 0 &&
                               std::min(shape.rows, shape.cols) <= 8;
    if (by_width >= look().px(28)) zoom_ = std::min(by_width, look().px(72));
    else if (short_one_way) zoom_ = look().px(56);
    else zoom_ = std::min(fits, look().px(kSquareUpTo));
    if (!content.picture->is_whole()) zoom_ = std::max(zoom_, look().px(56));
  }
  // Of what is too large to be pictured whole, no more is seen than was pictured.
  const float least = content.picture->is_whole() ? std::min(look().px(3), std::max(fits, 0.05f)) : look().px(4);
  zoom_ = std::clamp(zoom_, least, look().px(kLargestCell));
  set_sizes(content);
}

// Cells that say something by their colour alone become bars, but not threads: longer than that they are not.
void TileGrid::place_filled(const GridContent& content) {
  const float bar = look().px(kScrollBar);
  text_from_ = look().px(18);
  least_text_height_ = look().px(13);
  const auto rows = static_cast<float>(rows_seen()), cols = static_cast<float>(std::max(1u, shape_.cols));
  // Numbers of rows and columns are worth their room where that is not most of it.
  const ImVec2 headers{area_.width() > 3 * header_width(shape_) ? header_width(shape_) : 0,
                       area_.height() > 3 * header_height() ? header_height() : 0};
  cells_ = {{area_.min.x + headers.x, area_.min.y + headers.y}, area_.max};
  const float wide = cells_.width(), tall = cells_.height();
  const float number_width = look().px(56) * width_factor(content.numbers, *content.picture->elements.format);
  if (fit_cols_) cell_.x = std::min(wide / cols, number_width * 1.6f);
  else if (cell_.x <= 0 || fit_rows_) cell_.x = number_width;
  if (fit_rows_) cell_.y = std::min(tall / rows, look().px(rows < 4 ? 40 : 28));
  else if (cell_.y <= 0 || fit_cols_) cell_.y = look().px(kRowHeight);
  constexpr float kMostStretched = 6;
  if (fit_cols_ && !has_text()) cell_.x = std::min(cell_.x, std::max(look().px(28), kMostStretched * cell_.y));
  if (fit_rows_ && !has_text())
    cell_.y = std::min(cell_.y, std::max(look().px(rows < 4 ? 40 : 20), kMostStretched * cell_.x));
  cell_ = {std::clamp(cell_.x, 0.01f, look().px(kLargestCell)), std::clamp(cell_.y, 0.01f, look().px(kLargestCell))};
  zoom_ = cell_.x;
  // Bars take room only where they are needed.
  if (cell_.y * rows > tall + 0.5f) cells_.max.x -= bar;
  if (cell_.x * cols > wide + 0.5f) cells_.max.y -= bar;
  cells_.max = {std::max(cells_.max.x, cells_.min.x + 1), std::max(cells_.max.y, cells_.min.y + 1)};
}

void TileGrid::fill(bool fit_rows, bool fit_cols) {
  filled_ = true;
  fit_rows_ = fit_rows;
  fit_cols_ = fit_cols;
  cell_ = {0, 0};
  row_ = col_ = 0;
}

bool TileGrid::shows_all() const {
  return cell_.x * static_cast<float>(shape_.cols) <= cells_.width() + 0.5f &&
         cell_.y * static_cast<float>(rows_seen()) <= cells_.height() + 0.5f;
}

Rect TileGrid::cells_area() const {
  const ImVec2 end = corner(std::min(end_row_, shape_.rows), shape_.cols);
  return {cells_.min, {std::min(cells_.max.x, end.x), std::min(cells_.max.y, end.y)}};
}

void TileGrid::clamp_scroll() {
  const double rows = cells_.height() / cell_.y, cols = cells_.width() / cell_.x;
  row_ = std::clamp(row_, 1.0 * first_row_, std::max(1.0 * first_row_, end_row_ - rows));
  col_ = std::clamp(col_, 0.0, std::max(0.0, shape_.cols - cols));
}

Window TileGrid::visible(BufferShape shape, const Rect& area) const {
  if (cell_.x <= 0) return {0, 0, shape.rows, shape.cols};
  const auto row = static_cast<std::uint32_t>(std::clamp(row_, 0.0, static_cast<double>(shape.rows)));
  const auto col = static_cast<std::uint32_t>(std::clamp(col_, 0.0, static_cast<double>(shape.cols)));
  return {row, col, std::min(shape.rows - row, static_cast<std::uint32_t>(area.height() / cell_.y) + 2),
          std::min(shape.cols - col, static_cast<std::uint32_t>(area.width() / cell_.x) + 2)};
}

Rect TileGrid::rect_of(GridCell cell) const {
  const auto x = static_cast<float>((cell.col - col_) * cell_.x), y = static_cast<float>((cell.row - row_) * cell_.y);
  return {{cells_.min.x + x, cells_.min.y + y}, {cells_.min.x + x + cell_.x, cells_.min.y + y + cell_.y}};
}

std::optional<GridCell> TileGrid::cell_at(ImVec2 point) const {
  if (!cells_.holds(point)) return {};
  const double row = row_ + (point.y - cells_.min.y) / cell_.y, col = col_ + (point.x - cells_.min.x) / cell_.x;
  if (row >= end_row_ || col >= shape_.cols) return {};
  return GridCell{static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col)};
}

void TileGrid::zoom_about(ImVec2 mouse, float factor) {
  const double row = row_ + (mouse.y - cells_.min.y) / cell_.y, col = col_ + (mouse.x - cells_.min.x) / cell_.x;
  if (filled_) {
    // Neither so small that the whole takes less than half of the room, nor larger than a cell may be.
    const auto rows = static_cast<float>(rows_seen()), cols = static_cast<float>(std::max(1u, shape_.cols));
    const float least = std::max(cells_.width() / cols / 2 / cell_.x, cells_.height() / rows / 2 / cell_.y),
                most = look().px(kLargestCell) / std::max(cell_.x, cell_.y);
    factor = std::clamp(factor, std::min(1.0f, least), std::max(1.0f, most));
    // Numbers need less height than width: from where they are readable, width alone grows.
    cell_ = {cell_.x * factor, cell_.y * factor};
    fit_rows_ = fit_cols_ = false;
  }
  zoom_ *= factor;
  fit_ = false;
  // What is under the mouse stays there.
  row_ = row - (row - row_) / factor;
  col_ = col - (col - col_) / factor;
}

// --- the mouse ---

void TileGrid::take_wheel() {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheel == 0 && io.MouseWheelH == 0) return;
  if (io.KeyCtrl) return zoom_about(io.MousePos, std::pow(1.15f, io.MouseWheel));
  const double rows = std::max(1.0, 3.0 * look().px(kRowHeight) / cell_.y),
               cols = std::max(1.0f, look().px(120) / cell_.x);
  if (io.KeyShift) col_ -= io.MouseWheel * cols;
  else row_ -= io.MouseWheel * rows;
  col_ -= io.MouseWheelH * cols;
  clamp_scroll();
}

GridInput TileGrid::take_mouse() {
  GridInput input;
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemHovered()) {
    take_wheel();
    input.hovered = cell_at(io.MousePos);
    input.menu = ImGui::IsMouseReleased(ImGuiMouseButton_Right);
    input.double_clicked = input.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  }
  if (ImGui::IsMouseDragging(ImGuiMouseButton_Middle) && ImGui::IsItemHovered()) {
    row_ -= io.MouseDelta.y / cell_.y;
    col_ -= io.MouseDelta.x / cell_.x;
    clamp_scroll();
  }
  if (ImGui::IsItemActivated()) {
    drag_from_ = input.hovered;
    range_.reset();
    input.clicked = input.hovered.has_value();
  }
  if (!ImGui::IsItemActive()) drag_from_.reset();
  const auto to = cell_at(io.MousePos);
  if (drag_from_ && to && (*to != *drag_from_ || range_)) {
    const auto [first_row, last_row] = std::minmax(drag_from_->row, to->row);
    const auto [first_col, last_col] = std::minmax(drag_from_->col, to->col);
    range_ = Window{first_row, first_col, last_row - first_row + 1, last_col - first_col + 1};
  }
  return input;
}

// What is seen of a cell, for who asks about it.
void TileGrid::note_signs(const GridContent& content, GridCell cell) const {
  struct SignRow {
    Sign sign;
    const char* row;  // of the legend
  };
  constexpr SignRow kRows[] = {
      {Sign::Nan, "text-nan"},
      {Sign::Inf, "text-inf"},
      {Sign::Undefined, "cell-undefined"},
      {Sign::Unspecified, "cell-unspecified"},
      {Sign::Denormal, "sign-denormal"},
      {Sign::Changed, "cell-written"},
      {Sign::Finding, "cell-finding"},
      {Sign::Padding, "cell-padding"},
      {Sign::Different, "cell-different"},
      {Sign::Note, "cell-noted"},
  };
  if (content.selected == cell) note_subject(Subject::Kind::Mark, "cell-selected");
  for (const GridRing& ring : content.rings)
    if (ring.cell == cell) note_subject(Subject::Kind::Mark, ring.number != 0 ? "cell-trail" : "cell-provenance");
  const Window& window = content.picture->window;
  if (cell.row < window.row || cell.col < window.col || cell.row >= window.row + window.rows ||
      cell.col >= window.col + window.cols)
    return;
  const std::size_t at = content.picture->elements.index(cell.row - window.row, cell.col - window.col);
  if (at >= signs_.size()) return;
  if (has(signs_[at], Sign::Written) && !has(signs_[at], Sign::Changed)) note_subject(Subject::Kind::Mark, "cell-same");
  for (const SignRow& row : kRows)
    if (has(signs_[at], row.sign)) note_subject(Subject::Kind::Mark, row.row);
}

GridInput TileGrid::draw(const char* id, const Rect& area, const GridContent& content) {
  if (area.width() < 4 || area.height() < 4) return {};
  ImGui::PushID(id);
  place(area, content.picture->shape, content);
  ImGui::SetCursorScreenPos(cells_.min);
  ImGui::InvisibleButton("cells", {cells_.width(), cells_.height()});
  const GridInput input = take_mouse();
  if (input.hovered && subjects_wanted()) note_signs(content, *input.hovered);
  paint(*ImGui::GetWindowDrawList(), content);
  double row = row_ - first_row_;
  scroll_bar("rows", {{cells_.max.x, cells_.min.y}, {area.max.x, cells_.max.y}}, true, row, cells_.height() / cell_.y,
             end_row_ - first_row_);
  row_ = first_row_ + row;
  scroll_bar("cols", {{cells_.min.x, cells_.max.y}, {cells_.max.x, area.max.y}}, false, col_, cells_.width() / cell_.x,
             shape_.cols);
  ImGui::PopID();
  return input;
}

}  // namespace ts::ui
