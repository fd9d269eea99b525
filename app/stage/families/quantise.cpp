// Quantising, and back: the codes as a number line. Above the whole line with all elements that share the scale; below it
// the codes around the element in focus, where it fell among them, and what each of them is worth.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/chips.h"
#include "app/draw/look.h"
#include "app/stage/drawing.h"
#include "app/stage/parts/followed.h"
#include "app/stage/parts/parts.h"
#include "core/debug/picture/quant_picture.h"

namespace ts::ui {
namespace {

std::string short_number(double number) { return fmt::format("{:.6g}", number); }

// With as many digits as there is room for.
std::string number_within(double number, float room, ImFont* font) {
  for (int digits = 6; digits > 2; --digits)
    if (std::string text = fmt::format("{:.{}g}", number, digits); text_width(text, font) <= room) return text;
  return fmt::format("{:.2g}", number);
}

// Numbers along a line of pixels.
struct NumberLine {
  double low = 0, high = 1;
  float left = 0, right = 1, y = 0;
  float x(double number) const {
    const double share = std::clamp((number - low) / (high - low), 0.0, 1.0);
    return std::floor(left + static_cast<float>(share) * (right - left));
  }
};

class QuantDrawing {
 public:
  QuantDrawing(StageStep& step, const QuantPicture& picture) : step_(step), picture_(picture) {
    find_focus();
    cell_ = &picture.at(focus_.first, focus_.second);
    scale_ = &picture.scale_of(*cell_);
    code_ = to_double(picture.code_type, cell_->code);
  }

  void draw(const Rect& area) {
    float y = area.min.y;
    draw_facts({area.min.x, y}, area.max.x);
    y += chip_height() + look().px(5);
    put_text_cut({area.min.x, y}, area.width(), element_sentence(),
                 cell_->clipped ? look().theme->finding : look().theme->text, look().fonts.small);
    y += line_step(look().fonts.small);
    put_text_cut({area.min.x, y}, area.width(), tile_sentence(), look().theme->text_quiet, look().fonts.small);
    y += line_step(look().fonts.small) + look().px(4);
    const float room = area.max.y - y, pad = look().px(46);
    // Where there is little height, the codes around have it.
    const bool roomy = room > look().px(260);
    if (roomy) {
      draw_whole_line({{area.min.x + pad, y}, {area.max.x - pad, y + look().px(52)}});
      y += look().px(60);
    }
    const float close = std::clamp(room * 0.34f, look().px(88), look().px(112));
    draw_codes({{area.min.x + pad, y}, {area.max.x - pad, y + close}});
    y += close + look().px(6);
    if (area.max.y - y > look().px(60)) draw_grids({{area.min.x, y}, area.max});
  }

 private:
  const StageOperand& codes() const { return *step_.operand(picture_.codes); }
  const StageOperand& values() const { return *step_.operand(picture_.values); }
  bool shared() const { return scale_->exponent.has_value(); }

  // Of an element that says a scale: the first that has it.
  void find_focus() {
    const auto take = [&](const StageCell& cell) {
      if (cell.operand == picture_.codes || cell.operand == picture_.values) {
        if (cell.row >= picture_.rows || cell.col >= picture_.cols) return;
        focus_ = {cell.row, cell.col};
        return;
      }
      for (const QuantScale& scale : picture_.scales)
        for (const auto& part : {scale.factor, scale.zero, scale.exponent, scale.largest})
          if (part == cell && !scale.elements.empty()) focus_ = scale.elements.front();
    };
    if (step_.focus) take(*step_.focus);
    if (step_.memory.pointed) take(*step_.memory.pointed);
  }

  std::string name_of(const StepElement& cell) const {
    const Operand& operand = step_.bound.operands[static_cast<std::size_t>(cell.operand)];
    return fmt::format("{}[{},{}]", operand.spec->name, cell.row, cell.col);
  }
  std::string value_of(const StepElement& cell) const {
    const Elements& elements = step_.operand(cell.operand)->picture->elements;
    return short_text(*elements.format, elements.at(cell.row, cell.col));
  }

  Color color_of(const StepElement& cell) const { return step_.operand(cell.operand)->color; }
  void draw_facts(ImVec2 at, float end) const {
    const Theme& theme = *look().theme;
    FactRow facts{at, end};
    if (const auto& exponent = scale_->exponent)
      facts.put(fmt::format("{} elements share {} = {}", scale_->elements.size(), name_of(*exponent),
                            coming(*exponent) ? "?" : value_of(*exponent)),
                color_of(*exponent), true);
    if (scale_->factor)
      facts.put(fmt::format("{} = {}", name_of(*scale_->factor), short_number(scale_->factor_number)),
                color_of(*scale_->factor), !shared());
    if (scale_->zero)
      facts.put(fmt::format("{} = {}", name_of(*scale_->zero), short_number(scale_->zero_number)),
                color_of(*scale_->zero));
    facts.put(fmt::format("codes {} from {} to {}", name(picture_.code_type), short_number(picture_.least),
                          short_number(picture_.most)),
              theme.line);
    if (picture_.errors.clipped > 0)
      facts.put(fmt::format("! {} of {} clipped", picture_.errors.clipped, picture_.cells.size()), theme.finding, true);
  }
  // What a result holds while its step comes next is not yet what it is about.
  bool coming(const StepElement& cell) const { return !step_.made && step_.operand(cell.operand)->result; }

  std::string element_sentence() const {
    const std::string value = format_value(picture_.value_type, cell_->value),
                      worth = short_number(picture_.worth(*scale_, code_));
    const std::string at = fmt::format("[{},{}]", focus_.first, focus_.second);
    const std::string off = std::isfinite(cell_->error) ? fmt::format("{:+.4g}", cell_->error) : "not a number";
    if (!picture_.to_codes)
      return fmt::format("{}: code {} is worth {}; rounded to {} it is {}, {} off", at, short_number(code_), worth,
                         name(picture_.value_type), value, off);
    if (std::isnan(cell_->place))
      return fmt::format("{}: {} is nowhere on the line; its code is {}", at, value, code_text());
    const double by = code_ - cell_->place;
    return fmt::format("{}: {} is at {}; its code is {}{}, {:+.4g} from there. Back it is {}: {} off", at, value,
                       short_number(cell_->place), code_text(), cell_->clipped ? ", the end of the line" : "", by,
                       worth, off);
  }
  std::string code_text() const {
    const ElementFormat& format = element_format(picture_.code_type);
    return fmt::format("{} ({})", short_text(format, cell_->code), hex_text(format, cell_->code));
  }
  std::string tile_sentence() const {
    const QuantErrors& errors = picture_.errors;
    if (errors.count == 0) return "no element of the tile has an error that is a number";
    std::string text =
        fmt::format("Of {} elements the largest error is {:.4g} at [{},{}], the root mean square {:.4g}", errors.count,
                    errors.largest, errors.where.first, errors.where.second, errors.root_mean_square);
    if (errors.count < picture_.cells.size())
      text += fmt::format("; {} have none that is a number", picture_.cells.size() - errors.count);
    return text;
  }

  // --- the whole line

  void draw_whole_line(const Rect& rect) const {
    const Theme& theme = *look().theme;
    const double beyond = (picture_.most - picture_.least) * 0.04;
    const NumberLine line{picture_.least - beyond, picture_.most + beyond, rect.min.x, rect.max.x,
                          rect.min.y + look().px(30)};
    canvas().AddLine({rect.min.x, line.y}, {rect.max.x, line.y}, ink(theme.line), look().px(1.5f));
    for (const RowCol& element : scale_->elements) {
      const QuantCell& one = picture_.at(element.first, element.second);
      if (std::isnan(one.place)) continue;
      const float x = line.x(one.place), tall = look().px(one.clipped ? 14 : 10);
      canvas().AddLine({x, line.y - tall}, {x, line.y},
                       ink(with_alpha(one.clipped ? theme.finding : values().color, 0.75)), look().px(1.4f));
    }
    draw_wall(line, picture_.least, true, look().px(16), true);
    draw_wall(line, picture_.most, false, look().px(16), true);
    draw_mark(line, scale_->zero ? scale_->zero_number : 0, "0");
    if (!std::isnan(cell_->place)) draw_pin(line.x(cell_->place), line.y - look().px(14));
    put_text({rect.min.x, rect.min.y - look().px(2)},
             fmt::format("{} elements {}", scale_->elements.size(), shared() ? "of the group" : "with this scale"),
             theme.text_quiet, look().fonts.small);
  }
  // An end of the type: beyond it nothing is told apart. Its number is written there where nothing else does.
  void draw_wall(const NumberLine& line, double number, bool low, float tall, bool numbered) const {
    const Theme& theme = *look().theme;
    const float x = line.x(number), end = low ? line.left : line.right;
    canvas().AddLine({x, line.y - tall}, {x, line.y + look().px(4)}, ink(theme.finding), look().px(2));
    for (float at = std::min(x, end); at < std::max(x, end); at += look().px(5))
      canvas().AddLine({at, line.y}, {std::min(at + look().px(4), std::max(x, end)), line.y - look().px(8)},
                       ink(with_alpha(theme.finding, 0.5)), 1);
    if (!numbered) return;
    const std::string text = short_number(number);
    const float wide = text_width(text, look().fonts.mono_small);
    put_text({std::clamp(x - wide / 2, line.left, line.right - wide), line.y + look().px(5)}, text, theme.text_quiet,
             look().fonts.mono_small);
  }
  void draw_mark(const NumberLine& line, double number, const std::string& text) const {
    if (!std::isfinite(number) || number < line.low || number > line.high) return;
    const float x = line.x(number), wide = text_width(text, look().fonts.mono_small);
    canvas().AddLine({x, line.y - look().px(4)}, {x, line.y + look().px(4)}, ink(look().theme->text_quiet),
                     look().px(1.5f));
    if (line.x(picture_.least) + wide * 6 < x && x < line.x(picture_.most) - wide * 6)
      put_text({x - wide / 2, line.y + look().px(5)}, text, look().theme->text_quiet, look().fonts.mono_small);
  }
  void draw_pin(float x, float y) const {
    const float side = look().px(5);
    canvas().AddTriangleFilled({x - side, y - side * 1.4f}, {x + side, y - side * 1.4f}, {x, y}, ink(values().color));
  }

  // --- the codes around

  void draw_codes(const Rect& rect) const {
    const Theme& theme = *look().theme;
    const std::vector<QuantCode> around =
        codes_around(picture_.code_type, cell_->code, rect.width() > look().px(640) ? 3 : 2);
    if (around.empty()) {
      put_text_cut(rect.min, rect.width(), "the code is no number", theme.finding, look().fonts.small);
      return;
    }
    const double first = around.front().number, last = around.back().number,
                 margin = std::max((last - first) / static_cast<double>(around.size()), 1e-300) * 0.9;
    const NumberLine line{first - margin, last + margin, rect.min.x, rect.max.x, rect.min.y + look().px(40)};
    canvas().AddLine({rect.min.x, line.y}, {rect.max.x, line.y}, ink(theme.line), look().px(2));
    if (first == picture_.least) draw_wall(line, first, true, look().px(22), false);
    if (last == picture_.most) draw_wall(line, last, false, look().px(22), false);
    for (std::size_t i = 0; i < around.size(); ++i) draw_code(line, around[i], room_around(line, around, i));
    draw_line_labels(rect.min.x, line.y + look().px(6));
    if (!std::isnan(cell_->place)) draw_rounding(line);
  }
  // What stands below each code.
  void draw_line_labels(float right, float y) const {
    const auto put = [&](const char* text, ImFont* below) {
      put_text({right - look().px(42), y}, text, look().theme->text_quiet, look().fonts.small);
      y += line_step(below);
    };
    put("code", look().fonts.mono);
    put("bits", look().fonts.mono_small);
    put("worth", look().fonts.mono_small);
  }
  // What a code has for its numbers: up to the middle between it and its neighbours.
  static float room_around(const NumberLine& line, const std::vector<QuantCode>& around, std::size_t i) {
    const float x = line.x(around[i].number);
    float room = 2 * std::min(x - line.left, line.right - x) + look().px(40);
    if (i > 0) room = std::min(room, x - line.x(around[i - 1].number));
    if (i + 1 < around.size()) room = std::min(room, line.x(around[i + 1].number) - x);
    return room - look().px(4);
  }
  void draw_code(const NumberLine& line, const QuantCode& code, float room) const {
    const Theme& theme = *look().theme;
    const bool chosen = code.bits == cell_->code;
    const float x = line.x(code.number), tall = look().px(chosen ? 12 : 7);
    canvas().AddLine({x, line.y - tall}, {x, line.y + look().px(4)}, ink(chosen ? codes().color : theme.text_quiet),
                     look().px(chosen ? 3 : 1.5f));
    const ElementFormat& format = element_format(picture_.code_type);
    float y = line.y + look().px(6);
    const auto put = [&](const std::string& text, Color color, ImFont* font) {
      const float wide = text_width(text, font);
      if (wide <= room) put_text({x - wide / 2, y}, text, color, font);
      y += line_step(font);
    };
    put(short_text(format, code.bits), chosen ? theme.text : theme.text_quiet, look().fonts.mono);
    put(hex_text(format, code.bits), theme.text_quiet, look().fonts.mono_small);
    put(number_within(picture_.worth(*scale_, code.number), room, look().fonts.mono_small),
        chosen ? theme.text : theme.text_quiet, look().fonts.mono_small);
  }
  // From where the element is to the code that it became; of codes that become floats a pin alone.
  void draw_rounding(const NumberLine& line) const {
    const Theme& theme = *look().theme;
    const float at = line.x(cell_->place), to = line.x(code_), high = line.y - look().px(20);
    draw_pin(at, high);
    const std::string text = short_number(picture_.to_codes ? cell_->place : code_);
    const float wide = text_width(text, look().fonts.mono_small);
    put_text({std::clamp(at - wide / 2, line.left, line.right - wide), line.y - look().px(44)}, text,
             cell_->clipped ? theme.finding : theme.text, look().fonts.mono_small);
    if (!picture_.to_codes) return;
    const bool far = cell_->place < line.low || cell_->place > line.high;
    const Color color = cell_->clipped ? theme.finding : values().color;
    draw_link({at, high}, {to, line.y - look().px(12)}, color, far, 0.9f);
  }

  // --- elements

  void draw_grids(const Rect& area) const {
    const float between = look().px(16), half = (area.width() - between) / 2;
    const StageOperand *from = picture_.to_codes ? &values() : &codes(), *to = picture_.to_codes ? &codes() : &values();
    std::vector<CellGrid> grids;
    const auto put = [&](const StageOperand& operand, float left) {
      draw_header(operand, {{left, area.min.y}, {left + half, area.min.y + header_height()}});
      grids.push_back(place_grid(step_, operand, {{left, area.min.y + header_height()}, {left + half, area.max.y}}));
      draw_grid(step_, grids.back());
    };
    put(*from, area.min.x);
    put(*to, area.min.x + half + between);
  }

  StageStep& step_;
  const QuantPicture& picture_;
  RowCol focus_ = {0, 0};
  const QuantCell* cell_ = nullptr;
  const QuantScale* scale_ = nullptr;
  double code_ = 0;
};

void draw_quantise(StageStep& step, const Rect& area) {
  const auto* picture = followed<QuantPicture>(step, area, "Following every element of the step...",
                                               [at = step.step](Session& session, const std::function<bool()>& go_on) {
                                                 return quant_picture(session, at, go_on);
                                               });
  if (picture == nullptr) return;
  if (picture->cells.empty()) return draw_general(step, area);
  QuantDrawing(step, *picture).draw(area);
}

const RegisteredDrawing kQuantiseDrawing(Drawing::Quantise, draw_quantise);

}  // namespace
}  // namespace ts::ui
