// What the desk writes into the journal, and the script that becomes of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "app/window/desk/journal_text.h"
#include "app/window/desk/open_document.h"
#include "app/window/desk/walk.h"

namespace ts::ui {

// What the window shows that is no command of the session's.
struct ShownLook {
  std::string layout, theme;
};

class JournalKeeper {
 public:
  // `launch`: how the open program was made to run.
  JournalKeeper(Walk& walk, const Launch& launch, Journal& journal)
      : walk_(walk), view_(walk.view()), launch_(launch), journal_(journal) {}

  // Something else was opened.
  void begin();
  // What is selected, and how the Tiles pane shows its tile; told in every frame.
  void begin_frame();
  // Before the session's new place is taken in.
  void arrive(const Standing& standing, const std::string& lua, bool whole);
  // Told in every frame. `quiet`: the journal has it already.
  void note_shown(const ShownLook& shown, bool quiet = false);
  // A command that was carried out, by a pane or by the window. `pane`: the one that has the focus.
  void note_command(const Command& command, const std::string& pane, bool by_pane);
  // What no line can do again.
  void add_comment(const std::string& text);
  // The journal has the selection already.
  void pass_selected() { journal_.set_selected(selected_line()); }

  std::string script();
  // The same, to be taken away; says so.
  std::string take_script();
  void save(const std::string& path);
  void clear();
  // To be put back when the lines were run again.
  Journal::Kept keep() { return journal_.keep(); }
  void put_back(Journal::Kept kept);

 private:
  void note_selected();
  void note_look();
  std::string selected_line();
  JournalEnd end();

  Walk& walk_;
  DebugView& view_;
  const Launch& launch_;
  Journal& journal_;
  ShownLook noted_;
  bool noted_shown_ = false, noted_next_ = false;
  std::map<std::pair<int, std::uint32_t>, std::pair<bool, int>> noted_looks_;  // by tile or buffer: heat, numbers
  std::optional<Owner> noted_owner_;
  std::string noted_pane_;
};

}  // namespace ts::ui
