// What panes ask for: commands by their name in the table, with arguments. Whoever owns the session carries them out.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/debug/session/commands.h"

namespace ts::ui {

using ts::Command;
using ts::CommandValue;

class CommandQueue {
 public:
  void push(std::string name, std::vector<CommandValue> values = {}) {
    commands_.push_back({std::move(name), std::move(values)});
  }
  // No commands, because nobody but a pane can mean them: a text goes onto the clipboard; how may a line go on?
  void copy(std::string text) { copied_ = std::move(text); }
  void complete(std::string line) { completing_ = std::move(line); }

  bool empty() const { return commands_.empty() && !copied_ && !completing_; }
  // All of them, in their order; the queue is without them afterwards.
  std::vector<Command> take() { return std::exchange(commands_, {}); }
  std::optional<std::string> take_copied() { return std::exchange(copied_, {}); }
  std::optional<std::string> take_completing() { return std::exchange(completing_, {}); }

 private:
  std::vector<Command> commands_;
  std::optional<std::string> copied_, completing_;
};

}  // namespace ts::ui
