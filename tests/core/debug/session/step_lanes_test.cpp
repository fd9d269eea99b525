// The lanes of a timeline against plain loops over the steps: counts, columns in which nothing vanishes, loops, stops.
#include "core/debug/session/step_lanes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/support/record/recorded.h"

using namespace ts;
using namespace ts::test;

namespace {

StepLanes lanes_of(const Recording& recording) {
  auto lanes = StepLanes::make(recording, recording.findings());
  REQUIRE(lanes);
  return std::move(*lanes);
}

struct PlainStep {
  Pipe pipe;
  std::uint32_t core;
  bool finding = false, error = false;
};
std::vector<PlainStep> plain_steps(const Recording& recording) {
  std::vector<PlainStep> steps;
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    const bool together = recording.program().together();
    steps.push_back({recording.bound(step).pipe, together ? recording.bound(step).core : recording.step(step).block});
  }
  for (const Finding& finding : recording.findings()) {
    if (finding.step >= steps.size()) continue;
    steps[finding.step].finding = true;
    if (finding.diagnostic.severity == Severity::Error) steps[finding.step].error = true;
  }
  return steps;
}

// What a column should say, by looking at each of its steps.
LaneColumn plain_column(const std::vector<PlainStep>& steps, const StepLane& lane, StepSpan span) {
  LaneColumn column{.span = span};
  for (std::uint32_t step = span.first; step < span.end; ++step) {
    if (steps[step].pipe != lane.pipe || (lane.core && steps[step].core != *lane.core)) continue;
    ++column.steps;
    column.finding |= steps[step].finding;
    column.error |= steps[step].error;
  }
  return column;
}

void check_columns(const StepLanes& lanes, const std::vector<PlainStep>& steps, StepSpan view, std::uint32_t width) {
  std::vector<StepLane> all(lanes.rows().begin(), lanes.rows().end());
  for (const Pipe pipe : lanes.pipes()) all.push_back({pipe});
  for (const StepLane& lane : all) {
    std::vector<LaneColumn> expected, got;
    for (std::uint32_t first = view.first / width * width; first < view.end; first += width) {
      const StepSpan span{std::max(first, view.first), std::min(first + width, view.end)};
      if (const LaneColumn column = plain_column(steps, lane, span); column.steps > 0) expected.push_back(column);
    }
    lanes.for_columns(lane, view, width, [&](const LaneColumn& column) { got.push_back(column); });
    REQUIRE(expected.size() == got.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      CHECK(expected[i].span == got[i].span);
      CHECK(expected[i].steps == got[i].steps);
      CHECK(expected[i].finding == got[i].finding);
      CHECK(expected[i].error == got[i].error);
    }
  }
}

// All entries into loops of a depth, by the entry's number.
std::vector<StepSpan> plain_loops(const Recording& recording, std::size_t depth) {
  constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<StepSpan> loops;
  std::uint32_t entry = kNone;
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    const auto turns = recording.loops(step);
    if (turns.size() <= depth) {
      entry = kNone;
      continue;
    }
    if (entry != turns[depth].entry) loops.push_back({step, step});
    entry = turns[depth].entry;
    loops.back().end = step + 1;
  }
  return loops;
}

void check_turns(const StepLanes& lanes, const Recording& recording, std::size_t depth, StepSpan loop) {
  std::set<std::uint32_t> turns;
  for (std::uint32_t step = loop.first; step < loop.end; ++step) {
    turns.insert(recording.loops(step)[depth].turn);
    std::uint32_t next = step;
    while (next < loop.end && recording.loops(next)[depth].turn == recording.loops(step)[depth].turn) ++next;
    CHECK(lanes.next_turn(depth, step) == next);
  }
  CHECK(lanes.turns(depth, loop) == *turns.rbegin() + 1);
}

}  // namespace

TEST_CASE("step set: any, next, previous and counts are those of a plain set") {
  Random random(5);
  for (const std::uint32_t steps : {0u, 1u, 63u, 64u, 65u, 4096u, 5000u, 300'000u}) {
    for (const std::uint32_t rare : {1u, 3u, 1000u, 1'000'000u}) {
      CAPTURE(steps);
      CAPTURE(rare);
      StepSet set(steps);
      std::set<std::uint32_t> plain;
      for (std::uint32_t step = 0; step < steps; ++step)
        if (random.one_in(rare)) set.add(step), plain.insert(step);
      set.finish();
      CHECK(set.count() == plain.size());
      for (int i = 0; i < 200; ++i) {
        const std::uint32_t at = random.pick({random.below(steps + 1), 0u, steps, steps / 64 * 64});
        const auto next = plain.lower_bound(at);
        CHECK(set.next(at) == (next == plain.end() ? std::nullopt : std::optional(*next)));
        CHECK(set.previous(at) == (next == plain.begin() ? std::nullopt : std::optional(*std::prev(next))));
        if (at < steps) CHECK(set.holds(at) == plain.contains(at));
        const std::uint32_t end = std::min(steps, at + random.below(2000));
        CHECK(set.count(at, end) == std::distance(next, plain.lower_bound(end)));
      }
    }
  }
}

TEST_CASE("step lanes: every step stands on its pipe, and what was found never vanishes") {
  Random random(6);
  for (const Recorded& recorded : some_recordings(611)) {
    CAPTURE(recorded.name);
    const Recording& recording = *recorded.recording;
    const StepLanes lanes = lanes_of(recording);
    const std::vector<PlainStep> steps = plain_steps(recording);
    std::uint32_t placed = 0;
    for (const Pipe pipe : lanes.pipes()) placed += lanes.steps_of(pipe).count();
    CHECK(placed == recording.count());
    check_columns(lanes, steps, {0, recording.count()}, 1);
    for (int i = 0; i < 20; ++i) {
      const std::uint32_t first = random.below(recording.count()), end = random.between(first, recording.count());
      check_columns(lanes, steps, {first, end}, random.between(1, 100));
    }
  }
}

TEST_CASE("step lanes: blocks have their steps together") {
  OpenRequest request;
  request.blocks = 3;
  const SharedRecording recording = record_sample("row_loop", request);
  const StepLanes lanes = lanes_of(*recording);
  REQUIRE(lanes.turns().size() == 3);
  CHECK(lanes.cores() == 3);
  std::uint32_t end = 0;
  for (std::uint32_t block = 0; block < 3; ++block) {
    CHECK(lanes.turns()[block].core == block);
    CHECK(lanes.turns()[block].span.first == end);
    end = lanes.turns()[block].span.end;
    for (std::uint32_t step = lanes.turns()[block].span.first; step < end; ++step)
      CHECK(recording->step(step).block == block);
  }
  CHECK(end == recording->count());
}

TEST_CASE("step lanes: entries into loops, and their turns") {
  for (const Recorded& recorded : some_recordings(612)) {
    CAPTURE(recorded.name);
    const Recording& recording = *recorded.recording;
    const StepLanes lanes = lanes_of(recording);
    CHECK(plain_loops(recording, lanes.depths()).empty());
    for (std::size_t depth = 0; depth < lanes.depths(); ++depth) {
      const std::vector<StepSpan> expected = plain_loops(recording, depth);
      CHECK(std::ranges::equal(lanes.loops(depth), expected, {}, &LoopIndex::Loop::span));
      for (const StepSpan loop : expected) check_turns(lanes, recording, depth, loop);
    }
  }
}

TEST_CASE("step lanes: findings of a step that could not be made stand behind the last one") {
  const SharedRecording recording = record_sample("bug_uninitialised");
  const StepLanes lanes = lanes_of(*recording);
  std::set<std::uint32_t> expected;
  for (const Finding& finding : recording->findings()) expected.insert(finding.step);
  CHECK(std::ranges::equal(lanes.findings(), expected));
}

TEST_CASE("step lanes: where stops stand") {
  const SharedRecording recording = record_sample("row_loop");
  const std::uint32_t line = recording->bound(7).pos.line;
  const std::vector<StopPlace> stops{
      {.line = line}, {.op = "TADD"}, {.step = 3}, {.step = 4, .op = "tadd"}, {.step = 9999}, {}};
  const auto set = steps_with_stops(*recording, stops);
  REQUIRE(set);
  for (std::uint32_t step = 0; step < recording->count(); ++step) {
    const Bound& bound = recording->bound(step);
    const bool tadd = std::string(bound.row->name) == "tadd";
    CHECK(set->holds(step) == (bound.pos.line == line || tadd || step == 3));
  }
}

TEST_CASE("step lanes: making them ends when it is told to") {
  const SharedRecording recording = record_random(613, Target::A5, 50);
  CHECK(!StepLanes::make(*recording, {}, [] { return false; }));
  CHECK(!steps_with_stops(*recording, std::vector<StopPlace>{{.op = "tadd"}}, [] { return false; }));
}
