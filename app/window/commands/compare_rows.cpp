// The Compare menu.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "app/window/commands/rows.h"
#include "app/window/shell/shell.h"

namespace ts::ui {
namespace {

// The pane that lists what differs comes to the front.
constexpr const char* kPane = "compare";

bool asks_nothing(Shell&, const Command&) { return false; }
void compare_targets(Desk& desk, const Command&) { desk.other_side().compare_targets(); }

bool asks_other(Shell& shell, const Command& command) {
  if (!command.text(0).empty()) return false;
  shell.chooser().open({"Compare with a program or recording", {".pto", ".ptorec"}, {"compareWith"}});
  return true;
}
void compare_with(Desk& desk, const Command& command) { desk.other_side().compare_with(command.text(0)); }

bool asks_array(Shell& shell, const Command& command) {
  if (!command.text(0).empty() && !command.text(1).empty()) return false;
  DebugView& view = shell.desk().view();
  std::string tile = command.text(0);
  // What is selected, or else what the Tiles pane shows.
  if (tile.empty() && view.recording() != nullptr) {
    if (view.selected()) tile = view.name_of(view.selected()->owner);
    else if (const auto& shown = view.tiles_look().owner) tile = view.name_of(*shown);
  }
  if (tile.empty())
    shell.desk().tell("no tile is chosen", "select an element of the tile that the array is to be compared with");
  else shell.chooser().open({"Compare " + tile + " with an array", {".npy"}, {"compareArray", {tile}}});
  return true;
}
void compare_array(Desk& desk, const Command& command) {
  desk.other_side().compare_array(command.text(0), command.text(1));
}

void mark_differences(Desk& desk, const Command& command) {
  desk.other_side().mark_differences(command.number(0, desk.view().marks_differences() ? 0 : 1) != 0);
}

// A number that no tolerance is smaller than.
std::optional<double> tolerance(const std::string& text) {
  if (text.empty()) return 0;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (*end != 0 || !(number >= 0)) return {};
  return number;
}

void compare_again(Desk& desk, const Command& command) {
  constexpr double kMostUlps = 1e18;
  const auto abs = tolerance(command.text(0)), rel = tolerance(command.text(1)), ulp = tolerance(command.text(2));
  const bool whole = ulp && *ulp <= kMostUlps && *ulp == std::floor(*ulp);
  if (!abs || !rel || !whole)
    return desk.tell(fmt::format("{} is no tolerance", command.text(!abs   ? 0
                                                                    : !rel ? 1
                                                                           : 2)),
                     "a number from 0 on: 0.001, 1e-6; of ulp a whole one", true);
  desk.other_side().compare_again({.abs = *abs,
                                   .rel = *rel,
                                   .ulp = static_cast<std::uint64_t>(*ulp),
                                   .nan_equal = command.number(3, 1) != 0,
                                   .region = command.number(4, 0) != 0 ? Region::All : Region::Valid});
}

}  // namespace

std::vector<CommandRow> compare_rows() {
  // clang-format off
  return {
      {.name = "compareTargets", .menu = "Compare", .title = "Compare with the other target", .words = "lockstep, a2a3, a5, other backend",
       .help = "Runs the program on the other target too, step by step beside this run, and lists what differs.",
       .act = AskedAct{asks_nothing, compare_targets, kPane}},
      {.name = "stageBeside", .menu = "Compare", .title = "Both targets on one clock", .words = "side by side, a2a3 beside a5, twin",
       .help = "Draws the step of the other run beside this one on the stage; the bar below leads through both.",
       .parameters = {{"on", kFlag, kMaybe}},
       .act = PaneAct{}},
      {.name = "changedBetween", .menu = "Compare", .title = "What changed", .words = "difference, positions, list of changes",
       .help = "Lists which tiles, registers, buffers and elements differ between two positions; without them, what the last step changed.",
       .parameters = {{"from", kInteger, kMaybe}, {"to", kInteger, kMaybe}},
       .act = PaneAct{.front = true}},
      {.name = "compareWith", .menu = "Compare", .title = "Compare with another recording or program...", .words = "diff, regression",
       .help = "Lists which steps left other results in another run.",
       .parameters = {{"path", kText, kMaybe}},
       .act = AskedAct{asks_other, compare_with, kPane}},
      {.name = "compareArray", .menu = "Compare", .title = "Compare tile with .npy...", .words = "golden, numpy, reference, expected",
       .help = "Compares the selected tile or buffer, as it stands now, with an array of a file.",
       .parameters = {{"tile", kTile, kMaybe}, {"path", kText, kMaybe}},
       .act = AskedAct{asks_array, compare_array, kPane}},
      {.name = "markDifferences", .menu = "Compare", .title = "Mark differing cells", .words = "show diff", .keys = "D",
       .help = "Whether cells that differ are marked in the tiles and on the stage.",
       .parameters = {{"on", kFlag, kMaybe}},
       .act = DeskAct{mark_differences}},
      {.name = "showDifference", .menu = "Compare", .title = "Go to a difference",
       .help = "Goes to a difference by its number in the list.",
       .parameters = {{"index", kInteger}},
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command& command) { desk.other_side().show_difference(command.count(0)); }}},
      {.name = "compareAgain", .menu = "Compare", .title = "Compare with other tolerances",
       .help = "Compares the same once more: how far apart elements may be.",
       .parameters = {{"abs", kNumber},
                      {"rel", kNumber, kMaybe},
                      {"ulp", kNumber, kMaybe},
                      {"nan", kFlag, kMaybe},
                      {"region", kFlag, kMaybe}},
       .act = DeskAct{compare_again}},
      {.name = "stopComparing", .menu = "Compare", .title = "Stop comparing", .words = "end diff",
       .help = "Forgets the other side, and takes the marks away.",
       .act = DeskAct{[](Desk& desk, const Command&) { desk.other_side().stop(); }}},
  };
  // clang-format on
}

}  // namespace ts::ui
