// The Tile menu: what is selected, where it came from, how tiles are shown.
#include <fmt/format.h>

#include "app/window/commands/rows.h"
#include "app/window/desk/following.h"
#include "app/window/shell/shell.h"
#include "core/debug/edits/edit_text.h"

namespace ts::ui {
namespace {

void select(Desk& desk, const Command& command) {
  const auto element = desk.find_element(command.text(0), command.count(1), command.count(2));
  if (element) return desk.select(element);
  desk.tell(fmt::format("there is no {}[{},{}]", command.text(0), command.number(1), command.number(2)),
            "tiles and buffers go by their names in the program; rows and columns count from 0", true);
}

void select_address(Desk& desk, const Command& command) {
  const auto space = space_from_name(command.text(0));
  if (!space || desk.view().recording() == nullptr) return;
  const ByteRange place{*space, command.count(1), 1};
  const auto element = desk.view().element_at(place, desk.view().moment().position);
  if (element) desk.select(element);
  else desk.tell(fmt::format("no tile or buffer covers {}+0x{:x}", name(*space), place.address));
}

// Of the same tile; without a selection the first element of the tile that the Tiles pane shows.
void select_beside(Desk& desk, int rows, int cols) {
  DebugView& view = desk.view();
  if (view.recording() == nullptr) return;
  if (!view.selected()) {
    const auto& owner = view.tiles_look().owner;
    if (const auto first = owner ? desk.find_element(view.name_of(*owner), 0, 0) : std::nullopt) desk.select(first);
    return;
  }
  const Element& from = *view.selected();
  const std::int64_t row = std::int64_t{from.row} + rows, col = std::int64_t{from.col} + cols;
  if (row < 0 || col < 0) return;
  const auto there =
      desk.find_element(view.name_of(from.owner), static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col));
  if (there) desk.select(there);
}

// Of several sources the one that is named.
void follow_source(Desk& desk, const Command& command) {
  if (command.values.empty()) follow(desk.walk());
  else follow_to(desk.walk(), desk.find_element(command.text(0), command.count(1), command.count(2)));
}

std::vector<CommandRow> select_rows() {
  // clang-format off
  return {
      {.name = "select", .menu = "Tile", .title = "Select",
       .help = "Selects an element.",
       .parameters = {{"tile", kTile}, {"row", kInteger}, {"col", kInteger}},
       .journal = kOutcome,
       .act = DeskAct{select}},
      {.name = "selectAddress", .menu = "Tile", .title = "Select an address",
       .help = "Selects the element that a byte is part of.",
       .parameters = {{"space", kText}, {"address", kInteger}},
       .journal = kOutcome,
       .act = DeskAct{select_address}},
      {.name = "selectLeft", .menu = "Tile", .title = "Select the element on the left", .keys = "Ctrl+Left",
       .help = "In the same row, one column before.",
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command&) { select_beside(desk, 0, -1); }}},
      {.name = "selectRight", .menu = "Tile", .title = "Select the element on the right", .keys = "Ctrl+Right",
       .help = "In the same row, one column on.",
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command&) { select_beside(desk, 0, 1); }}},
      {.name = "selectUp", .menu = "Tile", .title = "Select the element above", .keys = "Ctrl+Up",
       .help = "In the same column, one row before.",
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command&) { select_beside(desk, -1, 0); }}},
      {.name = "selectDown", .menu = "Tile", .title = "Select the element below", .keys = "Ctrl+Down",
       .help = "In the same column, one row on.",
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command&) { select_beside(desk, 1, 0); }}},
      {.name = "selectNone", .menu = "Tile", .title = "Select nothing", .words = "deselect, clear selection",
       .help = "Takes the selection away.",
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command&) { desk.select({}); }}},
      {.name = "follow", .menu = "Tile", .title = "Follow to the source", .words = "where from, origin, source of this value, provenance, why", .keys = "F4",
       .help = "To the step that made the selected value; again: to what it was made of.",
       .parameters = {{"tile", kTile, kMaybe}, {"row", kInteger, kMaybe}, {"col", kInteger, kMaybe}},
       .journal = kOutcome,
       .act = DeskAct{follow_source}},
      {.name = "trailTo", .menu = "Tile", .title = "Back on the trail",
       .help = "To a stop of the trail that led to the source.",
       .parameters = {{"index", kInteger}},
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command& command) { trail_to(desk.walk(), command.count(0)); }}},
  };
  // clang-format on
}

// --- what if ---

void edit(Desk& desk, const Command& command) {
  if (command.text(0).empty())
    return desk.tell("nothing is changed yet",
                     fmt::format("select an element and press F2; or a text: {}", kEditForms));
  desk.edit({command.text(0)});
}

std::vector<CommandRow> edit_rows() {
  // clang-format off
  return {
      {.name = "editValue", .menu = "Tile", .title = "Change a value and run on from here...",
       .words = "edit value, set value, poke, what if, fork, modify, patch, type, fill", .keys = "F2",
       .help = "Asks for another value of the selected element, or of the marked part; the program runs again with it from here on.",
       .journal = kUnwritten,
       .act = PaneAct{.front = true}},
      {.name = "pasteValues", .menu = "Tile", .title = "Paste values and run on from here", .words = "paste, clipboard, spreadsheet, excel, what if", .keys = "Ctrl+V",
       .help = "Values of a spreadsheet or a text, from the selected element on to the right and down.",
       .journal = kUnwritten,
       .act = PaneAct{}},
      {.name = "edit", .menu = "Tile", .title = "Change and run on",
       .help = "Runs the program again with something changed by hand: t2[1,5]=3@12, t2[0..1,0..3]=0, mask.bit[0,17]=1, ub[0x440]=00ff, n=5. It is a fork, with a tab of its own, beside the run that it came from.",
       .parameters = {{"text", kText, kMaybe}},
       .journal = kOutcome,
       .act = DeskAct{edit}},
      {.name = "showFork", .menu = "Tile", .title = "Go to the run or a fork", .words = "back to the run, original, tab",
       .help = "Shows a fork by its name; without one the run that the forks came from.",
       .parameters = {{"name", kText, kMaybe}},
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command& command) { desk.show_fork(command.text(0)); }}},
      {.name = "renameFork", .menu = "Tile", .title = "Rename a fork",
       .help = "Gives a fork another name.",
       .parameters = {{"name", kText}, {"to", kText}},
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command& command) { desk.rename_fork(command.text(0), command.text(1)); }}},
      {.name = "closeFork", .menu = "Tile", .title = "Close a fork",
       .help = "Takes a fork away, without asking; without a name the one that is shown.",
       .parameters = {{"name", kText, kMaybe}},
       .journal = kOutcome,
       .act = DeskAct{[](Desk& desk, const Command& command) {
         const std::string name = command.text(0).empty() ? desk.view().fork() : command.text(0);
         if (name.empty()) desk.tell("no fork is shown", "change a value first");
         else desk.close_fork(name);
       }}},
  };
  // clang-format on
}

std::vector<CommandRow> show_rows() {
  // clang-format off
  return {
      {.name = "showTile", .menu = "Tile", .title = "Show tile",
       .help = "Shows a tile or buffer in the Tiles pane: as numbers or heat, in a format, from a lowest to a highest "
               "value.",
       .parameters = {{"name", kTile},
                      {"as", kText, kMaybe},
                      {"format", kText, kMaybe},
                      {"low", kNumber, kMaybe},
                      {"high", kNumber, kMaybe}},
       .journal = kOutcome,
       .act = PaneAct{.front = true}},
      {.name = "cycleFormat", .menu = "Tile", .title = "Next number format", .words = "hex, hexadecimal, binary, decimal, format", .keys = "X",
       .help = "Decimal, hexadecimal, bits.",
       .journal = kOutcome,
       .act = PaneAct{}},
      {.name = "showHeat", .menu = "Tile", .title = "Heat", .words = "heatmap, colour map", .keys = "H",
       .help = "Colours the cells by their values.",
       .journal = kOutcome,
       .act = PaneAct{}},
      {.name = "showBytes", .menu = "Tile", .title = "Bytes", .words = "memory, layout, hex dump, raw",
       .help = "Shows the tile also in the order of memory: blocks, boxes, gaps between rows.",
       .parameters = {{"on", kFlag, kMaybe}},
       .act = PaneAct{}},
      {.name = "showBoxes", .menu = "Tile", .title = "Boxes", .words = "fractal, layout, nz, zn, zz, nn, order of boxes, 512 bytes",
       .help = "Draws the boxes that the tile stands in over its cells: their borders, their order in memory, and the way along the bytes.",
       .parameters = {{"on", kFlag, kMaybe}},
       .act = PaneAct{}},
      {.name = "splitTiles", .menu = "Tile", .title = "Second tile beside", .words = "split, two tiles, side by side, f16 view, reinterpret",
       .help = "Shows a second tile beside the first one: of this name, at a position, its bytes as another type.",
       .parameters = {{"name", kText, kMaybe}, {"position", kInteger, kMaybe}, {"type", kText, kMaybe}},
       .act = PaneAct{}},
      {.name = "showSlice", .menu = "Tile", .title = "Slice", .words = "dimension, n-d, 3-D, 4-D, 5-D, plane, page, batch, channel",
       .help = "Of a buffer or tile of more than two dimensions shows the rows and columns at an index of the others, up to four of them; without one all of it.",
       .parameters = {{"first", kInteger, kMaybe}, {"second", kInteger, kMaybe}, {"third", kInteger, kMaybe}, {"fourth", kInteger, kMaybe}},
       .act = PaneAct{}},
      {.name = "nextSlice", .menu = "Tile", .title = "Next slice", .words = "dimension, n-d, batch, channel", .keys = "Shift+PageDown",
       .help = "Of what has more than two dimensions shows the rows and columns at the next index of the others.",
       .act = PaneAct{}},
      {.name = "previousSlice", .menu = "Tile", .title = "Previous slice", .keys = "Shift+PageUp",
       .help = "Shows the rows and columns at the index before.",
       .act = PaneAct{}},
      {.name = "showHistogram", .menu = "Tile", .title = "Histogram", .words = "distribution, spread",
       .help = "Shows how the tile's values are spread.",
       .act = PaneAct{}},
      {.name = "nextNan", .menu = "Tile", .title = "Next NaN or infinity", .words = "infinity, inf, not a number", .keys = "N",
       .help = "Selects the next element that is NaN or infinite.",
       .journal = kOutcome,
       .act = PaneAct{}},
      {.name = "copyValue", .menu = "Tile", .title = "Copy", .words = "clipboard", .keys = "Ctrl+C",
       .help = "Copies the selected value.",
       .journal = kUnwritten,
       .act = PaneAct{}},
      {.name = "copyAs", .menu = "Tile", .title = "Copy as...", .words = "numpy, copy as C, clipboard, csv", .keys = "Ctrl+Shift+C",
       .help = "Copies a value or a range as text, C, Lua or NumPy.",
       .journal = kUnwritten,
       .act = PaneAct{}},
      {.name = "find", .menu = "Tile", .title = "Find", .words = "search, find value, find text, filter", .keys = "Ctrl+F",
       .help = "Finds in the pane with the focus.",
       .journal = kUnwritten,
       .act = PaneAct{}},
  };
  // clang-format on
}

}  // namespace

std::vector<CommandRow> tile_rows() {
  std::vector<CommandRow> rows = select_rows();
  for (CommandRow& row : edit_rows()) rows.push_back(std::move(row));
  for (CommandRow& row : show_rows()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace ts::ui
