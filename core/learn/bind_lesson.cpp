// Holding a lesson against its recording.
#include "core/learn/bind_lesson.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/check/check.h"
#include "core/learn/element_name.h"
#include "core/learn/judge.h"

namespace ts::learn {
namespace {

class Binder {
 public:
  Binder(Lesson& lesson, Session& session) : lesson_(lesson), session_(session) {}

  std::vector<Problem> bind() {
    if (lesson_.pages.empty()) say(0, "steps", "a lesson has at least one step");
    for (number_ = 1; number_ <= lesson_.pages.size(); ++number_) {
      Page& page = lesson_.pages[number_ - 1];
      bind_position(page);
      if (Predict* predict = std::get_if<Predict>(&page.question)) bind_predict(page, *predict);
      if (Find* find = std::get_if<Find>(&page.question)) bind_find(page, *find);
      if (const Ask* ask = std::get_if<Ask>(&page.question)) check_ask(*ask);
      check_shown(page);
      // Behind a prediction the step has been made.
      stands_ = page.predict() != nullptr && page.step ? *page.step + 1 : page.stands;
      next_ = page.predict() == nullptr && page.shows_next;
    }
    return std::move(problems_);
  }

 private:
  const Recording& recording() const { return session_.recording(); }
  const Program& program() const { return recording().program(); }
  void say(std::size_t page, std::string field, std::string text, std::string hint = "") {
    problems_.push_back({page, std::move(field), std::move(text), std::move(hint)});
  }
  void say(std::string field, std::string text, std::string hint = "") {
    say(number_, std::move(field), std::move(text), std::move(hint));
  }

  std::optional<std::uint32_t> step_of(const StepName& name, const std::string& field) {
    if (name.step) {
      if (*name.step < recording().count()) return name.step;
      say(field, fmt::format("there is no step {}", *name.step),
          fmt::format("the program makes {} steps, from 0 on", recording().count()));
      return {};
    }
    std::uint32_t seen = 0;
    const std::string op = plain_op(name.op);
    for (std::uint32_t step = 0; step < recording().count(); ++step)
      if (op == recording().bound(step).row->name && ++seen == name.nth) return step;
    if (seen == 0)
      say(field, fmt::format("no step of the program is {}", name.op), "the names are those of `tilescope list`");
    else
      say(field, fmt::format("there is no {} {}", name.op, name.nth),
          fmt::format("the program makes {} of them", seen));
    return {};
  }

  // Where it is asked to predict, the step has not been made.
  void bind_position(Page& page) {
    const bool before = page.next || page.predict() != nullptr;
    page.stands = stands_;
    page.shows_next = before || next_;
    if (page.position) {
      page.shows_next = before;
      if (*page.position > recording().count())
        say("at", fmt::format("there is no position {}", *page.position),
            fmt::format("the program makes {} steps, so positions go from 0 to {}", recording().count(),
                        recording().count()));
      page.stands = std::min(*page.position, recording().count());
    } else if (page.at) {
      page.shows_next = before;
      if (const auto step = step_of(*page.at, "at")) page.stands = before ? *step : *step + 1;
    }
    if (page.stands == 0) page.shows_next = true;
    if (page.stands >= recording().count() && page.shows_next && recording().count() > 0) {
      if (page.next) say("next", "no step comes next", "this position is the end of the program");
      page.shows_next = false;
    }
    if (recording().count() > 0) page.step = page.shows_next ? page.stands : page.stands - 1;
  }

  void bind_predict(Page& page, Predict& predict) {
    if (!page.step || !page.shows_next)
      return say("predict", "no step comes next that could be predicted",
                 "stand before a step: at = \"tadd\", or its number");
    predict.step = *page.step;
    const Bound& bound = recording().bound(predict.step);
    predict.operand = find_operand(program(), bound, predict.tile, true);
    const auto is_result = [&] {
      return predict.operand >= 0 && bound.operands[static_cast<std::size_t>(predict.operand)].spec->role == Role::Out;
    };
    if (!is_result())
      return say("predict.tile",
                 fmt::format("{} is no result of step {}, {}", predict.tile, predict.step, bound.row->name),
                 "its results are " + operand_names(program(), bound, true));
    if (machines_for(bound).run == nullptr) return say("predict", fmt::format("{} moves no data", bound.row->name));
    const auto [rows, cols] = shape_of_operand(program(), bound.operands[static_cast<std::size_t>(predict.operand)]);
    if (predict.cells.empty()) say("predict", "no cells are to be predicted", "row = 0, cols = {0, 7}");
    for (std::size_t i = 0; i < predict.cells.size(); ++i) {
      const Predict::Cell& cell = predict.cells[i];
      if (cell.row >= rows || cell.col >= cols)
        return say("predict", fmt::format("{} has no cell [{},{}]", predict.tile, cell.row, cell.col),
                   fmt::format("it has {} rows and {} columns; both count from 0", rows, cols));
      if (std::find(predict.cells.begin(), predict.cells.begin() + static_cast<std::ptrdiff_t>(i), cell) !=
          predict.cells.begin() + static_cast<std::ptrdiff_t>(i))
        say("predict", fmt::format("[{},{}] is asked for twice", cell.row, cell.col));
    }
    check_solvable(page);
  }

  // The recording's own answer has to be one that the question takes.
  void check_solvable(const Page& page) {
    const std::vector<std::string> answers = solution(session_, page);
    const Judgement judged = judge(session_, page, answers);
    for (std::size_t i = 0; i < judged.parts.size(); ++i)
      if (!judged.parts[i].right)
        say("predict", fmt::format("the cell cannot be answered: {}", judged.parts[i].said),
            "leave `by` out, so that a value will do");
  }

  void check_ask(const Ask& ask) {
    if (ask.answers.empty() && !ask.judge)
      say("answer", "nothing says what is right", "answer = a text, a list of texts, or a function");
    if (ask.choices.size() == 1) say("choices", "there is only one choice");
    for (const std::string& answer : ask.answers)
      if (!ask.choices.empty() && std::ranges::find(ask.choices, answer) == ask.choices.end())
        say("answer", fmt::format("'{}' is none of the choices", answer));
    if (!ask.why.empty() && ask.choices.empty()) say("why", "only choices have a reason each", "why = a text");
  }

  void bind_find(const Page& page, Find& find) {
    if (find.finding) {
      const CheckReport report = check(recording());
      for (const Finding& finding : report.findings) {
        if (finding.kind() != *find.finding || finding.step >= recording().count()) continue;
        find.right_steps.push_back(finding.step);
        if (find.what == Find::What::Cell) add_found(finding, find);
      }
      if (find.right_steps.empty())
        say("find.finding", fmt::format("the checks find nothing of kind {} in this program", name(*find.finding)));
      // The first is where it begins; later ones are what came of it.
      if (find.right_steps.size() > 1) find.right_steps.resize(1);
      return;
    }
    for (const StepName& one : find.steps)
      if (const auto step = step_of(one, "find.step")) find.right_steps.push_back(*step);
    std::ranges::sort(find.right_steps);
    for (const NamedCell& cell : find.cells)
      if (const auto found = cell_of(page, cell, "find.cell")) find.right_cells.push_back(*found);
  }

  void add_found(const Finding& finding, Find& find) {
    const Bound* bound = recording().bound_of(finding);
    if (bound == nullptr || !finding.element || finding.element->operand < 0) return;
    const StepElement element =
        in_shape(program(), *bound, finding.element->operand, finding.element->row, finding.element->col);
    const auto typed = read_element(name_of(program(), *bound, element));
    if (typed) find.right_cells.push_back({typed->owner, element.row, element.col});
  }

  // By the name of the tile or buffer, whatever it was called by.
  std::optional<NamedCell> cell_of(const Page& page, const NamedCell& cell, const std::string& field) {
    std::string owner = cell.owner.starts_with('%') ? cell.owner.substr(1) : cell.owner;
    auto shape = shape_of_named(session_, owner, page.stands);
    if (!shape && page.step) {
      const Bound& bound = recording().bound(*page.step);
      const int operand = find_operand(program(), bound, owner, page.shows_next);
      if (operand >= 0 && bound.operands[static_cast<std::size_t>(operand)].spec->kind != OperandKind::Scalar) {
        owner = read_element(name_of(program(), bound, {operand, 0, 0}))->owner;
        shape = shape_of_operand(program(), bound.operands[static_cast<std::size_t>(operand)]);
      }
    }
    if (!shape) {
      say(field, fmt::format("there is no tile, buffer or operand {}", cell.owner),
          "names are those of the program's text");
      return {};
    }
    if (cell.row >= shape->first || cell.col >= shape->second) {
      say(field, fmt::format("{} has no cell [{},{}]", cell.owner, cell.row, cell.col),
          fmt::format("it has {} rows and {} columns; both count from 0", shape->first, shape->second));
      return {};
    }
    return NamedCell{owner, cell.row, cell.col};
  }

  void check_shown(Page& page) {
    for (const std::string& shown : page.show) {
      if (page.step && find_operand(program(), recording().bound(*page.step), shown, true) >= 0) continue;
      const std::string owner = shown.starts_with('%') ? shown.substr(1) : shown;
      if (!shape_of_named(session_, owner, page.stands))
        say("show", fmt::format("there is no tile, buffer or operand {}", shown),
            "names are those of the program's text");
    }
    if (page.highlight) page.lit = cell_of(page, *page.highlight, "highlight");
  }

  Lesson& lesson_;
  Session& session_;
  std::vector<Problem> problems_;
  std::size_t number_ = 0;
  std::uint32_t stands_ = 0;  // where the page before stood
  bool next_ = true;
};

}  // namespace

std::string problem_text(const Problem& problem) {
  std::string text = problem.page != 0 ? fmt::format("step {}: ", problem.page) : "";
  if (!problem.field.empty()) text += problem.field + ": ";
  return text + problem.text;
}

std::vector<Problem> bind_lesson(Lesson& lesson, Session& session) { return Binder(lesson, session).bind(); }

}  // namespace ts::learn
