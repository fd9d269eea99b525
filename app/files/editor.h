// The program in which the user edits texts, as words to start it by.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/isa/refusal.h"

namespace ts {

// An editor that is known. In its command, words are as a terminal takes them, and {file}, {line} and {terminal} stand for
// a file, a line of it, and a terminal window that runs what comes behind.
struct EditorRow {
  const char *name, *program, *command;
};
std::span<const EditorRow> editors();

// Where a program is that is called so; nothing: nowhere.
using FindProgram = std::function<std::optional<std::string>(const std::string&)>;

// What is used where nobody chose one: as VISUAL or EDITOR say, else the first of the known ones that is there. Empty: none is.
std::string usual_editor(const FindProgram& find, const char* visual, const char* editor);

// The words by which a command opens a line of a file: the program with its path, then one word for each argument, whatever
// the file is called. Nothing of them is read by a shell. `file` is made absolute, so that it is no option.
std::variant<std::vector<std::string>, Refusal> editor_words(const std::string& command, const std::string& file,
                                                             std::uint32_t line, const FindProgram& find);

}  // namespace ts
