// Lines from a person: with editing, history and completion at a terminal, plain ones from anywhere else.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ts {

// What the end of a line may go on as. Each text stands for everything from `begin` on.
struct Completions {
  std::size_t begin = 0;
  std::vector<std::string> texts;
};
using Completer = std::function<Completions(const std::string& line)>;

// There is one terminal, so there can be one of these at a time.
class LineReader {
 public:
  // The history is read from and written to the file, unless its name is empty.
  LineReader(std::string history_file, Completer completer);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  bool at_terminal() const { return at_terminal_; }
  struct Line {
    enum class Kind : std::uint8_t { Text, Cancelled, End };
    Kind kind = Kind::Text;
    std::string text = {};
  };
  // The prompt is shown at a terminal only; Ctrl+C there cancels the line.
  Line read(const std::string& prompt);

 private:
  bool at_terminal_;
  std::string history_file_;
};

}  // namespace ts
