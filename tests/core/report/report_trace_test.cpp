// Recordings as traces: what viewers need, and what the recording says by itself.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/debug/session/session.h"
#include "core/report/trace_export.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/record/recorded.h"
#include "tests/support/report/trace_check.h"

namespace ts::test {
namespace {

using Json = nlohmann::json;
using Bookmarks = std::map<std::string, std::uint32_t>;

Json trace_of(const Recording& recording, const Bookmarks& bookmarks = {}, const TraceOptions& options = {},
              const std::vector<Finding>* findings = nullptr) {
  const TempFolder folder;
  const data::Error error = export_trace(recording, findings != nullptr ? *findings : recording.findings(), bookmarks,
                                         folder / "t.json", options);
  CHECK(error.text == "");
  const Json json = Json::parse(get_text(folder / "t.json"), nullptr, false);
  REQUIRE(!json.is_discarded());
  return json;
}

void is_good(const Json& trace) {
  for (const std::string& error : trace_errors(trace)) FAIL_CHECK(error);
}

std::vector<Json> events_of(const Json& trace, const char* phase, const char* category = nullptr) {
  std::vector<Json> out;
  for (const Json& event : trace["traceEvents"])
    if (event["ph"] == phase && (category == nullptr || event["cat"] == category)) out.push_back(event);
  return out;
}

std::string track_name(const Json& trace, const Json& event) {
  for (const Json& one : events_of(trace, "M"))
    if (one["name"] == "thread_name" && one["tid"] == event["tid"] && one["pid"] == event["pid"])
      return one["args"]["name"];
  return "";
}

std::uint32_t steps_called(const Recording& recording, std::string_view op) {
  std::uint32_t count = 0;
  for (std::uint32_t step = 0; step < recording.count(); ++step) count += recording.bound(step).row->name == op ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("trace: every step once, on its pipe; flags lead to their waits; loops hold their turns") {
  const SharedRecording recording = record_sample("row_loop");
  const Json trace = trace_of(*recording);
  is_good(trace);
  const std::vector<Json> steps = events_of(trace, "X");
  REQUIRE(steps.size() == recording->count());
  for (std::uint32_t step = 0; step < recording->count(); ++step) {
    const Json& event = steps[step];
    CHECK(event["ts"] == step);
    CHECK(event["args"]["step"] == step);
    CHECK(event["name"] == recording->bound(step).row->name);
    CHECK(event["args"]["line"] == recording->bound(step).pos.line);
    CHECK(track_name(trace, event) == name(recording->bound(step).pipe));
  }
  // 50 rows by 16: four turns, of which each waits three times, and two waits behind the loop.
  CHECK(events_of(trace, "f").size() == 14);
  CHECK(events_of(trace, "s").size() == 14);
  CHECK(steps_called(*recording, "wait_flag") == 14);
  const std::vector<Json> begun = events_of(trace, "B", "loop");
  REQUIRE(begun.size() == 5);
  CHECK(begun[0]["name"] == "for %row");
  CHECK(begun[4]["name"] == "turn 3");
  CHECK(begun[4]["args"]["value"] == 48);
  const auto add = std::ranges::find(steps, "tadd", [](const Json& event) { return event["name"].get<std::string>(); });
  CHECK(add->at("args")["operands"]["src0"] == "%x_even 16x104 f32 row_major, valid 16x100, ub[0x0,0x1a00)");
  CHECK(add->at("args")["results"].contains("dst"));
  CHECK(has(trace["otherData"]["unit"].get<std::string>(), "steps, not time"));
  CHECK(!trace["otherData"].contains("note"));
}

TEST_CASE("trace: a part has arrows between its own steps only, and a long one says that it was cut") {
  const SharedRecording recording = record_sample("row_loop");
  for (std::uint32_t first = 0; first < recording->count(); first += 3) {
    for (const std::uint32_t end : {first, first + 1, first + 9, 1000u}) {
      CAPTURE(first);
      CAPTURE(end);
      const Json trace = trace_of(*recording, {}, {.first = first, .end = end});
      is_good(trace);
      CHECK(events_of(trace, "X").size() == std::min(end, recording->count()) - first);
    }
  }
  const Json cut = trace_of(*recording, {}, {.first = 2, .most_steps = 10});
  is_good(cut);
  CHECK(events_of(cut, "X").size() == 10);
  CHECK(cut["otherData"]["note"] == "only the first 10 of 42 steps: more than that is more than viewers take");
  CHECK(trace_length(44, {.first = 2, .most_steps = 10}) == 10);
  CHECK(trace_length(44, {.first = 60, .most_steps = 10}) == 0);
}

TEST_CASE("trace: findings and bookmarks stand at their steps, whatever they say") {
  const SharedRecording recording = record_sample("row_loop");
  std::vector<Finding> findings(3);
  findings[0].step = 5;
  findings[0].diagnostic = {"X-R1", Severity::Warning, {7, 1}, "", "says \"this\"\n\\ and <that>\x01 \xFF", "a hint"};
  findings[1].step = 5;
  findings[2].step = recording->count();
  const Json trace = trace_of(*recording, {{"before\t\"x\"", 5}, {"end", recording->count()}}, {}, &findings);
  is_good(trace);
  const std::vector<Json> found = events_of(trace, "i", "finding"), marks = events_of(trace, "i", "bookmark");
  REQUIRE(found.size() == 3);
  CHECK(found[0]["ts"] == 5.5);
  CHECK(found[0]["args"]["text"] == "says \"this\"\n\\ and <that>\x01 \xEF\xBF\xBD");
  CHECK(found[0]["args"]["severity"] == "warning");
  CHECK(found[2]["ts"] == recording->count());
  REQUIRE(marks.size() == 2);
  CHECK(marks[0]["name"] == "before\t\"x\"");
  CHECK(marks[0]["ts"] == 5);
  CHECK(events_of(trace, "X")[5]["args"]["findings"] == 2);
}

TEST_CASE("trace: random programs with loops, calls and blocks") {
  for (const Recorded& one : some_recordings(5)) {
    CAPTURE(one.name);
    const Json trace = trace_of(*one.recording, {{"m", one.recording->count() / 2}});
    is_good(trace);
    CHECK(events_of(trace, "X").size() == one.recording->count());
    for (const Json& event : events_of(trace, "X"))
      CHECK(event["pid"] == one.recording->step(event["args"]["step"].get<std::uint32_t>()).block);
  }
}

TEST_CASE("trace: called off, or where a file is, nothing is written") {
  const SharedRecording recording = record_sample("row_loop");
  const TempFolder folder;
  TraceOptions options{.go_on = [](std::uint32_t) { return false; }};
  CHECK(has(export_trace(*recording, {}, {}, folder / "t.json", options).text, "called off"));
  CHECK(folder.entries() == 0);
  put_text(folder / "t.json", "mine");
  CHECK(has(export_trace(*recording, {}, {}, folder / "t.json", {.rules = data::Replace::No}).text,
            "there is such a file"));
  CHECK(get_text(folder / "t.json") == "mine");
}

TEST_CASE("trace: the check of traces finds what is wrong") {
  const SharedRecording recording = record_sample("row_loop");
  const Json good = trace_of(*recording);
  const auto broken = [&](auto change) {
    Json trace = good;
    change(trace["traceEvents"]);
    return !trace_errors(trace).empty();
  };
  const auto index_of = [&](const char* phase) {
    std::size_t at = 0;
    while (good["traceEvents"][at]["ph"] != phase) ++at;
    return at;
  };
  for (const char* phase : {"s", "f", "B", "E"}) {
    CAPTURE(phase);
    CHECK(broken([&](Json& events) { events.erase(index_of(phase)); }));
  }
  CHECK(broken([&](Json& events) { events[index_of("X")]["dur"] = 30; }));
  CHECK(broken([&](Json& events) { events[index_of("X")].erase("name"); }));
  CHECK(broken([&](Json& events) { events[index_of("X")]["ts"] = "0"; }));
  CHECK(broken([&](Json& events) { events[index_of("X")]["ph"] = "Q"; }));
  CHECK(broken([&](Json& events) {
    std::swap(events.front(), events.back()), events.erase(0), events.push_back(events.at(0));
  }));
  CHECK(broken([&](Json& events) { events[index_of("s")]["id"] = 2; }));
}

}  // namespace ts::test
