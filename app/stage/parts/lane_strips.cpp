// Drawing strips of lanes.
#include "app/stage/parts/lane_strips.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/look.h"
#include "app/draw/text.h"

namespace ts::ui {
namespace {

// A lane's width where not all fit, for a scale of 1.
float readable_width(DType type) {
  switch (size_bytes(type)) {
    case 1: return 34;
    case 2: return 46;
    case 4: return 50;
    default: return 96;
  }
}

std::uint32_t lanes_in_sight(const LaneWindow& view, DType type) {
  return (view.end() - view.first) / size_bytes(type);
}

Rect lane_rect(const LaneWindow& view, float y, DType type, std::uint32_t lane, float height) {
  const std::uint32_t byte = lane * size_bytes(type);
  return {{view.x_of(byte), y}, {view.x_of(byte + size_bytes(type)) - 1, y + height}};
}

std::optional<std::uint32_t> lane_under_mouse(const LaneWindow& view, float y, DType type, float height) {
  const Rect strip{{view.x, y}, {view.x_of(view.end()), y + height}};
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsWindowHovered() || !strip.holds(mouse)) return {};
  return (view.first + static_cast<std::uint32_t>((mouse.x - view.x) / view.per_byte)) / size_bytes(type);
}

}  // namespace

float LaneWindow::seen_x(double byte) const {
  return std::clamp(x_of(byte), x - look().px(6), x_of(end()) + look().px(6));
}

std::uint32_t LaneWindow::end() const {
  return std::min(VL, first + static_cast<std::uint32_t>(std::max(0.0f, width + 0.5f) / per_byte));
}

LaneWindow place_lanes(float x, float width, DType type, std::uint32_t first) {
  const std::uint32_t size = size_bytes(type), all = lane_count(type);
  const float least = std::floor(look().px(readable_width(type)));
  const auto room = std::clamp(static_cast<std::uint32_t>(std::max(width, least) / least), 1u, all);
  const float cell = std::min(std::floor(width / static_cast<float>(room)), look().px(84));
  const std::uint32_t last_first = (all - room) * size;
  // Whole lanes of eight bytes, so that strips of all types begin together.
  return {x, cell * static_cast<float>(room), cell / static_cast<float>(size), std::min(first, last_first) / 8 * 8};
}

float lane_height() { return std::floor(look().px(24)); }
float lane_scroll_height() { return std::floor(look().px(12)); }

void draw_lane_scroll(const char* id, const LaneWindow& view, float y, DType type, const Rect& wheel_area,
                      std::uint32_t& first) {
  if (view.all()) return;
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const Rect bar{{view.x, y}, {view.x + view.width, y + lane_scroll_height()}};
  const ImVec2 back = ImGui::GetCursorPos();
  ImGui::SetCursorScreenPos(bar.min);
  ImGui::InvisibleButton(id, {bar.width(), bar.height()});
  const bool held = ImGui::IsItemActive();
  ImGui::SetCursorPos(back);
  const float per_byte = bar.width() / VL, shown = static_cast<float>(view.end() - view.first);
  const auto move_to = [&](float byte) {
    const float most = VL - shown;
    first = static_cast<std::uint32_t>(std::clamp(byte, 0.0f, most)) / 8 * 8;
  };
  if (held) move_to((ImGui::GetIO().MousePos.x - bar.min.x) / per_byte - shown / 2);
  const float wheel = ImGui::GetIO().KeyShift ? ImGui::GetIO().MouseWheel : ImGui::GetIO().MouseWheelH;
  if (wheel != 0 && ImGui::IsWindowHovered() && wheel_area.holds(ImGui::GetIO().MousePos))
    move_to(static_cast<float>(view.first) -
            std::round(wheel) * 4 * static_cast<float>(std::max(2u, size_bytes(type))));
  const float middle = bar.center().y;
  canvas.AddRectFilled({bar.min.x, middle - look().px(2)}, {bar.max.x, middle + look().px(2)}, ink(theme.line),
                       look().px(2));
  const float from = bar.min.x + static_cast<float>(view.first) * per_byte, to = from + shown * per_byte;
  canvas.AddRectFilled({from, middle - look().px(3)}, {to, middle + look().px(3)},
                       ink(held ? theme.accent : theme.text_quiet), look().px(3));
}

std::string lane_text(const LaneFormat& format, DType own, std::uint64_t bits, float width) {
  const ElementFormat& as = format.as != nullptr ? *format.as : element_format(own);
  return format.hex ? hex_text(as, bits) : value_text(as, bits, Definedness::Written, width);
}

std::optional<std::uint32_t> draw_register(const LaneWindow& view, float y, const TraceValue& value, DType type,
                                           const StripLook& strip) {
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const std::optional<std::uint32_t> hovered = lane_under_mouse(view, y, type, lane_height());
  const std::uint32_t first = view.first / size_bytes(type);
  for (std::uint32_t lane = first; lane < first + lanes_in_sight(view, type); ++lane) {
    const Rect rect = lane_rect(view, y, type, lane, lane_height());
    CellLook cell{.text = lane_text(strip.format, type, lane_bits(value, type, lane), rect.width()),
                  .ground = {},
                  .source = strip.source};
    if (strip.source_of)
      if (const auto color = strip.source_of(lane)) cell.source = color;
    cell.edge_right = strip.edge_right;
    if (strip.marks) cell.marks = strip.marks(lane);
    if (hovered == lane) cell.marks = cell.marks | Mark::Hovered;
    draw_cell(canvas, rect, cell);
  }
  return hovered;
}

std::optional<std::uint32_t> draw_predicate(const LaneWindow& view, float y, const TraceValue& value, DType type) {
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const float height = std::floor(look().px(16)), round = look().px(3);
  const std::uint32_t first = view.first / size_bytes(type);
  for (std::uint32_t lane = first; lane < first + lanes_in_sight(view, type); ++lane) {
    const Rect rect = lane_rect(view, y, type, lane, height).shrunk(1);
    const bool on = lane_is_on(value, type, lane);
    if (on) canvas.AddRectFilled(rect.min, rect.max, ink(theme.mask), round);
    else canvas.AddRect(rect.min, rect.max, ink(theme.grid), round, 0, look().px(1));
    if (rect.width() >= look().px(8))
      draw_text_in(canvas, rect, on ? "1" : "0", ink(on ? text_on(theme.mask) : theme.text_quiet),
                   look().fonts.mono_small);
  }
  return lane_under_mouse(view, y, type, height);
}

void draw_lane_numbers(const LaneWindow& view, float y, DType type) {
  const std::uint32_t first = view.first / size_bytes(type), count = lanes_in_sight(view, type);
  const float cell = view.per_byte * static_cast<float>(size_bytes(type));
  const std::uint32_t every = cell >= look().px(28) ? 1 : 4;
  for (std::uint32_t lane = first; lane < first + count; ++lane) {
    if (lane % every != 0) continue;
    const std::string text = fmt::format("{}", lane);
    const float x = view.x_of(lane * size_bytes(type)) + (cell - text_width(text, look().fonts.mono_small)) / 2;
    put_text({x, y}, text, look().theme->text_quiet, look().fonts.mono_small);
  }
}

std::string lanes_sentence(const TraceValue& value, DType type) {
  const std::vector<LaneRun> runs = lane_runs(value, type);
  constexpr std::size_t kMost = 4;
  std::string out;
  std::size_t told = 0;
  if (value.kind == TraceValue::Kind::Predicate) {
    out = fmt::format("{} of {} lanes on", lanes_on(value, type), lane_count(type));
    for (const LaneRun& run : runs) {
      if (!lane_is_on(value, type, run.first) || runs.size() == 1) continue;
      if (told == kMost) return out + ", ...";
      out += told++ == 0 ? ": " : ", ";
      out += run.end - run.first == 1 ? fmt::format("{}", run.first) : fmt::format("{}..{}", run.first, run.end - 1);
    }
    return out;
  }
  for (const LaneRun& run : runs) {
    if (told == kMost) return out + " ...";
    out += (told++ == 0 ? "" : " ") + format_value(type, lane_bits(value, type, run.first));
    if (run.end - run.first > 1) out += fmt::format(" (x{})", run.end - run.first);
  }
  return out;
}

}  // namespace ts::ui
