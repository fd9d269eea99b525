// Random walks through recordings: after every move the session stands where a model of plain lists stands, and the
// memories there are those of a straight run.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/record/inspector.h"
#include "tests/support/debug/session_model.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

int moves() { return rounds(25, 80, 300); }

// What the memories are in the middle of a step: as before it, and then what its micro-steps wrote, in their order.
struct InStep {
  std::vector<std::byte> bytes;
  std::vector<Flat> written;
};
InStep in_step(Inspector& inspector, Moment moment) {
  const Memory& before = inspector.at(moment.position);
  InStep state{{before.base(), before.base() + before.map().end()}, {}};
  const Trace trace = inspector.trace(moment.position);
  for (std::uint32_t i = 0; i < moment.micro; ++i) {
    for (const TraceAccess& write : trace.steps[i].writes) {
      const Flat begin = before.map().flat(write.place());
      for (std::uint32_t k = 0; k < write.size; ++k) {
        state.bytes[begin + k] = static_cast<std::byte>(trace.bytes[write.after + k]);
        state.written.push_back(begin + k);
      }
    }
  }
  return state;
}

class Walk {
 public:
  Walk(SharedRecording recording, std::uint64_t seed)
      : recording_(std::move(recording)),
        facts_(*recording_),
        hashes_(straight_hashes(*recording_)),
        session_(recording_),
        model_(facts_),
        other_(*recording_),
        random_(seed) {
    session_.on_log = [this](const std::string& text) { said_.push_back(text); };
  }

  void run() {
    check("start");
    for (int i = 0; i < moves() && !failed_; ++i) {
      if (random_.one_in(4)) change_stops();
      check(move());
    }
  }

 private:
  std::uint32_t count() const { return recording_->count(); }
  Direction any_direction() { return random_.one_in(2) ? kForward : kBackward; }
  std::uint32_t any_step() { return random_.below(count()); }

  ByteRange any_place() {
    const Bound& bound = recording_->bound(any_step());
    for (int i = 0; i < 4 && !bound.operands.empty(); ++i) {
      const Operand& operand = bound.operands[random_.below(static_cast<std::uint32_t>(bound.operands.size()))];
      if (operand.spec->kind == OperandKind::Scalar) continue;
      const bool tile = operand.spec->kind == OperandKind::Tile;
      const ByteRange all = tile ? operand.tile.range()
                                 : ByteRange{Space::Gm, operand.global.buffer_begin,
                                             operand.global.buffer_end - operand.global.buffer_begin};
      if (all.size == 0) continue;
      const std::uint32_t at = random_.below(all.size);
      return {all.space, all.address + at, std::min(random_.pick({1u, 4u, 64u, 300u}), all.size - at)};
    }
    return {Space::Ub, random_.below(60000), random_.between(1, 64)};
  }

  StopRule any_rule() {
    StopRule rule;
    switch (random_.below(6)) {
      case 0: rule.step = any_step(); break;
      case 1: rule.line = facts_.step(any_step()).line; break;
      case 2: rule.op = facts_.step(any_step()).op; break;
      case 3: rule.finding = true; break;
      default: {
        rule.watch = Watched{{}, random_.pick({Touch::Write, Touch::Change, Touch::Read}), "it"};
        for (std::uint32_t i = random_.between(1, 3); i > 0; --i) rule.watch->bytes.push_back(any_place());
        if (random_.one_in(3)) rule.op = facts_.step(any_step()).op;
      }
    }
    if (random_.one_in(4)) rule.ignore = random_.below(4);
    if (random_.one_in(4)) rule.log = "{hits}: {step} {op} line {line} at {position}: {text}!";
    rule.once = random_.one_in(5);
    return rule;
  }

  void change_stops() {
    auto& stops = model_.stops();
    const bool add = stops.size() < 3 && !random_.one_in(3);
    if (add) {
      const StopRule rule = any_rule();
      const auto added = session_.add_stop(rule);
      if (const auto* id = std::get_if<StopId>(&added)) stops.push_back({.id = *id, .rule = rule});
    } else if (!stops.empty()) {
      StopEntry& entry = stops[random_.below(static_cast<std::uint32_t>(stops.size()))];
      if (random_.one_in(2)) {
        entry.enabled = session_.find_stop(entry.id)->enabled = !entry.enabled;
      } else {
        CHECK(session_.remove_stop(entry.id));
        stops.erase(stops.begin() + (&entry - stops.data()));
      }
    }
  }

  // Makes a random move both ways; what it was.
  std::string move() {
    const Direction direction = any_direction();
    const char* way = direction == kForward ? "forward" : "backward";
    switch (random_.below(12)) {
      case 0: {
        const std::uint32_t n = random_.pick({0u, 1u, 2u, 10u, 1000u});
        expect(model_.steps(n, direction), session_.steps(n, direction));
        return fmt::format("{} steps {}", n, way);
      }
      case 1: expect(model_.steps(1, direction), session_.over(direction)); return fmt::format("over {}", way);
      case 2:
      case 3:
        for (std::uint32_t n = random_.pick({1u, 1u, 3u, 40u}); n > 0; --n)
          expect(model_.into(direction), session_.into(direction));
        return fmt::format("into {}", way);
      case 4: expect(model_.out(direction), session_.out(direction)); return fmt::format("out {}", way);
      case 5:
      case 6: {
        Moment moment{random_.below(count() + 2), 0};
        if (random_.one_in(2)) moment.micro = random_.pick({1u, random_.below(20), random_.below(300), 100000u});
        model_.seek(moment);
        session_.seek(moment);
        return fmt::format("seek {} {}", moment.position, moment.micro);
      }
      case 7:
      case 8: {
        std::vector<StopRule> extra;
        if (random_.one_in(3)) extra.push_back({.step = any_step()});
        expect(model_.run(direction, extra), session_.run(direction, extra));
        return fmt::format("run {}", way);
      }
      case 9: {
        RunTarget target{.nth = random_.pick({0u, 1u, 2u, 5u})};
        const std::uint32_t step = any_step();
        const std::uint32_t what = random_.below(4);
        if (what == 0) target.step = step;
        if (what == 1 || what == 3) target.line = facts_.step(step).line;
        if (what >= 2) target.op = facts_.step(step).op;
        const auto expected = model_.run_to(target, direction);
        const auto got = session_.run_to(target, direction);
        CHECK(expected.has_value() == std::holds_alternative<Stopped>(got));
        if (expected && std::holds_alternative<Stopped>(got)) expect(*expected, std::get<Stopped>(got));
        return fmt::format("run to, {}", way);
      }
      case 10: {
        const ByteRange place = any_place();
        expect(model_.to_write(place, direction), session_.to_write(place, direction));
        return fmt::format("to write, {}", way);
      }
      default:
        if (random_.one_in(2)) {
          expect(model_.to_finding(direction), session_.to_finding(direction));
          return fmt::format("to finding, {}", way);
        }
        CHECK(model_.visit(direction == kForward ? 1 : -1) ==
              (direction == kForward ? session_.visit_forward() : session_.visit_back()));
        return fmt::format("visit, {}", way);
    }
  }

  void expect(const Stopped& expected, const Stopped& got) { wrong_ += difference(expected, got); }
  void expect(const std::optional<Stopped>& expected, const std::optional<Stopped>& got) {
    if (expected.has_value() != got.has_value()) wrong_ += expected ? "expected to get somewhere" : "expected to stay";
    if (expected && got) expect(*expected, *got);
  }

  void check(const std::string& what) {
    trail_.push_back(fmt::format("{} -> {} {}", what, model_.moment().position, model_.moment().micro));
    const Moment moment = session_.moment();
    if (moment != model_.moment()) wrong_ += fmt::format("; stands at {} {}", moment.position, moment.micro);
    if (said_ != model_.said)
      wrong_ += fmt::format("; said {}, not {}", fmt::join(said_, " | "), fmt::join(model_.said, " | "));
    said_.clear();
    model_.said.clear();
    for (const StopEntry& entry : model_.stops()) {
      const StopEntry* mine = session_.find_stop(entry.id);
      if (mine == nullptr || mine->hits != entry.hits) wrong_ += fmt::format("; stop {} has other hits", entry.id);
    }
    if (session_.stops().size() != model_.stops().size()) wrong_ += "; other stops";
    if (wrong_.empty()) check_memories(moment);
    if (wrong_.empty()) return;
    FAIL_CHECK(
        fmt::format("{}\n  {}", wrong_,
                    fmt::join(trail_.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(trail_.size(), 6)),
                              trail_.end(), "\n  ")));
    failed_ = true;
  }

  void check_memories(Moment moment) {
    const Memory& memory = session_.memory();
    if (moment.micro == 0) {
      if (state_hash(memory) != hashes_[moment.position]) wrong_ += "other memories than a straight run";
      return;
    }
    const InStep expected = in_step(other_, moment);
    if (std::memcmp(memory.base() + kFirstFlat, expected.bytes.data() + kFirstFlat, memory.map().end() - kFirstFlat) !=
        0)
      wrong_ += "other bytes than the micro-steps wrote";
    const bool all_written =
        std::ranges::all_of(expected.written, [&](Flat at) { return memory.definedness(at) == Definedness::Written; });
    if (!all_written) wrong_ += "what micro-steps wrote is not marked as written";
    if (!random_.one_in(4)) return;
    Session fresh(recording_);
    fresh.seek(moment);
    if (!same_memories(memory, fresh.memory())) wrong_ += "other memories than a session that went there directly";
  }

  SharedRecording recording_;
  Facts facts_;
  std::vector<std::uint64_t> hashes_;
  Session session_;
  ModelSession model_;
  Inspector other_;
  Random random_;
  std::vector<std::string> said_, trail_;
  std::string wrong_;
  bool failed_ = false;
};

}  // namespace

TEST_CASE("session walk: random moves lead where a model gets to, and the memories are those of a straight run") {
  for (const std::uint64_t seed : {301, 302, 303}) {
    if (kSanitized && seed != 301) continue;
    for (const Recorded& recorded : some_recordings(seed)) {
      CAPTURE(recorded.name);
      Walk(recorded.recording, seed + 1).run();
    }
  }
}

}  // namespace ts::test
