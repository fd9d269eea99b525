// Selection by mask bits as points on a railway, a row of the tiles at a time: the bit above a lane sets the points,
// the chosen value runs down to the result, the other stays faded behind.
#include <fmt/format.h>

#include <algorithm>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/stage/drawing.h"
#include "app/stage/families/mask_strip.h"
#include "app/stage/parts/parts.h"
#include "app/stage/parts/row_parts.h"

namespace ts::ui {
namespace {

class Railway {
 public:
  Railway(StageStep& step, const Rect& area, std::uint32_t row);
  void draw();
  std::string row_note() const;

 private:
  void place_lines(const Rect& area);
  bool knows(std::uint32_t col) const {
    return choices_.size() > col - slots_.shown.first && choices_[col - slots_.shown.first].taken >= 0;
  }
  const Choice& choice(std::uint32_t col) const { return choices_[col - slots_.shown.first]; }
  bool in_focus(std::uint32_t col) const;
  bool is_pointed(std::uint32_t address, std::uint32_t bit) const;
  void draw_byte(const MaskByte& byte);
  void draw_closed(const Rect& bit) const;
  void draw_values(const StageOperand& operand, FreeCells& cells, std::vector<StageCell>& faded);
  void draw_scalar(const StageOperand& operand);
  void draw_rail(std::uint32_t col);
  void draw_labels() const;
  Rect cell(std::uint32_t col, float y, float height) const;
  Rect scalar_cell() const;
  float gutter() const { return std::clamp(slots_.width * 0.16f, look().px(3), look().px(12)); }

  StageStep& step_;
  Rect area_;
  std::uint32_t row_;
  const StageOperand *mask_, *dst_;
  std::vector<const StageOperand*> values_;  // in the order of the text: taken where the bit is 1, where it is 0
  Slots slots_;
  std::vector<Choice> choices_;
  std::vector<MaskByte> bytes_;
  float height_ = 0, byte_y_ = 0, bit_y_ = 0, dst_y_ = 0;
  std::map<int, float> lines_;
};

Railway::Railway(StageStep& step, const Rect& area, std::uint32_t row)
    : step_(step), area_(area), row_(row), mask_(step.find(Role::Mask)), dst_(step.find(Role::Out)) {
  for (const StageOperand& operand : step.operands)
    if (operand.letter != 0) values_.push_back(&operand);
  Rect room = area;
  room.min.x += label_width(area);
  const std::optional<std::uint32_t> focus = step.focus ? std::optional(step.focus->col) : std::nullopt;
  slots_ = place_slots(step, room, dst_->operand->tile.cols(), focus, 50, 84, dst_->operand->tile.valid_cols);
  choices_ = choices_of(flow_of(step), dst_->index, row, slots_.shown);
  bytes_ =
      mask_bytes(flow_of(step), choices_, slots_.shown.first, mask_->index, step.view.questions().memory_at(step.step));
  place_lines(area);
}

void Railway::place_lines(const Rect& area) {
  const float lines = static_cast<float>(values_.size()) + 2.9f, room = area.height() - look().px(10);
  height_ = std::clamp(room * 0.68f / lines, look().px(17), look().px(30));
  const float zone = std::clamp((room - height_ * lines) / 2, look().px(8), look().px(70)), between = look().px(4);
  const float used = lines * height_ + 2 * zone + static_cast<float>(values_.size()) * between;
  byte_y_ = area.min.y + std::max(look().px(4), (room - used) / 2);
  bit_y_ = byte_y_ + height_ * 0.95f;
  float y = bit_y_ + height_ * 0.95f + zone;
  for (const StageOperand* operand : values_) {
    lines_[operand->index] = y;
    y += height_ + between;
  }
  dst_y_ = y - between + zone;
}

// Cells leave a gutter at their left, in which rails from above pass by.
Rect Railway::cell(std::uint32_t col, float y, float height) const {
  Rect rect = slots_.cell(col, y, height);
  rect.min.x += gutter();
  return rect;
}

bool Railway::in_focus(std::uint32_t col) const {
  return (step_.focus && step_.focus->row == row_ && step_.focus->col == col) ||
         std::ranges::count(step_.reached, StageCell{dst_->index, row_, col}) != 0;
}

// --- the mask ---

bool Railway::is_pointed(std::uint32_t address, std::uint32_t bit) const {
  return std::ranges::any_of(step_.sources, [&](const Source& source) {
    return source.kind == Source::Kind::MaskBit && source.place.address == address && source.bit == bit;
  });
}

// A bit that has not been looked at: a bar before it.
void Railway::draw_closed(const Rect& bit) const {
  const Theme& theme = *look().theme;
  canvas().AddRectFilled(bit.min, bit.max, ink(with_alpha(theme.pane, 0.7)));
  canvas().AddLine({bit.min.x, bit.center().y}, {bit.max.x, bit.center().y}, ink(theme.mask), look().px(2));
}

// The byte in hex over the lanes of its bits, as far as they are in sight.
void Railway::draw_byte(const MaskByte& byte) {
  const auto first = static_cast<std::int64_t>(slots_.shown.first), end = static_cast<std::int64_t>(slots_.shown.end());
  const std::int64_t from = std::max(first, byte.lane_of_bit0), to = std::min(end, byte.lane_of_bit0 + 8);
  if (from >= to) return;
  draw_mask_byte(byte,
                 {{slots_.x(static_cast<std::uint32_t>(from)) + gutter(), byte_y_},
                  {slots_.x(static_cast<std::uint32_t>(to - 1)) + slots_.width - 2, bit_y_ - 2}},
                 false);
  const bool hovered = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  for (std::int64_t lane = from; lane < to; ++lane) {
    const auto bit = static_cast<std::uint32_t>(lane - byte.lane_of_bit0), col = static_cast<std::uint32_t>(lane);
    const Rect rect = cell(col, bit_y_, height_ * 0.95f);
    const bool read = (byte.read >> bit & 1) != 0;
    draw_mask_bit(byte, bit, rect, read && is_pointed(byte.address, bit));
    if (read && !step_.has_left({dst_->index, row_, col})) draw_closed(rect);
    // To point at a bit is to point at the element that it decides.
    if (hovered && rect.holds(ImGui::GetIO().MousePos) && read) step_.point_at({dst_->index, row_, col});
  }
}

// --- values and rails ---

void Railway::draw_values(const StageOperand& operand, FreeCells& cells, std::vector<StageCell>& faded) {
  for (std::uint32_t col = slots_.shown.first; col < slots_.shown.end(); ++col) {
    if (col >= operand.picture->elements.cols) continue;
    const StageCell one{operand.index, row_, col};
    cells.add(one, cell(col, lines_[operand.index], height_));
    // Until the bit is read, nobody knows which one it will be.
    if (knows(col) && choice(col).taken != operand.index && step_.has_left({dst_->index, row_, col}))
      faded.push_back(one);
  }
}

Rect Railway::scalar_cell() const {
  for (const StageOperand* operand : values_)
    if (operand->picture == nullptr) {
      const float y = lines_.at(operand->index), x = slots_.left + gutter();
      return {{x, y}, {x + std::max(look().px(70), slots_.width - gutter()), y + height_ - 1}};
    }
  return area_;
}

// One value for every lane that takes it: a fan.
void Railway::draw_scalar(const StageOperand& operand) {
  const Rect from = scalar_cell();
  const float pipe = from.center().y;
  std::uint32_t last = slots_.shown.first;
  for (std::uint32_t col = slots_.shown.first; col < slots_.shown.end(); ++col)
    if (knows(col) && choice(col).taken == operand.index) last = col + 1;
  if (last > slots_.shown.first) {
    const float right = cell(last - 1, dst_y_, height_).center().x;
    if (right > from.max.x) canvas().AddLine({from.max.x, pipe}, {right, pipe}, ink(operand.color), look().px(3));
  }
  draw_scalar_cell(step_, operand, from);
}

void Railway::draw_rail(std::uint32_t col) {
  if (!knows(col) || !step_.has_left({dst_->index, row_, col})) return;
  const StageOperand* taken = step_.operand(choice(col).taken);
  const bool strong = in_focus(col);
  const Rect to = cell(col, dst_y_, height_);
  const float thick = look().px(strong ? 3.2f : 1.8f);
  const Color color = strong ? taken->color : mix(look().theme->pane, taken->color, 0.75);
  const float top = lines_[taken->index] + height_, side = look().px(strong ? 5.0f : 4.0f), x = to.center().x;
  const auto last_line = lines_[values_.back()->index];
  if (taken == values_.back() || values_.back()->picture == nullptr) {
    const float from = taken->picture != nullptr ? top : std::max(scalar_cell().center().y, top - height_ / 2);
    const bool under = taken->picture == nullptr && x < scalar_cell().max.x;
    canvas().AddLine({x, under ? scalar_cell().max.y : from}, {x, to.min.y - side}, ink(color), thick);
  } else {
    const float gutter_x = slots_.x(col) + gutter() * 0.45f, past = last_line + height_ + look().px(2);
    const ImVec2 points[] = {
        {to.min.x + look().px(5), top - 1}, {gutter_x, top + look().px(4)}, {gutter_x, past}, {x, to.min.y - side}};
    canvas().AddPolyline(points, 4, ink(color), 0, thick);
  }
  canvas().AddTriangleFilled({x - side, to.min.y - side * 1.4f}, {x + side, to.min.y - side * 1.4f}, {x, to.min.y},
                             ink(color));
  // The bit sets the points.
  const float bit_x = cell(col, bit_y_, height_).center().x, bit_bottom = bit_y_ + height_ * 0.95f,
              there = lines_[taken->index];
  if (strong)
    draw_link({bit_x, bit_bottom}, {bit_x, taken->picture != nullptr ? there : scalar_cell().center().y},
              look().theme->mask, true);
  else
    canvas().AddLine({bit_x, bit_bottom}, {bit_x, bit_bottom + look().px(5)}, ink(with_alpha(look().theme->mask, 0.7)),
                     look().px(1.2f));
}

void Railway::draw_labels() const {
  const float wide = label_width(area_);
  draw_label(*mask_, {{area_.min.x, bit_y_}, {area_.min.x + wide, bit_y_ + height_}});
  for (const auto& [operand, y] : lines_)
    draw_label(*step_.operand(operand), {{area_.min.x, y}, {area_.min.x + wide, y + height_}});
  draw_label(*dst_, {{area_.min.x, dst_y_}, {area_.min.x + wide, dst_y_ + height_}});
}

void Railway::draw() {
  draw_labels();
  FreeCells cells;
  std::vector<StageCell> faded;
  for (const StageOperand* operand : values_)
    if (operand->picture != nullptr) draw_values(*operand, cells, faded);
  for (std::uint32_t col = slots_.shown.first; col < slots_.shown.end(); ++col)
    cells.add({dst_->index, row_, col}, cell(col, dst_y_, height_));
  for (const MaskByte& byte : bytes_) draw_byte(byte);
  for (std::uint32_t col = slots_.shown.first; col < slots_.shown.end(); ++col) draw_rail(col);
  for (const StageOperand* operand : values_)
    if (operand->picture == nullptr) draw_scalar(*operand);
  cells.draw(step_, faded);
  draw_slots_overview(step_, slots_, area_.max.y - look().px(6));
}

// Where the row's bits begin is read off the flow: it is what really happened, on this target.
std::string Railway::row_note() const {
  const std::vector<Choice> first = choices_of(flow_of(step_), dst_->index, row_, {0, 1});
  const std::string rule = step_.bound.row->mask_rule == nullptr ? "" : step_.bound.row->mask_rule(step_.bound);
  if (first.empty() || !first.front().bit) return rule;
  const Source& bit = *first.front().bit;
  return fmt::format("row {} starts at mask byte [{}], bit {}.  {}", row_,
                     bit.place.address - mask_->operand->tile.address, bit.bit, rule);
}

void draw_select(StageStep& step, const Rect& area) {
  const StageOperand* result = step.find(Role::Out);
  if (result == nullptr || step.find(Role::Mask) == nullptr) return draw_general(step, area);
  Rect line{area.min, {area.max.x, area.min.y + picker_height()}};
  const std::uint32_t row = pick_row(step, line, area, result->operand->tile.valid_rows);
  Railway railway(step, {{area.min.x, line.max.y}, area.max}, row);
  put_text_cut({line.min.x, line.min.y + look().px(3)}, line.width(), railway.row_note(), look().theme->text_quiet,
               look().fonts.small);
  railway.draw();
}

const RegisteredDrawing kSelectDrawing(Drawing::Select, draw_select);

}  // namespace
}  // namespace ts::ui
