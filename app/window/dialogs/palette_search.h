// What the palette finds, and in which order: commands, and whatever else has a name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/view/debug_view.h"
#include "core/debug/session/commands.h"

namespace ts::ui {

struct PaletteEntry {
  std::string kind = {};   // "View", "Sample", "Tile": what it is, or the menu that a command stands in
  std::string title = {};  // as it is listed
  std::string words = {};  // what it is called as well: "undo, take back"
  std::string help = {};   // a sentence
  std::vector<Command> commands = {};
  bool listed = true;  // before anything is typed
};

// Commands that make sense alone, panes, samples, lessons and what scripts can do; all in the order of their menus.
std::vector<PaletteEntry> lasting_entries();
// Of what is open: tiles and buffers, findings; and files that were open before.
std::vector<PaletteEntry> open_entries(DebugView& view, const std::vector<std::string>& recent);
// Lines of the program's text that have these words, and the place that is named; few.
std::vector<PaletteEntry> typed_entries(const DebugView& view, const std::string& typed);

// "@42", "42", "42.3", "t2[1,5]", "ub+0x440" as a command; an empty name: none of these.
Command place_command(const std::string& text);

// How well an entry fits what was typed; -1: not at all. Whole words come before beginnings of words, what it is called
// before what is said about it, and letters that are scattered over a title last.
int fit_of(const PaletteEntry& entry, std::string_view typed);
// Those that fit, best first; of the same worth as they were.
std::vector<const PaletteEntry*> best_entries(const std::vector<PaletteEntry>& entries, std::string_view typed);

// All letters in their order; -1: not at all.
int letters_fit(std::string_view title, std::string_view typed);

}  // namespace ts::ui
