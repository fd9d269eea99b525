// Finding a file.
#include "app/window/dialogs/chooser.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "app/draw/icons.h"
#include "app/draw/look.h"

namespace ts::ui {

namespace fs = std::filesystem;

// A folder with more than that is cut: nobody scrolls through it.
constexpr std::size_t kMostEntries = 5000;

void Chooser::open(Wanted wanted) {
  if (wanted.extensions != wanted_.extensions) typed_.clear();
  if (!wanted.suggestion.empty()) typed_ = wanted.suggestion;
  wanted_ = std::move(wanted);
  replaced_.clear();
  open_ = appearing_ = true;
  std::error_code failed;
  if (folder_.empty()) folder_ = fs::current_path(failed);
  look_into(folder_);
}

void Chooser::look_into(const fs::path& folder) {
  std::error_code failed;
  fs::directory_iterator files(folder, fs::directory_options::skip_permission_denied, failed);
  if (failed) {
    problem_ = folder.string() + ": " + failed.message();
    return;
  }
  problem_.clear();
  entries_.clear();
  folder_ = folder;
  for (; files != fs::directory_iterator() && entries_.size() < kMostEntries; files.increment(failed)) {
    if (failed) break;
    std::error_code unknown;
    const bool is_folder = files->is_directory(unknown);
    const std::string name = files->path().filename().string();
    const bool listed =
        is_folder || all_files_ || std::ranges::count(wanted_.extensions, files->path().extension().string()) != 0;
    if (name.starts_with('.') || !listed) continue;
    entries_.push_back({name, is_folder});
  }
  std::ranges::sort(entries_,
                    [](const Entry& a, const Entry& b) { return a.folder != b.folder ? a.folder : a.name < b.name; });
}

void Chooser::take(const std::string& path, CommandQueue& out) {
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    typed_.clear();
    look_into(fs::weakly_canonical(path, failed));
    return;
  }
  const bool is_there = fs::exists(path, failed), writing = !wanted_.suggestion.empty();
  if (!is_there && !writing) {
    problem_ = path + ": no such file";
    return;
  }
  if (is_there && writing && path != replaced_) {
    replaced_ = path;
    problem_ = path + " is there already; choose it again to replace it";
    return;
  }
  std::vector<CommandValue> values = wanted_.command.values;
  values.emplace_back(path);
  out.push(wanted_.command.name, std::move(values));
  open_ = false;
  ImGui::CloseCurrentPopup();
}

void Chooser::draw(CommandQueue& out) {
  if (!open_) return;
  if (appearing_) ImGui::OpenPopup(wanted_.title.c_str());
  const ImGuiViewport& view = *ImGui::GetMainViewport();
  ImGui::SetNextWindowSize({std::min(look().px(640), view.Size.x - 40), std::min(look().px(480), view.Size.y - 40)});
  ImGui::SetNextWindowPos({view.Pos.x + view.Size.x / 2, view.Pos.y + view.Size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(wanted_.title.c_str(), &open_, ImGuiWindowFlags_NoResize)) {
    open_ = false;
    return;
  }
  if (ImGui::Button("Up")) look_into(folder_.parent_path());
  ImGui::SameLine();
  ImGui::TextUnformatted(folder_.c_str());
  ImGui::SetNextItemWidth(-1);
  if (appearing_) ImGui::SetKeyboardFocusHere();
  appearing_ = false;
  if (ImGui::InputTextWithHint("##path", "a path, or choose below", &typed_, ImGuiInputTextFlags_EnterReturnsTrue))
    take(fs::path(typed_).is_absolute() ? typed_ : (folder_ / typed_).string(), out);
  if (!problem_.empty()) ImGui::TextColored(tint(look().theme->finding), "%s", problem_.c_str());
  ImGui::BeginChild("files", {0, -ImGui::GetFrameHeightWithSpacing()}, false, ImGuiWindowFlags_NavFlattened);
  std::string chosen;
  for (const Entry& entry : entries_) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = ImGui::GetTextLineHeight();
    draw_icon(*ImGui::GetWindowDrawList(), entry.folder ? Icon::Folder : Icon::File, {at, {at.x + side, at.y + side}},
              ink(look().theme->text_quiet));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + side + look().px(6));
    if (ImGui::Selectable(entry.name.c_str())) chosen = (folder_ / entry.name).string();
  }
  if (entries_.empty()) ImGui::TextDisabled("No %s files here.", wanted_.extensions.front().c_str());
  ImGui::EndChild();
  if (ImGui::Checkbox("all files", &all_files_)) look_into(folder_);
  // Looking into a folder changes the list: not while it is gone through.
  if (!chosen.empty()) take(chosen, out);
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) open_ = false;
  if (!open_) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace ts::ui
