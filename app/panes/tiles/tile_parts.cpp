// Drawn with widgets and shapes.
#include "app/panes/tiles/tile_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/boxes.h"
#include "app/draw/look.h"
#include "app/draw/signs.h"
#include "app/draw/subjects.h"
#include "app/draw/tile_grid.h"
#include "core/debug/elements/cell_text.h"
#include "core/isa/element.h"
#include "core/text/count.h"

namespace ts::ui {
namespace {

void quiet(const char* text) {
  ImGui::PushStyleColor(ImGuiCol_Text, tint(look().theme->text_quiet));
  ImGui::TextUnformatted(text);
  ImGui::PopStyleColor();
}

void fact(const char* name, const std::string& value, bool first = false) {
  const float wide = look().fonts.small->CalcTextSizeA(look().fonts.small->FontSize, FLT_MAX, 0, name).x +
                     look().fonts.mono_small->GetCharAdvance('0') * static_cast<float>(value.size()) + look().px(4);
  if (!first) same_line_if_fits(wide, look().px(12));
  const WithFont font(look().fonts.small);
  quiet(name);
  ImGui::SameLine(0, look().px(4));
  const WithFont mono(look().fonts.mono_small);
  ImGui::TextUnformatted(value.c_str());
}

// The shape that stands for the class in the grid.
void draw_shape(ImDrawList& out, HealthPart part, ImVec2 center, float size, ImU32 color) {
  const float half = size / 2;
  constexpr const char* kRows[] = {"sign-nan", "sign-inf", "sign-denormal", "cell-undefined"};
  note_mark(kRows[static_cast<int>(part)], {{center.x - half, center.y - half}, {center.x + half, center.y + half}});
  switch (part) {
    case HealthPart::Nan:
      out.AddLine({center.x - half, center.y - half}, {center.x + half, center.y + half}, color, 1.5f);
      out.AddLine({center.x + half, center.y - half}, {center.x - half, center.y + half}, color, 1.5f);
      break;
    case HealthPart::Inf:
      out.AddQuad({center.x, center.y - half}, {center.x + half, center.y}, {center.x, center.y + half},
                  {center.x - half, center.y}, color, 1.5f);
      break;
    case HealthPart::Denormal: out.AddCircleFilled(center, half * 0.6f, color); break;
    case HealthPart::Undefined:
      for (const float shift : {-0.5f, 0.0f, 0.5f})
        out.AddLine({center.x + shift * size - half * 0.5f, center.y + half},
                    {center.x + shift * size + half * 0.5f, center.y - half}, color, 1.2f);
      break;
  }
}

// Quiet while there are none; else with its shape on a ground. True: clicked.
bool draw_pill(HealthPart part, const char* name, std::uint64_t count) {
  const Theme& theme = *look().theme;
  ImFont* font = look().fonts.small;
  const WithFont small(font);
  const std::string text = fmt::format("{} {}", count, name);
  const float high = font->FontSize, icon = look().px(9), pad = look().px(7);
  const ImVec2 size{ImGui::CalcTextSize(text.c_str()).x + icon + 3 * pad - look().px(4), high};
  same_line_if_fits(size.x, look().px(6));
  const bool clicked = ImGui::InvisibleButton(name, size) && count != 0;
  const Rect rect = Rect{ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}.shrunk(-look().px(2));
  if (ImGui::IsItemHovered() && count != 0) ImGui::SetTooltip("Click: select the next one");
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const bool alarming = part == HealthPart::Nan || part == HealthPart::Inf;
  const Color ground = count == 0 ? theme.raised : alarming ? theme.finding : theme.pressed;
  const Color color = count == 0 ? theme.text_quiet : text_on(ground);
  out.AddRectFilled(rect.min, rect.max, ink(ground), rect.height() / 2);
  draw_shape(out, part, {rect.min.x + pad + icon / 2, rect.center().y}, icon, ink(color));
  out.AddText(font, font->FontSize, {rect.min.x + pad + icon + look().px(5), rect.min.y + look().px(2)}, ink(color),
              text.c_str());
  return clicked;
}

}  // namespace

void same_line_if_fits(float width, float gap) {
  const float between = gap > 0 ? gap : ImGui::GetStyle().ItemSpacing.x;
  const float end = ImGui::GetItemRectMax().x + between + width;
  if (end < ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) ImGui::SameLine(0, between);
}

std::optional<HealthPart> draw_statistics(const TilePicture& picture) {
  const Statistics& found = picture.statistics;
  const ElementFormat& format = *picture.elements.format;
  const auto value = [&](const std::optional<std::uint64_t>& bits) {
    return bits ? cell_text(format, *bits, Definedness::Written, NumberStyle::Decimal) : std::string("none");
  };
  std::optional<HealthPart> clicked;
  fact("valid", fmt::format("{}", found.count), true);
  fact("min", value(found.min_bits));
  fact("max", value(found.max_bits));
  fact("mean", found.finite != 0 ? fmt::format("{:.5g}", found.mean) : "none");
  fact("zeros", fmt::format("{}", found.zero));
  if (format.is_float()) {
    if (draw_pill(HealthPart::Nan, "NaN", found.nan)) clicked = HealthPart::Nan;
    if (draw_pill(HealthPart::Inf, "inf", found.inf)) clicked = HealthPart::Inf;
    if (draw_pill(HealthPart::Denormal, "denormal", found.denormal)) clicked = HealthPart::Denormal;
  }
  if (draw_pill(HealthPart::Undefined, "undefined", found.undefined)) clicked = HealthPart::Undefined;
  return clicked;
}

void tell_other_side(DebugView& view, const Owner& owner, const TilePicture& mine, std::uint32_t row,
                     std::uint32_t col) {
  const SideBySide* sides = view.beside(owner, mine);
  if (sides == nullptr || sides->refused) return;
  const Elements &a = mine.elements, &b = sides->other.elements;
  if (row >= b.rows || col >= b.cols) return;
  const Definedness worth = b.worth_at(row, col);
  const std::string text = fmt::format("{} {}  {}", view.against()->is_run() ? "other run" : "array",
                                       cell_text(*b.format, b.at(row, col), worth, NumberStyle::Decimal),
                                       hex_text(*b.format, b.at(row, col)));
  const bool differs = sides->differs[a.index(row, col)] != 0;
  ImGui::TextColored(tint(differs ? look().theme->difference : look().theme->text_quiet), "%s", text.c_str());
  if (!differs) return quiet("the same, within the tolerances");
  const auto made = Comparing::make(a, b, {.region = Region::All});
  const auto* comparing = std::get_if<Comparing>(&made);
  const auto found = comparing != nullptr ? comparing->difference(std::uint64_t{row} * a.cols + col) : std::nullopt;
  if (!found) return;
  const std::string apart = found->ulps ? fmt::format(", {} ulp", text::grouped(*found->ulps)) : "";
  quiet(fmt::format("apart {:.6g}{}", found->absolute, apart).c_str());
}

void tell_box(const TileRef& tile, const TileBoxes& boxes, const GridCell& cell) {
  if (cell.row >= tile.rows() || cell.col >= tile.cols()) return;
  const std::uint32_t number = boxes.number_at(cell.row, cell.col);
  const TileBox& box = boxes.in_order[number];
  const std::uint64_t within = element_index(tile.type, cell.row, cell.col) - box.first;
  quiet(fmt::format("box {} of {}, at {} 0x{:x}", number, boxes.in_order.size(), name(tile.space()),
                    tile.at(box.row, box.col))
            .c_str());
  quiet(fmt::format("element {} of its {}x{}, {} bytes after its first", within, boxes.rows, boxes.cols,
                    tile.at(cell.row, cell.col) - tile.at(box.row, box.col))
            .c_str());
}

void tell_findings(DebugView& view, const Owner& owner, const GridCell& cell) {
  const auto step = view.shown_step();
  if (!step) return;
  for (const Finding& finding : view.findings_of(*step)) {
    const auto element = view.element_of(finding);
    if (!element || !(element->owner == owner) || element->row != cell.row || element->col != cell.col) continue;
    ImGui::PushTextWrapPos(look().px(420));
    ImGui::TextColored(tint(color_of(finding.diagnostic.severity)), "%s: %s", name(finding.diagnostic.severity),
                       finding.diagnostic.text.c_str());
    ImGui::PopTextWrapPos();
  }
}

void draw_heat_scale(const HeatRange& range, const TilePicture& picture, float width) {
  const Theme& theme = *look().theme;
  const WithFont font(look().fonts.mono_small);
  const float high = ImGui::GetTextLineHeight();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(fmt::format("{:.4g}", range.low).c_str());
  ImGui::SameLine();
  ImGui::InvisibleButton("scale", {width, ImGui::GetFrameHeight()});
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const float top = (min.y + max.y - high) / 2, bottom = top + high;
  ImDrawList& out = *ImGui::GetWindowDrawList();
  constexpr int kParts = 48;
  for (int i = 0; i < kParts; ++i) {
    const double share = (i + 0.5) / kParts;
    const Color color = range.is_signed ? signed_heat_color(theme, 2 * share - 1) : heat_color(share);
    const float part = (max.x - min.x) / kParts;
    out.AddRectFilled({min.x + part * static_cast<float>(i), top},
                      {min.x + part * static_cast<float>(i + 1) + 1, bottom}, ink(color));
  }
  // Values beyond an end: a triangle that points out of the scale.
  const ElementFormat& format = *picture.elements.format;
  const Statistics& found = picture.statistics;
  const float middle = (top + bottom) / 2, side = high * 0.35f;
  const bool below = found.min_bits && number(format, *found.min_bits) < range.low;
  const bool above = found.max_bits && number(format, *found.max_bits) > range.high;
  if (below)
    out.AddTriangleFilled({min.x - side, middle}, {min.x, middle + side}, {min.x, middle - side}, ink(theme.finding));
  if (above)
    out.AddTriangleFilled({max.x + side, middle}, {max.x, middle - side}, {max.x, middle + side}, ink(theme.finding));
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("%s", below || above ? "The range cuts values off: a triangle marks the end."
                                           : "Colours of the defined, finite elements");
  ImGui::SameLine();
  ImGui::TextUnformatted(fmt::format("{:.4g}", range.high).c_str());
}

// Few elements make few bars: else most of them would be empty. Of types with few codes each has its bar.
void HistogramPlot::count(const TilePicture& picture) {
  if (of_ == picture.number) return;
  of_ = picture.number;
  format_ = picture.elements.format;
  const double wished = 2 * std::sqrt(static_cast<double>(picture.statistics.finite));
  made_ = histogram_of(picture.elements, Region::Valid, static_cast<std::uint32_t>(std::clamp(wished, 8.0, 64.0)));
  codes_ = code_counts(picture.elements, Region::Valid);
  if (codes_.empty()) return;
  made_.bins.clear();
  for (const CodeCount& code : codes_) made_.bins.push_back(code.count);
}

std::string HistogramPlot::words_of(std::size_t bar) const {
  const std::uint64_t count = made_.bins[bar];
  if (!codes_.empty())
    return fmt::format("{} element{} {}, code {}", count, count == 1 ? " is" : "s are",
                       short_text(*format_, codes_[bar].bits), hex_text(*format_, codes_[bar].bits));
  const double part = (made_.high - made_.low) / static_cast<double>(made_.bins.size());
  return fmt::format("{} elements from {:.6g} to {:.6g}", count, made_.low + part * static_cast<double>(bar),
                     made_.low + part * static_cast<double>(bar + 1));
}

// Below the bars: the values of codes where they fit, else both ends.
void HistogramPlot::draw_labels(const Rect& plot) const {
  ImFont* font = look().fonts.mono_small;
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const auto width_of = [&](const std::string& what) {
    return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, what.c_str()).x;
  };
  // `share` of the text stands left of x.
  const auto text = [&](float x, const std::string& what, float share) {
    out.AddText(font, font->FontSize, {x - share * width_of(what), plot.max.y + look().px(2)},
                ink(look().theme->text_quiet), what.c_str());
  };
  if (codes_.empty()) {
    text(plot.min.x, fmt::format("{:.6g}", made_.low), 0);
    return text(plot.max.x, fmt::format("{:.6g}", made_.high), 1);
  }
  const float wide = plot.width() / static_cast<float>(codes_.size());
  float free_from = plot.min.x;
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    const std::string value = short_text(*format_, codes_[i].bits);
    const float middle = plot.min.x + wide * (static_cast<float>(i) + 0.5f), half = width_of(value) / 2;
    if (middle - half < free_from || middle + half > plot.max.x) continue;
    text(middle, value, 0.5f);
    free_from = middle + half + look().px(8);
  }
}

void HistogramPlot::draw(const Rect& area, const TilePicture& picture) {
  const Theme& theme = *look().theme;
  count(picture);
  const std::uint64_t most = *std::ranges::max_element(made_.bins);
  ImDrawList& out = *ImGui::GetWindowDrawList();
  ImFont* font = look().fonts.mono_small;
  if (most == 0) {
    ImGui::SetCursorScreenPos(area.min);
    ImGui::TextUnformatted("No defined finite elements to count.");
    return;
  }
  const float line = font->FontSize + look().px(4);
  Room room(area);
  room.top(line);
  room.bottom(line);
  const Rect plot = room.rest();
  const float wide = plot.width() / static_cast<float>(made_.bins.size());
  ImGui::SetCursorScreenPos(plot.min);
  ImGui::InvisibleButton("histogram", {plot.width(), std::max(1.0f, plot.height())});
  const float mouse = ImGui::GetIO().MousePos.x - plot.min.x;
  const auto pointed =
      ImGui::IsItemHovered()
          ? static_cast<std::size_t>(std::clamp(mouse / wide, 0.0f, static_cast<float>(made_.bins.size() - 1)))
          : made_.bins.size();
  for (std::size_t i = 0; i < made_.bins.size(); ++i) {
    if (made_.bins[i] == 0) continue;
    // One element is still a line that can be seen.
    const float high =
        std::max(look().px(2), plot.height() * static_cast<float>(made_.bins[i]) / static_cast<float>(most));
    const float x = plot.min.x + wide * static_cast<float>(i);
    out.AddRectFilled({x, plot.max.y - high}, {x + std::max(1.0f, wide - 1), plot.max.y},
                      ink(i == pointed ? theme.accent : theme.src0));
  }
  out.AddLine({plot.min.x, plot.max.y}, plot.max, ink(theme.line));
  out.AddText(font, font->FontSize, area.min, ink(theme.text_quiet), fmt::format("most in a bar: {}", most).c_str());
  draw_labels(plot);
  if (pointed != made_.bins.size()) ImGui::SetTooltip("%s", words_of(pointed).c_str());
}

}  // namespace ts::ui
