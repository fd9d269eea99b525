// Matrix products as on a blackboard: the right operand stands above the result, the left one beside it, so that the row and
// the column that make an element meet in it. Below, the element in focus term by term, with the sum after each.
#include <fmt/format.h>

#include <algorithm>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/stage/drawing.h"
#include "app/stage/motion/rising_sums.h"
#include "app/stage/parts/parts.h"
#include "app/stage/parts/row_parts.h"

namespace ts::ui {
namespace {

const StageOperand* operand_called(const StageStep& step, std::string_view name) {
  for (const StageOperand& operand : step.operands)
    if (operand.operand->spec->name == name) return &operand;
  return nullptr;
}

// Kept as long as the focus rests: a sum may have thousands of terms.
const ProductTerms* kept_terms(StageStep& step, const StageOperand& dst) {
  if (!step.focus || step.focus->operand != dst.index) return nullptr;
  auto& kept = step.memory.terms;
  if (!kept || kept->first != *step.focus)
    kept.emplace(*step.focus, product_terms(step.bound, flow_of(step).flow.before(), step.focus->row, step.focus->col));
  return kept->second ? &*kept->second : nullptr;
}

class ProductDrawing {
 public:
  ProductDrawing(StageStep& step, const StageOperand& left, const StageOperand& right, const StageOperand& dst)
      : step_(step),
        left_(left),
        right_(right),
        dst_(dst),
        start_(operand_called(step, "acc")),
        terms_(kept_terms(step, dst)) {
    if (start_ == nullptr) start_ = operand_called(step, "bias");
    for (const char* name : {"lhs", "lhs_scale", "rhs", "rhs_scale"})
      if (const StageOperand* factor = operand_called(step, name)) factors_.push_back(factor);
  }

  void draw(const Rect& area) {
    const float strip = terms_ != nullptr && area.height() > look().px(260) ? strip_height() : 0;
    draw_matrices({area.min, {area.max.x, area.max.y - strip - (strip == 0 ? 0 : look().px(10))}});
    if (strip != 0) draw_terms({{area.min.x, area.max.y - strip}, area.max});
  }

 private:
  static constexpr float kLine = 24;
  float strip_height() const {
    return look().px(static_cast<float>(factors_.size() + 1) * kLine + 34) + col_number_room();
  }

  // The element of an operand, or of its scales, with this k that the focus is made of.
  std::optional<StageCell> term_cell(const StageOperand& operand, std::uint32_t k) const {
    if (!step_.focus || step_.focus->operand != dst_.index) return {};
    const std::string_view name = operand.operand->spec->name;
    const std::uint32_t at = name.ends_with("_scale") ? k / step_.memory.terms->second->terms_per_scale : k;
    const bool is_left = name.starts_with("lhs");
    return StageCell{operand.index, is_left ? step_.focus->row : at, is_left ? at : step_.focus->col};
  }
  // That is in sight when the focus moves, and what is pointed at while it rests.
  std::uint32_t k_in_focus() const {
    const auto& pointed = step_.memory.pointed;
    if (pointed && pointed->operand == left_.index) return pointed->col;
    return pointed && pointed->operand == right_.index ? pointed->row : 0;
  }

  void draw_matrix(const StageOperand& operand, const Rect& area, std::optional<StageCell> seen) {
    const float top = area.min.y + header_height();
    draw_header(operand, {area.min, {area.max.x, top}});
    const GridWish wish{.least_width = 44, .seen = seen};
    draw_grid(step_, place_grid(step_, operand, {{area.min.x, top}, area.max}, wish), wish);
  }

  void draw_matrices(const Rect& area) {
    const float gap = look().px(14), middle_x = area.min.x + (area.width() - gap) * 0.48f,
                middle_y = area.min.y + (area.height() - gap) * 0.44f;
    const Rect above{{middle_x + gap, area.min.y}, {area.max.x, middle_y}},
        beside{{area.min.x, middle_y + gap}, {middle_x, area.max.y}},
        result{{middle_x + gap, middle_y + gap}, area.max};
    draw_matrix(right_, above, term_cell(right_, 0));
    draw_matrix(left_, beside, term_cell(left_, 0));
    draw_matrix(dst_, result, step_.focus);
    draw_corner({area.min, {middle_x, middle_y}});
  }

  // What the sums begin with, and the sentence of the step.
  void draw_corner(const Rect& area) {
    const ProductSize size = product_size(step_.bound);
    const std::string sizes =
        fmt::format("{} x {} results, each the sum of {} products", size.rows, size.cols, size.terms);
    const float line = line_step(look().fonts.small) + look().px(4);
    put_text_cut(area.min, area.width(), sizes, look().theme->text_quiet, look().fonts.small);
    if (start_ == nullptr || start_->picture == nullptr) return;
    const bool biases = start_->operand->spec->name == "bias";
    std::optional<StageCell> seen;
    if (step_.focus && step_.focus->operand == dst_.index)
      seen = StageCell{start_->index, biases ? 0 : step_.focus->row, step_.focus->col};
    draw_matrix(*start_, {{area.min.x, area.min.y + line}, area.max}, seen);
  }

  // --- term by term

  void draw_terms(const Rect& area) {
    Rect room = area;
    room.min.x += label_width(area);
    const auto count = static_cast<std::uint32_t>(terms_->terms.size());
    const auto& pointed = step_.memory.pointed;
    const bool at_source = pointed && (pointed->operand == left_.index || pointed->operand == right_.index);
    const Slots slots = place_slots(step_, room, count, at_source ? std::optional(k_in_focus()) : std::nullopt, 56, 92);
    const float line = look().px(kLine), first_y = area.min.y + col_number_room(),
                sum_y = first_y + static_cast<float>(factors_.size()) * line + look().px(8);
    const auto y_of = [&](std::size_t factor) { return first_y + static_cast<float>(factor) * line; };
    const std::uint32_t done = terms_done(step_, *step_.focus).value_or(count);
    FreeCells cells;
    for (std::uint32_t k = slots.shown.first; k < slots.shown.end(); ++k) {
      const Rect of_left = slots.cell(k, first_y, line);
      draw_col_number(k, of_left, false, at_source && k == k_in_focus());
      for (std::size_t i = 0; i < factors_.size(); ++i) {
        cells.add(*term_cell(*factors_[i], k), slots.cell(k, y_of(i), line));
        if (i > 0) draw_sign("x", {of_left.min.x, y_of(i)});
      }
      if (k < done) draw_sum(terms_->terms[k].sum, slots.cell(k, sum_y, line), k + 1 == count);
      draw_sign("+", {of_left.min.x, sum_y + line / 2});
    }
    cells.draw(step_);
    const float wide = room.min.x - area.min.x - look().px(6);
    for (std::size_t i = 0; i < factors_.size(); ++i)
      draw_label(*factors_[i], {{area.min.x, y_of(i)}, {area.min.x + wide, y_of(i) + line}});
    put_text_cut({area.min.x, sum_y + look().px(4)}, wide, start_text(), look().theme->text_quiet, look().fonts.small);
    draw_slots_overview(step_, slots, area.max.y - look().px(8));
  }

  // Between the cells of a column, on their left edge.
  static void draw_sign(const char* sign, ImVec2 at) {
    const float wide = text_width(sign, look().fonts.mono_small);
    put_text({at.x - wide / 2, at.y - look().fonts.mono_small->FontSize / 2}, sign, look().theme->text_quiet,
             look().fonts.mono_small);
  }
  std::string start_text() const {
    return fmt::format("sum from {} on", format_value(dst_.operand->tile.type.dtype, terms_->start));
  }
  void draw_sum(std::uint64_t bits, const Rect& rect, bool last) const {
    const ElementFormat& format = element_format(dst_.operand->tile.type.dtype);
    CellLook cell{.text = value_text(format, bits, Definedness::Written, rect.width())};
    if (last) cell.source = dst_.color, cell.edge_right = true;
    draw_cell(canvas(), rect, cell);
  }

  StageStep& step_;
  const StageOperand &left_, &right_, &dst_;
  const StageOperand* start_;                 // null: zero
  std::vector<const StageOperand*> factors_;  // of a term
  const ProductTerms* terms_;                 // of the focus; null: it is no sum
};

void draw_product(StageStep& step, const Rect& area) {
  const StageOperand *left = operand_called(step, "lhs"), *right = operand_called(step, "rhs"),
                     *dst = operand_called(step, "dst");
  if (left == nullptr || right == nullptr || dst == nullptr || area.width() < look().px(300))
    return draw_general(step, area);
  ProductDrawing(step, *left, *right, *dst).draw(area);
}

const RegisteredDrawing kProductDrawing(Drawing::Product, draw_product);

}  // namespace
}  // namespace ts::ui
