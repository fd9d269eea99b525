// What the function of a panel says that the panel holds: the table `ui`, which is there while it is drawn.
#include "scripting/gui/gui_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scripting/binding/object.h"
#include "scripting/objects/values/elements.h"
#include "scripting/objects/values/operand.h"
#include "scripting/run/engine.h"

namespace ts::scripting {
namespace {

constexpr std::size_t kMostItems = 500, kMostTextBytes = 2000, kMostCellBytes = 80;
constexpr std::uint32_t kMostTableRows = 500, kMostTableCols = 32;
constexpr std::uint64_t kMostNumbers = 20'000, kMostHeat = 1u << 16;

DrawnPanel& drawing(lua_State* L) { return Engine::of(L).slot<DrawnPanel>(); }

Panel& drawn(lua_State* L) {
  Panel* panel = drawing(L).panel;
  if (panel == nullptr)
    raise(L, fmt::format("{}: no panel is being drawn", current_binding(L)->called()),
          "gui.panel(title, function(ui) ... end) draws one");
  return *panel;
}

// A place at the end of the panel; what does not fit any more is not drawn.
PanelItem& add(lua_State* L, PanelItem::Kind kind) {
  Panel& panel = drawn(L);
  if (panel.items.size() == kMostItems) raise(L, fmt::format("the panel has more than {} parts", kMostItems));
  drawing(L).hold(L, sizeof(PanelItem));
  panel.items.emplace_back().kind = kind;
  return panel.items.back();
}

// The value as tostring() has it, cut, without marks of a terminal.
std::string text_at(lua_State* L, int index, std::size_t most) {
  const std::string_view all = Sandbox::push_text(L, index);
  std::string text(all.substr(0, most));
  const bool cut = all.size() > most;
  lua_pop(L, 1);
  while (cut && !text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  if (cut && !text.empty() && static_cast<unsigned char>(text.back()) >= 0xC0) text.pop_back();
  std::ranges::replace_if(
      text, [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7F; }, ' ');
  drawing(L).hold(L, text.size());
  return cut ? text + "..." : text;
}

std::string label_at(lua_State* L, int index) {
  return lua_isnoneornil(L, index) ? "" : text_at(L, index, kMostCellBytes);
}

int ui_text(lua_State* L) {
  const std::string text = text_at(L, 1, kMostTextBytes);
  add(L, PanelItem::Kind::Text).text = text;
  return 0;
}

int ui_value(lua_State* L) {
  const std::string label = text_at(L, 1, kMostCellBytes), text = text_at(L, 2, kMostTextBytes);
  PanelItem& item = add(L, PanelItem::Kind::Value);
  item.label = label;
  item.text = text;
  return 0;
}

int ui_separator(lua_State* L) {
  add(L, PanelItem::Kind::Separator);
  return 0;
}

int ui_button(lua_State* L) {
  const std::string label = text_at(L, 1, kMostCellBytes);
  for (const PanelItem& item : drawn(L).items)
    if (item.kind == PanelItem::Kind::Button && item.label == label)
      raise(L, fmt::format("ui.button: there are two buttons '{}'", label), "each button of a panel has another name");
  add(L, PanelItem::Kind::Button).label = label;
  lua_pushboolean(L, !label.empty() && label == drawing(L).pressed ? 1 : 0);
  return 1;
}

// --- numbers ---

struct Numbers {
  std::vector<double> values = {};  // what is no finite number is NaN
  std::uint32_t rows = 1, cols = 0;
  std::uint64_t left_out = 0;
};

double number_of(const Elements& elements, std::uint32_t row, std::uint32_t col) {
  if (elements.worth_at(row, col) == Definedness::Never) return NAN;
  return number(*elements.format, elements.at(row, col));
}

// Whole rows, as many as fit.
Numbers of_elements(lua_State* L, const Elements& elements, std::uint64_t most) {
  Numbers numbers{.rows = elements.valid_rows, .cols = elements.valid_cols};
  const std::uint64_t all = std::uint64_t{numbers.rows} * numbers.cols;
  if (all > most) {
    if (numbers.cols > most) numbers.cols = static_cast<std::uint32_t>(most);
    numbers.rows = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, most / std::max(1u, numbers.cols)));
    numbers.left_out = all - std::uint64_t{numbers.rows} * numbers.cols;
  }
  const std::uint64_t count = std::uint64_t{numbers.rows} * numbers.cols;
  Sandbox::charge(L, count);
  drawing(L).hold(L, count * sizeof(double));
  numbers.values.reserve(count);
  for (std::uint32_t row = 0; row < numbers.rows; ++row)
    for (std::uint32_t col = 0; col < numbers.cols; ++col) numbers.values.push_back(number_of(elements, row, col));
  return numbers;
}

// A list of numbers on top of the stack, behind `values`.
void take_list(lua_State* L, std::uint64_t most, Numbers& numbers) {
  const std::uint64_t all = lua_rawlen(L, -1), count = std::min<std::uint64_t>(all, most);
  numbers.left_out += all - count;
  Sandbox::charge(L, count);
  drawing(L).hold(L, count * sizeof(double));
  for (std::uint64_t i = 1; i <= count; ++i) {
    lua_rawgeti(L, -1, static_cast<lua_Integer>(i));
    if (lua_type(L, -1) != LUA_TNUMBER)
      raise(L, fmt::format("{}: number {} is {}", current_binding(L)->called(), i, describe(L, -1)),
            "0/0 leaves a gap");
    numbers.values.push_back(lua_tonumber(L, -1));
    lua_pop(L, 1);
  }
}

int ui_plot(lua_State* L) {
  Numbers numbers;
  if (has_elements(L, 1)) {
    numbers = of_elements(L, *check_elements(L, 1, "numbers").elements, kMostNumbers);
  } else {
    if (!lua_istable(L, 1)) wrong_argument(L, 1, "numbers", "a list of numbers, a tile, a buffer or an array");
    lua_pushvalue(L, 1);
    take_list(L, kMostNumbers, numbers);
    lua_pop(L, 1);
  }
  const std::string label = label_at(L, 2);
  PanelItem& item = add(L, PanelItem::Kind::Plot);
  item.label = label;
  item.left_out = numbers.left_out;
  item.numbers = std::move(numbers.values);
  return 0;
}

int ui_heat(lua_State* L) {
  Numbers numbers;
  if (has_elements(L, 1)) {
    numbers = of_elements(L, *check_elements(L, 1, "tile").elements, kMostHeat);
  } else {
    if (!lua_istable(L, 1)) wrong_argument(L, 1, "tile", "a tile, a buffer, an array, or a list of rows of numbers");
    const auto rows = lua_rawlen(L, 1);
    numbers.rows = 0;
    for (lua_Unsigned row = 1; row <= rows; ++row) {
      if (lua_rawgeti(L, 1, static_cast<lua_Integer>(row)) != LUA_TTABLE)
        raise(L, fmt::format("ui.heat: row {} is {}", row, describe(L, -1)), "rows are lists of numbers");
      const auto cols = lua_rawlen(L, -1);
      if (row == 1) numbers.cols = static_cast<std::uint32_t>(std::min<std::uint64_t>(cols, kMostHeat));
      if (cols != numbers.cols && numbers.cols < kMostHeat)
        raise(L, fmt::format("ui.heat: row {} has {} numbers, row 1 has {}", row, cols, numbers.cols));
      if ((std::uint64_t{numbers.rows} + 1) * numbers.cols > kMostHeat) {
        numbers.left_out += (rows - row + 1) * numbers.cols;
        lua_pop(L, 1);
        break;
      }
      take_list(L, kMostHeat, numbers);
      ++numbers.rows;
      lua_pop(L, 1);
    }
  }
  const std::string label = label_at(L, 2);
  PanelItem& item = add(L, PanelItem::Kind::Heat);
  item.label = label;
  item.rows = numbers.rows;
  item.cols = numbers.cols;
  item.left_out = numbers.left_out;
  item.numbers = std::move(numbers.values);
  return 0;
}

// One row of cells; the list is on top of the stack. Missing cells are empty.
void take_row(lua_State* L, std::uint32_t cols, std::vector<std::string>& cells) {
  Sandbox::charge(L, cols);
  for (std::uint32_t col = 1; col <= cols; ++col) {
    const bool is_nil = lua_rawgeti(L, -1, col) == LUA_TNIL;
    cells.push_back(is_nil ? "" : text_at(L, lua_gettop(L), kMostCellBytes));
    drawing(L).hold(L, sizeof(std::string));
    lua_pop(L, 1);
  }
}

int ui_table(lua_State* L) {
  check_table(L, 1, "rows");
  check_table(L, 2, "head");
  const auto cols = static_cast<std::uint32_t>(std::min<lua_Unsigned>(lua_rawlen(L, 2), kMostTableCols));
  if (cols == 0) raise(L, "ui.table: head: wanted the names of columns, got an empty list");
  const auto rows = lua_rawlen(L, 1);
  std::vector<std::string> cells;
  lua_pushvalue(L, 2);
  take_row(L, cols, cells);
  lua_pop(L, 1);
  const auto kept = std::min<lua_Unsigned>(rows, kMostTableRows);
  for (lua_Unsigned row = 1; row <= kept; ++row) {
    if (lua_rawgeti(L, 1, static_cast<lua_Integer>(row)) != LUA_TTABLE)
      raise(L, fmt::format("ui.table: row {} is {}", row, describe(L, -1)), "rows are lists");
    take_row(L, cols, cells);
    lua_pop(L, 1);
  }
  PanelItem& item = add(L, PanelItem::Kind::Table);
  item.cells = std::move(cells);
  item.rows = static_cast<std::uint32_t>(kept) + 1;
  item.cols = cols;
  item.left_out = rows - kept;
  return 0;
}

// A panel is drawn in a window only: without one the examples end at the function that would draw it.
Binding row(const char* name, lua_CFunction function, const std::string& rest, std::string help,
            const std::string& draw) {
  return {name,
          Binding::Kind::Function,
          function,
          fmt::format("ui.{}{}", name, rest),
          std::move(help),
          fmt::format("gui.panel(\"Example\", function(ui)\n  {}\nend)", draw)};
}

const ListedType kGuiPanelType{250, ui_type};

}  // namespace

void DrawnPanel::hold(lua_State* L, std::size_t bytes) {
  held_bytes += bytes;
  if (held_bytes > kMostBytes)
    raise(L, "the panel holds more than 4 MiB", "show a part, or a picture of fewer elements");
}

const ObjectType& ui_type() {
  static const ObjectType made{
      .name = "ui",
      .owner = "ui",
      .help = "What the function of gui.panel is given: each call puts a part into the panel, below the one before.",
      .bindings = {
          row("text", ui_text, "(text)", "A line of text, or several.", R"(ui.text("norms of all rows"))"),
          row("value", ui_value, "(label, value)", "A value after its name.",
              R"(ui.value("position", pto.current().pos))"),
          row("button", ui_button, "(label) -> boolean",
              "A button; true in the one call that follows a press, which may move the recording and call gui.",
              R"(if ui.button("to the start") then gui.jump(0) end)"),
          row("plot", ui_plot, "(numbers, label?)",
              "A line through numbers: a list, or the valid elements of a tile, buffer or array, row by row; 20000 at "
              "most.",
              R"(ui.plot({1, 4, 9, 16}, "squares"))"),
          row("table", ui_table, "(rows: table, head: table)",
              "A table: a list of rows, each a list, and the names of its columns; 500 rows and 32 columns at most.",
              R"(ui.table({{"im", 2}, {"re", 1}}, {"tile", "findings"}))"),
          row("heat", ui_heat, "(tile, label?)",
              "Elements as colours: a tile, buffer or array, or a list of rows of numbers; 65536 at most.",
              R"(ui.heat({{0, 1}, {2, 3}}, "a small one"))"),
          row("separator", ui_separator, "()", "A line across the panel.", R"(ui.separator())"),
      }};
  return made;
}

}  // namespace ts::scripting
