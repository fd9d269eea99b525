// What the palette finds first: people's words for things, and what is open by its name.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "app/window/dialogs/palette_search.h"
#include "tests/support/window/open_desk.h"

namespace ts::test {
namespace {

using namespace ts::ui;

// What is carried out for what comes first: "over", "focusPane watch", "open softmax_online".
std::string first_for(const std::vector<PaletteEntry>& entries, const std::string& typed) {
  const std::vector<const PaletteEntry*> found = best_entries(entries, typed);
  if (found.empty()) return "";
  const Command& command = found.front()->commands.front();
  return command.values.empty() ? command.name : command.name + " " + command.text(0);
}

struct Row {
  const char *typed, *first;
};

}  // namespace

TEST_CASE("palette: sixty words, and what comes first") {
  constexpr Row kRows[] = {
      {"undo", "undoView"},
      {"redo", "redoView"},
      {"watch", "focusPane watch"},
      {"find value", "find"},
      {"search", "find"},
      {"edit value", "editValue"},
      {"screenshot", "savePicture"},
      {"gif", "saveFilm"},
      {"input", "runSettings"},
      {"npy", "runSettings"},
      {"vs code", "openInEditor"},
      {"vim", "openInEditor"},
      {"edit file", "openInEditor"},
      {"choose editor", "editor"},
      {"syntax", "guide"},
      {"language guide", "guide"},
      {"open", "open"},
      {"load", "open"},
      {"save", "saveRecording"},
      {"store", "saveRecording"},
      {"reload", "reload"},
      {"rerun", "reload"},
      {"quit", "quit"},
      {"exit", "quit"},
      {"report", "exportPage"},
      {"html", "exportPage"},
      {"perfetto", "exportTrace"},
      {"step over", "over"},
      {"over", "over"},
      {"advance", "over"},
      {"one step back", "overBack"},
      {"previous step", "overBack"},
      {"step back", "overBack"},
      {"step into", "into"},
      {"step out", "out"},
      {"run", "continue"},
      {"continue", "continue"},
      {"play", "continue"},
      {"rewind", "reverse"},
      {"restart", "first"},
      {"go to", "seek"},
      {"jump", "seek"},
      {"breakpoint", "toggleBreakpoint"},
      {"watchpoint", "watchSelection"},
      {"bookmark", "bookmark"},
      {"pause", "pause"},
      {"error", "nextFinding"},
      {"next finding", "nextFinding"},
      {"who wrote this", "previousWrite"},
      {"provenance", "follow"},
      {"where from", "follow"},
      {"hex", "cycleFormat"},
      {"heat", "showHeat"},
      {"histogram", "showHistogram"},
      {"nan", "nextNan"},
      {"copy", "copyValue"},
      {"lockstep", "compareTargets"},
      {"golden", "compareArray"},
      {"shortcuts", "keys"},
      {"dark mode", "themeDark"},
      {"zoom in", "zoomIn"},
      {"font size", "zoomIn"},
      {"full screen", "maximisePane"},
      {"legend", "legend"},
      {"colours", "legend"},
      {"docs", "page"},
      {"tutorial", "lessons"},
      {"timeline", "focusPane timeline"},
      {"buffer map", "focusPane buffermap"},
      {"inspector", "focusPane inspector"},
      {"zip", "openLesson zip"},
      {"softmax_online", "open softmax_online"},
  };
  const std::vector<PaletteEntry> entries = lasting_entries();
  for (const Row& row : kRows) {
    CAPTURE(row.typed);
    CHECK(first_for(entries, row.typed) == row.first);
  }
  CHECK(best_entries(entries, "qqzzxx").empty());
}

TEST_CASE("palette: what is open is found by its name") {
  ProgramDesk f("masked_sum");
  std::vector<PaletteEntry> entries = lasting_entries();
  for (PaletteEntry& entry : open_entries(f.view(), {"/tmp/kernels/attention.pto"})) entries.push_back(entry);
  CHECK(first_for(entries, "out") == "showTile out");
  CHECK(first_for(entries, "attention") == "open /tmp/kernels/attention.pto");
  // Lines by their number and by their words; places as they are written.
  const std::vector<PaletteEntry> lines = typed_entries(f.view(), "line 12");
  REQUIRE(lines.size() == 1);
  CHECK(lines.front().commands.back().number(0) == 12);
  CHECK(!typed_entries(f.view(), "tsels").empty());
  CHECK(typed_entries(f.view(), "out[0,4]").front().commands.front().name == "select");
  CHECK(typed_entries(f.view(), "7").front().commands.front().name == "seek");
}

TEST_CASE("palette: a finding is found by what it says") {
  ProgramDesk f("bug_offset_units");
  const std::vector<PaletteEntry> entries = open_entries(f.view(), {});
  CHECK(first_for(entries, "TGB-R5").starts_with("showFinding"));
}

TEST_CASE("palette: scattered letters find a title when nothing else does") {
  CHECK(letters_fit("Step over", "so") > 0);
  CHECK(letters_fit("Step over", "step") > letters_fit("Reset this layout", "step"));
  CHECK(letters_fit("Step over", "overstep") == -1);
  CHECK(letters_fit("Step over", "") == 0);
}

}  // namespace ts::test
