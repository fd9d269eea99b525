// Gathers from a table in global memory and scatters to one, index by index: what each of them meant, where it lay outside
// of the table, and who of several that mean one entry stays.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "core/catalogue/table_indices.h"
#include "core/debug/origins/questions.h"
#include "core/debug/picture/stage_window.h"
#include "core/debug/picture/step_map.h"

namespace ts {

// An index and the elements of the tile that it moves.
struct TableMove {
  StepElement index = {};
  std::uint64_t bits = 0;                    // as an unsigned number
  std::uint32_t row = 0, col = 0, cols = 1;  // of the tile
  bool outside = false;                      // of the table
  std::optional<std::uint32_t> entry = {};   // row or element of the table that it is taken for
  std::optional<StepElement> place =
      {};  // where the first of them stands in the table; nothing: nowhere, or overwritten
  std::optional<std::uint32_t> lost_to = {};  // the move that comes later and stays
  std::uint32_t rivals = 0;                   // others that mean the same entry, of a scatter
};

struct TablePicture {
  bool gathers = true;
  bool joins = false;                       // a scatter adds to what is there, or picks: nobody loses
  int table = -1, tile = -1, indices = -1;  // operands
  TableIndices how = {};
  std::vector<TableMove> moves = {};        // in the order of the indices
  std::uint32_t outside = 0, disputed = 0;  // moves with such an index; entries that several moves mean
  std::map<RowCol, std::uint32_t> of_tile = {}, of_index = {}, of_table = {};  // by element: the number of its move
};

// Asked now and then whether to go on; else the picture has no moves.
TablePicture table_picture(Questions& questions, std::uint32_t step, const std::function<bool()>& go_on = {});

}  // namespace ts
