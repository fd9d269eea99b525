// Finding a file.
#include "app/window/dialogs/chooser.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/draw/focus.h"
#include "app/draw/icons.h"
#include "app/draw/look.h"
#include "app/files/files.h"

namespace ts::ui {

namespace fs = std::filesystem;

// A folder with more than that is cut: nobody scrolls through it.
constexpr std::size_t kMostEntries = 5000;

namespace {

// Whether a name has the letters that are typed, side by side; a path is no part of a name.
bool has_typed(std::string_view name, std::string_view typed) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  // Not the search of ranges, which clang 14 does not compile.
  const bool has = std::search(name.begin(), name.end(), typed.begin(), typed.end(), same) != name.end();
  return typed.find('/') != std::string_view::npos || has || typed.empty();
}

const Sample* sample_called(std::string_view name) {
  static const std::vector<Sample> all = samples();
  const auto found = std::ranges::find(all, name, &Sample::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

void Chooser::open(Wanted wanted) {
  if (wanted.extensions != wanted_.extensions) typed_.clear();
  if (!wanted.suggestion.empty()) typed_ = wanted.suggestion;
  wanted_ = std::move(wanted);
  replaced_.clear();
  open_ = appearing_ = true;
  std::error_code failed;
  if (!wanted_.folder.empty()) folder_ = wanted_.folder;
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
  if (!is_there && takes_samples() && sample_called(typed_) != nullptr) return give(typed_, out);
  // Enough of a name is the name.
  const auto meant = [this](const Entry& entry) { return has_typed(entry.name, typed_); };
  if (!is_there && !writing && std::ranges::count_if(entries_, meant) == 1)
    return take((folder_ / std::ranges::find_if(entries_, meant)->name).string(), out);
  if (!is_there && !writing) {
    problem_ = path + ": no such file";
    return;
  }
  if (is_there && writing && path != replaced_) {
    replaced_ = path;
    problem_ = path + " is there already; choose it again to replace it";
    return;
  }
  give(path, out);
}

void Chooser::give(const std::string& name, CommandQueue& out) {
  std::vector<CommandValue> values = wanted_.command.values;
  values.emplace_back(name);
  out.push(wanted_.command.name, std::move(values));
  open_ = false;
  ImGui::CloseCurrentPopup();
}

// Programs are brought along as well, by name.
bool Chooser::takes_samples() const {
  return wanted_.suggestion.empty() && wanted_.command.name == "open" &&
         std::ranges::count(wanted_.extensions, ".pto") != 0;
}

// Files of the folder, and below them samples; of both those that have what is typed. The one that was clicked, or "".
std::string Chooser::draw_entries(CommandQueue& out) {
  std::string chosen;
  const std::string typed = wanted_.suggestion.empty() ? typed_ : "";
  bool any = false;
  for (const Entry& entry : entries_) {
    if (!has_typed(entry.name, typed)) continue;
    any = true;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = ImGui::GetTextLineHeight();
    draw_icon(*ImGui::GetWindowDrawList(), entry.folder ? Icon::Folder : Icon::File, {at, {at.x + side, at.y + side}},
              ink(look().theme->text_quiet));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + side + look().px(6));
    if (ImGui::Selectable(entry.name.c_str())) chosen = (folder_ / entry.name).string();
  }
  if (!any && entries_.empty()) ImGui::TextDisabled("No %s files here.", wanted_.extensions.front().c_str());
  else if (!any) ImGui::TextDisabled("No file here has these letters.");
  if (!takes_samples()) return chosen;
  static const std::vector<Sample> all = samples();
  bool headed = false;
  for (const Sample& sample : all) {
    const std::string name(sample.name);
    if (!has_typed(name, typed)) continue;
    if (!headed) ImGui::Separator(), ImGui::TextDisabled("Samples, which come with the program");
    headed = true;
    if (ImGui::Selectable((name + "##sample").c_str())) give(name, out);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", sample.summary.c_str());
  }
  return chosen;
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
  if (appearing_) give_caret();
  appearing_ = false;
  bool entered = ImGui::InputTextWithHint("##path", "a path or a part of a name, or choose below", &typed_,
                                          ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  if (!problem_.empty()) ImGui::TextColored(tint(look().theme->finding), "%s", problem_.c_str());
  ImGui::BeginChild("files", {0, -ImGui::GetFrameHeightWithSpacing()}, false, ImGuiWindowFlags_NavFlattened);
  const std::string chosen = draw_entries(out);
  ImGui::EndChild();
  if (ImGui::Checkbox("all files", &all_files_)) look_into(folder_);
  const char* verb = wanted_.suggestion.empty() ? "Open" : "Save";
  const float buttons = ImGui::CalcTextSize(verb).x + ImGui::CalcTextSize("Cancel").x + look().px(40);
  ImGui::SameLine(std::max(ImGui::GetCursorPosX(), ImGui::GetWindowWidth() - buttons - look().px(16)));
  if (ImGui::Button(verb) && !typed_.empty()) entered = true;
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) open_ = false;
  if (entered) take(fs::path(typed_).is_absolute() ? typed_ : (folder_ / typed_).string(), out);
  // Looking into a folder changes the list: not while it is gone through.
  if (!chosen.empty()) take(chosen, out);
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) open_ = false;
  if (!open_) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace ts::ui
