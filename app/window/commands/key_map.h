// Which keys carry out which command: those of the table, of a preset, and the user's own. Whatever is set, no keys
// ever belong to two commands. Knows no ImGui.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/settings/saved_keys.h"

namespace ts::ui {

// Keys that belong to the window itself and cannot be given to a command.
struct FixedKey {
  const char* keys;  // for the manual: "Tab, Shift+Tab"
  const char* help;
};
std::span<const FixedKey> fixed_keys();
// Why no command may have this chord; empty: it may.
std::string why_fixed(const Chord& chord);

// What another program's users are used to, where it differs from the table.
struct PresetKey {
  const char *command, *keys;
};
struct KeyPreset {
  const char *name, *title, *help;
  std::span<const PresetKey> keys;
};
std::span<const KeyPreset> key_presets();  // "default" first
const KeyPreset* find_key_preset(std::string_view name);

struct KeyRefusal {
  std::string text;   // a sentence
  std::string owner;  // the command that has the keys already; empty: they cannot be bound at all
};

class KeyMap {
 public:
  KeyMap();

  const Keys& keys_of(std::string_view command) const;  // empty: none
  std::string text_of(std::string_view command) const;
  // Empty: no command.
  std::string command_of(const Keys& keys) const;
  // They are the beginning of keys that are longer.
  bool begins(const Keys& keys) const;
  // The user gave it keys of its own, or took them away.
  bool is_own(std::string_view command) const { return own_.contains(std::string(command)); }

  // Refused where another command has these keys, or keys that begin or go on with them.
  std::optional<KeyRefusal> bind(const std::string& command, const Keys& keys);
  // The same, taken away from whoever has them. Refused only where they cannot be bound.
  std::optional<KeyRefusal> take(const std::string& command, const Keys& keys);
  // Back to the preset's. Refused where another command has them now.
  std::optional<KeyRefusal> reset(const std::string& command);
  void reset_all();
  const std::string& preset() const { return preset_; }
  // The user's own keys stay.
  bool set_preset(std::string_view name);  // false: no such preset

  nlohmann::json save() const;
  // What makes no sense is left out, and said in `problems`.
  void load(const nlohmann::json& saved, std::vector<std::string>& problems);

 private:
  void make();
  std::vector<std::string> owners_of(const Keys& keys, std::string_view but) const;
  std::string preset_ = "default";
  KeysByCommand own_;   // what the user set
  KeysByCommand keys_;  // what holds
};

}  // namespace ts::ui
