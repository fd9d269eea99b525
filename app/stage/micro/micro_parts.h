// What the drawings of a micro-operation share.
#pragma once

#include <optional>
#include <string>

#include "app/draw/rect.h"
#include "app/view/command.h"
#include "app/view/debug_view.h"
#include "core/debug/origins/micro_view.h"

namespace ts::ui {

struct StageStep;

// A micro-operation of a step, ready to be drawn.
struct MicroScene {
  DebugView& view;
  const Trace& trace;
  const MicroIndex& index;
  std::uint32_t step, micro;
  bool made;                               // it has been made; else it comes next
  std::optional<std::uint32_t> byte = {};  // of the register that it makes: the one that is meant
  const MicroStep& op() const { return trace.steps[micro]; }
  DType type() const { return index.type_of(micro); }  // of its elements
  // The element that stands at an address, as "%re[1,5]", or nothing.
  std::string element_name(Space space, std::uint64_t address) const;
};

// What stays from frame to frame.
struct MicroLook {
  std::uint32_t first_byte = 0;  // of registers, in sight
  std::uint32_t repeat = 0;
};

// Where a drawing stands, and how far down it has come.
struct MicroCanvas {
  float x, width, y;
  float label_width() const;
  float strip_x() const { return x + label_width(); }
  float strip_width() const { return width - label_width(); }
};
// The title of a strip: a name, and quietly what it is.
void put_label(const MicroCanvas& canvas, const std::string& title, const std::string& about, float height);
// Scalars, counts and addresses in boxes.
void draw_args(const MicroScene& scene, MicroCanvas& canvas);

// The micro-operations of a step one below the other; clicking one goes there.
struct MicroList {
  const char* id;
  std::uint32_t step;
  std::uint32_t made;                       // so many of them have been made
  std::optional<std::uint32_t> shown = {};  // drawn beside the list
};
void draw_micro_list(const MicroList& list, const Trace& trace, CommandQueue& out, const Rect& area);
float micro_row_height();

// The index of a step's micro-operations, made once.
const MicroIndex& micro_index(DebugView& view, std::uint32_t step);
// Whether a micro-operation is the emulator's own, with no counterpart in the hardware.
bool is_emulator_step(const MicroStep& step);

// The picture of a micro-operation, from the canvas's place down.
void draw_micro(const MicroScene& scene, MicroLook& state, MicroCanvas& canvas);
void draw_micro_registers(const MicroScene& scene, MicroLook& state, MicroCanvas& canvas);
// False: it has no repeats, or turns no blocks over.
bool draw_micro_repeats(const MicroScene& scene, MicroLook& state, MicroCanvas& canvas);
bool draw_turned_blocks(const MicroScene& scene, MicroLook& state, MicroCanvas& canvas);

// How the target moves the element in focus: the micro-operation that does it.
void draw_mover(StageStep& step, const Rect& area);

}  // namespace ts::ui
