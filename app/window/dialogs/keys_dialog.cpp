// Giving keys to commands.
#include "app/window/dialogs/keys_dialog.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>

#include <GLFW/glfw3.h>

#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/draw/signs.h"
#include "app/view/targets.h"
#include "app/window/commands/window_commands.h"

namespace ts::ui {
namespace {

constexpr const char* kTitle = "Keys";

bool contains(std::string text, std::string part) {
  const auto lower = [](std::string& of) {
    for (char& c : of) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  };
  lower(text);
  lower(part);
  return text.find(part) != std::string::npos;
}

void target(const std::string& name) {
  if (targets_wanted()) note_target(name, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
}

}  // namespace

void KeysDialog::open() {
  open_ = appearing_ = true;
  filter_.clear();
  says_.clear();
  refused_.reset();
  end_waiting();
}

void KeysDialog::wait_for(const std::string& command, const KeyMap&) {
  waiting_ = command;
  wanted_.clear();
  refused_.reset();
  says_ = fmt::format("Press the key{} for {}. Escape leaves it as it is.", two_ ? "s" : "",
                      find_any_command(command)->title);
}

void KeysDialog::end_waiting() {
  waiting_.clear();
  wanted_.clear();
}

void KeysDialog::say_refused(const KeyRefusal& refusal) {
  refused_ = refusal;
  says_ = refusal.owner.empty() ? fmt::format("That cannot be: {}.", refusal.text)
                                : fmt::format("{}. Take it away there?", refusal.text);
}

void KeysDialog::put(KeyMap& keys, bool take) {
  const auto refused = take ? keys.take(for_, wanted_) : keys.bind(for_, wanted_);
  if (refused) return say_refused(*refused);
  refused_.reset();
  const char* title = find_any_command(for_)->title;
  says_ = wanted_.empty() ? fmt::format("{} has no key now.", title)
                          : fmt::format("{} is {} now.", text_of(wanted_), title);
}

void KeysDialog::take_key(const Chord& chord, KeyMap& keys) {
  // Half of a chord: the key comes with it.
  if (chord.key >= GLFW_KEY_LEFT_SHIFT && chord.key <= GLFW_KEY_RIGHT_SUPER) return;
  if (chord.key == GLFW_KEY_ESCAPE) {
    says_.clear();
    escaped_ = true;
    return end_waiting();
  }
  wanted_.push_back(chord);
  if (two_ && wanted_.size() < kMostChords && why_fixed(chord).empty()) {
    says_ = fmt::format("{} and then?", text_of(wanted_));
    return;
  }
  for_ = waiting_;
  waiting_.clear();
  put(keys, false);
}

void KeysDialog::draw_head(KeyMap& keys) {
  ImGui::SetNextItemWidth(look().px(240));
  if (appearing_) give_caret();
  ImGui::InputTextWithHint("##filter", "a command or a key", &filter_);
  ImGui::SameLine(0, look().px(16));
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("As in");
  // So that the empty circles and boxes are seen.
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_Border, tint(look().theme->text_quiet));
  for (const KeyPreset& preset : key_presets()) {
    ImGui::SameLine();
    if (ImGui::RadioButton(preset.title, keys.preset() == preset.name)) {
      keys.set_preset(preset.name);
      refused_.reset();
      says_ = fmt::format("{} Your own keys stay.", preset.help);
    }
    target(fmt::format("keys/preset {}", preset.name));
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", preset.help);
  }
  ImGui::SameLine(0, look().px(16));
  ImGui::Checkbox("two keys in a row", &two_);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("The next key that is given is two, pressed one after the other, such as Ctrl+K Ctrl+T");
}

// Always as high, so that the list below stays where it is.
void KeysDialog::draw_message(KeyMap& keys) {
  const float high = ImGui::GetFrameHeight();
  const ImVec2 at = ImGui::GetCursorPos();
  const float side = look().px(14);
  if (refused_) {
    const ImVec2 place = ImGui::GetCursorScreenPos();
    draw_severity(*ImGui::GetWindowDrawList(),
                  {{place.x, place.y + (high - side) / 2}, {place.x + side, place.y + (high + side) / 2}},
                  Severity::Warning);
    ImGui::SetCursorPosX(at.x + side + look().px(6));
  }
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(says_.empty() ? "Choose a command and press Enter, or click its key, to give it another one."
                                       : says_.c_str());
  target("keys/message");
  if (refused_ && !refused_->owner.empty()) {
    ImGui::SameLine(0, look().px(12));
    if (ImGui::Button("Take it")) put(keys, true);
    target("keys/take");
    ImGui::SameLine();
    if (ImGui::Button("Leave it")) {
      refused_.reset();
      says_.clear();
    }
    target("keys/leave");
  }
  ImGui::SetCursorPos({at.x, at.y + high + ImGui::GetStyle().ItemSpacing.y});
}

void KeysDialog::draw_row(const CommandRow& row, KeyMap& keys) {
  const std::string name = row.name, shown = keys.text_of(name);
  const float keys_at = look().px(420), end_at = look().px(640);
  ImGui::PushID(row.name);
  const ImVec2 at = ImGui::GetCursorPos();
  const bool waits = waiting_ == name;
  if (ImGui::Selectable("##row", waits, ImGuiSelectableFlags_AllowItemOverlap,
                        {end_at - look().px(8), ImGui::GetFrameHeight()}))
    wait_for(name, keys);
  target("keys/row " + name);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", row.help);
  ImGui::SetCursorPos({at.x + look().px(8), at.y});
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", row.menu);
  ImGui::SameLine(at.x + look().px(90));
  ImGui::TextUnformatted(row.title);
  ImGui::SameLine(at.x + keys_at);
  {
    const WithFont font(look().fonts.mono);
    if (waits) ImGui::TextColored(tint(look().theme->accent), "press a key");
    else ImGui::TextUnformatted(shown.c_str());
  }
  ImGui::SetCursorPos({at.x + end_at, at.y});
  if (!shown.empty()) {
    if (ImGui::Button("None")) {
      for_ = name;
      wanted_.clear();
      put(keys, false);
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Takes the key away");
    ImGui::SameLine();
  }
  if (keys.is_own(name)) {
    ImGui::SetCursorPos({at.x + end_at + look().px(70), at.y});
    if (ImGui::Button("Usual")) {
      if (const auto refused = keys.reset(name)) {
        for_ = name;
        refused_.reset();
        says_ = fmt::format("{}, so {} keeps what it has. Give that another key first.", refused->text, row.title);
      } else {
        refused_.reset();
        says_ = fmt::format("{} has its usual key.", row.title);
      }
    }
    target("keys/usual " + name);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("The key that it has by itself");
  }
  ImGui::SetCursorPos({at.x, at.y + ImGui::GetFrameHeight() + look().px(2)});
  ImGui::PopID();
}

void KeysDialog::draw_list(KeyMap& keys) {
  const float below = ImGui::GetFrameHeightWithSpacing();
  ImGui::BeginChild("commands", {0, -below}, true, ImGuiWindowFlags_NavFlattened);
  bool any = false;
  for (const CommandRow* row : all_commands()) {
    if (!stands_alone(*row)) continue;
    const std::string shown = keys.text_of(row->name);
    if (!contains(std::string(row->menu) + " " + row->title, filter_) && !contains(shown, filter_)) continue;
    any = true;
    draw_row(*row, keys);
  }
  if (!any) ImGui::TextDisabled("No command is called like that, and none has such a key.");
  ImGui::EndChild();
}

void KeysDialog::draw(KeyMap& keys) {
  if (!open_) return;
  if (appearing_) ImGui::OpenPopup(kTitle);
  const ImGuiViewport& view = *ImGui::GetMainViewport();
  ImGui::SetNextWindowSize(
      {std::min(look().px(860), view.Size.x - look().px(30)), std::min(look().px(640), view.Size.y - look().px(30))});
  ImGui::SetNextWindowPos({view.Pos.x + view.Size.x / 2, view.Pos.y + view.Size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(kTitle, &open_, ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings)) {
    open_ = false;
    return;
  }
  const bool waited = wants_key();
  draw_head(keys);
  appearing_ = false;
  draw_message(keys);
  draw_list(keys);
  if (ImGui::Button("All as usual")) {
    keys.reset_all();
    refused_.reset();
    says_ = "All keys are those of the chosen program again.";
  }
  target("keys/reset");
  ImGui::SameLine();
  if (ImGui::Button("Close")) open_ = false;
  target("keys/close");
  // While a key is waited for, Escape is for that.
  if (!waited && !wants_key() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)) && !escaped_) open_ = false;
  escaped_ = false;
  if (!open_) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace ts::ui
