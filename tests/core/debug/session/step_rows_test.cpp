// The folded list of steps against a plain tree that is walked from the top, for every row.
#include "core/debug/session/step_rows.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/debug/session/line_runs.h"
#include "core/debug/session/step_text.h"
#include "tests/support/record/recorded.h"

namespace ts::test {
namespace {

// A step, a loop or a turn, with what is under it.
struct Node {
  StepRow row;
  std::vector<Node> under = {};
};

// What lies in steps [first, end), with `level` loops around.
std::vector<Node> nodes_of(const Recording& recording, std::uint32_t first, std::uint32_t end, std::size_t level) {
  std::vector<Node> nodes;
  const auto number = static_cast<std::uint16_t>(level);
  for (std::uint32_t step = first; step < end;) {
    if (recording.loops(step).size() <= level) {
      nodes.push_back({{.first = step, .end = step + 1}});
      ++step;
      continue;
    }
    const std::uint32_t entry = recording.loops(step)[level].entry;
    Node loop{{.kind = StepRow::Kind::Loop, .level = number, .first = step, .end = step}};
    const auto same_loop = [&](std::uint32_t at) {
      return at < end && recording.loops(at).size() > level && recording.loops(at)[level].entry == entry;
    };
    while (same_loop(step)) {
      const std::uint32_t turn = recording.loops(step)[level].turn, begin = step;
      while (same_loop(step) && recording.loops(step)[level].turn == turn) ++step;
      loop.under.push_back({{.kind = StepRow::Kind::Turn, .level = number, .first = begin, .end = step},
                            nodes_of(recording, begin, step, level + 1)});
    }
    loop.row.end = step;
    loop.row.turns = static_cast<std::uint32_t>(loop.under.size());
    nodes.push_back(std::move(loop));
  }
  return nodes;
}

using Key = std::tuple<StepRow::Kind, std::uint16_t, std::uint32_t>;
Key key_of(const StepRow& row) { return {row.kind, row.level, row.first}; }

// What the user did, and nothing else.
struct Model {
  std::set<Key> by_hand, followed, folded;

  bool opens(const Node& node) const {
    return by_hand.contains(key_of(node.row)) || followed.contains(key_of(node.row));
  }
  void list(const std::vector<Node>& nodes, std::uint16_t indent, std::vector<StepRow>& rows) const {
    for (const Node& node : nodes) {
      rows.push_back(node.row);
      rows.back().indent = indent;
      rows.back().open = node.row.kind != StepRow::Kind::Step && opens(node);
      if (rows.back().open) list(node.under, static_cast<std::uint16_t>(indent + 1), rows);
    }
  }
  // Forgets what is unfolded where something around it is not.
  void settle(const std::vector<Node>& nodes, bool shown) {
    for (const Node& node : nodes) {
      const bool open = shown && opens(node);
      if (!open) {
        by_hand.erase(key_of(node.row));
        followed.erase(key_of(node.row));
      }
      settle(node.under, open);
    }
  }
  // What is followed and holds something unfolded by hand stays.
  bool keep(const std::vector<Node>& nodes) {
    bool any = false;
    for (const Node& node : nodes) {
      const bool inside = keep(node.under), hand = by_hand.contains(key_of(node.row));
      if (!inside) followed.erase(key_of(node.row));
      any = any || inside || hand;
    }
    return any;
  }
  void unfold_to(const std::vector<Node>& nodes, std::uint32_t step) {
    for (const Node& node : nodes) {
      if (node.row.kind == StepRow::Kind::Step || step < node.row.first || step >= node.row.end) continue;
      if (folded.contains(key_of(node.row))) return;
      followed.insert(key_of(node.row));
      unfold_to(node.under, step);
    }
  }
  void leave_folds(const std::vector<Node>& nodes, std::uint32_t step) {
    for (const Node& node : nodes) {
      if (step < node.row.first || step >= node.row.end) folded.erase(key_of(node.row));
      leave_folds(node.under, step);
    }
  }
};

// The last row that is or holds the step.
std::uint32_t row_of(const std::vector<StepRow>& rows, std::uint32_t step) {
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < rows.size(); ++i)
    if (rows[i].first <= step && step < rows[i].end) found = i;
  return found;
}

void compare(const StepRows& rows, const std::vector<StepRow>& expected, std::uint32_t steps) {
  REQUIRE(rows.count() == expected.size());
  for (std::uint32_t row = 0; row < expected.size(); ++row) {
    CAPTURE(row);
    CHECK((rows.at(row) == expected[row]));
  }
  for (std::uint32_t step = 0; step < steps; ++step) {
    CAPTURE(step);
    CHECK(rows.row_of(step) == row_of(expected, step));
  }
}

void walk(const Recording& recording, std::uint64_t seed) {
  const auto index = std::make_shared<const LoopIndex>(recording, nullptr);
  REQUIRE(index->complete());
  StepRows rows(index);
  const std::vector<Node> tree = nodes_of(recording, 0, recording.count(), 0);
  Model model;
  Random random(seed);
  for (int i = 0; i < 25; ++i) {
    std::vector<StepRow> expected;
    model.list(tree, 0, expected);
    compare(rows, expected, recording.count());
    if (recording.count() == 0) return;
    if (random.one_in(3)) {
      const std::uint32_t step = random.below(recording.count());
      rows.follow(step);
      model.keep(tree);
      model.leave_folds(tree, step);
      model.unfold_to(tree, step);
    } else {
      const std::uint32_t row = random.below(rows.count());
      const bool open = !expected[row].open;
      rows.set_open(row, open);
      if (expected[row].kind == StepRow::Kind::Step) continue;
      const Key key = key_of(expected[row]);
      (open ? model.by_hand : model.folded).insert(key);
      if (open) {
        model.folded.erase(key);
      } else {
        model.by_hand.erase(key);
        model.followed.erase(key);
        model.settle(tree, true);
      }
    }
  }
}

}  // namespace

TEST_CASE("step rows: folded and unfolded, every row and every step is where a plain tree has it") {
  for (const std::uint64_t seed : {401, 402, 403, 404}) {
    for (const Recorded& recorded : some_recordings(seed)) {
      CAPTURE(recorded.name);
      walk(*recorded.recording, seed);
    }
  }
}

TEST_CASE("step rows: a loop is one row until it is unfolded") {
  const SharedRecording recording = record_sample("row_loop");
  StepRows rows(std::make_shared<const LoopIndex>(*recording, nullptr));
  // Two flags before the loop, the loop, two behind it.
  REQUIRE(rows.count() == 5);
  const StepRow loop = rows.at(2);
  CHECK((loop.kind == StepRow::Kind::Loop));
  CHECK(loop.turns == 4);
  CHECK_FALSE(loop.open);
  rows.set_open(2, true);
  CHECK(rows.count() == 9);
  CHECK((rows.at(3).kind == StepRow::Kind::Turn));
  rows.set_open(2, false);
  CHECK(rows.count() == 5);
}

TEST_CASE("step rows: following goes into loops and folds behind itself") {
  const SharedRecording recording = record_sample("row_loop");
  StepRows rows(std::make_shared<const LoopIndex>(*recording, nullptr));
  const std::uint32_t folded = rows.count(), inside = rows.at(2).first + 1;
  rows.follow(inside);
  CHECK((rows.at(rows.row_of(inside)).kind == StepRow::Kind::Step));
  rows.follow(0);
  CHECK(rows.count() == folded);
  // What the user folds around the step stays folded until the step is elsewhere.
  rows.follow(inside);
  rows.set_open(2, false);
  rows.follow(inside + 1);
  CHECK(rows.count() == folded);
  rows.follow(0);
  rows.follow(inside);
  CHECK(rows.count() > folded);
}

TEST_CASE("step rows: an index that is told to stop is not complete") {
  const SharedRecording recording = record_sample("row_loop");
  CHECK_FALSE(LoopIndex(*recording, [] { return false; }).complete());
  CHECK_FALSE(LineRuns(*recording, {}, [] { return false; }).complete());
}

TEST_CASE("step text: a step in few words") {
  const SharedRecording recording = record_sample("row_loop");
  const auto text = [&](std::uint32_t step) {
    const ShortStep words = short_step(*recording, step);
    return words.op + " | " + words.results + " | " + words.inputs;
  };
  CHECK(text(0) == "set_flag |  | MTE3, MTE2, ID0");
  std::set<std::string> all;
  for (std::uint32_t step = 0; step < recording->count(); ++step) all.insert(text(step));
  CHECK(all.contains("tadd | %y_even | %x_even, %y_even"));
  CHECK(all.contains("tload | %x_odd | %x"));
}

TEST_CASE("line runs: counts of lines are those of plain counting") {
  for (const Recorded& recorded : some_recordings(405)) {
    CAPTURE(recorded.name);
    const Recording& recording = *recorded.recording;
    const LineRuns runs(recording, recording.findings(), nullptr);
    REQUIRE(runs.complete());
    for (std::uint32_t line = 0; line < 80; ++line) {
      std::uint32_t total = 0;
      for (std::uint32_t position = 0; position <= recording.count(); ++position) {
        CHECK(runs.until(line, position) == total);
        if (position < recording.count() && recording.bound(position).pos.line == line) ++total;
      }
      CHECK(runs.total(line) == total);
      const auto of_line = [&](const Finding& finding) { return finding.diagnostic.pos.line == line; };
      CHECK(runs.findings(line).size() ==
            static_cast<std::size_t>(std::ranges::count_if(recording.findings(), of_line)));
    }
  }
}

}  // namespace ts::test
