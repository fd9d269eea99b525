// The user's keys.
#include "app/window/commands/key_map.h"

#include <fmt/format.h>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/window/commands/window_commands.h"

namespace ts::ui {
namespace {

constexpr FixedKey kFixed[] = {
    {"Tab, Shift+Tab", "to the next control of the pane, and to the one before; in a text field they are the field's"},
    {"Left, Right, Up, Down", "among the controls and rows that stand side by side"},
    {"Enter", "presses the control with the focus; goes into a list inside the pane, and carries out a menu's row"},
    {"Escape", "closes what is open above the panes, leaves a text field, a list and the tour"},
    {"Alt", "to the menu bar, and back; Alt with the underlined letter opens a menu"},
    {"Ctrl+A, Ctrl+C, Ctrl+V, Ctrl+X, Ctrl+Z, Ctrl+Y", "in a text field they are the field's"},
};

constexpr PresetKey kRenderDoc[] = {
    {"intoBack", "Shift+F11"},
    {"out", "Ctrl+F11"},
};
constexpr PresetKey kVisualStudio[] = {
    {"close", "Shift+F5"},
    {"reverse", "Shift+F6"},
};
constexpr KeyPreset kPresets[] = {
    {"default", "TileScope", "Shift is backwards for F5 and F10, Ctrl for F11; Shift+F11 steps out.", {}},
    {"renderdoc", "RenderDoc", "Shift is backwards for F5, F10 and F11; Ctrl+F11 steps out.", kRenderDoc},
    {"visualstudio", "Visual Studio", "Shift+F5 closes the program; Shift+F6 continues backwards.", kVisualStudio},
};

bool can_be_bound(std::string_view command) {
  const CommandRow* row = find_any_command(command);
  return row != nullptr && stands_alone(*row);
}

std::string title_of(std::string_view command) {
  const CommandRow* row = find_any_command(command);
  return row != nullptr ? row->title : std::string(command);
}

std::string why_not(const Keys& keys) {
  for (const Chord& chord : keys)
    if (std::string why = why_fixed(chord); !why.empty()) return why;
  return keys.size() > kMostChords ? "at most two keys follow each other" : "";
}

}  // namespace

std::span<const FixedKey> fixed_keys() { return kFixed; }

std::string why_fixed(const Chord& chord) {
  const bool plain = !chord.ctrl && !chord.alt;
  const auto is = [&](std::initializer_list<int> keys) { return std::ranges::find(keys, chord.key) != keys.end(); };
  if (chord.key == 0 || name_of(chord).ends_with('?')) return "this key has no name here";
  if (plain && is({GLFW_KEY_TAB, GLFW_KEY_ENTER, GLFW_KEY_ESCAPE}))
    return fmt::format("{} goes through the controls and presses them", name_of(chord));
  if (plain && !chord.shift && is({GLFW_KEY_LEFT, GLFW_KEY_RIGHT, GLFW_KEY_UP, GLFW_KEY_DOWN}))
    return fmt::format("{} goes from control to control", name_of(chord));
  if (chord.alt && !chord.ctrl && !chord.shift)
    for (const Menu& menu : menus())
      if (chord.key == menu.letter) return fmt::format("{} opens the menu {}", name_of(chord), menu.name);
  return "";
}

std::span<const KeyPreset> key_presets() { return kPresets; }

const KeyPreset* find_key_preset(std::string_view name) {
  const auto* found =
      std::ranges::find(kPresets, name, [](const KeyPreset& row) { return std::string_view(row.name); });
  return found == std::end(kPresets) ? nullptr : found;
}

KeyMap::KeyMap() { make(); }

// The user's own keys first, then those of the preset that are still free.
void KeyMap::make() {
  keys_ = own_;
  const KeyPreset& preset = *find_key_preset(preset_);
  const auto give = [&](std::string_view command, const char* text) {
    const auto keys = keys_from_text(text);
    if (!keys || keys->empty() || keys_.contains(command) || !can_be_bound(command)) return;
    if (owners_of(*keys, command).empty()) keys_.emplace(command, *keys);
  };
  for (const PresetKey& row : preset.keys) give(row.command, row.keys);
  for (const CommandRow* row : all_commands()) {
    const bool moved = std::ranges::any_of(
        preset.keys, [&](const PresetKey& key) { return std::string_view(key.command) == row->name; });
    if (!moved) give(row->name, row->keys);
  }
}

const Keys& KeyMap::keys_of(std::string_view command) const {
  static const Keys kNone;
  const auto found = keys_.find(command);
  return found == keys_.end() ? kNone : found->second;
}

std::string KeyMap::text_of(std::string_view command) const { return ui::text_of(keys_of(command)); }

std::string KeyMap::command_of(const Keys& keys) const {
  if (keys.empty()) return "";
  for (const auto& [command, own] : keys_)
    if (own == keys) return command;
  return "";
}

bool KeyMap::begins(const Keys& keys) const {
  return std::ranges::any_of(
      keys_, [&](const auto& row) { return row.second.size() > keys.size() && clash(row.second, keys); });
}

std::vector<std::string> KeyMap::owners_of(const Keys& keys, std::string_view but) const {
  std::vector<std::string> owners;
  for (const auto& [command, own] : keys_)
    if (command != but && clash(own, keys)) owners.push_back(command);
  return owners;
}

std::optional<KeyRefusal> KeyMap::bind(const std::string& command, const Keys& keys) {
  if (!can_be_bound(command)) return KeyRefusal{fmt::format("{} cannot have keys", command), ""};
  if (std::string why = why_not(keys); !why.empty()) return KeyRefusal{why, ""};
  if (const auto owners = owners_of(keys, command); !owners.empty())
    return KeyRefusal{fmt::format("{} is {}", text_of(owners.front()), title_of(owners.front())), owners.front()};
  own_[command] = keys;
  make();
  return {};
}

std::optional<KeyRefusal> KeyMap::take(const std::string& command, const Keys& keys) {
  if (!can_be_bound(command)) return KeyRefusal{fmt::format("{} cannot have keys", command), ""};
  if (std::string why = why_not(keys); !why.empty()) return KeyRefusal{why, ""};
  for (const std::string& owner : owners_of(keys, command)) own_[owner] = {};
  own_[command] = keys;
  make();
  return {};
}

std::optional<KeyRefusal> KeyMap::reset(const std::string& command) {
  if (!own_.contains(command)) return {};
  KeyMap other = *this;
  other.own_.erase(command);
  other.make();
  // What the preset gives it may belong to another one meanwhile.
  KeyMap usual;
  usual.set_preset(preset_);
  const Keys& wanted = usual.keys_of(command);
  if (const auto owners = owners_of(wanted, command); !owners.empty())
    return KeyRefusal{fmt::format("{} is {}", ui::text_of(wanted), title_of(owners.front())), owners.front()};
  *this = std::move(other);
  return {};
}

void KeyMap::reset_all() {
  own_.clear();
  make();
}

bool KeyMap::set_preset(std::string_view name) {
  if (find_key_preset(name) == nullptr) return false;
  preset_ = name;
  make();
  return true;
}

nlohmann::json KeyMap::save() const { return {{"preset", preset_}, {"own", save_keys(own_)}}; }

void KeyMap::load(const nlohmann::json& saved, std::vector<std::string>& problems) {
  own_.clear();
  preset_ = "default";
  make();
  if (!saved.is_object()) return;
  if (const auto preset = saved.find("preset"); preset != saved.end() && preset->is_string())
    if (!set_preset(preset->get<std::string>())) problems.push_back("the settings name a key preset that there is not");
  if (const auto own = saved.find("own"); own != saved.end())
    own_ = load_keys(*own, {can_be_bound, why_not, title_of}, problems);
  make();
}

}  // namespace ts::ui
