// A lesson as data: pages over a recording, some of which ask something.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/debug/picture/step_map.h"
#include "core/isa/finding_kind.h"

namespace ts::learn {

// What an answer is worth.
struct Verdict {
  bool right = false;
  bool unread = false;  // it says nothing that could be right: no try is counted
  std::string said = {};
};

// An element as a lesson names it: of a tile or buffer of the program, or of an operand of the page's step.
struct NamedCell {
  std::string owner;
  std::uint32_t row = 0, col = 0;
};

// A question with a choice, or with a free answer.
struct Ask {
  std::string text;
  std::vector<std::string> choices = {};  // empty: the answer is typed
  std::vector<std::string> answers = {};  // each of them is right
  // Asked where there are no `answers`; may be slow, and belongs to the thread of the session.
  std::function<Verdict(const std::string&)> judge = {};
  std::vector<std::string> why = {};  // what is said of a choice, by choice; may be shorter
  std::string solution = {};          // a right answer, for who gives up
};

// Cells of a result that are filled in before the step runs.
struct Predict {
  enum class By : std::uint8_t { Any, Value, Source };
  std::string tile;
  struct Cell {
    std::uint32_t row = 0, col = 0;
    bool operator==(const Cell&) const = default;
  };
  std::vector<Cell> cells = {};
  By by = By::Any;
  // --- by bind_lesson.h ---
  std::uint32_t step = 0;
  int operand = -1;
  StepElement element(std::size_t cell) const { return {operand, cells[cell].row, cells[cell].col}; }
};

// Where a step stands in the program: by its number, or by its instruction.
struct StepName {
  std::optional<std::uint32_t> step = {};
  std::string op = {};
  std::uint32_t nth = 1;  // of the steps of that instruction, from 1
};

// The step, or the cell, where something is wrong.
struct Find {
  enum class What : std::uint8_t { Step, Cell };
  What what = What::Step;
  std::vector<StepName> steps = {};
  std::vector<NamedCell> cells = {};
  std::optional<FindingKind> finding = {};  // instead: where the checks find this
  // --- by bind_lesson.h ---
  std::vector<std::uint32_t> right_steps = {};  // sorted
  std::vector<NamedCell> right_cells = {};      // by the names of tiles and buffers
};

using Question = std::variant<std::monostate, Ask, Predict, Find>;

struct Page {
  std::string say = {};  // in the small Markdown of our pages
  // Where it stands. Nothing: where the page before does.
  std::optional<std::uint32_t> position = {};
  std::optional<StepName> at = {};     // instead: around this step
  bool next = false;                   // the step is shown before it runs
  std::vector<std::string> show = {};  // tiles and operands that it is about
  bool as_bytes = false;               // the first of them in the order of memory
  std::optional<NamedCell> highlight = {};
  Question question = {};
  std::string hint = {};
  std::string why = {};  // said once it is answered
  // --- by bind_lesson.h ---
  std::uint32_t stands = 0;                // the position
  bool shows_next = false;                 // the stage shows the step that comes next
  std::optional<std::uint32_t> step = {};  // that the stage shows
  std::optional<NamedCell> lit = {};       // `highlight`, by the name of the tile or buffer

  bool asks() const { return !std::holds_alternative<std::monostate>(question); }
  const Predict* predict() const { return std::get_if<Predict>(&question); }
};

struct Lesson {
  std::string title, teaches, family;
  bool edits = false;  // the learner may change values and run on
  std::vector<Page> pages = {};

  std::size_t questions() const;
};

inline std::size_t Lesson::questions() const {
  std::size_t count = 0;
  for (const Page& page : pages) count += page.asks() ? 1 : 0;
  return count;
}

// How many things an answer to the page's question has: the cells of a prediction, else one.
std::size_t answers_wanted(const Page& page);
// "ask", "predict", "find", or "".
const char* kind_of(const Page& page);

}  // namespace ts::learn
