// Values between cells: each on the link from what it is read from to where it will be written.
#include <algorithm>
#include <cmath>
#include <span>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/stage/motion/motion.h"
#include "app/stage/parts/parts.h"

namespace ts::ui {
namespace {

// So many are numbers, more are dots; and so many links are looked at in a frame.
constexpr std::size_t kMostNumbers = 300, kMostLinks = 6000;
// Where more choose at once, as each key of a sort does for each other one, only those of the focus are seen to.
constexpr std::ptrdiff_t kMostChoosing = 64;

struct Traveller {
  const StageOperand* operand;
  StageCell cell;  // that it was read from
  StageCell result;
  Rect from, to;
  float at;
  bool decided;
};

// Begins and ends slowly.
float eased(double at) { return static_cast<float>(at * at * (3 - 2 * at)); }

const Rect* place_among(const std::vector<std::pair<StageCell, Rect>>& places, const StageCell& cell) {
  const auto found = std::ranges::lower_bound(places, cell, {}, &std::pair<StageCell, Rect>::first);
  return found != places.end() && found->first == cell ? &found->second : nullptr;
}

using Places = std::span<const std::pair<StageCell, Rect>>;

// Of the places of one cell, such as the bits of a byte, the one that a value from there goes to.
const Rect& nearest(Places places, const Rect& from) {
  return std::ranges::min_element(places, {},
                                  [&](const std::pair<StageCell, Rect>& place) {
                                    return std::abs(place.second.center().x - from.center().x);
                                  })
      ->second;
}

std::vector<Traveller> travellers_of(StageStep& step, const std::vector<std::pair<StageCell, Rect>>& places) {
  std::vector<Traveller> all;
  std::size_t looked_at = 0;
  const MoveView& move = *step.move;
  for (std::size_t at = 0, end = 0; at < places.size(); at = end) {
    const StageCell cell = places[at].first;
    while (end < places.size() && places[end].first == cell) ++end;
    const StageOperand* result = step.operand(cell.operand);
    if (result == nullptr || !result->result || step.has_landed(cell)) continue;
    const std::vector<Source> sources = step.sources_of(cell);
    for (const Source& source : sources) {
      if (++looked_at > kMostLinks) return all;
      const auto from = source.kind == Source::Kind::Scalar ? StageCell{source.operand, 0, 0} : step.cell_of(source);
      if (!from) continue;
      const Rect* begin = place_among(places, *from);
      const auto way = move.motion->way(move.mode, cell, *from);
      if (begin == nullptr || !way || way->departs >= move.progress || step.operand(from->operand) == nullptr) continue;
      const Rect& to = nearest(Places(places).subspan(at, end - at), *begin);
      all.push_back(
          {step.operand(from->operand), *from, cell, *begin, to, eased(way->at(move.progress)), source.decided});
    }
  }
  return all;
}

std::string value_of(const Traveller& one, float width) {
  if (one.operand->picture == nullptr) {
    const Scalar& scalar = one.operand->operand->scalar;
    return value_text(element_format(scalar.dtype), scalar.bits, Definedness::Written, width);
  }
  const Elements& elements = one.operand->picture->elements;
  return value_text(*elements.format, elements.at(one.cell.row, one.cell.col),
                    elements.worth_at(one.cell.row, one.cell.col), width);
}

void draw_number(const Traveller& one) {
  const Theme& theme = *look().theme;
  const ImVec2 at = on_link(one.from.center(), one.to.center(), one.at);
  const float wide = std::min({one.from.width(), one.to.width(), look().px(84)}),
              tall = std::min({one.from.height(), one.to.height(), look().px(22)}) * 0.92f;
  const Rect chip{{std::floor(at.x - wide / 2), std::floor(at.y - tall / 2)},
                  {std::floor(at.x + wide / 2), std::floor(at.y + tall / 2)}};
  const Color ground = mix(theme.cell, one.operand->color, theme.dark ? 0.55 : 0.45);
  canvas().AddRectFilled(chip.min, chip.max, ink(ground), look().px(4));
  canvas().AddRect(chip.min, chip.max, ink(one.operand->color), look().px(4), 0, look().px(1.4f));
  if (tall >= look().fonts.mono_small->FontSize * 0.9f && wide > look().px(14))
    draw_text_in(canvas(), chip, value_of(one, wide), ink(text_on(ground)), look().fonts.mono_small);
}

void draw_dot(const Traveller& one) {
  canvas().AddCircleFilled(on_link(one.from.center(), one.to.center(), one.at), look().px(2.5f),
                           ink(one.operand->color), 6);
}

// The middle of the side that faces a point: the number inside is not crossed.
ImVec2 border_towards(const Rect& rect, ImVec2 point) {
  const ImVec2 middle = rect.center();
  if (point.y > rect.max.y) return {middle.x, rect.max.y};
  if (point.y < rect.min.y) return {middle.x, rect.min.y};
  return {point.x > middle.x ? rect.max.x : rect.min.x, middle.y};
}

}  // namespace

float way_done(const StageStep& step, const StageCell& source, const StageCell& result) {
  if (!step.move) return 1;
  const auto way = step.move->motion->way(step.move->mode, result, source);
  return way ? eased(way->at(step.move->progress)) : 1;
}

float way_done_to_focus(const StageStep& step) {
  float done = 1;
  if (!step.move || !step.focus) return done;
  for (const Source& source : step.sources)
    if (const auto cell = step.cell_of(source); cell && !source.decided)
      done = std::min(done, way_done(step, *cell, *step.focus));
  return done;
}

void draw_travellers(StageStep& step) {
  // Of a product so many meet in each sum that they are shown as they are summed up.
  if (!step.move || step.move->progress >= 1 || step.bound.row->product != nullptr) return;
  std::vector<std::pair<StageCell, Rect>>& places = step.memory.places;
  std::ranges::stable_sort(places, {}, &std::pair<StageCell, Rect>::first);
  const std::vector<Traveller> all = travellers_of(step, places);
  const auto choosing = std::ranges::count_if(all, &Traveller::decided);
  for (const Traveller& one : all) {
    if (!one.decided || (choosing > kMostChoosing && step.focus != one.result)) continue;
    // What chooses reaches out for what it chooses.
    const ImVec2 from = border_towards(one.from, one.to.center()),
                 to = on_link(from, one.to.center(), std::max(0.05f, one.at));
    canvas().AddLine(from, to, ink(with_alpha(look().theme->mask, 0.6)), look().px(1.2f));
  }
  for (const Traveller& one : all) {
    if (one.decided) continue;
    if (all.size() <= kMostNumbers) draw_number(one);
    else draw_dot(one);
  }
}

}  // namespace ts::ui
