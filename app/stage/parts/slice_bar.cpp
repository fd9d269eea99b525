// Choosing slices.
#include "app/stage/parts/slice_bar.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/draw/boxes.h"
#include "app/draw/chips.h"
#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/view/operand_element.h"
#include "app/view/targets.h"
#include "core/debug/elements/slices.h"

namespace ts::ui {
namespace {

// The slices of an operand: what its outer dimensions choose, and the rows in which each of them stands.
class OperandSlices {
 public:
  OperandSlices(const StageStep& step, const StageOperand& operand) {
    // A picture of a part of a buffer is one slice already.
    if (operand.picture == nullptr || !operand.picture->is_whole()) return;
    // Which draws a lane of it in the plane.
    if (step.bound.row->draw == Drawing::Windows) return;
    if (operand.operand->spec->kind == OperandKind::Tile) {
      const Slices slices = slices_of(operand.operand->tile.type);
      if (slices.count() == 0) return;
      outer_.assign(slices.dims.begin(), slices.dims.end() - 2);
      cols_ = slices.dims.back();
      rows_ = slices.rows();
      for (std::size_t i = 0; i < outer_.size(); ++i) {
        std::uint64_t stride = std::uint64_t{rows_} * cols_;
        for (std::size_t k = i + 1; k < outer_.size(); ++k) stride *= outer_[k];
        strides_.push_back(stride);
      }
      return;
    }
    const GlobalRef& view = operand.operand->global;
    cols_ = shape_of_operand(step.program(), *operand.operand).second;
    first_ = elements_in(view.dtype, view.address - view.buffer_begin);
    outer_.assign(view.shape.begin(), view.shape.end() - 2);
    strides_.assign(view.stride.begin(), view.stride.end() - 2);
    const std::uint64_t last =
        std::uint64_t{view.shape[3] - 1} * view.stride[3] + std::uint64_t{view.shape[4] - 1} * view.stride[4];
    rows_ = static_cast<std::uint32_t>(last / std::max(cols_, 1u)) + 1;
  }
  // One slice alone is the whole.
  std::uint32_t count() const {
    std::uint32_t all = 1;
    for (const std::uint32_t size : outer_) all *= size;
    return cols_ > 0 && all > 1 ? all : 0;
  }
  std::vector<std::uint32_t> index_of(std::uint32_t slice) const { return Slices{with_inner()}.index_of(slice); }
  Window rows_of(std::uint32_t slice) const {
    const std::vector<std::uint32_t> index = index_of(slice);
    std::uint64_t at = first_;
    for (std::size_t i = 0; i < index.size(); ++i) at += index[i] * strides_[i];
    return {static_cast<std::uint32_t>(at / cols_), 0, rows_, cols_};
  }
  std::uint32_t of_row(std::uint32_t row) const {
    for (std::uint32_t slice = 0; slice < count(); ++slice)
      if (const Window rows = rows_of(slice); row >= rows.row && row < rows.row + rows.rows) return slice;
    return 0;
  }

 private:
  std::vector<std::uint32_t> with_inner() const {
    std::vector<std::uint32_t> dims = outer_;
    dims.insert(dims.end(), {rows_, cols_});
    return dims;
  }

  std::vector<std::uint32_t> outer_ = {};
  std::vector<std::uint64_t> strides_ = {};  // of the outer dimensions, in elements
  std::uint64_t first_ = 0;
  std::uint32_t rows_ = 0, cols_ = 0;
};

// The first row that the focus says something of.
std::optional<std::uint32_t> row_in_focus(const StageStep& step, int operand) {
  if (step.focus && step.focus->operand == operand) return step.focus->row;
  for (const StageCell& cell : step.source_cells)
    if (cell.operand == operand) return cell.row;
  return std::nullopt;
}

void draw_chooser(StageStep& step, const StageOperand& operand, const OperandSlices& all, TextLine& line,
                  float middle) {
  auto& chosen = step.memory.slices;
  const auto now = chosen.find(operand.index);
  const std::uint32_t count = all.count();
  const std::uint32_t slice = now != chosen.end() ? std::min(now->second, count - 1)
                                                  : all.of_row(row_in_focus(step, operand.index).value_or(0));
  const std::string index = fmt::format("{}", fmt::join(all.index_of(std::min(slice, count - 1)), ","));
  const std::string title = fmt::format("slice of {}", operand.title);
  ImFont* font = look().fonts.small;
  const std::vector<const char*> labels = {"all", "<", index.c_str(), ">"};
  float wide = text_width(title, font) + look().px(8);
  for (const char* label : labels) wide += text_width(label, font) + look().px(18);
  if (wide > line.room()) return;
  const float x = line.x();
  put_text({x, middle - font->FontSize / 2}, title, look().theme->text_quiet, font);
  const ImVec2 at{x + text_width(title, font) + look().px(8), middle - chip_height() / 2};
  float end = 0;
  const int clicked =
      choose(fmt::format("slice{}", operand.index).c_str(), at, labels, now == chosen.end() ? 0 : 2, &end);
  const auto note = [&](const char* what, float left, float right) {
    if (targets_wanted())
      note_target(fmt::format("stage/slice of {} {}", step.view.name_of(owner_of(*operand.operand)), what),
                  {{left, at.y}, {right, at.y + chip_height()}});
  };
  note("all", at.x, at.x + look().px(14));
  note("on", end - look().px(14), end - look().px(4));
  line.skip(end - x + look().px(16));
  if (clicked == 0) chosen.erase(operand.index);
  else if (clicked == 2) chosen[operand.index] = slice;
  else if (clicked > 0) chosen[operand.index] = (slice + (clicked == 1 ? count - 1 : 1)) % count;
}

}  // namespace

float slice_bar_height(const StageStep& step) {
  const bool any = std::ranges::any_of(
      step.operands, [&](const StageOperand& operand) { return OperandSlices(step, operand).count() > 0; });
  return any ? chip_height() : 0;
}

void draw_slice_bar(StageStep& step, const Rect& bar) {
  TextLine line(bar.min, bar.max.x);
  for (const StageOperand& operand : step.operands)
    if (const OperandSlices all(step, operand); all.count() > 0) draw_chooser(step, operand, all, line, bar.center().y);
}

void follow_slices(StageStep& step) {
  for (StageOperand& operand : step.operands) {
    const auto chosen = step.memory.slices.find(operand.index);
    if (chosen == step.memory.slices.end() || operand.picture == nullptr) continue;
    const std::uint32_t there = operand.picture->elements.rows;
    const OperandSlices all(step, operand);
    if (all.count() == 0 || there == 0) continue;
    if (const auto row = row_in_focus(step, operand.index); row && step.focus_moved) chosen->second = all.of_row(*row);
    operand.slice = all.rows_of(std::min(chosen->second, all.count() - 1));
    // Of a buffer that ends in the middle of a row.
    operand.slice->row = std::min(operand.slice->row, there - 1);
    operand.slice->rows = std::min(operand.slice->rows, there - operand.slice->row);
  }
}

}  // namespace ts::ui
