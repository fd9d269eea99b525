// Steps on tiles of any size: every operand whole, as a map, with bands between them that follow the true flow, and lenses
// of numbers. One drawing for all families, where their cells would be too small or too many.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "app/draw/tile_grid.h"
#include "app/stage/drawing.h"
#include "app/stage/whole/enough.h"
#include "core/debug/picture/whole_flow.h"

namespace ts::ui {

// Draws the family's picture of the step where that shows enough of it, else the tiles as a whole; the user may choose.
void draw_stage_step(StageStep& step, const Rect& area);

// --- for its parts ---

// How a map says what its elements are.
enum class Paint : std::uint8_t { Value, Origin, Changed };

// What is kept of an operand's map from frame to frame.
struct OperandMap {
  TileGrid grid;
  std::optional<GridCell> lens;  // what the lens is around
  bool dragged = false;          // the lens, by the mouse
  // Made of the picture, and kept.
  std::uint64_t range_of = 0, colors_of = 0;
  std::optional<HeatRange> range;
  std::vector<std::int32_t> colors;
  std::uint64_t colors_number = 0;
};

struct WholeMemory {
  std::map<int, OperandMap> maps;
  int fit = -1;                     // which was applied to the maps
  bool has_gutters = false;         // some band leaves its map at a side that does not face the other one
  std::optional<Element> selected;  // in the frame before
  std::optional<EnoughAt> enough;   // whether the family's picture of the step does
};

// Where an operand stands.
struct OperandPlace {
  const StageOperand* operand;
  Rect header, map, lens;  // no lens: it has no height
  bool has_lens() const { return lens.height() > 1 && lens.width() > 1; }
};
// Where a scalar is drawn.
Rect scalar_cell(const OperandPlace& place);

struct WholePlaces {
  bool sideways = true;  // inputs on the left, results on the right; else above and below
  std::vector<OperandPlace> operands = {};
};
// `gutter`: what bands need beside maps.
WholePlaces place_operands(const StageStep& step, const Rect& area, float gutter);

// The colour of an element of an input in every map: `alone`: it is the only one with values, and has a hue for each row.
Color origin_color(const StageStep& step, const StageOperand& source, std::uint32_t row, std::uint32_t col, bool alone);
// The colours of an operand's map by origin;
void paint_origins(const StageStep& step, const StageOperand& operand, const WholeFlow& flow, OperandMap& map);
// Whether most elements of the results are each of one operand.
bool moves_elements(const WholeFlow& flow);

// The numbers around an element.
void draw_lens(StageStep& step, const OperandPlace& place, OperandMap& map);
// Between maps that have been drawn in this frame.
void draw_bands(StageStep& step, const WholePlaces& places, const WholeFlow& flow);
void draw_focus_flow(StageStep& step, const WholePlaces& places);

// While the step moves: what of a result is not written yet is covered, or has what it held before.
void draw_unwritten(StageStep& step, const StageOperand& operand, const TileGrid& grid);
// And what is on its way between the maps.
void draw_moving_parts(StageStep& step, const WholePlaces& places);

}  // namespace ts::ui
