// Interleaving as a zip fastener, a row of the tiles at a time: the rows of pairs stand like teeth, one tooth a place,
// and close into the stream; the stream is cut where one tile ends. Splitting is the same picture the other way.
#include <fmt/format.h>

#include <algorithm>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/stage/drawing.h"
#include "app/stage/parts/parts.h"
#include "app/stage/parts/row_parts.h"

namespace ts::ui {
namespace {

// So many columns of padding are drawn of each tile; how many more there are is said.
constexpr std::uint32_t kPaddingShown = 2;

// The stream with room in its gaps, and the lines of tiles above and below it.
class Zip {
 public:
  Zip(StageStep& step, const Rect& area, std::uint32_t row)
      : step_(step), area_(area), row_(row), stream_(stream_of(flow_of(step), row)) {
    measure();
    place_lines();
  }
  void draw();

 private:
  const StageCell& whole(const Strand& strand) const { return stream_.joins ? strand.to : strand.from; }
  const StageCell& tooth(const Strand& strand) const { return stream_.joins ? strand.from : strand.to; }
  bool is_whole(const StageOperand& operand) const { return operand.result == stream_.joins; }
  std::uint32_t slot(std::uint32_t strand) const { return strand + stream_.part_of(strand) * gap_; }
  std::uint32_t padding_of(const StageOperand& operand) const;
  std::optional<std::uint32_t> focus_slot() const;
  void measure();
  void place_lines();
  float line_of(int operand) const;
  void add_strand(std::uint32_t strand);
  void add_padding(const StageOperand& operand, std::size_t nth);
  void draw_ribbons();
  void draw_stream();
  void draw_cut(std::uint32_t part) const;
  void draw_lines_labels() const;
  Color color_of(const Strand& strand) const { return step_.operand(strand.from.operand)->color; }
  bool in_focus(const Strand& strand) const;

  StageStep& step_;
  Rect area_;
  std::uint32_t row_;
  Stream stream_;
  std::vector<const StageOperand*> teeth_, wholes_;
  std::uint32_t gap_ = 1, total_ = 0;
  Slots slots_;
  bool numbers_ = true;  // of columns, above the cells
  float height_ = 0, stream_height_ = 0, stream_y_ = 0;
  std::map<int, float> lines_;
  FreeCells cells_;
};

std::uint32_t Zip::padding_of(const StageOperand& operand) const {
  const TileRef& tile = operand.operand->tile;
  return std::min(tile.cols() - std::min(tile.cols(), tile.valid_cols), kPaddingShown);
}

std::optional<std::uint32_t> Zip::focus_slot() const {
  for (std::uint32_t i = 0; i < stream_.strands.size(); ++i)
    if (in_focus(stream_.strands[i])) return slot(i);
  return std::nullopt;
}

bool Zip::in_focus(const Strand& strand) const {
  if (!step_.reached.empty() && step_.memory.pointed == strand.from) return true;
  return step_.focus == strand.to;
}

void Zip::measure() {
  for (const StageOperand& operand : step_.operands)
    if (operand.picture != nullptr) (is_whole(operand) ? wholes_ : teeth_).push_back(&operand);
  std::uint32_t most = 0, behind = 0;
  for (const StageOperand* operand : wholes_) most = std::max(most, padding_of(*operand));
  for (const StageOperand* operand : teeth_) behind = std::max(behind, padding_of(*operand));
  // Below a cut there has to be room for the padding of the part before it. Where rows stand above their stream there
  // is room anyway, and the stream is whole.
  gap_ = stream_.joins ? std::max(1u, most) : 0;
  const auto count = static_cast<std::uint32_t>(stream_.strands.size());
  const std::uint32_t parts = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(stream_.parts.size()));
  total_ = count + (parts - 1) * gap_ + std::max(most, behind * static_cast<std::uint32_t>(teeth_.size()));
  Rect room = area_;
  room.min.x += label_width(area_);
  slots_ = place_slots(step_, room, total_, focus_slot(), 50, 84);
}

// From above: inputs, zip or band, stream, band or zip, results.
void Zip::place_lines() {
  const float lines = static_cast<float>(teeth_.size() + wholes_.size()) + 1.25f, strip = look().px(8);
  const float room = area_.height() - strip;
  height_ = std::clamp(room * 0.62f / lines, look().px(17), look().px(30));
  stream_height_ = height_ * 1.25f;
  const float rows = static_cast<float>(teeth_.size() + wholes_.size());
  numbers_ = room > height_ * lines + rows * col_number_room() + look().px(40);
  const float between = numbers_ ? col_number_room() + look().px(2) : look().px(3);
  const float zone = std::clamp((room - height_ * lines - rows * between) / 2, look().px(8), look().px(64));
  const float used = height_ * lines + 2 * zone + rows * between;
  float y = area_.min.y + std::max(0.0f, (room - used) / 2);
  const auto put = [&](bool results) {
    for (const StageOperand& operand : step_.operands) {
      if (operand.picture == nullptr || operand.result != results) continue;
      if (!results) y += between;
      lines_[operand.index] = y;
      y += height_ + (results ? between : 0);
    }
  };
  put(false);
  stream_y_ = y + zone;
  y = stream_y_ + stream_height_ + zone;
  put(true);
}

float Zip::line_of(int operand) const {
  const auto found = lines_.find(operand);
  return found == lines_.end() ? area_.min.y : found->second;
}

void Zip::add_strand(std::uint32_t strand) {
  const std::uint32_t at = slot(strand);
  if (!slots_.holds(at)) return;
  for (const StageCell& cell : {stream_.strands[strand].from, stream_.strands[strand].to})
    cells_.add(cell, slots_.cell(at, line_of(cell.operand), height_));
}

// Columns behind the valid ones: of a whole tile behind its part of the stream, of teeth behind everything.
void Zip::add_padding(const StageOperand& operand, std::size_t nth) {
  const TileRef& tile = operand.operand->tile;
  const std::uint32_t shown = padding_of(operand);
  std::uint32_t begin =
      static_cast<std::uint32_t>(stream_.strands.size()) + static_cast<std::uint32_t>(stream_.parts.size() - 1) * gap_;
  if (is_whole(operand))
    for (std::size_t part = 0; part + 1 < stream_.parts.size(); ++part)
      if (whole(stream_.strands[stream_.parts[part]]).operand == operand.index)
        begin = slot(stream_.parts[part + 1] - 1) + 1;
  const std::uint32_t apart = is_whole(operand) ? 1 : static_cast<std::uint32_t>(teeth_.size());
  for (std::uint32_t i = 0; i < shown; ++i) {
    const std::uint32_t at = begin + i * apart + (is_whole(operand) ? 0 : static_cast<std::uint32_t>(nth));
    if (slots_.holds(at))
      cells_.add({operand.index, row_, tile.valid_cols + i}, slots_.cell(at, line_of(operand.index), height_));
  }
}

void Zip::draw_ribbons() {
  for (std::uint32_t i = 0; i < stream_.strands.size(); ++i) {
    if (!slots_.holds(slot(i))) continue;
    const Strand& strand = stream_.strands[i];
    const Rect from = slots_.cell(slot(i), line_of(strand.from.operand), height_),
               to = slots_.cell(slot(i), line_of(strand.to.operand), height_);
    const Rect middle = slots_.cell(slot(i), stream_y_, stream_height_);
    if (!step_.has_left(strand.to)) continue;
    draw_ribbon(from, middle, color_of(strand), in_focus(strand));
    draw_ribbon(middle, to, color_of(strand), in_focus(strand));
  }
}

// A place of the stream names its element, "b3", above the value.
void Zip::draw_stream() {
  const Theme& theme = *look().theme;
  for (std::uint32_t i = 0; i < stream_.strands.size(); ++i) {
    if (!slots_.holds(slot(i))) continue;
    const Strand& strand = stream_.strands[i];
    const Rect cell = slots_.cell(slot(i), stream_y_, stream_height_);
    const StageOperand& source = *step_.operand(strand.from.operand);
    if (!step_.has_left(strand.to)) {
      canvas().AddRect(cell.min, cell.max, ink(theme.grid));
      continue;
    }
    const Color ground = mix(theme.cell, source.color, theme.dark ? 0.34 : 0.26);
    canvas().AddRectFilled(cell.min, cell.max, ink(ground));
    if (in_focus(strand)) canvas().AddRect(cell.min, cell.max, ink(theme.select), 0, 0, 2);
    const std::string name = fmt::format("{}{}", source.letter, strand.from.col);
    const Elements& elements = source.picture->elements;
    const std::string value = value_text(*elements.format, elements.at(strand.from.row, strand.from.col),
                                         elements.worth_at(strand.from.row, strand.from.col), cell.width());
    const bool tall = stream_height_ > look().fonts.mono->FontSize + look().fonts.mono_small->FontSize;
    const float split = tall ? look().fonts.mono_small->FontSize : 0;
    if (tall)
      draw_text_in(canvas(), {cell.min, {cell.max.x, cell.min.y + split + look().px(2)}}, name,
                   ink(mix(ground, text_on(ground), 0.72)), look().fonts.mono_small);
    draw_text_in(canvas(), {{cell.min.x, cell.min.y + split}, cell.max}, value, ink(text_on(ground)),
                 look().fonts.mono);
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && cell.holds(ImGui::GetIO().MousePos))
      step_.point_at(strand.to);
  }
}

// Scissors on a dashed line where a stream is cut; where it was put together, the line alone, with both names.
void Zip::draw_cut(std::uint32_t part) const {
  const Theme& theme = *look().theme;
  const std::uint32_t before = slot(stream_.parts[part] - 1);
  if (!slots_.holds(before) || before + 1 >= slots_.shown.end()) return;
  const float x = slots_.x(before + 1) - 1 + slots_.width * static_cast<float>(gap_) / 2,
              top = stream_y_ - look().px(8), bottom = stream_y_ + stream_height_ + look().px(8);
  const float dash = look().px(4);
  for (float y = top; y < bottom; y += 2 * dash)
    canvas().AddLine({x, y}, {x, std::min(y + dash, bottom)}, ink(theme.text), look().px(1.4f));
  const std::string text = stream_.joins ? "cut" : "seam";
  ImFont* font = look().fonts.small;
  const float wide = text_width(text, font);
  if (gap_ > 0) put_text({x - wide / 2, bottom + look().px(1)}, text, theme.text, font);
  if (!stream_.joins) return;
  const float r = look().px(3), y = top - r;
  const ImU32 line = ink(theme.text);
  canvas().AddCircle({x - r * 1.3f, y - r * 2.2f}, r, line, 12, look().px(1.4f));
  canvas().AddCircle({x + r * 1.3f, y - r * 2.2f}, r, line, 12, look().px(1.4f));
  canvas().AddLine({x - r, y - r * 1.4f}, {x + r * 0.9f, y + r * 2.2f}, line, look().px(1.4f));
  canvas().AddLine({x + r, y - r * 1.4f}, {x - r * 0.9f, y + r * 2.2f}, line, look().px(1.4f));
}

void Zip::draw_lines_labels() const {
  const float wide = label_width(area_);
  for (const auto& [operand, y] : lines_)
    draw_label(*step_.operand(operand), {{area_.min.x, y}, {area_.min.x + wide, y + height_}});
  put_text_cut({area_.min.x + look().px(9), stream_y_ + (stream_height_ - look().fonts.small->FontSize) / 2},
               wide - look().px(12), "the stream", look().theme->text_quiet, look().fonts.small);
}

void Zip::draw() {
  draw_lines_labels();
  if (stream_.strands.empty()) {
    draw_note({slots_.left, stream_y_}, area_.max.x - slots_.left, "This step writes nothing in this row.");
    return;
  }
  for (std::uint32_t i = 0; i < stream_.strands.size(); ++i) add_strand(i);
  for (const auto* side : {&teeth_, &wholes_})
    for (std::size_t i = 0; i < side->size(); ++i) add_padding(*(*side)[i], i);
  canvas().PushClipRect({slots_.left, area_.min.y}, area_.max, true);
  draw_ribbons();
  draw_stream();
  cells_.draw(step_, {}, numbers_);
  for (std::uint32_t part = 1; part < stream_.parts.size(); ++part) draw_cut(part);
  canvas().PopClipRect();
  draw_slots_overview(step_, slots_, area_.max.y - look().px(6));
}

void draw_interleave(StageStep& step, const Rect& area) {
  const StageOperand* result = step.find(Role::Out);
  if (result == nullptr) return draw_general(step, area);
  Rect line{area.min, {area.max.x, area.min.y + picker_height()}};
  const std::uint32_t row = pick_row(step, line, area, result->operand->tile.valid_rows);
  const std::string call =
      fmt::format("C++ takes them in the reverse order: {}", step.bound.row->forms[step.bound.form].cpp);
  put_text_cut({line.min.x, line.min.y + look().px(3)}, line.width(), call, look().theme->text_quiet,
               look().fonts.small);
  Zip(step, {{area.min.x, line.max.y}, area.max}, row).draw();
}

const RegisteredDrawing kInterleaveDrawing(Drawing::Interleave, draw_interleave);

}  // namespace
}  // namespace ts::ui
