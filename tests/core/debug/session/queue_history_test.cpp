// Cores and queues at any position of a recording, and stepping along one core.
#include "core/debug/session/queue_history.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/debug/session/commands.h"
#include "core/debug/session/kept_work.h"
#include "core/debug/session/session.h"
#include "core/debug/session/stop_text.h"
#include "tests/support/record/recorded.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

const char* const kMixedSamples[] = {"scores_softmax",  "projection_relu", "int8_weights",    "bug_slot_never_freed",
                                     "bug_wrong_split", "bug_both_wait",   "bug_pops_too_few"};

// The steps before a position that do this to a queue on a core, counted one by one.
std::uint32_t counted(const Recording& recording, const QueueHistory& queues, std::uint32_t queue, CoreId core,
                      QueueAct act, std::uint32_t position) {
  std::uint32_t count = 0;
  for (std::uint32_t step = 0; step < position; ++step) {
    const QueueUse* use = queues.use_of(step);
    count += use != nullptr && use->queue == queue && use->act == act && recording.bound(step).core == core ? 1 : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("queue history: counters are those of the steps before, at every position") {
  for (const char* name : kMixedSamples) {
    CAPTURE(name);
    const auto recording = record_sample(name);
    const QueueHistory queues(*recording);
    REQUIRE_FALSE(queues.empty());
    const auto cores = static_cast<CoreId>(recording->program().cores.size());
    for (std::uint32_t position = 0; position <= recording->count(); position += 3)
      for (std::uint32_t queue = 0; queue < recording->program().queues.size(); ++queue) {
        const QueueAtPosition now = queues.at(queue, 0, position);
        for (CoreId core = 0; core < cores; ++core) {
          CHECK(now.counts[core].pushed == counted(*recording, queues, queue, core, QueueAct::Push, position));
          CHECK(now.counts[core].popped == counted(*recording, queues, queue, core, QueueAct::Pop, position));
          CHECK(now.counts[core].freed == counted(*recording, queues, queue, core, QueueAct::Free, position));
        }
        for (const QueueSlot& slot : now.slots) {
          const bool any = std::ranges::any_of(slot.pushed, [](const auto& step) { return step.has_value(); });
          CHECK(any == slot.entry.has_value());
          if (slot.state == SlotState::Full)
            CHECK(std::ranges::none_of(slot.popped, [](const auto& step) { return step.has_value(); }));
        }
      }
  }
}

TEST_CASE("queue history: a pop belongs to the pushes of its entry, and back") {
  for (const std::string_view name : kMixedSamples) {
    CAPTURE(name);
    const auto recording = record_sample(std::string(name));
    const QueueHistory queues(*recording);
    std::uint32_t pairs = 0;
    for (std::uint32_t step = 0; step < recording->count(); ++step)
      for (const std::uint32_t partner : queues.partners_of(step)) {
        ++pairs;
        CHECK(queues.entry_of(partner) == queues.entry_of(step));
        const QueueUse &use = *queues.use_of(step), &other = *queues.use_of(partner);
        CHECK(use.queue == other.queue);
        CHECK((use.act == QueueAct::Push) == (other.act != QueueAct::Push));
        if (use.act == QueueAct::Push) CHECK(partner > step);
        else CHECK(partner < step);
      }
    // Of some nothing is ever popped.
    CHECK((pairs > 0 || name == "bug_both_wait" || name == "bug_wrong_split"));
  }
}

TEST_CASE("core history: who waits where others go on, and at an end where nobody can") {
  const auto recording = record_sample("scores_softmax");
  Session session(recording);
  const CoreHistory& cores = session.cores();
  CHECK(cores.cores() == 3);
  std::size_t steps = 0;
  for (CoreId core = 0; core < 3; ++core) steps += cores.steps_of(core).size();
  CHECK(steps == recording->count());
  CHECK(cores.at(0, 0).state == CoreState::NotBegun);
  CHECK(cores.at(1, 0).state == CoreState::Waits);
  CHECK(cores.at(1, 0).waits_for == "entry 0 of pipe 0");
  CHECK(cores.at(1, 0).on == std::vector<CoreId>{0});
  for (CoreId core = 0; core < 3; ++core) CHECK(cores.at(core, recording->count()).state == CoreState::Ended);
  const auto stuck = record_sample("bug_slot_never_freed");
  Session at_end(stuck);
  const CoreAtPosition cube = at_end.cores().at(0, stuck->count());
  CHECK(cube.state == CoreState::Waits);
  CHECK(cube.waits_for.find("slots are in use") != std::string::npos);
  CHECK(!cube.on.empty());
}

TEST_CASE("stops of a core: only its steps, and what is written in its memory") {
  OpenRequest request;
  request.blocks = 2;
  const auto recording = record_sample("scores_softmax", request);
  Session session(recording);
  REQUIRE(session.cores().cores() == 6);
  const auto stop = [&](std::string_view text) {
    const auto read = read_stop(text, session);
    if (const auto* refusal = std::get_if<Refusal>(&read)) return refusal->text + " | " + refusal->hint;
    return describe(std::get<StopRule>(read));
  };
  CHECK(stop("tpop_from_aic on aiv1") == "tpop_from_aic, on AIV1");
  CHECK(stop("on block 1") == "on block 1");
  CHECK(stop("finding core:1.AIV0") == "on 1.AIV0, something is found");
  CHECK(stop("on 4") == "on 1.AIV0");
  CHECK(stop("on AIV2") ==
        "there is no core 'AIV2' | they are AIC, AIV0, AIV1; 1.AIV1 is that of block 1, and blocks are 0 to 1");
  CHECK(stop("on 2.AIC").starts_with("there is no core '2.AIC'"));
  CHECK(stop("on 6").starts_with("there is no core '6'"));
  // Where a run stops, one step after the other.
  const auto stops_of = [&](std::string_view text) {
    Session fresh(recording);
    std::vector<std::uint32_t> steps;
    const auto added = fresh.add_stop(std::get<StopRule>(read_stop(text, fresh)));
    if (const auto* refusal = std::get_if<Refusal>(&added)) FAIL_CHECK(refusal->text);
    for (;;) {
      const Stopped stopped = fresh.run(Direction::Forward, {});
      if (stopped.reason != Stopped::Reason::Rule) return steps;
      steps.push_back(stopped.step);
    }
  };
  for (CoreId core = 0; core < 6; ++core) {
    CAPTURE(core);
    const auto stopped = stops_of(fmt::format("on {}", core));
    CHECK(stopped == session.cores().steps_of(core));
  }
  std::vector<std::uint32_t> both = session.cores().steps_of(1);
  both.insert(both.end(), session.cores().steps_of(4).begin(), session.cores().steps_of(4).end());
  std::ranges::sort(both);
  CHECK(stops_of("on AIV0") == both);
  // The bytes of a tile are those of the core's memory.
  const std::uint32_t store = *std::ranges::find_if(session.cores().steps_of(5), [&](std::uint32_t step) {
    return recording->bound(step).row->name == std::string_view("trowmax");
  });
  const Operand& result = *recording->bound(store).find("dst");
  const std::string text = "writes:" + recording->program().tiles[result.id].name + " on 1.AIV1";
  const auto written = stops_of(text);
  CHECK(std::ranges::count(written, store) == 1);
  for (const std::uint32_t step : written) CHECK(recording->bound(step).core == 5);
  // They come back from what is kept.
  REQUIRE(std::holds_alternative<StopId>(session.add_stop(std::get<StopRule>(read_stop(text, session)))));
  const KeptWork kept = work_of(notes_of(work_of(session)));
  REQUIRE(kept.stops.size() == 1);
  REQUIRE(kept.stops[0].rule.watch);
  CHECK(kept.stops[0].rule.watch->bytes == session.stops()[0].rule.watch->bytes);
  CHECK(kept.stops[0].rule.watch->bytes[0].core == 5);
  CHECK(kept.stops[0].rule.core->text == "1.AIV1");
  // Of the same core of all blocks the bytes are as many however often they are kept and put back.
  Session again(recording);
  StopRule both_blocks = std::get<StopRule>(read_stop(text.substr(0, text.find(" on ")) + " on AIV1", again));
  for (int round = 0; round < 3; ++round) {
    const auto added = again.add_stop(both_blocks);
    REQUIRE(std::holds_alternative<StopId>(added));
    both_blocks = again.find_stop(std::get<StopId>(added))->rule;
    CHECK(both_blocks.watch->bytes.size() == 2);
  }
}

TEST_CASE("core history: flags and meetings are waited for until the last one came") {
  OpenRequest request;
  request.blocks = 2;
  OpenedText opened = open_text(R"(module attributes {pto.target_arch = "a2a3"} {
  func.func @k_aic() attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
    pto.barrier <PIPE_ALL>
    pto.sync.set <PIPE_FIX>, 2
    pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<mix>
    return
  }
  func.func @k_aiv() attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    pto.sync.wait <PIPE_MTE2>, 2
    pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<mix>
    return
  }
}
)",
                                {}, request);
  REQUIRE(opened.opened);
  const auto recording = Recording::run(std::move(opened.opened->program), {});
  REQUIRE(recording->stop_reason() == StopReason::End);
  const QueueHistory queues(*recording);
  const CoreHistory cores(*recording, queues);
  const auto step_of = [&](CoreId core, std::string_view name) {
    const auto& steps = cores.steps_of(core);
    const auto found =
        std::ranges::find_if(steps, [&](std::uint32_t step) { return recording->bound(step).row->name == name; });
    REQUIRE(found != steps.end());
    return *found;
  };
  const auto all = static_cast<CoreId>(cores.cores());
  REQUIRE(all == 6);
  for (CoreId core = 0; core < all; ++core) {
    CAPTURE(core);
    const auto cube = static_cast<CoreId>(core / 3 * 3);
    std::uint32_t came = 0;  // when the last of all comes to the meeting
    for (CoreId other = 0; other < all; ++other) {
      const std::uint32_t before = step_of(other, other % 3 == 0 ? "sync.set" : "sync.wait");
      came = std::max(came, before + 1);
    }
    for (std::uint32_t position = 0; position <= recording->count(); ++position) {
      CAPTURE(position);
      const CoreAtPosition now = cores.at(core, position);
      const std::string name = now.next ? std::string(recording->bound(*now.next).row->name) : "";
      const std::string wanted = name == "sync.wait" && position <= step_of(cube, "sync.set") ? "flag 2"
                                 : name == "syncall" && position < came                       ? "a meeting"
                                                                                              : "";
      CHECK(now.waits_for == wanted);
      CHECK((now.state == CoreState::Waits) == !wanted.empty());
      if (wanted == "flag 2") CHECK(now.on == std::vector<CoreId>{cube});
      if (wanted == "a meeting") CHECK(std::ranges::find(now.on, core) == now.on.end());
    }
  }
}

TEST_CASE("session: steps along one core, and on to where it waits") {
  const auto recording = record_sample("scores_softmax");
  Session session(recording);
  CHECK_FALSE(session.follow(CoreId{1}).has_value());
  const std::vector<std::uint32_t>& steps = session.cores().steps_of(1);
  for (std::size_t i = 0; i < 5; ++i) {
    session.over(Direction::Forward);
    CHECK(session.moment().position == steps[i] + 1);
  }
  session.over(Direction::Backward);
  CHECK(session.moment().position == steps[4]);
  session.steps(3, Direction::Backward);
  CHECK(session.moment().position == steps[1]);
  session.steps(1'000'000, Direction::Forward);
  CHECK(session.moment().position == steps.back() + 1);
  CHECK_FALSE(session.follow({}).has_value());
  session.seek({});
  CHECK(std::holds_alternative<Stopped>(session.until_waits()));
  const std::uint32_t waits = session.moment().position;
  CHECK(session.cores().at(0, waits).state == CoreState::Waits);
  CHECK(core_of(*recording, waits - 1) == 0);
  CHECK(session.follow(CoreId{7}).has_value());
  Session alone(record_sample("row_loop"));
  CHECK(alone.follow(CoreId{0}).has_value());
  CHECK(std::holds_alternative<Refusal>(alone.until_waits()));
}

}  // namespace ts::test
