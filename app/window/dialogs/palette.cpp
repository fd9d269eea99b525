// Finding commands and places.
#include "app/window/dialogs/palette.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "app/draw/look.h"
#include "app/draw/subjects.h"
#include "app/files/hint.h"
#include "app/view/key_hints.h"
#include "app/window/commands/window_commands.h"
#include "core/isa/target.h"
#include "core/text/count.h"

namespace ts::ui {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t value = 0;
  return text::parse_count(text, value) ? std::optional(value) : std::nullopt;
}

struct Found {
  const CommandRow* row;
  int fit;
};

std::vector<Found> find_commands(const std::string& typed) {
  std::vector<Found> found;
  for (const CommandRow* row : all_commands()) {
    if (!stands_alone(*row)) continue;
    const int fit = std::max(fit_of(row->title, typed), fit_of(std::string(row->menu) + " " + row->title, typed) - 1);
    if (fit >= 0) found.push_back({row, fit});
  }
  std::ranges::stable_sort(found, [](const Found& a, const Found& b) { return a.fit > b.fit; });
  return found;
}

}  // namespace

int fit_of(const std::string& title, const std::string& typed) {
  if (typed.empty()) return 0;
  int fit = 0;
  std::size_t at = 0;
  bool adjacent = false;
  for (const char wanted : typed) {
    if (wanted == ' ') continue;
    std::size_t next = at;
    while (next < title.size() && lower(title[next]) != lower(wanted)) ++next;
    if (next == title.size()) return -1;
    // Beginnings of words and letters side by side count more.
    fit += next == 0 || title[next - 1] == ' ' ? 4 : 1;
    if (adjacent && next == at) fit += 3;
    at = next + 1;
    adjacent = true;
  }
  return fit;
}

Command place_command(const std::string& typed) {
  std::string_view text = typed;
  while (text.starts_with(' ') || text.starts_with('@')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (const auto position = number_in(text)) return {"seek", {std::int64_t{*position}}};
  if (const std::size_t dot = text.find('.'); dot != std::string_view::npos) {
    const auto position = number_in(text.substr(0, dot)), micro = number_in(text.substr(dot + 1));
    if (position && micro) return {"seek", {std::int64_t{*position}, std::int64_t{*micro}}};
  }
  if (const std::size_t plus = text.find('+'); plus != std::string_view::npos)
    if (const auto space = space_from_name(text.substr(0, plus)))
      if (const auto address = number_in(text.substr(plus + 1)))
        return {"selectAddress", {std::string(name(*space)), std::int64_t{*address}}};
  if (!text.empty())
    if (const auto cell = parse_cell(text))
      return {"select", {cell->tile, std::int64_t{cell->row}, std::int64_t{cell->col}}};
  return {};
}

void Palette::open(Mode mode) {
  open_ = appearing_ = true;
  mode_ = mode;
  text_.clear();
  chosen_ = 0;
}

void Palette::close() {
  open_ = false;
  ImGui::CloseCurrentPopup();
}

void Palette::draw_commands(CommandQueue& out, bool entered) {
  const std::vector<Found> found = find_commands(text_);
  const int count = static_cast<int>(found.size());
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_DownArrow))) ++chosen_;
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_UpArrow))) --chosen_;
  chosen_ = std::clamp(chosen_, 0, std::max(0, count - 1));
  if (found.empty()) ImGui::TextDisabled("No command is called like that.");
  ImGui::BeginChild("found", {0, look().px(340)});
  for (int i = 0; i < count; ++i) {
    const CommandRow& row = *found[static_cast<std::size_t>(i)].row;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::Selectable(("##" + std::string(row.name)).c_str(), i == chosen_, 0, {0, look().px(24)});
    if (i == chosen_ && (ImGui::IsWindowAppearing() || entered)) ImGui::SetScrollHereY();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = at.y + (look().px(24) - ImGui::GetTextLineHeight()) / 2, wide = ImGui::GetContentRegionAvail().x;
    list.AddText({at.x + look().px(8), y}, ImGui::GetColorU32(ImGuiCol_TextDisabled), row.menu);
    list.AddText({at.x + look().px(74), y}, ImGui::GetColorU32(ImGuiCol_Text), row.title);
    const std::string key = key_hint(row.name);
    list.AddText({at.x + wide - ImGui::CalcTextSize(key.c_str()).x - look().px(8), y},
                 ImGui::GetColorU32(ImGuiCol_TextDisabled), key.c_str());
    if (ImGui::IsItemHovered() && subjects_wanted()) note_subject(Subject::Kind::Command, row.name);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", row.help);
    if (clicked || (entered && i == chosen_)) {
      out.push(row.name);
      close();
    }
  }
  ImGui::EndChild();
}

void Palette::draw_places(CommandQueue& out, bool entered) {
  const Command command = place_command(text_);
  const WithFont small(look().fonts.small);
  ImGui::TextDisabled("@42  position      42.3  micro-step 3 of step 42      t2[1,5]  element      ub+0x440  address");
  if (command.name.empty()) {
    if (!text_.empty()) ImGui::TextDisabled("That is none of these.");
    return;
  }
  if (!entered) return;
  out.push(command.name, command.values);
  close();
}

void Palette::draw(CommandQueue& out) {
  if (!open_) return;
  if (appearing_) ImGui::OpenPopup("palette");
  const ImGuiViewport& view = *ImGui::GetMainViewport();
  const float wide = std::min(look().px(620), view.Size.x - look().px(40));
  ImGui::SetNextWindowPos({view.Pos.x + (view.Size.x - wide) / 2, view.Pos.y + look().px(64)});
  ImGui::SetNextWindowSize({wide, 0});
  if (!ImGui::BeginPopup("palette", ImGuiWindowFlags_NoMove)) {
    open_ = false;
    return;
  }
  if (appearing_) ImGui::SetKeyboardFocusHere();
  appearing_ = false;
  ImGui::SetNextItemWidth(-1);
  const bool entered =
      ImGui::InputTextWithHint("##line", mode_ == Mode::Commands ? "a command, by parts of its name" : "where to?",
                               &text_, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::Spacing();
  if (mode_ == Mode::Commands) draw_commands(out, entered);
  else draw_places(out, entered);
  // By itself, ImGui would take the first Escape for leaving the field.
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) close();
  ImGui::EndPopup();
}

}  // namespace ts::ui
