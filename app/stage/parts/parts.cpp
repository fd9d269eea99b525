// Headers, grids, links and texts of the stage.
#include "app/stage/parts/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/stage/motion/motion.h"
#include "app/view/targets.h"
#include "core/record/operand_place.h"

namespace ts::ui {
// --- operands ---

float header_height() { return look().fonts.small->FontSize + look().px(6); }

namespace {

// "64x128", or with all dimensions from the first that has more than one index.
std::string shape_text(const GlobalRef& view) {
  const auto first =
      std::ranges::find_if(view.shape.begin(), view.shape.end() - 2, [](auto size) { return size != 1; });
  if (view.layout != GlobalLayout::ND || first == view.shape.end() - 2)
    return fmt::format("{}x{}", view.rows(), view.cols());
  return fmt::format("{}", fmt::join(first, view.shape.end(), "x"));
}

}  // namespace

std::string type_text(const StageOperand& operand) {
  const Operand& what = *operand.operand;
  switch (what.spec->kind) {
    case OperandKind::Scalar: return name(what.scalar.dtype);
    case OperandKind::Global:
      return fmt::format("{} {} view of global memory", shape_text(what.global), name(what.global.dtype));
    case OperandKind::Tile: break;
  }
  const TileRef& tile = what.tile;
  std::string text = fmt::format("{}x{} {}", tile.rows(), tile.cols(), name(tile.type.dtype));
  if (tile.valid_rows != tile.rows() || tile.valid_cols != tile.cols())
    text += fmt::format(", valid {}x{}", tile.valid_rows, tile.valid_cols);
  if (!tile.type.row_major()) text += ", " + tile.type.layout_name();
  return text + fmt::format(", {} 0x{:x}", name(tile.space()), tile.address);
}

void draw_header(const StageOperand& operand, const Rect& line) {
  const Theme& theme = *look().theme;
  const float side = look().fonts.small->FontSize, top = line.min.y + look().px(2);
  const Rect swatch{{line.min.x, top}, {line.min.x + side, top + side}};
  const bool scratch = operand.operand->spec->role == Role::Tmp;
  canvas().AddRectFilled(swatch.min, swatch.max, ink(operand.color), look().px(2));
  if (operand.letter != 0)
    draw_text_in(canvas(), swatch.shrunk(-look().px(4)), std::string(1, operand.letter), ink(text_on(operand.color)),
                 look().fonts.mono_small);
  float x = swatch.max.x + look().px(6);
  const float room = line.max.x - x;
  x += put_text_cut({x, top}, room, operand.title, theme.text, look().fonts.small) + look().px(10);
  const std::string note = operand.operand->implicit ? ", scratch that the text does not name"
                           : scratch                 ? ", scratch"
                                                     : "";
  if (x < line.max.x)
    put_text_cut({x, top}, line.max.x - x, type_text(operand) + note, theme.text_quiet, look().fonts.small);
}

void draw_header_over(const StageOperand& operand, const Rect& line) {
  ImFont* font = look().fonts.small;
  const float wide =
      font->FontSize + text_width(operand.title, font) + text_width(type_text(operand), font) + look().px(22);
  canvas().AddRectFilled(line.min, {std::min(line.max.x, line.min.x + wide), line.max.y}, ink(look().theme->pane));
  draw_header(operand, line);
}

void draw_scalar_cell(const StageStep& step, const StageOperand& operand, const Rect& rect) {
  step.note_place({operand.index, 0, 0}, rect);
  const Scalar& scalar = operand.operand->scalar;
  canvas().AddRectFilled({rect.min.x - 1, rect.min.y - 1}, {rect.max.x + 1, rect.max.y + 1}, ink(look().theme->grid));
  draw_cell(canvas(), rect,
            {.text = value_text(element_format(scalar.dtype), scalar.bits, Definedness::Written, rect.width()),
             .ground = {},
             .source = operand.color,
             .letter = operand.letter,
             .edge_right = operand.letter == 'b'});
}

// --- grids ---

Rect CellGrid::rect_of(std::uint32_t row, std::uint32_t col) const {
  const float x = origin.x + static_cast<float>(col - cols.first) * width,
              y = origin.y + static_cast<float>(row - rows.first) * height;
  return {{x, y}, {x + width - 1, y + height - 1}};
}

bool CellGrid::shows(const StageCell& cell) const {
  return cell.operand == operand && rows.holds(cell.row) && cols.holds(cell.col);
}

Rect CellGrid::area() const {
  return {origin,
          {origin.x + static_cast<float>(cols.count) * width, origin.y + static_cast<float>(rows.count) * height}};
}

std::optional<StageCell> CellGrid::cell_at(ImVec2 point) const {
  if (!area().holds(point)) return std::nullopt;
  const auto col = static_cast<std::uint32_t>((point.x - origin.x) / width),
             row = static_cast<std::uint32_t>((point.y - origin.y) / height);
  if (row >= rows.count || col >= cols.count) return std::nullopt;
  return StageCell{operand, rows.first + row, cols.first + col};
}

float row_number_width(std::uint32_t rows) {
  return text_width(std::to_string(rows == 0 ? 0 : rows - 1), look().fonts.mono_small) + look().px(8);
}
float col_number_height() { return look().fonts.mono_small->FontSize + look().px(3); }

namespace {

float strip_width() { return look().px(6); }

// The element of an operand that has to be in sight: the focus, or the first of its sources there.
std::optional<StageCell> to_be_seen(const StageStep& step, int operand) {
  if (step.focus && step.focus->operand == operand) return step.focus;
  for (const Source& source : step.sources)
    if (const auto cell = step.cell_of(source); cell && cell->operand == operand) return cell;
  return std::nullopt;
}

// All that there are, or those of the slice that is shown.
Shown rows_shown(const StageOperand& operand) {
  if (operand.slice) return {operand.slice->row, operand.slice->rows};
  return {0, operand.picture->elements.rows};
}

}  // namespace

std::uint32_t meant_in_sight(const Shown& shown, std::uint32_t meant) {
  return std::min(shown.end(), meant) - std::min(shown.first, meant);
}

CellGrid place_grid(StageStep& step, const StageOperand& operand, const Rect& area, const GridWish& wish) {
  CellGrid grid{.operand = operand.index, .rows = {}, .cols = {}, .origin = area.min};
  const Elements& elements = operand.picture->elements;
  if (elements.rows == 0 || elements.cols == 0) return grid;
  Rect room = area;
  if (wish.numbers) {
    room.min.x += row_number_width(elements.rows);
    room.min.y += col_number_height();
  }
  const auto fit = [](float length, float cell) {
    return static_cast<std::uint32_t>(std::max(1.0f, std::floor(length / cell + 0.01f)));
  };
  const float tall = look().px(std::min(20.0f, wish.most_height));
  const Shown all_rows = rows_shown(operand);
  if (!wish.only_row && fit(room.height(), tall) < all_rows.count) room.max.x -= strip_width();
  // The whole in sight is worth cells that are somewhat narrower. Padding need not be in sight.
  constexpr float kNarrowed = 0.7f;
  const auto width_for = [&](std::uint32_t cols) { return room.width() / static_cast<float>(std::max(1u, cols)); };
  const float narrow = look().px(wish.least_width * kNarrowed), usual = look().px(wish.least_width);
  const std::uint32_t meant_cols = std::max(1u, elements.valid_cols), meant_rows = std::max(1u, elements.valid_rows);
  const float least = width_for(elements.cols) >= narrow ? std::max(1.0f, width_for(elements.cols))
                      : width_for(meant_cols) >= narrow  ? std::min(usual, width_for(meant_cols))
                                                         : usual;
  if (fit(room.width(), least) < elements.cols) room.max.y -= strip_width();
  auto& [first_row, first_col] = step.memory.first[operand.index];
  std::optional<StageCell> seen;
  if (step.focus_moved) seen = wish.seen ? wish.seen : to_be_seen(step, operand.index);
  const auto part = [&](std::uint32_t total, std::uint32_t places, std::uint32_t first, auto index) {
    if (seen && (step.is_new || step.move)) return shown_around(total, places, (*seen).*index);
    return shown_part(total, places, first, seen ? std::optional((*seen).*index) : std::nullopt);
  };
  const auto part_of = [&](const Shown& rows, std::uint32_t places, std::uint32_t first) {
    if (seen) seen->row = std::clamp(seen->row, rows.first, rows.end() - 1) - rows.first;
    Shown shown = part(rows.count, places, std::max(first, rows.first) - rows.first, &StageCell::row);
    shown.first += rows.first;
    return shown;
  };
  grid.cols = part(elements.cols, fit(room.width(), least), first_col, &StageCell::col);
  grid.rows = wish.only_row ? Shown{*wish.only_row, 1} : part_of(all_rows, fit(room.height(), tall), first_row);
  first_col = grid.cols.first;
  if (!wish.only_row) first_row = grid.rows.first;
  const std::uint32_t last_row = std::clamp(meant_rows, all_rows.first + 1, all_rows.end());
  step.note_shown(meant_in_sight(grid.cols, meant_cols) * (wish.only_row ? 1 : meant_in_sight(grid.rows, last_row)),
                  meant_cols * (wish.only_row ? 1 : last_row - all_rows.first));
  grid.origin = room.min;
  grid.width =
      std::floor(std::clamp(room.width() / static_cast<float>(grid.cols.count), 2.0f, look().px(wish.most_width)));
  grid.height =
      std::floor(std::clamp(room.height() / static_cast<float>(grid.rows.count), 2.0f, look().px(wish.most_height)));
  return grid;
}

void draw_grid_numbers(const StageStep& step, const CellGrid& grid, bool of_columns) {
  const Theme& theme = *look().theme;
  ImFont* font = look().fonts.mono_small;
  const bool in_focus = step.focus && step.focus->operand == grid.operand;
  for (std::uint32_t col = grid.cols.first; of_columns && col < grid.cols.end(); ++col) {
    const Rect cell = grid.rect_of(grid.rows.first, col);
    const Color color = in_focus && step.focus->col == col ? theme.text : theme.text_quiet;
    draw_text_in(canvas(), {{cell.min.x, cell.min.y - col_number_height()}, {cell.max.x, cell.min.y}},
                 std::to_string(col), ink(color), font);
  }
  for (std::uint32_t row = grid.rows.first; row < grid.rows.end(); ++row) {
    const Rect cell = grid.rect_of(row, grid.cols.first);
    const std::string text = std::to_string(row);
    const Color color = in_focus && step.focus->row == row ? theme.text : theme.text_quiet;
    put_text({cell.min.x - text_width(text, font) - look().px(5), cell.center().y - font->FontSize / 2}, text, color,
             font);
  }
}

void scroll_grid(StageStep& step, const CellGrid& grid, int moved_operand) {
  const Elements& elements = step.operand(moved_operand)->picture->elements;
  const ImGuiIO& io = ImGui::GetIO();
  if (!grid.area().holds(io.MousePos) || !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) return;
  const bool sideways = io.KeyShift || grid.rows.count == elements.rows;
  const float turned = (sideways ? -io.MouseWheel : 0) + io.MouseWheelH;
  auto& [first_row, first_col] = step.memory.first[moved_operand];
  const auto moved = [](std::uint32_t first, float by) {
    return static_cast<std::uint32_t>(std::max(0.0f, static_cast<float>(first) + std::round(by * 3)));
  };
  if (turned != 0) first_col = moved(first_col, turned);
  if (!sideways && io.MouseWheel != 0) first_row = moved(first_row, -io.MouseWheel);
}

void draw_overview_bar(const char* id, const Rect& bar, const Shown& part, std::uint32_t total, std::uint32_t& first) {
  const Theme& theme = *look().theme;
  const bool upright = bar.height() > bar.width();
  const float length = upright ? bar.height() : bar.width(), begin = upright ? bar.min.y : bar.min.x;
  const Share share = share_of(part, total, std::min(1.0, static_cast<double>(look().px(12) / std::max(1.0f, length))));
  ImGui::SetCursorScreenPos(bar.min);
  ImGui::InvisibleButton(id, {std::max(1.0f, bar.width()), std::max(1.0f, bar.height())});
  if (ImGui::IsItemActive()) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    first = first_at(((upright ? mouse.y : mouse.x) - begin) / length, total, part.count);
  }
  const float from = begin + length * static_cast<float>(share.begin),
              to = begin + length * static_cast<float>(share.end);
  const Rect thumb = upright ? Rect{{bar.min.x, from}, {bar.max.x, to}} : Rect{{from, bar.min.y}, {to, bar.max.y}};
  const Color color = ImGui::IsItemActive()    ? theme.accent
                      : ImGui::IsItemHovered() ? theme.text_quiet
                                               : mix(theme.line, theme.text_quiet, 0.4);
  canvas().AddRectFilled(bar.min, bar.max, ink(theme.raised), look().px(3));
  canvas().AddRectFilled(thumb.min, thumb.max, ink(color), look().px(3));
}

void draw_cells(StageStep& step, const CellGrid& grid) {
  const Rect area = grid.area();
  canvas().AddRectFilled({area.min.x - 1, area.min.y - 1}, {area.max.x, area.max.y}, ink(look().theme->grid));
  for (std::uint32_t row = grid.rows.first; row < grid.rows.end(); ++row)
    for (std::uint32_t col = grid.cols.first; col < grid.cols.end(); ++col)
      draw_cell(canvas(), grid.rect_of(row, col), step.look_of({grid.operand, row, col}, grid.width));
  if (targets_wanted() || step.move)
    for (std::uint32_t row = grid.rows.first; row < grid.rows.end(); ++row)
      for (std::uint32_t col = grid.cols.first; col < grid.cols.end(); ++col)
        step.mark_target({grid.operand, row, col}, grid.rect_of(row, col));
  if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) return;
  if (const auto cell = grid.cell_at(ImGui::GetIO().MousePos)) step.point_at(*cell);
}

void draw_overview(StageStep& step, const CellGrid& grid) {
  const Elements& elements = step.operand(grid.operand)->picture->elements;
  const Rect area = grid.area();
  auto& [first_row, first_col] = step.memory.first[grid.operand];
  ImGui::PushID(grid.operand);
  const float gap = look().px(2), thick = strip_width() - gap;
  if (grid.cols.count < elements.cols)
    draw_overview_bar("##cols", {{area.min.x, area.max.y + gap}, {area.max.x, area.max.y + gap + thick}}, grid.cols,
                      elements.cols, first_col);
  const Shown all = rows_shown(*step.operand(grid.operand));
  if (grid.rows.count < all.count && grid.rows.count > 1) {
    std::uint32_t first = first_row - all.first;
    draw_overview_bar("##rows", {{area.max.x + gap, area.min.y}, {area.max.x + gap + thick, area.max.y}},
                      {grid.rows.first - all.first, grid.rows.count}, all.count, first);
    first_row = first + all.first;
  }
  ImGui::PopID();
}

void draw_grid(StageStep& step, const CellGrid& grid, const GridWish& wish) {
  if (grid.rows.count == 0 || grid.cols.count == 0) {
    put_text(grid.origin, "nothing: no rows or no columns", look().theme->text_quiet, look().fonts.small);
    return;
  }
  if (wish.numbers) draw_grid_numbers(step, grid);
  draw_cells(step, grid);
  draw_overview(step, grid);
  scroll_grid(step, grid, grid.operand);
}

// --- links ---

namespace {

void dashed_curve(ImVec2 from, ImVec2 a, ImVec2 b, ImVec2 to, ImU32 color, float thick) {
  constexpr int kParts = 25;
  const auto at = [&](float t) {
    const float u = 1 - t, w0 = u * u * u, w1 = 3 * u * u * t, w2 = 3 * u * t * t, w3 = t * t * t;
    return ImVec2{w0 * from.x + w1 * a.x + w2 * b.x + w3 * to.x, w0 * from.y + w1 * a.y + w2 * b.y + w3 * to.y};
  };
  for (int i = 0; i < kParts; i += 2)
    canvas().AddLine(at(static_cast<float>(i) / kParts), at(static_cast<float>(i + 1) / kParts), color, thick);
}

}  // namespace

namespace {

bool goes_upright(ImVec2 from, ImVec2 to) { return std::abs(to.y - from.y) * 2 > std::abs(to.x - from.x); }

// The two points that a link is bent towards.
std::pair<ImVec2, ImVec2> bends_of(ImVec2 from, ImVec2 to) {
  const ImVec2 bend = goes_upright(from, to) ? ImVec2{0, (to.y - from.y) / 2} : ImVec2{(to.x - from.x) / 2, 0};
  return {{from.x + bend.x, from.y + bend.y}, {to.x - bend.x, to.y - bend.y}};
}

}  // namespace

ImVec2 on_link(ImVec2 from, ImVec2 to, float at) {
  const auto [a, b] = bends_of(from, to);
  const float u = 1 - at, w0 = u * u * u, w1 = 3 * u * u * at, w2 = 3 * u * at * at, w3 = at * at * at;
  return {w0 * from.x + w1 * a.x + w2 * b.x + w3 * to.x, w0 * from.y + w1 * a.y + w2 * b.y + w3 * to.y};
}

namespace {

// The way that is still to be gone.
constexpr double kNotGone = 0.28;

// A link as far as it has grown: the control points of that part of the curve.
std::array<ImVec2, 4> begin_of(const std::array<ImVec2, 4>& curve, float at) {
  const auto mixed = [at](ImVec2 one, ImVec2 other) {
    return ImVec2{one.x + (other.x - one.x) * at, one.y + (other.y - one.y) * at};
  };
  const ImVec2 ab = mixed(curve[0], curve[1]), bc = mixed(curve[1], curve[2]), cd = mixed(curve[2], curve[3]);
  const ImVec2 abc = mixed(ab, bc), bcd = mixed(bc, cd);
  return {curve[0], ab, abc, mixed(abc, bcd)};
}

void draw_curve(const std::array<ImVec2, 4>& p, ImU32 color, float thick, bool dashed) {
  if (dashed) dashed_curve(p[0], p[1], p[2], p[3], color, thick);
  else canvas().AddBezierCubic(p[0], p[1], p[2], p[3], color, thick);
}

}  // namespace

void draw_link(ImVec2 from, ImVec2 to, Color color, bool decided, float strength, float grown) {
  const bool upright = goes_upright(from, to);
  const auto [a, b] = bends_of(from, to);
  const float thick = look().px(1.2f + 1.0f * strength);
  const double solid = 0.35 + 0.65 * strength;
  const ImU32 halo = ink(with_alpha(look().theme->pane, 0.75 * strength)), line = ink(with_alpha(color, solid)),
              far = ink(with_alpha(color, grown < 1 ? solid * kNotGone : solid));
  const std::array<ImVec2, 4> curve{from, a, b, to};
  canvas().AddBezierCubic(from, a, b, to, halo, thick + look().px(2.5f));
  draw_curve(curve, far, thick, decided);
  if (grown > 0 && grown < 1) draw_curve(begin_of(curve, grown), line, thick, decided);
  canvas().AddCircleFilled(from, look().px(2.4f), line);
  // The head shows the direction.
  const float side = look().px(4.5f), sign = upright ? (to.y > from.y ? 1.0f : -1.0f) : (to.x > from.x ? 1.0f : -1.0f);
  if (upright)
    canvas().AddTriangleFilled({to.x - side, to.y - sign * side * 1.4f}, {to.x + side, to.y - sign * side * 1.4f}, to,
                               far);
  else
    canvas().AddTriangleFilled({to.x - sign * side * 1.4f, to.y - side}, {to.x - sign * side * 1.4f, to.y + side}, to,
                               far);
}

namespace {

// A line through points, dashed where it says so; it ends in a head that looks as its last part does.
void draw_path(const std::vector<ImVec2>& points, ImU32 color, float thick, bool dashed) {
  if (!dashed) canvas().AddPolyline(points.data(), static_cast<int>(points.size()), color, 0, thick);
  const float dash = look().px(5);
  for (std::size_t i = 1; dashed && i < points.size(); ++i) {
    const ImVec2 a = points[i - 1], b = points[i];
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    for (float at = 0; at < length; at += 2 * dash) {
      const float end = std::min(at + dash, length), u = at / length, v = end / length;
      canvas().AddLine({a.x + (b.x - a.x) * u, a.y + (b.y - a.y) * u}, {a.x + (b.x - a.x) * v, a.y + (b.y - a.y) * v},
                       color, thick);
    }
  }
}

float length_of(const std::vector<ImVec2>& points) {
  float length = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    length += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
  return length;
}

// The beginning of a path, of this length.
std::vector<ImVec2> begin_of(const std::vector<ImVec2>& points, float length) {
  std::vector<ImVec2> begin{points.front()};
  for (std::size_t i = 1; i < points.size() && length > 0; ++i) {
    const ImVec2 a = points[i - 1], b = points[i];
    const float part = std::hypot(b.x - a.x, b.y - a.y), share = part <= length ? 1 : length / part;
    begin.push_back({a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share});
    length -= part;
  }
  return begin;
}

void draw_head(ImVec2 tip, ImVec2 towards, ImU32 color, float side) {
  const ImVec2 across{-towards.y, towards.x}, back{tip.x - towards.x * side * 1.5f, tip.y - towards.y * side * 1.5f};
  canvas().AddTriangleFilled({back.x + across.x * side, back.y + across.y * side},
                             {back.x - across.x * side, back.y - across.y * side}, tip, color);
}

}  // namespace

void draw_routed_link(const Rect& from, const Rect& from_area, const Rect& to, const Rect& to_area, Color color,
                      bool decided, float grown) {
  const bool below = to_area.min.y >= from_area.max.y, above = to_area.max.y <= from_area.min.y,
             left = to_area.max.x <= from_area.min.x;
  // No farther into a cell than its number leaves free.
  const float low = std::min(from.height(), to.height()),
              in = below || above
                       ? look().px(2)
                       : std::clamp((low - look().fonts.mono->FontSize) / 2 + look().px(1), look().px(2), look().px(6));
  std::vector<ImVec2> points;
  ImVec2 towards{0, -1};
  if (below || above) {
    // Along the right borders of the two columns.
    const float leave = below ? from_area.max.y : from_area.min.y, arrive = below ? to_area.min.y : to_area.max.y;
    points = {
        {from.max.x - in, from.center().y}, {from.max.x, from.center().y}, {from.max.x, leave}, {to.max.x, arrive},
        {to.max.x, to.center().y},          {to.max.x - in, to.center().y}};
    towards = {-1, 0};
  } else {
    // Along the lower borders of the two rows.
    const float leave = left ? from_area.min.x : from_area.max.x, arrive = left ? to_area.max.x : to_area.min.x;
    points = {
        {from.center().x, from.max.y - in}, {from.center().x, from.max.y}, {leave, from.max.y}, {arrive, to.max.y},
        {to.center().x, to.max.y},          {to.center().x, to.max.y - in}};
  }
  const float thick = look().px(2.2f);
  canvas().AddPolyline(points.data(), static_cast<int>(points.size()), ink(with_alpha(look().theme->pane, 0.7)), 0,
                       thick + look().px(2.5f));
  const ImU32 line = ink(color), far = grown < 1 ? ink(with_alpha(color, kNotGone)) : line;
  draw_path(points, far, thick, decided);
  if (grown > 0 && grown < 1) draw_path(begin_of(points, grown * length_of(points)), line, thick, decided);
  canvas().AddCircleFilled(points.front(), std::min(look().px(3), in), line);
  draw_head(points.back(), towards, far, std::min(look().px(4.5f), in));
}

namespace {

const CellGrid* grid_of(const std::vector<CellGrid>& grids, const StageCell& cell) {
  for (const CellGrid& grid : grids)
    if (grid.shows(cell)) return &grid;
  return nullptr;
}

void link_cells(StageStep& step, const std::vector<CellGrid>& grids, const StageCell& from, const StageCell& to,
                bool decided) {
  const CellGrid *source = grid_of(grids, from), *result = grid_of(grids, to);
  if (source == nullptr || result == nullptr) return;
  const Rect a = source->rect_of(from.row, from.col), b = result->rect_of(to.row, to.col);
  draw_routed_link(a, source->area(), b, result->area(), step.operand(from.operand)->color, decided,
                   way_done(step, from, to));
}

}  // namespace

void draw_focus_links(StageStep& step, const std::vector<CellGrid>& grids) {
  constexpr std::size_t kMostLinks = 64;
  if (!step.reached.empty() && step.memory.pointed && !step.operand(step.memory.pointed->operand)->result) {
    for (std::size_t i = 0; i < std::min(step.reached.size(), kMostLinks); ++i)
      link_cells(step, grids, *step.memory.pointed, step.reached[i], false);
    return;
  }
  if (!step.focus) return;
  for (std::size_t i = 0; i < std::min(step.sources.size(), kMostLinks); ++i)
    for (const StageCell& cell : step.cells_of(step.sources[i]))
      link_cells(step, grids, cell, *step.focus, step.sources[i].decided);
}

float draw_note(ImVec2 at, float room, const std::string& text) {
  return put_text_wrapped(at, std::max(room, look().px(60)), text, look().theme->text_quiet, look().fonts.small);
}

}  // namespace ts::ui
