// Whether a step is what a stop waits for, and whether any step ever is.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/debug/origins/printed_at.h"
#include "core/debug/origins/trace_value.h"
#include "core/debug/session/session.h"
#include "core/debug/session/source_visits.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

std::string_view op_of(const Recording& recording, std::uint32_t step) { return recording.bound(step).row->name; }

// The steps that a rule's place leaves.
std::pair<std::uint32_t, std::uint32_t> steps_of(const StopRule& rule, std::uint32_t count) {
  return rule.step ? std::pair{*rule.step, *rule.step + 1} : std::pair{0u, count};
}

// The element of an operand that a byte is part of, of a result sooner or later than of others; of no operand, the byte
// itself.
Cell cell_of(const Bound& bound, const ByteRange& byte, bool results_first) {
  int operand = operand_holding(bound, byte, results_first);
  if (operand < 0) operand = operand_holding(bound, byte, !results_first);
  if (operand < 0) return {.operand = operand, .place = byte};
  const auto [row, col, place] = element_of(bound.operands[static_cast<std::size_t>(operand)], byte.address);
  return {operand, row, col, place};
}

}  // namespace

bool Session::waits_for_step(const StopRule& rule) const {
  return rule.watch || rule.nan || rule.inf || rule.finding || rule.differs;
}

bool Session::fits_place(const StopRule& rule, std::uint32_t step) {
  if (rule.step && *rule.step != step) return false;
  if (rule.line && recording_->bound(step).pos.line != *rule.line) return false;
  if (!rule.op.empty() && rule.op != op_of(*recording_, step)) return false;
  if (rule.core && !rule.core->holds(*recording_, step)) return false;
  if (!rule.source) return true;
  const SourceVisits* visits = rule.source->number ? source_visits() : nullptr;
  return visits != nullptr && visits->comes_to({*rule.source->number, rule.source->line}, step);
}

// Whether all of a rule but its condition holds of a step; what it is about goes to `stop`.
bool Session::fits(const StopRule& rule, std::uint32_t step, Stopped& stop) {
  if (!fits_place(rule, step)) return false;
  if (rule.finding) {
    const auto found = findings_of(step);
    if (found.empty()) return false;
    stop.finding = static_cast<std::size_t>(found.data() - findings().data());
  }
  if (rule.differs) {
    const ResultDifference* difference = reference_.of_step(step);
    if (difference == nullptr) return false;
    stop.cell = differing_cell(*recording_, reference_.side, *difference);
  }
  if (rule.watch) {
    const std::optional<ByteRange> touched = first_touched(*rule.watch, step);
    if (!touched) return false;
    stop.cell = cell_of(recording_->bound(step), *touched, rule.watch->touch != Touch::Read);
  }
  if (rule.nan || rule.inf) {
    const std::optional<Cell> cell = produced(step, rule.nan, rule.inf);
    if (!cell) return false;
    stop.cell = cell;
  }
  return true;
}

// The first of the watched bytes that a step touches so.
std::optional<ByteRange> Session::first_touched(const Watched& watch, std::uint32_t step) {
  for (const ByteRange& place : watch.bytes) {
    if (watch.touch == Touch::Read) {
      if (const auto read = first_read(step, place)) return read;
      continue;
    }
    if (!writes_to(*recording_, step, place)) continue;
    std::vector<std::byte> before(place.size), after(place.size);
    if (watch.touch == Touch::Change) {
      inspector_.peek(step, place, before);
      inspector_.peek_unedited(step + 1, place, after);
    }
    const Flat begin = recording_->map().flat(place);
    for (std::uint32_t i = 0; i < place.size; ++i) {
      const Flat at = begin + i;
      if (watch.touch == Touch::Change ? before[i] != after[i] : touch(recording_->writes(step), at, at + 1))
        return ByteRange{place.space, place.address + i, 1, place.part, place.core};
    }
  }
  return {};
}

// As rows are called: TADD and pto.tadd are tadd.
std::string plain_op(std::string op) {
  std::ranges::transform(op, op.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return op.starts_with("pto.") ? op.substr(4) : op;
}

// --- adding --------------------------------------------------------------------------------------------------------

namespace {

// The same bytes in the memories of the cores that are meant, each once: what was kept, or is changed, went through here
// before. Global memory has no core.
std::vector<ByteRange> of_cores(const std::vector<ByteRange>& bytes, const CoreChoice& choice,
                                const Recording& recording) {
  const auto cores = static_cast<CoreId>(recording.program().cores.size());
  if (!choice.in_block || !recording.program().together()) return bytes;
  std::vector<ByteRange> out;
  for (const ByteRange& range : bytes) {
    if (range.space == Space::Gm) {
      out.push_back(range);
      continue;
    }
    for (std::uint32_t block = 0; block < recording.program().blocks; ++block) {
      if (choice.block && *choice.block != block) continue;
      ByteRange there = range;
      there.core = static_cast<CoreId>(block * cores + *choice.in_block);
      if (std::ranges::find(out, there) == out.end()) out.push_back(there);
    }
  }
  return out;
}

}  // namespace

std::variant<StopId, Refusal> Session::add_stop(StopRule rule) {
  rule.op = plain_op(std::move(rule.op));
  if (stops_.size() >= kMostMarks)
    return Refusal{fmt::format("there are {} breakpoints already", stops_.size()), "take some away first"};
  if (rule.source) rule.source->number = sources().find_file(rule.source->file);
  if (rule.core) {
    auto read = read_core(rule.core->text, *recording_);
    if (const auto* refusal = std::get_if<Refusal>(&read)) return *refusal;
    rule.core = std::get<CoreChoice>(std::move(read));
    if (rule.watch) rule.watch->bytes = of_cores(rule.watch->bytes, *rule.core, *recording_);
  }
  if (auto refusal = wrong_log(rule.log)) return *refusal;
  if (auto refusal = never_fires(rule)) return *refusal;
  stops_.push_back({.id = next_stop_, .rule = std::move(rule)});
  return next_stop_++;
}

bool Session::remove_stop(StopId id) {
  return std::erase_if(stops_, [&](const StopEntry& entry) { return entry.id == id; }) != 0;
}

StopEntry* Session::find_stop(StopId id) {
  const auto found = std::ranges::find(stops_, id, &StopEntry::id);
  return found == stops_.end() ? nullptr : &*found;
}

namespace {

std::string joined(const std::set<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::optional<Refusal> no_such_op(const Recording& recording, const std::string& op) {
  std::set<std::string> in_program, ran;
  for (const Instruction& instruction : recording.program().instructions) in_program.insert(instruction.row->name);
  for (std::uint32_t step = 0; step < recording.count(); ++step) ran.insert(recording.bound(step).row->name);
  if (ran.contains(op)) return {};
  if (in_program.contains(op))
    return Refusal{fmt::format("{} is in the program, but no step of this recording ran it", op),
                   "ran: " + joined(ran)};
  return Refusal{fmt::format("there is no {} in the program", op), "it has: " + joined(in_program)};
}

std::optional<Refusal> no_such_line(const Recording& recording, std::uint32_t line) {
  std::set<std::uint32_t> ran;
  for (std::uint32_t step = 0; step < recording.count(); ++step) ran.insert(recording.bound(step).pos.line);
  if (ran.contains(line)) return {};
  const auto& instructions = recording.program().instructions;
  const bool there = std::ranges::any_of(instructions, [&](const Instruction& one) { return one.pos.line == line; });
  const auto next = ran.lower_bound(line);
  const std::string near = next != ran.end() ? fmt::format("the next line that ran is {}", *next)
                           : ran.empty()     ? "no step ran"
                                             : fmt::format("the last line that ran is {}", *ran.rbegin());
  if (there)
    return Refusal{fmt::format("line {} has an instruction, but no step of this recording ran it", line), near};
  return Refusal{fmt::format("line {} has no instruction", line), near};
}

std::optional<Refusal> no_such_source(const Recording& recording, const SourceMap& map, const SourceStop& stop) {
  if (map.empty()) return no_sources();
  if (!stop.number)
    return Refusal{fmt::format("the program came from no single file called {}", stop.file),
                   fmt::format("it came from: {}", fmt::join(map.files(), ", "))};
  std::set<std::uint32_t> ran;  // lines of the file
  for (std::uint32_t step = 0; step < recording.count(); ++step)
    for (const SourceLine& one : map.lines(map.origin_of(recording.step(step).instruction)))
      if (one.file == *stop.number) ran.insert(one.line);
  if (ran.contains(stop.line)) return {};
  const auto next = ran.lower_bound(stop.line);
  return Refusal{fmt::format("no step came from {}:{}", map.files()[*stop.number], stop.line),
                 next != ran.end() ? fmt::format("the next line with steps is {}", *next)
                 : ran.empty()     ? "none came from that file"
                                   : fmt::format("the last line with steps is {}", *ran.rbegin())};
}

}  // namespace

// Why no step can ever be what the rule waits for.
std::optional<Refusal> Session::never_fires(const StopRule& rule) {
  if (count() == 0) return Refusal{"the recording has no steps", "its findings say why the program did not run"};
  if (rule.step && *rule.step >= count())
    return Refusal{fmt::format("there is no step {}", *rule.step), fmt::format("they are 0 to {}", count() - 1)};
  if (!rule.op.empty())
    if (auto refusal = no_such_op(*recording_, rule.op)) return refusal;
  if (rule.line)
    if (auto refusal = no_such_line(*recording_, *rule.line)) return refusal;
  if (rule.source)
    if (auto refusal = no_such_source(*recording_, sources(), *rule.source)) return refusal;
  if (rule.watch)
    if (auto refusal = wrong_place(*rule.watch)) return refusal;
  if (rule.finding && (findings().empty() || findings().front().step >= count()))
    return Refusal{"nothing was found in a step of this recording",
                   findings().empty() ? "" : "what was found stands at its end"};
  if (rule.differs && reference_.differences == nullptr)
    return Refusal{"the recording was not compared with another",
                   "compare first: with the other target, or another run"};
  if (rule.differs && reference_.differences->differences.empty())
    return Refusal{"no step differs from the run that this one was compared with", ""};
  const auto [first, end] = steps_of(rule, count());
  for (std::uint32_t step = first; step < end; ++step) {
    if (!may_go_on()) return {};  // nobody knows; it may
    if (fits_place(rule, step) && may_fit(rule, step)) return {};
  }
  const int spent_for = rule.step.has_value() + rule.line.has_value() + rule.source.has_value() + !rule.op.empty() +
                        rule.core.has_value() + rule.finding + rule.differs + rule.watch.has_value() +
                        (rule.nan || rule.inf);
  if (spent_for > 1) return Refusal{"no step is all of this at once", "give less, or a condition"};
  if (rule.watch)
    return Refusal{fmt::format("no step {}s {}", name(rule.watch->touch), rule.watch->text),
                   rule.watch->touch == Touch::Read ? "" : "look at its history"};
  if (rule.core) return Refusal{fmt::format("{} made no step of this recording", rule.core->text), ""};
  return Refusal{fmt::format("no step writes {}", !rule.inf  ? "a NaN"
                                                  : rule.nan ? "a NaN or an infinity"
                                                             : "an infinity"),
                 ""};
}

// Whether a step may be what the rule waits for: what is cheap to know.
bool Session::may_fit(const StopRule& rule, std::uint32_t step) {
  if (rule.finding && findings_of(step).empty()) return false;
  if (rule.differs && reference_.of_step(step) == nullptr) return false;
  if (rule.watch && !first_touched(*rule.watch, step)) return false;
  return (!rule.nan && !rule.inf) || writes_wanted(step, rule.nan, rule.inf);
}

std::optional<Refusal> Session::wrong_place(const Watched& watch) const {
  if (watch.bytes.empty()) return Refusal{fmt::format("{} has no bytes", watch.text), "its valid region is empty"};
  for (const ByteRange& place : watch.bytes) {
    if (place.core >= recording_->map().cores())
      return Refusal{fmt::format("{} is of core {}", watch.text, place.core),
                     fmt::format("there are {}", recording_->map().cores())};
    const std::uint32_t size = recording_->map().size(place.space, place.core);
    if (place.size == 0)
      return Refusal{fmt::format("{} has no bytes", watch.text), "the end of a range is not part of it"};
    if (place.address < size && place.size <= size - place.address) continue;
    return Refusal{fmt::format("{} reaches beyond {}, which has 0x{:x} bytes on {}", watch.text, name(place.space),
                               size, name(recording_->program().target)),
                   ""};
  }
  return {};
}

Refusal Session::too_few(const StopRule& rule, std::uint32_t found, Direction direction) const {
  const std::string what = !rule.op.empty() ? rule.op
                           : rule.line      ? fmt::format("line {}", *rule.line)
                           : rule.source    ? fmt::format("{}:{}", rule.source->file, rule.source->line)
                                            : fmt::format("step {}", *rule.step);
  const char* where = direction == Direction::Forward ? "after" : "before";
  if (found == 0)
    return {fmt::format("{} does not come {} position {}", what, where, moment_.position), "go the other way, or seek"};
  return {fmt::format("{} comes only {} time{} {} position {}", what, found, found == 1 ? "" : "s", where,
                      moment_.position),
          ""};
}

// --- log points ----------------------------------------------------------------------------------------------------

namespace {

constexpr std::string_view kLogNames[] = {"step", "op", "line", "hits", "position", "text"};
constexpr std::uint64_t kMostLogged = 16'384;  // elements of a tile

}  // namespace

// A text in braces has to be something that can be said.
std::optional<Refusal> Session::wrong_log(const std::string& log) const {
  for (std::size_t open = log.find('{'); open != std::string::npos; open = log.find('{', open + 1)) {
    const std::size_t close = log.find('}', open);
    if (close == std::string::npos) return Refusal{"the log text has a { without a }", "write {step}, for example"};
    const std::string word = log.substr(open + 1, close - open - 1);
    if (word.starts_with('%')) {
      if (has_elements(recording_->program(), std::string_view(word).substr(1))) continue;
      return Refusal{
          fmt::format("the log text has {{{}}}, and {} has no such tile or buffer", word, recording_->program().name),
          "{%acc} prints the tile acc"};
    }
    if (std::ranges::find(kLogNames, word) == std::end(kLogNames))
      return Refusal{fmt::format("the log text has {{{}}}", word),
                     fmt::format("it can be {{{}}}, or {{%NAME}} for a tile or buffer", fmt::join(kLogNames, "}, {"))};
  }
  return {};
}

std::string Session::log_text(const StopEntry& entry, const Stopped& stop, std::uint32_t position) {
  const Bound& bound = recording_->bound(stop.step);
  // clang-format off
  const std::string values[] = {
      fmt::format("{}", stop.step),      bound.row->name,
      fmt::format("{}", bound.pos.line), fmt::format("{}", entry.hits),
      fmt::format("{}", position),       recording_->program().short_text(recording_->step(stop.step).instruction)};
  std::string text;
  for (std::size_t at = 0; at < entry.rule.log.size(); ++at) {
    if (entry.rule.log[at] != '{') {
      text += entry.rule.log[at];
      continue;
    }
    const std::size_t close = entry.rule.log.find('}', at);
    const std::string inside = entry.rule.log.substr(at + 1, close - at - 1);
    if (inside.starts_with('%')) text += printed_at(*this, inside.substr(1), position, kMostLogged).value_or("");
    else text += values[std::ranges::find(kLogNames, inside) - std::begin(kLogNames)];
    at = close;
  }
  // clang-format on
  return text;
}

}  // namespace ts
