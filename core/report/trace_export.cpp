// The trace event format: one event after the other, sorted by their time, which is the number of the step.
#include "core/report/trace_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>

#include "core/debug/origins/source_text.h"
#include "core/program/sync.h"
#include "core/report/escape.h"
#include "core/text/highlight.h"
#include "version.h"

namespace ts {
namespace {

constexpr const char* kUnit =
    "steps, not time: nothing here knows how long a step takes, so each is one microsecond long";

// The tracks of a block, in the order that data comes through them.
constexpr Pipe kPipeOrder[] = {Pipe::S, Pipe::Mte2, Pipe::Mte1, Pipe::M, Pipe::Fix, Pipe::V, Pipe::Mte3, Pipe::None};
constexpr int kLoopTrack = 1, kFirstPipeTrack = 2;
int track_of(Pipe pipe) {
  return kFirstPipeTrack + static_cast<int>(std::ranges::find(kPipeOrder, pipe) - std::begin(kPipeOrder));
}

struct FlagUse {
  enum class Kind : std::uint8_t { None, Raise, Wait };
  Kind kind = Kind::None;
  std::uint64_t key = 0;  // the same for those that belong together
};
FlagUse flag_use(const Bound& bound, std::uint16_t block) {
  const bool event = bound.row == &kRecordEvent || bound.row == &kWaitEvent;
  const bool raises = bound.row == &kSetFlag || bound.row == &kRecordEvent;
  if (!raises && bound.row != &kWaitFlag && bound.row != &kWaitEvent) return {};
  std::uint64_t key = std::uint64_t{block} << 1 | (event ? 1 : 0);
  for (const std::uint8_t value : bound.attributes) key = key << 8 | value;
  return {raises ? FlagUse::Kind::Raise : FlagUse::Kind::Wait, key};
}

class TraceExport {
 public:
  TraceExport(const Recording& recording, const std::vector<Finding>& findings,
              const std::map<std::string, std::uint32_t>& bookmarks, const TraceOptions& options,
              data::FileWriter& file)
      : recording_(recording), program_(recording.program()), findings_(findings), options_(options), file_(file) {
    first_ = std::min(options.first, recording.count());
    end_ = first_ + trace_length(recording.count(), options);
    for (const auto& [name, position] : bookmarks)
      if (position >= first_ && position <= end_) bookmarks_.emplace(position, name);
    texts_.resize(program_.instructions.size());
  }

  // False: `go_on` said no.
  bool run() {
    pair_flags();
    head();
    finding_ = std::ranges::lower_bound(findings_, first_, {}, &Finding::step);
    for (std::uint32_t at = first_; at < end_; ++at) {
      constexpr std::uint32_t kAskEvery = 1024;
      if ((at - first_) % kAskEvery == 0 && options_.go_on && !options_.go_on(at - first_)) return false;
      if (!file_.good()) return true;
      loops(at);
      marks(at);
      step(at);
      flags(at);
      findings(at);
    }
    close_loops(0, end_);
    marks(end_);
    if (end_ == recording_.count()) findings(end_);
    file_.write("\n]}\n");
    return true;
  }

 private:
  void event(const std::string& text) {
    file_.write(any_ ? ",\n" : "\n");
    file_.write(text);
    any_ = true;
  }

  void head() {
    std::string note;
    const std::uint32_t asked = std::clamp(options_.end, first_, recording_.count());
    if (end_ < asked)
      note = fmt::format(",\"note\":\"only the first {} of {} steps: more than that is more than viewers take\"",
                         end_ - first_, asked - first_);
    file_.write(fmt::format(
        "{{\"displayTimeUnit\":\"ns\",\n\"otherData\":{{\"unit\":\"{}\",\"program\":{},\"target\":\"{}\","
        "\"steps\":{},\"first\":{},\"end\":{},\"writer\":\"TileScope {}\"{}}},\n\"traceEvents\":[",
        kUnit, json_string(program_.name), name(program_.target), recording_.count(), first_, end_, kVersion, note));
  }

  // What a track is called, when it is used for the first time.
  void name_track(std::uint16_t block, int track, std::string_view name) {
    if (!tracks_.insert({block, track}).second) return;
    if (named_blocks_.insert(block).second) {
      event(fmt::format(
          "{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{},\"tid\":0,\"args\":{{\"name\":\"block {} of {} "
          "(1 us is one step)\"}}}}",
          block, block, json_inside(program_.name)));
      event(fmt::format(
          "{{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":{0},\"tid\":0,\"args\":{{\"sort_index\":{0}}}}}",
          block));
    }
    event(fmt::format("{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":\"{}\"}}}}",
                      block, track, name));
    event(fmt::format(
        "{{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":{},\"tid\":{},\"args\":{{\"sort_index\":{}}}}}", block,
        track, track));
  }
  static std::string json_inside(std::string_view text) {
    const std::string quoted = json_string(text);
    return quoted.substr(1, quoted.size() - 2);
  }

  // --- loops ---
  // The steps of one turn share the place where their loops are kept.
  void loops(std::uint32_t at) {
    const Step& now = recording_.step(at);
    if (at > first_ && now.loops == last_.loops && now.loop_count == last_.loop_count && now.block == last_.block)
      return;
    last_ = now;
    const auto turns = recording_.loops(at);
    std::size_t same = 0;
    while (same < open_.size() && same < turns.size() && open_[same].turn.entry == turns[same].entry &&
           open_[same].turn.turn == turns[same].turn && open_[same].block == now.block)
      ++same;
    const bool next_turn = same < open_.size() && same < turns.size() && open_[same].block == now.block &&
                           open_[same].turn.entry == turns[same].entry;
    close_loops(same + (next_turn ? 1 : 0), at);
    if (next_turn) {
      end_event(now.block, at);
      open_[same].turn = turns[same];
      begin_turn(now.block, turns[same], at);
      ++same;
    }
    for (; same < turns.size(); ++same) {
      begin_event(now.block, at, loop_name(turns[same]), fmt::format("\"line\":{}", turns[same].pos.line));
      begin_turn(now.block, turns[same], at);
      open_.push_back({now.block, turns[same]});
    }
  }
  // Those from a depth on: a turn, and the loop around it.
  void close_loops(std::size_t depth, std::uint32_t at) {
    for (; open_.size() > depth; open_.pop_back()) {
      end_event(open_.back().block, at);
      end_event(open_.back().block, at);
    }
  }
  void begin_turn(std::uint16_t block, const LoopTurn& turn, std::uint32_t at) {
    if (turn.is_region()) return begin_event(block, at, "body", "");
    begin_event(block, at, fmt::format("turn {}", turn.turn), fmt::format("\"value\":{}", turn.variable));
  }
  void begin_event(std::uint16_t block, std::uint32_t at, std::string_view name, const std::string& args) {
    name_track(block, kLoopTrack, "loops");
    event(fmt::format("{{\"ph\":\"B\",\"cat\":\"loop\",\"name\":{},\"pid\":{},\"tid\":{},\"ts\":{},\"args\":{{{}}}}}",
                      json_string(name), block, kLoopTrack, at, args));
  }
  void end_event(std::uint16_t block, std::uint32_t at) {
    event(fmt::format("{{\"ph\":\"E\",\"pid\":{},\"tid\":{},\"ts\":{}}}", block, kLoopTrack, at));
  }
  std::string loop_name(const LoopTurn& turn) const {
    return program_.tree != nullptr ? text::loop_title(*program_.tree, turn.pos) : "loop";
  }

  // --- steps ---
  void step(std::uint32_t at) {
    const Step& one = recording_.step(at);
    const Bound& bound = recording_.bound(at);
    const int track = track_of(bound.pipe);
    name_track(one.block, track, bound.pipe == Pipe::None ? "no pipe" : name(bound.pipe));
    std::string inputs, results;
    for (const Operand& operand : bound.operands) {
      std::string& list = operand.spec->role == Role::Out ? results : inputs;
      list += fmt::format("{}{}:{}", list.empty() ? "" : ",", json_string(operand.spec->name),
                          json_string(operand_text(program_, operand)));
    }
    std::string& text = texts_[one.instruction];
    if (text.empty()) text = json_string(program_.short_text(one.instruction));
    event(fmt::format(
        "{{\"ph\":\"X\",\"cat\":\"step\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":1,"
        "\"args\":{{\"step\":{},\"line\":{},\"text\":{},\"operands\":{{{}}},\"results\":{{{}}},\"findings\":{}}}}}",
        bound.row->name, one.block, track, at, at, bound.pos.line, text, inputs, results, findings_at(at)));
  }
  std::size_t findings_at(std::uint32_t at) const {
    std::size_t count = 0;
    for (auto it = finding_; it != findings_.end() && it->step == at; ++it) ++count;
    return count;
  }

  // --- flags ---
  // An arrow needs both its ends: of the steps from the first on, those that raise what somebody waits for, and the
  // waits. The first raise is the first that is answered.
  void pair_flags() {
    std::map<std::uint64_t, std::deque<std::uint32_t>> raised;
    paired_.resize(end_ - first_);
    for (std::uint32_t at = 0; at < end_; ++at) {
      const FlagUse use = flag_use(recording_.bound(at), recording_.step(at).block);
      if (use.kind == FlagUse::Kind::Raise) raised[use.key].push_back(at);
      if (use.kind != FlagUse::Kind::Wait || raised[use.key].empty()) continue;
      const std::uint32_t raise = raised[use.key].front();
      raised[use.key].pop_front();
      if (raise >= first_) paired_[raise - first_] = paired_[at - first_] = true;
    }
  }
  void flags(std::uint32_t at) {
    if (!paired_[at - first_]) return;
    const FlagUse use = flag_use(recording_.bound(at), recording_.step(at).block);
    std::deque<std::uint32_t>& open = flows_[use.key];
    if (use.kind == FlagUse::Kind::Raise) {
      open.push_back(next_flow_++);
      flow_event('s', at, open.back());
    } else {
      flow_event('f', at, open.front());
      open.pop_front();
    }
  }
  // In the middle of its step, so that it belongs to no other.
  void flow_event(char phase, std::uint32_t at, std::uint32_t id) {
    event(fmt::format(
        "{{\"ph\":\"{}\",\"cat\":\"flag\",\"name\":\"flag\",\"id\":{},\"pid\":{},\"tid\":{},\"ts\":{}.5{}}}", phase, id,
        recording_.step(at).block, track_of(recording_.bound(at).pipe), at, phase == 'f' ? ",\"bp\":\"e\"" : ""));
  }

  // --- what was found, and what people marked ---
  void findings(std::uint32_t at) {
    for (; finding_ != findings_.end() && finding_->step == at; ++finding_) {
      const Diagnostic& found = finding_->diagnostic;
      const bool made = at < recording_.count();
      const std::uint16_t block = made ? recording_.step(at).block : last_.block;
      const int track = made ? track_of(recording_.bound(at).pipe) : kLoopTrack;
      if (!made) name_track(block, kLoopTrack, "loops");
      event(
          fmt::format("{{\"ph\":\"i\",\"s\":\"{}\",\"cat\":\"finding\",\"name\":{},\"pid\":{},\"tid\":{},\"ts\":{},"
                      "\"args\":{{\"step\":{},"
                      "\"severity\":\"{}\",\"kind\":\"{}\",\"line\":{},\"text\":{},\"hint\":{}}}}}",
                      made ? "t" : "p", json_string(found.rule), block, track,
                      made ? fmt::format("{}.5", at) : fmt::format("{}", at), at, name(found.severity),
                      name(found.kind), found.pos.line, json_string(found.text), json_string(found.hint)));
    }
  }
  void marks(std::uint32_t at) {
    for (auto [mark, last] = bookmarks_.equal_range(at); mark != last; ++mark) {
      name_track(at < end_ ? recording_.step(at).block : last_.block, kLoopTrack, "loops");
      event(fmt::format(
          "{{\"ph\":\"i\",\"s\":\"g\",\"cat\":\"bookmark\",\"name\":{},\"pid\":{},\"tid\":{},\"ts\":{},\"args\":{{"
          "\"position\":{}}}}}",
          json_string(mark->second), at < end_ ? recording_.step(at).block : last_.block, kLoopTrack, at, at));
    }
  }

  struct OpenLoop {
    std::uint16_t block;
    LoopTurn turn;
  };

  const Recording& recording_;
  const Program& program_;
  const std::vector<Finding>& findings_;
  const TraceOptions& options_;
  data::FileWriter& file_;
  std::uint32_t first_ = 0, end_ = 0;
  std::multimap<std::uint32_t, std::string> bookmarks_;
  std::vector<std::string> texts_;  // by instruction, as JSON
  bool any_ = false;
  std::set<std::pair<std::uint16_t, int>> tracks_;
  std::set<std::uint16_t> named_blocks_;
  std::vector<OpenLoop> open_;
  Step last_ = {};
  std::vector<Finding>::const_iterator finding_;
  std::vector<bool> paired_;  // by step, from the first on
  std::map<std::uint64_t, std::deque<std::uint32_t>> flows_;
  std::uint32_t next_flow_ = 1;
};

}  // namespace

std::uint32_t trace_length(std::uint32_t count, const TraceOptions& options) {
  const std::uint32_t first = std::min(options.first, count), end = std::clamp(options.end, first, count);
  return std::min(end - first, options.most_steps);
}

data::Error export_trace(const Recording& recording, const std::vector<Finding>& findings,
                         const std::map<std::string, std::uint32_t>& bookmarks, const std::string& path,
                         const TraceOptions& options) {
  data::FileWriter file(path, options.rules);
  if (!file.good()) return file.finish();
  if (!TraceExport(recording, findings, bookmarks, options, file).run())
    return {fmt::format("{}: not written: it was called off", path), {}};
  return file.finish();
}

}  // namespace ts
