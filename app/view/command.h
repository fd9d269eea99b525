// What panes ask for: commands by their name in the table, with arguments. Whoever owns the session carries them out.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ts::ui {

using CommandValue = std::variant<std::int64_t, std::string>;

struct Command {
  std::string name;  // of a row of core's or the window's table
  std::vector<CommandValue> values = {};

  // The argument, or what is given where it is left out or of the other kind.
  std::int64_t number(std::size_t index, std::int64_t otherwise = 0) const {
    const auto* value = index < values.size() ? std::get_if<std::int64_t>(&values[index]) : nullptr;
    return value != nullptr ? *value : otherwise;
  }
  std::string text(std::size_t index) const {
    const auto* value = index < values.size() ? std::get_if<std::string>(&values[index]) : nullptr;
    return value != nullptr ? *value : "";
  }
};

class CommandQueue {
 public:
  void push(std::string name, std::vector<CommandValue> values = {}) {
    commands_.push_back({std::move(name), std::move(values)});
  }
  bool empty() const { return commands_.empty(); }
  // All of them, in their order; the queue is empty afterwards.
  std::vector<Command> take() { return std::exchange(commands_, {}); }

 private:
  std::vector<Command> commands_;
};

}  // namespace ts::ui
