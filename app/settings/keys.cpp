// Names of keys.
#include "app/settings/keys.h"

#define GLFW_INCLUDE_NONE  // the numbers of keys, and no drawing
#include <GLFW/glfw3.h>
#undef GLFW_INCLUDE_NONE

#include <algorithm>
#include <cctype>
#include <iterator>

namespace ts::ui {
namespace {

constexpr struct {
  const char* name;
  int key;
  // clang-format off
} kNamed[] = {
    {"Left", GLFW_KEY_LEFT},     {"Right", GLFW_KEY_RIGHT},    {"Up", GLFW_KEY_UP},
    {"Down", GLFW_KEY_DOWN},     {"Space", GLFW_KEY_SPACE},    {"Escape", GLFW_KEY_ESCAPE},
    {"Enter", GLFW_KEY_ENTER},   {"Tab", GLFW_KEY_TAB},        {"Home", GLFW_KEY_HOME},
    {"End", GLFW_KEY_END},       {"PageUp", GLFW_KEY_PAGE_UP}, {"PageDown", GLFW_KEY_PAGE_DOWN},
    {"Delete", GLFW_KEY_DELETE}, {",", GLFW_KEY_COMMA},        {".", GLFW_KEY_PERIOD},
    {"+", GLFW_KEY_EQUAL},       {"-", GLFW_KEY_MINUS},
};
// clang-format on

std::optional<int> key_from_name(std::string_view name) {
  const auto* named = std::ranges::find(kNamed, name, [](const auto& row) { return std::string_view(row.name); });
  if (named != std::end(kNamed)) return named->key;
  if (name.size() == 1 && std::isalnum(static_cast<unsigned char>(name[0])) != 0)
    return std::toupper(static_cast<unsigned char>(name[0]));
  if (name.size() < 2 || name.size() > 3 || name[0] != 'F') return {};
  int number = 0;
  for (const char digit : name.substr(1)) {
    if (std::isdigit(static_cast<unsigned char>(digit)) == 0) return {};
    number = number * 10 + (digit - '0');
  }
  return number >= 1 && number <= 24 ? std::optional(GLFW_KEY_F1 + number - 1) : std::nullopt;
}

std::string key_name(int key) {
  const auto* named = std::ranges::find(kNamed, key, [](const auto& row) { return row.key; });
  if (named != std::end(kNamed)) return named->name;
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F24) return "F" + std::to_string(key - GLFW_KEY_F1 + 1);
  return key > 0 && key < 128 ? std::string(1, static_cast<char>(key)) : "?";
}

// "+" stands above "=" on some keyboards and needs Shift there, and has a key of its own on others: it is one key.
Chord with_plus_as_typed(Chord chord) {
  if (chord.key == GLFW_KEY_EQUAL) chord.shift = false;
  return chord;
}

}  // namespace

bool Chord::types() const {
  const bool types_with_shift = key < 128 || key == GLFW_KEY_ENTER || key == GLFW_KEY_TAB || key == GLFW_KEY_DELETE ||
                                (key >= GLFW_KEY_RIGHT && key <= GLFW_KEY_UP) || key == GLFW_KEY_HOME ||
                                key == GLFW_KEY_END;
  return !ctrl && !alt && types_with_shift;
}

std::optional<Chord> chord_from_name(std::string_view name) {
  Chord chord;
  for (;;) {
    if (name.starts_with("Ctrl+")) chord.ctrl = true, name.remove_prefix(5);
    else if (name.starts_with("Shift+")) chord.shift = true, name.remove_prefix(6);
    else if (name.starts_with("Alt+")) chord.alt = true, name.remove_prefix(4);
    else break;
  }
  const std::optional<int> key = name == "=" ? GLFW_KEY_EQUAL : key_from_name(name);
  if (!key) return {};
  chord.key = *key;
  return with_plus_as_typed(chord);
}

std::string name_of(const Chord& chord) {
  return std::string(chord.ctrl ? "Ctrl+" : "") + (chord.shift ? "Shift+" : "") + (chord.alt ? "Alt+" : "") +
         key_name(chord.key);
}

Chord chord_of(int key, int mods) {
  // The keypad's keys do what those beside the letters do.
  if (key == GLFW_KEY_KP_ADD) key = GLFW_KEY_EQUAL;
  if (key == GLFW_KEY_KP_SUBTRACT) key = GLFW_KEY_MINUS;
  if (key == GLFW_KEY_KP_ENTER) key = GLFW_KEY_ENTER;
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) key = GLFW_KEY_0 + key - GLFW_KEY_KP_0;
  return with_plus_as_typed(
      {key, (mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_SHIFT) != 0, (mods & GLFW_MOD_ALT) != 0});
}

}  // namespace ts::ui
