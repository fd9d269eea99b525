// What scripts show in the window, as plain data: made where scripts run, drawn where the window is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ts::scripting {

// A line, a button, a picture of a panel.
struct PanelItem {
  enum class Kind : std::uint8_t { Text, Value, Button, Plot, Table, Heat, Separator };
  Kind kind = Kind::Text;
  std::string label, text = {};         // of Value both; of the others the label
  std::vector<double> numbers = {};     // of Plot; of Heat row by row
  std::vector<std::string> cells = {};  // of Table, row by row; the first row is its head
  std::uint32_t rows = 0, cols = 0;     // of Table and Heat
  std::uint64_t left_out = 0;           // rows or numbers that there was no room for
};

struct Panel {
  std::string title;
  std::vector<PanelItem> items = {};
  std::string error = {};  // its function failed: the message and the traceback
  bool stopped = false;    // it failed by a limit, and is not called any more
};

// Of some cells of a tile or buffer, row by row of all its elements: a colour (0xRRGGBB, or none) and a short text.
struct Overlay {
  bool is_buffer = false;
  std::uint32_t id = 0, rows = 0, cols = 0;
  std::vector<std::int32_t> colors = {};  // -1: none
  std::vector<std::string> marks = {};    // empty: none at all
  std::uint64_t number = 0;               // no other has it
};

// What a format of the script's own says for the elements of a tile or buffer, row by row.
struct CellTexts {
  bool is_buffer = false;
  std::uint32_t id = 0, rows = 0, cols = 0;
  std::string format;
  std::vector<std::string> texts = {};
  std::uint64_t number = 0;
};

struct GuiItems {
  std::vector<Panel> panels = {};
  std::vector<Overlay> overlays = {};
  std::vector<CellTexts> texts = {};
  std::vector<std::string> formats = {};   // names of gui.visualizer
  std::vector<std::string> problems = {};  // functions of overlays and formats that failed, each said once
};

}  // namespace ts::scripting
