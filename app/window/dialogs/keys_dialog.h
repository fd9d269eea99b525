// The dialog in which keys are given to commands.
#pragma once

#include <optional>
#include <string>

#include "app/window/commands/key_map.h"
#include "core/debug/session/commands.h"

namespace ts::ui {

class KeysDialog {
 public:
  void open();
  bool is_open() const { return open_; }
  // The next key that is pressed is the one that the user wants for a command.
  bool wants_key() const { return open_ && !waiting_.empty(); }
  void take_key(const Chord& chord, KeyMap& keys);
  void draw(KeyMap& keys);
  // What it says at the moment: which key it waits for, what stands in the way.
  const std::string& says() const { return says_; }

 private:
  void wait_for(const std::string& command, const KeyMap& keys);
  void end_waiting();
  void say_refused(const KeyRefusal& refusal);
  void draw_head(KeyMap& keys);
  void draw_message(KeyMap& keys);
  void draw_list(KeyMap& keys);
  void draw_row(const CommandRow& row, KeyMap& keys);
  void put(KeyMap& keys, bool take);

  bool open_ = false, appearing_ = false, two_ = false;
  bool escaped_ = false;  // Escape ended the waiting, and nothing else
  std::string filter_, waiting_, says_;
  Keys wanted_;
  std::optional<KeyRefusal> refused_;  // of `wanted_` for `for_`
  std::string for_;
};

}  // namespace ts::ui
