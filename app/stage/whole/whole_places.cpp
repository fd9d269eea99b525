// Where the operands of a step stand when each is drawn whole: inputs on one side and results on the other, so that every
// map faces the room that bands lead through.
#include <algorithm>
#include <cmath>

#include "app/draw/look.h"
#include "app/stage/parts/parts.h"
#include "app/stage/parts/scratch.h"
#include "app/stage/whole/whole.h"

namespace ts::ui {
namespace {

constexpr float kNumberWidth = 52, kNumberHeight = 20;

float rows_of(const StageOperand& operand) {
  if (operand.slice) return static_cast<float>(operand.slice->rows);
  return static_cast<float>(std::max(1u, operand.picture == nullptr ? 1 : operand.picture->elements.rows));
}
float cols_of(const StageOperand& operand) {
  return static_cast<float>(std::max(1u, operand.picture == nullptr ? 1 : operand.picture->elements.cols));
}

// How large cells get, as one number that grows with both sides but not for threads.
float cell_worth(const StageOperand& operand, const Rect& room) {
  const float x = std::min(room.width() / cols_of(operand), look().px(60)),
              y = std::min(room.height() / rows_of(operand), look().px(22));
  return std::log(std::max(0.001f, std::min(x, 6 * y))) + std::log(std::max(0.001f, std::min(y, 6 * x)));
}

// Shares of a length by weights, none larger than its wish while another one wants more.
std::vector<float> shares(float length, const std::vector<float>& weights, const std::vector<float>& wishes) {
  std::vector<float> given(weights.size(), 0);
  std::vector<bool> full(weights.size(), false);
  float left = std::max(length, 1.0f);
  for (std::size_t round = 0; round < weights.size(); ++round) {
    float all = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) all += full[i] ? 0 : weights[i];
    bool changed = false;
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (!full[i] && all > 0 && left * weights[i] / all > wishes[i]) {
        given[i] = wishes[i];
        left -= wishes[i];
        full[i] = changed = true;
        break;
      }
    if (changed) continue;
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (!full[i]) given[i] = left * weights[i] / all;
    break;
  }
  return given;
}

bool is_in_focus(const StageStep& step, const StageOperand& operand) {
  return operand.index == step.focus->operand ||
         std::ranges::any_of(step.source_cells, [&](const StageCell& cell) { return cell.operand == operand.index; });
}

class Placing {
 public:
  Placing(const StageStep& step, const Rect& area, float gutter) : area_(area), gutter_(gutter) {
    // Where there is no room for numbers beside all maps, these are the result in focus and what it came from.
    const bool is_low = area.height() < look().px(150) && step.focus.has_value();
    for (const StageOperand& operand : step.operands) {
      // Scratch that the step does without says nothing about it.
      const bool idle =
          operand.operand->spec->role == Role::Tmp && (operand.picture == nullptr || !writes_to(step, operand));
      if (!idle && (!is_low || is_in_focus(step, operand))) (operand.result ? results_ : inputs_).push_back(&operand);
    }
  }

  WholePlaces place(bool sideways) {
    WholePlaces places{sideways};
    if (inputs_.empty() || results_.empty()) {
      place_group(inputs_.empty() ? results_ : inputs_, area_, sideways, places);
      return places;
    }
    const float gap =
        std::clamp((sideways ? area_.width() : area_.height()) * 0.08f, look().px(18), look().px(sideways ? 90 : 48));
    const float share = input_share(sideways);
    Rect first = area_, second = area_;
    if (sideways) {
      first.max.x = area_.min.x + (area_.width() - gap) * share;
      second.min.x = first.max.x + gap;
    } else {
      first.max.y = area_.min.y + (area_.height() - gap) * share;
      second.min.y = first.max.y + gap;
    }
    place_group(inputs_, first, sideways, places);
    place_group(results_, second, sideways, places);
    return places;
  }

  static double worth(const WholePlaces& places) {
    double sum = 0;
    for (const OperandPlace& place : places.operands)
      if (place.operand->picture != nullptr) sum += static_cast<double>(cell_worth(*place.operand, place.map));
    return sum;
  }

 private:
  // What a group can make use of across.
  float wish_across(const std::vector<const StageOperand*>& group, bool sideways) const {
    float most = look().px(130);
    for (const StageOperand* operand : group) {
      if (operand->picture == nullptr) continue;
      const float count = sideways ? cols_of(*operand) : rows_of(*operand);
      most = std::max(most, sideways ? count * look().px(kNumberWidth * 1.6f) + look().px(130)
                                     : count * look().px(28) + look().px(150));
    }
    return most;
  }

  // What a side needs across the room for bands: half each, less where its operands are narrow.
  float input_share(bool sideways) const {
    const float length = sideways ? area_.width() : area_.height();
    const float inputs = wish_across(inputs_, sideways) / length, results = wish_across(results_, sideways) / length;
    if (inputs < 0.4f) return inputs;
    if (results < 0.4f) return 1 - results;
    const auto need = [&](const std::vector<const StageOperand*>& group) {
      float most = 1;
      for (const StageOperand* operand : group) most = std::max(most, sideways ? cols_of(*operand) : rows_of(*operand));
      return std::pow(most, 0.5f);
    };
    const float a = need(inputs_), b = need(results_);
    return std::clamp(a / (a + b), 0.3f, 0.7f);
  }

  void place_group(const std::vector<const StageOperand*>& group, const Rect& area, bool downwards,
                   WholePlaces& places) const {
    const float gap = look().px(8), length = downwards ? area.height() : area.width();
    std::vector<float> weights, wishes;
    for (const StageOperand* operand : group) {
      if (operand->picture == nullptr) {
        weights.push_back(1);
        wishes.push_back(downwards ? header_height() + look().px(26) : look().px(130));
        continue;
      }
      weights.push_back(std::pow(downwards ? rows_of(*operand) : cols_of(*operand), 0.4f) + 1);
      wishes.push_back(downwards ? rows_of(*operand) * look().px(28) + look().px(150)
                                 : cols_of(*operand) * look().px(kNumberWidth * 1.6f) + look().px(60));
    }
    const std::vector<float> given = shares(length - gap * static_cast<float>(group.size() - 1), weights, wishes);
    float at = downwards ? area.min.y : area.min.x;
    for (std::size_t i = 0; i < group.size(); ++i) {
      Rect own = area;
      (downwards ? own.min.y : own.min.x) = at;
      (downwards ? own.max.y : own.max.x) = at + given[i];
      at += given[i] + gap;
      places.operands.push_back(place_one(*group[i], own, downwards));
    }
  }

  OperandPlace place_one(const StageOperand& operand, const Rect& own, bool downwards) const {
    OperandPlace place{&operand, own, own, {own.min, own.min}};
    place.header.max.y = std::min(own.max.y, own.min.y + header_height());
    place.map.min.y = place.header.max.y;
    if (operand.picture == nullptr) return place;
    const float tall = place.map.height(), wide = place.map.width(), rows = rows_of(operand), cols = cols_of(operand);
    // Where the map itself has room for numbers there is nothing to be magnified.
    if (wide / cols >= look().px(34) && tall / rows >= look().px(15)) return place;
    const float number = look().px(kNumberHeight), labels = col_number_height();
    const float narrow =
        cols * std::max(look().px(28), 6 * tall / rows) + row_number_width(operand.picture->elements.rows);
    if (narrow + look().px(2 * kNumberWidth) < wide && tall > labels + number) {
      const float rays = look().px(30);
      if (downwards && !operand.result && !results_.empty()) {
        place.lens = {place.map.min, {place.map.max.x - narrow - rays, place.map.max.y}};
        place.lens.min.x = std::max(place.lens.min.x, place.lens.max.x - cols * look().px(84) - narrow);
        place.map.min.x = place.map.max.x - narrow;
        place.header.min.x = place.lens.min.x;
      } else {
        place.lens = {{place.map.min.x + narrow + rays, place.map.min.y}, place.map.max};
        place.map.max.x = place.map.min.x + narrow;
      }
      return place;
    }
    const float lines = std::min({rows, std::floor((tall * 0.42f - labels) / number), 7.0f});
    if (lines < 1 || wide < look().px(kNumberWidth)) return place;
    const bool above = !downwards && !operand.result && !results_.empty();
    const float lens = labels + lines * number, room = std::clamp(tall * 0.06f, look().px(6), look().px(16)) + gutter_;
    // Nothing stands between a map and the bands that lead out of it.
    if (above) {
      place.lens = {place.map.min, {place.map.max.x, place.map.min.y + lens}};
      place.map.min.y += lens + room;
      return place;
    }
    place.lens = {{place.map.min.x, place.map.max.y - lens}, place.map.max};
    place.map.max.y -= lens + room;
    // A few low rows: the lens stands right below them.
    const float needed = rows * std::max(look().px(rows < 4 ? 40 : 20), 6 * wide / cols) + labels;
    if (needed < place.map.height()) {
      const float up = place.map.height() - needed;
      place.map.max.y -= up;
      place.lens.min.y -= up;
      place.lens.max.y -= up;
    }
    return place;
  }

  Rect area_;
  float gutter_;
  std::vector<const StageOperand*> inputs_, results_;
};

}  // namespace

Rect scalar_cell(const OperandPlace& place) {
  return {place.map.min,
          {std::min(place.map.max.x, place.map.min.x + look().px(110)),
           std::min(place.map.max.y, place.map.min.y + look().px(22))}};
}

WholePlaces place_operands(const StageStep& step, const Rect& area, float gutter) {
  Placing placing(step, area, gutter);
  WholePlaces sideways = placing.place(true), upright = placing.place(false);
  // Beside each other is how one reads; above each other has to be clearly larger, or rows so long that all bands would
  // leave them at their long sides.
  const bool long_rows = std::ranges::all_of(step.operands, [](const StageOperand& one) {
    return one.picture == nullptr || cols_of(one) > 16 * rows_of(one);
  });
  return long_rows || Placing::worth(upright) > Placing::worth(sideways) + 0.7 ? upright : sideways;
}

}  // namespace ts::ui
