// What drawings of the stage are given: one step with its operands, ready to be looked at, and where to draw.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/cells.h"
#include "app/draw/rect.h"
#include "app/theme/color.h"
#include "app/view/command.h"
#include "app/view/debug_view.h"
#include "core/debug/picture/answer_bits.h"
#include "core/debug/picture/product_terms.h"
#include "core/debug/picture/reduce_tree.h"
#include "core/debug/picture/step_map.h"
#include "core/debug/picture/step_motion.h"

namespace ts::ui {

// An operand of the step. Inputs are drawn as they stood before it, results as they stand after it.
struct StageOperand {
  int index = -1;  // in the step's bound operands
  const Operand* operand = nullptr;
  std::string title;  // "src0 %re"
  char letter = 0;    // a, b, ... of inputs
  Color color;        // of its part: src0, src1, mask, scratch, result
  bool result = false;
  const TilePicture* picture = nullptr;  // null: a scalar
  const TilePicture* before = nullptr;   // of a result while the step is shown as a move: as it stood before
  std::optional<Window> slice = {};      // whose rows are shown, as if there were no others
};

// The step is shown in the middle of its move.
struct MoveView {
  const StepMotion* motion = nullptr;
  MotionMode mode = MotionMode::AsItRuns;
  double progress = 0;
};

// An element of an operand of the step; of a view the row and column in its buffer.
using StageCell = StepElement;

// What an element of a result was reduced from.
struct Reduction {
  StageCell of;
  ReduceTree tree;
  bool rows = true;                                  // rows are reduced; else columns
  std::optional<std::vector<std::uint64_t>> values;  // of the tree's nodes
  std::optional<StageCell> winner;                   // of a search
};

// What is found out about a picture while it is drawn where nobody sees it.
struct Measured {
  double shown = 1;      // the least share of something long that has room
  bool answered = true;  // nothing that it shows is still being found out
};

struct WholeMemory;  // whole/whole.h

// What the stage remembers of the shown step from frame to frame.
struct StepMemory {
  StepMap map;
  std::optional<StageCell> pointed, pointing;  // under the mouse in the frame before, and in this one
  std::optional<double> progress;              // of its move, 0 to 1; nothing: the step is shown as it stands
  bool plays = false;                          // the move goes on by itself
  // While it moves: where cells were drawn in this frame.
  std::vector<std::pair<StageCell, Rect>> places;
  // By operand: the first row and column that are shown, where that is not all.
  std::map<int, std::pair<std::uint32_t, std::uint32_t>> first;
  std::map<int, std::uint32_t> slices;  // by operand: the one that is shown; nothing: all of them, below each other
  std::map<int, std::vector<std::uint32_t>> viewed;  // by view: the addresses of its elements, sorted
  std::optional<StageCell> pulled, asked;            // of a prediction: under the pressed mouse; filled in next
  std::optional<Reduction> reduction;                // that was drawn last
  // Of the row of a comparison that was drawn last, and whether the step had been made.
  std::optional<std::pair<std::pair<std::uint32_t, bool>, AnswerRow>> answers;
  std::optional<std::pair<StageCell, std::optional<ProductTerms>>> terms;  // of the sum that was drawn last
  std::map<StageCell, std::optional<ProductTerms>> rising;                 // of sums that were seen to rise
  std::optional<std::pair<StageCell, std::vector<Station>>> stations;      // of the focus that was drawn last
  std::shared_ptr<WholeMemory> whole;                                      // its tiles as a whole
  std::optional<Measured> measured;                                        // nothing: what is drawn is seen
  std::optional<StageCell> kept_focus;  // of the frame before: what is shown moves only when the focus does
};

// And for longer: what the user chose, by drawing ("transpose": "bytes").
struct StageMemory : StepMemory {
  std::uint64_t opening = 0;  // which program the step is of
  std::map<std::string, std::string> modes;
};

struct StageStep {
  DebugView& view;
  CommandQueue& out;
  StageMemory& memory;
  std::uint32_t step;
  const Bound& bound;
  bool made;  // the step has been made; else it comes next, and its results still hold what they held
  std::vector<StageOperand> operands = {};
  // The result's element that is explained: under the mouse, else selected, else the first.
  std::optional<StageCell> focus = {};
  bool focus_moved = false;           // since the frame before
  bool is_new = false;                // the frame before showed another step, or none
  std::optional<MoveView> move = {};  // nothing: the step is shown as it stands
  // What the focus was made of, from the tag machine; and its elements, sorted.
  std::vector<Source> sources = {};
  std::vector<StageCell> source_cells = {};
  // While a source is pointed at: the elements of results that it took part in.
  std::vector<StageCell> reached = {};

  // Where it moves: whether the step has written this element of a result by now, and whether what it is made of is on its
  // way at least. Of all others: true.
  bool has_landed(const StageCell& result) const;
  bool has_left(const StageCell& result);
  // While it moves: a cell was drawn there.
  void note_place(const StageCell& cell, const Rect& rect) const;

  // So many of all are in sight: to be said wherever there may be more than has room.
  void note_shown(std::uint32_t shown, std::uint32_t all) const;

  const Program& program() const { return view.recording()->program(); }
  const StageOperand* find(Role role, std::size_t nth = 0) const;  // null: there is none
  const StageOperand* operand(int index) const;                    // null: there is none
  // Kept, so that it may be asked of every cell in sight, in every frame.
  const std::vector<Source>& sources_of(const StageCell& cell);
  // The elements of results that an input took part in.
  const std::vector<StageCell>& reached_by(const StageCell& cell);
  // The operand whose value an element of a result is: of several (a sum) and of none null.
  const StageOperand* origin_of(const StageCell& cell);
  std::optional<StageCell> cell_of(const Source& source) const;
  // The same in every operand that is that tile: of a + a both.
  std::vector<StageCell> cells_of(const Source& source) const;
  // Whether an element is a source of the focus.
  bool is_source(const StageCell& cell) const;
  // False: an element of the buffer that the step's view leaves out.
  bool in_view(const StageCell& cell);
  // How an element is drawn everywhere on the stage: value, marks, the colour of where it came from.
  CellLook look_of(const StageCell& cell, float width);
  // To be called for a cell under the mouse: it is hovered for all panes, and a click selects it.
  void point_at(const StageCell& cell);
  // What panes call it.
  Element element_at(const StageCell& cell) const;
  // Names its place for those who want to find it: "stage/im[1,7]".
  void mark_target(const StageCell& cell, const Rect& rect) const;
};

// --- the drawings ---

using DrawStep = void (*)(StageStep& step, const Rect& area);
// A family's file holds one of these for what it draws; nothing else lists drawings.
class RegisteredDrawing {
 public:
  RegisteredDrawing(Drawing drawing, DrawStep draw);
};
// The drawing of a kind of steps; where none was registered, that of any instruction.
DrawStep drawing_of(Drawing drawing);
// Any instruction: all operands as grids, and a sentence for what moves no data.
void draw_general(StageStep& step, const Rect& area);

// Buttons for the ways in which a drawing shows its step; gives the number of the one that is on. It is kept by the
// drawing's name, from step to step and with the user's settings. `end_x` gets where the row ends.
int choose_mode(StageStep& step, const std::string& drawing, ImVec2 at, const std::vector<const char*>& modes,
                float* end_x = nullptr);

}  // namespace ts::ui
