// Where the tiles of the equation stand, and which part of them is in sight.
#include <algorithm>
#include <cmath>

#include "app/draw/look.h"
#include "app/stage/families/broadcast.h"
#include "app/stage/parts/scratch.h"

namespace ts::ui {
namespace {

constexpr GridWish kSheetCells{.least_width = 48};
constexpr std::uint32_t kMostUnread = 3;  // lines of the spread source that are shown although they are not read

CellGrid grid_of(const StageOperand& operand) {
  return {.operand = operand.index, .rows = {}, .cols = {}, .origin = {}};
}

}  // namespace

BroadcastDrawing::BroadcastDrawing(StageStep& step, const Spread& spread, const StageOperand& dst)
    : step_(step), spread_(spread), small_(*step.operand(spread.small)), dst_(dst), tmp_(used_scratch(step)) {
  for (const StageOperand& operand : step.operands)
    if (operand.index == spread.small || operand.index == spread.full)
      sheets_.push_back({&operand, grid_of(operand), operand.index == spread.small});
  sheets_.push_back({&dst_, grid_of(dst_), false});
}

// What is read is what elements of the result in sight are made of. A block that is repeated comes again after 32
// bytes.
void BroadcastDrawing::find_read() {
  const CellGrid& dst = sheets_.back().grid;
  const TileRef& tile = dst_.operand->tile;
  const auto look_at = [&](std::uint32_t row, std::uint32_t col) {
    for (const Source& source : step_.sources_of({dst_.index, row, col}))
      if (const auto cell = step_.cell_of(source); cell && cell->operand == spread_.small) read_.push_back(*cell);
  };
  const std::uint32_t period = std::min(tile.valid_cols, BLK / tile.elem_bytes());
  for (std::uint32_t row = dst.rows.first; spread_.rows && row < dst.rows.end(); ++row)
    for (std::uint32_t col = 0; col < period; ++col) look_at(row, col);
  for (std::uint32_t col = dst.cols.first; !spread_.rows && col < dst.cols.end(); ++col) look_at(0, col);
  std::ranges::sort(read_);
}

// Whether a row's value is a block of 32 bytes.
bool BroadcastDrawing::gives_block() const {
  const TileRef& tile = small_.operand->tile;
  return spread_.rows && spread_.full >= 0 && tile.valid_cols > 1 && tile.valid_cols == BLK / tile.elem_bytes();
}

// Of the spread source: the column that went into the element in focus.
std::uint32_t BroadcastDrawing::read_col() const {
  for (const StageCell& cell : step_.source_cells)
    if (cell.operand == small_.index) return cell.col;
  return 0;
}

// How many of its columns (or rows) are shown: those that are read, and a few others that are valid.
std::uint32_t BroadcastDrawing::small_lines() const {
  const TileRef& tile = small_.operand->tile;
  if (!spread_.rows) return std::clamp(tile.valid_rows, 1u, kMostUnread);
  return std::clamp(tile.valid_cols, 1u, gives_block() ? tile.valid_cols : kMostUnread);
}

// The part in sight of the others is that of the result.
void BroadcastDrawing::follow(CellGrid& grid, bool small) const {
  const CellGrid& dst = sheets_.back().grid;
  const TileRef& tile = step_.operand(grid.operand)->operand->tile;
  const auto same = [](const Shown& shown, std::uint32_t total) {
    const std::uint32_t first = std::min(shown.first, total);
    return Shown{first, std::min(shown.end(), total) - first};
  };
  grid.rows = small && !spread_.rows ? Shown{0, small_lines()} : same(dst.rows, tile.rows());
  grid.cols = small && spread_.rows ? Shown{0, small_lines()} : same(dst.cols, tile.cols());
  grid.width = dst.width;
  grid.height = dst.height;
}

// Gives where they end.
float BroadcastDrawing::place_side_by_side(const Rect& area) {
  gap_ = std::clamp(area.width() * 0.05f, look().px(28), look().px(48));
  const auto others = static_cast<float>(sheets_.size() - 1);
  const float numbers = row_number_width(dst_.operand->tile.rows()), top = area.min.y + header_height();
  const float least = look().px(kSheetCells.least_width);
  const float narrow = std::min(numbers + static_cast<float>(small_lines()) * least, area.width() * 0.34f);
  const float wide = (area.width() - narrow - others * gap_) / others;
  sheets_.back().grid = place_grid(step_, dst_, {{0, top}, {wide, area.max.y}}, kSheetCells);
  const CellGrid dst = sheets_.back().grid;
  float x = area.min.x;
  for (Sheet& sheet : sheets_) {
    follow(sheet.grid, sheet.small && &sheet != &sheets_.back());
    if (sheet.small)
      sheet.grid.cols.count = std::min(sheet.grid.cols.count, static_cast<std::uint32_t>(narrow / look().px(36)));
    if (sheet.small && gives_block()) sheet.grid.cols = shown_around(small_lines(), sheet.grid.cols.count, read_col());
    if (sheet.small && sheet.grid.cols.count != 0)
      sheet.grid.width =
          std::floor(std::min(dst.width, (narrow - numbers) / static_cast<float>(sheet.grid.cols.count)));
    sheet.grid.origin = {x + numbers, dst.origin.y};
    const float end = sheet.grid.area().max.x;
    const float room = &sheet == &sheets_.back() ? area.max.x : end + gap_ - look().px(4);
    sheet.header = {{x, area.min.y}, {room, top}};
    x = end + gap_;
  }
  return dst.area().max.y;
}

float BroadcastDrawing::place_above_each_other(const Rect& area) {
  gap_ = look().px(18);
  const float left = look().px(30), numbers = col_number_height(), cell = look().px(24);
  const auto full = static_cast<float>(sheets_.size() - 1);
  const float lines = static_cast<float>(small_lines()) * std::min(cell, look().px(kSheetCells.most_height));
  const float used = static_cast<float>(sheets_.size()) * (header_height() + look().px(6)) + numbers + lines + gap_;
  const float each = std::max(look().px(20), (area.height() - used) / full);
  sheets_.back().grid = place_grid(step_, dst_, {{area.min.x + left, 0}, {area.max.x, numbers + each}}, kSheetCells);
  float y = area.min.y;
  for (std::size_t i = 0; i < sheets_.size(); ++i) {
    CellGrid& grid = sheets_[i].grid;
    follow(grid, sheets_[i].small);
    if (sheets_[i].small) grid.height = std::min(grid.height, cell);
    const bool below_value = i > 0 && sheets_[i - 1].small;
    sheets_[i].header = {{area.min.x + left, y}, {area.max.x, y + header_height()}};
    grid.origin = {sheets_.back().grid.origin.x, y + header_height() + (i == 0 ? numbers : below_value ? gap_ : 0)};
    y = grid.area().max.y + look().px(6);
  }
  return y;
}

}  // namespace ts::ui
