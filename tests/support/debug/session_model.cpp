// The facts of steps, and the session that walks over them.
#include "tests/support/debug/session_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "core/record/inspector.h"

namespace ts::test {
namespace {

bool waits(const StopRule& rule) { return rule.watch || rule.nan || rule.inf || rule.finding; }

bool covers(const std::vector<Straight::Run>& runs, Flat at) {
  return std::ranges::any_of(runs, [&](const Straight::Run& run) { return run.begin <= at && at < run.end; });
}

}  // namespace

Facts::Facts(const Recording& recording) : recording_(recording), steps_(recording.count()) {
  Straight run(recording);
  Inspector inspector(recording);
  const MemoryMap& map = recording.map();
  std::vector<std::byte> before(run.bytes(), run.bytes() + map.end());
  for (std::uint32_t step = 0; step < count(); ++step) {
    StepFacts& facts = steps_[step];
    const Bound& bound = recording.bound(step);
    facts.op = bound.row->name;
    facts.line = bound.pos.line;
    facts.text = recording.program().short_text(recording.step(step).instruction);
    run.step();
    facts.written = run.written();
    std::map<Flat, std::byte> left;  // by the step, where an edit came after it
    for (const Straight::EditedByte& edited : run.before_edits()) left.try_emplace(edited.at, edited.byte);
    for (const Straight::Run& written : facts.written) {
      for (Flat at = written.begin; at < written.end; ++at) {
        const std::byte now = left.contains(at) ? left[at] : run.bytes()[at];
        if (now != before[at]) facts.changed.push_back(at);
      }
    }
    std::memcpy(before.data(), run.bytes(), before.size());
    const Trace trace = inspector.trace(step);
    facts.micros = static_cast<std::uint32_t>(trace.steps.size());
    for (const MicroStep& micro : trace.steps)
      for (const TraceAccess& read : micro.reads)
        if (read.size > 0) facts.read.push_back({map.flat(read.place()), map.flat(read.place()) + read.size});
  }
  for (std::size_t i = recording.findings().size(); i-- > 0;)
    if (recording.findings()[i].step < count()) steps_[recording.findings()[i].step].finding = i;
}

std::vector<Facts::Span> Facts::spans(std::uint32_t step) const {
  std::vector<Span> spans;
  const auto add = [&](auto inside) {
    Span span{count(), 0};
    for (std::uint32_t other = 0; other < count(); ++other)
      if (inside(other)) span = {std::min(span.first, other), other + 1};
    spans.push_back(span);
  };
  const auto loops = recording_.loops(step);
  for (std::size_t i = loops.size(); i-- > 0;)
    add([&](std::uint32_t other) {
      return std::ranges::any_of(recording_.loops(other),
                                 [&](const LoopTurn& turn) { return turn.entry == loops[i].entry; });
    });
  add([&](std::uint32_t other) { return recording_.step(other).block == recording_.step(step).block; });
  spans.push_back({0, count()});
  return spans;
}

bool Facts::touches(std::uint32_t step, Touch touch, Flat at) const {
  if (touch == Touch::Change) return std::ranges::find(steps_[step].changed, at) != steps_[step].changed.end();
  return covers(touch == Touch::Read ? steps_[step].read : steps_[step].written, at);
}

Cell Facts::cell(std::uint32_t step, ByteRange byte, bool results_first) const {
  const std::vector<Operand>& operands = recording_.bound(step).operands;
  for (std::size_t k = 0; k < 2 * operands.size(); ++k) {
    const std::size_t i = k % operands.size();
    const Operand& operand = operands[i];
    if ((operand.spec->role == Role::Out) != (results_first == (k < operands.size()))) continue;
    if (operand.spec->kind == OperandKind::Tile) {
      const ByteRange all = operand.tile.range();
      if (all.space != byte.space || byte.address < all.address || byte.address >= all.address + all.size) continue;
      const std::uint32_t size = operand.tile.elem_bytes(), index = (byte.address - all.address) / size;
      const auto [row, col] = element_at(operand.tile.type, index);
      return {static_cast<int>(i), row, col, {all.space, all.address + index * size, size}};
    }
    if (operand.spec->kind == OperandKind::Global) {
      const GlobalRef& view = operand.global;
      if (byte.space != Space::Gm || byte.address < view.buffer_begin || byte.address >= view.buffer_end) continue;
      const std::uint32_t size = size_bytes(view.dtype), index = (byte.address - view.buffer_begin) / size;
      return {static_cast<int>(i), 0, index, {Space::Gm, view.buffer_begin + index * size, size}};
    }
  }
  return {-1, 0, 0, {byte.space, byte.address, 1}};
}

bool Facts::fits(const StopRule& rule, std::uint32_t step, Stopped& stop) const {
  const StepFacts& facts = steps_[step];
  if (rule.step && *rule.step != step) return false;
  if (rule.line && *rule.line != facts.line) return false;
  if (!rule.op.empty() && plain_op(rule.op) != facts.op) return false;
  if (rule.finding) {
    if (!facts.finding) return false;
    stop.finding = facts.finding;
  }
  if (!rule.watch) return true;
  for (const ByteRange& place : rule.watch->bytes) {
    for (std::uint32_t i = 0; i < place.size; ++i) {
      if (!touches(step, rule.watch->touch, recording_.map().flat(place.space, place.address + i))) continue;
      stop.cell = cell(step, {place.space, place.address + i, 1}, rule.watch->touch != Touch::Read);
      return true;
    }
  }
  return false;
}

// --- moving --------------------------------------------------------------------------------------------------------

Stopped ModelSession::move(Moment moment, Stopped stop) {
  at_ = moment;
  due_ = false;
  shown_.reset();
  if (visited_[visit_] != moment) {
    visited_.resize(visit_ + 1);
    visited_.push_back(moment);
    visit_ = visited_.size() - 1;
  }
  return stop;
}

Stopped ModelSession::at_end(Direction direction) const {
  if (direction == Direction::Backward) return {.reason = Stopped::Reason::Start, .step = 0};
  const bool whole = facts_.recording().stop_reason() == StopReason::End;
  return {.reason = whole ? Stopped::Reason::End : Stopped::Reason::Error, .step = count()};
}

void ModelSession::seek(Moment moment) {
  if (moment.position >= count()) moment = {count(), 0};
  else if (moment.micro > 0 && moment.micro >= facts_.step(moment.position).micros)
    moment = facts_.step(moment.position).micros == 0 ? Moment{moment.position, 0} : Moment{moment.position + 1, 0};
  move(moment, {});
}

Stopped ModelSession::steps(std::uint32_t n, Direction direction) {
  Moment to = at_;
  for (; n > 0; --n) {
    if (direction == Direction::Forward) {
      if (to.position == count()) break;
      to = {to.position + 1, 0};
    } else if (to.micro > 0) {
      to.micro = 0;
    } else {
      if (to.position == 0) break;
      to = {to.position - 1, 0};
    }
  }
  if (n > 0 && to == at_) return at_end(direction);
  return move(to, {.step = to.position});
}

Stopped ModelSession::into(Direction direction) {
  Moment to = at_;
  if (direction == Direction::Forward) {
    if (to.position == count()) return at_end(direction);
    if (++to.micro >= facts_.step(to.position).micros) to = {to.position + 1, 0};
  } else if (to.micro > 0) {
    --to.micro;
  } else {
    if (to.position == 0) return at_end(direction);
    --to.position;
    to.micro = std::max(facts_.step(to.position).micros, 1u) - 1;
  }
  return move(to, {.step = to.position});
}

Stopped ModelSession::out(Direction direction) {
  const bool forward = direction == Direction::Forward;
  if (at_.micro > 0) return steps(1, direction);
  if (at_.position == (forward ? count() : 0)) return at_end(direction);
  for (const Facts::Span& span : facts_.spans(std::min(at_.position, count() - 1))) {
    const std::uint32_t to = forward ? span.end : span.first;
    if (to != at_.position) return go(to, direction, {});
  }
  return {};
}

Stopped ModelSession::run(Direction direction, const std::vector<StopRule>& extra) {
  return go(direction == Direction::Forward ? count() : 0, direction, extra);
}

Stopped ModelSession::go(std::uint32_t target, Direction direction, const std::vector<StopRule>& extra) {
  if (direction == Direction::Forward) {
    for (std::uint32_t step = at_.position; step < target; ++step) {
      if (step > at_.position || due_)
        if (const auto stop = look(step, false, {step, 0}, extra)) return move({step, 0}, *stop);
      if (const auto stop = look(step, true, {step + 1, 0}, extra)) {
        move({step + 1, 0}, *stop);
        due_ = true;
        return *stop;
      }
    }
    return move({target, 0}, target == count() ? at_end(direction) : Stopped{.step = target});
  }
  if (at_.micro > 0)
    if (const auto stop = look(at_.position, false, {at_.position, 0}, extra)) return move({at_.position, 0}, *stop);
  for (std::uint32_t step = at_.position; step-- > target;) {
    const auto undone = look(step, true, {step, 0}, extra), before = look(step, false, {step, 0}, extra);
    if (undone || before) return move({step, 0}, undone ? *undone : *before);
  }
  return move({target, 0}, target == 0 ? at_end(direction) : Stopped{.step = target});
}

std::optional<Stopped> ModelSession::look(std::uint32_t step, bool made, Moment there,
                                          const std::vector<StopRule>& extra) {
  std::optional<Stopped> first;
  for (const StopRule& rule : extra) {
    Stopped stop{.reason = Stopped::Reason::Rule, .step = step};
    if (!first && waits(rule) == made && facts_.fits(rule, step, stop)) first = stop;
  }
  std::vector<StopId> gone;
  for (StopEntry& entry : stops_) {
    Stopped stop{.reason = Stopped::Reason::Rule, .stop = entry.id, .step = step};
    if (!entry.enabled || waits(entry.rule) != made || !facts_.fits(entry.rule, step, stop)) continue;
    auto answer = StopRule::Answer::Yes;
    if (entry.rule.when) {
      const Moment from = std::exchange(at_, there);
      answer = entry.rule.when(step);
      at_ = from;
    }
    if (answer == StopRule::Answer::Remove) gone.push_back(entry.id);
    if (answer == StopRule::Answer::Remove || answer == StopRule::Answer::No) continue;
    ++entry.hits;
    if (answer == StopRule::Answer::Failed) {
      stop.reason = Stopped::Reason::Failed;
    } else {
      if (entry.hits <= entry.rule.ignore) continue;
      if (!entry.rule.log.empty()) {
        say(entry, step, there);
        continue;
      }
    }
    if (entry.rule.once && entry.hits > entry.rule.ignore) gone.push_back(entry.id);
    if (!first) first = stop;
  }
  std::erase_if(stops_, [&](const StopEntry& entry) { return std::ranges::find(gone, entry.id) != gone.end(); });
  return first;
}

void ModelSession::say(const StopEntry& entry, std::uint32_t step, Moment there) {
  const StepFacts& facts = facts_.step(step);
  const std::pair<std::string, std::string> words[] = {{"{step}", std::to_string(step)},
                                                       {"{op}", facts.op},
                                                       {"{line}", std::to_string(facts.line)},
                                                       {"{hits}", std::to_string(entry.hits)},
                                                       {"{position}", std::to_string(there.position)},
                                                       {"{text}", facts.text}};
  std::string text = entry.rule.log;
  for (const auto& [word, value] : words)
    for (std::size_t at; (at = text.find(word)) != std::string::npos;) text.replace(at, word.size(), value);
  said.push_back(text);
}

std::optional<Stopped> ModelSession::run_to(const RunTarget& target, Direction direction) {
  const StopRule rule{.step = target.step, .line = target.line, .op = target.op};
  std::uint32_t left = std::max(target.nth, 1u);
  std::vector<std::uint32_t> order;
  for (std::uint32_t step = 0; step < count(); ++step)
    if (direction == Direction::Forward ? step > at_.position : Moment{step, 0} < at_) order.push_back(step);
  if (direction == Direction::Backward) std::ranges::reverse(order);
  for (const std::uint32_t step : order) {
    Stopped stop;
    if (facts_.fits(rule, step, stop) && --left == 0) return move({step, 0}, {.step = step});
  }
  return {};
}

std::optional<Stopped> ModelSession::to_write(ByteRange place, Direction direction) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t step = 0; step < count(); ++step) {
    bool wrote = false;
    for (std::uint32_t i = 0; i < place.size; ++i)
      wrote =
          wrote || facts_.touches(step, Touch::Write, facts_.recording().map().flat(place.space, place.address + i));
    // It is gone to the place behind the write, which has to be further on (or back) than here.
    if (!wrote) continue;
    if (direction == Direction::Forward && Moment{step + 1, 0} > at_ && !found) found = step;
    if (direction == Direction::Backward && Moment{step + 1, 0} < at_) found = step;
  }
  if (!found) return {};
  return move({*found + 1, 0}, {.step = *found});
}

std::optional<Stopped> ModelSession::to_finding(Direction direction) {
  const std::vector<Finding>& all = facts_.recording().findings();
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Moment place{all[i].step, 0};
    const bool behind = shown_ ? i > *shown_ : place >= at_, before = shown_ ? i < *shown_ : place < at_;
    if (direction == Direction::Forward && behind && !found) found = i;
    if (direction == Direction::Backward && before) found = i;
  }
  if (!found) return {};
  Stopped stop{.step = all[*found].step};
  stop.finding = found;
  move({all[*found].step, 0}, stop);
  shown_ = found;
  return stop;
}

bool ModelSession::visit(int by) {
  if (by < 0 ? visit_ == 0 : visit_ + 1 == visited_.size()) return false;
  visit_ += static_cast<std::size_t>(by);
  at_ = visited_[visit_];
  due_ = false;
  shown_.reset();
  return true;
}

std::string difference(const Stopped& expected, const Stopped& got) {
  const auto text = [](const Stopped& stop) {
    std::string out = fmt::format("{}, stop {}, step {}", name(stop.reason), stop.stop, stop.step);
    if (stop.cell)
      out += fmt::format(", cell {} [{}, {}] at {} {:#x}+{}", stop.cell->operand, stop.cell->row, stop.cell->col,
                         name(stop.cell->place.space), stop.cell->place.address, stop.cell->place.size);
    if (stop.finding) out += fmt::format(", finding {}", *stop.finding);
    return out;
  };
  return text(expected) == text(got) ? "" : fmt::format("expected {}; got {}", text(expected), text(got));
}

}  // namespace ts::test
