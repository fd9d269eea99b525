// Saving and loading what was set.
#include "app/window/kept_work.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

namespace ts::ui {
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

bool waits_for_something(const StopRule& rule) {
  return rule.step || rule.line || !rule.op.empty() || rule.watch || rule.nan || rule.inf || rule.finding;
}

}  // namespace

KeptWork work_of(const Standing& standing) {
  KeptWork work{.moment = standing.moment, .bookmarks = standing.bookmarks};
  for (const StopEntry& stop : standing.stops)
    if (!stop.rule.when) work.stops.push_back(stop);
  for (const WatchLine& watch : standing.watches) work.watches.push_back(watch.expression);
  return work;
}

void put_into(Session& session, const KeptWork& work, std::vector<std::string>& lost) {
  for (const StopEntry& stop : work.stops) {
    const auto added = session.add_stop(stop.rule);
    if (const auto* refused = std::get_if<Refusal>(&added))
      lost.push_back(refused->text);
    else
      session.find_stop(std::get<StopId>(added))->enabled = stop.enabled;
  }
  session.watches() = work.watches;
  for (const auto& [name, position] : work.bookmarks) session.bookmarks()[name] = std::min(position, session.count());
}

nlohmann::json save_work(const KeptWork& work) {
  json saved{{"version", 1}, {"watches", work.watches}, {"bookmarks", work.bookmarks}, {"stops", json::array()}};
  for (const StopEntry& stop : work.stops) saved["stops"].push_back(save_stop(stop));
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
  return work;
}

std::string work_path(const std::string& folder, const Document& document) {
  if (folder.empty() || document.tree == nullptr) return "";
  const std::string_view text = document.tree->source->text();
  return fmt::format("{}/programs/{:016x}-{}.json", folder, XXH3_64bits(text.data(), text.size()), document.entry);
}

}  // namespace ts::ui
