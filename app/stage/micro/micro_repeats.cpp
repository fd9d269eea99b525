// A micro-operation from memory to memory: its repeats on rulers, and the lanes of one of them; blocks turned over.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/stage/micro/micro_parts.h"
#include "app/stage/parts/hues.h"
#include "app/stage/parts/lane_strips.h"
#include "app/stage/parts/ruler.h"
#include "core/debug/origins/micro_repeats.h"

namespace ts::ui {
namespace {

// --- which repeat ---

// A bar with one part for each repeat; clicking it chooses one.
void choose_repeat(MicroCanvas& canvas, std::uint32_t count, std::uint32_t& repeat) {
  const Theme& theme = *look().theme;
  repeat = std::min(repeat, count - 1);
  const float height = std::floor(look().px(16));
  put_label(canvas, fmt::format("repeat {}", repeat), fmt::format("of {}", count), std::max(height, look().px(30)));
  const Rect bar{{canvas.strip_x(), canvas.y + look().px(7)},
                 {canvas.strip_x() + canvas.strip_width(), canvas.y + look().px(7) + height}};
  const ImVec2 back = ImGui::GetCursorPos();
  ImGui::SetCursorScreenPos(bar.min);
  ImGui::InvisibleButton("repeats", {std::max(1.0f, bar.width()), height});
  const bool held = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  ImGui::SetCursorPos(back);
  const float each = std::min(bar.width() / static_cast<float>(count), look().px(40));
  if (held) {
    const float at = std::max(0.0f, ImGui::GetIO().MousePos.x - bar.min.x) / each;
    repeat = std::min(static_cast<std::uint32_t>(at), count - 1);
  }
  if (hovered) ImGui::SetTooltip("Choose the repeat whose lanes are shown");
  ImDrawList& out = *ImGui::GetWindowDrawList();
  for (std::uint32_t r = 0; r < count; ++r) {
    const float x = bar.min.x + each * static_cast<float>(r);
    out.AddRectFilled({x, bar.min.y}, {x + std::max(each - 1, 1.0f), bar.max.y},
                      ink(r == repeat ? theme.accent : theme.raised));
    if (each >= look().px(18))
      draw_text_in(out, {{x, bar.min.y}, {x + each - 1, bar.max.y}}, fmt::format("{}", r),
                   ink(r == repeat ? theme.accent_text : theme.text_quiet), look().fonts.mono_small);
  }
  canvas.y += std::max(height, look().px(30)) + look().px(6);
}

// --- rulers ---

// Accesses of one operand, repeat by repeat.
struct Track {
  std::string name;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parts;  // first access and how many, by repeat
};

// "every repeat 256 bytes on"
std::string stride_text(const std::vector<TraceAccess>& all, const Track& track) {
  if (track.parts.size() < 2 || track.parts[0].second == 0 || track.parts[1].second == 0) return "";
  const auto first = [&](std::size_t repeat) { return std::int64_t{all[track.parts[repeat].first].address}; };
  const std::int64_t step = first(1) - first(0);
  for (std::size_t r = 2; r < track.parts.size(); ++r)
    if (track.parts[r].second == 0 || first(r) - first(r - 1) != step) return "";
  return step == 0 ? "the same in every repeat" : fmt::format("each repeat {:+} bytes", step);
}

void draw_track(const MicroScene& scene, MicroCanvas& canvas, const std::vector<TraceAccess>& all, const Track& track,
                std::uint32_t repeat, Color color) {
  std::vector<TraceAccess> used;
  for (const auto& [first, count] : track.parts)
    used.insert(used.end(), all.begin() + first, all.begin() + first + count);
  const auto reach = reach_of(used, 0, used.size());
  if (!reach) return;
  const std::string stride = stride_text(all, track), element = scene.element_name(reach->space, reach->address);
  put_label(canvas, track.name, stride.empty() ? element : stride, ruler_height() + look().px(8));
  const Ruler ruler = place_ruler(
      {{canvas.strip_x(), canvas.y}, {canvas.strip_x() + canvas.strip_width(), canvas.y + ruler_height()}}, *reach);
  draw_ruler(ruler);
  for (std::uint32_t r = 0; r < track.parts.size(); ++r)
    for (std::uint32_t i = 0; i < track.parts[r].second; ++i) {
      const TraceAccess& access = all[track.parts[r].first + i];
      if (r != repeat) draw_window(ruler, {access.space, access.address, access.size}, color, WindowLook::Ghost);
    }
  if (repeat < track.parts.size())
    for (std::uint32_t i = 0; i < track.parts[repeat].second; ++i) {
      const TraceAccess& access = all[track.parts[repeat].first + i];
      draw_window(ruler, {access.space, access.address, access.size}, color, WindowLook::Strong);
    }
  canvas.y += ruler_height() + ruler_label_height() + look().px(4);
}

Color input_color(std::string_view name) {
  const Theme& theme = *look().theme;
  if (name == "A" || name == "gathered") return theme.src0;
  if (name == "B" || name == "scalar") return theme.src1;
  return theme.mask;
}

void draw_tracks(const MicroScene& scene, MicroCanvas& canvas, const std::vector<MicroRepeat>& repeats,
                 std::uint32_t repeat) {
  for (std::size_t i = 0; i < repeats.front().inputs.size(); ++i) {
    Track track{repeats.front().inputs[i].name, {}};
    if (track.name == "scalar") continue;
    for (const MicroRepeat& one : repeats) track.parts.push_back({one.inputs[i].first_read, one.inputs[i].reads});
    draw_track(scene, canvas, scene.op().reads, track, repeat, input_color(track.name));
  }
  Track written{scene.made ? "D, written" : "D, to write", {}};
  for (const MicroRepeat& one : repeats) written.parts.push_back({one.first_write, one.writes});
  draw_track(scene, canvas, scene.op().writes, written, repeat, look().theme->written);
}

// --- the lanes of a repeat ---

DType type_of_input(const MicroScene& scene, const RepeatInput& input) {
  return std::string_view(input.name) == "offsets" ? DType::U32 : scene.type();
}

void draw_repeat_lanes(const MicroScene& scene, MicroLook& state, MicroCanvas& canvas, const MicroRepeat& repeat) {
  const DType type = scene.type();
  const LaneView view = place_lanes(canvas.strip_x(), canvas.strip_width(), type, state.first_byte);
  state.first_byte = view.first;
  const float top = canvas.y;
  draw_lane_numbers(view, canvas.y, type);
  canvas.y += look().fonts.mono_small->FontSize + look().px(3);
  const auto value = [&](std::uint32_t id) -> const TraceValue& { return scene.trace.values[id]; };
  const float low = std::floor(look().px(16)), gap = look().px(6);
  put_label(canvas, "vector mask", "", low);
  draw_predicate(view, canvas.y, value(repeat.lanes), repeat.lane_type);
  canvas.y += low + gap;
  for (const RepeatInput& input : repeat.inputs) {
    const bool bits = value(input.value).kind == TraceValue::Kind::Predicate;
    const DType own = type_of_input(scene, input);
    put_label(canvas, input.name, "", bits ? low : lane_height());
    if (bits)
      draw_predicate(view, canvas.y, value(input.value), own);
    else
      draw_register(view, canvas.y, value(input.value), own, {.source = input_color(input.name)});
    canvas.y += (bits ? low : lane_height()) + gap;
  }
  if (repeat.result) {
    const TraceValue& lanes = value(repeat.lanes);
    put_label(canvas, "D", "", lane_height());
    const auto marks = [&](std::uint32_t lane) {
      return lane_is_on(lanes, repeat.lane_type, lane) ? Mark::Written : Mark::Faded;
    };
    draw_register(view, canvas.y, value(*repeat.result), type, {.source = look().theme->written, .marks = marks});
    canvas.y += lane_height() + gap;
  }
  draw_lane_scroll("repeat lanes", view, canvas.y, type, {{canvas.x, top}, {canvas.x + canvas.width, canvas.y}},
                   state.first_byte);
  canvas.y += lane_scroll_height() + gap;
}

// --- blocks turned over ---

struct TurnedCell {
  std::uint64_t address = 0;
  std::uint64_t bits = 0;
  std::uint32_t row = 0;  // source row
};

// The blocks of one side, in the order they are named in; cells by block and place.
using TurnedBlocks = std::vector<std::pair<std::uint64_t, std::vector<TurnedCell>>>;

struct Turned {
  TurnedBlocks from, to;
};
// Reads come row by row, sixteen a repeat, and so do the moves.
Turned turned_blocks(const MicroScene& scene, const std::vector<MicroMove>& moves, std::uint32_t repeat) {
  const std::uint32_t size = size_bytes(scene.type()), cols = size == 1 ? BLK / 2 : BLK / size;
  std::map<std::uint64_t, std::vector<TurnedCell>> to;
  Turned turned;
  for (std::uint32_t row = 0; row < 16; ++row) {
    for (std::uint32_t col = 0; col < cols; ++col) {
      const std::size_t at = (std::size_t{repeat} * 16 + row) * cols + col;
      if (at >= moves.size()) return turned;
      const std::uint64_t source = moves[at].from.bit / 8, target = moves[at].to.bit / 8;
      if (col == 0) turned.from.push_back({source, {}});
      const TraceAccess& read = scene.op().reads[std::size_t{repeat} * 16 + row];
      std::uint64_t bits = 0;
      std::memcpy(&bits, scene.trace.bytes.data() + read.after + (source - read.address), size);
      turned.from.back().second.push_back({source, bits, row});
      to[target / (size == 1 ? BLK / 2 : BLK)].push_back({target, bits, row});
    }
  }
  for (auto& [block, cells] : to) {
    std::ranges::sort(cells, {}, &TurnedCell::address);
    turned.to.push_back({cells.front().address, cells});
  }
  return turned;
}

void draw_block_column(const MicroScene& scene, const Rect& area, const std::string& title, const TurnedBlocks& blocks,
                       std::optional<std::uint32_t>& hot) {
  const Theme& theme = *look().theme;
  ImDrawList& out = *ImGui::GetWindowDrawList();
  put_text(area.min, title, theme.text, look().fonts.small);
  const float head = look().fonts.small->FontSize + look().px(6), label = look().px(62);
  const float high = std::floor(look().px(20)),
              wide = std::floor((area.width() - label) /
                                static_cast<float>(std::max<std::size_t>(blocks.front().second.size(), 1)));
  float y = area.min.y + head;
  for (const auto& [address, cells] : blocks) {
    put_text_cut({area.min.x, y + look().px(2)}, label - look().px(4), fmt::format("0x{:x}", address), theme.text_quiet,
                 look().fonts.mono_small);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const float x = area.min.x + label + wide * static_cast<float>(i);
      const Rect rect{{x, y}, {x + wide - 1, y + high - 1}};
      const Color hue = row_hue(cells[i].row);
      CellLook cell{.text = lane_text({}, scene.type(), cells[i].bits, rect.width()),
                    .ground = mix(theme.cell, hue, theme.dark ? 0.42 : 0.38),
                    .source = {}};
      if (ImGui::IsWindowHovered() && rect.holds(ImGui::GetIO().MousePos)) {
        hot = cells[i].row;
        const auto element = scene.view.element_at(
            {Space::Ub, static_cast<std::uint32_t>(cells[i].address), size_bytes(scene.type())}, scene.step);
        if (element) scene.view.hover(*element);
        cell.marks = Mark::Hovered;
      }
      draw_cell(out, rect, cell);
      const char letter[2] = {row_letter(cells[i].row), 0};
      if (rect.width() > look().px(30))
        out.AddText(look().fonts.mono_small, look().fonts.mono_small->FontSize * 0.8f, {x + 2, y},
                    ink(with_alpha(text_on(*cell.ground), 0.7)), letter);
    }
    y += high;
  }
}

}  // namespace

bool draw_micro_repeats(const MicroScene& scene, MicroLook& state, MicroCanvas& canvas) {
  const std::vector<MicroRepeat> repeats = repeats_of(scene.trace, scene.op());
  if (repeats.empty()) return false;
  draw_args(scene, canvas);
  choose_repeat(canvas, static_cast<std::uint32_t>(repeats.size()), state.repeat);
  draw_tracks(scene, canvas, repeats, state.repeat);
  canvas.y += look().px(6);
  draw_repeat_lanes(scene, state, canvas, repeats[state.repeat]);
  return true;
}

bool draw_turned_blocks(const MicroScene& scene, MicroLook& state, MicroCanvas& canvas) {
  if (std::string_view(scene.op().op->name) != "vnchwconv" || scene.op().reads.size() < 16) return false;
  // Moves of neighbours would be joined only where a block has one element a column.
  const std::vector<MicroMove> moves = moves_of(scene.trace, scene.micro);
  draw_args(scene, canvas);
  choose_repeat(canvas, static_cast<std::uint32_t>(scene.op().reads.size() / 16), state.repeat);
  const Turned turned = turned_blocks(scene, moves, state.repeat);
  if (turned.from.empty() || turned.to.empty()) return true;
  std::optional<std::uint32_t> hot;
  const float gap = look().px(28), half = (canvas.width - gap) / 2;
  const float high = look().fonts.small->FontSize + look().px(6) + std::floor(look().px(20)) * 16;
  draw_block_column(scene, {{canvas.x, canvas.y}, {canvas.x + half, canvas.y + high}},
                    "blocks of the source, as its VA registers name them", turned.from, hot);
  draw_block_column(
      scene, {{canvas.x + half + gap, canvas.y}, {canvas.x + canvas.width, canvas.y + high}},
      scene.made ? "the result's blocks: a row has become a column" : "the result's blocks: a row will become a column",
      turned.to, hot);
  canvas.y += high + look().px(8);
  canvas.y += put_text_wrapped({canvas.x, canvas.y}, canvas.width,
                               "Equal letters and colours are one source row. Rows that the source does not have are "
                               "taken from address 0: what they bring is promised by nobody.",
                               look().theme->text_quiet, look().fonts.small);
  return true;
}

}  // namespace ts::ui
