// Registers and predicates as strips of lanes. Strips stand below each other by the bytes of a register, so that a
// lane's predicate is above it, and an index above what it fetched.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/draw/cells.h"
#include "app/draw/rect.h"
#include "core/debug/origins/micro_view.h"
#include "core/isa/element.h"

namespace ts::ui {

// Which bytes of a register are in sight, and where.
struct LaneWindow {
  float x = 0, width = 0;  // of the strip's cells
  float per_byte = 10;
  std::uint32_t first = 0;  // byte
  float x_of(double byte) const { return x + static_cast<float>(byte - first) * per_byte; }
  // Where a byte is seen, or the end nearest to it.
  float seen_x(double byte) const;
  std::uint32_t end() const;
  bool all() const { return first == 0 && end() >= VL; }
};
// As many lanes of the type as are readable side by side, from byte `first` on.
LaneWindow place_lanes(float x, float width, DType type, std::uint32_t first);
// The whole register as a thin bar with the part in sight; pulling it, or turning the wheel over `wheel_area`, moves
// `first`.
void draw_lane_scroll(const char* id, const LaneWindow& view, float y, DType type, const Rect& wheel_area,
                      std::uint32_t& first);
float lane_scroll_height();

// How values are written: as another type than the lanes' own, or as bits.
struct LaneFormat {
  const ElementFormat* as = nullptr;  // null: the lanes' own
  bool hex = false;
};
std::string lane_text(const LaneFormat& format, DType own, std::uint64_t bits, float width);
float lane_height();

struct StripLook {
  std::optional<Color> source = {};
  std::function<std::optional<Color>(std::uint32_t lane)> source_of = {};  // where lanes differ
  bool edge_right = false;
  LaneFormat format = {};
  std::function<Mark(std::uint32_t lane)> marks = {};
};
// Draws the lanes in sight at height y; gives the one under the mouse.
std::optional<std::uint32_t> draw_register(const LaneWindow& view, float y, const TraceValue& value, DType type,
                                           const StripLook& look);
// Lanes that are on are filled and say 1, the others are hollow and say 0.
std::optional<std::uint32_t> draw_predicate(const LaneWindow& view, float y, const TraceValue& value, DType type);
// Numbers of lanes above a strip.
void draw_lane_numbers(const LaneWindow& view, float y, DType type);
// "16 of 64 lanes on: 0..7, 32..39", or the values of a register in few words.
std::string lanes_sentence(const TraceValue& value, DType type);

}  // namespace ts::ui
