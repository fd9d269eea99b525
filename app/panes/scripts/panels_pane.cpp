// What scripts show: their panels, one at a time, drawn from the data that they left.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/draw/look.h"
#include "app/panes/pane.h"
#include "app/panes/parts/chip_row.h"
#include "app/panes/parts/empty.h"
#include "app/panes/parts/list_row.h"
#include "app/view/targets.h"
#include "scripting/run/gui_items.h"

namespace ts::ui {
namespace {

class PanelsPane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;

 private:
  void draw_panel(const scripting::Panel& panel, CommandQueue& out);
  void draw_item(const scripting::Panel& panel, const scripting::PanelItem& item, CommandQueue& out);

  std::string front_;
  std::uint64_t front_number_ = 0;
};

using scripting::Panel;
using scripting::PanelItem;

struct Bounds {
  double low = 0, high = 0;
  bool any = false;
};

Bounds bounds_of(const std::vector<double>& numbers) {
  Bounds bounds;
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    bounds.low = bounds.any ? std::min(bounds.low, number) : number;
    bounds.high = bounds.any ? std::max(bounds.high, number) : number;
    bounds.any = true;
  }
  return bounds;
}

void quiet(const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, tint(look().theme->text_quiet));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
}

void say_left_out(std::uint64_t count, const char* what) {
  if (count > 0) quiet(fmt::format("and {} more {}", count, what));
}

Rect take_room(float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float wide = std::max(look().px(40), ImGui::GetContentRegionAvail().x - look().px(4));
  ImGui::Dummy({wide, height});
  return {at, {at.x + wide, at.y + height}};
}

// Of many numbers each column of pixels shows the lowest and the highest.
void draw_plot(const PanelItem& item) {
  const Theme& theme = *look().theme;
  if (!item.label.empty()) quiet(item.label);
  const Rect rect = take_room(look().px(90));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(rect.min, rect.max, ink(theme.cell));
  const Bounds bounds = bounds_of(item.numbers);
  if (!bounds.any) return quiet("no numbers");
  const double span = bounds.high > bounds.low ? bounds.high - bounds.low : 1;
  const float margin = look().px(5), high = rect.height() - 2 * margin;
  const auto y_of = [&](double number) {
    return rect.max.y - margin - static_cast<float>((number - bounds.low) / span) * high;
  };
  if (bounds.low < 0 && bounds.high > 0) list.AddLine({rect.min.x, y_of(0)}, {rect.max.x, y_of(0)}, ink(theme.line), 1);
  const std::size_t count = item.numbers.size();
  const auto columns = static_cast<std::size_t>(std::max(1.0f, rect.width()));
  const ImU32 color = ink(theme.accent);
  if (count <= columns) {
    const float step = count > 1 ? (rect.width() - 2 * margin) / static_cast<float>(count - 1) : 0;
    ImVec2 before{};
    bool joined = false;
    for (std::size_t i = 0; i < count; ++i) {
      const double number = item.numbers[i];
      if (!std::isfinite(number)) {
        joined = false;
        continue;
      }
      const ImVec2 point{rect.min.x + margin + step * static_cast<float>(i), y_of(number)};
      if (joined) list.AddLine(before, point, color, look().px(1.5f));
      if (count <= 64) list.AddCircleFilled(point, look().px(2.2f), color, 8);
      before = point;
      joined = true;
    }
  } else {
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t first = column * count / columns, end = std::max(first + 1, (column + 1) * count / columns);
      Bounds part;
      for (std::size_t i = first; i < end; ++i) {
        const double number = item.numbers[i];
        if (!std::isfinite(number)) continue;
        part.low = part.any ? std::min(part.low, number) : number;
        part.high = part.any ? std::max(part.high, number) : number;
        part.any = true;
      }
      const float x = rect.min.x + static_cast<float>(column);
      if (part.any) list.AddRectFilled({x, y_of(part.high) - 1}, {x + 1, y_of(part.low) + 1}, color);
    }
  }
  const WithFont font(look().fonts.mono_small);
  quiet(fmt::format("{} numbers, {:.6g} to {:.6g}", count, bounds.low, bounds.high));
  say_left_out(item.left_out, "numbers");
}

void draw_heat(const PanelItem& item) {
  const Theme& theme = *look().theme;
  if (!item.label.empty()) quiet(item.label);
  const Bounds bounds = bounds_of(item.numbers);
  if (item.rows == 0 || item.cols == 0 || !bounds.any) return quiet("no numbers");
  const float wide = std::max(look().px(40), ImGui::GetContentRegionAvail().x - look().px(4));
  const float cell = std::clamp(wide / static_cast<float>(item.cols), 1.0f, look().px(22));
  const float high = std::clamp(cell * static_cast<float>(item.rows), look().px(10), look().px(320));
  const Rect rect = take_room(high);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  // What is too small for a cell each is drawn by its first element.
  const float seen_width = std::min(wide, cell * static_cast<float>(item.cols));
  const auto columns = std::min<std::uint32_t>(item.cols, static_cast<std::uint32_t>(std::max(1.0f, seen_width))),
             rows = std::min<std::uint32_t>(item.rows, static_cast<std::uint32_t>(std::max(1.0f, high)));
  const bool is_signed = bounds.low < 0 && bounds.high > 0;
  const double most = std::max(std::abs(bounds.low), std::abs(bounds.high)),
               span = bounds.high > bounds.low ? bounds.high - bounds.low : 1;
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t col = 0; col < columns; ++col) {
      const std::size_t at = std::size_t{row * item.rows / rows} * item.cols + col * item.cols / columns;
      const double number = item.numbers[at];
      Color color = mix(theme.cell, theme.text_quiet, 0.3);
      if (std::isfinite(number))
        color = is_signed ? signed_heat_color(theme, number / most) : heat_color((number - bounds.low) / span);
      const float x = rect.min.x + seen_width * static_cast<float>(col) / static_cast<float>(columns),
                  y = rect.min.y + high * static_cast<float>(row) / static_cast<float>(rows);
      list.AddRectFilled({x, y},
                         {rect.min.x + seen_width * static_cast<float>(col + 1) / static_cast<float>(columns),
                          rect.min.y + high * static_cast<float>(row + 1) / static_cast<float>(rows)},
                         ink(color));
    }
  const WithFont font(look().fonts.mono_small);
  quiet(fmt::format("{} x {}, {:.6g} to {:.6g}", item.rows, item.cols, bounds.low, bounds.high));
  say_left_out(item.left_out, "numbers");
}

void draw_table(const PanelItem& item, int id) {
  ImGui::PushID(id);
  constexpr ImGuiTableFlags kFlags =
      ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
  if (ImGui::BeginTable("table", static_cast<int>(item.cols), kFlags)) {
    for (std::uint32_t col = 0; col < item.cols; ++col) {
      ImGui::TableNextColumn();
      quiet(item.cells[col]);
    }
    const WithFont font(look().fonts.mono);
    ImGuiListClipper rows;
    rows.Begin(static_cast<int>(item.rows) - 1);
    while (rows.Step())
      for (int row = rows.DisplayStart; row < rows.DisplayEnd; ++row)
        for (std::uint32_t col = 0; col < item.cols; ++col) {
          ImGui::TableNextColumn();
          ImGui::TextUnformatted(item.cells[(static_cast<std::size_t>(row) + 1) * item.cols + col].c_str());
        }
    ImGui::EndTable();
  }
  ImGui::PopID();
  say_left_out(item.left_out, "rows");
}

}  // namespace

void PanelsPane::draw_item(const Panel& panel, const PanelItem& item, CommandQueue& out) {
  switch (item.kind) {
    case PanelItem::Kind::Text:
      ImGui::PushTextWrapPos(0);
      ImGui::TextUnformatted(item.text.c_str());
      ImGui::PopTextWrapPos();
      break;
    case PanelItem::Kind::Value: {
      quiet(item.label);
      ImGui::SameLine(std::max(look().px(110), ImGui::CalcTextSize(item.label.c_str()).x + look().px(16)));
      const WithFont font(look().fonts.mono);
      ImGui::TextUnformatted(item.text.c_str());
      break;
    }
    case PanelItem::Kind::Button:
      if (ImGui::Button((item.label + "##button").c_str())) out.push("pressButton", {panel.title, item.label});
      if (targets_wanted()) note_target("panel/" + item.label, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
      break;
    case PanelItem::Kind::Plot: draw_plot(item); break;
    case PanelItem::Kind::Heat: draw_heat(item); break;
    case PanelItem::Kind::Table: draw_table(item, static_cast<int>(&item - panel.items.data())); break;
    case PanelItem::Kind::Separator: ImGui::Separator(); break;
  }
}

void PanelsPane::draw_panel(const Panel& panel, CommandQueue& out) {
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look().px(6));
  ImGui::BeginChild("panel", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
  if (!panel.error.empty()) {
    const std::size_t line = panel.error.find('\n');
    say_refused({panel.error.substr(0, line), line == std::string::npos ? "" : panel.error.substr(line + 1)});
  }
  for (const PanelItem& item : panel.items) draw_item(panel, item, out);
  ImGui::EndChild();
}

void PanelsPane::draw(DebugView& view, CommandQueue& out) {
  const std::vector<Panel>& panels = view.script_items().panels;
  if (panels.empty()) {
    say_empty("No script shows anything.",
              "gui.panel(\"Title\", function(ui) ui.text(\"...\") end) in a script or the console puts a panel here.");
    return;
  }
  if (front_number_ != view.front_panel_number()) front_ = view.front_panel();
  front_number_ = view.front_panel_number();
  auto shown = std::ranges::find(panels, front_, &Panel::title);
  if (shown == panels.end()) shown = panels.begin();
  ChipRow chips("panel chips");
  for (const Panel& panel : panels)
    if (chips.put(panel.title, panel.title == shown->title, panel.error.empty() ? "Shows this panel." : "It failed."))
      front_ = panel.title;
  if (chips.put("x", false, "Takes the shown panel away.")) out.push("closePanel", {shown->title});
  chips.end();
  draw_panel(*shown, out);
}

namespace {

const RegisteredPane kPanelsPane({
    .id = "panels",
    .title = "Panels",
    .help = "What scripts show: gui.panel(title, function(ui) ... end).",
    .order = 80,
    .places = {{"debug", "lists", 7}, {"compare", "lists", 7}},
    .manual = R"(What scripts show: `gui.panel(title, function(ui) ... end)`, with their numbers, plots and buttons.)",
    .make = make_pane<PanelsPane>,
});

}  // namespace
}  // namespace ts::ui
