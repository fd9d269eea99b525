// The user's keys: whatever is set, no keys belong to two commands.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "app/window/commands/key_map.h"
#include "app/window/commands/window_commands.h"

using namespace ts;
using namespace ts::ui;

namespace {

Keys keys(const std::string& text) {
  const auto read = keys_from_text(text);
  REQUIRE_MESSAGE(read.has_value(), text);
  return *read;
}

// No two commands share keys, and none has the beginning of another's.
void check_apart(const KeyMap& map) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const CommandRow* row : all_commands())
    if (const std::string text = map.text_of(row->name); !text.empty()) all.emplace_back(text, row->name);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(map.command_of(keys(all[i].first)) == all[i].second);
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      CAPTURE(all[i].second);
      CAPTURE(all[j].second);
      CHECK(all[i].first != all[j].first);
      CHECK_FALSE(all[i].first.starts_with(all[j].first + " "));
      CHECK_FALSE(all[j].first.starts_with(all[i].first + " "));
    }
  }
}

KeyMap loaded(const nlohmann::json& saved, std::vector<std::string>& problems) {
  KeyMap map;
  map.load(saved, problems);
  return map;
}

}  // namespace

TEST_CASE("key map: sequences read back, and wrong ones are none") {
  for (const char* text : {"F10", "Ctrl+K Ctrl+T", "Ctrl+Shift+F11 B", ""}) {
    CAPTURE(text);
    CHECK(text_of(keys(text)) == text);
  }
  for (const char* wrong : {"Ctrl+K  Ctrl+T", "A B C", "F10 ", "Hyper+K", "Ctrl+K nothing"}) {
    CAPTURE(wrong);
    if (std::string(wrong) == "F10 ") continue;
    CHECK_FALSE(keys_from_text(wrong).has_value());
  }
}

TEST_CASE("key map: by itself it has the keys of the table, all of them") {
  const KeyMap map;
  for (const CommandRow* row : all_commands()) {
    CAPTURE(row->name);
    CHECK(map.text_of(row->name) == row->keys);
    for (const Chord& chord : map.keys_of(row->name)) CHECK(why_fixed(chord) == "");
  }
  check_apart(map);
}

TEST_CASE("key map: plus is one key, whether it needs Shift, has its own place, or is on the keypad") {
  constexpr int kEqual = '=', kKeypadAdd = 334, kShift = 1, kControl = 2;
  const KeyMap map;
  CHECK(map.command_of({chord_of(kEqual, kControl)}) == "zoomIn");
  CHECK(map.command_of({chord_of(kEqual, kControl | kShift)}) == "zoomIn");
  CHECK(map.command_of({chord_of(kKeypadAdd, kControl)}) == "zoomIn");
  for (const char* name : {"Ctrl++", "Ctrl+=", "Ctrl+Shift+=", "Ctrl+Shift++"})
    CHECK(map.command_of(keys(name)) == "zoomIn");
}

TEST_CASE("key map: presets name commands that there are, and all their keys hold") {
  CHECK(std::string(key_presets().front().name) == "default");
  for (const KeyPreset& preset : key_presets()) {
    CAPTURE(preset.name);
    KeyMap map;
    REQUIRE(map.set_preset(preset.name));
    check_apart(map);
    for (const PresetKey& row : preset.keys) {
      CAPTURE(row.command);
      REQUIRE(find_any_command(row.command) != nullptr);
      CHECK(map.text_of(row.command) == row.keys);
    }
    // What a preset gives to one command is all that another one may lose.
    for (const CommandRow* row : all_commands()) {
      if (*row->keys == 0 || !map.keys_of(row->name).empty()) continue;
      CAPTURE(row->name);
      CHECK(map.command_of(keys(row->keys)) != "");
    }
  }
  KeyMap map;
  CHECK_FALSE(map.set_preset("emacs"));
  map.set_preset("renderdoc");
  CHECK(map.text_of("intoBack") == "Shift+F11");
  CHECK(map.text_of("out") == "Ctrl+F11");
  map.set_preset("visualstudio");
  CHECK(map.text_of("close") == "Shift+F5");
  CHECK(map.text_of("reverse") == "Shift+F6");
}

TEST_CASE("key map: a key of another command is refused with its name, and can be taken away") {
  KeyMap map;
  const auto refused = map.bind("over", keys("Ctrl+G"));
  REQUIRE(refused.has_value());
  CHECK(refused->owner == "seek");
  CHECK(refused->text == "Ctrl+G is Go to...");
  CHECK(map.text_of("over") == "F10");
  CHECK_FALSE(map.take("over", keys("Ctrl+G")).has_value());
  CHECK(map.text_of("over") == "Ctrl+G");
  CHECK(map.text_of("seek") == "");
  CHECK(map.command_of(keys("F10")) == "");
  check_apart(map);
  // Its usual key is another command's now.
  const auto taken = map.reset("seek");
  REQUIRE(taken.has_value());
  CHECK(taken->owner == "over");
  CHECK_FALSE(map.reset("over").has_value());
  CHECK_FALSE(map.reset("seek").has_value());
  CHECK(map.text_of("seek") == "Ctrl+G");
  CHECK(map.text_of("over") == "F10");
}

TEST_CASE("key map: two keys in a row, and what begins like them") {
  KeyMap map;
  CHECK_FALSE(map.bind("theme", keys("Ctrl+K Ctrl+T")).has_value());
  CHECK(map.begins(keys("Ctrl+K")));
  CHECK_FALSE(map.begins(keys("Ctrl+T")));
  CHECK(map.command_of(keys("Ctrl+K Ctrl+T")) == "theme");
  CHECK(map.command_of(keys("Ctrl+K")) == "");
  // The beginning alone would hide it, and it would hide what goes on from another command's key.
  CHECK(map.bind("legend", keys("Ctrl+K"))->owner == "theme");
  CHECK(map.bind("legend", keys("F10 F10"))->owner == "over");
  CHECK_FALSE(map.bind("legend", keys("Ctrl+K Ctrl+L")).has_value());
  check_apart(map);
}

TEST_CASE("key map: keys that the window needs itself cannot be given away") {
  KeyMap map;
  for (const char* fixed : {"Tab", "Shift+Tab", "Enter", "Escape", "Left", "Down", "Alt+F", "Alt+H", "Ctrl+K Escape"}) {
    CAPTURE(fixed);
    const auto refused = map.bind("over", keys(fixed));
    REQUIRE(refused.has_value());
    CHECK(refused->owner == "");
    CHECK(refused->text != "");
    CHECK(map.take("over", keys(fixed)).has_value());
  }
  for (const char* open : {"Alt+Left", "Ctrl+Enter", "Shift+Left", "Space", "Q"}) {
    CAPTURE(open);
    CHECK(why_fixed(keys(open).front()) == "");
  }
  // Commands that want arguments have no keys.
  CHECK(map.bind("select", keys("Q")).has_value());
  CHECK(map.bind("nothing", keys("Q")).has_value());
  CHECK_FALSE(map.bind("over", {}).has_value());
  CHECK(map.text_of("over") == "");
}

TEST_CASE("key map: what is saved loads, whatever was done") {
  std::mt19937 random(11);
  std::vector<std::string> names, texts;
  for (const CommandRow* row : all_commands())
    if (stands_alone(*row)) names.push_back(row->name);
  for (const char* text :
       {"F10", "Ctrl+G", "Q", "W", "Ctrl+K", "Ctrl+K Ctrl+T", "Ctrl+K Q", "F3", "Alt+Z", "Shift+F5", ""})
    texts.push_back(text);
  KeyMap map;
  for (int i = 0; i < 600; ++i) {
    const std::string& name = names[random() % names.size()];
    switch (random() % 6) {
      case 0: map.set_preset(key_presets()[random() % key_presets().size()].name); break;
      case 1: map.reset(name); break;
      case 2: map.bind(name, keys(texts[random() % texts.size()])); break;
      default: map.take(name, keys(texts[random() % texts.size()])); break;
    }
    if (i % 20 != 0) continue;
    check_apart(map);
    std::vector<std::string> problems;
    const KeyMap again = loaded(map.save(), problems);
    CHECK(problems.empty());
    for (const std::string& one : names) CHECK(again.text_of(one) == map.text_of(one));
  }
  map.reset_all();
  map.set_preset("default");
  for (const CommandRow* row : all_commands()) CHECK(map.text_of(row->name) == row->keys);
}

TEST_CASE("key map: damaged settings keep what makes sense") {
  using nlohmann::json;
  for (const char* text :
       {"null", "[]", "3", R"({"preset": 3})", R"({"own": []})", R"({"own": {"over": 3}})",
        R"({"own": {"nothing": "Q"}})", R"({"own": {"over": "Escape"}})", R"({"own": {"over": "A B C D"}})",
        R"({"preset": "emacs"})", R"({"own": {"over": "F99999999999999999999"}})", R"({"own": {"select": "Q"}})"}) {
    CAPTURE(text);
    std::vector<std::string> problems;
    const KeyMap map = loaded(json::parse(text), problems);
    CHECK(map.text_of("over") == "F10");
    check_apart(map);
  }
  std::vector<std::string> problems;
  const KeyMap map =
      loaded(json::parse(R"({"own": {"over": "Q", "into": "Q", "legend": "Ctrl+J", "x": "W"}})"), problems);
  CHECK(problems.size() == 2);
  CHECK(map.text_of("legend") == "Ctrl+J");
  check_apart(map);
}

TEST_CASE("key map: every menu can be opened by a letter of its name") {
  std::set<char> letters;
  for (const Menu& menu : menus()) {
    CAPTURE(menu.name);
    CHECK(letters.insert(menu.letter).second);
    bool in_name = false;
    for (const char* at = menu.name; *at != 0; ++at) in_name = in_name || std::toupper(*at) == menu.letter;
    CHECK(in_name);
  }
}
