// Saving and loading what was set.
#include "core/debug/session/kept_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/data/fields.h"
#include "core/debug/session/condition.h"
#include "core/memory/place_word.h"

namespace ts {
namespace {

using nlohmann::json;

constexpr const char *kLowHalf = "low", *kHighHalf = "high";

bool is_word(const json& value) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
}

json save_watched(const Watched& watched) {
  json bytes = json::array();
  for (const ByteRange& range : watched.bytes) {
    bytes.push_back({place_word(range.space, range.core), range.address, range.size});
    if (range.part != BytePart::Whole) bytes.back().push_back(range.part == BytePart::Low ? kLowHalf : kHighHalf);
  }
  return {{"bytes", bytes}, {"touch", name(watched.touch)}, {"text", watched.text}};
}

json save_stop(const StopEntry& stop) {
  const StopRule& rule = stop.rule;
  json saved{{"enabled", stop.enabled}};
  if (rule.step) saved["step"] = *rule.step;
  if (rule.line) saved["line"] = *rule.line;
  if (rule.source) saved["source"] = {{"file", rule.source->file}, {"line", rule.source->line}};
  if (!rule.op.empty()) saved["op"] = rule.op;
  if (rule.core) saved["core"] = rule.core->text;
  if (rule.watch) saved["watch"] = save_watched(*rule.watch);
  if (rule.nan) saved["nan"] = true;
  if (rule.inf) saved["inf"] = true;
  if (rule.finding) saved["finding"] = true;
  if (rule.ignore != 0) saved["ignore"] = rule.ignore;
  if (!rule.log.empty()) saved["log"] = rule.log;
  if (const Condition* condition = condition_of(rule)) saved["when"] = condition->text;
  return saved;
}

std::optional<ByteRange> load_range(const json& saved) {
  const bool is_half = saved.is_array() && saved.size() == 4 && (saved[3] == kLowHalf || saved[3] == kHighHalf);
  const bool whole = saved.is_array() && (saved.size() == 3 || is_half) && saved[0].is_string() && is_word(saved[1]) &&
                     is_word(saved[2]);
  const auto memory = whole ? memory_of_word(saved[0].get<std::string>()) : std::nullopt;
  if (!memory) return {};
  ByteRange range{memory->space, saved[1].get<std::uint32_t>(), saved[2].get<std::uint32_t>()};
  range.core = memory->core;
  if (is_half && range.size == 1) range.part = saved[3] == kLowHalf ? BytePart::Low : BytePart::High;
  return range;
}

std::optional<Watched> load_watched(const data::Fields& saved) {
  Watched watched{.bytes = {}, .touch = Touch::Write, .text = saved.text("text").value_or("bytes")};
  for (const json& one : saved.list("bytes")) {
    const auto range = load_range(one);
    if (!range) return {};
    watched.bytes.push_back(*range);
  }
  const std::string touch_name = saved.text("touch").value_or("");
  for (const Touch touch : {Touch::Write, Touch::Change, Touch::Read})
    if (touch_name == name(touch)) watched.touch = touch;
  if (watched.bytes.empty()) return {};
  return watched;
}

StopEntry load_stop(const data::Fields& saved) {
  StopEntry stop;
  stop.enabled = saved.truth("enabled").value_or(true);
  stop.rule.step = saved.number32("step");
  stop.rule.line = saved.number32("line");
  if (saved.all().contains("source")) {
    const auto source = saved.below("source");
    stop.rule.source = SourceStop{source.text("file").value_or(""), source.number32("line").value_or(0)};
  }
  stop.rule.op = saved.text("op").value_or("");
  if (auto core = saved.text("core")) stop.rule.core = CoreChoice{.text = std::move(*core)};
  if (saved.all().contains("watch")) stop.rule.watch = load_watched(saved.below("watch"));
  stop.rule.nan = saved.truth("nan").value_or(false);
  stop.rule.inf = saved.truth("inf").value_or(false);
  stop.rule.finding = saved.truth("finding").value_or(false);
  stop.rule.ignore = saved.count("ignore", std::numeric_limits<std::uint64_t>::max()).value_or(0);
  stop.rule.log = saved.text("log").value_or("");
  if (const auto condition = saved.text("when")) stop.rule.when = Condition{*condition};
  return stop;
}

json save_note(const Note& note) {
  json saved{{"text", note.text}};
  if (note.step) saved["step"] = *note.step;
  if (note.element) saved["element"] = {note.element->owner, note.element->row, note.element->col};
  return saved;
}

// Nothing where it is about nothing or says nothing.
std::optional<Note> load_note(const json& object) {
  const data::Fields saved(object);
  Note note{.text = clean_note_text(saved.text("text").value_or("")), .step = saved.number32("step")};
  const json& element = saved.list("element");
  if (element.size() == 3 && element[0].is_string() && is_word(element[1]) && is_word(element[2]))
    note.element = {element[0].get<std::string>(), element[1].get<std::uint32_t>(), element[2].get<std::uint32_t>()};
  return note.text.empty() || (!note.step && !note.element) ? std::nullopt : std::optional(note);
}

// Somebody may have written one by hand, without the marks of JSON: it is about the step at its position.
std::optional<Note> read_note(const RecordingNote& written) {
  const auto parsed = data::parse_object(written.text);
  if (const auto* object = std::get_if<json>(&parsed)) return load_note(*object);
  const std::string text = clean_note_text(written.text);
  return text.empty() ? std::nullopt : std::optional(Note{.text = text, .step = written.position});
}

// A file may have any number of them.
void take_note(KeptWork& work, std::optional<Note> note) {
  if (!note) return;
  if (work.notes.size() < kMostNotes) put_note(work.notes, std::move(*note));
  else ++work.left_out;
}

bool waits_for_something(const StopRule& rule) {
  return rule.step || rule.line || rule.source || !rule.op.empty() || rule.core || rule.watch || rule.nan || rule.inf ||
         rule.finding;
}

constexpr StopId kGiven = 0x80000000u;

// Whether it is about this mark of the work, and not about one that is gone.
bool is_of(const FollowedMark& followed, const Mark& mark) {
  if (followed.fate == FollowedMark::Fate::Gone || followed.mark.index() != mark.index()) return false;
  if (const auto* stop = std::get_if<StopEntry>(&mark)) return std::get<StopEntry>(followed.mark).id == stop->id;
  if (const auto* bookmark = std::get_if<Bookmark>(&mark)) return std::get<Bookmark>(followed.mark) == *bookmark;
  return std::get<Note>(followed.mark) == std::get<Note>(mark);
}

json save_anchor(const MarkAnchor& anchor) {
  json saved{{"text", anchor.text}, {"before", anchor.before}, {"after", anchor.after}};
  if (anchor.is_step) saved.update({{"block", anchor.block}, {"turns", anchor.turns}});
  return saved;
}

MarkAnchor load_anchor(const data::Fields& saved) {
  MarkAnchor anchor{.text = saved.number32("text").value_or(0),
                    .before = saved.number32("before").value_or(0),
                    .after = saved.number32("after").value_or(0),
                    .block = saved.number32("block").value_or(0)};
  anchor.is_step = saved.all().contains("turns");
  for (const json& turn : saved.list("turns"))
    if (is_word(turn)) anchor.turns.push_back(turn.get<std::uint32_t>());
  return anchor;
}

json save_gone(const FollowedMark& gone) {
  json saved{{"was", gone.was}, {"anchor", save_anchor(gone.anchor)}};
  if (const auto* stop = std::get_if<StopEntry>(&gone.mark)) saved["stop"] = save_stop(*stop);
  if (const auto* bookmark = std::get_if<Bookmark>(&gone.mark))
    saved["bookmark"] = {{"name", bookmark->name}, {"position", bookmark->position}};
  if (const auto* note = std::get_if<Note>(&gone.mark)) saved["note"] = save_note(*note);
  return saved;
}

// Nothing where there is no mark in it.
std::optional<FollowedMark> load_gone(const json& object) {
  const data::Fields saved(object);
  FollowedMark gone{.mark = {},
                    .fate = FollowedMark::Fate::Gone,
                    .was = saved.text("was").value_or(""),
                    .anchor = load_anchor(saved.below("anchor"))};
  if (saved.all().contains("stop")) {
    gone.mark = load_stop(saved.below("stop"));
    if (!waits_for_something(std::get<StopEntry>(gone.mark).rule)) return {};
  } else if (saved.all().contains("bookmark")) {
    const data::Fields mark = saved.below("bookmark");
    gone.mark = Bookmark{mark.text("name").value_or(""), mark.number32("position").value_or(0)};
  } else {
    const auto note = load_note(saved.object("note"));
    if (!note) return {};
    gone.mark = *note;
  }
  return gone;
}

json save_fork(const KeptFork& fork) { return {{"name", fork.name}, {"edits", fork.edits}}; }

void take_fork(KeptWork& work, const json& object) {
  const data::Fields saved(object);
  KeptFork fork{clean_note_text(saved.text("name").value_or("")), saved.texts("edits")};
  if (work.forks.size() >= kMostForks) ++work.left_out;
  else if (!fork.name.empty() && !fork.edits.empty()) work.forks.push_back(std::move(fork));
}

// What could not be put into a session, of which only the first are told.
class Lost {
 public:
  explicit Lost(std::vector<std::string>& lines) : lines_(lines) {}
  ~Lost() {
    if (count_ > kTold) lines_.push_back(fmt::format("{} more were dropped", count_ - kTold));
  }
  void add(std::string line) {
    if (++count_ <= kTold) lines_.push_back(std::move(line));
  }

 private:
  static constexpr std::size_t kTold = 20;
  std::vector<std::string>& lines_;
  std::size_t count_ = 0;
};

}  // namespace

KeptWork work_of(Session& session) {
  return {.moment = session.moment(),
          .stops = without_scripted(session.stops()),
          .watches = session.watches(),
          .bookmarks = session.bookmarks(),
          .notes = session.notes(),
          .followed_marks = gone_marks(session.followed_marks()),
          .forks = session.forks(),
          .by_source = session.steps_by_source()};
}

std::vector<FollowedMark> gone_marks(const std::vector<FollowedMark>& followed) {
  std::vector<FollowedMark> gone;
  for (const FollowedMark& mark : followed)
    if (mark.fate == FollowedMark::Fate::Gone) gone.push_back(mark);
  return gone;
}

std::vector<StopEntry> without_scripted(const std::vector<StopEntry>& stops) {
  std::vector<StopEntry> kept;
  for (const StopEntry& stop : stops)
    if ((!stop.rule.when || condition_of(stop.rule) != nullptr) && !stop.rule.differs) kept.push_back(stop);
  return kept;
}

void put_into(Session& session, const KeptWork& work, std::vector<std::string>& lost) {
  Lost lines(lost);
  if (work.left_out != 0)
    lines.add(
        fmt::format("{} marks were left out: there may be {} bookmarks, breakpoints and watches each, and {} notes",
                    work.left_out, Session::kMostMarks, kMostNotes));
  std::vector<FollowedMark> followed = work.followed_marks;
  const auto lose = [&](const char* what, Mark mark, const Refusal& refused) {
    lines.add(fmt::format("{} was dropped: {}", what, refused.text));
    std::erase_if(followed, [&](const FollowedMark& other) { return is_of(other, mark); });
    if (followed.size() < Session::kMostMarks)
      followed.push_back({std::move(mark), FollowedMark::Fate::Gone, refused.text, {}});
  };
  for (std::size_t i = 0; i < work.stops.size(); ++i) {
    StopEntry stop = work.stops[i];
    stop.id = static_cast<StopId>(i + 1);
    const auto added = session.add_stop(stop.rule);
    if (const auto* refused = std::get_if<Refusal>(&added)) {
      lose("a breakpoint", stop, *refused);
      continue;
    }
    session.find_stop(std::get<StopId>(added))->enabled = stop.enabled;
    // Marked as found: numbers of the work and of the session are not to be mixed up.
    for (FollowedMark& other : followed)
      if (is_of(other, stop)) std::get<StopEntry>(other.mark).id = std::get<StopId>(added) | kGiven;
  }
  session.clear_watches();
  for (const std::string& watch : work.watches)
    if (const auto refused = session.watch(watch)) lines.add("a watch was dropped: " + refused->text);
  for (const auto& [name, position] : work.bookmarks)
    if (const auto refused = session.bookmark(name, position)) lose("a bookmark", Bookmark{name, position}, *refused);
  for (const Note& note : work.notes)
    if (const auto refused = session.note(note)) lose("a note", note, *refused);
  for (const KeptFork& fork : work.forks)
    if (const auto refused = session.keep_fork(fork)) lines.add("a fork was dropped: " + refused->text);
  for (FollowedMark& mark : followed)
    if (auto* stop = std::get_if<StopEntry>(&mark.mark)) stop->id &= ~kGiven;
  session.set_followed_marks(std::move(followed));
  if (work.by_source) session.step_by_source(true);
}

nlohmann::json save_work(const KeptWork& work) {
  json saved{{"version", 1}, {"watches", work.watches}, {"bookmarks", work.bookmarks}, {"stops", json::array()}};
  for (const StopEntry& stop : work.stops) saved["stops"].push_back(save_stop(stop));
  if (work.by_source) saved["bySource"] = true;
  if (!work.notes.empty()) saved["notes"] = json::array();
  for (const Note& note : work.notes) saved["notes"].push_back(save_note(note));
  for (const KeptFork& fork : work.forks) saved["forks"].push_back(save_fork(fork));
  for (const FollowedMark& gone : gone_marks(work.followed_marks)) saved["gone"].push_back(save_gone(gone));
  return saved;
}

KeptWork load_work(const nlohmann::json& saved) {
  KeptWork work;
  const data::Fields fields(saved);
  for (const json& stop : fields.list("stops")) {
    StopEntry entry = load_stop(data::Fields(stop));
    if (!waits_for_something(entry.rule)) continue;
    if (work.stops.size() < Session::kMostMarks) work.stops.push_back(std::move(entry));
    else ++work.left_out;
  }
  work.watches = fields.texts("watches");
  if (work.watches.size() > Session::kMostMarks) {
    work.left_out += work.watches.size() - Session::kMostMarks;
    work.watches.resize(Session::kMostMarks);
  }
  const data::Fields marks = fields.below("bookmarks");
  for (const auto& [name, position] : marks.all().items()) {
    const auto at = marks.number32(name);
    if (!at) continue;
    if (work.bookmarks.size() < Session::kMostMarks) work.bookmarks[name] = *at;
    else ++work.left_out;
  }
  work.by_source = fields.truth("bySource").value_or(false);
  for (const json& note : fields.list("notes")) take_note(work, load_note(note));
  for (const json& fork : fields.list("forks")) take_fork(work, fork);
  for (const json& one : fields.list("gone"))
    if (auto gone = load_gone(one); gone && work.followed_marks.size() < Session::kMostMarks)
      work.followed_marks.push_back(std::move(*gone));
  return work;
}

std::vector<RecordingNote> notes_of(const KeptWork& work) {
  std::vector<RecordingNote> notes;
  for (const auto& [name, position] : work.bookmarks) notes.push_back({"bookmark", name, position});
  for (const StopEntry& stop : work.stops) notes.push_back({"breakpoint", data::json_text(save_stop(stop)), 0});
  for (const std::string& watch : work.watches) notes.push_back({"watch", watch, 0});
  for (const Note& note : work.notes)
    notes.push_back({"note", data::json_text(save_note(note)), note.step.value_or(0)});
  for (const KeptFork& fork : work.forks) notes.push_back({"fork", data::json_text(save_fork(fork)), 0});
  return notes;
}

KeptWork work_of(const std::vector<RecordingNote>& notes) {
  json saved{{"watches", json::array()}, {"bookmarks", json::object()}, {"stops", json::array()}};
  for (const RecordingNote& note : notes) {
    if (note.kind == "bookmark") saved["bookmarks"][note.text] = note.position;
    if (note.kind == "watch") saved["watches"].push_back(note.text);
    if (note.kind != "breakpoint") continue;
    auto stop = data::parse_object(note.text);
    if (auto* object = std::get_if<json>(&stop)) saved["stops"].push_back(std::move(*object));
  }
  KeptWork work = load_work(saved);
  for (const RecordingNote& note : notes)
    if (note.kind == "note") take_note(work, read_note(note));
  for (const RecordingNote& note : notes) {
    if (note.kind != "fork") continue;
    const auto fork = data::parse_object(note.text);
    if (const auto* object = std::get_if<json>(&fork)) take_fork(work, *object);
  }
  return work;
}

std::shared_ptr<Session> session_of(const RecordingFile& file, std::vector<std::string>& lost) {
  auto session = std::make_shared<Session>(file.recording);
  session->set_findings(std::make_shared<const std::vector<Finding>>(file.findings));
  put_into(*session, work_of(file.notes), lost);
  return session;
}

data::Error save_session(Session& session, const std::string& path, const SaveOptions& options) {
  return save_recording(session.recording(), session.findings(), notes_of(work_of(session)), path, options);
}

}  // namespace ts
