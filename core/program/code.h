// What a program does between its steps: control flow, numbers, views and places of tiles, as a flat list of operations
// on slots.
#pragma once

#include <cstdint>

#include "core/program/value.h"

namespace ts {

enum class CodeKind : std::uint8_t {
  Compute,       // out = scalar operation (data: row of the table of scalar operations)
  Move,          // outs = ins, all at once
  Jump,          // to data
  BranchUnless,  // where in 0 is 0: to data. The outs are what both ways give
  LoopEnter,  // ins: lower, upper, step; outs: the loop variable, what turns hand on; without a turn to data; `to` 1: unsigned
  LoopNext,     // the next turn: back to data, or on; outs as above
  WhileEnter,   // a loop whose turns a test ends begins here; outs: what turns hand on
  WhileTest,    // as BranchUnless, but the outs are what the loop gives; where nothing is known, it is left
  WhileNext,    // the next turn: back to data
  RegionEnter,  // a region of vector instructions, which is a loop of one turn to whoever folds steps
  RegionLeave,
  Call,          // to data
  Return,        // to behind the call
  MakeView,      // ins: pointer, shape, strides (each as many as `type` says); out: view
  Partition,     // ins: view, offsets, sizes; out: view
  PlaceTile,     // ins: address, valid rows, valid cols (kNoSlot: as declared); data: the tile; type: which of several
  SetValid,      // ins: tile, rows, cols
  GetValid,      // in: tile; outs: rows, cols; `to`: 0 both, 1 rows, 2 cols
  PickTile,      // ins: the first of several tiles, which; data: how many they are; out: tile
  PickRegister,  // data: RegisterPlaces; out: one of them
  PointTile,     // ins: pointer, index (none: the pointer's own place); data: the tile that stands there
  Window,  // ins: tile, row, col, and the valid sizes (none: what the tile has of the part); data: the alias of the part
  Alias,   // ins: tile; data: the tile that is an alias of all of it
  Rebase,       // ins: tile, address; data: the alias that stands there
  ViewExtent,   // ins: view, dimension; out: its extent; `to` 1: its stride
  SameExtents,  // ins: two views, which have to be of one shape
  ElementView,  // ins: pointer, index; out: a view of that element
  AddPointer,   // ins: pointer, count; type: its element; out: pointer
  PointerCast,  // in: an integer or a pointer; data: PointerMade
  LoadScalar,   // ins: pointer, index; type: what is loaded; `to`: PointedSpace; data 1: where devices are; out: scalar
  TestSignal,   // ins: view of cells, number; type: the comparison; out: whether it holds for all cells
  GetElement,   // ins: tile, place in its storage; type: what is loaded; out: scalar
  DeclareArray,  // data: the array; out: it, with nothing in it
  ArrayGet,      // ins: array, indices; out: what is there
  ArraySet,      // ins: array, indices, value
  BeginQueue,    // ins: pointer to its slots in global memory, address of its local slots; data: the queue
  UseQueue,  // ins: the tile that is pushed, or the sizes of what is popped; data: the use; out: a2a3, a view of the slot
  Query,     // data: Query; in, where there is one: what somebody gave instead
  Step,      // data: the instruction
  Missing,  // an operation that nobody emulates yet; data: its place in the text
  End,
};

// What becomes of a pointer or a number.
enum class PointerMade : std::uint8_t { Number, Global, OnChip };
// What a pointer is to, as far as it matters to single elements.
enum class PointedSpace : std::uint8_t { Global, Ub, Other };

enum class Query : std::uint8_t { BlockIdx, BlockNum, SubblockIdx, SubblockNum };

// Slots of an operation: ins, then outs, in Program::code_slots.
struct CodeOp {
  CodeKind kind;
  std::uint8_t type = 0;  // a ScalarKind, or a count
  std::uint8_t to = 0;    // what a cast makes
  std::uint16_t ins = 0, outs = 0;
  std::uint32_t slots = 0;
  std::uint32_t data = 0;
  SourcePos pos = {};
};

}  // namespace ts
