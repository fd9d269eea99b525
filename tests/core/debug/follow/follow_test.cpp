// Marks follow their operations through edits of the text, as a model says that knows which operation is which.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/debug/follow/follow_work.h"
#include "tests/support/random.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

using Fate = FollowedMark::Fate;

constexpr std::uint32_t kScalars = 16, kTiles = 4, kTurns = 3;
constexpr const char* kOps[] = {"tadds", "tmuls", "tmaxs", "tmins", "tsubs"};
constexpr const char* kTile = "!pto.tile_buf<vec, 8x8xf32>";

struct ModelOp {
  std::uint32_t id = 0, op = 0, from = 0, scalar = 0, to = 0;
  std::uint32_t blank_before = 0, style = 0;
  auto key() const { return std::tuple(op, from, scalar, to); }
};

// A loop whose body is edited.
class Model {
 public:
  explicit Model(Random& random) : random_(random) {
    for (int i = 0; i < 24; ++i) ops_.push_back(fresh());
  }

  // The line of each operation's name goes into `lines`.
  std::string text(std::map<std::uint32_t, std::uint32_t>& lines) const {
    std::string out = "module attributes {pto.target_arch = \"a5\"} {\n  func.func @edited() {\n";
    for (const auto& [name, value] : {std::pair{"zero", 0u}, {"one", 1u}, {"turns", kTurns}})
      out += fmt::format("    %{} = arith.constant {} : index\n", name, value);
    for (std::uint32_t i = 0; i < kScalars; ++i) out += fmt::format("    %s{} = arith.constant {}.5 : f32\n", i, i);
    for (std::uint32_t i = 0; i < kTiles; ++i) out += fmt::format("    %t{} = pto.alloc_tile : {}\n", i, kTile);
    out += "    scf.for %i = %zero to %turns step %one {\n";
    for (const ModelOp& op : ops_) {
      for (std::uint32_t i = 0; i < op.blank_before; ++i) out += i % 2 == 0 ? "\n" : "      // a comment\n";
      lines[op.id] = static_cast<std::uint32_t>(std::ranges::count(out, '\n')) + 1;
      constexpr const char* kGaps[] = {" ", "\n          ", " // said so\n          ", "   "};
      out += fmt::format("      pto.{} ins(%t{}, %s{} : {}, f32){}outs(%t{} : {})\n", kOps[op.op], op.from, op.scalar,
                         kTile, kGaps[op.style], op.to, kTile);
    }
    return out + "    }\n    return\n  }\n}\n";
  }

  const std::vector<ModelOp>& ops() const { return ops_; }
  std::optional<std::uint32_t> index_of(std::uint32_t id) const {
    const auto found = std::ranges::find(ops_, id, &ModelOp::id);
    return found == ops_.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - ops_.begin()));
  }
  std::uint32_t some_id() { return ops_[random_.below(static_cast<std::uint32_t>(ops_.size()))].id; }

  // One edit; gives the operation whose words were changed, or a number that none has.
  std::uint32_t edit(std::string& what) {
    const std::uint32_t at = random_.below(static_cast<std::uint32_t>(ops_.size()));
    ModelOp& op = ops_[at];
    const auto place = ops_.begin() + random_.below(static_cast<std::uint32_t>(ops_.size()));
    switch (random_.below(ops_.size() < 8 ? 4 : 9)) {
      case 0: what = "blank lines", op.blank_before = random_.below(4); return ~0u;
      case 1: what = "another style", op.style = random_.below(4); return ~0u;
      case 2: what = "an operation more", ops_.insert(place, fresh()); return ~0u;
      case 3:
        if (away_.empty()) return ~0u;
        what = "an operation is back";
        ops_.insert(place, away_.back());
        away_.pop_back();
        return ~0u;
      case 4: {
        what = "another scalar or tile";
        const ModelOp other = fresh();
        op.from = other.from, op.scalar = other.scalar, op.to = other.to;
        while (!used_.insert(op.key()).second) op.scalar = random_.below(kScalars), op.from = random_.below(kTiles);
        return op.id;
      }
      case 5:
        what = "another instruction";
        for (std::uint32_t i = 0; i < std::size(kOps); ++i) {
          ModelOp changed = op;
          changed.op = i;
          if (!used_.insert(changed.key()).second) continue;
          op = changed;
          return op.id;
        }
        return ~0u;
      case 6:
      case 7: {
        what = "moved";
        const ModelOp moved = op;
        ops_.erase(ops_.begin() + at);
        ops_.insert(ops_.begin() + random_.below(static_cast<std::uint32_t>(ops_.size()) + 1), moved);
        return ~0u;
      }
      default:
        what = "an operation away";
        away_.push_back(op);
        ops_.erase(ops_.begin() + at);
        return ~0u;
    }
  }

 private:
  // That no operation ever said.
  ModelOp fresh() {
    ModelOp op{.id = next_++};
    do {
      op.op = random_.below(std::size(kOps)), op.from = random_.below(kTiles);
      op.scalar = random_.below(kScalars), op.to = random_.below(kTiles);
    } while (!used_.insert(op.key()).second);
    return op;
  }

  Random& random_;
  std::vector<ModelOp> ops_, away_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> used_;
  std::uint32_t next_ = 0;
};

const FollowedMark* find(const std::vector<FollowedMark>& marks, Fate fate, auto is_it) {
  for (const FollowedMark& mark : marks)
    if ((mark.fate == Fate::Gone) == (fate == Fate::Gone) && is_it(mark.mark)) return &mark;
  return nullptr;
}

// What the model says of a mark on an operation.
struct Expected {
  bool there = false, doubtful = false, moved = false;
  std::uint32_t at = 0;
};

void check_fate(const FollowedMark* followed, const Expected& expected) {
  CHECK((followed != nullptr) == (expected.doubtful || expected.moved));
  if (followed == nullptr) return;
  CHECK(followed->fate == (expected.doubtful ? Fate::Doubtful : Fate::Moved));
}

}  // namespace

TEST_CASE("follow: breakpoints, bookmarks and notes survive random edits as a model says") {
  const int edits = kSanitized ? 60 : 500;
  Random random(27);
  Model model(random);
  std::map<std::uint32_t, std::uint32_t> lines;
  SharedRecording before = record_text(model.text(lines));
  auto session = std::make_shared<Session>(before);
  // Breakpoints carry their operation in the text that they say; bookmarks and notes in their names.
  struct OnStep {
    std::uint32_t id, turn;
  };
  std::map<std::string, std::uint32_t> stops;
  std::map<std::string, OnStep> bookmarks, notes;
  for (int i = 0; i < 8; ++i) {
    const std::uint32_t of_stop = model.some_id(), turn = random.below(kTurns);
    const std::string name = fmt::format("mark {}", i);
    stops[name] = of_stop;
    REQUIRE(std::holds_alternative<StopId>(session->add_stop({.line = lines[of_stop], .log = name})));
    const OnStep mark{model.some_id(), turn}, note{model.some_id(), turn};
    const auto step_of = [&](const OnStep& on) {
      return on.turn * static_cast<std::uint32_t>(model.ops().size()) + *model.index_of(on.id);
    };
    bookmarks[name] = mark;
    REQUIRE(!session->bookmark(name, step_of(mark)));
    // There is one note of a step.
    if (std::ranges::any_of(notes, [&](const auto& other) { return step_of(other.second) == step_of(note); })) continue;
    notes[name] = note;
    REQUIRE(!session->note({.text = name, .step = step_of(note)}));
  }
  int kept = 0, moved = 0, doubtful = 0, gone = 0, back = 0;
  std::set<std::string> were_gone;
  for (int round = 0; round < edits; ++round) {
    CAPTURE(round);
    std::map<std::uint32_t, std::uint32_t> lines_before = lines;
    const auto steps_before = static_cast<std::uint32_t>(model.ops().size());
    std::map<std::uint32_t, std::uint32_t> index_before;
    for (std::uint32_t i = 0; i < steps_before; ++i) index_before[model.ops()[i].id] = i;
    std::string what;
    const std::uint32_t changed = model.edit(what);
    CAPTURE(what);
    lines.clear();
    const SharedRecording now = record_text(model.text(lines));
    // As it goes through the files of kept work.
    const KeptWork set = work_of(*session);
    const LeftWork left{load_work(save_work(set)), load_shape(save_shape(shape_of(*before->program().tree))),
                        load_sites(save_sites(sites_of(set, *before)))};
    session = std::make_shared<Session>(now);
    std::vector<std::string> lost;
    put_into(*session, follow(left, *now), lost);
    CHECK(lost.empty());
    const auto& followed = session->followed_marks();

    for (const auto& [called, id] : stops) {
      const std::string& name = called;
      CAPTURE(name);
      const auto stop = std::ranges::find(session->stops(), name, [](const StopEntry& one) { return one.rule.log; });
      const auto it = [&](const Mark& mark) {
        const auto* one = std::get_if<StopEntry>(&mark);
        return one != nullptr && one->rule.log == name;
      };
      if (!lines.contains(id)) {
        CHECK(stop == session->stops().end());
        CHECK(find(followed, Fate::Gone, it) != nullptr);
        were_gone.insert(name);
        ++gone;
        continue;
      }
      REQUIRE(stop != session->stops().end());
      CHECK(find(followed, Fate::Gone, it) == nullptr);
      CHECK(stop->rule.line == lines[id]);
      if (were_gone.erase(name) != 0) {
        ++back;
        continue;
      }
      const Expected expected{true, changed == id, lines_before[id] != lines[id]};
      check_fate(find(followed, Fate::Moved, it), expected);
      ++(expected.doubtful ? doubtful : expected.moved ? moved : kept);
    }
    const auto check_step = [&](const std::string& name, const OnStep& on, std::optional<std::uint32_t> at, auto it) {
      CAPTURE(name);
      const auto index = model.index_of(on.id);
      if (!index) {
        CHECK(!at);
        CHECK(find(followed, Fate::Gone, it) != nullptr);
        were_gone.insert("step " + name);
        return;
      }
      REQUIRE(at);
      CHECK(*at == on.turn * static_cast<std::uint32_t>(model.ops().size()) + *index);
      if (were_gone.erase("step " + name) != 0) return;
      const std::uint32_t stood = on.turn * steps_before + index_before[on.id];
      check_fate(find(followed, Fate::Moved, it), {true, changed == on.id, stood != *at});
    };
    for (const auto& [called, on] : bookmarks) {
      const std::string& name = called;
      const auto found = session->bookmarks().find(name);
      check_step(name, on, found == session->bookmarks().end() ? std::nullopt : std::optional(found->second),
                 [&](const Mark& mark) {
                   const auto* one = std::get_if<Bookmark>(&mark);
                   return one != nullptr && one->name == name;
                 });
    }
    for (const auto& [called, on] : notes) {
      const std::string& name = called;
      const auto found = std::ranges::find(session->notes(), name, &Note::text);
      check_step("note " + name, on, found == session->notes().end() ? std::nullopt : found->step,
                 [&](const Mark& mark) {
                   const auto* one = std::get_if<Note>(&mark);
                   return one != nullptr && one->text == name;
                 });
    }
    // Nothing is lost and nothing comes twice.
    CHECK(session->stops().size() + gone_marks(followed).size() + session->bookmarks().size() +
              session->notes().size() ==
          stops.size() + bookmarks.size() + notes.size());
    before = now;
  }
  if (kSanitized) return;
  for (const int number : {kept, moved, doubtful, gone, back}) CHECK(number > 5);
}

TEST_CASE("follow: several edits at once, and names that a generator counts anew") {
  const auto text = [](const char* body) {
    return fmt::format(
        "module attributes {{pto.target_arch = \"a5\"}} {{\n  func.func @f() {{\n    %s = arith.constant 2.0 : f32\n"
        "    %0 = pto.alloc_tile : {0}\n{1}    return\n  }}\n}}\n",
        kTile, body);
  };
  const std::string add = fmt::format("    pto.tadds ins(%0, %s : {0}, f32) outs(%0 : {0})\n", kTile),
                    mul = fmt::format("    pto.tmuls ins(%0, %s : {0}, f32) outs(%0 : {0})\n", kTile);
  const SharedRecording before = record_text(text((add + mul).c_str()));
  Session session(before);
  REQUIRE(std::holds_alternative<StopId>(session.add_stop({.line = 5})));
  REQUIRE(std::holds_alternative<StopId>(session.add_stop({.line = 6})));
  REQUIRE(std::holds_alternative<StopId>(session.add_stop({.op = "tmuls"})));
  session.seek({1, 0});
  // The tile goes by another number, and another one stands before it: to the reader they say the same.
  std::string again = fmt::format("    %1 = pto.alloc_tile : {}\n", kTile) + add + mul;
  for (std::size_t at = again.find("%0"); at != std::string::npos; at = again.find("%0")) again[at + 1] = '1';
  const SharedRecording renumbered = record_text(text(again.c_str()));
  const KeptWork set = work_of(session);
  const KeptWork moved = follow({set, shape_of(*before->program().tree), sites_of(set, *before)}, *renumbered);
  REQUIRE(moved.stops.size() == 3);
  CHECK(moved.stops[0].rule.line == 6);
  CHECK(moved.stops[1].rule.line == 7);
  CHECK(moved.followed_marks.size() == 2);
  CHECK(describe(moved.followed_marks[0]) == "moved from line 5");
  CHECK(moved.moment.position == 1);
  // Without the tmuls two are gone: the one by its line, and the one by its name, which the session refuses.
  const SharedRecording shorter = record_text(text(add.c_str()));
  Session other(shorter);
  std::vector<std::string> lost;
  put_into(other, follow({set, shape_of(*before->program().tree), sites_of(set, *before)}, *shorter), lost);
  CHECK(other.stops().size() == 1);
  REQUIRE(other.followed_marks().size() == 2);
  CHECK(describe(other.followed_marks()[0]) == "gone: its operation is no longer there");
  CHECK(lost.size() == 1);
  // And with it, both are back.
  const KeptWork gone = work_of(other);
  Session whole(before);
  lost.clear();
  put_into(whole, follow({gone, shape_of(*shorter->program().tree), sites_of(gone, *shorter)}, *before), lost);
  CHECK(lost.empty());
  CHECK(whole.stops().size() == 3);
  CHECK(gone_marks(whole.followed_marks()).empty());
}

TEST_CASE("follow: kept shapes and places that make no sense are left out") {
  const auto shape =
      nlohmann::json::parse(R"([[1, 2, 3, 4], [1, 2, 3], "x", [1, -2, 3, 4], [99999999999, 1, 1, 1], null])");
  CHECK(load_shape(shape).ops == std::vector<ShapedOp>{{1, 2, 3, 4}});
  CHECK(load_shape("x").ops.empty());
  const auto sites = nlohmann::json::parse(R"([{"position": 3, "line": 5, "turns": [1, "x", -1]}, {"line": 2}, 7])");
  CHECK(load_sites(sites) == StepSites{{3, {5, 0, {1}}}});
  const auto gone =
      nlohmann::json::parse(R"({"gone": [{"stop": {"line": 3}, "was": "x"}, {"stop": {}}, {"note": 5}, 8]})");
  CHECK(load_work(gone).followed_marks.size() == 1);
}

}  // namespace ts::test
