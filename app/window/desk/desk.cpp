// Opening, and taking in what comes back.
#include "app/window/desk/desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/files/files.h"
#include "app/settings/settings.h"
#include "app/settings/trusted_folders.h"
#include "app/window/commands/window_commands.h"
#include "app/window/desk/conditions.h"
#include "app/window/desk/kept_work.h"
#include "app/window/desk/last_program.h"
#include "core/data/fields.h"
#include "core/debug/session/line_text.h"

namespace ts::ui {
namespace {

// Jobs are worth a word on the screen when they have been running for so long.
constexpr double kWorthALine = 0.3;

// Where a program stands when it is opened: where its author points, or where it could not go on.
std::uint32_t first_place(const Document& document) {
  const Recording& recording = *document.recording;
  if (document.hint.step) return std::min(*document.hint.step + 1, recording.count());
  return recording.stop_reason() == StopReason::End ? 0 : recording.count();
}

// Of a run that was cut off and is here again.
Notice what_is_here_again(const Document& document) {
  const bool changed = *document.cut_off, is_kernel = document.recording->program().listed;
  const std::string now = !changed    ? ""
                          : is_kernel ? "; its file has changed since, and what it holds now is what ran"
                                      : "; its file has changed since, and what is shown is its text then";
  return {fmt::format("{}: these are the {} steps that were recorded when TileScope ended{}", document.name,
                      document.recording->count(), now),
          "File > Reload runs the file to its end", changed && is_kernel};
}

// What ended the run before its end; nothing: it came to its end.
std::optional<Notice> why_it_ended(const Document& document) {
  const Recording& recording = *document.recording;
  if (recording.stop_reason() == StopReason::End) return {};
  if (document.cut_off && recording.stop_reason() == StopReason::Interrupted) return what_is_here_again(document);
  const auto& findings = recording.findings();
  const auto last = std::find_if(findings.rbegin(), findings.rend(),
                                 [](const Finding& finding) { return finding.diagnostic.severity == Severity::Error; });
  if (last == findings.rend())
    return Notice{fmt::format("the run ended after {} steps: {}", recording.count(), name(recording.stop_reason())), "",
                  true};
  const Diagnostic& said = last->diagnostic;
  const Program& program = recording.program();
  const std::string place = line_text(SourceMap(program), program, said.pos);
  return Notice{fmt::format("{}: [{}] {}", place, said.rule, said.text), said.hint, true};
}

constexpr const char *kEndedEarly = "opening was ended before the first step",
                     *kOpenAgain = "File > Reload opens the program again";

// The first error of a text that does not run.
Broken what_broke(const Document& document) {
  const auto first = std::ranges::find(document.diagnostics, Severity::Error, &Diagnostic::severity);
  if (first == document.diagnostics.end())
    return {.file = document.name, .path = document.path, .text = kEndedEarly, .hint = kOpenAgain};
  const auto errors = std::ranges::count(document.diagnostics, Severity::Error, &Diagnostic::severity);
  Broken broken{.file = document.name,
                .path = document.path,
                .line = first->pos.line,
                .text = fmt::format("[{}] {}", first->rule, first->text),
                .hint = first->hint,
                .errors = static_cast<std::size_t>(errors)};
  if (broken.line >= 1 && broken.line <= document.tree->source->lines())
    broken.source = clean_note_text(document.tree->source->line(broken.line));
  return broken;
}

// "2 marks moved with their operations, 1 is doubtful, 1 is gone"; empty: all are where they were.
std::string what_followed(const std::vector<FollowedMark>& marks) {
  const auto count = [&](FollowedMark::Fate fate) { return std::ranges::count(marks, fate, &FollowedMark::fate); };
  const auto moved = count(FollowedMark::Fate::Moved), doubtful = count(FollowedMark::Fate::Doubtful),
             gone = count(FollowedMark::Fate::Gone);
  // What only moved, as it should, is said in the lists alone.
  if (doubtful == 0 && gone == 0) return "";
  std::string text = "of breakpoints, bookmarks and notes";
  const auto add = [&](std::ptrdiff_t number, const char* what) {
    if (number != 0) text += fmt::format("{} {} {}", text.back() == 's' ? "" : ",", number, what);
  };
  add(moved, "moved"), add(doubtful, "doubtful"), add(gone, "gone with the operation");
  return text;
}

}  // namespace

Desk::Desk(std::function<void()> wake, std::string state_folder)
    : driver_(wake),
      view_(driver_, state_, journal_.lines()),
      walk_(driver_, view_, state_.walk, state_.opened),
      work_(walk_, state_folder),
      journal_keeper_(walk_, launch_, journal_),
      scripts_(walk_, journal_keeper_, state_.console, state_.scripts),
      lesson_(walk_, state_.lesson, state_.lesson_scores, state_folder),
      checks_(walk_, state_.checking, wake),
      other_side_(walk_, state_.comparison, launch_, wake),
      settings_(walk_, launch_, wake),
      cut_off_(unfinished_run(state_folder)) {
  walk_.holds_back = [this](LiveSession& live) { return lesson_.hold_back(live); };
  walk_.before_arrival = [this](const Standing& standing, const std::string& lua, bool whole) {
    journal_keeper_.arrive(standing, lua, whole);
  };
  walk_.on_select = [this](const Element& element) { lesson_.selected(element); };
  walk_.on_move = [this] { other_side_.leave_difference(); };
  scripts_.on_adopt = [this](Adopted adopted) { adopt(std::move(adopted)); };
}

// Jobs ask the parts, so the thread ends before them.
Desk::~Desk() { driver_.end(); }

// --- frames ---

bool Desk::begin_frame() {
  const bool news = take_in();
  view_.begin_frame();
  state_.busy = driver_.busy();
  if (!state_.busy) state_.busy = busy_beside();
  checks_.begin_frame();
  journal_keeper_.begin_frame();
  return news;
}

bool Desk::take_in() {
  const bool told = driver_.deliver(), checked = checks_.beside().deliver(), compared = other_side_.beside().deliver(),
             looked = settings_.beside().deliver();
  return told || checked || compared || looked;
}

bool Desk::has_news() const {
  return driver_.has_replies() || checks_.beside().has_reply() || other_side_.beside().has_reply() ||
         settings_.beside().has_reply();
}

void Desk::wait(const std::function<bool()>& stopped) {
  while ((busy() || works_beside() || has_news()) && !(stopped && stopped())) {
    // Somebody has to draw it first.
    if (scripts_.picture_wish()) return;
    driver_.settle(std::chrono::milliseconds(100));
    checks_.beside().settle(std::chrono::milliseconds(100));
    other_side_.beside().settle(std::chrono::milliseconds(100));
    settings_.beside().settle(std::chrono::milliseconds(100));
    take_in();
  }
}

std::optional<Busy> Desk::busy_beside() const {
  const std::uint64_t steps = view_.recording() != nullptr ? view_.recording()->count() : 0;
  const Beside &comparing = other_side_.beside(), &checking = checks_.beside();
  if (comparing.busy() && comparing.seconds() > kWorthALine)
    return Busy{"comparing with " + view_.comparing_with(), comparing.done(), steps, comparing.seconds()};
  if (checking.busy() && checking.seconds() > kWorthALine)
    return Busy{"looking for findings", checking.done(), steps, checking.seconds()};
  return {};
}

void Desk::cancel() {
  driver_.cancel();
  checks_.cancel();
  other_side_.cancel();
}

void Desk::keep_work() {
  // What a script sets in its recording is not the user's work.
  if (script_path_.empty()) work_.keep();
}

// --- opening ---

void Desk::open(Launch launch) {
  launch.may_compile = launch.may_compile || is_trusted(launch.name) || is_brought_kernel(launch.name);
  launch_ = launch;
  launch_.cut_off.reset();
  driver_.cancel();
  driver_.post(fmt::format("opening {}", launch.name),
               [this, launch](LiveSession& live) { open_job(live, launch, nullptr); });
}

void Desk::open_kept(const nlohmann::json& kept, std::optional<CutOffRun> cut_off) {
  std::vector<std::string> problems;
  auto launch = load_program(data::Fields(kept), problems);
  if (const auto* refused = std::get_if<Refusal>(&launch)) return tell(refused->text, refused->hint);
  for (const std::string& problem : problems) tell(problem, "made-up data is taken for it", true);
  auto& ready = std::get<Launch>(launch);
  ready.cut_off = std::move(cut_off);
  open(std::move(ready));
}

void Desk::open_cut_off() {
  if (!cut_off_) return tell("no run was cut off", "one is when TileScope ends while it records");
  open_kept(cut_off_->run.program, CutOffRun{cut_off_->run.text, cut_off_->steps});
  // When it is open: what ends the program again leaves it to be found once more.
  driver_.post("opening", [this](LiveSession&) {
    driver_.reply([this] {
      if (cut_off_) forget_run(*cut_off_);
      cut_off_.reset();
    });
  });
}

void Desk::reload(bool changed) {
  if (view_.document() == nullptr) return;
  // What a script made, it makes again.
  if (!script_path_.empty()) return scripts_.run_file(script_path_);
  const auto left = std::make_shared<const Left>(Left{state_.opened.document, work_of(view_.standing()), changed});
  driver_.cancel();
  driver_.post(fmt::format("opening {} again", launch_.name),
               [this, launch = launch_, left](LiveSession& live) { open_job(live, launch, left); });
}

void Desk::run_draft() {
  const Document* document = view_.document();
  if (document == nullptr || !settings_.can_run())
    return tell("there is no program that could be run in another way", "open a program first");
  const cases::Setup& draft = settings_.draft();
  // Of another entry point nothing of this one is of any use.
  const std::string& entry =
      draft.entry.empty() && !document->entries.empty() ? document->entries.front() : draft.entry;
  std::shared_ptr<const Left> left;
  if (entry == document->entry)
    left = std::make_shared<const Left>(Left{state_.opened.document, work_of(view_.standing()), false, true});
  driver_.cancel();
  driver_.post(fmt::format("running {}", document->name), [this, base = launch_, draft, left](LiveSession& live) {
    auto launch = launch_with(base, draft, [this] { return driver_.go_on(); });
    if (const auto* refused = std::get_if<Refusal>(&launch))
      return driver_.reply([this, refused = *refused] { tell(refused.text, refused.hint, true); });
    auto& ready = std::get<Launch>(launch);
    if (left == nullptr) ready.at.reset();
    driver_.reply([this, ready] { launch_ = ready; });
    open_job(live, ready, left);
  });
}

void Desk::close() {
  driver_.cancel();
  driver_.post("closing", [this](LiveSession& live) {
    live = {};
    driver_.reply([this] { show(nullptr, nullptr, {}, false); });
  });
}

// From then on the case is its program with all that it was given.
void Desk::take_case(const Launch& launch, const std::vector<std::string>& notes) {
  launch_ = launch;
  for (const std::string& note : notes) tell(note);
}

// The last run goes on being shown, and a bar above it says what is wrong with the file.
void Desk::stay(const Broken& broken) {
  driver_.reply([this, broken] { state_.opened.broken = broken; });
}

namespace {

// A run that is over leaves no mark, however it ended.
struct RunIsOver {
  std::optional<RunMark>& mark;
  ~RunIsOver() { mark.reset(); }
};

}  // namespace

void Desk::open_job(LiveSession& live, const Launch& given, const std::shared_ptr<const Left>& left) {
  std::shared_ptr<scripting::LessonFile> lesson;
  const auto mark = std::make_shared<std::optional<RunMark>>();
  const RunIsOver run_is_over{*mark};
  const std::uint64_t as_far = given.cut_off ? std::max<std::uint64_t>(1, given.cut_off->steps) : ~0ull;
  // A lesson asks it also later, when its functions judge: nothing of this job may be in it.
  const auto go_on = [this, mark, as_far](std::uint64_t steps) {
    driver_.progress(steps);
    if (*mark) (*mark)->pass(steps);
    return driver_.go_on() && steps < as_far;
  };
  const bool ran = left != nullptr && left->document->recording != nullptr;
  const auto refuse = [&](const Refusal& refused) {
    if (ran) stay({.file = left->document->name, .text = refused.text, .hint = refused.hint});
    driver_.reply([this, refused] { tell(refused.text, refused.hint, true); });
  };
  auto asked = with_case(given, go_on);
  if (const auto* refused = std::get_if<Refusal>(&asked)) return refuse(*refused);
  const auto& [launch, notes] = std::get<CaseLaunch>(asked);
  if (!is_lesson_name(launch.name) && !is_recording_file(launch.name))
    mark->emplace(work_.folder(), [&launch = launch] {
      return MarkedRun{save_settings(launch), source_text(launch).text};
    });
  auto opened = open_document(launch, go_on, &lesson);
  if (const auto* refused = std::get_if<Refusal>(&opened)) return refuse(*refused);
  if (launch.name != given.name) driver_.reply([this, launch = launch, notes = notes] { take_case(launch, notes); });
  auto document = std::get<std::shared_ptr<const Document>>(std::move(opened));
  if (document->recording == nullptr && ran) return stay(what_broke(*document));
  if (document->recording == nullptr && !document->asks_to_run && !has_error(document->diagnostics))
    driver_.reply([this] { tell(kEndedEarly, kOpenAgain, true); });
  live = {};
  live.lesson = std::move(lesson);
  const std::optional<Standing> standing = start_session(live, *document, left);
  std::shared_ptr<Session> questions;
  if (standing) {
    questions = std::make_shared<Session>(document->recording);
    questions->set_findings(live.session->shared_findings());
    // Made here, because they take as long as the recording and its program are.
    questions->index();
    questions->sources();
  }
  driver_.reply([this, document, questions, standing, left] {
    if (left != nullptr && left->changed) tell(document->name + " changed and was run again");
    const std::string fork = left != nullptr ? view_.fork() : "";
    show(document, questions, standing.value_or(Standing{}), left != nullptr);
    // The fork that was shown comes again; where its change has no place any more, the run itself stays.
    const auto& forks = view_.standing().forks;
    if (!fork.empty() && std::ranges::find(forks, fork, &KeptFork::name) != forks.end()) show_fork(fork);
    if (left == nullptr && !launch_.edits.empty() && document->recording != nullptr) edit(launch_.edits);
  });
}

// What was set in a program that is being opened: in the text before, in the text that its file held when it was open last,
// or in this one.
KeptWork Desk::kept_work(const Document& document, const std::shared_ptr<const Left>& left, bool brings_work) const {
  if (left != nullptr && left->document->recording != nullptr) {
    const Document& before = *left->document;
    if (before.tree == nullptr) return left->work;
    if (!left->other_run && before.tree->source->text() == document.tree->source->text()) return left->work;
    return follow({left->work, shape_of(*before.tree), sites_of(left->work, *before.recording)}, *document.recording);
  }
  if (brings_work) return {};
  if (const auto in_file = left_in_file(work_.folder(), document)) return follow(*in_file, *document.recording);
  const std::string path = work_path(work_.folder(), document);
  return path.empty() ? KeptWork{} : load_work(read_settings(path));
}

std::optional<Standing> Desk::start_session(LiveSession& live, const Document& document,
                                            const std::shared_ptr<const Left>& left) {
  if (document.recording == nullptr) return {};
  std::vector<std::string> lost;
  // Work that goes on is newer than what the file was saved with.
  const bool goes_on = left != nullptr && left->document->recording != nullptr;
  RecordingFile from = document.file.value_or(RecordingFile{document.recording, document.recording->findings()});
  const bool brings_work = !goes_on && !from.notes.empty();
  if (!brings_work) from.notes.clear();
  live.session = document.file ? session_of(from, lost) : std::make_shared<Session>(document.recording);
  live.session->go_on = [this] { return driver_.go_on(); };
  scripts_.start(live);
  const KeptWork kept = kept_work(document, left, brings_work);
  if (!brings_work) put_into(*live.session, kept, lost);
  bind_conditions(live, walk_);
  const std::uint32_t place = goes_on ? std::min(kept.moment.position, live.session->count()) : first_place(document);
  live.session->seek({place, 0});
  if (const std::string told = what_followed(live.session->followed_marks()); !told.empty())
    driver_.reply([this, told] { tell(told, "the lists of breakpoints and notes show which"); });
  for (const std::string& text : lost) driver_.reply([this, text] { tell(text); });
  return standing_of(live, {.step = live.session->moment().position});
}

void Desk::adopt(Adopted adopted) {
  if (!adopted.script.empty()) {
    launch_ = adopted.launch;
  } else if (const Document* before = view_.document()) {
    // The same program once more, as the journal does it.
    adopted.document->name = before->name;
    adopted.document->path = before->path;
    adopted.document->entries = before->entries;
    adopted.document->file = before->file;
  }
  show(adopted.document, adopted.questions, std::move(adopted.standing), false, adopted.script);
}

void Desk::show(std::shared_ptr<const Document> document, std::shared_ptr<Session> questions, Standing standing,
                bool again, const std::string& script) {
  keep_work();
  script_path_ = script;
  scripts_.forget_items();
  const std::optional<Element> selected = view_.selected();
  const std::string name = selected ? view_.name_of(selected->owner) : "";
  driver_.begin_opening();
  driver_.set_shown(document != nullptr ? document->recording : nullptr);
  view_.forget();
  state_.opened = {std::move(document), std::move(questions)};
  other_side_.begin();
  walk_.begin(std::move(standing));
  checks_.begin();
  lesson_.show(view_.document(), again);
  if (view_.recording() != nullptr) {
    // A lesson whose learner is to find out does not want it said.
    const bool asked = view_.lesson() != nullptr && view_.lesson()->hides_findings();
    if (const auto why = why_it_ended(*view_.document()); why && !asked) walk_.tell(*why);
    work_.begin(again, launch_.source_folders);
    if (view_.lesson() == nullptr) point_where_it_pointed(again, name, selected);
  }
  journal_keeper_.begin();
  const Document* shown = view_.document();
  if (shown != nullptr && shown->base != nullptr) shown = shown->base.get();
  settings_.begin(shown != nullptr && shown->tree != nullptr && !shown->entries.empty() && shown->lesson == nullptr &&
                      !shown->file && script.empty(),
                  again);
}

void Desk::point_where_it_pointed(bool again, const std::string& name, const std::optional<Element>& selected) {
  if (again && selected) select(find_element(name, selected->row, selected->col));
  else if (const auto& cell = view_.document()->hint.cell) select(find_element(cell->tile, cell->row, cell->col));
}

// --- commands ---

bool Desk::carry_out(const Command& command) {
  const CommandRow* row = find_any_command(command.name);
  if (row == nullptr) return false;
  if (const DeskAct act = desk_act_of(*row)) act(*this, command);
  else if (row->run != nullptr) walk_.run(*row, command);
  else return false;
  return true;
}

}  // namespace ts::ui
