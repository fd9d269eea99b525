// The parts of the table of operations, one file each. Only op_table.cpp asks for them.
#pragma once

#include <span>

#include "core/text/ops/op_row.h"

namespace ts::text {

std::span<const OpRow> tile_op_rows();    // TileVector, TileMove, TileCube
std::span<const OpRow> view_op_rows();    // View, Sync, Fifo
std::span<const OpRow> micro_op_rows();   // Micro
std::span<const OpRow> shared_op_rows();  // Shared

}  // namespace ts::text
