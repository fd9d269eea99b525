// Everything the user can ask for by a key, a menu, the palette, a script or a typed line: one row each. Names, keys,
// help, parameters, what it does and how the journal writes it stand there and nowhere else.
#pragma once

#include <any>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/debug/session/session.h"

namespace ts {

using CommandValue = std::variant<std::int64_t, std::string>;

// What somebody asks for: a command by its name, with arguments in the order of the row's parameters.
struct Command {
  std::string name;
  std::vector<CommandValue> values = {};

  // The argument, or what is given where it is left out or of the other kind.
  std::int64_t number(std::size_t index, std::int64_t otherwise = 0) const;
  std::string text(std::size_t index) const;
  // The same as a count: what is no count is the nearest one.
  std::uint32_t count(std::size_t index, std::uint32_t otherwise = 0) const;
};

struct CommandParameter {
  enum class Type : std::uint8_t {
    Integer,
    Number,  // or a text that is one
    Text,
    Tile,  // a tile or buffer, by its name
    Flag,  // on or off: 1 or 0
    Any,   // a number or a text
  };
  enum class Given : std::uint8_t { Always, Sometimes };
  const char* name;
  Type type;
  // Sometimes: without it the selection, the cursor or the opposite of now is meant, or somebody asks for it.
  Given given = Given::Always;

  bool is_required() const { return given == Given::Always; }
  bool wants_text() const { return type == Type::Text || type == Type::Tile || type == Type::Number; }
};

// How the journal writes a command, and by that what scripts call.
struct JournalForm {
  enum class Kind : std::uint8_t {
    Name,     // by its name: rec:over() where it moves a session, else gui.checkNow()
    Outcome,  // what it changed is written, by who changes it, such as gui.select("t2", 1, 5); gui has it by its name
    Fields,   // rec:runTo{step=3}: the parameters that are given, by their names
    Line,     // `line`: Lua, with $1 for the first argument and $* for all of them
    Nothing,  // not at all, and no script calls it: it asks a person, or belongs to the screen alone
  };
  Kind kind = Kind::Name;
  const char* line = "";
};
inline constexpr JournalForm kOutcome{JournalForm::Kind::Outcome}, kFields{JournalForm::Kind::Fields},
    kUnwritten{JournalForm::Kind::Nothing};
constexpr JournalForm as_line(const char* line) { return {JournalForm::Kind::Line, line}; }

struct CommandRow {
  const char* name;  // in scripts: rec:over()
  const char* menu;
  const char* group = "";  // of a long menu: the part of it that this stands in
  const char* title;
  const char* words = "";  // what people call it as well, "undo, take back": by these the palette finds it too
  const char* keys = "";   // "Shift+F11"; empty: none
  const char* help;        // a sentence
  std::vector<CommandParameter> parameters = {};
  JournalForm journal = {};
  // What is said where there is nothing further that way; empty: nothing is.
  const char* none = "";
  // What it does with a session; null: it is more than that.
  std::variant<Stopped, Refusal> (*run)(Session&, const Command&) = nullptr;
  // What it does in the program that registered the row. Only that knows what is in here.
  std::any act = {};
};

// Makes sense without arguments: by a key, from a menu.
bool stands_alone(const CommandRow& row);

// The rows of the session. Each is a method of a recording in scripts.
std::span<const CommandRow> commands();
const CommandRow* find_command(std::string_view name);

// Rows of other tables, such as the window's: what they do is not for core to know, but scripts know their names. They
// live as long as the program.
struct RegisteredCommands {
  explicit RegisteredCommands(std::span<const CommandRow> rows);
};
std::span<const CommandRow* const> registered_commands();
const CommandRow* find_registered_command(std::string_view name);
// Whether `gui` has a function of the row's name.
bool is_called_by_gui(const CommandRow& row);

}  // namespace ts
