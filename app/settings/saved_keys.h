// Keys of commands as settings have them: {"over": "F10", "theme": "Ctrl+K Ctrl+T"}.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/settings/keys.h"

namespace ts::ui {

// One chord, or two that are pressed one after the other; empty: none.
using Keys = std::vector<Chord>;
inline constexpr std::size_t kMostChords = 2;
// "F10", "Ctrl+K Ctrl+T"; an empty text is no keys. Nothing: there are no such keys.
std::optional<Keys> keys_from_text(std::string_view text);
std::string text_of(const Keys& keys);
// One is the other, or its beginning.
bool clash(const Keys& a, const Keys& b);

using KeysByCommand = std::map<std::string, Keys, std::less<>>;
// What the table of commands says of them.
struct KeyRules {
  std::function<bool(std::string_view command)> can_be_bound;
  std::function<std::string(const Keys&)> why_not;  // empty: they may be given away
  std::function<std::string(std::string_view command)> title_of;
};
// What makes no sense is left out, and said in `problems`. No keys belong to two commands.
KeysByCommand load_keys(const nlohmann::json& saved, const KeyRules& rules, std::vector<std::string>& problems);
nlohmann::json save_keys(const KeysByCommand& keys);

}  // namespace ts::ui
