// A stretch of numbers along a line of pixels, such as steps or addresses: zoomed about a point, moved, and asked both
// ways. Numbers are doubles, so that hundreds of millions of them stay exact.
#pragma once

namespace ts::ui {

class Axis {
 public:
  // What there is at most: [low, high], high > low. What does not fit any more is moved.
  void set_whole(double low, double high);
  // The pixels it is drawn on.
  void set_pixels(float first, float last);

  double low() const { return low_; }
  double high() const { return high_; }
  double whole_low() const { return whole_low_; }
  double whole_high() const { return whole_high_; }
  bool shows_all() const { return low_ <= whole_low_ && high_ >= whole_high_; }
  // Numbers for each pixel.
  double per_px() const { return (high_ - low_) / width(); }
  double px_per() const { return width() / (high_ - low_); }
  double at(float px) const { return low_ + (static_cast<double>(px) - first_) * per_px(); }
  // Far outside of what is shown it stays close to it, as drawing far away is not exact.
  float px(double number) const;

  // `factor` below 1 shows less; what is under `about` stays there.
  void zoom(float about, double factor);
  void pan(double by);
  void show(double low, double high);
  void show_all() { show(whole_low_, whole_high_); }
  // Moves as far as needed for the number to be seen, and then some; not at all when it is.
  void reveal(double number);
  // The least that can be shown.
  void set_least(double least) { least_ = least; }

 private:
  double width() const { return last_ - first_ > 1 ? static_cast<double>(last_ - first_) : 1.0; }

  double whole_low_ = 0, whole_high_ = 1, low_ = 0, high_ = 1, least_ = 4;
  float first_ = 0, last_ = 1;
};

// Steps between labels that are round numbers: 1, 2 or 5 times a power of ten; at least `least`.
double round_step(double least);
// The same for addresses: powers of two.
double round_address_step(double least);

}  // namespace ts::ui
