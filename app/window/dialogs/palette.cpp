// Finding commands and places.
#include "app/window/dialogs/palette.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <vector>

#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/draw/subjects.h"
#include "app/draw/text.h"
#include "app/files/editor.h"
#include "app/view/key_hints.h"
#include "app/window/commands/window_commands.h"
#include "core/data/film/child_program.h"

namespace ts::ui {

void Palette::open(Mode mode) {
  open_ = appearing_ = true;
  mode_ = mode;
  text_.clear();
  chosen_ = 0;
}

void Palette::open_editors(const std::string& command) {
  open(Mode::Editor);
  text_ = command;
}

void Palette::close() {
  open_ = false;
  ImGui::CloseCurrentPopup();
}

// When it appears, and whenever something else is typed.
void Palette::find(DebugView& view) {
  if (found_for_ == text_) return;
  found_for_ = text_;
  chosen_ = 0;
  typed_entries_ = typed_entries(view, text_);
  found_ = best_entries(entries_, text_);
  // What is named exactly comes first, words that stand in lines last.
  std::size_t exact = 0;
  for (const PaletteEntry& entry : typed_entries_) {
    if (entry.kind == "Line" && entry.words.empty()) found_.push_back(&entry);
    else found_.insert(found_.begin() + static_cast<std::ptrdiff_t>(exact++), &entry);
  }
}

// What is typed first, then the known ones.
void Palette::find_editors() {
  if (found_for_ == text_) return;
  found_for_ = text_;
  chosen_ = 0;
  const std::string typed = text_.empty() ? "As VISUAL or EDITOR say, or whichever is there" : text_;
  typed_entries_ = {{.kind = "This",
                     .title = typed,
                     .help = "{file}, {line} and {terminal} stand for the file, its line, and a terminal window.",
                     .commands = {{"editor", {text_}}}}};
  for (const EditorRow& row : editors())
    if (data::find_program(row.program))
      typed_entries_.push_back({.kind = "Editor",
                                .title = fmt::format("{}:  {}", row.name, row.command),
                                .help = row.command,
                                .commands = {{"editor", {row.command}}}});
  found_.clear();
  for (const PaletteEntry& entry : typed_entries_) found_.push_back(&entry);
}

// True: it was clicked.
bool Palette::draw_entry(const PaletteEntry& entry, bool chosen) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::Selectable("##entry", chosen, 0, {0, look().px(24)});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float y = at.y + (look().px(24) - ImGui::GetTextLineHeight()) / 2, wide = ImGui::GetContentRegionAvail().x;
  list.AddText({at.x + look().px(8), y}, ImGui::GetColorU32(ImGuiCol_TextDisabled), entry.kind.c_str());
  const std::string& command = entry.commands.front().name;
  const bool is_command = entry.commands.size() == 1 && entry.commands.front().values.empty();
  const std::string key = is_command ? key_hint(command) : "";
  const float key_wide = ImGui::CalcTextSize(key.c_str()).x;
  put_text_cut({at.x + look().px(74), y}, wide - look().px(98) - key_wide, entry.title, look().theme->text,
               ImGui::GetFont());
  list.AddText({at.x + wide - key_wide - look().px(8), y}, ImGui::GetColorU32(ImGuiCol_TextDisabled), key.c_str());
  if (ImGui::IsItemHovered() && subjects_wanted() && is_command) note_subject(Subject::Kind::Command, command);
  if (ImGui::IsItemHovered() && !entry.help.empty()) ImGui::SetTooltip("%s", entry.help.c_str());
  return clicked;
}

void Palette::draw_found(CommandQueue& out, bool entered) {
  const int count = static_cast<int>(found_.size());
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_DownArrow))) ++chosen_;
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_UpArrow))) --chosen_;
  chosen_ = std::clamp(chosen_, 0, std::max(0, count - 1));
  if (found_.empty()) ImGui::TextDisabled("Nothing is called like that.");
  ImGui::BeginChild("found", {0, look().px(340)});
  const PaletteEntry* taken = nullptr;
  for (int i = 0; i < count; ++i) {
    const PaletteEntry& entry = *found_[static_cast<std::size_t>(i)];
    ImGui::PushID(i);
    const bool clicked = draw_entry(entry, i == chosen_);
    if (i == chosen_ && (ImGui::IsWindowAppearing() || entered)) ImGui::SetScrollHereY();
    ImGui::PopID();
    if (clicked || (entered && i == chosen_)) taken = &entry;
  }
  ImGui::EndChild();
  if (taken == nullptr) return;
  for (const Command& command : taken->commands) out.push(command.name, command.values);
  close();
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

void Palette::draw(DebugView& view_of, const std::vector<std::string>& recent, CommandQueue& out) {
  if (!open_) return;
  if (appearing_) {
    ImGui::OpenPopup("palette");
    static const std::vector<PaletteEntry> lasting = lasting_entries();
    entries_ = open_entries(view_of, recent);
    entries_.insert(entries_.begin(), lasting.begin(), lasting.end());
    found_for_.reset();
  }
  const ImGuiViewport& view = *ImGui::GetMainViewport();
  const float wide = std::min(look().px(620), view.Size.x - look().px(40));
  ImGui::SetNextWindowPos({view.Pos.x + (view.Size.x - wide) / 2, view.Pos.y + look().px(64)});
  ImGui::SetNextWindowSize({wide, 0});
  if (!ImGui::BeginPopup("palette", ImGuiWindowFlags_NoMove)) {
    open_ = false;
    return;
  }
  if (appearing_) give_caret();
  appearing_ = false;
  ImGui::SetNextItemWidth(-1);
  const char* hint = mode_ == Mode::Commands ? "a command, a sample, a tile, a word of the program"
                     : mode_ == Mode::Editor ? "code --goto {file}:{line}"
                                             : "where to?";
  const bool entered = ImGui::InputTextWithHint("##line", hint, &text_, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::Spacing();
  if (mode_ == Mode::Commands) {
    find(view_of);
    draw_found(out, entered);
  } else if (mode_ == Mode::Editor) {
    find_editors();
    draw_found(out, entered);
  } else {
    draw_places(out, entered);
  }
  // By itself, ImGui would take the first Escape for leaving the field.
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) close();
  ImGui::EndPopup();
}

}  // namespace ts::ui
