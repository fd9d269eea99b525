// Sorting: the keys of a row above, their records in order below, and a ribbon from each key to its place. Merging: a line
// for each list; every column is a step of the merge, in which one list gives its first record. Which record went where
// is what the flow of the step says, and so are the keys that decided it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "app/draw/canvas.h"
#include "app/draw/chips.h"
#include "app/draw/look.h"
#include "app/stage/drawing.h"
#include "app/stage/parts/hues.h"
#include "app/stage/parts/parts.h"
#include "app/stage/parts/row_parts.h"
#include "app/stage/parts/tinted_grid.h"

namespace ts::ui {
namespace {

// A record of the result, and where its key came from.
struct ShownRecord {
  StageCell key, index;            // of the result
  std::optional<StageCell> from;   // nothing: of no operand
  std::vector<StageCell> against;  // the other keys that were looked at
};

class SortDrawing {
 public:
  SortDrawing(StageStep& step, const Rect& area, const StageOperand& dst, std::uint32_t row)
      : step_(step), area_(area), dst_(dst), row_(row), sorts_(step.bound.has("indices")) {
    const TileRef& tile = dst.operand->tile;
    record_cols_ = 8 / tile.elem_bytes();
    Rect room = area;
    room.min.x += label_width(area);
    std::optional<std::uint32_t> focus;
    if (step.focus && step.focus->operand == dst.index && step.focus->row == row)
      focus = step.focus->col / record_cols_;
    focus_ = focus;
    slots_ = place_slots(step, room, tile.valid_cols / record_cols_, focus, 44, 84);
    for (std::uint32_t slot = slots_.shown.first; slot < slots_.shown.end(); ++slot) read_record(slot);
  }

  void draw() {
    place_lines();
    for (const auto& [slot, record] : records_) draw_way(slot, record);
    draw_sources();
    for (const auto& [slot, record] : records_) draw_record(slot, record);
    draw_labels();
    if (sorts_) draw_borders();
    draw_compared();
    draw_slots_overview(step_, slots_, area_.max.y - look().px(6));
  }

 private:
  // Those it is in: a block's lists are told apart by their places in the tile.
  std::uint32_t list_of(const StageCell& key) const {
    if (sorts_) return 0;
    if (const Scalar* length = block_length()) return key.col / static_cast<std::uint32_t>(length->bits) % 4;
    return static_cast<std::uint32_t>(key.operand);
  }
  const Scalar* block_length() const {
    return step_.bound.has("block_len") ? &step_.bound.scalar("block_len") : nullptr;
  }
  std::uint32_t lists() const {
    if (sorts_) return 1;
    if (block_length() != nullptr) return 4;
    return static_cast<std::uint32_t>(std::ranges::count_if(
        step_.operands, [](const StageOperand& one) { return one.operand->spec->role == Role::In; }));
  }
  Color hue(const StageCell& key) const { return sorts_ ? step_.operand(key.operand)->color : row_hue(list_of(key)); }

  void read_record(std::uint32_t slot) {
    const std::uint32_t col = slot * record_cols_;
    ShownRecord record{{dst_.index, row_, col}, {dst_.index, row_, col + record_cols_ / 2}, {}, {}};
    for (const Source& source : step_.sources_of(record.key)) {
      if (source.kind != Source::Kind::Element) continue;
      const StageCell cell{source.operand, source.row, source.col};
      if (!source.decided) record.from = cell;
    }
    if (focus_ == slot)
      for (const Source& source : step_.sources_of(record.key))
        if (source.decided && source.kind == Source::Kind::Element)
          record.against.push_back({source.operand, source.row, source.col});
    if (record.from && step_.operand(record.from->operand)->operand->spec->role != Role::In) record.from.reset();
    if (record.from && !sorts_) slot_of_[*record.from] = slot;
    records_[slot] = std::move(record);
  }

  std::uint64_t bits_of(const StageCell& cell) const {
    return step_.operand(cell.operand)->picture->elements.at(cell.row, cell.col);
  }
  double key_of(const StageCell& cell) const {
    return number(*step_.operand(cell.operand)->picture->elements.format, bits_of(cell));
  }
  std::string index_text(const ShownRecord& record) const {
    std::uint64_t bits = bits_of(record.index);
    if (record_cols_ == 4) bits |= bits_of({dst_.index, row_, record.index.col + 1}) << 16;
    return fmt::format("#{}", bits);
  }
  // Of two neighbours with equal keys the second one says so.
  bool equals_one_before(std::uint32_t slot) const {
    const auto before = records_.find(slot - 1), here = records_.find(slot);
    if (slot == 0 || before == records_.end() || (sorts_ && slot % 32 == 0)) return false;
    return key_of(before->second.key) == key_of(here->second.key);
  }

  void place_lines() {
    const std::uint32_t lines = lists();
    const float room = area_.height() - look().px(14), sources = static_cast<float>(lines);
    // Where there is little of it, keys have it.
    with_index_ = room > look().px(15) * (sources + 2.2f) + look().px(24);
    const float results = with_index_ ? 2.2f : 1;
    height_ = std::clamp(room * 0.66f / (sources + results), look().px(12), look().px(28));
    const float gap =
                    sorts_ ? 0 : std::clamp((room - (sources + results) * height_) * 0.1f, look().px(2), look().px(10)),
                between = sources * (height_ + gap) - gap,
                zone = std::clamp(room - between - results * height_, look().px(14), look().px(sorts_ ? 130 : 54));
    float y = area_.min.y + std::max(0.0f, (room - between - zone - results * height_) / 2);
    for (std::uint32_t line = 0; line < lines; ++line, y += height_ + gap) lines_.push_back(y);
    result_y_ = lines_.back() + height_ + zone;
  }
  float line_of(const StageCell& key) const { return lines_[std::min<std::size_t>(list_of(key), lines_.size() - 1)]; }
  // Where a source stands: sorted ones in their own order, merged ones above the place that they go to.
  std::optional<Rect> rect_of(const StageCell& key) const {
    std::uint32_t slot = key.col;
    if (!sorts_) {
      const auto found = slot_of_.find(key);
      if (found == slot_of_.end()) return {};
      slot = found->second;
    }
    if (!slots_.holds(slot)) return {};
    return slots_.cell(slot, line_of(key), height_);
  }

  void draw_way(std::uint32_t slot, const ShownRecord& record) const {
    if (!record.from) return;
    const std::optional<Rect> from = rect_of(*record.from);
    if (!from) return;
    draw_ribbon(*from, slots_.cell(slot, result_y_, height_), hue(*record.from), focus_ == slot);
  }
  void draw_source(const StageCell& key, const Rect& rect) {
    CellLook cell = step_.look_of(key, rect.width());
    if (!sorts_) tint_cell(cell, hue(key), static_cast<char>('1' + list_of(key)));
    draw_cell(canvas(), rect, cell);
    take(key, rect);
  }
  void draw_sources() {
    if (!sorts_) {
      for (const auto& [key, slot] : slot_of_)
        if (const auto rect = rect_of(key)) draw_source(key, *rect);
      return;
    }
    const StageOperand& src = *step_.find(Role::In);
    for (std::uint32_t col = slots_.shown.first; col < slots_.shown.end() && col < src.operand->tile.valid_cols; ++col)
      draw_source({src.index, row_, col}, *rect_of({src.index, row_, col}));
  }
  void draw_record(std::uint32_t slot, const ShownRecord& record) {
    const Rect key = slots_.cell(slot, result_y_, height_),
               index = slots_.cell(slot, result_y_ + height_ * 1.1f, height_);
    CellLook cell = step_.look_of(record.key, key.width());
    if (!record.from) cell.marks = cell.marks | Mark::Faded;
    else if (!sorts_) tint_cell(cell, hue(*record.from), static_cast<char>('1' + list_of(*record.from)));
    draw_cell(canvas(), key, cell);
    take(record.key, key);
    if (with_index_) draw_index(record, index);
    if (!equals_one_before(slot)) return;
    const float side = look().px(5);
    canvas().AddRectFilled({key.min.x - side - 1, key.min.y + 1}, {key.min.x + side - 1, key.max.y - 1},
                           ink(look().theme->raised), look().px(3));
    draw_text_in(canvas(), {{key.min.x - side - 1, key.min.y}, {key.min.x + side - 1, key.max.y}}, "=",
                 ink(look().theme->text), look().fonts.mono_small);
  }
  void draw_index(const ShownRecord& record, const Rect& rect) {
    CellLook cell = step_.look_of(record.index, rect.width());
    if (!has(cell.marks, Mark::Undefined)) cell.text = index_text(record);
    if (!record.from) cell.marks = cell.marks | Mark::Faded;
    draw_cell(canvas(), rect, cell);
    take(record.index, rect);
  }
  // The mouse over a cell, and its name for those who look for it.
  void take(const StageCell& cell, const Rect& rect) {
    step_.mark_target(cell, rect);
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && rect.holds(ImGui::GetIO().MousePos))
      step_.point_at(cell);
  }

  void draw_labels() const {
    const float left = area_.min.x, right = slots_.left - look().px(4);
    const StageOperand& src = *step_.find(Role::In);
    for (std::uint32_t line = 0; line < lines_.size(); ++line) {
      const Rect rect{{left, lines_[line]}, {right, lines_[line] + height_}};
      if (block_length() == nullptr) draw_label(sorts_ ? src : *step_.operand(static_cast<int>(line)), rect);
      else
        put_text_cut({left, rect.center().y - look().fonts.small->FontSize / 2}, rect.width(),
                     fmt::format("block {} of {}", line, src.title), row_hue(line), look().fonts.small);
    }
    draw_label(dst_, {{left, result_y_}, {right, result_y_ + height_}});
    if (with_index_)
      put_text_cut({left, result_y_ + height_ * 1.6f - look().fonts.small->FontSize / 2}, right - left, "index",
                   look().theme->text_quiet, look().fonts.small);
  }
  // Each 32 keys by themselves.
  void draw_borders() const {
    for (std::uint32_t slot = slots_.shown.first; slot < slots_.shown.end(); ++slot)
      if (slot % 32 == 0 && slot != slots_.shown.first)
        canvas().AddLine({slots_.x(slot) - 1, lines_[0] - look().px(6)},
                         {slots_.x(slot) - 1, result_y_ + (with_index_ ? 2.2f : 1.1f) * height_ + look().px(4)},
                         ink(look().theme->line), look().px(2));
  }
  // Of a merge: the first keys that the other lists had left when the record in focus was taken.
  void draw_compared() const {
    const auto found = focus_ ? records_.find(*focus_) : records_.end();
    if (sorts_ || found == records_.end() || !found->second.from) return;
    std::map<std::uint32_t, StageCell> last;  // by list: the one that was looked at last
    for (const StageCell& key : found->second.against) {
      const auto [held, is_new] = last.try_emplace(list_of(key), key);
      if (!is_new && held->second.col < key.col) held->second = key;
    }
    const Rect to = slots_.cell(*focus_, result_y_, height_);
    for (const auto& [list, key] : last) {
      const std::optional<Rect> rect = rect_of(key);
      const bool later = rect && slot_of_.at(key) > *focus_;
      if (later) draw_link({rect->center().x, rect->max.y}, {to.center().x, to.min.y}, hue(key), true);
    }
  }

  StageStep& step_;
  Rect area_;
  const StageOperand& dst_;
  std::uint32_t row_, record_cols_ = 2;
  bool sorts_, with_index_ = true;
  std::optional<std::uint32_t> focus_;  // a record of the result
  Slots slots_;
  std::map<std::uint32_t, ShownRecord> records_;  // by slot
  std::map<StageCell, std::uint32_t> slot_of_;    // of merged keys in sight
  std::vector<float> lines_;
  float height_ = 0, result_y_ = 0;
};

std::string told_of_sort(const StageStep& step) {
  if (step.bound.has("indices"))
    return "each 32 keys by themselves, the largest first; = marks equal keys, which stay in their order";
  return step.bound.attribute("exhausted") != 0
             ? "each column takes the first record of one list; it ended with the list that came to its end first"
             : "each column takes the first record of one list, of equal ones that of the first list";
}

void draw_sort(StageStep& step, const Rect& area) {
  const StageOperand *dst = step.find(Role::Out), *src = step.find(Role::In);
  if (dst == nullptr || src == nullptr || dst->picture == nullptr || src->picture == nullptr ||
      dst->operand->tile.valid_cols < 8 / dst->operand->tile.elem_bytes())
    return draw_general(step, area);
  Rect line{area.min, {area.max.x, area.min.y + picker_height()}};
  const std::uint32_t row = pick_row(step, line, area, dst->operand->tile.valid_rows);
  put_text_cut({line.min.x, line.min.y + look().px(3)}, line.width(), told_of_sort(step), look().theme->text_quiet,
               look().fonts.small);
  SortDrawing(step, {{area.min.x, line.max.y + look().px(4)}, area.max}, *dst, row).draw();
}

const RegisteredDrawing kSortDrawing(Drawing::Sort, draw_sort);

}  // namespace
}  // namespace ts::ui
