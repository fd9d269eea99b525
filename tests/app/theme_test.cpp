// Colours as numbers: text that can be read, data that stands out from its ground, hues of the palette, and heat scales
// that keep their order in grey.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "app/theme/theme.h"

using namespace ts::ui;

namespace {

struct Named {
  const char* name;
  Color Theme::*color;
};

constexpr Named kGrounds[] = {{"window", &Theme::window},   {"pane", &Theme::pane},       {"raised", &Theme::raised},
                              {"hovered", &Theme::hovered}, {"pressed", &Theme::pressed}, {"cell", &Theme::cell}};
// Colours that sentences are written in.
constexpr Named kTexts[] = {{"text", &Theme::text}, {"text_quiet", &Theme::text_quiet}};
// Colours that words are written in, on what does not move under the mouse.
constexpr Named kWords[] = {{"accent", &Theme::accent}, {"finding", &Theme::finding}, {"good", &Theme::good}};
constexpr Named kWordGrounds[] = {{"window", &Theme::window}, {"pane", &Theme::pane}, {"raised", &Theme::raised}};

// Okabe and Ito's palette by what it says here.
struct Hue {
  const char* name;
  Color Theme::*color;
  Color palette;
};
constexpr Hue kData[] = {
    {"src0", &Theme::src0, rgb(0x0072B2)},              // blue
    {"src1", &Theme::src1, rgb(0xE69F00)},              // orange
    {"mask", &Theme::mask, rgb(0xCC79A7)},              // reddish purple
    {"scratch", &Theme::scratch, rgb(0x999999)},        // grey
    {"written", &Theme::written, rgb(0x009E73)},        // bluish green
    {"read", &Theme::read, rgb(0x56B4E9)},              // sky blue
    {"finding", &Theme::finding, rgb(0xD55E00)},        // vermillion
    {"difference", &Theme::difference, rgb(0xF0E442)},  // yellow
};

// Degrees, 0 to 360; below 0: grey.
double hue(Color color) {
  const double r = color.r, g = color.g, b = color.b;
  const double high = std::max({r, g, b}), low = std::min({r, g, b}), span = high - low;
  if (span == 0) return -1;
  if (high == r) return std::fmod(60 * (g - b) / span + 360, 360);
  return high == g ? 60 * (b - r) / span + 120 : 60 * (r - g) / span + 240;
}

double degrees_apart(double a, double b) { return std::abs(std::remainder(a - b, 360)); }

// CIE lightness, 0 to 100: equal steps look equal.
double lightness(Color color) {
  const double y = luminance(color);
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

void check_contrast(const Theme& theme, const Named& top, const Named& ground, double least) {
  CAPTURE(std::string(theme.name));
  CAPTURE(std::string(top.name) + " on " + ground.name);
  CHECK(contrast(theme.*top.color, theme.*ground.color) >= least);
}

}  // namespace

TEST_CASE("themes: contrast is what the guidelines say of known pairs") {
  CHECK(contrast(rgb(0x000000), rgb(0xFFFFFF)) == doctest::Approx(21));
  CHECK(contrast(rgb(0x777777), rgb(0xFFFFFF)) == doctest::Approx(4.478).epsilon(0.001));
  CHECK(contrast(rgb(0x0072B2), rgb(0x0072B2)) == doctest::Approx(1));
  CHECK(luminance(rgb(0xFF0000)) == doctest::Approx(0.2126));
}

TEST_CASE("themes: text is readable on every ground it stands on") {
  for (const Theme& theme : themes()) {
    for (const Named& text : kTexts)
      for (const Named& ground : kGrounds) check_contrast(theme, text, ground, 4.5);
    for (const Named& word : kWords)
      for (const Named& ground : kWordGrounds) check_contrast(theme, word, ground, 4.5);
    check_contrast(theme, {"accent_text", &Theme::accent_text}, {"accent", &Theme::accent}, 4.5);
  }
}

TEST_CASE("themes: black or white is readable on every filled ground") {
  for (const Theme& theme : themes()) {
    CAPTURE(std::string(theme.name));
    for (const Hue& data : kData) {
      CAPTURE(std::string(data.name));
      const Color ground = theme.*data.color;
      CHECK(contrast(ground, text_on(ground)) >= 4.5);
    }
    for (int i = -100; i <= 100; ++i) {
      CAPTURE(i);
      const Color one_sided = heat_color(std::abs(i) / 100.0), two_sided = signed_heat_color(theme, i / 100.0);
      CHECK(contrast(one_sided, text_on(one_sided)) >= 4.5);
      CHECK(contrast(two_sided, text_on(two_sided)) >= 4.5);
    }
  }
}

TEST_CASE("themes: data stands out from the grounds it is drawn on") {
  constexpr Named kDataGrounds[] = {
      {"cell", &Theme::cell}, {"pane", &Theme::pane}, {"raised", &Theme::raised}, {"hovered", &Theme::hovered}};
  for (const Theme& theme : themes()) {
    for (const Named& ground : kDataGrounds) {
      for (const Hue& data : kData) check_contrast(theme, {data.name, data.color}, ground, 3);
      check_contrast(theme, {"select", &Theme::select}, ground, 7);
    }
  }
}

TEST_CASE("themes: data has the hues of Okabe and Ito") {
  for (const Theme& theme : themes()) {
    for (const Hue& data : kData) {
      CAPTURE(std::string(theme.name));
      CAPTURE(std::string(data.name));
      const double wanted = hue(data.palette), found = hue(theme.*data.color);
      CHECK((wanted < 0) == (found < 0));
      if (wanted >= 0) CHECK(degrees_apart(found, wanted) <= 9);
    }
  }
}

TEST_CASE("themes: the scale for numbers of one sign keeps its order in grey, in equal steps") {
  constexpr int kSteps = 90;
  double before = lightness(heat_color(0));
  const double whole = lightness(heat_color(1)) - before;
  CHECK(whole > 70);
  for (int i = 1; i <= kSteps; ++i) {
    CAPTURE(i);
    const double here = lightness(heat_color(static_cast<double>(i) / kSteps));
    // A step is at most off by rounding to whole channels and by the lines between the scale's points.
    CHECK(here - before > 0.5 * whole / kSteps);
    CHECK(here - before < 1.5 * whole / kSteps);
    before = here;
  }
}

TEST_CASE("themes: the scale for numbers of both signs darkens from its middle to its ends, blue below, orange above") {
  for (const Theme& theme : themes()) {
    CAPTURE(std::string(theme.name));
    for (const int sign : {-1, 1}) {
      double before = luminance(signed_heat_color(theme, 0));
      for (int i = 1; i <= 20; ++i) {
        const double here = luminance(signed_heat_color(theme, sign * i / 20.0));
        CHECK(here < before);
        before = here;
      }
    }
    CHECK(degrees_apart(hue(signed_heat_color(theme, -1)), 202) <= 9);
    CHECK(degrees_apart(hue(signed_heat_color(theme, 1)), 35) <= 9);
    CHECK(signed_heat_color(theme, 0) == theme.heat_zero);
  }
}

TEST_CASE("themes: what lies outside a scale is its end") {
  CHECK(heat_color(-3) == heat_color(0));
  CHECK(heat_color(7) == heat_color(1));
  for (const Theme& theme : themes()) CHECK(signed_heat_color(theme, 2) == signed_heat_color(theme, 1));
}

TEST_CASE("themes: they are found by their names, dark first") {
  REQUIRE(!themes().empty());
  CHECK(themes().front().dark);
  for (const Theme& theme : themes()) CHECK(find_theme(theme.name) == &theme);
  CHECK(find_theme("sepia") == nullptr);
}

namespace {

// As eyes without one kind of cone see it (Vienot, Brettel, Mollon 1999), in linear light; then how far apart two
// colours look, in CIE Lab.
enum class Eyes { Usual, NoRed, NoGreen };

std::array<double, 3> linear(Color color) {
  const auto one = [](std::uint8_t channel) {
    const double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return {one(color.r), one(color.g), one(color.b)};
}

std::array<double, 3> lab(Color color, Eyes eyes) {
  auto [r, g, b] = linear(color);
  if (eyes != Eyes::Usual) {
    const double mixed = eyes == Eyes::NoRed ? 0.11238 * r + 0.88762 * g : 0.29275 * r + 0.70725 * g;
    const double blue = eyes == Eyes::NoRed ? 0.00401 * r - 0.00401 * g + b : -0.02234 * r + 0.02234 * g + b;
    r = g = mixed;
    b = blue;
  }
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505), y = f(0.2126 * r + 0.7152 * g + 0.0722 * b),
               z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double apart(Color a, Color b, Eyes eyes) {
  const auto one = lab(a, eyes), other = lab(b, eyes);
  return std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

}  // namespace

TEST_CASE("themes: what stands side by side is told apart by all kinds of eyes") {
  constexpr struct {
    const char* what;
    Color Theme::*a;
    Color Theme::*b;
  } kPairs[] = {{"first and second source", &Theme::src0, &Theme::src1},
                {"first source and mask", &Theme::src0, &Theme::mask},
                {"second source and mask", &Theme::src1, &Theme::mask},
                {"first source and result", &Theme::src0, &Theme::written},
                {"second source and result", &Theme::src1, &Theme::written},
                {"finding and result", &Theme::finding, &Theme::written}};
  for (const Theme& theme : themes())
    for (const auto& pair : kPairs)
      for (const Eyes eyes : {Eyes::Usual, Eyes::NoRed, Eyes::NoGreen}) {
        CAPTURE(theme.name);
        CAPTURE(pair.what);
        CAPTURE(static_cast<int>(eyes));
        CHECK(apart(theme.*pair.a, theme.*pair.b, eyes) >= 20);
      }
}

TEST_CASE("themes: high contrast has more of it") {
  const Theme* theme = find_theme("contrast");
  REQUIRE(theme != nullptr);
  for (const Named& ground : kGrounds)
    for (const Named& text : kTexts) check_contrast(*theme, text, ground, 7);
  for (const Hue& data : kData) check_contrast(*theme, {data.name, data.color}, {"cell", &Theme::cell}, 7);
  check_contrast(*theme, {"line", &Theme::line}, {"pane", &Theme::pane}, 4.5);
}

TEST_CASE("themes: every colour has a row, so that files can name it") {
  std::set<std::string> names;
  for (const ts::data::PaletteColor& color : ts::data::palette_colors()) {
    CHECK(names.insert(color.name).second);
    CHECK(std::string(color.help) != "");
  }
  // Colours, a name, and whether it is dark.
  CHECK(names.size() * sizeof(Color) + sizeof(std::string) + alignof(std::string) >= sizeof(Theme));
}
