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
#include "core/debug/origins/micro_links.h"
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
      if (r != repeat) draw_window(ruler, access.place(), color, WindowLook::Ghost);
    }
  if (repeat < track.parts.size())
    for (std::uint32_t i = 0; i < track.parts[repeat].second; ++i) {
      const TraceAccess& access = all[track.parts[repeat].first + i];
      draw_window(ruler, access.place(), color, WindowLook::Strong);
    }
  canvas.y += ruler_height() + ruler_label_height() + look().px(4);
}

Color input_color(RepeatInput::Role role) {
  using Role = RepeatInput::Role;
  const Theme& theme = *look().theme;
  if (role == Role::Source || role == Role::Gathered) return theme.src0;
  if (role == Role::Second || role == Role::Shared) return theme.src1;
  return role == Role::Held ? theme.scratch : theme.mask;
}

void draw_tracks(const MicroScene& scene, MicroCanvas& canvas, const std::vector<MicroRepeat>& repeats,
                 std::uint32_t repeat) {
  for (std::size_t i = 0; i < repeats.front().inputs.size(); ++i) {
    const RepeatInput& input = repeats.front().inputs[i];
    if (input.role == RepeatInput::Role::Shared) continue;
    Track track{input.name, {}};
    for (const MicroRepeat& one : repeats) track.parts.push_back({one.inputs[i].first_read, one.inputs[i].reads});
    draw_track(scene, canvas, scene.op().reads, track, repeat, input_color(input.role));
  }
  Track written{scene.made ? "D, written" : "D, to write", {}};
  for (const MicroRepeat& one : repeats) written.parts.push_back({one.first_write, one.writes});
  draw_track(scene, canvas, scene.op().writes, written, repeat, look().theme->written);
}

// --- the lanes of a repeat ---

bool is_predicate(const MicroScene& scene, std::uint32_t value) {
  return scene.trace.values[value].kind == TraceValue::Kind::Predicate;
}
float strip_height(const MicroScene& scene, std::uint32_t value) {
  return is_predicate(scene, value) ? std::floor(look().px(16)) : lane_height();
}
// The lanes that answers are for, as wide as the registers they were made of.
DType type_in_repeat(const MicroScene& scene, std::uint32_t value) {
  return is_predicate(scene, value) ? scene.type() : scene.index.value(value).type;
}

void draw_repeat_strip(const MicroScene& scene, MicroCanvas& canvas, const LaneWindow& view, const char* name,
                       std::uint32_t value, const StripLook& strip) {
  const float height = strip_height(scene, value);
  const DType type = type_in_repeat(scene, value);
  put_label(canvas, name, "", height);
  if (is_predicate(scene, value)) draw_predicate(view, canvas.y, scene.trace.values[value], type);
  else draw_register(view, canvas.y, scene.trace.values[value], type, strip);
  canvas.y += height + look().px(6);
}

// Which bytes of the result's register a repeat stores.
std::vector<bool> stored_bytes(const MicroScene& scene, const MicroRepeat& repeat) {
  std::vector<bool> stored(VL);
  for (const TraceMove& move : scene.op().moves) {
    const bool here =
        move.to.memory && move.to.of >= repeat.first_write && move.to.of < repeat.first_write + repeat.writes;
    if (!here || move.from.memory || move.from.of != repeat.result) continue;
    for_pieces(move, [&](const TracePlace& from, const TracePlace&) {
      for (std::uint32_t byte = from.bit / 8; byte < (from.bit + move.bits + 7) / 8 && byte < VL; ++byte)
        stored[byte] = true;
    });
  }
  return stored;
}

void draw_repeat_result(const MicroScene& scene, MicroCanvas& canvas, const LaneWindow& view,
                        const MicroRepeat& repeat) {
  if (!repeat.result) return;
  const std::uint32_t size = size_bytes(type_in_repeat(scene, *repeat.result));
  const auto marks = [stored = stored_bytes(scene, repeat), size](std::uint32_t lane) {
    return stored[lane * size] ? Mark::Written : Mark::Faded;
  };
  draw_repeat_strip(scene, canvas, view, "D", *repeat.result, {.source = look().theme->written, .marks = marks});
}

void draw_repeat_lanes(const MicroScene& scene, MicroLook& state, MicroCanvas& canvas, const MicroRepeat& repeat) {
  const DType type = scene.type();
  const LaneWindow view = place_lanes(canvas.strip_x(), canvas.strip_width(), type, state.first_byte);
  state.first_byte = view.first;
  const float top = canvas.y, gap = look().px(6);
  draw_lane_numbers(view, canvas.y, type);
  canvas.y += look().fonts.mono_small->FontSize + look().px(3);
  if (repeat.lanes) {
    put_label(canvas, "vector mask", "", strip_height(scene, *repeat.lanes));
    draw_predicate(view, canvas.y, scene.trace.values[*repeat.lanes], scene.index.value(*repeat.lanes).type);
    canvas.y += strip_height(scene, *repeat.lanes) + gap;
  }
  for (const RepeatInput& input : repeat.inputs)
    draw_repeat_strip(scene, canvas, view, input.name, input.value, {.source = input_color(input.role)});
  draw_repeat_result(scene, canvas, view, repeat);
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
// A row is what one of the repeat's reads brought; the moves say where each of its elements goes.
Turned turned_blocks(const MicroScene& scene, std::uint32_t number) {
  const MicroStep& op = scene.op();
  const std::uint32_t size = size_bytes(scene.type()), first = op.repeats[number].reads;
  const std::size_t end = number + 1 < op.repeats.size() ? op.repeats[number + 1].reads : op.reads.size();
  std::vector<std::vector<TurnedCell>> rows(end - first);
  std::map<std::uint64_t, std::vector<TurnedCell>> to;
  const auto take = [&](const TracePlace& from, const TracePlace& at) {
    if (from.of < first || from.of >= end) return;
    const TraceAccess& read = op.reads[from.of];
    const std::uint64_t target = op.writes[at.of].address + at.bit / 8;
    std::uint64_t bits = 0;
    std::memcpy(&bits, scene.trace.bytes.data() + read.after + from.bit / 8, size);
    rows[from.of - first].push_back({read.address + from.bit / 8, bits, from.of - first});
    to[target / read.size].push_back({target, bits, from.of - first});
  };
  for (const TraceMove& move : op.moves)
    for_pieces(move, [&](TracePlace from, TracePlace at) {
      for (std::uint32_t left = move.bits; left >= 8 * size; left -= 8 * size) {
        take(from, at);
        from.bit += 8 * size;
        at.bit += 8 * size;
      }
    });
  Turned turned;
  const auto keep = [](TurnedBlocks& blocks, std::vector<TurnedCell>& cells) {
    if (cells.empty()) return;
    std::ranges::sort(cells, {}, &TurnedCell::address);
    blocks.push_back({cells.front().address, cells});
  };
  for (std::vector<TurnedCell>& cells : rows) keep(turned.from, cells);
  for (auto& [block, cells] : to) keep(turned.to, cells);
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
  if (!turns_blocks(scene.op())) return false;
  draw_args(scene, canvas);
  choose_repeat(canvas, static_cast<std::uint32_t>(scene.op().repeats.size()), state.repeat);
  const Turned turned = turned_blocks(scene, state.repeat);
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
