// Judging.
#include "core/learn/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "core/learn/element_name.h"
#include "core/learn/explain.h"
#include "core/learn/typed_value.h"
#include "core/learn/words.h"
#include "core/program/literal.h"
#include "core/text/type.h"

namespace ts::learn {
namespace {

// Lower case, without blanks and %: "Src1[0, 5]" is "src1[0,5]".
std::string plain(std::string_view text) {
  std::string made;
  for (const char letter : trimmed(text))
    if (letter != ' ' && letter != '%') made += letter;
  return lower(made);
}

// --- predictions ---

// What a learner typed for a cell.
struct Typed {
  enum class Kind : std::uint8_t {
    Nothing,
    Value,
    Source,
    Outside,  // an element that the operand does not have: a mistake to learn from, such as a byte's number for a column
    Scalar,
    Unchanged,
    Undefined,
    Unspecified,
    Unreadable
  };
  Kind kind = Kind::Unreadable;
  std::uint64_t bits = 0;
  StepElement element;
  std::string problem = {};
};

Typed unreadable(std::string problem) {
  return {.kind = Typed::Kind::Unreadable, .element = {}, .problem = std::move(problem)};
}

Typed read_source(const Program& program, const Bound& bound, const TypedElement& typed, std::uint32_t row) {
  const int operand = find_operand(program, bound, typed.owner, false);
  if (operand < 0)
    return unreadable(
        fmt::format("{} is no operand of this step; it has {}", typed.owner, operand_names(program, bound, false)));
  const StepElement element{operand, typed.row.value_or(row), typed.col};
  const auto [rows, cols] = shape_of_operand(program, bound.operands[static_cast<std::size_t>(operand)]);
  if (rows == 0) return unreadable(fmt::format("{} is a number and has no elements", typed.owner));
  if (element.row >= rows || element.col >= cols)
    return {.kind = Typed::Kind::Outside,
            .element = element,
            .problem = fmt::format("there is no {}[{},{}]: rows of {} are 0 to {}, columns 0 to {}", typed.owner,
                                   element.row, element.col, typed.owner, rows - 1, cols - 1)};
  return {.kind = Typed::Kind::Source, .element = element, .problem = {}};
}

Typed read_typed(const Program& program, const Bound& bound, const Truth& truth, const std::string& text) {
  const std::string word = plain(text);
  if (word.empty()) return {.kind = Typed::Kind::Nothing, .element = {}, .problem = "nothing is filled in"};
  if (is_one_of(word, {"unchanged", "old", "same", "stays", "untouched"}))
    return {.kind = Typed::Kind::Unchanged, .element = {}};
  if (is_one_of(word, {"..", "undefined", "never", "neverwritten"}))
    return {.kind = Typed::Kind::Undefined, .element = {}};
  if (is_one_of(word, {"?", "unspecified", "nobody"})) return {.kind = Typed::Kind::Unspecified, .element = {}};
  if (const auto element = read_element(text)) return read_source(program, bound, *element, truth.element.row);
  if (const auto value = read_value(*truth.format, text))
    return {.kind = Typed::Kind::Value, .bits = *value, .element = {}};
  // The scalar, by its operand's name.
  for (std::size_t i = 0; i < bound.operands.size(); ++i)
    if (bound.operands[i].spec != nullptr && bound.operands[i].spec->kind == OperandKind::Scalar &&
        word == lower(std::string(bound.operands[i].spec->name)))
      return {.kind = Typed::Kind::Scalar, .element = {static_cast<int>(i), 0, 0}};
  return unreadable(fmt::format("{} is neither a value of type {} nor an element such as {}", trimmed(text),
                                truth.format->name, "src0[0,3]"));
}

// The same bytes: of a + a both operands are meant.
bool same_place(const Program& program, const Bound& bound, const StepElement& a, const StepElement& b) {
  return place_of(program, bound, a) == place_of(program, bound, b);
}

bool is_right(const Recording& recording, const Truth& truth, const Typed& typed) {
  const Program& program = recording.program();
  const Bound& bound = recording.bound(truth.step);
  switch (typed.kind) {
    case Typed::Kind::Value:
      return truth.worth_after == Definedness::Written && same_value(*truth.format, truth.after, typed.bits);
    case Typed::Kind::Source: {
      // What was not touched is still what it was.
      if (!truth.wrote)
        return truth.worth_after != Definedness::Never && same_place(program, bound, typed.element, truth.element);
      const std::vector<StepElement> elements = truth.elements(program, bound);
      return elements.size() == 1 && truth.scalar() == nullptr &&
             same_place(program, bound, elements.front(), typed.element);
    }
    case Typed::Kind::Scalar:
      return truth.wrote && truth.scalar() != nullptr && truth.elements(program, bound).empty() &&
             truth.scalar()->operand == typed.element.operand;
    case Typed::Kind::Unchanged: return !truth.wrote;
    case Typed::Kind::Undefined: return truth.worth_after == Definedness::Never;
    case Typed::Kind::Unspecified: return truth.worth_after == Definedness::Unspecified;
    case Typed::Kind::Nothing:
    case Typed::Kind::Outside:
    case Typed::Kind::Unreadable: break;
  }
  return false;
}

// A wrong answer: what it is in truth, and no word of the right one, which the learner may go on looking for.
std::string about_wrong(Session& session, const Truth& truth, const Typed& typed) {
  const Recording& recording = session.recording();
  const Program& program = recording.program();
  const Bound& bound = recording.bound(truth.step);
  const std::string asked = name_of(program, bound, truth.element);
  const auto goes = [&](const StepElement& element) {
    const std::string way = way_sentence(session, truth.step, element), who = name_of(program, bound, element);
    return fmt::format("{}, which{}", who, way.substr(who.size()));
  };
  switch (typed.kind) {
    case Typed::Kind::Source: {
      const std::string who = name_of(program, bound, typed.element);
      if (bound.operands[static_cast<std::size_t>(typed.element.operand)].spec->role == Role::Out)
        return fmt::format("{} does not come from {}, which is a result of this step", asked, who);
      const std::vector<StepElement> elements = truth.elements(program, bound);
      const bool part = std::ranges::any_of(
          elements, [&](const StepElement& one) { return same_place(program, bound, one, typed.element); });
      if (part) return fmt::format("{} is only a part of {}: give the value", who, asked);
      return fmt::format("{} does not come from {}", asked, goes(typed.element));
    }
    case Typed::Kind::Value: {
      const std::string value = short_text(*truth.format, typed.bits);
      const auto meant = only_input_with(session, truth.step, *truth.format, typed.bits);
      return fmt::format("{} is not {}", asked, value) + (meant ? fmt::format("; {} is {}", value, goes(*meant)) : "");
    }
    case Typed::Kind::Scalar:
      return fmt::format("{} is not the scalar {}", asked,
                         program.operand_name(bound.operands[static_cast<std::size_t>(typed.element.operand)]));
    case Typed::Kind::Outside: return fmt::format("{} cannot come from there: {}", asked, typed.problem);
    case Typed::Kind::Unchanged: return fmt::format("{} does not stay as it was", asked);
    case Typed::Kind::Undefined: return fmt::format("{} is not undefined", asked);
    case Typed::Kind::Unspecified: return fmt::format("{} has a value that can be relied on", asked);
    case Typed::Kind::Nothing:
    case Typed::Kind::Unreadable: break;
  }
  return "";
}

// Value and source are the same fact; which of them is asked for is up to the lesson.
std::string wrong_kind(const Predict& predict, const Typed& typed) {
  if (predict.by == Predict::By::Source && typed.kind == Typed::Kind::Value)
    return "name the element that it comes from, such as src0[0,3]";
  if (predict.by == Predict::By::Value &&
      (typed.kind == Typed::Kind::Source || typed.kind == Typed::Kind::Outside || typed.kind == Typed::Kind::Scalar))
    return "give the value";
  return "";
}

Verdict judge_cell(Session& session, const Predict& predict, std::size_t cell, const std::string& answer) {
  const Recording& recording = session.recording();
  const Truth truth = truth_of(session, predict.step, predict.element(cell));
  const Bound& bound = recording.bound(predict.step);
  const Typed typed = read_typed(recording.program(), bound, truth, answer);
  const std::string who = name_of(recording.program(), bound, truth.element);
  if (typed.kind == Typed::Kind::Nothing || typed.kind == Typed::Kind::Unreadable)
    return {.unread = true, .said = fmt::format("{}: {}", who, typed.problem)};
  if (const std::string wrong = wrong_kind(predict, typed); !wrong.empty())
    return {.unread = true, .said = fmt::format("{}: {}", who, wrong)};
  if (!is_right(recording, truth, typed)) return {.said = about_wrong(session, truth, typed)};
  return {.right = true,
          .said = fmt::format("{}: {}", value_sentence(recording, truth), origin_sentence(recording, truth))};
}

Judgement judge_predict(Session& session, const Predict& predict, std::span<const std::string> answers) {
  Judgement made{.right = true};
  std::size_t right = 0;
  for (std::size_t i = 0; i < predict.cells.size(); ++i) {
    made.parts.push_back(judge_cell(session, predict, i, i < answers.size() ? answers[i] : ""));
    right += made.parts.back().right ? 1 : 0;
    made.unread |= made.parts.back().unread;
  }
  made.right = right == predict.cells.size();
  if (made.unread) {
    // Of the others nothing is told before all can be read.
    for (Verdict& part : made.parts)
      if (!part.unread) part = {};
    made.right = false;
    made.text = "not every cell can be judged yet";
  } else if (!made.right) {
    made.text = fmt::format("{} of {} right", right, predict.cells.size());
  }
  return made;
}

// --- choices and free answers ---

bool same_answer(const std::string& wanted, const std::string& given) {
  if (plain(wanted) == plain(given)) return true;
  // Numbers by what they are: 5 is 5.0 and 0x5.
  const auto whole = parse_integer(plain(wanted)), given_whole = parse_integer(plain(given));
  if (whole && given_whole) return *whole == *given_whole;
  const ElementFormat& format = *find_element_format("f64");
  const auto a = read_value(format, wanted), b = read_value(format, given);
  return a && b && same_value(format, *a, *b);
}

Verdict judge_ask(const Ask& ask, const std::string& answer) {
  if (trimmed(answer).empty()) return {.unread = true, .said = "nothing is filled in"};
  std::string given = trimmed(answer);
  if (!ask.choices.empty()) {
    // By its number from 1, as the window shows them, or by its text.
    auto choice = std::ranges::find_if(ask.choices, [&](const std::string& one) { return plain(one) == plain(given); });
    std::size_t number = 0;
    if (choice == ask.choices.end() && given.size() <= 2 &&
        std::ranges::all_of(given, [](unsigned char letter) { return std::isdigit(letter) != 0; }))
      number = static_cast<std::size_t>(std::stoi(given));
    if (number >= 1 && number <= ask.choices.size())
      choice = ask.choices.begin() + static_cast<std::ptrdiff_t>(number - 1);
    if (choice == ask.choices.end())
      return {.unread = true,
              .said = fmt::format("{} is none of the choices: give one of them, or its number, 1 to {}", given,
                                  ask.choices.size())};
    given = *choice;
  }
  Verdict verdict;
  if (!ask.answers.empty())
    verdict.right = std::ranges::any_of(ask.answers, [&](const std::string& one) { return same_answer(one, given); });
  else if (ask.judge) verdict = ask.judge(given);
  const auto choice = std::ranges::find(ask.choices, given);
  const auto index = static_cast<std::size_t>(choice - ask.choices.begin());
  if (verdict.said.empty() && index < ask.why.size()) verdict.said = ask.why[index];
  return verdict;
}

// --- finding ---

Verdict judge_step(const Recording& recording, const Find& find, const std::string& answer) {
  std::string_view text = answer;
  const std::string plain_text = plain(answer);
  text = plain_text;
  if (text.starts_with("step")) text.remove_prefix(4);
  std::uint32_t step = 0;
  const bool read = !text.empty() && text.size() < 10 &&
                    std::ranges::all_of(text, [](unsigned char letter) { return std::isdigit(letter) != 0; });
  if (read) step = static_cast<std::uint32_t>(std::stoul(std::string(text)));
  if (!read || step >= recording.count())
    return {
        .unread = true,
        .said = fmt::format("name a step by its number, 0 to {}", recording.count() == 0 ? 0 : recording.count() - 1)};
  const auto op = [&](std::uint32_t at) { return std::string(recording.bound(at).row->name); };
  if (std::ranges::binary_search(find.right_steps, step))
    return {.right = true, .said = fmt::format("step {}, {}, is the one", step, op(step))};
  const bool later = step > find.right_steps.front();
  const std::string who = fmt::format("step {}, {}, ", step, op(step));
  // Only where the checks find something is it known that anything is wrong.
  if (!find.finding) return {.said = who + "is not the one: look " + (later ? "further back" : "further on")};
  return {.said = who + (later ? "only goes on with what was wrong before it: look further back"
                               : "still does what it should: look further on")};
}

Verdict judge_place(Session& session, const Page& page, const Find& find, const std::string& answer) {
  const auto typed = read_element(answer);
  if (!typed || !typed->row)
    return {.unread = true, .said = "name a cell by its tile, row and column, such as out[0,3]; or click it"};
  const auto shape = shape_of_named(session, typed->owner, page.stands);
  std::string owner = typed->owner;
  if (!shape && page.step) {
    // By the operand's name.
    const Recording& recording = session.recording();
    const Bound& bound = recording.bound(*page.step);
    const int operand = find_operand(recording.program(), bound, owner, true);
    if (operand >= 0) owner = read_element(name_of(recording.program(), bound, {operand, 0, 0}))->owner;
  }
  const auto known = shape ? shape : shape_of_named(session, owner, page.stands);
  if (!known) return {.unread = true, .said = fmt::format("there is no tile or buffer {}", typed->owner)};
  if (*typed->row >= known->first || typed->col >= known->second)
    return {
        .unread = true,
        .said = fmt::format("{} has {} rows and {} columns; both count from 0", owner, known->first, known->second)};
  const bool right = std::ranges::any_of(find.right_cells, [&](const NamedCell& cell) {
    return cell.owner == owner && cell.row == *typed->row && cell.col == typed->col;
  });
  const std::string who = fmt::format("{}[{},{}]", owner, *typed->row, typed->col);
  if (right) return {.right = true, .said = who + " is the one"};
  return {.said = who + (find.finding ? " is as it should be" : " is not the one")};
}

}  // namespace

Judgement judge(Session& session, const Page& page, std::span<const std::string> answers) {
  if (const Predict* predict = page.predict()) return judge_predict(session, *predict, answers);
  const std::string answer = answers.empty() ? "" : answers.front();
  Verdict verdict;
  if (const auto* ask = std::get_if<Ask>(&page.question)) verdict = judge_ask(*ask, answer);
  if (const auto* find = std::get_if<Find>(&page.question))
    verdict = find->what == Find::What::Step ? judge_step(session.recording(), *find, answer)
                                             : judge_place(session, page, *find, answer);
  Judgement made{.right = verdict.right, .unread = verdict.unread, .text = verdict.said};
  made.parts.push_back(std::move(verdict));
  return made;
}

std::vector<std::string> solution(Session& session, const Page& page) {
  std::vector<std::string> made;
  const Recording& recording = session.recording();
  if (const Predict* predict = page.predict()) {
    const Bound& bound = recording.bound(predict->step);
    for (std::size_t i = 0; i < predict->cells.size(); ++i) {
      const Truth truth = truth_of(session, predict->step, predict->element(i));
      const std::vector<StepElement> elements = truth.elements(recording.program(), bound);
      if (truth.worth_after == Definedness::Unspecified) made.emplace_back("unspecified");
      else if (!truth.wrote) made.emplace_back(truth.worth_after == Definedness::Never ? "undefined" : "unchanged");
      else if (predict->by != Predict::By::Value && elements.size() == 1 && truth.scalar() == nullptr)
        made.push_back(name_of(recording.program(), bound, elements.front()));
      else if (predict->by == Predict::By::Source && truth.scalar() != nullptr && elements.empty())
        made.emplace_back(bound.operands[static_cast<std::size_t>(truth.scalar()->operand)].spec->name);
      else made.push_back(short_text(*truth.format, truth.after));
    }
  }
  if (const auto* ask = std::get_if<Ask>(&page.question)) {
    if (!ask->solution.empty()) return {ask->solution};
    if (!ask->answers.empty()) return {ask->answers.front()};
    for (const std::string& choice : ask->choices)
      if (ask->judge && ask->judge(choice).right) return {choice};
  }
  if (const auto* find = std::get_if<Find>(&page.question)) {
    if (find->what == Find::What::Step && !find->right_steps.empty())
      made.push_back(fmt::format("step {}", find->right_steps.front()));
    if (find->what == Find::What::Cell && !find->right_cells.empty())
      made.push_back(fmt::format("{}[{},{}]", find->right_cells.front().owner, find->right_cells.front().row,
                                 find->right_cells.front().col));
  }
  return made;
}

}  // namespace ts::learn
