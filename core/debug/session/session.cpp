// Standing in a recording, and moving through it.
#include "core/debug/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ts {
namespace {

constexpr std::size_t kMostVisited = 1000;

Stopped interrupted_at(std::uint32_t step) { return {.reason = Stopped::Reason::Interrupted, .step = step}; }

}  // namespace

Session::Session(std::shared_ptr<const Recording> recording) : Questions(std::move(recording)), visited_{Moment{}} {}

const Memory& Session::memory() {
  if (moment_.micro == 0) return inspector_.at(moment_.position);
  return inspector_.in_step(moment_.position, trace(moment_.position), moment_.micro);
}

// --- moving --------------------------------------------------------------------------------------------------------

void Session::arrive(Moment moment) {
  moment_ = moment;
  before_due_ = false;
  shown_finding_.reset();
}

Stopped Session::land(Moment moment, Stopped stop) {
  arrive(moment);
  return stop;
}

// The end of a call that moved the session: the place can be come back to, and who listens is told. Where a condition
// looks around is nobody's business.
Stopped Session::told(Stopped stop) {
  if (running_) return stop;
  if (visited_[visit_] != moment_) {
    visited_.resize(visit_ + 1);
    visited_.push_back(moment_);
    if (visited_.size() > kMostVisited) visited_.erase(visited_.begin());
    visit_ = visited_.size() - 1;
  }
  if (on_stop) on_stop(stop);
  return stop;
}

// Where it stands is why it stopped, if it is one of the ends.
Stopped Session::at_end(Direction direction) const {
  if (direction == Direction::Backward) return {.reason = Stopped::Reason::Start};
  const bool whole = recording_->stop_reason() == StopReason::End;
  return {.reason = whole ? Stopped::Reason::End : Stopped::Reason::Error, .step = count()};
}

void Session::seek(Moment moment) {
  if (moment.position >= count()) moment = {count(), 0};
  if (moment.micro > 0) moment.micro = std::min(moment.micro, micro_count(moment.position));
  if (moment.micro > 0 && moment.micro == micro_count(moment.position)) moment = {moment.position + 1, 0};
  arrive(moment);
  told({.reason = Stopped::Reason::Done, .step = moment.position});
}

// What is a micro-operation already is not stepped into.
std::uint32_t Session::micro_count(std::uint32_t step) {
  if (step < count() && recording_->bound(step).row->micro) return 0;
  return static_cast<std::uint32_t>(trace(step).steps.size());
}

Stopped Session::steps(std::uint32_t count, Direction direction) {
  if (by_source_ && count > 0) return source_steps(count, direction);
  if (followed_ && count > 0 && moment_.micro == 0) return core_steps(count, direction);
  const auto [position, micro] = moment_;
  if (direction == Direction::Forward) {
    if (count > 0 && position == this->count()) return told(at_end(direction));
    arrive({position + std::min(count, this->count() - position), count == 0 ? micro : 0});
  } else {
    if (count > 0 && moment_ == Moment{}) return told(at_end(direction));
    // The start of the step that one stands in is one step back.
    const std::uint32_t whole = count > 0 && micro > 0 ? count - 1 : count;
    arrive({position - std::min(whole, position), count == 0 ? micro : 0});
  }
  return told({.reason = Stopped::Reason::Done, .step = moment_.position});
}

// A region of vector instructions is a place: at its begin one goes over all of it, and at that of a turn of a loop in it
// over the turn.
Stopped Session::over(Direction direction) {
  if (!by_source_ && !followed_ && moment_.micro == 0)
    if (const auto to = behind_region(direction)) return go_to(*to, direction, {});
  return steps(1, direction);
}

// Where the region, or a turn in one, ends that begins here; backwards: where it begins that ends here.
std::optional<std::uint32_t> Session::behind_region(Direction direction) const {
  const bool forward = direction == Direction::Forward;
  const std::uint32_t position = moment_.position;
  if (position == (forward ? count() : 0)) return {};
  const std::uint32_t step = forward ? position : position - 1;
  const auto turns = recording_->loops(step);
  for (auto turn = std::ranges::find_if(turns, &LoopTurn::is_region); turn != turns.end(); ++turn) {
    const auto level = static_cast<std::size_t>(turn - turns.begin());
    const auto inside = [&](std::uint32_t other) {
      const auto of = recording_->loops(other);
      return of.size() > level && of[level] == *turn;
    };
    const bool ends_here = forward ? position == 0 || !inside(position - 1) : position == count() || !inside(position);
    if (!ends_here) continue;
    // Its steps stand side by side: the end is halved in on.
    std::uint32_t low = forward ? position : 0, high = forward ? count() : position;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (inside(middle) == forward) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  return {};
}

Stopped Session::advance() {
  const std::uint32_t position = moment_.position;
  if (position == count()) return told(at_end(Direction::Forward));
  const Stopped stop = go_to(position + 1, Direction::Forward, {});
  // Nobody chose this place: what stands before its step is told of when it is gone on from.
  if (stop.reason == Stopped::Reason::Done) before_due_ = true;
  return stop;
}

std::optional<Refusal> Session::step_by_source(bool by_source) {
  if (by_source && sources().empty()) return no_sources();
  by_source_ = by_source;
  return {};
}

Stopped Session::source_steps(std::uint32_t count, Direction direction) {
  Stopped stop;
  for (bool arrived = true; arrived && count > 0; --count) {
    stop = std::get<Stopped>(source_step(direction));
    arrived = stop.reason == Stopped::Reason::Done;
  }
  return stop;
}

std::optional<Refusal> Session::follow(std::optional<CoreId> core) {
  const std::uint32_t all = cores().cores();
  if (core && all < 2) return Refusal{"this program runs on one core", "there is nothing to follow"};
  if (core && *core >= all)
    return Refusal{fmt::format("there is no core {}", *core), fmt::format("cores are 0 to {}", all - 1)};
  followed_ = core;
  return {};
}

// Behind the next steps of the core that is followed, or before its last ones.
Stopped Session::core_steps(std::uint32_t count, Direction direction) {
  const std::vector<std::uint32_t>& steps = cores().steps_of(*followed_);
  const auto here = static_cast<std::uint32_t>(std::ranges::lower_bound(steps, moment_.position) - steps.begin());
  if (direction == Direction::Forward) {
    const std::size_t left = steps.size() - here;
    if (left == 0) return land({this->count(), 0}, at_end(direction));
    arrive({steps[here + std::min<std::size_t>(count, left) - 1] + 1, 0});
  } else {
    if (here == 0) return land({0, 0}, at_end(direction));
    arrive({steps[here - std::min(count, here)], 0});
  }
  return told({.reason = Stopped::Reason::Done, .step = moment_.position});
}

std::variant<Stopped, Refusal> Session::until_waits() {
  if (cores().cores() < 2) return Refusal{"this program runs on one core", "nobody waits in it"};
  if (moment_.position == count()) return told(at_end(Direction::Forward));
  const CoreId core = followed_.value_or(static_cast<CoreId>(core_of(*recording_, moment_.position)));
  const std::vector<std::uint32_t>& steps = cores().steps_of(core);
  std::uint32_t position = moment_.position;
  for (auto next = std::ranges::lower_bound(steps, position); next != steps.end(); ++next) {
    position = *next + 1;
    if (!cores().at(core, position).waits_for.empty()) return go_to(position, Direction::Forward, {});
  }
  return go_to(position == moment_.position ? count() : position, Direction::Forward, {});
}

std::variant<Stopped, Refusal> Session::source_step(Direction direction) {
  if (sources().empty()) return no_sources();
  const SourceVisits* visits = source_visits();
  if (visits == nullptr) return told({.reason = Stopped::Reason::Interrupted, .step = moment_.position});
  const auto [position, micro] = moment_;
  if (direction == Direction::Forward) {
    if (position == count()) return told(at_end(direction));
    return go_to(visits->end_of(position), direction, {});
  }
  if (moment_ == Moment{}) return told(at_end(direction));
  const bool at_begin = micro == 0 && (position == count() || visits->begins(position));
  return go_to(visits->begin_of(at_begin ? position - 1 : position), direction, {});
}

Stopped Session::into(Direction direction) {
  const auto [position, micro] = moment_;
  if (direction == Direction::Forward) {
    if (position == count()) return told(at_end(direction));
    arrive(micro + 1 < micro_count(position) ? Moment{position, micro + 1} : Moment{position + 1, 0});
  } else if (micro > 0) {
    arrive({position, micro - 1});
  } else {
    if (position == 0) return told(at_end(direction));
    const std::uint32_t micros = micro_count(position - 1);
    arrive({position - 1, micros == 0 ? 0 : micros - 1});
  }
  return told({.reason = Stopped::Reason::Done, .step = moment_.position});
}

// The steps around one that belong together: from the first to behind the last.
Session::Span Session::span_of(std::uint32_t step, std::size_t loop) const {
  const std::uint32_t entry = recording_->loops(step)[loop].entry;
  const auto inside = [&](std::uint32_t other) {
    const auto loops = recording_->loops(other);
    return loops.size() > loop && loops[loop].entry == entry;
  };
  Span span{step, step + 1};
  while (span.first > 0 && inside(span.first - 1)) --span.first;
  while (span.end < count() && inside(span.end)) ++span.end;
  return span;
}

// From the innermost to the outermost: the loops around the step, its block, all.
std::vector<Session::Span> Session::spans_around(std::uint32_t step) const {
  std::vector<Span> spans;
  for (std::size_t loop = recording_->loops(step).size(); loop-- > 0;) spans.push_back(span_of(step, loop));
  Span block{step, step + 1};
  const std::uint32_t number = recording_->step(step).block;
  while (block.first > 0 && recording_->step(block.first - 1).block == number) --block.first;
  while (block.end < count() && recording_->step(block.end).block == number) ++block.end;
  spans.push_back(block);
  spans.push_back({0, count()});
  return spans;
}

Stopped Session::out(Direction direction) {
  const bool forward = direction == Direction::Forward;
  const auto [position, micro] = moment_;
  if (micro > 0) {
    arrive({position + (forward ? 1 : 0), 0});
    return told({.reason = Stopped::Reason::Done, .step = moment_.position});
  }
  if (position == (forward ? count() : 0)) return told(at_end(direction));
  // At the very start of a loop one goes back out of what is around it; behind its last step one is out of it already.
  const std::uint32_t step = std::min(position, count() - 1);
  for (const Span& span : spans_around(step)) {
    const std::uint32_t to = forward ? span.end : span.first;
    if (to != position) return go_to(to, direction, {});
  }
  return told(at_end(direction));
}

bool Session::visit(std::size_t place) {
  visit_ = place;
  arrive(visited_[place]);
  if (on_stop) on_stop({.reason = Stopped::Reason::Done, .step = moment_.position});
  return true;
}

bool Session::visit_back() { return !running_ && visit_ > 0 && visit(visit_ - 1); }

bool Session::visit_forward() { return !running_ && visit_ + 1 < visited_.size() && visit(visit_ + 1); }

// --- the lines that people wrote -----------------------------------------------------------------------------------

const SourceMap& Session::sources() {
  if (sources_ == nullptr) sources_ = std::make_unique<const SourceMap>(recording_->program());
  return *sources_;
}

std::string Session::line_text(std::uint32_t step) {
  const std::string from = sources().told_of(recording_->step(step).instruction);
  return fmt::format("line {}{}{}", recording_->bound(step).pos.line, from.empty() ? "" : ", ", from);
}

const QueueHistory& Session::queues() {
  if (queues_ == nullptr) queues_ = std::make_unique<QueueHistory>(*recording_);
  return *queues_;
}

const CoreHistory& Session::cores() {
  if (cores_ == nullptr) cores_ = std::make_unique<CoreHistory>(*recording_, queues());
  return *cores_;
}

const SourceVisits* Session::source_visits() {
  if (source_visits_ == nullptr) {
    auto made = std::make_unique<const SourceVisits>(*recording_, sources(), go_on);
    if (made->complete()) source_visits_ = std::move(made);
  }
  return source_visits_.get();
}

// --- notes ---------------------------------------------------------------------------------------------------------

std::optional<Refusal> Session::note(Note note) {
  if (auto wrong = wrong_note(note, *recording_)) return wrong;
  note.text = clean_note_text(note.text);
  if (put_note(notes_, std::move(note))) return {};
  return Refusal{fmt::format("there are {} notes already", notes_.size()), "take some away first"};
}

// --- marks ----------------------------------------------------------------------------------------------------------

std::optional<Refusal> Session::bookmark(const std::string& name, std::uint32_t position) {
  if (bookmarks_.size() >= kMostMarks && !bookmarks_.contains(name))
    return Refusal{fmt::format("there are {} bookmarks already", bookmarks_.size()), "take some away first"};
  bookmarks_[name] = std::min(position, count());
  return {};
}

std::optional<Refusal> Session::watch(std::string text) {
  if (watches_.size() >= kMostMarks)
    return Refusal{fmt::format("there are {} watches already", watches_.size()), "take some away first"};
  watches_.push_back(std::move(text));
  return {};
}

// --- running to stops ----------------------------------------------------------------------------------------------

Stopped Session::run(Direction direction, std::span<const StopRule> extra) {
  return go_to(direction == Direction::Forward ? count() : 0, direction, extra);
}

// Step by step to a position, unless something stops it before.
Stopped Session::go_to(std::uint32_t target, Direction direction, std::span<const StopRule> extra) {
  if (running_) return {.reason = Stopped::Reason::Failed, .step = moment_.position};
  running_ = true;
  spent_ = 0;
  Stopped stop = direction == Direction::Forward ? go_forward(target, extra) : go_backward(target, extra);
  running_ = false;
  return told(std::move(stop));
}

bool Session::may_go_on() {
  constexpr std::uint32_t kAskEvery = 4096;
  if (++spent_ < kAskEvery) return true;
  spent_ = 0;
  return !go_on || go_on();
}

// Whether anything could stop it on its way.
bool Session::has_stops(std::span<const StopRule> extra) const {
  return !extra.empty() || std::ranges::any_of(stops_, &StopEntry::enabled);
}

Stopped Session::go_forward(std::uint32_t target, std::span<const StopRule> extra) {
  const Stopped done = target == count() ? at_end(Direction::Forward) : Stopped{.step = target};
  if (!has_stops(extra)) return land({target, 0}, done);
  // What stands before a step has been told of where one stands, unless a stop behind the step before hid it.
  bool due = before_due_;
  for (std::uint32_t step = moment_.position; step < target; ++step) {
    if (!may_go_on()) {
      if (step > moment_.position) arrive({step, 0});
      before_due_ = due;
      return interrupted_at(step);
    }
    if (due)
      if (const auto stop = stop_at(step, false, {step, 0}, extra)) return *stop;
    due = true;
    if (const auto stop = stop_at(step, true, {step + 1, 0}, extra)) {
      before_due_ = true;
      return *stop;
    }
  }
  return land({target, 0}, done);
}

Stopped Session::go_backward(std::uint32_t target, std::span<const StopRule> extra) {
  const Stopped done = target == 0 ? at_end(Direction::Backward) : Stopped{.step = target};
  if (!has_stops(extra)) return land({target, 0}, done);
  if (moment_.micro > 0)
    if (const auto stop = stop_at(moment_.position, false, {moment_.position, 0}, extra)) return *stop;
  for (std::uint32_t step = moment_.position; step-- > target;) {
    if (!may_go_on()) return land({step + 1, 0}, interrupted_at(step));
    const auto behind = stop_at(step, true, {step, 0}, extra);
    const auto before = stop_at(step, false, {step, 0}, extra);
    if (behind) return *behind;
    if (before) return *before;
  }
  return land({target, 0}, done);
}

// The stop of a step, with the session standing at `there` then; every rule that fits counts a hit. `made`: of the
// rules that wait for the step to be made or undone, else of those that stand before it.
std::optional<Stopped> Session::stop_at(std::uint32_t step, bool made, Moment there, std::span<const StopRule> extra) {
  std::optional<Stopped> first;
  for (const StopRule& rule : extra) {
    if (first || waits_for_step(rule) != made) continue;
    Stopped stop{.reason = Stopped::Reason::Rule, .step = step};
    if (fits(rule, step, stop)) first = stop;
  }
  // By number: a condition may add and remove stops.
  std::vector<StopId> ids;
  for (const StopEntry& entry : stops_)
    if (entry.enabled && waits_for_step(entry.rule) == made) ids.push_back(entry.id);
  for (const StopId id : ids) {
    Stopped stop{.reason = Stopped::Reason::Rule, .stop = id, .step = step};
    const StopEntry* entry = find_stop(id);
    if (entry == nullptr || !fits(entry->rule, step, stop)) continue;
    if (hit(id, stop, there) && !first) first = stop;
  }
  if (first) arrive(there);
  return first;
}

// Everything of a rule holds but its condition; whether it stops.
bool Session::hit(StopId id, Stopped& stop, Moment there) {
  using Answer = StopRule::Answer;
  Answer answer = Answer::Yes;
  if (const auto when = find_stop(id)->rule.when) {
    const Moment before = std::exchange(moment_, there);
    const bool due = before_due_;
    answer = when(stop.step);
    moment_ = before;
    before_due_ = due;
  }
  StopEntry* entry = find_stop(id);  // unless its condition removed it
  if (answer == Answer::Failed) stop.reason = Stopped::Reason::Failed;
  if (answer == Answer::Remove && entry != nullptr) remove_stop(id);
  if (answer == Answer::No || answer == Answer::Remove || entry == nullptr) return answer == Answer::Failed;
  if (++entry->hits <= entry->rule.ignore) return answer == Answer::Failed;
  if (!entry->rule.log.empty() && answer == Answer::Yes) {
    if (on_log) on_log(log_text(*entry, stop, there.position));
    return false;
  }
  if (entry->rule.once) remove_stop(id);
  return true;
}

// --- going to places -----------------------------------------------------------------------------------------------

std::optional<Stopped> Session::to_write(ByteRange place, Direction direction) {
  if (place.size == 0) return {};
  const Flat begin = recording_->map().flat(place), end = begin + place.size;
  const auto [position, micro] = moment_;
  std::optional<std::uint32_t> step;
  if (direction == Direction::Forward) step = index().next_write(begin, end, position);
  else if (position > 0 || micro > 0) step = index().last_write(begin, end, position - (micro > 0 ? 0 : 1));
  if (!step) return {};
  arrive({*step + 1, 0});
  return told({.reason = Stopped::Reason::Done, .step = *step});
}

std::optional<Stopped> Session::to_finding(Direction direction, bool behind) {
  const std::vector<Finding>& all = findings();
  const bool forward = direction == Direction::Forward;
  if (shown_finding_) {
    if (forward) return show_finding(*shown_finding_ + 1, behind);
    return *shown_finding_ > 0 ? show_finding(*shown_finding_ - 1, behind) : std::nullopt;
  }
  // In the middle of a step, what was found in it is behind.
  const std::uint32_t next = moment_.position + (moment_.micro > 0 ? 1 : 0);
  const auto first = std::ranges::lower_bound(all, next, {}, &Finding::step);
  if (forward) return show_finding(static_cast<std::size_t>(first - all.begin()), behind);
  if (first == all.begin()) return {};
  return show_finding(static_cast<std::size_t>(first - all.begin()) - 1, behind);
}

std::optional<Stopped> Session::show_finding(std::size_t index, bool behind) {
  if (index >= findings().size()) return {};
  const std::uint32_t step = findings()[index].step;
  arrive({std::min(step + (behind ? 1 : 0), count()), 0});
  shown_finding_ = index;
  Stopped stop{.reason = Stopped::Reason::Done, .step = step};
  stop.finding = index;
  return told(stop);
}

std::optional<Stopped> Session::to_difference(Direction direction) {
  // The place of a difference is behind its step, where its results are.
  const auto [position, micro] = moment_;
  // From the middle of a step, the place behind the step before it lies further back.
  const std::uint32_t here = micro > 0 || position == 0 ? position : position - 1;
  const auto step = direction == Direction::Forward ? reference_.next(position) : reference_.last_before(here);
  if (!step) return {};
  const Cell cell = differing_cell(*recording_, reference_.side, *reference_.of_step(*step));
  arrive({*step + 1, 0});
  return told({.reason = Stopped::Reason::Done, .step = *step, .cell = cell});
}

std::variant<Stopped, Refusal> Session::run_to(const RunTarget& target, Direction direction) {
  StopRule rule{.step = target.step, .line = target.line, .source = target.source, .op = plain_op(target.op)};
  if (!rule.step && !rule.line && !rule.source && rule.op.empty())
    return Refusal{"nothing is said to run to", "give a step, a line or an op"};
  if (rule.source) rule.source->number = sources().find_file(rule.source->file);
  if (auto refusal = never_fires(rule)) return *refusal;
  std::uint32_t left = std::max(target.nth, 1u);
  const auto arrived = [&](std::uint32_t step) {
    Stopped stop{.reason = Stopped::Reason::Done, .step = step};
    return fits(rule, step, stop) && --left == 0;
  };
  const auto [position, micro] = moment_;
  if (direction == Direction::Forward) {
    for (std::uint32_t step = position + 1; step < count(); ++step)
      if (arrived(step)) return told(land({step, 0}, {.step = step}));
  } else {
    for (std::uint32_t step = position + (micro > 0 ? 1 : 0); step-- > 0;)
      if (arrived(step)) return told(land({step, 0}, {.step = step}));
  }
  return too_few(rule, std::max(target.nth, 1u) - left, direction);
}

// --- questions -----------------------------------------------------------------------------------------------------

std::shared_ptr<const std::vector<Finding>> Session::shared_findings() const {
  return checked_ ? checked_ : std::shared_ptr<const std::vector<Finding>>(recording_, &recording_->findings());
}

std::span<const Finding> Session::findings_of(std::uint32_t step) const {
  const std::vector<Finding>& all = findings();
  const auto first = std::ranges::lower_bound(all, step, {}, &Finding::step);
  return {first, std::ranges::upper_bound(first, all.end(), step, {}, &Finding::step)};
}

// --- forks ----------------------------------------------------------------------------------------------------------

std::optional<Refusal> Session::keep_fork(KeptFork fork) {
  std::size_t bytes = fork.name.size();
  for (const std::string& edit : fork.edits) bytes += edit.size();
  if (fork.name.empty() || fork.edits.empty()) return Refusal{"a fork has a name and something that it changes", ""};
  if (bytes > kMostForkBytes) return Refusal{"what the fork changes is too long to be kept", "change less at a time"};
  const auto known = std::ranges::find(forks_, fork.name, &KeptFork::name);
  if (known != forks_.end()) *known = std::move(fork);
  else if (forks_.size() >= kMostForks)
    return Refusal{fmt::format("there are {} forks already", forks_.size()), "close some first"};
  else forks_.push_back(std::move(fork));
  return {};
}

bool Session::remove_fork(const std::string& name) {
  return std::erase_if(forks_, [&](const KeptFork& fork) { return fork.name == name; }) != 0;
}

}  // namespace ts
