// The rules of the trace event format, as far as the program uses it.
#include "tests/support/report/trace_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ts::test {
namespace {

using Json = nlohmann::json;

struct Kind {
  const char* phase;
  std::vector<const char*> needed;  // beside the track, and nothing else
};
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> made = {
      {"M", {"name", "args"}},
      {"X", {"name", "cat", "ts", "dur", "args"}},
      {"B", {"name", "cat", "ts", "args"}},
      {"E", {"ts"}},
      {"i", {"name", "cat", "ts", "s", "args"}},
      {"s", {"name", "cat", "ts", "id"}},
      {"f", {"name", "cat", "ts", "id", "bp"}},
  };
  return made;
}

class TraceCheck {
 public:
  std::vector<std::string> run(const Json& trace) {
    if (!trace.is_object() || !trace.contains("traceEvents") || !trace["traceEvents"].is_array())
      return {"no list traceEvents"};
    for (const auto& [key, value] : trace.items())
      if (key != "traceEvents" && key != "otherData" && key != "displayTimeUnit") wrong("a member " + key);
    if (trace.value("displayTimeUnit", "") != "ns" && trace.value("displayTimeUnit", "") != "ms")
      wrong("displayTimeUnit");
    for (const Json& event : trace["traceEvents"]) {
      if (errors_.size() > 5) break;
      look(event);
      ++number_;
    }
    for (const auto& [track, open] : open_)
      if (open != 0) wrong(fmt::format("{} events of track {} never end", open, track.second));
    for (const auto& [id, ends] : flows_)
      if (ends.first != 1 || ends.second != 1)
        wrong(fmt::format("flow {} has {} starts and {} ends", id, ends.first, ends.second));
    for (const auto& track : used_)
      if (!named_.contains(track)) wrong(fmt::format("track {} has no name", track.second));
    return errors_;
  }

 private:
  using Track = std::pair<std::int64_t, std::int64_t>;
  void wrong(const std::string& what) { errors_.push_back(fmt::format("event {}: {}", number_, what)); }

  void look(const Json& event) {
    if (!event.is_object() || !event.contains("ph") || !event["ph"].is_string()) return wrong("no phase");
    const std::string phase = event["ph"];
    const auto kind = std::ranges::find(kinds(), phase, &Kind::phase);
    if (kind == kinds().end()) return wrong("an unknown phase " + phase);
    if (!fields_fit(event, *kind)) return;
    const Track track{event["pid"], event["tid"]};
    if (phase == "M") {
      if (event["name"] == "thread_name") named_.insert(track);
      if (event["name"] == "thread_name" && !event["args"]["name"].is_string()) wrong("a name that is no text");
      return;
    }
    used_.insert(track);
    const double at = event["ts"];
    if (at < last_) wrong(fmt::format("at {}, after one at {}", at, last_));
    last_ = std::max(last_, at);
    if (phase == "X") {
      if (at < busy_until_[track]) wrong("two complete events at once on a track");
      busy_until_[track] = at + event["dur"].get<double>();
    }
    if (phase == "B") ++open_[track];
    if (phase == "E" && --open_[track] < 0) wrong("an end without its beginning");
    if (phase == "s") {
      if (!flows_.emplace(event["id"].get<std::int64_t>(), std::pair{1, 0}).second) wrong("a flow begins twice");
    }
    if (phase == "f") {
      if (!flows_.contains(event["id"])) wrong("a flow ends before it begins");
      ++flows_[event["id"]].second;
    }
    if ((phase == "s" || phase == "f") && (at < busy_until_[track] - 1 || at >= busy_until_[track]))
      wrong("a flow outside of its event");
  }
  bool fields_fit(const Json& event, const Kind& kind) {
    std::set<std::string> known{"ph", "pid", "tid"};
    for (const char* field : kind.needed) known.insert(field);
    for (const std::string& field : known)
      if (!event.contains(field)) return wrong(fmt::format("{} without {}", kind.phase, field)), false;
    for (const auto& [field, value] : event.items()) {
      const bool number = field == "ts" || field == "dur" || field == "pid" || field == "tid" || field == "id";
      const bool good = known.contains(field) && (number            ? value.is_number() && value >= 0
                                                  : field == "args" ? value.is_object()
                                                                    : value.is_string());
      if (!good) return wrong(fmt::format("{} with {} = {}", kind.phase, field, value.dump())), false;
    }
    return true;
  }

  std::vector<std::string> errors_;
  std::size_t number_ = 0;
  double last_ = 0;
  std::map<Track, double> busy_until_;
  std::map<Track, int> open_;
  std::map<std::int64_t, std::pair<int, int>> flows_;
  std::set<Track> used_, named_;
};

}  // namespace

std::vector<std::string> trace_errors(const Json& trace) { return TraceCheck().run(trace); }

}  // namespace ts::test
