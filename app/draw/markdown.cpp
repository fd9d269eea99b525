// Laying pages out.
#include "app/draw/markdown.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/draw/look.h"
#include "app/draw/text.h"

namespace ts::ui {
namespace {

using Kind = MarkdownBlock::Kind;

// Puts words one behind the other, in lines.
class Words {
 public:
  Words(ImVec2 at, float width, ImFont* font, bool draw) : at_(at), width_(width), font_(font), draw_(draw), pen_(at) {}

  void put(const MarkdownSpan& span) {
    ImFont* font = span.code ? look().fonts.mono_small : span.strong ? look().fonts.bold : font_;
    // The frame of code needs room on both sides.
    if (span.code && pen_.x > at_.x) pen_.x += look().px(3);
    std::size_t from = 0;
    while (from < span.text.size()) {
      std::size_t end = span.text.find(' ', from);
      end = end == std::string::npos ? span.text.size() : end + 1;
      word(span.text.substr(from, end - from), font, span);
      from = end;
    }
  }
  float height() const { return pen_.y - at_.y + line_step(font_); }
  float widest() const { return widest_; }

 private:
  void word(const std::string& text, ImFont* font, const MarkdownSpan& span) {
    const std::string bare = text.ends_with(' ') ? text.substr(0, text.size() - 1) : text;
    const float wide = text_width(bare, font);
    if (pen_.x > at_.x && pen_.x + wide > at_.x + width_ + 0.5f) pen_ = {at_.x, pen_.y + line_step(font_)};
    if (draw_) draw_word(bare, font, wide, span);
    widest_ = std::max(widest_, pen_.x + wide - at_.x);
    pen_.x += text_width(text, font) + (span.code ? look().px(3) : 0);
  }
  void draw_word(const std::string& text, ImFont* font, float wide, const MarkdownSpan& span) const {
    const Theme& theme = *look().theme;
    ImDrawList& canvas = *ImGui::GetWindowDrawList();
    const float y = pen_.y + (font_->FontSize - font->FontSize) * 0.6f;
    if (span.code && !text.empty()) {
      const float pad = look().px(2);
      canvas.AddRectFilled({pen_.x - pad, y - 1}, {pen_.x + wide + pad, y + font->FontSize + 1}, ink(theme.raised),
                           look().px(2));
    }
    put_text({pen_.x, y}, text, theme.text, font);
    if (!span.uncertain) return;
    for (float x = pen_.x; x < pen_.x + wide; x += look().px(4))
      canvas.AddCircleFilled({x, pen_.y + font_->FontSize + look().px(1)}, look().px(0.8f), ink(theme.src1));
  }

  ImVec2 at_;
  float width_;
  ImFont* font_;
  bool draw_;
  ImVec2 pen_;
  float widest_ = 0;
};

float put_line(ImVec2 at, float width, const MarkdownLine& line, ImFont* font, bool draw) {
  Words words(at, width, font, draw);
  for (const MarkdownSpan& span : line) words.put(span);
  return words.height();
}

float natural_width(const MarkdownLine& line, ImFont* font) {
  Words words({0, 0}, 1e6f, font, false);
  for (const MarkdownSpan& span : line) words.put(span);
  return std::ceil(words.widest()) + 1;
}

// --- tables ---

// Columns get what they need; where that is too much, the wide ones share what the narrow ones leave.
std::vector<float> column_widths(const MarkdownBlock& table, float room, ImFont* font) {
  std::vector<float> needed;
  for (const auto& row : table.rows) {
    needed.resize(std::max(needed.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) needed[i] = std::max(needed[i], natural_width(row[i], font));
  }
  std::vector<float> widths(needed.size());
  std::vector<std::size_t> order(needed.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return needed[i]; });
  for (std::size_t done = 0; done < order.size(); ++done) {
    const float share = room / static_cast<float>(order.size() - done);
    widths[order[done]] = std::min(needed[order[done]], std::max(share, look().px(30)));
    room -= widths[order[done]];
  }
  return widths;
}

float draw_table(ImVec2 at, float width, const MarkdownBlock& table) {
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  ImFont* font = look().fonts.small;
  const float pad = look().px(8), rule = look().px(3);
  if (table.rows.empty()) return 0;
  const std::size_t columns = table.rows[0].size();
  const std::vector<float> widths = column_widths(table, width - 2 * pad * static_cast<float>(columns), font);
  float y = at.y;
  const float full = std::accumulate(widths.begin(), widths.end(), 0.0f) + 2 * pad * static_cast<float>(widths.size());
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    float high = 0;
    for (std::size_t i = 0; i < table.rows[r].size(); ++i)
      high = std::max(high, put_line({0, 0}, widths[i], table.rows[r][i], font, false));
    if (r == 0) canvas.AddRectFilled({at.x, y}, {at.x + full, y + high + 2 * rule}, ink(theme.raised), look().px(3));
    float x = at.x + pad;
    for (std::size_t i = 0; i < table.rows[r].size(); ++i) {
      put_line({x, y + rule}, widths[i], table.rows[r][i], font, true);
      x += widths[i] + 2 * pad;
    }
    y += high + 2 * rule;
    canvas.AddLine({at.x, y}, {at.x + full, y}, ink(theme.line));
  }
  return y - at.y;
}

// --- code ---

float draw_code(ImVec2 at, float width, const std::string& code) {
  const Theme& theme = *look().theme;
  ImFont* font = look().fonts.mono_small;
  const float pad = look().px(8), line = line_step(font);
  const auto lines = static_cast<float>(std::ranges::count(code, '\n'));
  const Rect frame{at, {at.x + width, at.y + lines * line + 2 * pad}};
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled(frame.min, frame.max, ink(theme.cell), look().px(3));
  canvas.AddRect(frame.min, frame.max, ink(theme.line), look().px(3));
  canvas.PushClipRect(frame.min, frame.max, true);
  float y = at.y + pad;
  for (std::size_t from = 0; from < code.size();) {
    const std::size_t end = std::min(code.find('\n', from), code.size());
    put_text_cut({at.x + pad, y}, width - 2 * pad, code.substr(from, end - from), theme.text, font);
    y += line;
    from = end + 1;
  }
  canvas.PopClipRect();
  if (ImGui::IsWindowHovered() && frame.holds(ImGui::GetIO().MousePos)) {
    float widest = 0;
    for (std::size_t from = 0; from < code.size(); from = code.find('\n', from) + 1)
      widest = std::max(widest, text_width(code.substr(from, code.find('\n', from) - from), font));
    const WithFont mono(font);
    if (widest > width - 2 * pad) ImGui::SetTooltip("%s", code.c_str());  // what was cut
  }
  return frame.height();
}

float draw_block(ImVec2 at, float width, const MarkdownBlock& block) {
  switch (block.kind) {
    case Kind::Heading: {
      const float y = at.y + look().px(block.level > 1 ? 10 : 2);
      return y - at.y +
             put_line({at.x, y}, width, block.line, block.level == 1 ? look().fonts.heading : look().fonts.bold, true);
    }
    case Kind::Paragraph: return put_line(at, width, block.line, look().fonts.text, true);
    case Kind::Item: {
      const float in = look().px(14);
      ImGui::GetWindowDrawList()->AddCircleFilled({at.x + look().px(5), at.y + look().fonts.text->FontSize * 0.6f},
                                                  look().px(2), ink(look().theme->text_quiet));
      return put_line({at.x + in, at.y}, width - in, block.line, look().fonts.text, true);
    }
    case Kind::Table: return draw_table(at, width, block);
    case Kind::Code: return draw_code(at, width, block.code);
  }
  return 0;
}

}  // namespace

float draw_markdown(ImVec2 at, float width, std::span<const MarkdownBlock> blocks) {
  float y = at.y;
  for (const MarkdownBlock& block : blocks) {
    y += draw_block({at.x, y}, width, block);
    y += look().px(block.kind == Kind::Item ? 3 : block.kind == Kind::Heading ? 4 : 9);
  }
  return y - at.y;
}

float draw_markdown_line(ImVec2 at, float width, const MarkdownLine& line, ImFont* font) {
  return put_line(at, width, line, font, true);
}

}  // namespace ts::ui
