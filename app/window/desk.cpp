// Opening, moving, and taking in what comes back.
#include "app/window/desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/files/script_host.h"
#include "app/window/settings.h"
#include "scripting/run/engine.h"
#include "scripting/gui/gui_live.h"

namespace ts::ui {
namespace {

// Lines of the console that are kept.
constexpr std::size_t kMostLines = 5000;

std::vector<WatchLine> evaluate(Bench& bench) {
  std::vector<WatchLine> lines;
  for (const std::string& expression : bench.session->watches()) {
    scripting::WatchResult result = bench.console->watch(expression);
    lines.push_back({.expression = expression, .value = std::move(result.text), .ok = result.ok});
  }
  return lines;
}

// Conditions belong to the scripts' thread: the window only sees that there is one.
std::vector<StopEntry> without_conditions(std::vector<StopEntry> stops) {
  for (StopEntry& stop : stops)
    if (stop.rule.when) stop.rule.when = [](std::uint32_t) { return StopRule::Answer::Yes; };
  return stops;
}

Standing standing_of(Bench& bench, const Stopped& stopped) {
  return {.moment = bench.session->moment(),
          .stopped = stopped,
          .stops = without_conditions(bench.session->stops()),
          .bookmarks = bench.session->bookmarks(),
          .notes = bench.session->notes(),
          .watches = evaluate(bench),
          .findings = bench.session->shared_findings()};
}

// Where a program stands when it is opened: where its author points, or where it could not go on.
std::uint32_t first_place(const Document& document) {
  const Recording& recording = *document.recording;
  if (document.hint.step) return std::min(*document.hint.step + 1, recording.count());
  return recording.stop_reason() == StopReason::End ? 0 : recording.count();
}

// What ended the run before its end; nothing: it came to its end.
std::optional<Notice> why_it_ended(const Recording& recording) {
  if (recording.stop_reason() == StopReason::End) return {};
  const auto& findings = recording.findings();
  const auto last = std::find_if(findings.rbegin(), findings.rend(),
                                 [](const Finding& finding) { return finding.diagnostic.severity == Severity::Error; });
  if (last == findings.rend())
    return Notice{fmt::format("the run ended after {} steps: {}", recording.count(), name(recording.stop_reason())), "",
                  true};
  const Diagnostic& said = last->diagnostic;
  return Notice{fmt::format("line {}: [{}] {}", said.pos.line, said.rule, said.text), said.hint, true};
}

void mark_changed(const std::vector<WatchLine>& before, std::vector<WatchLine>& lines) {
  for (WatchLine& line : lines)
    for (const WatchLine& old : before)
      if (old.expression == line.expression) line.changed = old.value != line.value;
}

}  // namespace

Desk::Desk(std::function<void()> wake, std::string state_folder)
    : driver_(wake), view_(driver_), state_folder_(std::move(state_folder)), checker_(wake), comparer_(wake) {
  view_.journal_ = &journal_.lines();
}

bool Desk::begin_frame() {
  const bool news = take_in();
  view_.begin_frame();
  view_.busy_ = driver_.busy();
  if (!view_.busy_) view_.busy_ = busy_beside();
  view_.checking_.done = checker_.done();
  note_selected();
  note_look();
  return news;
}

bool Desk::take_in() {
  const bool told = driver_.deliver(), checked = checker_.deliver(), compared = comparer_.deliver();
  return told || checked || compared;
}

void Desk::wait() {
  while (busy() || works_beside() || has_news()) {
    // Somebody has to draw it first.
    if (picture_wish_) return;
    driver_.settle(std::chrono::milliseconds(100));
    checker_.settle(std::chrono::milliseconds(100));
    comparer_.settle(std::chrono::milliseconds(100));
    take_in();
  }
}

void Desk::cancel() {
  driver_.cancel();
  if (checker_.busy()) view_.checking_.state = Checking::State::Ended;
  checker_.cancel();
  if (comparer_.busy()) tell("comparing was ended", "the Compare menu begins again");
  view_.comparing_with_.clear();
  comparer_.cancel();
}

void Desk::tell(std::string text, std::string hint, bool is_error) {
  notices_.push_back({std::move(text), std::move(hint), is_error});
}

void Desk::say(ConsoleLine line) {
  while (line.text.ends_with('\n')) line.text.pop_back();
  view_.console_.push_back(std::move(line));
  ++view_.console_said_;
  if (view_.console_.size() > kMostLines) view_.console_.erase(view_.console_.begin());
}

// --- opening ---

void Desk::open(Launch launch) {
  launch_ = launch;
  driver_.cancel();
  driver_.post(fmt::format("opening {}", launch.name),
               [this, launch](Bench& bench) { open_job(bench, launch, nullptr); });
}

void Desk::reload() {
  if (view_.document() == nullptr) return;
  // What a script made, it makes again.
  if (!script_path_.empty()) return run_script(script_path_);
  const auto kept = std::make_shared<const KeptWork>(work_of(view_.standing_));
  driver_.cancel();
  driver_.post(fmt::format("opening {} again", launch_.name),
               [this, launch = launch_, kept](Bench& bench) { open_job(bench, launch, kept); });
}

void Desk::close() {
  driver_.cancel();
  driver_.post("closing", [this](Bench& bench) {
    bench = {};
    driver_.reply([this] { show(nullptr, nullptr, {}, false); });
  });
}

void Desk::start_script(Bench& bench) {
  scripting::ScriptHost host = script_host({});
  const auto say_from_there = [this](ConsoleLine::Kind kind) {
    return [this, kind](std::string_view text) {
      driver_.reply([this, line = ConsoleLine{kind, std::string(text)}] { say(line); });
    };
  };
  host.print = say_from_there(ConsoleLine::Kind::Printed);
  host.complain = say_from_there(ConsoleLine::Kind::Error);
  host.current = bench.session;
  host.gui = make_gui(bench);
  host.new_file = [scripts = scripts_, allow = host.new_file](const std::string& path,
                                                              std::initializer_list<std::string_view> endings) {
    scripts->wrote_file = true;
    return allow(path, endings);
  };
  bench.script = std::make_unique<scripting::Script>(std::move(host));
  bench.script->run("rec = pto.current()", "start");
  bench.console = std::make_unique<scripting::Console>(*bench.script);
}

void Desk::open_job(Bench& bench, const Launch& launch, const std::shared_ptr<const KeptWork>& kept) {
  std::shared_ptr<scripting::LessonFile> lesson;
  auto opened = open_document(
      launch,
      [this](std::uint64_t steps) {
        driver_.progress(steps);
        return driver_.go_on();
      },
      &lesson);
  if (auto* refused = std::get_if<Refusal>(&opened)) {
    driver_.reply([this, refused = *refused] { tell(refused.text, refused.hint, true); });
    return;
  }
  auto document = std::get<std::shared_ptr<const Document>>(std::move(opened));
  if (document->recording == nullptr && !has_error(document->diagnostics))
    driver_.reply(
        [this] { tell("opening was ended before the first step", "File > Reload opens the program again", true); });
  bench = {};
  bench.lesson = std::move(lesson);
  std::shared_ptr<Session> questions;
  Standing standing;
  if (document->recording != nullptr) {
    std::vector<std::string> lost;
    // Work that goes on is newer than what the file was saved with.
    RecordingFile from = document->file.value_or(RecordingFile{document->recording, document->recording->findings()});
    const bool brings_work = !kept && !from.notes.empty();
    if (!brings_work) from.notes.clear();
    bench.session = document->file ? session_of(from, lost) : std::make_shared<Session>(document->recording);
    bench.session->go_on = [this] { return driver_.go_on(); };
    start_script(bench);
    const std::string path = work_path(state_folder_, *document);
    if (kept)
      put_into(*bench.session, *kept, lost);
    else if (!brings_work && !path.empty())
      put_into(*bench.session, load_work(read_settings(path)), lost);
    if (kept)
      bench.session->seek({std::min(kept->moment.position, bench.session->count()), 0});
    else
      bench.session->seek({first_place(*document), 0});
    standing = standing_of(bench, {.step = bench.session->moment().position});
    questions = std::make_shared<Session>(document->recording);
    questions->set_findings(bench.session->shared_findings());
    // Made here, because it takes as long as the recording is.
    questions->index();
    for (const std::string& text : lost) driver_.reply([this, text] { tell(text); });
  }
  driver_.reply([this, document, questions, standing, again = kept != nullptr]() mutable {
    show(document, questions, std::move(standing), again);
  });
}

// What was set in the program, as its file has it.
nlohmann::json Desk::everything_set() const {
  nlohmann::json work = save_work(work_of(view_.standing_));
  if (nlohmann::json tiles = view_.tile_displays().save(); !tiles.empty()) work["tiles"] = std::move(tiles);
  return work;
}

void Desk::keep_work() {
  // What a script sets in its recording is not the user's work.
  if (view_.recording() == nullptr || !script_path_.empty()) return;
  const std::string path = work_path(state_folder_, *view_.document());
  nlohmann::json work = everything_set();
  if (path.empty() || work == kept_) return;
  // Tried once: a folder that cannot be written to is no reason to try in every frame.
  kept_ = std::move(work);
  if (!write_settings(path, kept_))
    tell("breakpoints and watches could not be kept", path + " cannot be written", true);
}

void Desk::show(std::shared_ptr<const Document> document, std::shared_ptr<Session> questions, Standing standing,
                bool again, const std::string& script) {
  keep_work();
  script_path_ = script;
  forget_script_items();
  const std::optional<Element> selected = view_.selected_;
  const std::string name = selected ? view_.name_of(selected->owner) : "";
  ++view_.notes_number_;
  driver_.begin_opening();
  driver_.set_shown(document != nullptr ? document->recording : nullptr);
  view_.show(std::move(document), std::move(questions));
  take_standing(std::move(standing));
  comparer_.cancel();
  view_.comparing_with_.clear();
  begin_checking();
  show_lesson(view_.document_, again);
  if (view_.recording() == nullptr) return begin_journal();
  if (const auto why = why_it_ended(*view_.recording())) notices_.push_back(*why);
  // A changed text has another file, which does not have the work yet. No file is made before something is set.
  // The tiles of a changed text go by the same names.
  if (!again) {
    const std::string path = work_path(state_folder_, *view_.document());
    view_.tile_displays().load(path.empty() ? nlohmann::json() : read_settings(path).value("tiles", nlohmann::json()));
  }
  kept_ = again ? save_work({}) : everything_set();
  if (view_.lesson() != nullptr) return begin_journal();
  if (again && selected)
    select(find_element(name, selected->row, selected->col));
  else if (const auto& cell = view_.document()->hint.cell)
    select(find_element(cell->tile, cell->row, cell->col));
  begin_journal();
}

// --- moving ---

void Desk::move(std::string what, std::function<Stopped(Session&)> go, std::string lua) {
  driver_.post(std::move(what), [this, go = std::move(go), lua = std::move(lua)](Bench& bench) {
    if (bench.session == nullptr) return;
    const Stopped stopped = go(*bench.session);
    publish(bench, stopped, lua);
  });
}

void Desk::change(std::string what, std::function<std::optional<Refusal>(Session&)> edit) {
  driver_.post(std::move(what), [this, edit = std::move(edit)](Bench& bench) {
    if (bench.session == nullptr) return;
    if (const auto refused = edit(*bench.session))
      driver_.reply([this, refused = *refused] { tell(refused.text, refused.hint, true); });
    publish(bench, {.step = bench.session->moment().position});
  });
}

void Desk::publish(Bench& bench, const Stopped& stopped, const std::string& lua, bool whole) {
  if (hold_back(bench)) return publish(bench, {.step = bench.session->moment().position}, lua, whole);
  if (bench.script != nullptr) bench.script->engine().slot<scripting::GuiLive>().refresh();
  driver_.reply([this, lua, whole, standing = standing_of(bench, stopped)]() mutable {
    arrive(std::move(standing), lua, whole);
  });
}

void Desk::arrive(Standing standing, const std::string& lua, bool whole) {
  if (view_.recording() == nullptr) return;
  note_selected();
  journal_.arrive(standing, lua, whole);
  if (standing.moment != view_.standing_.moment) {
    mark_changed(view_.standing_.watches, standing.watches);
    view_.finding_.reset();
    view_.difference_.reset();
  }
  if (standing.notes != view_.standing_.notes) ++view_.notes_number_;
  take_standing(std::move(standing));
  const Stopped& stopped = view_.standing_.stopped;
  if (stopped.finding) {
    view_.finding_ = stopped.finding;
    if (const auto element = view_.element_of(view_.findings()[*stopped.finding])) select(element);
  }
  if (!stopped.cell) return;
  // A stop about a value points at it.
  if (const auto element = view_.element_at(stopped.cell->place, view_.moment().position)) select(element);
}

void Desk::take_standing(Standing standing) {
  auto findings = std::move(standing.findings);
  standing.findings = view_.standing_.findings;
  view_.standing_ = std::move(standing);
  view_.take_findings(std::move(findings));
}

// --- pointing ---

void Desk::select(std::optional<Element> element) {
  view_.selected_ = element;
  view_.trail_.clear();
  if (element) lesson_selected(*element);
}

std::optional<Element> Desk::find_element(const std::string& name, std::uint32_t row, std::uint32_t col) {
  if (view_.recording() == nullptr) return {};
  Session& session = view_.questions();
  const std::uint32_t position = view_.moment().position;
  if (const auto tile = session.find_tile(name, position)) {
    const TileRef where = session.tile_at(*tile, position);
    if (row < where.rows() && col < where.cols()) return Element{{Owner::Kind::Tile, *tile}, row, col};
  }
  if (const auto buffer = session.find_buffer(name)) {
    const BufferShape shape = shape_of(view_.recording()->program().buffers[*buffer]);
    if (row < shape.rows && col < shape.cols) return Element{{Owner::Kind::Buffer, *buffer}, row, col};
  }
  return {};
}

}  // namespace ts::ui
