// Drawing the row.
#include "app/window/bars/run_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"
#include "app/window/dialogs/run_sheet.h"

namespace ts::ui {
namespace {

// A part of the row: a quiet word, and what is chosen.
struct RunPart {
  std::string id, label, value;
  bool chosen = false;  // somebody said it; else it is as it would be anyway
};

constexpr float kPartGap = 18, kLabelGap = 6;

std::string usual_or(const std::string& said, const char* usual) { return said.empty() ? usual : said; }

// What is given comes first, with what the program was made to run on; what nobody said comes last.
std::vector<RunPart> parts_of(const Desk& desk) {
  const cases::Setup& setup = desk.settings().running();
  const Document& document = *desk.view().document();
  const Recording* recording = desk.view().recording();
  std::vector<RunPart> parts;
  const auto add = [&](const char* id, const char* label, std::string value, bool chosen) {
    parts.push_back({id, label, std::move(value), chosen});
  };
  add("entry", "entry", document.entry, !setup.entry.empty() && document.entries.size() > 1);
  const char* target = recording != nullptr ? name(recording->program().target) : "as the module says";
  add("target", "on", usual_or(setup.target, target), !setup.target.empty());
  if (const cases::SetupCheck* known = desk.settings().last_check())
    for (const cases::InputForm& form : known->inputs) {
      const auto said = [&](const auto& all) { return all.contains(form.name) ? all.at(form.name) : std::string(); };
      const bool is_number = form.kind == ProgramInput::Kind::Scalar;
      std::string value = said(setup.arrays);
      if (!value.empty()) value = value.substr(value.rfind('/') + 1);
      if (value.empty()) value = is_number ? said(setup.numbers) : said(setup.made);
      const bool chosen = !value.empty();
      const bool only_written = form.kind == ProgramInput::Kind::Buffer && form.written && !form.read;
      if (!chosen) value = is_number ? "1" : only_written ? "written" : "seeded";
      parts.push_back({"input " + form.name, form.name, std::move(value), chosen});
    }
  const std::size_t placed = setup.options.contains("placement") ? 1 : 0, options = setup.options.size() - placed;
  add("blocks", "blocks", usual_or(setup.blocks, "1"), !setup.blocks.empty());
  add("seed", "seed", usual_or(setup.seed, "1"), !setup.seed.empty());
  add("placement", "tiles", placed != 0 ? setup.options.at("placement") : "reuse", placed != 0);
  add("options", "options", options == 0 ? "usual" : fmt::format("{} changed", options), options != 0);
  add("order", "order", usual_or(setup.order, "usual"), !setup.order.empty());
  add("comm", "signals", usual_or(setup.comm, "alone"), !setup.comm.empty());
  add("private_slots", "slots", setup.private_slots == "on" ? "private" : "shared", setup.private_slots == "on");
  add("max_steps", "most steps", setup.max_steps.empty() ? "10 M" : setup.max_steps, !setup.max_steps.empty());
  add("budget", "budget", setup.budget.empty() ? "auto" : setup.budget + " MiB", !setup.budget.empty());
  // Not that of ranges, which clang 14 does not compile.
  std::stable_partition(parts.begin(), parts.end(), std::mem_fn(&RunPart::chosen));
  // Which program it is stands at the beginning in any case.
  std::stable_partition(parts.begin(), parts.end(),
                        [](const RunPart& part) { return part.id == "entry" || part.id == "target"; });
  return parts;
}

float width_of(const RunPart& part) {
  return text_width(part.label, look().fonts.text) + look().px(kLabelGap) + text_width(part.value, look().fonts.mono);
}

void draw_part(const RunPart& part, float x, const Rect& area, CommandQueue& out) {
  const Theme& theme = *look().theme;
  const float wide = width_of(part), grow = look().px(kPartGap / 3);
  ImGui::SetCursorScreenPos({x - grow, area.min.y});
  if (ImGui::InvisibleButton(("##run " + part.id).c_str(), {wide + 2 * grow, area.height()}))
    out.push("runSettings", {part.id});
  const Rect rect{ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
  if (targets_wanted()) note_target("run/" + part.id, rect);
  if (ImGui::IsItemHovered()) {
    ImGui::GetWindowDrawList()->AddRectFilled(rect.min, rect.max, ink(theme.hovered), look().px(3));
    ImGui::SetTooltip("%s", fmt::format("{} {}: {}", part.label, part.value,
                                        part.chosen ? "chosen. A click changes it" : "as usual. A click changes it")
                                .c_str());
  }
  const float label = text_width(part.label, look().fonts.text);
  put_text({x, area.center().y - look().fonts.text->FontSize / 2}, part.label, theme.text_quiet, look().fonts.text);
  put_text({x + label + look().px(kLabelGap), area.center().y - look().fonts.mono->FontSize / 2}, part.value,
           part.chosen ? theme.accent : theme.text, look().fonts.mono);
}

}  // namespace

float run_bar_height() { return look().px(26); }

void draw_run_bar(const Rect& area, Desk& desk, const RunSheet& sheet, CommandQueue& out) {
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled(area.min, area.max, ink(theme.pane), look().px(4));
  const std::string& loaded = desk.settings().loaded();
  const std::string title = loaded.empty() ? "How it runs" : loaded;
  const float pad = look().px(8);
  ImGui::SetCursorScreenPos({area.min.x + pad / 2, area.center().y - ImGui::GetFrameHeight() / 2});
  if (sheet.is_open()) ImGui::PushStyleColor(ImGuiCol_Button, tint(theme.hovered));
  if (ImGui::Button((cut_text(title, look().px(140), look().fonts.text) + "##run").c_str())) out.push("runSettings");
  if (sheet.is_open()) ImGui::PopStyleColor();
  if (targets_wanted()) note_target("run/open", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", with_key("All settings of the run", "runSettings").c_str());
  float x = ImGui::GetItemRectMax().x + look().px(kPartGap);
  std::vector<RunPart> parts = parts_of(desk);
  const auto more_text = [&](std::size_t left) { return fmt::format("and {} more", left); };
  const float more = text_width(more_text(88), look().fonts.text) + look().px(kPartGap);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    parts[i].value = cut_text(parts[i].value, look().px(150), look().fonts.mono);
    if (x + width_of(parts[i]) + (last ? pad : more) > area.max.x) {
      const RunPart rest{"more", more_text(parts.size() - i), ""};
      if (x + width_of(rest) < area.max.x) draw_part(rest, x, area, out);
      break;
    }
    draw_part(parts[i], x, area, out);
    x += width_of(parts[i]) + look().px(kPartGap);
  }
}

}  // namespace ts::ui
