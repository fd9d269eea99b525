// Saving a recording: its file is written beside the old one and takes its place when it is whole.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/data/seal.h"
#include "core/isa/thread_time.h"
#include "core/record/recording_file_format.h"
#include "version.h"

namespace ts {
namespace recording_file {
namespace {

// How long the slowest stretch of steps takes to be made again, asked as a digest asks its `go_on`.
class Pace {
 public:
  void pass(std::uint32_t steps) {
    const double now = thread_seconds();
    if (steps > last_steps_) slowest_ = std::max(slowest_, (now - last_) / (steps - last_steps_));
    last_ = now;
    last_steps_ = steps;
  }
  // The steps that a person may wait for without seeing it, a power of two.
  std::uint32_t interval() const {
    constexpr double kSeekSeconds = 5e-3;
    constexpr double kMost = 1024;
    return std::bit_floor(static_cast<std::uint32_t>(std::clamp(kSeekSeconds / std::max(slowest_, 1e-9), 1.0, kMost)));
  }

 private:
  double last_ = thread_seconds(), slowest_ = 0;
  std::uint32_t last_steps_ = 0;
};

// A multiple of what is there already: keyframes of keyframes.
Thinning thinning_for(const Recording& recording, const SaveOptions& options, std::uint32_t good) {
  const Thinning& now = recording.thinning();
  if (options.full || recording.count() == 0) return now;
  const std::uint64_t wanted = options.every != 0 ? options.every : good;
  const std::uint64_t have = now ? now.interval : 1;
  const std::uint64_t interval = std::max<std::uint64_t>(wanted / have, 1) * have;
  if (interval == 1 && !now) return now;
  return {.interval = static_cast<std::uint32_t>(interval), .dense_start = recording.count(), .times = 1};
}

// How far a save is: what there is to do, counted in steps of the recording.
class Progress {
 public:
  Progress(const Recording& recording, const SaveOptions& options) : steps_(recording.count()), options_(options) {}
  // Part 0, 1 or 2 of three: so much of it is done.
  bool pass(std::uint64_t part, std::uint64_t done, std::uint64_t all) {
    const std::uint64_t at = (part * steps_ + (all == 0 ? steps_ : done * steps_ / all)) / 3;
    if (!stopped_ && options_.go_on) stopped_ = !options_.go_on(static_cast<std::uint32_t>(at));
    return !stopped_;
  }
  bool stopped() const { return stopped_; }

 private:
  std::uint64_t steps_;
  const SaveOptions& options_;
  bool stopped_ = false;
};

bool same_finding(const Finding& a, const Finding& b) {
  const auto all = [](const Diagnostic& d) {
    return std::tie(d.rule, d.severity, d.pos, d.operand, d.text, d.hint, d.span, d.expected, d.kind);
  };
  const auto same_note = [](const DiagnosticNote& x, const DiagnosticNote& y) {
    return x.pos == y.pos && x.text == y.text;
  };
  const auto place = [](const Finding& f) {
    const DiagnosticElement element = f.diagnostic.element.value_or(DiagnosticElement{});
    const FoundElement found = f.element.value_or(FoundElement{});
    return std::tuple(f.diagnostic.element.has_value(), element.row, element.col, f.element.has_value(), found.operand,
                      found.row, found.col, found.place.space, found.place.address, found.place.size, found.place.core);
  };
  return a.step == b.step && all(a.diagnostic) == all(b.diagnostic) && place(a) == place(b) &&
         std::ranges::equal(a.diagnostic.notes, b.diagnostic.notes, same_note);
}

class Saver {
 public:
  Saver(data::Database& file, const Recording& recording, Progress& progress)
      : file_(file), recording_(recording), progress_(progress) {
    if (recording.program().together()) bound_core_.emplace(file, "INSERT INTO bound_cores VALUES(?,?)");
  }

  void save_edits() {
    data::Statement row(file_, "INSERT INTO edits VALUES(?,?,?,?,?)");
    std::uint32_t id = 0;
    for (const Edit& edit : recording_.edits())
      row.put(id++, edit.position, place_word(edit.space, edit.core), edit.address, std::span(edit.bytes));
    count("edits", id);
  }

  void save_waits() {
    data::Statement row(file_, "INSERT INTO waits VALUES(?,?,?,?,?,?,?)");
    data::Statement other_row(file_, "INSERT INTO awaited VALUES(?,?,?,?,?)");
    std::uint32_t id = 0, others = 0;
    for (const CoreWait& wait : recording_.waits()) {
      row.put(id, wait.core, wait.pos.line, wait.pos.column, wait.rule, wait.text, wait.hint);
      for (const AwaitedCore& other : wait.on) other_row.put(others++, id, other.core, other.act, other.state);
      ++id;
    }
    count("waits", id);
  }

  void save_steps() {
    constexpr std::uint32_t kAskEvery = 1024;
    data::Statement step_row(file_, "INSERT INTO steps VALUES(?,?,?,?,?,?)");
    data::Statement write_row(file_, "INSERT INTO writes VALUES(?,?,?,?,?,?,?)");
    data::Statement turn_row(file_, "INSERT INTO turns VALUES(?,?,?,?,?,?)");
    std::uint64_t turns = 0, writes = 0;
    for (std::uint32_t s = 0; s < recording_.count(); ++s) {
      if (s % kAskEvery == 0 && !progress_.pass(1, s, recording_.count())) return;
      const Step& step = recording_.step(s);
      step_row.put(s, step.instruction, save_bound(step), step.block, step.loops, step.loop_count);
      for (const WritePattern& pattern : recording_.writes(s)) {
        const ByteRange place = recording_.map().locate(pattern.base);
        write_row.put(writes++, s, place_word(place.space, place.core), place.address, pattern.size, pattern.stride,
                      pattern.count);
      }
      // Steps share turns, and begin with those of the steps before.
      const auto loops = recording_.loops(s);
      for (std::uint64_t i = std::max<std::uint64_t>(turns, step.loops); i < step.loops + loops.size(); ++i, ++turns) {
        const LoopTurn& turn = loops[i - step.loops];
        turn_row.put(i, turn.variable, turn.turn, turn.entry, turn.pos.line, turn.pos.column);
      }
    }
    if (const auto& unmade = recording_.unmade()) {
      count("unmade_bound", save_bound(*unmade));
      count("unmade_block", unmade->block);
    }
    count("steps", recording_.count());
    count("bounds", bounds_);
    count("operands", operands_);
    count("writes", writes);
    count("turns", turns);
  }

  // What the run found and what is to be kept are mostly the same.
  void save_findings(const std::vector<Finding>& kept) {
    const std::vector<Finding>& run = recording_.findings();
    std::size_t next = 0;
    for (const Finding& finding : kept) {
      while (next < run.size() && run[next].step < finding.step) save_finding(run[next++], FoundBy::RunDropped);
      const bool same = next < run.size() && same_finding(run[next], finding);
      save_finding(finding, same ? FoundBy::Run : FoundBy::Check);
      if (same) ++next;
    }
    while (next < run.size()) save_finding(run[next++], FoundBy::RunDropped);
    count("findings", findings_);
    count("finding_notes", finding_notes_);
  }

  void save_notes(const std::vector<RecordingNote>& notes) {
    data::Statement row(file_, "INSERT INTO notes VALUES(?,?,?,?)");
    std::uint32_t id = 0;
    for (const RecordingNote& note : notes) row.put(id++, note.kind, note.position, note.text);
    count("notes", id);
  }

  void count(const char* key, std::uint64_t value) { meta_.put(key, value); }
  void say(const char* key, std::string_view value) { meta_.put(key, value); }

 private:
  // The number of a step's operands in the file.
  std::uint32_t save_bound(const Step& step) {
    if (step.bound >= saved_as_.size()) saved_as_.resize(step.bound + 1, kNotYet);
    std::uint32_t& number = saved_as_[step.bound];
    if (number != kNotYet) return number;
    number = bounds_++;
    const Bound& bound = recording_.bound(step);
    const std::vector<OperandUse>& uses = recording_.program().instructions[step.instruction].operands;
    std::optional<std::uint32_t> event;
    // What names an event is no operand of the step, but in its attributes.
    if (bound.operands.size() < uses.size()) event = bound.attributes.back();
    bound_.put(number, step.instruction, event);
    if (bound_core_) bound_core_->put(number, bound.core);
    for (std::size_t i = 0; i < bound.operands.size(); ++i)
      save_operand(number, static_cast<std::uint32_t>(i), bound.operands[i]);
    return number;
  }

  void save_operand(std::uint32_t bound, std::uint32_t number, const Operand& operand) {
    const auto null = std::nullopt;
    const std::uint64_t id = operands_++;
    switch (operand.spec->kind) {
      case OperandKind::Tile:
        operand_.put(id, bound, number, operand.id, null, operand.tile.address, operand.tile.valid_rows,
                     operand.tile.valid_cols);
        break;
      case OperandKind::Global: {
        const GlobalRef& view = operand.global;
        operand_.put(id, bound, number, null, operand.id, view.address, null, null, name(view.dtype), name(view.layout),
                     view.shape[0], view.shape[1], view.shape[2], view.shape[3], view.shape[4], view.stride[0],
                     view.stride[1], view.stride[2], view.stride[3], view.stride[4]);
        break;
      }
      case OperandKind::Scalar:
        operand_.put(id, bound, number, null, null, null, null, null, name(operand.scalar.dtype), null, null, null,
                     null, null, null, null, null, null, null, null, operand.scalar.bits,
                     format_value(operand.scalar.dtype, operand.scalar.bits));
        break;
    }
  }

  void save_finding(const Finding& finding, FoundBy by) {
    const Diagnostic& said = finding.diagnostic;
    std::optional<std::uint32_t> row, col, found_row, found_col, address, size;
    std::optional<int> operand;
    std::optional<std::string> space;
    if (said.element) row = said.element->row, col = said.element->col;
    if (const auto& at = finding.element) {
      operand = at->operand, found_row = at->row, found_col = at->col;
      space = place_word(at->place.space, at->place.core), address = at->place.address, size = at->place.size;
    }
    finding_.put(findings_, finding.step, found_by_word(by), name(said.kind), said.rule, name(said.severity),
                 said.pos.line, said.pos.column, said.span, said.operand, said.text, said.expected, said.hint, row, col,
                 operand, found_row, found_col, space, address, size);
    for (const DiagnosticNote& note : said.notes)
      finding_note_.put(finding_notes_++, findings_, note.pos.line, note.pos.column, note.text);
    ++findings_;
  }

  static constexpr std::uint32_t kNotYet = 0xFFFFFFFFu;
  data::Database& file_;
  const Recording& recording_;
  Progress& progress_;
  data::Statement meta_{file_, "INSERT INTO meta VALUES(?,?)"};
  data::Statement bound_{file_, "INSERT INTO bounds VALUES(?,?,?)"};
  data::Statement operand_{file_, "INSERT INTO operands VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};
  data::Statement finding_{file_, "INSERT INTO findings VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};
  data::Statement finding_note_{file_, "INSERT INTO finding_notes VALUES(?,?,?,?,?)"};
  std::optional<data::Statement> bound_core_;
  std::vector<std::uint32_t> saved_as_;  // by the recording's number of a bound
  std::uint32_t bounds_ = 0, findings_ = 0;
  std::uint64_t operands_ = 0, finding_notes_ = 0;
};

// The database's pages: small ones for small files, and large ones where many snapshots are to fill them.
int page_bytes(std::uint64_t versions) {
  constexpr std::uint64_t kMany = 500;
  return versions > kMany ? 32768 : 4096;
}

// In ASCII, as all that a file says of itself; empty: there are none, or too many.
std::string sources_text(const std::map<std::string, std::string>& sources) {
  if (sources.empty()) return "";
  using nlohmann::json;
  std::string text = json(sources).dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() <= kMostSourcesBytes ? text : "";
}

void save_all(data::Database& file, const Recording& recording, const std::vector<Finding>& findings,
              const std::vector<RecordingNote>& notes, const Thinning& thinning, std::uint64_t versions, bool full,
              const std::string& digest, const std::string& sources, Progress& progress) {
  const int format = format_of(recording.program());
  file.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; BEGIN", kApplicationId, format).c_str());
  for (const SchemaRow& row : schema(format)) file.run(row.sql);
  {
    Saver saver(file, recording, progress);
    saver.say("program_version", kVersion);
    saver.say("digest", digest);
    if (!sources.empty()) saver.say("sources", sources);
    saver.say("stop", stop_word(recording.stop_reason()));
    saver.count("full", full);
    saver.count("thinned", static_cast<bool>(thinning));
    saver.count("interval", thinning.interval);
    saver.count("dense_start", thinning.dense_start);
    saver.count("most_steps", std::min<std::uint64_t>(recording.options().limits.most_steps, INT64_MAX));
    saver.count("most_code", std::min<std::uint64_t>(recording.options().limits.most_code, INT64_MAX));
    saver.count("page_versions", versions);
    if (const RunOrder& order = recording.options().limits.order; order != RunOrder{}) saver.say("order", name(order));
    if (recording.options().limits.strict_signals) saver.say("signals", "strict");
    save_program(file, recording);
    if (recording.program().together()) saver.save_waits();
    saver.save_edits();
    saver.save_steps();
    saver.save_findings(findings);
    saver.save_notes(notes);
    save_pages(file, recording, thinning, [&](std::uint64_t done) { return progress.pass(2, done, versions); });
  }
  file.run("INSERT INTO meta SELECT 'kept_pages', count(*) FROM kept_pages");
  file.run("COMMIT");
}

}  // namespace
}  // namespace recording_file

data::Error save_recording(const Recording& recording, const std::vector<Finding>& findings,
                           const std::vector<RecordingNote>& notes, const std::string& path,
                           const SaveOptions& options) {
  using namespace recording_file;
  if (const std::string why = not_savable(recording); !why.empty())
    return {
        fmt::format("{}: the recording cannot be saved: {}", path, why),
        recording.options().number_edits.empty()
            ? "recordings of program texts can"
            : "save the run without the change; the saved one takes the same change: --edit, or a fork in the window"};
  Progress progress(recording, options);
  const data::Error stopped{fmt::format("{}: nothing was saved: it was stopped", path), {}};
  Pace pace;
  const std::string digest = recording.digest([&](std::uint32_t steps) {
    pace.pass(steps);
    return progress.pass(0, steps, recording.count());
  });
  pace.pass(recording.count());
  if (progress.stopped()) return stopped;
  const Thinning thinning = thinning_for(recording, options, pace.interval());
  const std::uint64_t versions = versions_to_keep(recording, thinning);

  data::Replacement replacement;
  if (data::Error error = replacement.begin(path); !error.text.empty()) return error;
  data::Database file;
  if (file.create(replacement.beside(), page_bytes(versions))) {
    if (options.room != nullptr) file.bound(options.room->left / static_cast<std::uint64_t>(page_bytes(versions)));
    save_all(file, recording, findings, notes, thinning, versions, options.full, digest, sources_text(options.sources),
             progress);
  }
  if (progress.stopped()) return stopped;
  if (file.is_full() && options.room != nullptr) return *options.room->too_large(path, ~0ull);
  if (!file.close())
    return {fmt::format("{}: cannot be written: {}", path, file.error()), "is there room on the disk?"};
  if (data::Error error = data::seal(replacement.beside()); !error.text.empty()) return error;
  const std::uint64_t bytes = data::size_of(replacement.beside());
  if (options.room != nullptr)
    if (auto error = options.room->too_large(path, bytes)) return *error;
  data::Error error = replacement.commit();
  if (options.room != nullptr && error.text.empty()) options.room->left -= bytes;
  return error;
}

}  // namespace ts
