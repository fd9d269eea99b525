// Transposition: every row of the source has a hue, and is seen as a column of the result. In grids, in the order of
// memory, or by the micro-operation that moves the element in focus.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/chips.h"
#include "app/draw/look.h"
#include "app/stage/drawing.h"
#include "app/stage/micro/micro_parts.h"
#include "app/stage/parts/hues.h"
#include "app/stage/parts/scratch.h"
#include "app/stage/parts/tinted_grid.h"

namespace ts::ui {
namespace {

// The source row of an element of a result, by the data flow.
std::optional<std::uint32_t> source_row(StageStep& step, const StageCell& cell, int source) {
  for (const Source& one : step.sources_of(cell)) {
    if (one.kind == Source::Kind::Unspecified) return {};
    if (!one.decided && one.kind == Source::Kind::Element && one.operand == source) return one.row;
  }
  return {};
}

// The line that the tile is folded along.
void draw_fold(const Rect& gap, float height) {
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const float side = std::min(gap.width() - look().px(12), height);
  const ImVec2 from{gap.center().x - side / 2, gap.min.y + look().px(16)}, to{from.x + side, from.y + side};
  constexpr int kParts = 7;
  for (int i = 0; i < kParts; i += 2) {
    const float a = static_cast<float>(i) / kParts, b = static_cast<float>(i + 1) / kParts;
    canvas.AddLine({from.x + side * a, from.y + side * a}, {from.x + side * b, from.y + side * b},
                   ink(theme.text_quiet), 2);
  }
  put_text({gap.center().x - text_width("fold", look().fonts.small) / 2, to.y + look().px(2)}, "fold", theme.text_quiet,
           look().fonts.small);
}

class TransposeDrawing {
 public:
  TransposeDrawing(StageStep& step, const StageOperand& src, const StageOperand& dst)
      : step_(step), src_(src), dst_(dst), tmp_(used_scratch(step)) {}

  void draw(const Rect& area) {
    const int mode = choose_mode(step_, "transpose", area.min, {"grids", "bytes", "how"});
    const float told =
        tell_places({area.min.x + look().px(170), area.min.y + look().px(3)}, area.width() - look().px(170));
    const Rect rest{{area.min.x, area.min.y + std::max(chip_height(), told) + look().px(8)}, area.max};
    if (mode == 0) draw_grids(rest);
    else if (mode == 1) draw_bytes(rest);
    else draw_how(rest);
  }

 private:
  Tint tint() {
    return [this](const StageCell& cell, CellLook& cell_look) {
      const auto row = cell.operand == src_.index ? std::optional(cell.row) : source_row(step_, cell, src_.index);
      const bool outside = cell.operand == src_.index && has(cell_look.marks, Mark::Padding);
      if (row && !outside) tint_cell(cell_look, row_hue(*row), row_letter(*row));
      else if (cell.operand != src_.index) cell_look.source.reset();
    };
  }

  // "%src[1,2] is byte 24 of its tile; as %dst[2,1] byte 20", where the bottom line has the whole addresses.
  float tell_places(ImVec2 at, float room) {
    if (!step_.focus || step_.operand(step_.focus->operand)->picture == nullptr) return 0;
    const auto byte_text = [&](int operand, std::uint32_t row, std::uint32_t col) {
      const TileRef& tile = step_.operand(operand)->operand->tile;
      return fmt::format("{}[{},{}] is byte {}", step_.operand(operand)->title, row, col,
                         tile.at(row, col) - tile.address);
    };
    std::string text;
    for (const Source& source : step_.sources) {
      if (source.kind == Source::Kind::Unspecified) text = "promised by nobody: " + source.why;
      else if (!source.decided && source.kind == Source::Kind::Element)
        text = byte_text(source.operand, source.row, source.col) + " of its tile";
      if (!text.empty()) break;
    }
    if (text.empty()) text = "not written in this step";
    text += ";  " + byte_text(step_.focus->operand, step_.focus->row, step_.focus->col);
    put_text_cut(at, room, text, look().theme->text_quiet, look().fonts.small);
    return look().fonts.small->FontSize + look().px(4);
  }

  void draw_grids(const Rect& area) {
    const float gap = std::clamp(area.width() * 0.07f, look().px(30), look().px(76)), half = (area.width() - gap) / 2;
    const float tmp_height = tmp_ != nullptr ? area.height() * 0.34f : 0;
    const Rect upper{area.min, {area.max.x, area.max.y - tmp_height}};
    std::vector<CellGrid> grids;
    put_grid(src_, {upper.min, {upper.min.x + half, upper.max.y}}, grids);
    put_grid(dst_, {{upper.max.x - half, upper.min.y}, upper.max}, grids);
    draw_fold({{upper.min.x + half, upper.min.y}, {upper.max.x - half, upper.max.y}}, look().px(46));
    if (tmp_ != nullptr) {
      const Rect below{{area.min.x, area.max.y - tmp_height + look().px(14)},
                       {area.max.x - look().px(6), area.max.y - look().px(6)}};
      put_grid(*tmp_, below, grids);
      draw_scratch_frame(grids.back());
    }
    draw_focus_links(step_, grids);
  }
  void put_grid(const StageOperand& operand, const Rect& area, std::vector<CellGrid>& grids) {
    grids.push_back(draw_tinted_operand(step_, operand, area, 52, tint()));
  }

  void draw_bytes(const Rect& area) {
    const float gap = look().px(30), half = (area.width() - gap) / 2;
    std::vector<SeenElement> seen;
    const StageOperand* sides[] = {&src_, &dst_};
    for (int side = 0; side < 2; ++side) {
      const float x = area.min.x + static_cast<float>(side) * (half + gap);
      draw_header(*sides[side], {{x, area.min.y}, {x + half, area.min.y + header_height()}});
      put_text_cut({x, area.min.y + header_height()}, half,
                   sides[side]->operand->tile.type.boxed()
                       ? "in the order of memory; lines between blocks of 32 bytes, and above boxes"
                       : "in the order of memory, with lines between blocks of 32 bytes",
                   look().theme->text_quiet, look().fonts.small);
      const float top = area.min.y + header_height() + look().fonts.small->FontSize + look().px(6);
      const auto found = draw_in_memory_order(step_, *sides[side], {{x, top}, {x + half, area.max.y}}, tint());
      seen.insert(seen.end(), found.begin(), found.end());
    }
    link_seen(seen);
  }
  void link_seen(const std::vector<SeenElement>& seen) const {
    const auto focus =
        std::ranges::find(seen, step_.focus, [](const SeenElement& one) { return std::optional(one.cell); });
    if (focus == seen.end()) return;
    for (const SeenElement& one : seen)
      if (one.cell != focus->cell)
        draw_link({one.rect.max.x, one.rect.center().y}, {focus->rect.min.x, focus->rect.center().y}, src_.color,
                  false);
  }

  void draw_how(const Rect& area) { draw_mover(step_, area); }

  StageStep& step_;
  const StageOperand &src_, &dst_;
  const StageOperand* tmp_;  // null where the step does without it
};

void draw_transpose(StageStep& step, const Rect& area) {
  const StageOperand *src = step.find(Role::In), *dst = step.find(Role::Out);
  if (src == nullptr || dst == nullptr || src->picture == nullptr || dst->picture == nullptr)
    return draw_general(step, area);
  TransposeDrawing(step, *src, *dst).draw(area);
}

const RegisteredDrawing kTransposeDrawing(Drawing::Transpose, draw_transpose);

}  // namespace
}  // namespace ts::ui
