// A script that a person types line by line: expressions show what they are, commands need no brackets, and the end of
// a line can be guessed. For the terminal and the window's console alike.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scripting/objects/values/watch.h"
#include "scripting/run/script.h"

namespace ts::scripting {

class Console {
 public:
  explicit Console(Script& script) : script_(script) {}

  enum class Fed : std::uint8_t {
    Done,
    More,  // the text goes on in the next line
    Quit,  // pto.quit, or quit
  };
  Fed feed(const std::string& line);
  // Gives up what was begun.
  void forget() { pending_.clear(); }
  // Whether the line was a command of the session's, so that who typed it wants to see where it stands.
  bool commanded() const { return commanded_; }
  int quit_code() const { return quit_code_; }
  // What the line was as Lua that stands in a script of its own, and whether it came to its end; empty: nothing ran.
  const std::string& ran() const { return ran_; }
  bool ran_well() const { return ran_well_; }

  // The same for programs: an expression or a piece of Lua, and its values as JSON; objects that have no form there are their
  // text. Nothing is printed or complained of.
  struct Answer {
    bool ok = false;
    std::string values = "[]";  // a list
    std::string error = {};
  };
  Answer answer(const std::string& lua);

  // What the line's end may go on as: whole names, that stand for everything from `begin` on.
  struct Guesses {
    std::size_t begin = 0;
    std::vector<std::string> names = {};
  };
  Guesses guess(const std::string& line) const;

  // What a watch expression is where the current recording stands.
  WatchResult watch(const std::string& text);

 private:
  std::string as_lua(const std::string& line);
  bool names_data(const std::string& text) const;
  bool is_known(const std::string& text) const;
  std::optional<std::string> misspelt(const std::string& text) const;
  bool compiles(const std::string& text, std::string* error = nullptr) const;
  Fed run(std::string text);

  Script& script_;
  std::string pending_, ran_, plain_;
  bool ran_well_ = false;
  bool commanded_ = false;
  int quit_code_ = 0;
};

}  // namespace ts::scripting
