// Random programs of several cores: the same bytes in every order of turns unless a finding says that they need not be; who
// waits for whom where something is left out, held against a small model of queues, flags and meetings.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/check/check.h"
#include "core/record/recording.h"
#include "tests/support/record/same_recording.h"
#include "tests/support/scale.h"
#include "tests/support/text/open_text.h"
#include "tests/support/text/random_mixed.h"

namespace ts::test {
namespace {

std::unique_ptr<Recording> run_random(const RandomMixed& mixed, const RunOrder& order) {
  Diagnostics told;
  const auto tree = read_program("random.pto", mixed.text, told);
  const std::vector<EntryPoint> entries = entry_points(*tree, told);
  REQUIRE(entries.size() == 1);
  OpenRequest request;
  request.blocks = mixed.blocks;
  auto opened = open_program(tree, entries.front(), request, told);
  for (const Diagnostic& one : told)
    if (one.severity == Severity::Error) FAIL_CHECK(one.rule << " " << one.pos.line << ": " << one.text);
  REQUIRE(opened);
  RecordOptions options{.budget_bytes = std::size_t{64} << 20};
  options.limits.order = order;
  return Recording::run(std::move(opened->program), options);
}

std::vector<std::byte> result_of(const Recording& recording) {
  const auto& buffers = recording.program().buffers;
  const auto out = std::ranges::find(buffers, "out", &BufferDecl::name);
  REQUIRE(out != buffers.end());
  const auto bytes = recording.final_memory().bytes(Space::Gm, out->address, out->size());
  return {bytes.begin(), bytes.end()};
}

bool tells_of_cores(const Recording& recording) {
  const auto report = check(recording);
  return std::ranges::any_of(report.findings, [](const Finding& one) { return one.kind() == FindingKind::Cores; });
}

std::string told_by_run(const Recording& recording) {
  std::string out;
  for (const Finding& finding : recording.findings()) out += finding.diagnostic.format() + "\n";
  return out;
}

// Where each core of a program comes to, by counting alone.
class SmallModel {
 public:
  explicit SmallModel(const RandomMixed& mixed) : mixed_(mixed), cores_(mixed.two_vector_cores ? 3 : 2) {
    at_.resize(std::size_t{mixed.blocks} * cores_);
    blocks_.resize(mixed.blocks);
  }

  // By core that does not come to its end: the line that it stands at.
  std::map<CoreId, std::uint32_t> run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t core = 0; core < at_.size(); ++core)
        while (at_[core] < acts_of(core).size() && take(core)) ++at_[core], moved = true;
    }
    std::map<CoreId, std::uint32_t> stuck;
    for (std::size_t core = 0; core < at_.size(); ++core)
      if (at_[core] < acts_of(core).size()) stuck[static_cast<CoreId>(core)] = acts_of(core)[at_[core]].line;
    return stuck;
  }

 private:
  struct Block {
    std::array<std::array<int, 3>, 2> pushed{}, popped{}, freed{};  // by queue and core
    std::array<std::map<std::uint32_t, int>, 3> set, taken;         // by core that sets, by core that waits; and flag
  };
  const std::vector<SharedAct>& acts_of(std::size_t core) const {
    return core % cores_ == 0 ? mixed_.cube : mixed_.vector;
  }

  std::vector<std::size_t> ends(std::uint32_t queue, bool taking) const {
    const bool at_cube = (queue == 0) != taking;
    if (at_cube) return {0};
    if (cores_ == 2 || (mixed_.target == Target::A5 && mixed_.split[queue] == 0)) return {1};
    return {1, 2};
  }

  bool take(std::size_t core) {
    const SharedAct& act = acts_of(core)[at_[core]];
    Block& block = blocks_[core / cores_];
    const std::size_t me = core % cores_;
    const bool a2a3 = mixed_.target == Target::A2A3;
    switch (act.kind) {
      case SharedAct::Kind::Push:
        for (const std::size_t other : ends(act.number, true)) {
          const int back = a2a3 ? block.popped[act.number][other] : block.freed[act.number][other];
          if (block.pushed[act.number][me] - back >= static_cast<int>(mixed_.slots[act.number])) return false;
        }
        return ++block.pushed[act.number][me], true;
      case SharedAct::Kind::Pop:
        for (const std::size_t other : ends(act.number, false))
          if (block.pushed[act.number][other] <= block.popped[act.number][me]) return false;
        return ++block.popped[act.number][me], true;
      case SharedAct::Kind::Free: return ++block.freed[act.number][me], true;
      case SharedAct::Kind::Set: return ++block.set[me][act.number], true;
      case SharedAct::Kind::Wait: return wait(block, me, act.number);
      case SharedAct::Kind::Meet: break;
    }
    return meet(core, act.number);
  }

  bool wait(Block& block, std::size_t me, std::uint32_t flag) {
    int& taken = block.taken[me][flag];
    const bool a2a3 = mixed_.target == Target::A2A3;
    if (me != 0) {
      const std::uint32_t from = a2a3 ? flag : flag + 16 * static_cast<std::uint32_t>(me - 1);
      if (block.set[0][from] <= taken) return false;
    } else if (a2a3) {
      for (std::size_t other = 1; other < cores_; ++other)
        if (block.set[other][flag] <= taken) return false;
    } else if (block.set[1 + flag / 16][flag % 16] <= taken) {
      return false;
    }
    return ++taken, true;
  }

  bool meet(std::size_t core, std::uint32_t who) {
    auto& came = came_[who];
    came.insert({core, at_[core]});
    std::size_t others = 0;
    const auto meetings = [&](std::size_t of) {
      return std::ranges::count_if(came, [&](const auto& one) { return one.first == of; });
    };
    for (std::size_t other = 0; other < at_.size(); ++other)
      others += (who == 2 || other % cores_ != 0) && meetings(other) < meetings(core) ? 1 : 0;
    return others == 0;
  }

  const RandomMixed& mixed_;
  std::size_t cores_;
  std::vector<std::size_t> at_;
  std::vector<Block> blocks_;
  std::map<std::uint32_t, std::set<std::pair<std::size_t, std::size_t>>> came_;  // core and act
};

// Of one program so many, of the others a few.
int most_orders() { return rounds(12, 100, 200); }

}  // namespace

TEST_CASE("mixed at random: the same bytes in every order of turns, and nothing is found") {
  for (int i = 0; i < rounds(4, 12, 1000); ++i) {
    CAPTURE(i);
    Random random(static_cast<std::uint64_t>(i) + 71'000);
    const RandomMixed mixed = random_mixed(random, i % 2 == 0 ? Target::A5 : Target::A2A3, LeftOut::Nothing);
    CAPTURE(mixed.text);
    const auto usual = run_random(mixed, {});
    CAPTURE(told_by_run(*usual));
    REQUIRE(usual->stop_reason() == StopReason::End);
    CHECK(usual->waits().empty());
    CHECK_FALSE(tells_of_cores(*usual));
    CHECK(SmallModel(mixed).run().empty());
    const std::vector<std::byte> expected = result_of(*usual);
    const auto reverse = run_random(mixed, {RunOrder::Kind::Reverse});
    CHECK(result_of(*reverse) == expected);
    CHECK(reverse->count() == usual->count());
    const int orders = i == 0 ? most_orders() : 4;
    int differing = 0;
    for (int seed = 0; seed < orders; ++seed)
      differing +=
          result_of(*run_random(mixed, {RunOrder::Kind::Random, static_cast<std::uint64_t>(seed)})) != expected;
    CHECK(differing == 0);
  }
}

TEST_CASE("mixed at random: where an order changes bytes, the usual one tells why") {
  int changing = 0, told = 0;
  for (int i = 0; i < rounds(6, 40, 2000); ++i) {
    CAPTURE(i);
    Random random(static_cast<std::uint64_t>(i) + 72'000);
    const RandomMixed mixed = random_mixed(random, i % 2 == 0 ? Target::A5 : Target::A2A3, LeftOut::Edge);
    if (mixed.left_out.empty()) continue;
    CAPTURE(mixed.left_out);
    CAPTURE(mixed.text);
    const auto usual = run_random(mixed, {});
    const bool tells = tells_of_cores(*usual);
    const std::vector<std::byte> expected = result_of(*usual);
    bool changes = false;
    for (int seed = 0; seed < 6 && !changes; ++seed)
      changes = result_of(*run_random(mixed, {RunOrder::Kind::Random, static_cast<std::uint64_t>(seed)})) != expected;
    changes = changes || result_of(*run_random(mixed, {RunOrder::Kind::Reverse})) != expected;
    CHECK((tells || !changes));
    changing += changes ? 1 : 0;
    told += tells ? 1 : 0;
  }
  CHECK(changing > 0);
  CHECK(told > 0);
}

TEST_CASE("mixed at random: who waits at which line, where one side does its part less often") {
  int stuck = 0;
  for (int i = 0; i < rounds(10, 120, 7000); ++i) {
    CAPTURE(i);
    Random random(static_cast<std::uint64_t>(i) + 73'000);
    const RandomMixed mixed = random_mixed(random, i % 2 == 0 ? Target::A5 : Target::A2A3, LeftOut::Partner);
    CAPTURE(mixed.left_out);
    CAPTURE(mixed.text);
    const std::map<CoreId, std::uint32_t> expected = SmallModel(mixed).run();
    for (const RunOrder& order : {RunOrder{}, RunOrder{RunOrder::Kind::Reverse}, RunOrder{RunOrder::Kind::Random, 5}}) {
      const auto recording = run_random(mixed, order);
      CAPTURE(told_by_run(*recording));
      std::map<CoreId, std::uint32_t> waiting;
      for (const CoreWait& wait : recording->waits()) waiting[wait.core] = wait.pos.line;
      CHECK(waiting == expected);
      CHECK((recording->stop_reason() == StopReason::Error) == !expected.empty());
      if (expected.empty()) continue;
      const Diagnostic& told = recording->findings().back().diagnostic;
      CHECK((told.rule == "MK-10" || told.rule == "MK-11" || told.rule == "MK-31"));
      CHECK(told.pos.line == expected.begin()->second);
      CHECK(!told.hint.empty());
    }
    stuck += expected.empty() ? 0 : 1;
  }
  CHECK(stuck > rounds(0, 10, 100));
}

TEST_CASE("mixed at random: any position is what a straight run makes of it, on any thread") {
  for (int i = 0; i < rounds(3, 12, 300); ++i) {
    CAPTURE(i);
    Random random(static_cast<std::uint64_t>(i) + 74'000);
    const RandomMixed mixed = random_mixed(random, i % 2 == 0 ? Target::A5 : Target::A2A3, LeftOut::Nothing);
    const auto recording = run_random(mixed, {RunOrder::Kind::Random, static_cast<std::uint64_t>(i)});
    check_same_states(*recording, *run_random(mixed, {RunOrder::Kind::Random, static_cast<std::uint64_t>(i)}),
                      static_cast<std::uint64_t>(i), 7);
    std::string digests[2];
    std::thread other([&] { digests[0] = recording->digest(); });
    digests[1] = recording->digest();
    other.join();
    CHECK(digests[0] == digests[1]);
    CHECK(recording->digest() == run_random(mixed, {RunOrder::Kind::Random, static_cast<std::uint64_t>(i)})->digest());
    // The digest names the order.
    if (recording->program().cores_at_once() > 1) CHECK(recording->digest() != run_random(mixed, {})->digest());
  }
}

}  // namespace ts::test
