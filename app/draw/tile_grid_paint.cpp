// Drawing a grid: one textured rectangle for all grounds, patterns over runs of cells, text for the cells that have
// room.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/draw/look.h"
#include "app/draw/signs.h"
#include "app/draw/tile_grid.h"

namespace ts::ui {
namespace {

constexpr float kSmallestSign = 9, kPatternSize = 7;

// All colours of a heat scale, and the two for what its range cuts off.
class HeatColors {
 public:
  explicit HeatColors(const std::optional<HeatRange>& range) : range_(range) {
    if (!range_) return;
    for (int i = 0; i < kSteps; ++i) {
      const double share = i / (kSteps - 1.0);
      colors_[static_cast<std::size_t>(i)] =
          range_->is_signed ? signed_heat_color(*look().theme, 2 * share - 1) : heat_color(share);
    }
  }
  Color at(float value) const {
    double share = heat_share(*range_, value);
    if (range_->is_signed) share = (share + 1) / 2;
    return colors_[static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * (kSteps - 1)))];
  }

 private:
  static constexpr int kSteps = 256;
  std::optional<HeatRange> range_;
  std::array<Color, kSteps> colors_{};
};

Color ground_of(const HeatColors& colors, bool heat, Sign signs, float value, bool changes) {
  const Theme& theme = *look().theme;
  Color ground = heat && !std::isnan(value) ? colors.at(value) : theme.cell;
  if (has(signs, Sign::Undefined)) ground = mix(theme.cell, theme.text_quiet, 0.10);
  if (has(signs, Sign::Nan)) ground = mix(theme.cell, theme.finding, 0.55);
  if (has(signs, Sign::Inf)) ground = mix(theme.cell, theme.mask, 0.55);
  if (!heat && changes && has(signs, Sign::Changed)) ground = mix(ground, theme.written, 0.22);
  if (!heat && has(signs, Sign::Different)) ground = mix(theme.cell, theme.difference, 0.3);
  if (has(signs, Sign::Padding)) ground = mix(theme.pane, ground, 0.35);
  return ground;
}

// So many characters at most, with a mark where more were there.
std::string cut_to(const std::string& text, std::size_t most) {
  if (characters(text) <= most) return text;
  std::size_t end = 0, count = 0;
  for (; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
    if (begins && ++count >= most) break;
  }
  return most == 0 ? "" : text.substr(0, end) + kCutMark;
}

// How wide the sign of a difference is in a cell.
float different_size(const Rect& cell) { return std::min(cell.height() * 0.45f, look().px(10)); }

// Cells of a line of headers get a number each, or every second, fifth, ... of them.
std::uint32_t label_step(float cell, float needed) {
  for (std::uint32_t step = 1;; step *= 2) {
    if (cell * static_cast<float>(step) >= needed) return step;
    if (step >= (1u << 30)) return step;
  }
}

}  // namespace

// --- what is made once per picture ---

void TileGrid::make_texture(const GridContent& content) {
  const TilePicture& picture = *content.picture;
  const auto step_of = [](float cell, std::uint32_t count) {
    const auto step = static_cast<std::uint32_t>(std::ceil(1 / std::max(cell, 0.001f)));
    return std::max({1u, step, (count + Texture::largest() - 1) / Texture::largest()});
  };
  const bool alike = !filled_;
  const std::uint32_t largest = std::max(picture.elements.rows, picture.elements.cols);
  const std::uint32_t row_step = step_of(alike ? zoom_ : cell_.y, alike ? largest : picture.elements.rows),
                      col_step = step_of(alike ? zoom_ : cell_.x, alike ? largest : picture.elements.cols);
  // Where nothing can be written, colour says what the values are like.
  const auto heat = content.heat || has_text() || content.plain ? content.heat : auto_range(picture);
  const Made wanted{picture.number, content.more_number,  heat,          look().theme,         row_step,
                    col_step,       content.show_changes, content.plain, content.colors_number};
  if (made_ == wanted && texture_) return;
  const bool other_signs = made_.picture != wanted.picture || made_.more != wanted.more;
  if (other_signs || signs_.empty()) signs_ = signs_of(picture, content.more);
  if (other_signs || spots_.row_step != row_step || spots_.col_step != col_step || spots_.signs.empty()) {
    spots_ = reduce(picture, signs_, row_step, col_step);
    any_spot_ = Sign::None;
    for (const Sign sign : spots_.signs) any_spot_ = any_spot_ | sign;
  }
  made_ = wanted;
  coarse_of_ = 0;
  const HeatColors colors(heat);
  grounds_.resize(spots_.signs.size());
  for (std::size_t i = 0; i < grounds_.size(); ++i)
    grounds_[i] = ground_of(colors, heat.has_value(), spots_.signs[i], spots_.values[i], content.show_changes);
  color_spots(content);
  if (!grounds_.empty()) texture_.upload(grounds_, spots_.cols, spots_.rows);
}

// The colours of scripts over those of values: a spot has that of the last of its cells that has one.
void TileGrid::color_spots(const GridContent& content) {
  const std::size_t all = std::size_t{shape_.rows} * shape_.cols;
  if (content.colors.size() != all) return;
  if (content.plain) return blend_spots(content);
  for (std::uint32_t row = 0; row < window_.rows; ++row)
    for (std::uint32_t col = 0; col < window_.cols; ++col) {
      const std::int32_t color = content.colors[std::size_t{window_.row + row} * shape_.cols + window_.col + col];
      if (color < 0) continue;
      Color& ground = grounds_[std::size_t{row / spots_.row_step} * spots_.cols + col / spots_.col_step];
      const Color wanted{static_cast<std::uint8_t>(color >> 16 & 255), static_cast<std::uint8_t>(color >> 8 & 255),
                         static_cast<std::uint8_t>(color & 255)};
      ground = wanted;
    }
}

// Or the mean of all of its cells that have one: two colours that take turns are seen as both, and not as one of them.
void TileGrid::blend_spots(const GridContent& content) {
  struct Sum {
    std::uint32_t r = 0, g = 0, b = 0, count = 0;
  };
  std::vector<Sum> line(spots_.cols);
  for (std::uint32_t row = 0; row < window_.rows; ++row) {
    for (std::uint32_t col = 0; col < window_.cols; ++col) {
      const std::int32_t color = content.colors[std::size_t{window_.row + row} * shape_.cols + window_.col + col];
      if (color < 0) continue;
      Sum& sum = line[col / spots_.col_step];
      sum = {sum.r + (color >> 16 & 255), sum.g + (color >> 8 & 255), sum.b + (color & 255), sum.count + 1};
    }
    if ((row + 1) % spots_.row_step != 0 && row + 1 != window_.rows) continue;
    for (std::uint32_t spot = 0; spot < spots_.cols; ++spot) {
      const Sum sum = std::exchange(line[spot], Sum{});
      if (sum.count == 0) continue;
      const auto mean = [&](std::uint32_t of) { return static_cast<std::uint8_t>(of / sum.count); };
      grounds_[std::size_t{row / spots_.row_step} * spots_.cols + spot] = {mean(sum.r), mean(sum.g), mean(sum.b)};
    }
  }
}

// A short text of a script's, in the upper left corner.
void TileGrid::draw_own_mark(ImDrawList& out, const GridContent& content, GridCell cell, const Rect& rect,
                             Color ground) {
  const std::size_t at = std::size_t{cell.row} * shape_.cols + cell.col;
  if (at >= content.marks.size() || content.marks[at].empty()) return;
  ImFont* font = look().fonts.mono_small;
  const float size = std::min(font->FontSize * 0.8f, rect.height() * 0.5f);
  const ImVec4 clip{rect.min.x, rect.min.y, rect.max.x, rect.max.y};
  out.AddText(font, size, {std::floor(rect.min.x + look().px(3)), std::floor(rect.min.y)}, ink(text_on(ground)),
              content.marks[at].c_str(), nullptr, 0, &clip);
}

const std::string& TileGrid::text_of(const GridContent& content, std::size_t at, std::size_t most) {
  const TilePicture& picture = *content.picture;
  if (texts_.picture != picture.number || texts_.style != content.numbers || texts_.most != most ||
      texts_.own != content.texts_number)
    texts_ = {picture.number, content.numbers, most, content.texts_number};
  const auto [kept, is_new] = texts_.texts.try_emplace(at);
  if (is_new) kept->second = own_text(content, at, most);
  return kept->second;
}

std::string TileGrid::own_text(const GridContent& content, std::size_t at, std::size_t most) const {
  const Elements& elements = content.picture->elements;
  const Definedness worth = elements.worth.empty() ? Definedness::Written : elements.worth[at];
  const std::size_t own = (window_.row + at / window_.cols) * shape_.cols + window_.col + at % window_.cols;
  if (own < content.texts.size()) return cut_to(content.texts[own], most);
  return fitted_text(*elements.format, elements.bits[at], worth, content.numbers, most);
}

// --- painting ---

void TileGrid::paint(ImDrawList& out, const GridContent& content) {
  make_texture(content);
  out.AddRectFilled(area_.min, area_.max, ink(look().theme->pane));
  // Frames stand a little outside of the last row; behind a slice's last one is another slice.
  const float bottom = end_row_ < shape_.rows ? std::min(cells_.max.y, corner(end_row_, 0).y) : cells_.max.y;
  out.PushClipRect(cells_.min, {cells_.max.x, bottom}, true);
  if (!grounds_.empty()) {
    draw_ground(out);
    draw_lines(out);
    draw_patterns(out);
    if (content.boxes != nullptr) draw_boxes(out, content);
    if (has_text()) draw_texts(out, content);
    else draw_spot_signs(out, content);
    if (content.boxes != nullptr) draw_box_numbers(out, *content.boxes);
    draw_valid_region(out, *content.picture);
    draw_rings(out, content);
  }
  out.PopClipRect();
  draw_headers(out);
}

// Where a corner of a cell stands, counted in doubles: far from the start of a long buffer floats are too coarse.
ImVec2 TileGrid::corner(double row, double col) const {
  return {cells_.min.x + static_cast<float>((col - col_) * cell_.x),
          cells_.min.y + static_cast<float>((row - row_) * cell_.y)};
}

Window TileGrid::visible_spots(const Reduced& spots) const {
  const auto part = [&](double from, double seen, std::uint32_t first, std::uint32_t count, std::uint32_t step) {
    const double begin = std::clamp(std::floor((from - first) / step), 0.0, static_cast<double>(count));
    const double end = std::clamp(std::ceil((from + seen - first) / step), begin, static_cast<double>(count));
    return std::pair{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
  };
  const auto [row, rows] = part(row_, cells_.height() / cell_.y, window_.row, spots.rows, spots.row_step);
  const auto [col, cols] = part(col_, cells_.width() / cell_.x, window_.col, spots.cols, spots.col_step);
  return {row, col, rows, cols};
}

void TileGrid::draw_ground(ImDrawList& out) {
  const Window seen = visible_spots(spots_);
  const double down = spots_.row_step, across = spots_.col_step;
  const ImVec2 min = corner(window_.row + seen.row * down, window_.col + seen.col * across);
  const ImVec2 max = corner(window_.row + (seen.row + seen.rows) * down, window_.col + (seen.col + seen.cols) * across);
  const auto share = [](std::uint32_t at, std::uint32_t all) {
    return static_cast<float>(static_cast<double>(at) / all);
  };
  // The last spots may stand for fewer cells than the others.
  out.PushClipRect(min, corner(window_.row + window_.rows, window_.col + window_.cols), true);
  out.AddImage(texture_.id(), min, max, {share(seen.col, spots_.cols), share(seen.row, spots_.rows)},
               {share(seen.col + seen.cols, spots_.cols), share(seen.row + seen.rows, spots_.rows)});
  out.PopClipRect();
}

void TileGrid::draw_lines(ImDrawList& out) {
  if (cell_.x < look().px(7)) return;
  const ImU32 color = ink(with_alpha(look().theme->text, cell_.x < look().px(12) ? 0.08 : 0.13));
  const Window seen = visible(shape_, cells_);
  const std::uint32_t row_begin = std::max(seen.row, window_.row),
                      row_end = std::min(seen.row + seen.rows, window_.row + window_.rows);
  const std::uint32_t col_begin = std::max(seen.col, window_.col),
                      col_end = std::min(seen.col + seen.cols, window_.col + window_.cols);
  const ImVec2 min = corner(row_begin, col_begin), max = corner(row_end, col_end);
  for (std::uint32_t col = col_begin; col <= col_end; ++col) {
    const float x = std::floor(corner(0, col).x);
    out.AddRectFilled({x, min.y}, {x + 1, max.y}, color);
  }
  for (std::uint32_t row = row_begin; row <= row_end; ++row) {
    const float y = std::floor(corner(row, 0).y);
    out.AddRectFilled({min.x, y}, {max.x, y + 1}, color);
  }
}

// One rectangle for each run of spots of a row that have the sign. `period` 0: the pattern repeats in every spot; else
// every so many pixels, and the same for all.
void TileGrid::draw_runs(ImDrawList& out, const Reduced& spots, Sign sign, ImTextureID pattern, ImU32 ink,
                         float period) {
  const Window seen = visible_spots(spots);
  const double down = spots.row_step, across = spots.col_step;
  const ImVec2 end = corner(window_.row + window_.rows, window_.col + window_.cols);
  // Patterns of pixels are anchored at the corner of what is seen.
  const ImVec2 anchor = corner(window_.row + seen.row * down, window_.col + seen.col * across);
  for (std::uint32_t row = seen.row; row < seen.row + seen.rows; ++row) {
    const Sign* line = spots.signs.data() + std::size_t{row} * spots.cols;
    for (std::uint32_t col = seen.col; col < seen.col + seen.cols; ++col) {
      if (!has(line[col], sign)) continue;
      std::uint32_t last = col + 1;
      while (last < seen.col + seen.cols && has(line[last], sign)) ++last;
      const ImVec2 a = corner(window_.row + row * down, window_.col + col * across);
      ImVec2 b = corner(window_.row + (row + 1) * down, window_.col + last * across);
      ImVec2 uv_a{0, 0}, uv_b{static_cast<float>(last - col), 1};
      if (period > 0) {
        b = {std::min(b.x, end.x), std::min(b.y, end.y)};
        uv_a = {(a.x - anchor.x) / period, (a.y - anchor.y) / period};
        uv_b = {(b.x - anchor.x) / period, (b.y - anchor.y) / period};
      }
      out.AddImage(pattern, a, b, uv_a, uv_b, ink);
      col = last;
    }
  }
}

// What is no data is seen at every size.
void TileGrid::draw_patterns(ImDrawList& out) {
  const float period = look().px(kPatternSize);
  const auto draw = [&](Sign sign, Pattern pattern, double strength) {
    if (!has(any_spot_, sign)) return;
    draw_runs(out, spots_, sign, pattern_texture(pattern), ink(with_alpha(look().theme->text, strength)), period);
  };
  draw(Sign::Padding, Pattern::CrossHatch, 0.16);
  draw(Sign::Undefined, Pattern::Hatch, 0.34);
  draw(Sign::Unspecified, Pattern::Dots, 0.5);
}

// Where the step wrote every element, one sign says so for all of them, and their values stay in sight.
void TileGrid::draw_written_frame(ImDrawList& out, const Elements& elements) {
  if (elements.valid_rows == 0 || elements.valid_cols == 0) return;
  const Rect first = rect_of({window_.row, window_.col});
  const Rect last = rect_of({window_.row + elements.valid_rows - 1, window_.col + elements.valid_cols - 1});
  const ImU32 color = ink(look().theme->written);
  const float side = look().px(14);
  out.AddRect(first.min, last.max, color, 0, 0, look().px(2));
  out.AddTriangleFilled({last.max.x - side, first.min.y}, {last.max.x, first.min.y}, {last.max.x, first.min.y + side},
                        color);
}

// Signs of cells that have no text, on spots that are large enough to tell the signs apart.
void TileGrid::draw_spot_signs(ImDrawList& out, const GridContent& content) {
  const auto step_of = [](float cell) {
    return static_cast<std::uint32_t>(std::max(1.0f, std::ceil(look().px(kSmallestSign) / cell)));
  };
  const std::uint32_t down = step_of(filled_ ? cell_.y : cell_.x), across = step_of(cell_.x);
  if (coarse_of_ != made_.picture || coarse_.row_step != down || coarse_.col_step != across) {
    // From what is drawn, so that the signs stand where the spots are.
    coarse_ = {.row_step = down,
               .col_step = across,
               .rows = (window_.rows + down - 1) / down,
               .cols = (window_.cols + across - 1) / across,
               .signs = {},
               .values = {}};
    coarse_.signs.assign(std::size_t{coarse_.rows} * coarse_.cols, Sign::None);
    for (std::uint32_t row = 0; row < window_.rows; ++row) {
      const Sign* line = signs_.data() + std::size_t{row} * window_.cols;
      Sign* spots = coarse_.signs.data() + std::size_t{row / down} * coarse_.cols;
      for (std::uint32_t col = 0; col < window_.cols; ++col) spots[col / across] = spots[col / across] | line[col];
    }
    for (Sign& sign : coarse_.signs)
      if (has(sign, Sign::Changed)) sign = static_cast<Sign>(static_cast<int>(sign) & ~static_cast<int>(Sign::Written));
    coarse_of_ = made_.picture;
    all_written_ = std::ranges::all_of(coarse_.signs, [](Sign sign) {
      return has(sign, Sign::Padding) || has(sign, Sign::Changed) || has(sign, Sign::Written);
    });
  }
  const Theme& theme = *look().theme;
  const auto draw = [&](Sign sign, Pattern pattern, Color color) {
    draw_runs(out, coarse_, sign, pattern_texture(pattern, true), ink(with_alpha(text_on(color), 0.75)), 0);
    draw_runs(out, coarse_, sign, pattern_texture(pattern), ink(color), 0);
  };
  if (made_.changes && all_written_) {
    draw_written_frame(out, content.picture->elements);
  } else if (made_.changes) {
    draw_runs(out, coarse_, Sign::Written, pattern_texture(Pattern::OpenCorner), ink(theme.written), 0);
    draw_runs(out, coarse_, Sign::Changed, pattern_texture(Pattern::Corner), ink(theme.written), 0);
  }
  draw(Sign::Denormal, Pattern::Speck, theme.text);
  draw(Sign::Inf, Pattern::Diamond, theme.text);
  draw(Sign::Nan, Pattern::Cross, theme.text);
  draw(Sign::Different, Pattern::Differs, theme.difference);
  draw(Sign::Finding, Pattern::Alarm, theme.finding);
  draw(Sign::Note, Pattern::NoteCorner, theme.good);
}

void TileGrid::draw_texts(ImDrawList& out, const GridContent& content) {
  const Window seen = visible(shape_, cells_);
  const std::uint32_t row_end = std::min(seen.row + seen.rows, window_.row + window_.rows);
  const std::uint32_t col_end = std::min(seen.col + seen.cols, window_.col + window_.cols);
  for (std::uint32_t row = std::max(seen.row, window_.row); row < row_end; ++row)
    for (std::uint32_t col = std::max(seen.col, window_.col); col < col_end; ++col) draw_text(out, content, {row, col});
}

void TileGrid::draw_text(ImDrawList& out, const GridContent& content, GridCell cell) {
  const Rect rect = rect_of(cell);
  const std::size_t at = std::size_t{cell.row - window_.row} * window_.cols + (cell.col - window_.col);
  const Sign signs = signs_[at];
  draw_corner(out, rect, signs);
  ImFont* font = cell_.x >= look().px(44) ? look().fonts.mono : look().fonts.mono_small;
  const float advance = font->GetCharAdvance('0');
  const auto characters_in = [&](float room) {
    return static_cast<std::size_t>(std::max(0.0f, (room - look().px(4)) / advance));
  };
  draw_own_mark(out, content, cell, rect, grounds_[at]);
  // Signs have room of their own: what does not fit beside them is shortened.
  float left = 0;
  if (has(signs, Sign::Different)) left = different_size(rect) + look().px(2);
  if (has(signs, Sign::Note)) left = std::max(left, note_corner_side(rect) + 1);
  if (has(signs, Sign::Finding)) left = std::max(left, look().px(8));
  std::string text = text_of(content, at, characters_in(rect.width()));
  if (left > 0 && advance * static_cast<float>(characters(text)) > rect.width() - look().px(4) - left)
    text = own_text(content, at, characters_in(rect.width() - left));
  if (text.empty()) return;
  Color color = text_on(grounds_[at]);
  if (has(signs, Sign::Padding)) color = mix(grounds_[at], color, 0.45);
  const float width = advance * static_cast<float>(characters(text));
  float x = rect.min.x + (rect.width() - width) / 2;
  if (left > 0) x = std::max(x, std::min(rect.min.x + left + look().px(2), rect.max.x - width - 1));
  out.AddText(font, font->FontSize, {std::floor(x), std::floor(rect.min.y + (rect.height() - font->FontSize) / 2)},
              ink(color), text.c_str(), text.c_str() + text.size());
}

void TileGrid::draw_corner(ImDrawList& out, const Rect& rect, Sign signs) {
  const Theme& theme = *look().theme;
  const float side = std::min(rect.height() * 0.4f, look().px(8));
  const ImVec2 a{rect.max.x - side, rect.min.y + 1}, b{rect.max.x, rect.min.y + 1},
      c{rect.max.x, rect.min.y + 1 + side};
  if (made_.changes && has(signs, Sign::Changed)) out.AddTriangleFilled(a, b, c, ink(theme.written));
  else if (made_.changes && has(signs, Sign::Written)) out.AddTriangle(a, b, c, ink(theme.written), 1);
  if (has(signs, Sign::Different)) {
    const float size = different_size(rect), x = rect.min.x + look().px(2), y = rect.center().y - size / 2;
    draw_different(out, {{x, y}, {x + size, y + size}});
  }
  if (has(signs, Sign::Note)) draw_note_corner(out, rect);
  if (!has(signs, Sign::Finding)) return;
  out.AddRect(rect.min, rect.max, ink(theme.finding), 0, 0, 1.5f);
  out.AddRect(rect.shrunk(3).min, rect.shrunk(3).max, ink(theme.finding), 0, 0, 1);
  const float x = rect.min.x + look().px(6), y = rect.min.y + look().px(5), thick = look().px(2);
  out.AddRectFilled({x, y}, {x + thick, y + look().px(5)}, ink(theme.finding));
  out.AddRectFilled({x, y + look().px(6.5f)}, {x + thick, y + look().px(8.5f)}, ink(theme.finding));
}

void TileGrid::draw_valid_region(ImDrawList& out, const TilePicture& picture) {
  const Elements& elements = picture.elements;
  if (elements.valid_rows >= elements.rows && elements.valid_cols >= elements.cols) return;
  const Rect first = rect_of({window_.row, window_.col}),
             last = rect_of({window_.row + elements.valid_rows, window_.col + elements.valid_cols});
  out.AddRect(first.min, {last.min.x + 1, last.min.y + 1}, ink(look().theme->text_quiet), 0, 0, look().px(1.5f));
}

// --- around the cells ---

void TileGrid::draw_headers(ImDrawList& out) {
  const Theme& theme = *look().theme;
  ImFont* font = look().fonts.mono_small;
  const float size = font->FontSize, digit = font->GetCharAdvance('0'), gap = look().px(8);
  // As far as there are cells.
  const Rect end = rect_of({end_row_, shape_.cols});
  out.AddRectFilled(area_.min, {std::min(cells_.max.x, end.min.x), cells_.min.y}, ink(theme.raised));
  out.AddRectFilled(area_.min, {cells_.min.x, std::min(cells_.max.y, end.min.y)}, ink(theme.raised));
  const Window seen = visible(shape_, cells_);
  const auto label = [&](std::uint32_t number, ImVec2 at) {
    const std::string text = fmt::format("{}", number);
    out.AddText(font, size, at, ink(theme.text_quiet), text.c_str());
  };
  const auto width_of = [&](std::uint32_t number) {
    return digit * static_cast<float>(fmt::formatted_size("{}", number));
  };
  const std::uint32_t col_step = label_step(cell_.x, width_of(seen.col + seen.cols) + gap);
  out.PushClipRect({cells_.min.x, area_.min.y}, {cells_.max.x, cells_.min.y}, true);
  for (std::uint32_t col = seen.col / col_step * col_step; col < seen.col + seen.cols; col += col_step) {
    const Rect rect = rect_of({0, col});
    // Over its cell; where a number stands for several cells, at the first one's left edge.
    const float x = col_step == 1 ? rect.center().x - width_of(col) / 2 : rect.min.x + 1;
    // Half a number would be another one.
    if (filled_ && (std::floor(x) + width_of(col) > cells_.max.x || x < cells_.min.x - 1)) continue;
    label(col, {std::floor(x), area_.min.y + look().px(2)});
    if (col_step > 1)
      out.AddRectFilled({std::floor(rect.min.x), cells_.min.y - look().px(3)},
                        {std::floor(rect.min.x) + 1, cells_.min.y}, ink(theme.text_quiet));
  }
  out.PopClipRect();
  const std::uint32_t row_step = label_step(cell_.y, size + look().px(2));
  out.PushClipRect({area_.min.x, cells_.min.y}, {cells_.min.x, cells_.max.y}, true);
  const std::uint32_t row_end = std::min(seen.row + seen.rows, end_row_) - first_row_;
  for (std::uint32_t row = (seen.row - first_row_) / row_step * row_step; row < row_end; row += row_step) {
    const Rect rect = rect_of({first_row_ + row, 0});
    const float y = row_step == 1 ? rect.center().y - size / 2 : rect.min.y;
    if (filled_ && (std::floor(y) + size > cells_.max.y || y < cells_.min.y - 1)) continue;
    label(row, {cells_.min.x - width_of(row) - look().px(5), std::floor(y)});
  }
  out.PopClipRect();
}

void TileGrid::draw_rings(ImDrawList& out, const GridContent& content) {
  const Theme& theme = *look().theme;
  // A ring is seen however small its cell is.
  const auto around = [&](GridCell cell) {
    const Rect rect = rect_of(cell);
    const float missing = std::max(0.0f, (look().px(9) - std::min(rect.width(), rect.height())) / 2);
    return rect.shrunk(-missing);
  };
  const auto ring = [&](const Rect& rect, Color color, float thick) {
    // Dark and light together stand out on every ground.
    out.AddRect(rect.shrunk(-1).min, rect.shrunk(-1).max, ink(with_alpha(text_on(color), 0.6)), 0, 0, 1);
    out.AddRect(rect.min, rect.max, ink(color), 0, 0, thick);
    out.AddRect(rect.shrunk(thick).min, rect.shrunk(thick).max, ink(with_alpha(text_on(color), 0.6)), 0, 0, 1);
  };
  if (range_) {
    const Rect first = rect_of({range_->row, range_->col}),
               last = rect_of({range_->row + range_->rows, range_->col + range_->cols});
    out.AddRectFilled(first.min, last.min, ink(with_alpha(theme.accent, 0.22)));
    out.AddRect(first.min, last.min, ink(theme.accent), 0, 0, look().px(1.5f));
  }
  for (const GridRing& one : content.rings) {
    const Rect rect = around(one.cell);
    ring(rect, one.color, one.decided ? 1 : 2);
    if (one.number == 0) continue;
    const std::string number = fmt::format("{}", one.number);
    const ImVec2 at{rect.min.x, rect.min.y - look().px(2)};
    out.AddCircleFilled(at, look().px(7), ink(one.color));
    ImFont* font = look().fonts.mono_small;
    out.AddText(font, font->FontSize * 0.85f, {at.x - look().px(3), at.y - look().px(6)}, ink(text_on(one.color)),
                number.c_str());
  }
  if (content.hovered) ring(around(*content.hovered), theme.select, 1);
  if (content.selected) ring(around(*content.selected), theme.select, 2);
}

}  // namespace ts::ui
