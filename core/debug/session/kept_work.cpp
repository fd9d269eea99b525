// Saving and loading what was set.
#include "core/debug/session/kept_work.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

namespace ts {
namespace {

using nlohmann::json;

json save_watched(const Watched& watched) {
  json bytes = json::array();
  for (const ByteRange& range : watched.bytes) bytes.push_back({name(range.space), range.address, range.size});
  return {{"bytes", bytes}, {"touch", name(watched.touch)}, {"text", watched.text}};
}

json save_stop(const StopEntry& stop) {
  const StopRule& rule = stop.rule;
  json saved{{"enabled", stop.enabled}};
  if (rule.step) saved["step"] = *rule.step;
  if (rule.line) saved["line"] = *rule.line;
  if (!rule.op.empty()) saved["op"] = rule.op;
  if (rule.watch) saved["watch"] = save_watched(*rule.watch);
  if (rule.nan) saved["nan"] = true;
  if (rule.inf) saved["inf"] = true;
  if (rule.finding) saved["finding"] = true;
  if (rule.ignore != 0) saved["ignore"] = rule.ignore;
  if (!rule.log.empty()) saved["log"] = rule.log;
  return saved;
}

// The values that are of the right kind; the others are as if they were not there.
template <class T>
std::optional<T> member(const json& from, const char* name) {
  const auto found = from.find(name);
  if (found == from.end()) return {};
  if constexpr (std::is_same_v<T, std::string>) {
    if (found->is_string()) return found->template get<std::string>();
  } else if constexpr (std::is_same_v<T, bool>) {
    if (found->is_boolean()) return found->template get<bool>();
  } else {
    if (found->is_number_unsigned()) return found->template get<T>();
  }
  return {};
}

std::optional<Watched> load_watched(const json& saved) {
  if (!saved.is_object() || !saved.contains("bytes") || !saved["bytes"].is_array()) return {};
  Watched watched{.bytes = {}, .touch = Touch::Write, .text = member<std::string>(saved, "text").value_or("bytes")};
  for (const json& range : saved["bytes"]) {
    if (!range.is_array() || range.size() != 3 || !range[0].is_string() || !range[1].is_number_unsigned() ||
        !range[2].is_number_unsigned())
      return {};
    const auto space = space_from_name(range[0].get<std::string>());
    if (!space) return {};
    watched.bytes.push_back({*space, range[1].get<std::uint32_t>(), range[2].get<std::uint32_t>()});
  }
  for (const Touch touch : {Touch::Write, Touch::Change, Touch::Read})
    if (member<std::string>(saved, "touch") == name(touch)) watched.touch = touch;
  return watched;
}

StopEntry load_stop(const json& saved) {
  StopEntry stop;
  stop.enabled = member<bool>(saved, "enabled").value_or(true);
  stop.rule.step = member<std::uint32_t>(saved, "step");
  stop.rule.line = member<std::uint32_t>(saved, "line");
  stop.rule.op = member<std::string>(saved, "op").value_or("");
  if (saved.contains("watch")) stop.rule.watch = load_watched(saved["watch"]);
  stop.rule.nan = member<bool>(saved, "nan").value_or(false);
  stop.rule.inf = member<bool>(saved, "inf").value_or(false);
  stop.rule.finding = member<bool>(saved, "finding").value_or(false);
  stop.rule.ignore = member<std::uint64_t>(saved, "ignore").value_or(0);
  stop.rule.log = member<std::string>(saved, "log").value_or("");
  return stop;
}

json save_note(const Note& note) {
  json saved{{"text", note.text}};
  if (note.step) saved["step"] = *note.step;
  if (note.element) saved["element"] = {note.element->owner, note.element->row, note.element->col};
  return saved;
}

// Nothing where it is about nothing or says nothing.
std::optional<Note> load_note(const json& saved) {
  if (!saved.is_object()) return {};
  Note note{.text = clean_note_text(member<std::string>(saved, "text").value_or("")),
            .step = member<std::uint32_t>(saved, "step")};
  if (const auto element = saved.find("element");
      element != saved.end() && element->is_array() && element->size() == 3 && (*element)[0].is_string() &&
      (*element)[1].is_number_unsigned() && (*element)[2].is_number_unsigned())
    note.element = {(*element)[0].get<std::string>(), (*element)[1].get<std::uint32_t>(),
                    (*element)[2].get<std::uint32_t>()};
  return note.text.empty() || (!note.step && !note.element) ? std::nullopt : std::optional(note);
}

// Somebody may have written one by hand, without the marks of JSON: it is about the step at its position.
std::optional<Note> read_note(const RecordingNote& written) {
  const json parsed = json::parse(written.text, nullptr, false);
  if (parsed.is_object()) return load_note(parsed);
  const std::string text = clean_note_text(written.text);
  return text.empty() ? std::nullopt : std::optional(Note{.text = text, .step = written.position});
}

// A file may have any number of them.
void take_note(std::vector<Note>& notes, std::optional<Note> note) {
  if (note && notes.size() < kMostNotes) put_note(notes, std::move(*note));
}

bool waits_for_something(const StopRule& rule) {
  return rule.step || rule.line || !rule.op.empty() || rule.watch || rule.nan || rule.inf || rule.finding;
}

}  // namespace

KeptWork work_of(Session& session) {
  return {.moment = session.moment(),
          .stops = without_scripted(session.stops()),
          .watches = session.watches(),
          .bookmarks = session.bookmarks(),
          .notes = session.notes()};
}

std::vector<StopEntry> without_scripted(const std::vector<StopEntry>& stops) {
  std::vector<StopEntry> kept;
  for (const StopEntry& stop : stops)
    if (!stop.rule.when && !stop.rule.differs) kept.push_back(stop);
  return kept;
}

void put_into(Session& session, const KeptWork& work, std::vector<std::string>& lost) {
  for (const StopEntry& stop : work.stops) {
    const auto added = session.add_stop(stop.rule);
    if (const auto* refused = std::get_if<Refusal>(&added))
      lost.push_back("a breakpoint was dropped: " + refused->text);
    else session.find_stop(std::get<StopId>(added))->enabled = stop.enabled;
  }
  session.watches() = work.watches;
  for (const auto& [name, position] : work.bookmarks) session.bookmarks()[name] = std::min(position, session.count());
  for (const Note& note : work.notes)
    if (const auto refused = session.note(note)) lost.push_back("a note was dropped: " + refused->text);
}

nlohmann::json save_work(const KeptWork& work) {
  json saved{{"version", 1}, {"watches", work.watches}, {"bookmarks", work.bookmarks}, {"stops", json::array()}};
  for (const StopEntry& stop : work.stops) saved["stops"].push_back(save_stop(stop));
  if (!work.notes.empty()) saved["notes"] = json::array();
  for (const Note& note : work.notes) saved["notes"].push_back(save_note(note));
  return saved;
}

KeptWork load_work(const nlohmann::json& saved) {
  KeptWork work;
  if (!saved.is_object()) return work;
  if (const auto stops = saved.find("stops"); stops != saved.end() && stops->is_array())
    for (const json& stop : *stops)
      if (StopEntry entry = stop.is_object() ? load_stop(stop) : StopEntry{}; waits_for_something(entry.rule))
        work.stops.push_back(std::move(entry));
  if (const auto watches = saved.find("watches"); watches != saved.end() && watches->is_array())
    for (const json& watch : *watches)
      if (watch.is_string()) work.watches.push_back(watch);
  if (const auto marks = saved.find("bookmarks"); marks != saved.end() && marks->is_object())
    for (const auto& [name, position] : marks->items())
      if (position.is_number_unsigned()) work.bookmarks[name] = position.get<std::uint32_t>();
  if (const auto notes = saved.find("notes"); notes != saved.end() && notes->is_array())
    for (const json& note : *notes) take_note(work.notes, load_note(note));
  return work;
}

std::vector<RecordingNote> notes_of(const KeptWork& work) {
  std::vector<RecordingNote> notes;
  for (const auto& [name, position] : work.bookmarks) notes.push_back({"bookmark", name, position});
  for (const StopEntry& stop : work.stops)
    notes.push_back({"breakpoint", save_stop(stop).dump(-1, ' ', false, json::error_handler_t::replace), 0});
  for (const std::string& watch : work.watches) notes.push_back({"watch", watch, 0});
  for (const Note& note : work.notes)
    notes.push_back(
        {"note", save_note(note).dump(-1, ' ', false, json::error_handler_t::replace), note.step.value_or(0)});
  return notes;
}

KeptWork work_of(const std::vector<RecordingNote>& notes) {
  json saved{{"watches", json::array()}, {"bookmarks", json::object()}, {"stops", json::array()}};
  for (const RecordingNote& note : notes) {
    if (note.kind == "bookmark") saved["bookmarks"][note.text] = note.position;
    if (note.kind == "watch") saved["watches"].push_back(note.text);
    if (note.kind == "breakpoint") saved["stops"].push_back(json::parse(note.text, nullptr, false));
  }
  KeptWork work = load_work(saved);
  for (const RecordingNote& note : notes)
    if (note.kind == "note") take_note(work.notes, read_note(note));
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
