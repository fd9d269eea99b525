// Drawing the buffer map.
#include "app/panes/time/buffer_map_draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/cells.h"
#include "app/draw/look.h"
#include "app/draw/shapes.h"
#include "app/draw/text.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

// Narrower than this, lives are merged.
constexpr float kNarrowestLife = 3;
// Hatching costs more than filling; where there are so many overlaps, they are seen anyway.
constexpr int kMostHatched = 300;

Rect clipped(const Rect& rect, const Rect& by) {
  return {{std::max(rect.min.x, by.min.x), std::max(rect.min.y, by.min.y)},
          {std::min(rect.max.x, by.max.x), std::min(rect.max.y, by.max.y)}};
}

bool is_empty(const Rect& rect) { return rect.min.x >= rect.max.x || rect.min.y >= rect.max.y; }

// Calls f(index) for times that are seen; of many in a few pixels, for one.
template <class F>
void for_seen(const MapFrame& frame, std::span<const HalfSteps> times, F f) {
  const Axis& axis = frame.steps.axis();
  const auto half_at = [&](double step) { return static_cast<std::uint32_t>(std::max(0.0, 2 * step)); };
  const std::uint32_t last = half_at(axis.high()) + 1;
  std::size_t i = first_ending_behind(times, half_at(axis.low()));
  while (i < times.size() && times[i].begin <= last) {
    f(i);
    const float x = std::max(frame.steps.px(times[i].begin / 2.0), frame.layout.map.min.x);
    const std::uint32_t behind = std::max(times[i].end, half_at(axis.at(x + look().px(kNarrowestLife))));
    i += 1 + first_ending_behind(times.subspan(i + 1), behind);
  }
}

Color life_color(const MapFrame& frame, const TilePlace& place, const HalfSteps& life) {
  const Theme& theme = *look().theme;
  // Two calm grounds in turn: marks are to stand out, and names and borders tell tiles apart.
  const bool even = frame.lifetimes.root(place.tile) % 2 == 0;
  const Color calm = mix(theme.pane, even ? theme.accent : theme.text_quiet, even ? 0.36 : 0.30);
  const double now = 2 * frame.steps.now();
  const bool alive = life.begin <= now && now <= life.end;
  return alive ? calm : mix(theme.pane, calm, 0.5);
}

// Names stand above everything else, on a patch of their tile's ground.
class Labels {
 public:
  explicit Labels(const MapFrame& frame) : frame_(frame), font_(look().fonts.small) {}

  // In the upper left corner of what is seen of a life. False: there is no room.
  bool put_in(const Rect& whole, const TilePlace& place, Color ground) {
    const Rect rect = clipped(whole, frame_.layout.map);
    if (rect.height() < font_->FontSize + look().px(1) || rect.width() < look().px(26)) return false;
    const TileDecl& tile = frame_.recording.program().tiles[place.tile];
    const std::string type = fmt::format("  {}x{} {}", tile.type.rows, tile.type.cols, name(tile.type.dtype));
    const float room = rect.width() - look().px(8);
    const std::string text = width(tile.name + type) <= room ? tile.name + type : tile.name;
    const float down = rect.height() > font_->FontSize + look().px(8) ? look().px(3) : 0;
    put({rect.min.x + look().px(4), rect.min.y + down}, std::min(room, width(text)), text, ground);
    return true;
  }

  // At the left of a row whose lives are all too short for a name; beside the others that stand there.
  void put_beside(const TilePlace& place, Color ground) {
    if (rows_.size() >= kMostRows) return;
    const Rect row = clipped(
        {{frame_.layout.map.min.x, frame_.bytes.px(place.bytes.address)},
         {frame_.layout.map.max.x, frame_.bytes.px(static_cast<double>(place.bytes.address) + place.bytes.size)}},
        frame_.layout.map);
    if (row.height() < font_->FontSize + look().px(1)) return;
    float x = row.min.x + look().px(6);
    for (const Row& other : rows_)
      if (std::abs(other.y - row.min.y) < font_->FontSize + look().px(2)) x = std::max(x, other.end + look().px(8));
    const std::string& text = frame_.name_of(place);
    put({x, row.min.y + look().px(2)}, width(text), text, ground);
    rows_.push_back({row.min.y, x + width(text)});
  }

 private:
  float width(const std::string& text) const {
    return font_->CalcTextSizeA(font_->FontSize, FLT_MAX, 0, text.c_str()).x;
  }
  void put(ImVec2 at, float wide, const std::string& text, Color ground) {
    const Rect patch{{at.x - look().px(3), at.y}, {at.x + wide + look().px(3), at.y + font_->FontSize + look().px(1)}};
    frame_.out.AddRectFilled(patch.min, patch.max, ink(ground), look().px(2));
    frame_.out.PushClipRect(patch.min, patch.max, true);
    frame_.out.AddText(font_, font_->FontSize, {std::floor(at.x), std::floor(at.y)}, ink(text_on(ground)),
                       text.c_str());
    frame_.out.PopClipRect();
  }

  static constexpr std::size_t kMostRows = 200;
  struct Row {
    float y, end;
  };
  const MapFrame& frame_;
  ImFont* font_;
  std::vector<Row> rows_;
};

void draw_life(const MapFrame& frame, std::uint32_t number, std::size_t index) {
  const Theme& theme = *look().theme;
  const TilePlace& place = frame.lifetimes.places()[number];
  const HalfSteps& life = frame.lifetimes.lives(place)[index];
  const Rect rect = frame.rect_of(place.bytes, life);
  const Color color = life_color(frame, place, life);
  frame.out.AddRectFilled(rect.min, rect.max, ink(color));
  if (rect.width() > look().px(5) && rect.height() > look().px(3)) {
    const ImU32 border = ink(mix(color, text_on(theme.pane), 0.35));
    const bool alias = frame.recording.program().tiles[place.tile].alias;
    if (alias) dashed_rect(frame.out, clipped(rect, frame.layout.map), border, look().px(3), 1);
    else frame.out.AddRect(rect.min, rect.max, border, 0, 0, 1);
  }
  if (targets_wanted()) note_target("buffermap/" + frame.name_of(place), clipped(rect, frame.layout.map));
  if (frame.hovered == LifeAt{number, index}) frame.out.AddRect(rect.min, rect.max, ink(theme.select), 0, 0, 1.5f);
}

}  // namespace

Rect MapFrame::rect_of(const ByteRange& range, HalfSteps time) const {
  const float x = steps.px(time.begin / 2.0), end = steps.px(time.end / 2.0);
  const float top = bytes.px(range.address), bottom = bytes.px(static_cast<double>(range.address) + range.size);
  return {{x, top}, {std::max(end, x + look().px(kNarrowestLife)), std::max(bottom, top + 1)}};
}

void draw_addresses(const MapFrame& frame) {
  const Theme& theme = *look().theme;
  const Rect &map = frame.layout.map, &rect = frame.layout.addresses;
  ImFont* font = look().fonts.mono_small;
  const double every = std::max(32.0, round_address_step(look().px(26) * frame.bytes.per_px()));
  const double end = std::min<double>(frame.bytes.high(), frame.memory.capacity);
  for (double at = std::ceil(frame.bytes.low() / every) * every; at <= end; at += every) {
    const float y = std::floor(frame.bytes.px(at));
    frame.out.AddLine({map.min.x, y}, {map.max.x, y}, ink(theme.grid), 1);
    const std::string text = fmt::format("{:#x}", static_cast<std::uint64_t>(at));
    const ImVec2 size = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.c_str());
    const float label_y = std::clamp(y - size.y / 2, rect.min.y, std::max(rect.min.y, rect.max.y - size.y));
    frame.out.AddText(font, font->FontSize, {rect.max.x - size.x - look().px(6), label_y}, ink(theme.text_quiet),
                      text.c_str());
  }
}

// Behind the capacity there is nothing.
static void draw_capacity(const MapFrame& frame) {
  const Theme& theme = *look().theme;
  const Rect& map = frame.layout.map;
  const float y = frame.bytes.px(frame.memory.capacity);
  if (y > map.max.y) return;
  const Rect behind = clipped({{map.min.x, y}, map.max}, map);
  if (!is_empty(behind)) hatch(frame.out, behind, ink(theme.line), look().px(7), false);
  const Color color = frame.memory.over_capacity() ? theme.finding : theme.text;
  frame.out.AddLine({map.min.x, y}, {map.max.x, y}, ink(color), look().px(2));
  ImFont* font = look().fonts.small;
  const std::string text = fmt::format("{} of {} ends here: {}", name(frame.memory.space),
                                       name(frame.recording.program().target), byte_words(frame.memory.capacity));
  const ImVec2 size = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.c_str());
  frame.out.AddText(font, font->FontSize, {map.max.x - size.x - look().px(6), y - size.y - look().px(2)}, ink(color),
                    text.c_str());
}

namespace {

// Calls f(number) for the places of the memory that are seen.
template <class F>
void for_seen_places(const MapFrame& frame, F f) {
  for (std::uint32_t i = frame.memory.first_place; i < frame.memory.end_place; ++i) {
    const ByteRange& bytes = frame.lifetimes.places()[i].bytes;
    const double begin = bytes.address, end = begin + bytes.size;
    if (begin <= frame.bytes.high() && end >= frame.bytes.low()) f(i);
  }
}

}  // namespace

void draw_lives(const MapFrame& frame) {
  for_seen_places(frame, [&](std::uint32_t i) {
    for_seen(frame, frame.lifetimes.lives(frame.lifetimes.places()[i]),
             [&](std::size_t life) { draw_life(frame, i, life); });
  });
  draw_capacity(frame);
}

void draw_names(const MapFrame& frame) {
  Labels labels(frame);
  for_seen_places(frame, [&](std::uint32_t i) {
    const TilePlace& place = frame.lifetimes.places()[i];
    const auto lives = frame.lifetimes.lives(place);
    bool named = false;
    std::optional<Color> ground;
    for_seen(frame, lives, [&](std::size_t life) {
      ground = life_color(frame, place, lives[life]);
      named |= labels.put_in(frame.rect_of(place.bytes, lives[life]), place, *ground);
    });
    if (!named && ground) labels.put_beside(place, *ground);
  });
}

void draw_overlaps(const MapFrame& frame) {
  const Theme& theme = *look().theme;
  int hatched = 0;
  for (const Overlap& overlap : frame.lifetimes.overlaps(frame.memory)) {
    const auto times = frame.lifetimes.times(overlap);
    for_seen(frame, times, [&](std::size_t i) {
      const Rect rect = clipped(frame.rect_of(overlap.bytes, times[i]), frame.layout.map);
      if (is_empty(rect)) return;
      frame.out.AddRectFilled(rect.min, rect.max, ink(with_alpha(theme.finding, 0.25)));
      if (rect.width() < look().px(6) || rect.height() < look().px(6) || ++hatched > kMostHatched) return;
      hatch(frame.out, rect, ink(theme.finding), look().px(7), true);
      frame.out.AddRect(rect.min, rect.max, ink(theme.finding), 0, 0, 1.5f);
    });
  }
}

void draw_accesses(const MapFrame& frame) {
  if (!frame.shown) return;
  const Theme& theme = *look().theme;
  const std::uint32_t step = *frame.shown;
  for (const Operand& operand : frame.recording.bound(step).operands) {
    if (operand.spec->kind != OperandKind::Tile || !frame.is_in_memory(operand.tile.range())) continue;
    const bool writes = operand.spec->role == Role::Out;
    const std::uint32_t half = 2 * step + (writes ? 1 : 0);
    Rect rect = frame.rect_of(operand.tile.range(), {half, half + 1});
    // A mark that can be seen, also where a step is a fraction of a pixel.
    const float wide = look().px(9);
    if (rect.width() < wide)
      rect = {{rect.center().x - wide / 2, rect.min.y}, {rect.center().x + wide / 2, rect.max.y}};
    if (writes) {
      frame.out.AddRect(rect.min, rect.max, ink(theme.written), 0, 0, 2);
      const float side = std::min(look().px(9), rect.height());
      frame.out.AddTriangleFilled({rect.max.x - side, rect.min.y}, {rect.max.x, rect.min.y},
                                  {rect.max.x, rect.min.y + side}, ink(theme.written));
    } else {
      const Rect seen = clipped(rect, {{rect.min.x, frame.layout.map.min.y}, {rect.max.x, frame.layout.map.max.y}});
      if (!is_empty(seen)) dashed_rect(frame.out, seen, ink(theme.read), look().px(2), 2);
    }
  }
}

void draw_pointed_bytes(const MapFrame& frame, const ByteRange& bytes) {
  if (!frame.is_in_memory(bytes)) return;
  const Theme& theme = *look().theme;
  const float top = frame.bytes.px(bytes.address);
  const float bottom = std::max(top + 2, frame.bytes.px(static_cast<double>(bytes.address) + bytes.size));
  const Rect& map = frame.layout.map;
  frame.out.AddRectFilled({map.min.x, top}, {map.max.x, bottom}, ink(with_alpha(theme.text, 0.08)));
  frame.out.AddLine({map.min.x, top}, {map.max.x, top}, ink(with_alpha(theme.text, 0.4)), 1);
  frame.out.AddLine({map.min.x, bottom}, {map.max.x, bottom}, ink(with_alpha(theme.text, 0.4)), 1);
}

std::optional<LifeAt> life_at(const MapFrame& frame, ImVec2 point) {
  const double half = 2 * frame.steps.axis().at(point.x), address = frame.bytes.at(point.y);
  if (half < 0 || address < 0) return {};
  // Merged lives are as wide as they are drawn.
  const double slack = 2 * look().px(kNarrowestLife) * frame.steps.axis().per_px();
  std::optional<LifeAt> found;
  std::uint32_t smallest = ~0u;
  for (std::uint32_t i = frame.memory.first_place; i < frame.memory.end_place; ++i) {
    const TilePlace& place = frame.lifetimes.places()[i];
    const double begin = place.bytes.address, end = begin + place.bytes.size;
    if (address < begin || address >= end || place.bytes.size >= smallest) continue;
    const auto lives = frame.lifetimes.lives(place);
    const std::size_t life = first_ending_behind(lives, static_cast<std::uint32_t>(std::max(0.0, half - slack)));
    if (life == lives.size() || lives[life].begin > half) continue;
    found = LifeAt{i, life};
    smallest = place.bytes.size;
  }
  return found;
}

std::string byte_words(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  // Quarters of a KiB are exact with two digits; everything else is told in bytes.
  if (bytes % 1024 == 0) return fmt::format("{} KiB", bytes / 1024);
  if (bytes % 256 == 0) return fmt::format("{:g} KiB", static_cast<double>(bytes) / 1024);
  return fmt::format("{} bytes", grouped(bytes));
}

}  // namespace ts::ui
