// Known editors, and a command taken apart into words.
#include "app/files/editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace ts {
namespace {

constexpr EditorRow kEditors[] = {
    {"VS Code", "code", "code --goto {file}:{line}"},
    {"VSCodium", "codium", "codium --goto {file}:{line}"},
    {"Zed", "zed", "zed {file}:{line}"},
    {"Sublime Text", "subl", "subl {file}:{line}"},
    {"CLion", "clion", "clion --line {line} {file}"},
    {"Kate", "kate", "kate --line {line} {file}"},
    {"gedit", "gedit", "gedit +{line} {file}"},
    {"Emacs, where it runs already", "emacsclient", "emacsclient --no-wait --alternate-editor=emacs +{line} {file}"},
    {"Emacs", "emacs", "emacs +{line} {file}"},
    {"gVim", "gvim", "gvim +{line} {file}"},
    {"Neovim in a terminal", "nvim", "{terminal} nvim +{line} {file}"},
    {"Vim in a terminal", "vim", "{terminal} vim +{line} {file}"},
    {"vi in a terminal", "vi", "{terminal} vi +{line} {file}"},
    {"Helix in a terminal", "hx", "{terminal} hx {file}:{line}"},
    {"nano in a terminal", "nano", "{terminal} nano +{line} {file}"},
};

// What comes behind these is run in a window of its own.
constexpr std::pair<const char*, const char*> kTerminals[] = {
    {"x-terminal-emulator", "-e"}, {"gnome-terminal", "--"}, {"konsole", "-e"}, {"xfce4-terminal", "-x"},
    {"alacritty", "-e"},           {"kitty", "--"},          {"foot", ""},      {"xterm", "-e"}};

// As a terminal takes them: words between blanks, and what stands in quotes is one. Nothing else means anything.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  char quote = 0;
  bool within = false;
  for (const char letter : command) {
    if (quote == 0 && (letter == ' ' || letter == '\t')) {
      within = false;
      continue;
    }
    if (!within) words.emplace_back();
    within = true;
    if (letter == quote) quote = 0;
    else if (quote == 0 && (letter == '"' || letter == '\'')) quote = letter;
    else words.back() += letter;
  }
  return words;
}

// In one pass: what is put in is not looked at again.
std::string filled_in(const std::string& word, const std::string& file, std::uint32_t line) {
  std::string made;
  for (std::size_t at = 0; at < word.size();) {
    const std::string_view rest = std::string_view(word).substr(at);
    if (rest.starts_with("{file}")) made += file, at += 6;
    else if (rest.starts_with("{line}")) made += std::to_string(line), at += 6;
    else made += word[at++];
  }
  return made;
}

std::vector<std::string> terminal_words(const FindProgram& find) {
  for (const auto& [program, option] : kTerminals)
    if (find(program))
      return *option == 0 ? std::vector<std::string>{program} : std::vector<std::string>{program, option};
  return {};
}

const EditorRow* known_editor(const std::string& program) {
  const std::string called = std::filesystem::path(program).filename().string();
  const auto* at = std::ranges::find(kEditors, called, &EditorRow::program);
  return at != std::end(kEditors) ? at : nullptr;
}

// Of VISUAL and EDITOR, which name a program, and maybe options of it.
std::string command_of(const std::string& named) {
  const std::vector<std::string> words = words_of(named);
  if (words.empty()) return "";
  if (const EditorRow* row = known_editor(words[0]); row != nullptr && words.size() == 1) return row->command;
  return "{terminal} " + named + " +{line} {file}";
}

}  // namespace

std::span<const EditorRow> editors() { return kEditors; }

std::string usual_editor(const FindProgram& find, const char* visual, const char* editor) {
  for (const char* named : {visual, editor})
    if (const std::string command = named != nullptr ? command_of(named) : ""; !command.empty()) return command;
  const auto* at = std::ranges::find_if(kEditors, [&](const EditorRow& row) { return find(row.program).has_value(); });
  return at != std::end(kEditors) ? at->command : "";
}

std::variant<std::vector<std::string>, Refusal> editor_words(const std::string& command, const std::string& file,
                                                             std::uint32_t line, const FindProgram& find) {
  constexpr const char* kHint = "File > Editor... says which is used: code --goto {file}:{line}";
  std::error_code failed;
  const std::string whole = std::filesystem::absolute(file, failed).string();
  if (failed || whole.find('\0') != std::string::npos) return Refusal{fmt::format("{} is no file", file), ""};
  std::vector<std::string> made;
  bool named = false;
  for (const std::string& word : words_of(command)) {
    if (word == "{terminal}") {
      const std::vector<std::string> terminal = terminal_words(find);
      if (terminal.empty()) return Refusal{"no terminal was found that the editor could run in", kHint};
      made.insert(made.end(), terminal.begin(), terminal.end());
      continue;
    }
    named = named || word.find("{file}") != std::string::npos;
    made.push_back(filled_in(word, whole, line));
  }
  if (made.empty()) return Refusal{"no editor is known here", kHint};
  if (!named) made.push_back(whole);
  // A path is taken as it stands; everything else is looked for where programs are.
  if (made[0].find('/') == std::string::npos) {
    const auto program = find(made[0]);
    if (!program) return Refusal{fmt::format("there is no program {}", made[0]), kHint};
    made[0] = *program;
  }
  return made;
}

}  // namespace ts
