// Reading and writing the user's keys.
#include "app/settings/saved_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ts::ui {

std::optional<Keys> keys_from_text(std::string_view text) {
  Keys keys;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const auto chord = chord_from_name(text.substr(0, end));
    if (!chord || keys.size() == kMostChords) return {};
    keys.push_back(*chord);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return keys;
}

std::string text_of(const Keys& keys) {
  std::string text;
  for (const Chord& chord : keys) text += (text.empty() ? "" : " ") + name_of(chord);
  return text;
}

// One is the other, or its beginning.
bool clash(const Keys& a, const Keys& b) {
  const std::size_t both = std::min(a.size(), b.size());
  return both != 0 && std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(both), b.begin());
}

// Against each other, not against a preset: what the user set comes first.
KeysByCommand load_keys(const nlohmann::json& saved, const KeyRules& rules, std::vector<std::string>& problems) {
  KeysByCommand read;
  if (!saved.is_object()) return read;
  for (const auto& [command, text] : saved.items()) {
    const auto keys = text.is_string() ? keys_from_text(text.get<std::string>()) : std::nullopt;
    if (!rules.can_be_bound(command) || !keys || !rules.why_not(*keys).empty()) {
      problems.push_back("keys of the settings cannot be used: " + command.substr(0, 40));
      continue;
    }
    const bool taken = std::ranges::any_of(read, [&](const auto& row) { return clash(row.second, *keys); });
    if (taken)
      problems.push_back(fmt::format("the settings give {} to two commands; {} has none now", text_of(*keys),
                                     rules.title_of(command)));
    else read[command] = *keys;
  }
  return read;
}

nlohmann::json save_keys(const KeysByCommand& keys) {
  nlohmann::json saved = nlohmann::json::object();
  for (const auto& [command, own] : keys) saved[command] = text_of(own);
  return saved;
}

}  // namespace ts::ui
