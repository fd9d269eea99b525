// Steps as moves: what lands, when and from where is what the data flow says, in the order of the trace.
#include "core/debug/picture/step_motion.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "core/debug/session/session.h"
#include "tests/support/random.h"
#include "tests/support/record/recorded.h"
#include "tests/support/text/small_text.h"

namespace ts::test {
namespace {

constexpr MotionMode kMotionModes[] = {MotionMode::AsItRuns, MotionMode::ByRows, MotionMode::AtOnce};

struct MovedStep {
  const char* instruction;
  std::vector<std::string> ins, outs;
};

std::vector<MovedStep> random_moves(Random& random) {
  const std::uint32_t rows = 1 + random.below(12), cols = 8 * (1 + random.below(12));
  const std::string tile = fmt::format("{}x{}xf32", rows, cols),
                    part = fmt::format("{}x{}xf32, valid={}x{}", rows, cols, rows, 2 * (1 + random.below(cols / 2)));
  const std::uint32_t high = 8 * (1 + random.below(3));
  return {{"tinterleave", {part, part}, {part, part}},
          {"tdeinterleave", {part, part}, {part, part}},
          {"tadd", {tile, tile}, {tile}},
          {"ttrans", {fmt::format("{}x{}xf32", high, cols)}, {fmt::format("{}x{}xf32", cols, high)}},
          {"tcolexpand", {fmt::format("1x{}xf32", cols)}, {tile}}};
}

SharedRecording record_move(const MovedStep& one, Target target) {
  SmallText text(target);
  std::vector<std::string> ins, outs;
  for (const std::string& type : one.ins) text.tile(ins.emplace_back(fmt::format("i{}", ins.size())), type);
  for (const std::string& type : one.outs) text.tile(outs.emplace_back(fmt::format("o{}", outs.size())), type);
  text.step(one.instruction, ins, outs);
  return record_text(text.text());
}

// The step looked at the other way round: access by access.
struct Played {
  std::map<Flat, std::uint32_t> written;               // by byte: the micro-operation that wrote it last
  std::map<Flat, std::vector<std::uint32_t>> read_by;  // those that read it
};
Played play_trace(const Trace& trace, const MemoryMap& map) {
  Played played;
  for (std::uint32_t i = 0; i < trace.steps.size(); ++i) {
    for (const TraceAccess& access : trace.steps[i].reads)
      for (Flat at = 0; at < access.size; ++at) played.read_by[map.flat(access.place()) + at].push_back(i);
    if (std::string_view(trace.steps[i].op->name) == "emu.unspecified") continue;
    for (const TraceAccess& access : trace.steps[i].writes)
      for (Flat at = 0; at < access.size; ++at) played.written[map.flat(access.place()) + at] = i;
  }
  return played;
}

struct Moved {
  SharedRecording recording;
  Session session;
  Flow flow;
  StepMotion motion;
  explicit Moved(SharedRecording shared)
      : recording(shared),
        session(shared),
        flow((session.trace(0), session.flow_of(0))),
        motion(*recording, 0, session.trace(0), flow) {}
};

// Of every element of a result that the step wrote, and of every source that is an element: f(result, source, decided).
template <class F>
void for_links(const Moved& moved, F f) {
  const Bound& bound = moved.recording->bound(0);
  StepMap map;
  map.look_at(0);
  for (const ElementTimes& times : moved.motion.order().operands) {
    if (bound.operands[static_cast<std::size_t>(times.operand)].spec->role != Role::Out) continue;
    for (std::uint32_t row = 0; row < times.rows; ++row)
      for (std::uint32_t col = 0; col < times.cols; ++col) {
        const StepElement result{times.operand, row, col};
        for (const Source& source : map.sources(*moved.recording, moved.flow, result))
          if (const auto from = element_of_source(moved.recording->program(), bound, source))
            f(result, *from, source.decided);
      }
  }
}

void check_order(const Moved& moved, const Trace& trace) {
  const MemoryMap& map = moved.flow.before().map();
  const Played played = play_trace(trace, map);
  const StepOrder& order = moved.motion.order();
  std::size_t written = 0;
  for (const ElementTimes& times : order.operands)
    for (std::uint32_t row = 0; row < times.rows; ++row)
      for (std::uint32_t col = 0; col < times.cols; ++col) {
        const StepElement element{times.operand, row, col};
        const Flat at = map.flat(place_of(moved.recording->program(), moved.recording->bound(0), element));
        const auto wrote = played.written.find(at);
        if (wrote != played.written.end()) {
          CHECK(order.at(order.written(element)).micro == wrote->second);
          ++written;
        }
        const auto read = played.read_by.find(at);
        CHECK((order.first_read(element) == StepOrder::kNever) == (read == played.read_by.end()));
        if (read != played.read_by.end()) CHECK(order.at(order.first_read(element)).micro == read->second.front());
      }
  CHECK(written > 0);
}

bool holds_element(const Window& window, const StepElement& element) {
  return element.row - window.row < window.rows && element.col - window.col < window.cols;
}

void check_frame(const Moved& moved, MotionMode mode, double progress) {
  const StepMotion& motion = moved.motion;
  const auto under_way = motion.under_way(mode, progress, ~std::size_t{0});
  std::vector<bool> needed(under_way.size(), false);
  for_links(moved, [&](const StepElement& result, const StepElement& from, bool decided) {
    const auto way = motion.way(mode, result, from);
    REQUIRE(way.has_value());
    CHECK(way->lands == motion.lands(mode, result));
    CHECK(way->departs < way->lands);
    const bool moves = way->departs < progress && progress < way->lands;
    bool found = false;
    for (std::size_t i = 0; i < under_way.size(); ++i) {
      const Travel& one = *under_way[i];
      if (one.to != result.operand || one.from != from.operand || one.decided != decided) continue;
      if (mode == MotionMode::AsItRuns && (one.way.lands != way->lands || one.way.departs != way->departs)) continue;
      if (!holds_element(one.result, result) || !holds_element(one.source, from)) continue;
      found = true;
      needed[i] = needed[i] || moves;
    }
    if (moves) CHECK(found);
  });
  CHECK(std::ranges::count(needed, false) == 0);
}

TEST_CASE("step_motion: links and landing places are those of the data flow, the order is that of the trace") {
  Random random(2601);
  for (int round = 0; round < 12; ++round)
    for (const MovedStep& one : random_moves(random))
      for (const Target target : {Target::A5, Target::A2A3}) {
        if (target == Target::A2A3 && std::string_view(one.instruction).ends_with("interleave")) continue;  // not there
        const SharedRecording recording = record_move(one, target);
        CAPTURE(one.instruction);
        CAPTURE(one.ins[0]);
        CAPTURE(target);
        Moved moved(recording);
        const Trace trace = moved.session.trace(0);
        moved.flow = moved.session.flow_of(0);
        REQUIRE_FALSE(moved.motion.empty());
        check_order(moved, trace);
        for (const MotionMode mode : kMotionModes) check_frame(moved, mode, random.below(1000) / 1000.0);
      }
}

TEST_CASE("step_motion: nothing has left at 0, everything is there at 1, and landings are walked one by one") {
  Random random(2602);
  for (const MovedStep& one : random_moves(random)) {
    CAPTURE(one.instruction);
    Moved moved(record_move(one, Target::A5));
    for (const MotionMode mode : kMotionModes) {
      for_links(moved, [&](const StepElement& result, const StepElement& from, bool) {
        const Way way = *moved.motion.way(mode, result, from);
        CHECK(way.at(0) == 0);
        CHECK(way.at(1) == 1);
      });
      double progress = 0;
      std::vector<double> stops{0};
      for (int i = 0; progress < 1 && i < 10000; ++i) {
        const double next = moved.motion.next_landing(mode, progress);
        CHECK(next > progress);
        stops.push_back(progress = next);
      }
      CHECK(progress == 1);
      for (std::size_t i = stops.size(); i-- > 1;)
        CHECK(moved.motion.previous_landing(mode, stops[i]) == doctest::Approx(stops[i - 1]));
    }
  }
}

TEST_CASE("step_motion: an addition of two rows, by hand") {
  Moved moved(record_move({"tadd", {"2x64xf32", "2x64xf32"}, {"2x64xf32"}}, Target::A5));
  const StepMotion& motion = moved.motion;
  // One register a row: the first row has landed before the second one leaves.
  const Way first = *motion.way(MotionMode::AsItRuns, {2, 0, 5}, {0, 0, 5}),
            second = *motion.way(MotionMode::AsItRuns, {2, 1, 5}, {1, 1, 5});
  CHECK(first.lands <= second.departs);
  CHECK(second.lands == 1);
  CHECK(motion.travels(MotionMode::AsItRuns).size() == 4);
  CHECK(motion.travels(MotionMode::AsItRuns)[0].result == Window{0, 0, 1, 64});
  CHECK(motion.travels(MotionMode::ByRows).size() == 4);
  CHECK(motion.travels(MotionMode::AtOnce).size() == 2);
  CHECK(*motion.lands(MotionMode::ByRows, {2, 0, 63}) == 0.5);
  REQUIRE(motion.current(MotionMode::ByRows, 0.6) != nullptr);
  CHECK(motion.current(MotionMode::ByRows, 0.6)->first == StepElement{2, 1, 0});
}

}  // namespace
}  // namespace ts::test
