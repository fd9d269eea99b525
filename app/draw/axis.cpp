// Zooming and moving along a line.
#include "app/draw/axis.h"

#include <algorithm>
#include <cmath>

namespace ts::ui {

void Axis::set_whole(double low, double high) {
  const bool showed_all = shows_all();
  whole_low_ = low;
  whole_high_ = std::max(high, low + 1e-9);
  if (showed_all) show_all();
  else show(low_, high_);
}

void Axis::set_pixels(float first, float last) {
  first_ = first;
  last_ = last;
}

float Axis::px(double number) const {
  constexpr double kFar = 1e4;
  return static_cast<float>(std::clamp(first_ + (number - low_) * px_per(), first_ - kFar, last_ + kFar));
}

void Axis::zoom(float about, double factor) {
  const double fixed = at(about);
  const double whole = whole_high_ - whole_low_, length = high_ - low_;
  const double wanted = std::clamp(length * factor, std::min(least_, whole), whole);
  const double share = (fixed - low_) / length;
  show(fixed - share * wanted, fixed + (1 - share) * wanted);
}

void Axis::pan(double by) { show(low_ + by, high_ + by); }

void Axis::show(double low, double high) {
  const double whole = whole_high_ - whole_low_;
  const double length = std::clamp(high - low, std::min(least_, whole), whole);
  low_ = std::clamp(low, whole_low_, whole_high_ - length);
  high_ = low_ + length;
}

void Axis::reveal(double number) {
  if (number >= low_ && number <= high_) return;
  const double length = high_ - low_, margin = length / 4;
  if (number < low_) show(number - margin, number - margin + length);
  else show(number + margin - length, number + margin);
}

double round_step(double least) {
  if (least <= 1) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double times : {1.0, 2.0, 5.0})
    if (times * power >= least) return times * power;
  return 10 * power;
}

double round_address_step(double least) { return least <= 1 ? 1 : std::exp2(std::ceil(std::log2(least))); }

}  // namespace ts::ui
