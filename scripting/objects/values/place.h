// Where elements stand in a recording: a tile or a buffer, as it was at a position. What both of them answer to
// scripts.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <memory>
#include <string>
#include <vector>

#include "core/debug/elements/elements.h"
#include "core/debug/origins/source_text.h"
#include "core/debug/session/session.h"

namespace ts::scripting {

struct OpenRecording;

// Reads through the session whenever it is asked, so it costs nothing to keep, and a closed recording says so.
struct Place {
  std::shared_ptr<OpenRecording> recording;
  std::uint32_t position = 0;  // the state after so many steps
  std::uint32_t micro = 0;     // and after so many micro-steps of the next one
  std::uint32_t id = 0;        // the program's number of the tile or buffer
  bool is_buffer = false;
  std::string name;
  const ElementFormat* format = nullptr;
  std::uint32_t rows = 0, cols = 0, valid_rows = 0, valid_cols = 0;
  TileRef tile = {};          // of a tile
  std::uint32_t address = 0;  // of the first byte

  Space space() const { return is_buffer ? Space::Gm : tile.space(); }
  ByteRange at(std::uint32_t row, std::uint32_t col) const;
  ByteRange range() const;
  // The memories then. Raises for the middle of a step that the session stands in no more. Valid as the session's are.
  const Memory& memory(lua_State* L) const;
};

Place tile_place(std::shared_ptr<OpenRecording> recording, std::uint32_t position, std::uint32_t id,
                 const TileRef& tile);
Place buffer_place(std::shared_ptr<OpenRecording> recording, std::uint32_t position, std::uint32_t id);

// An element as it stands.
struct Element {
  std::uint64_t bits = 0;
  Definedness worth = Definedness::Written;
};
Elements all_elements(lua_State* L, const Place& place);
Element read_element(lua_State* L, const Place& place, std::uint32_t row, std::uint32_t col);

// The row and column that the arguments from 2 on name; of a buffer, one number counts through all elements. `next` is
// the argument behind them.
struct CellArguments {
  std::uint32_t row = 0, col = 0;
  int next = 4;
};
CellArguments check_cell(lua_State* L, const Place& place);

}  // namespace ts::scripting
