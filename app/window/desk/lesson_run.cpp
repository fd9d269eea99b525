// Pages, answers, hiding.
#include "app/window/desk/lesson_run.h"

#include <algorithm>

#include "app/settings/lesson_progress.h"
#include "app/view/operand_element.h"

namespace ts::ui {
namespace {

bool is_operand(const Recording& recording, std::uint32_t step, const Owner& owner) {
  return std::ranges::any_of(recording.bound(step).operands, [&](const Operand& operand) {
    return operand.spec != nullptr && operand.spec->kind != OperandKind::Scalar && owner_of(operand) == owner;
  });
}

// Which of the predicted cells it is; nothing: none of them.
std::optional<std::size_t> predicted_cell(const Recording& recording, const learn::Predict& predict,
                                          const Element& element) {
  const Operand& result = recording.bound(predict.step).operands[static_cast<std::size_t>(predict.operand)];
  if (element.owner != owner_of(result)) return {};
  const auto found = std::ranges::find(predict.cells, learn::Predict::Cell{element.row, element.col});
  if (found == predict.cells.end()) return {};
  return static_cast<std::size_t>(found - predict.cells.begin());
}

LessonScores all_scores(const std::map<std::string, KeptProgress>& kept) {
  LessonScores scores{.families = scores_of(kept)};
  for (const auto& [hash, one] : kept) {
    learn::Score score;
    learn::add_to(score, one.progress, one.questions);
    scores.lessons[one.name] = score;
  }
  return scores;
}

}  // namespace

LessonRun::LessonRun(Walk& walk, std::optional<ShownLesson>& state, LessonScores& scores, std::string state_folder)
    : walk_(walk), view_(walk.view()), state_(state), scores_(scores), folder_(std::move(state_folder)) {
  scores_ = all_scores(load_lesson_progress(folder_));
}

// --- opening ---

void LessonRun::show(const Document* document, bool again) {
  const std::size_t before = again && state_ ? state_->page : 0;
  state_.reset();
  if (document == nullptr || document->lesson == nullptr) return;
  ShownLesson lesson{.lesson = document->lesson, .name = document->name};
  const auto kept = load_lesson_progress(folder_);
  if (const auto found = kept.find(document->lesson_hash); found != kept.end())
    lesson.progress = found->second.progress;
  lesson.progress.pages.resize(lesson.lesson->pages.size());
  const std::size_t first = again ? before : lesson.progress.page;
  state_ = std::move(lesson);
  if (!again) walk_.wish({.what = Wish::What::LessonLayout});
  page(std::min(first, document->lesson->pages.size() - 1));
}

void LessonRun::keep() {
  ShownLesson& lesson = *state_;
  const KeptProgress kept{.name = lesson.name,
                          .title = lesson.lesson->title,
                          .family = lesson.lesson->family,
                          .questions = lesson.lesson->questions(),
                          .progress = lesson.progress};
  if (!save_lesson_progress(folder_, view_.document()->lesson_hash, kept))
    walk_.tell("the progress could not be kept", folder_ + " cannot be written", true);
  auto all = load_lesson_progress(folder_);
  all[view_.document()->lesson_hash] = kept;
  scores_ = all_scores(all);
}

// --- pages ---

void LessonRun::page(std::size_t page) {
  ShownLesson* lesson = this->lesson();
  if (lesson == nullptr || page >= lesson->lesson->pages.size()) return;
  lesson->page = page;
  lesson->progress.page = static_cast<std::uint32_t>(page);
  lesson->fills.assign(learn::answers_wanted(lesson->now()), "");
  lesson->current = 0;
  lesson->judged.reset();
  lesson->done = lesson->told = lesson->hint = lesson->held = false;
  lesson->visit = ++visits_;
  keep();
  const learn::Page& now = view_.lesson()->now();
  walk_.show_next(now.shows_next);
  walk_.point_at({});
  walk_.trail().clear();
  walk_.take_hidden_findings();
  walk_.driver().post("turning the page",
                      [this, position = now.stands, hidden = view_.hidden_step(), page](LiveSession& live) {
                        if (live.session == nullptr) return;
                        live.hidden_step = hidden;
                        live.session->seek({position, 0});
                        walk_.publish(live, {.step = position});
                        walk_.driver().reply([this, page] { show_page_tiles(page); });
                      });
}

// The page's cell is selected, and what it is about comes to the front.
void LessonRun::show_page_tiles(std::size_t page) {
  const ShownLesson* lesson = view_.lesson();
  if (lesson == nullptr || lesson->page != page || view_.recording() == nullptr) return;
  const learn::Page& now = lesson->now();
  walk_.point_at(now.lit ? walk_.find_element(now.lit->owner, now.lit->row, now.lit->col) : std::nullopt);
  for (const std::string& name : now.show) {
    const std::string bare = name.starts_with('%') ? name.substr(1) : name;
    const auto element = walk_.find_element(bare, 0, 0);
    const bool on_stage = element && now.step && is_operand(*view_.recording(), *now.step, element->owner);
    if (!element || (on_stage && !now.as_bytes)) continue;
    walk_.wish({.command = {"showTile", {bare}}});
    return walk_.wish({.command = {"showBytes", {std::int64_t{now.as_bytes ? 1 : 0}}}});
  }
  walk_.wish({.what = Wish::What::StageFront});
}

void LessonRun::turn(int by) {
  const ShownLesson* lesson = view_.lesson();
  if (lesson == nullptr) return walk_.tell("no lesson is open", "the Lesson menu has all of them");
  const auto count = static_cast<std::ptrdiff_t>(lesson->lesson->pages.size());
  const std::ptrdiff_t page = static_cast<std::ptrdiff_t>(lesson->page) + by;
  if (page < 0) return walk_.tell("this is the lesson's first step");
  if (page >= count) return walk_.tell("this is the end of the lesson", "the Lesson menu has the others");
  this->page(static_cast<std::size_t>(page));
}

// --- filling in ---

void LessonRun::fill(std::size_t index, std::string text) {
  const ShownLesson* before = view_.lesson();
  if (before == nullptr || !before->asks() || index >= before->fills.size()) return;
  ShownLesson* lesson = this->lesson();
  lesson->fills[index] = std::move(text);
  lesson->current = index;
}

void LessonRun::choose(std::size_t choice) {
  const ShownLesson* lesson = view_.lesson();
  if (lesson == nullptr || !lesson->asks()) return;
  const auto* ask = std::get_if<learn::Ask>(&lesson->now().question);
  if (ask == nullptr || choice >= ask->choices.size()) return;
  fill(0, ask->choices[choice]);
  answer();
}

void LessonRun::selected(const Element& element) {
  const ShownLesson* lesson = view_.lesson();
  if (lesson == nullptr || !lesson->asks()) return;
  if (const auto* find = std::get_if<learn::Find>(&lesson->now().question)) {
    if (find->what == learn::Find::What::Cell) fill(0, view_.name_of(element));
    return;
  }
  const learn::Predict* predict = lesson->predicting();
  if (predict == nullptr) return;
  if (const auto cell = predicted_cell(*view_.recording(), *predict, element)) {
    state_->current = *cell;
    return;
  }
  if (!is_operand(*view_.recording(), predict->step, element.owner)) return;
  drop(lesson->current, view_.name_of(element));
}

void LessonRun::drop(std::size_t index, const std::string& text) {
  fill(index, text);
  const ShownLesson* lesson = view_.lesson();
  if (lesson == nullptr || lesson->predicting() == nullptr) return;
  for (std::size_t i = 1; i < lesson->fills.size(); ++i) {
    const std::size_t next = (index + i) % lesson->fills.size();
    if (!lesson->fills[next].empty()) continue;
    state_->current = next;
    return;
  }
}

// --- answers ---

namespace {

// By then another lesson may have been opened.
bool is_asked(const LiveSession& live, std::size_t page) { return live.lesson != nullptr && live.lesson->asks(page); }

}  // namespace

void LessonRun::answer() {
  const ShownLesson* lesson = view_.lesson();
  if (lesson == nullptr || !lesson->asks()) return;
  walk_.driver().post("judging the answer", [this, page = lesson->page, visit = lesson->visit,
                                             answers = lesson->fills](LiveSession& live) {
    if (!is_asked(live, page)) return;
    walk_.driver().reply([this, visit, judged = live.lesson->judge(page, answers)] { take_judged(visit, judged); });
  });
}

void LessonRun::take_judged(std::uint64_t visit, const learn::Judgement& judged) {
  if (view_.lesson() == nullptr || view_.lesson()->visit != visit || view_.lesson()->done) return;
  ShownLesson* lesson = this->lesson();
  lesson->judged = judged;
  if (judged.unread) return;
  lesson->progress.take(lesson->page, judged.right);
  if (judged.right) end_question();
  keep();
}

void LessonRun::tell() {
  const ShownLesson* lesson = view_.lesson();
  if (lesson == nullptr || !lesson->asks()) return;
  walk_.driver().post("finding the answer", [this, page = lesson->page, visit = lesson->visit](LiveSession& live) {
    if (!is_asked(live, page)) return;
    const std::vector<std::string> answers = live.lesson->solution(page);
    learn::Judgement judged;
    if (!answers.empty()) judged = live.lesson->judge(page, answers);
    walk_.driver().reply([this, visit, answers, judged] { take_solution(visit, answers, judged); });
  });
}

void LessonRun::take_solution(std::uint64_t visit, const std::vector<std::string>& answers,
                              const learn::Judgement& judged) {
  if (!state_ || state_->visit != visit || state_->done) return;
  if (answers.empty()) return walk_.tell("only the lesson's author knows the answer", "Next goes on without it");
  state_->fills = answers;
  state_->judged = judged;
  state_->told = true;
  state_->progress.show(state_->page);
  end_question();
  keep();
}

void LessonRun::hint() {
  if (view_.lesson() == nullptr || view_.lesson()->now().hint.empty()) return;
  state_->hint = true;
}

// Nothing is hidden any more; what was predicted is made, and its move played.
void LessonRun::end_question() {
  ShownLesson* lesson = this->lesson();
  lesson->done = true;
  walk_.take_hidden_findings();
  const learn::Predict* predict = lesson->now().predict();
  if (predict == nullptr) return;
  walk_.show_next(false);
  walk_.point_at({});
  walk_.driver().post("making the step", [this, predicted = *predict, hidden = view_.hidden_step()](LiveSession& live) {
    if (live.session == nullptr) return;
    live.hidden_step = hidden;
    live.session->seek({predicted.step + 1, 0});
    walk_.publish(live, {.step = predicted.step});
    walk_.driver().reply([this] {
      walk_.wish({.what = Wish::What::StageFront});
      walk_.wish({.command = {"playMove"}});
    });
  });
}

// --- hiding ---

bool LessonRun::hold_back(LiveSession& live) {
  if (!live.hidden_step || live.session == nullptr) return false;
  const Moment before{*live.hidden_step, 0};
  if (live.session->moment() <= before) return false;
  live.session->seek(before);
  // Said in the lesson's own pane: a message would stand over its buttons.
  walk_.driver().reply([this] {
    if (state_) state_->held = true;
  });
  return true;
}

}  // namespace ts::ui
