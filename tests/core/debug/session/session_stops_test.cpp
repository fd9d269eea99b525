// Stops: where each kind stands, what conditions may do, counts, log points; what is refused, and in which words.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/debug/origins/printed_at.h"
#include "tests/support/debug/session_model.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"
#include "tests/support/text/waiting_op.h"

namespace ts::test {
namespace {

using Answer = StopRule::Answer;

// Two tiles are filled, then twice: t = a + b, b = t turned over. All elements of b are 1, 2, 3.
constexpr std::string_view kLoop = R"(module attributes {pto.target_arch = "a5"} {
  func.func @k() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %one = arith.constant 1.0 : f32
    %a = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    pto.texpands ins(%one : f32) outs(%a : !pto.tile_buf<vec, 8x8xf32>)
    pto.texpands ins(%one : f32) outs(%b : !pto.tile_buf<vec, 8x8xf32>)
    scf.for %i = %c0 to %c2 step %c1 {
      pto.tadd ins(%a, %b : !pto.tile_buf<vec, 8x8xf32>, !pto.tile_buf<vec, 8x8xf32>) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
      pto.ttrans ins(%t : !pto.tile_buf<vec, 8x8xf32>) outs(%b : !pto.tile_buf<vec, 8x8xf32>)
    }
    return
  }
})";

SharedRecording loop_recording() {
  const SharedRecording recording = record_text(kLoop);
  REQUIRE(recording->count() == 6);
  return recording;
}

ByteRange bytes_of_tile(const Recording& recording, std::string_view name) {
  for (const TileDecl& tile : recording.program().tiles)
    if (tile.name == name) return {Space::Ub, tile.address, static_cast<std::uint32_t>(tile.type.size_bytes())};
  FAIL("no such tile");
  return {};
}

StopRule on_op(const char* op) {
  StopRule rule;
  rule.op = op;
  return rule;
}
StopRule on_step(std::uint32_t step) {
  StopRule rule;
  rule.step = step;
  return rule;
}
StopRule on_watch(ByteRange place, Touch touch) {
  StopRule rule;
  rule.watch = Watched{{place}, touch, "it"};
  return rule;
}

StopId added(Session& session, StopRule rule) {
  const auto result = session.add_stop(std::move(rule));
  REQUIRE(std::holds_alternative<StopId>(result));
  return std::get<StopId>(result);
}

std::string refusal(Session& session, StopRule rule) {
  const std::size_t before = session.stops().size();
  const auto result = session.add_stop(std::move(rule));
  CHECK(session.stops().size() == before);
  if (!std::holds_alternative<Refusal>(result)) return "accepted";
  const Refusal& why = std::get<Refusal>(result);
  return why.hint.empty() ? why.text : why.text + " | " + why.hint;
}

// Where a session gets to by running on and on, as "step@position" with the id of the stop.
std::string all_stops(Session& session, Direction direction) {
  std::string text;
  for (;;) {
    const Stopped stop = session.run(direction);
    if (stop.reason != Stopped::Reason::Rule) return text + name(stop.reason);
    text += fmt::format("{}:{}@{} ", stop.stop, stop.step, session.moment().position);
  }
}

// --- random conditions -----------------------------------------------------------------------------------------------

// Asks both sessions the same, and takes down who was asked where.
class Conditions {
 public:
  Conditions(SharedRecording recording, std::uint64_t seed)
      : recording_(std::move(recording)), facts_(*recording_), session_(recording_), model_(facts_), random_(seed) {
    session_.on_log = [this](const std::string& text) { said_.push_back(text); };
  }

  void run() {
    for (int i = 0; i < 5; ++i) add();
    for (int i = 0; i < (kSanitized ? 20 : 100); ++i) {
      if (random_.one_in(3)) add();
      const Direction direction = random_.one_in(2) ? kForward : kBackward;
      if (random_.one_in(4)) {
        const std::uint32_t position = random_.below(recording_->count() + 1);
        session_.seek({position, 0});
        model_.seek({position, 0});
      }
      const std::string wrong = difference(model_.run(direction), session_.run(direction));
      CHECK(wrong == "");
      CHECK(session_.moment() == model_.moment());
      CHECK(asked_ == model_asked_);
      CHECK(said_ == model_.said);
      REQUIRE(session_.stops().size() == model_.stops().size());
      for (std::size_t k = 0; k < model_.stops().size(); ++k) CHECK(session_.stops()[k].hits == model_.stops()[k].hits);
      if (!wrong.empty()) return;
    }
  }

 private:
  void add() {
    if (model_.stops().size() >= 6) return;
    const StepFacts& step = facts_.step(random_.below(recording_->count()));
    StopRule rule;
    if (random_.one_in(3)) rule.line = step.line;
    else if (random_.one_in(2) && !step.written.empty()) {
      const Straight::Run run = step.written[random_.below(static_cast<std::uint32_t>(step.written.size()))];
      rule.watch = Watched{{recording_->map().locate(run.begin, 4)}, Touch::Write, "it"};
    } else rule.op = step.op;
    rule.ignore = random_.one_in(3) ? random_.below(3) : 0;
    rule.once = random_.one_in(4);
    if (random_.one_in(3)) rule.log = "{hits} {step}";
    const std::uint64_t key = random_.next();
    const auto answer = [key](std::uint32_t asked) {
      const auto roll = Random(key + asked).below(20);
      return roll == 0 ? Answer::Remove : roll == 1 ? Answer::Failed : roll < 10 ? Answer::No : Answer::Yes;
    };
    StopRule mine = rule;
    mine.when = [this, answer, key](std::uint32_t asked) {
      asked_.push_back(fmt::format("{:x}: {} at {} {}", key, asked, session_.moment().position, session_.running()));
      look_around(asked);
      return answer(asked);
    };
    const auto result = session_.add_stop(mine);
    if (!std::holds_alternative<StopId>(result)) return;
    rule.when = [this, answer, key](std::uint32_t asked) {
      model_asked_.push_back(fmt::format("{:x}: {} at {} true", key, asked, model_.moment().position));
      return answer(asked);
    };
    model_.stops().push_back({.id = std::get<StopId>(result), .rule = rule});
  }

  // Whatever a condition looks at, the run goes on as if it had not.
  void look_around(std::uint32_t asked) {
    if (asked % 3 == 0) session_.seek({asked / 2, 3});
    if (asked % 5 == 0) session_.memory();
    if (asked % 7 == 0) session_.into(kBackward);
    if (asked % 4 == 0) {
      const Moment here = session_.moment();
      CHECK(session_.run(kForward).reason == Stopped::Reason::Failed);
      CHECK(session_.moment() == here);
      CHECK(!session_.visit_back());
    }
  }

  SharedRecording recording_;
  Facts facts_;
  Session session_;
  ModelSession model_;
  Random random_;
  std::vector<std::string> asked_, model_asked_, said_;
};

}  // namespace

TEST_CASE("stops: who goes on step by step is told of what stands before the next one, once, before it is made") {
  Session session(loop_recording());
  const StopId id = added(session, on_op("tadd"));
  std::string walked;
  for (int i = 0; i < 9; ++i) {
    const Stopped stop = session.advance();
    walked += fmt::format("{}{} ", session.moment().position, stop.reason == Stopped::Reason::Rule ? "!" : "");
  }
  CHECK(walked == "1 2 2! 3 4 4! 5 6 6 ");
  CHECK(session.stops().front().hits == 2);
  CHECK(session.stops().front().id == id);
  // Who chose the place is not.
  session.seek({2, 0});
  CHECK(session.advance().reason == Stopped::Reason::Done);
}

TEST_CASE("session stops: a place stops before its step, a watch behind it; backwards both before") {
  const SharedRecording recording = loop_recording();
  {
    Session session(recording);
    added(session, on_op("tadd"));
    CHECK(all_stops(session, kForward) == "1:2@2 1:4@4 end");
    CHECK(all_stops(session, kBackward) == "1:4@4 1:2@2 start");
  }
  {
    Session session(recording);
    added(session, on_watch(bytes_of_tile(*recording, "b"), Touch::Write));
    CHECK(all_stops(session, kForward) == "1:1@2 1:3@4 1:5@6 end");
    CHECK(all_stops(session, kBackward) == "1:5@5 1:3@3 1:1@1 start");
  }
  {
    // Behind step 3 stands what is before step 4: one after the other, and nothing twice.
    Session session(recording);
    added(session, on_watch(bytes_of_tile(*recording, "b"), Touch::Write));
    added(session, on_op("tadd"));
    CHECK(all_stops(session, kForward) == "1:1@2 2:2@2 1:3@4 2:4@4 1:5@6 end");
    CHECK(all_stops(session, kBackward) == "1:5@5 2:4@4 1:3@3 2:2@2 1:1@1 start");
  }
  {
    // The first step is stopped at, too, but only before anything else was done.
    Session session(recording);
    added(session, on_step(0));
    CHECK(all_stops(session, kForward) == "1:0@0 end");
    session.seek({0, 0});
    CHECK(all_stops(session, kForward) == "end");
  }
  {
    // From the middle of a step, back: what stands before it.
    Session session(recording);
    added(session, on_step(3));
    session.seek({3, 1});
    CHECK(all_stops(session, kBackward) == "1:3@3 start");
    session.seek({3, 1});
    CHECK(all_stops(session, kForward) == "end");
  }
}

TEST_CASE("session stops: changes and reads") {
  const SharedRecording recording = loop_recording();
  Session session(recording);
  const ByteRange a = bytes_of_tile(*recording, "a"), b = bytes_of_tile(*recording, "b");
  added(session, on_watch(b, Touch::Change));
  // b is 1, then 2, then 3.
  CHECK(all_stops(session, kForward) == "1:1@2 1:3@4 1:5@6 end");
  session.clear_stops();
  added(session, on_watch({Space::Ub, a.address + 5, 1}, Touch::Read));
  session.seek({0, 0});
  // Filling a tile on a5 begins with a load from it.
  Stopped stop = session.run(kForward);
  CHECK(stop.step == 0);
  REQUIRE(stop.cell.has_value());
  CHECK(stop.cell->operand == 1);
  stop = session.run(kForward);
  CHECK(stop.step == 2);
  REQUIRE(stop.cell.has_value());
  CHECK(stop.cell->operand == 0);
  CHECK((stop.cell->row == 0 && stop.cell->col == 1));
  CHECK(stop.cell->place == ByteRange{Space::Ub, a.address + 4, 4});
  CHECK(all_stops(session, kForward) == "2:4@5 end");
}

TEST_CASE("session stops: counts, once, ignored, disabled, removed") {
  const SharedRecording recording = loop_recording();
  Session session(recording);
  StopRule rule = on_op("TADD");
  rule.ignore = 1;
  const StopId ignoring = added(session, rule);
  CHECK(all_stops(session, kForward) == "1:4@4 end");
  CHECK(session.find_stop(ignoring)->hits == 2);
  // Hits count on, backwards too.
  CHECK(all_stops(session, kBackward) == "1:4@4 1:2@2 start");
  session.find_stop(ignoring)->enabled = false;
  session.seek({0, 0});
  CHECK(all_stops(session, kForward) == "end");
  CHECK(session.find_stop(ignoring)->hits == 4);
  CHECK(session.remove_stop(ignoring));
  CHECK(!session.remove_stop(ignoring));
  CHECK(session.find_stop(ignoring) == nullptr);

  session.seek({0, 0});
  rule = on_op("pto.ttrans");
  rule.once = true;
  const StopId once = added(session, rule);
  CHECK(once != ignoring);
  CHECK(all_stops(session, kForward) == "2:3@3 end");
  CHECK(session.stops().empty());
}

TEST_CASE("session stops: log points say and go on") {
  const SharedRecording recording = loop_recording();
  Session session(recording);
  std::vector<std::string> said;
  session.on_log = [&](const std::string& text) { said.push_back(text); };
  StopRule rule = on_op("tadd");
  rule.log = "{hits}. {op} is step {step} in line {line}, at {position}: {text}}";
  added(session, rule);
  StopRule watch = on_watch(bytes_of_tile(*recording, "t"), Touch::Write);
  watch.log = "t, at {position}";
  added(session, watch);
  CHECK(all_stops(session, kForward) == "end");
  const std::string text = recording->program().short_text(recording->step(2).instruction);
  CHECK(said == std::vector<std::string>{"1. tadd is step 2 in line 13, at 2: " + text + "}", "t, at 3",
                                         "2. tadd is step 4 in line 13, at 4: " + text + "}", "t, at 5"});
  said.clear();
  CHECK(all_stops(session, kBackward) == "start");
  CHECK(said == std::vector<std::string>{"t, at 4", "3. tadd is step 4 in line 13, at 4: " + text + "}", "t, at 2",
                                         "4. tadd is step 2 in line 13, at 2: " + text + "}"});
}

TEST_CASE("session stops: log points print tiles and buffers as they stand") {
  const SharedRecording recording = loop_recording();
  Session session(recording);
  std::vector<std::string> said;
  session.on_log = [&](const std::string& text) { said.push_back(text); };
  StopRule rule = on_op("tadd");
  rule.log = "before {step}: {%t}";
  added(session, rule);
  CHECK(all_stops(session, kForward) == "end");
  REQUIRE(said.size() == 2);
  CHECK(said[0] == "before 2: " + *printed_at(session, "t", 2));
  CHECK(said[1] == "before 4: " + *printed_at(session, "t", 4));
  CHECK(said[0] != said[1]);
  StopRule wrong = on_op("tadd");
  wrong.log = "{%nobody}";
  const auto refused = session.add_stop(wrong);
  REQUIRE(std::holds_alternative<Refusal>(refused));
  CHECK(std::get<Refusal>(refused).text.find("{%nobody}") != std::string::npos);
}

TEST_CASE("session stops: whoever listens is told after every move, not of what conditions do") {
  const SharedRecording recording = loop_recording();
  Session session(recording);
  std::vector<std::string> told;
  session.on_stop = [&](const Stopped& stop) {
    told.push_back(fmt::format("{} {}@{}", name(stop.reason), stop.step, session.moment().position));
  };
  StopRule rule = on_op("tadd");
  rule.when = [&](std::uint32_t) {
    session.seek({1, 0});
    return Answer::Yes;
  };
  added(session, rule);
  session.run(kForward);
  session.over(kForward);
  session.seek({5, 0});
  session.visit_back();
  CHECK(told == std::vector<std::string>{"breakpoint 2@2", "step 3@3", "step 5@5", "step 3@3"});
  CHECK(session.visit_back());
  CHECK(session.moment() == Moment{2, 0});
  CHECK(session.visit_back());
  CHECK(session.moment() == Moment{0, 0});
}

TEST_CASE("session stops: conditions add stops and remove them") {
  const SharedRecording recording = loop_recording();
  Session session(recording);
  StopId other = 0;
  StopRule rule = on_op("texpands");
  rule.when = [&](std::uint32_t step) {
    if (step == 0) {
      for (int i = 0; i < 50; ++i) other = added(session, on_op("ttrans"));
      for (StopId id = other - 48; id <= other; ++id) session.remove_stop(id);
      return Answer::No;
    }
    session.clear_stops();  // itself with them
    return Answer::Yes;
  };
  added(session, rule);
  CHECK(all_stops(session, kForward) == "end");  // removed: nobody is there to stop
  CHECK(session.stops().empty());

  session.seek({0, 0});
  rule.when = [&](std::uint32_t) { return Answer::Failed; };
  const StopId failing = added(session, rule);
  const Stopped stop = session.run(kForward);
  CHECK(stop.reason == Stopped::Reason::Failed);
  CHECK(stop.stop == failing);
  CHECK(session.moment() == Moment{1, 0});
  session.find_stop(failing)->rule.when = [&](std::uint32_t) { return Answer::Remove; };
  CHECK(session.run(kBackward).reason == Stopped::Reason::Start);
  CHECK(session.stops().empty());
}

TEST_CASE("session stops: random rules with conditions that look around do what a model does") {
  for (const std::uint64_t seed : {501, 502}) {
    if (kSanitized && seed != 501) continue;
    for (const Recorded& recorded : some_recordings(seed)) {
      CAPTURE(recorded.name);
      Conditions(recorded.recording, seed).run();
    }
  }
}

TEST_CASE("session stops: a run can be interrupted, and stays where it was") {
  const SharedRecording recording = record_random(511, Target::A5, 9000);
  const std::uint32_t count = recording->count();
  Session session(recording);
  added(session, on_step(count - 1));
  added(session, on_step(0));
  added(session, on_step(4096));
  std::uint32_t asked = 0;
  session.go_on = [&] { return ++asked % 2 == 0; };
  // It is where it stopped, and what stands before the step there still stops it, once.
  std::vector<Moment> places;
  std::vector<StopId> stops;
  for (Stopped stop = session.run(kForward); stop.reason != Stopped::Reason::End; stop = session.run(kForward)) {
    if (stop.reason == Stopped::Reason::Interrupted) {
      CHECK(stop.step == session.moment().position);
      places.push_back(session.moment());
    } else {
      stops.push_back(stop.stop);
    }
  }
  CHECK(stops == std::vector<StopId>{2, 3, 1});
  CHECK(places.size() >= 1);
  CHECK(std::ranges::is_sorted(places));
  stops.clear();
  for (Stopped stop = session.run(kBackward); stop.reason != Stopped::Reason::Start; stop = session.run(kBackward))
    if (stop.reason == Stopped::Reason::Rule) stops.push_back(stop.stop);
  CHECK(stops == std::vector<StopId>{1, 3, 2});

  // At once, in the middle of a step.
  session.seek({100, 2});
  session.go_on = [] { return false; };
  Stopped stop = session.run(kForward);
  while (stop.reason != Stopped::Reason::Interrupted) stop = session.run(kForward);
  CHECK(session.moment() >= Moment{100, 2});
}

TEST_CASE("session stops: an interrupted run in the middle of a step does not go back") {
  const SharedRecording recording = record_random(512, Target::A5, 200);
  Session session(recording);
  // Each step is looked into, so that it is asked soon.
  StopRule rule = on_watch({Space::Ub, 0, 60000}, Touch::Read);
  rule.when = [](std::uint32_t) { return Answer::No; };
  added(session, rule);
  session.go_on = [] { return false; };
  for (std::uint32_t position = 0; position < 100; position += 9) {
    session.seek({position, 1});
    const Moment from = session.moment();
    const Stopped stop = session.run(kForward);
    CHECK(stop.reason == Stopped::Reason::Interrupted);
    CHECK(session.moment() >= from);
    CHECK(session.moment().position <= position + 50);
    session.seek({position + 100, 1});
    CHECK(session.run(kBackward).reason == Stopped::Reason::Interrupted);
    CHECK(session.moment().position >= position + 50);
    CHECK(session.moment() <= Moment{position + 101, 0});
  }
}

TEST_CASE("session stops: what can never stop is refused, and why") {
  const SharedRecording recording = loop_recording();
  Session session(recording);
  const auto with = [](auto change) {
    StopRule rule;
    change(rule);
    return rule;
  };
  CHECK(refusal(session, on_step(6)) == "there is no step 6 | they are 0 to 5");
  CHECK(refusal(session, on_op("tload")) == "there is no tload in the program | it has: tadd, texpands, ttrans");
  CHECK(refusal(session, with([](StopRule& rule) { rule.line = 12; })) ==
        "line 12 has no instruction | the next line that ran is 13");
  CHECK(refusal(session, with([](StopRule& rule) { rule.line = 99; })) ==
        "line 99 has no instruction | the last line that ran is 14");
  CHECK(refusal(session, with([](StopRule& rule) { rule.finding = true; })) ==
        "nothing was found in a step of this recording");
  CHECK(refusal(session, with([](StopRule& rule) { rule.nan = true; })) == "no step writes a NaN");
  CHECK(refusal(session, with([](StopRule& rule) { rule.inf = true; })) == "no step writes an infinity");
  CHECK(refusal(session, with([](StopRule& rule) { rule.nan = rule.inf = true; })) ==
        "no step writes a NaN or an infinity");
  CHECK(refusal(session, with([](StopRule& rule) {
                  rule.nan = true;
                  rule.op = "tadd";
                })) == "no step is all of this at once | give less, or a condition");
  CHECK(refusal(session, with([](StopRule& rule) {
                  rule.step = 2;
                  rule.op = "ttrans";
                })) == "no step is all of this at once | give less, or a condition");

  const std::uint32_t ub = recording->map().size(Space::Ub);
  StopRule watch = on_watch({Space::Ub, 0x8000, 4}, Touch::Write);
  watch.watch->text = "ub[0x8000,0x8004)";
  CHECK(refusal(session, watch) == "no step writes ub[0x8000,0x8004) | look at its history");
  watch.watch->touch = Touch::Change;
  CHECK(refusal(session, watch) == "no step changes ub[0x8000,0x8004) | look at its history");
  watch.watch->touch = Touch::Read;
  CHECK(refusal(session, watch) == "no step reads ub[0x8000,0x8004)");
  watch.watch->bytes[0] = {Space::Ub, ub - 2, 4};
  watch.watch->text = "it";
  CHECK(refusal(session, watch) == fmt::format("it reaches beyond ub, which has 0x{:x} bytes on a5", ub));
  watch.watch->bytes[0] = {Space::Ub, ub + 5, 4};
  CHECK(refusal(session, watch) == fmt::format("it reaches beyond ub, which has 0x{:x} bytes on a5", ub));
  watch.watch->bytes[0] = {Space::Ub, 0, 0};
  CHECK(refusal(session, watch) == "it has no bytes | the end of a range is not part of it");
  watch.watch->bytes.clear();
  CHECK(refusal(session, watch) == "it has no bytes | its valid region is empty");

  const auto logged = [&](const char* log) {
    StopRule rule = on_step(2);
    rule.log = log;
    return refusal(session, rule);
  };
  const std::string can_be =
      " | it can be {step}, {op}, {line}, {hits}, {position}, {text}, or {%NAME} for a tile or buffer";
  CHECK(logged("at {place}") == "the log text has {place}" + can_be);
  CHECK(logged("at {step") == "the log text has a { without a } | write {step}, for example");
  CHECK(logged("{}") == "the log text has {}" + can_be);
  CHECK(logged("{{step}}") == "the log text has {{step}" + can_be);
  CHECK(session.stops().empty());

  const SharedRecording nothing =
      record_text("module attributes {pto.target_arch = \"a5\"} {\n  func.func @k() {\n    return\n  }\n}");
  Session empty(nothing);
  CHECK(refusal(empty, on_step(0)) == "the recording has no steps | its findings say why the program did not run");
}

TEST_CASE("session stops: what did not run is told from what is not there") {
  const SharedRecording recording = record_text(R"(module attributes {pto.target_arch = "a5"} {
  func.func @k(%n: index) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    %u = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
    %is = arith.cmpi eq, %n, %c0 : index
    scf.if %is {
      pto.ttrans ins(%t : !pto.tile_buf<vec, 8x8xf32>) outs(%u : !pto.tile_buf<vec, 8x8xf32>)
    }
    return
  }
})");
  REQUIRE(recording->count() == 1);
  Session session(recording);
  CHECK(refusal(session, on_op("ttrans")) ==
        "ttrans is in the program, but no step of this recording ran it | ran: texpands");
  StopRule line;
  line.line = 10;
  CHECK(refusal(session, line) ==
        "line 10 has an instruction, but no step of this recording ran it | the last line that ran is 7");

  const auto refused = [&](const RunTarget& target, Direction direction) {
    const auto result = session.run_to(target, direction);
    if (!std::holds_alternative<Refusal>(result)) return std::string("went");
    const Refusal& why = std::get<Refusal>(result);
    return why.hint.empty() ? why.text : why.text + " | " + why.hint;
  };
  RunTarget target;
  CHECK(refused(target, kForward) == "nothing is said to run to | give a step, a line or an op");
  target.op = "texpands";
  CHECK(refused(target, kForward) == "texpands does not come after position 0 | go the other way, or seek");
  session.seek({1, 0});
  CHECK(refused(target, kForward) == "texpands does not come after position 1 | go the other way, or seek");
  target.nth = 3;
  CHECK(refused(target, kBackward) == "texpands comes only 1 time before position 1");
  target = {};
  target.line = 7;
  target.nth = 2;
  CHECK(refused(target, kBackward) == "line 7 comes only 1 time before position 1");
  target = {};
  target.step = 0;
  CHECK(refused(target, kForward) == "step 0 does not come after position 1 | go the other way, or seek");
  target.step = 9;
  CHECK(refused(target, kForward) == "there is no step 9 | they are 0 to 0");
  CHECK(session.moment() == Moment{1, 0});
}

TEST_CASE("session stops: a recording that ended in an error says so") {
  const std::string text = R"(module attributes {pto.target_arch = "a5"} {
  func.func @k(%p: !pto.ptr<f32>) {
    %one = arith.constant 1.0 : f32
    %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
)" + waiting_line() + "    return\n  }\n}";
  const SharedRecording recording = record_text(text);
  REQUIRE(recording->count() == 1);
  Session session(recording);
  const Stopped end = session.run(kForward);
  CHECK(end.reason == Stopped::Reason::Error);
  CHECK(end.step == 1);
  CHECK(session.run(kForward).reason == Stopped::Reason::Error);
  StopRule rule;
  rule.finding = true;
  CHECK(refusal(session, rule) == "nothing was found in a step of this recording | what was found stands at its end");
  session.seek({0, 0});
  const auto found = session.to_finding(kForward);
  REQUIRE(found.has_value());
  CHECK(session.moment() == Moment{1, 0});
  CHECK(found->finding == 0);
  CHECK(!session.to_finding(kForward));
}

TEST_CASE("session: findings are gone through one by one, also where several are of one step") {
  const SharedRecording recording = record_sample("masked_sum");
  REQUIRE(recording->count() >= 6);
  Session session(recording);
  const auto found = std::make_shared<std::vector<Finding>>();
  for (const std::uint32_t step : {0u, 2u, 2u, 5u}) found->push_back({.step = step, .diagnostic = {}, .element = {}});
  session.set_findings(found);
  const auto next = [&](Direction direction, bool behind = false) -> std::string {
    const auto stop = session.to_finding(direction, behind);
    return stop ? fmt::format("{} at {}", stop->finding.value(), session.moment().position) : "none";
  };
  // What is found in the step that comes first is where one stands at first.
  CHECK(next(kForward) == "0 at 0");
  CHECK(next(kForward) == "1 at 2");
  CHECK(next(kForward) == "2 at 2");
  CHECK(next(kForward) == "3 at 5");
  CHECK(next(kForward) == "none");
  CHECK(next(kBackward) == "2 at 2");
  CHECK(next(kBackward) == "1 at 2");
  CHECK(next(kBackward) == "0 at 0");
  CHECK(next(kBackward) == "none");
  // Who comes there otherwise has not been shown them.
  session.seek({2, 0});
  CHECK(next(kForward) == "1 at 2");
  session.seek({3, 0});
  CHECK(next(kBackward) == "2 at 2");
  session.seek({2, 1});
  CHECK(next(kForward) == "3 at 5");
  session.seek({2, 1});
  CHECK(next(kBackward) == "2 at 2");
  // Behind the step, where its results are seen.
  session.seek({1, 0});
  CHECK(next(kForward, true) == "1 at 3");
  CHECK(next(kForward, true) == "2 at 3");
  CHECK(next(kForward, true) == "3 at 6");
  CHECK(session.show_finding(1).has_value());
  CHECK(next(kForward) == "2 at 2");
  CHECK_FALSE(session.show_finding(4).has_value());
  // Of other findings none was shown.
  session.set_findings(std::make_shared<std::vector<Finding>>(found->begin() + 1, found->begin() + 2));
  CHECK(next(kForward) == "0 at 2");
}

}  // namespace ts::test
