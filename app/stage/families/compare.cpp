// Comparisons as the strip of a selection upside down, a row of the source at a time: two rows of lanes (or one, and a
// value for all), below them the bit that each pair writes, and the bytes that the bits are packed in.
#include <fmt/format.h>

#include <algorithm>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/draw/shapes.h"
#include "app/stage/drawing.h"
#include "app/stage/families/mask_strip.h"
#include "app/stage/parts/operation.h"
#include "app/stage/parts/parts.h"
#include "app/stage/parts/row_parts.h"

namespace ts::ui {
namespace {

const AnswerRow& kept_answers(StageStep& step, const StageOperand& src, const StageOperand& dst, std::uint32_t row) {
  auto& kept = step.memory.answers;
  const std::pair which{row, step.made};
  if (!kept || kept->first != which) {
    const Memory& after = step.view.questions().memory_at(step.made ? step.step + 1 : step.step);
    kept.emplace(which, answers_of_row(flow_of(step), dst.index, src.index, row, after));
  }
  return kept->second;
}

class CompareDrawing {
 public:
  CompareDrawing(StageStep& step, const StageOperand& src, const StageOperand& other, const StageOperand& dst,
                 std::uint32_t row, const Rect& area);
  void draw();
  std::string note() const;

 private:
  void place_lines();
  Rect cell(std::uint32_t col, float y, float height) const { return slots_.cell(col, y, height); }
  bool in_focus(const MaskByte& byte, std::uint32_t lane) const;
  bool is_set(const MaskByte& byte, std::uint32_t bit) const { return (byte.bits >> bit & 1) != 0; }
  void add_row(const StageOperand& operand, float y, FreeCells& cells) const;
  void draw_other();
  std::string address_of(const MaskByte& byte) const;
  void draw_bytes();
  void draw_lane(std::size_t byte, std::uint32_t bit, std::uint32_t lane);
  void draw_bit_mouse(const MaskByte& byte, const Rect& rect);
  void draw_labels() const;
  Rect other_cell() const;

  StageStep& step_;
  const StageOperand &src_, &other_, &dst_;
  std::uint32_t row_;
  Rect area_;
  const AnswerRow& answers_;
  std::string sign_;
  Slots slots_;
  float height_ = 0, zone_ = 0, src_y_ = 0, other_y_ = 0, bit_y_ = 0, byte_y_ = 0;
};

CompareDrawing::CompareDrawing(StageStep& step, const StageOperand& src, const StageOperand& other,
                               const StageOperand& dst, std::uint32_t row, const Rect& area)
    : step_(step),
      src_(src),
      other_(other),
      dst_(dst),
      row_(row),
      area_(area),
      answers_(kept_answers(step, src, dst, row)),
      sign_(question_of(step.bound)) {
  Rect room = area;
  room.min.x += label_width(area);
  std::optional<std::uint32_t> focus;
  for (const StageCell& source : step.source_cells)
    if (source.operand == src.index && source.row == row) focus = std::min(focus.value_or(source.col), source.col);
  slots_ = place_slots(step, room, std::max(answers_.lanes, src.operand->tile.valid_cols), focus, 46, 84,
                       src.operand->tile.valid_cols);
  place_lines();
}

void CompareDrawing::place_lines() {
  const float room = area_.height() - look().px(10);
  height_ = std::clamp(room * 0.11f, look().px(14), look().px(30));
  zone_ = std::clamp((room - 4.9f * height_) / 2.4f, look().px(8), look().px(60));
  const float used = 4.9f * height_ + 2.2f * zone_;
  src_y_ = area_.min.y + std::max(look().px(1), (room - used) / 3) + col_number_room();
  other_y_ = src_y_ + height_ + zone_;
  bit_y_ = other_y_ + height_ + zone_;
  byte_y_ = bit_y_ + height_ * 0.95f;
}

// The lanes of the byte in focus; while a source is pointed at, those that it took part in.
bool CompareDrawing::in_focus(const MaskByte& byte, std::uint32_t lane) const {
  const std::optional<StageCell>& pointed = step_.memory.pointed;
  if (pointed && pointed->operand == src_.index) return pointed->row == row_ && pointed->col == lane;
  if (!step_.focus || step_.focus->operand != dst_.index) return false;
  const TileRef& tile = dst_.operand->tile;
  const std::uint32_t from = tile.at(step_.focus->row, step_.focus->col);
  return byte.address >= from && byte.address < from + tile.elem_bytes();
}

// --- the sources ---

void CompareDrawing::add_row(const StageOperand& operand, float y, FreeCells& cells) const {
  for (std::uint32_t col = slots_.shown.first; col < slots_.shown.end(); ++col)
    if (col < operand.picture->elements.cols && row_ < operand.picture->elements.rows)
      cells.add({operand.index, row_, col}, cell(col, y, height_));
}

Rect CompareDrawing::other_cell() const {
  return {{slots_.left, other_y_}, {slots_.left + std::max(look().px(70), slots_.width) - 1, other_y_ + height_ - 1}};
}

// One value for all lanes: a pipe with a jet up into every comparison.
void CompareDrawing::draw_other() {
  const Rect from = other_cell();
  const std::uint32_t end = std::min(slots_.shown.end(), src_.operand->tile.valid_cols);
  if (end > slots_.shown.first) {
    const float y = from.center().y, right = cell(end - 1, other_y_, height_).center().x;
    if (right > from.max.x) canvas().AddLine({from.max.x, y}, {right, y}, ink(other_.color), look().px(3));
  }
  if (other_.picture == nullptr) return draw_scalar_cell(step_, other_, from);
  FreeCells one;
  one.add({other_.index, 0, 0}, from);
  one.draw(step_);
}

// --- the answers ---

void CompareDrawing::draw_lane(std::size_t which, std::uint32_t bit, std::uint32_t lane) {
  const Theme& theme = *look().theme;
  const MaskByte& byte = answers_.bytes[which];
  const bool answers = (byte.read >> bit & 1) != 0, padding = (answers_.padding[which] >> bit & 1) != 0,
             set = is_set(byte, bit), strong = answers && in_focus(byte, lane);
  if (!answers && !padding) return;
  const float x = cell(lane, src_y_, height_).center().x, top = src_y_ + height_, middle = (top + other_y_) / 2;
  const Color down = !answers ? theme.line : set ? theme.mask : theme.text_quiet;
  const float thick = look().px(strong ? 2.6f : 1.2f), side = look().px(strong ? 4.5f : 3.2f);
  if (!answers) {
    // Nobody asked for it: what stands in the padding is compared, too.
    dashed_line(canvas(), {x, top}, {x, bit_y_}, ink(theme.text_quiet), look().px(3), 1);
    return;
  }
  // Both meet in the sign. The answer goes down from there: past the pipe of a value for all, or behind the other one.
  const Rect value = other_cell();
  const bool beside = answers_.one_for_all && x > value.max.x;
  const float jet = beside ? value.center().y : other_y_, pass = beside ? x + look().px(5) : x,
              start = beside ? middle : other_y_ + height_;
  canvas().AddLine({x, top}, {x, middle}, ink(strong ? src_.color : with_alpha(src_.color, 0.5)), thick);
  canvas().AddLine({x, middle}, {x, jet}, ink(strong ? other_.color : with_alpha(other_.color, 0.5)), thick);
  if (beside) canvas().AddLine({x, middle}, {pass, middle}, ink(down), thick);
  canvas().AddLine({pass, start}, {pass, bit_y_ - side}, ink(with_alpha(down, strong ? 1 : 0.7)), thick);
  canvas().AddTriangleFilled({pass - side, bit_y_ - side * 1.4f}, {pass + side, bit_y_ - side * 1.4f}, {pass, bit_y_},
                             ink(down));
  draw_sign({x, middle}, sign_, std::min(look().px(10), zone_ * 0.45f), slots_.width);
}

// To point at a bit is to point at the element of the result that it is in.
void CompareDrawing::draw_bit_mouse(const MaskByte& byte, const Rect& rect) {
  const TileRef& tile = dst_.operand->tile;
  const std::uint32_t element = (byte.address - tile.address) / tile.elem_bytes(), pitch = tile.row_stride();
  const StageCell target{dst_.index, element / pitch, element % pitch};
  step_.mark_target(target, rect);
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && rect.holds(ImGui::GetIO().MousePos))
    step_.point_at(target);
}

// "0x204", and of a byte that is the first one of a word "0x204 %x[1,1]".
std::string CompareDrawing::address_of(const MaskByte& byte) const {
  const TileRef& tile = dst_.operand->tile;
  std::string text = fmt::format("0x{:x}", byte.address);
  const std::uint32_t size = tile.elem_bytes(), element = byte.offset / size;
  if (size > 1 && byte.offset % size == 0)
    text += fmt::format(" {}[{},{}]", step_.program().operand_name(*dst_.operand), element / tile.row_stride(),
                        element % tile.row_stride());
  return text;
}

void CompareDrawing::draw_bytes() {
  for (std::size_t i = 0; i < answers_.bytes.size(); ++i) {
    const MaskByte& byte = answers_.bytes[i];
    const auto first = static_cast<std::int64_t>(slots_.shown.first),
               end = static_cast<std::int64_t>(slots_.shown.end());
    const std::int64_t from = std::max({first, byte.lane_of_bit0, std::int64_t{0}}),
                       to = std::min(end, byte.lane_of_bit0 + 8);
    if (from >= to) continue;
    const Rect strip{{slots_.x(static_cast<std::uint32_t>(from)), byte_y_ + 2},
                     {slots_.x(static_cast<std::uint32_t>(to - 1)) + slots_.width - 2, byte_y_ + height_}};
    draw_mask_byte(byte, strip, true);
    if (strip.max.y + look().fonts.mono_small->FontSize + look().px(10) < area_.max.y)
      put_text_cut({strip.min.x + look().px(2), strip.max.y + look().px(2)}, strip.width(), address_of(byte),
                   look().theme->text_quiet, look().fonts.mono_small);
    for (std::int64_t lane = from; lane < to; ++lane) {
      const auto bit = static_cast<std::uint32_t>(lane - byte.lane_of_bit0), col = static_cast<std::uint32_t>(lane);
      const Rect rect = cell(col, bit_y_, height_ * 0.95f);
      draw_lane(i, bit, col);
      draw_mask_bit(byte, bit, rect, (byte.read >> bit & 1) != 0 && in_focus(byte, col));
      draw_bit_mouse(byte, rect);
    }
    draw_bit_mouse(byte, strip);
  }
}

void CompareDrawing::draw_labels() const {
  const float wide = label_width(area_);
  const std::pair<const StageOperand*, float> lines[] = {{&src_, src_y_}, {&other_, other_y_}, {&dst_, bit_y_}};
  for (const auto& [operand, y] : lines) draw_label(*operand, {{area_.min.x, y}, {area_.min.x + wide, y + height_}});
}

void CompareDrawing::draw() {
  draw_labels();
  if (answers_.one_for_all) draw_other();
  draw_bytes();
  FreeCells cells;
  add_row(src_, src_y_, cells);
  if (!answers_.one_for_all) add_row(other_, other_y_, cells);
  cells.draw(step_);
  for (std::uint32_t col = slots_.shown.first; col < slots_.shown.end(); ++col)
    if (slots_.width >= look().px(18)) draw_col_number(col, cell(col, src_y_, height_), false, false);
  draw_slots_overview(step_, slots_, area_.max.y - look().px(6));
}

// Where the row's bits stand is read off the flow: it is what really happened, on this target.
std::string CompareDrawing::note() const {
  const auto first = std::ranges::find_if(answers_.bytes, [](const MaskByte& byte) { return byte.read != 0; });
  if (first == answers_.bytes.end()) return "This row has no answers.";
  std::uint32_t padding = 0;
  for (const std::uint32_t bits : answers_.padding) padding |= bits;
  const auto holding = std::ranges::count_if(answers_.bytes, [](const MaskByte& byte) { return byte.read != 0; });
  std::string text =
      fmt::format("row {} begins at byte [{}], bit {}; {} of {} bytes written hold its answers.", row_, first->offset,
                  -std::min<std::int64_t>(0, first->lane_of_bit0), holding, answers_.bytes.size());
  if (padding != 0) text += " Dashed: padding is compared, too.";
  return text + " What is faded answers for nothing of this row.";
}

void draw_compare(StageStep& step, const Rect& area) {
  const StageOperand *src = step.find(Role::In), *dst = step.find(Role::Out), *other = step.find(Role::In, 1);
  if (other == nullptr) other = step.find(Role::Scalar);
  if (src == nullptr || dst == nullptr || other == nullptr || src->picture == nullptr || dst->picture == nullptr)
    return draw_general(step, area);
  std::optional<std::uint32_t> focus_row;
  for (const StageCell& source : step.source_cells)
    if (source.operand == src->index && !focus_row) focus_row = source.row;
  Rect line{area.min, {area.max.x, area.min.y + picker_height()}};
  const std::uint32_t row = pick_row(step, line, area, src->operand->tile.valid_rows, focus_row);
  CompareDrawing drawing(step, *src, *other, *dst, row, {{area.min.x, line.max.y}, area.max});
  put_text_cut({line.min.x, line.min.y + look().px(3)}, line.width(), drawing.note(), look().theme->text_quiet,
               look().fonts.small);
  drawing.draw();
}

const RegisteredDrawing kCompareDrawing(Drawing::Compare, draw_compare);

}  // namespace
}  // namespace ts::ui
