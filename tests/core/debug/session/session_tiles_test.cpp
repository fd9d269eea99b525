// Finding tiles by name, and where they stand at a position; the loops around steps; the table of commands.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

#include "core/debug/session/commands.h"
#include "core/debug/session/session.h"
#include "tests/support/record/recorded.h"

namespace ts::test {
namespace {

// Steps: 0 fill t (main's), 1 and 2 the helper's t, 3 tassign t, 4 fill t, 5 and 6 t2 of the first loop, 7 of the
// second, 8 fill v with all its rows, 9 with two.
constexpr std::string_view kScopes = R"(module attributes {pto.target_arch = "a5"} {
  func.func private @helper(%p: !pto.tile_buf<vec, 8x8xf32>) {
    %two = arith.constant 2.0 : f32
    %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    pto.texpands ins(%two : f32) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
    pto.tadd ins(%t, %p : !pto.tile_buf<vec, 8x8xf32>, !pto.tile_buf<vec, 8x8xf32>) outs(%p : !pto.tile_buf<vec, 8x8xf32>)
    return
  }
  func.func @main() attributes {pto.entry} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %one = arith.constant 1.0 : f32
    %there = arith.constant 65536 : i64
    %unused = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    %v = pto.alloc_tile valid_row = %c8 valid_col = %c8 : !pto.tile_buf<vec, 8x8xf32, valid=?x?>
    pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
    func.call @helper(%t) : (!pto.tile_buf<vec, 8x8xf32>) -> ()
    pto.tassign ins(%t, %there : !pto.tile_buf<vec, 8x8xf32>, i64)
    pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
    scf.for %i = %c0 to %c2 step %c1 {
      %t2 = pto.alloc_tile : !pto.tile_buf<vec, 16x8xf32>
      pto.texpands ins(%one : f32) outs(%t2 : !pto.tile_buf<vec, 16x8xf32>)
    }
    scf.for %i = %c0 to %c1 step %c1 {
      %t2 = pto.alloc_tile : !pto.tile_buf<vec, 32x8xf32>
      pto.texpands ins(%one : f32) outs(%t2 : !pto.tile_buf<vec, 32x8xf32>)
    }
    pto.texpands ins(%one : f32) outs(%v : !pto.tile_buf<vec, 8x8xf32, valid=?x?>)
    pto.set_validshape %v, %c2, %c4 : !pto.tile_buf<vec, 8x8xf32, valid=?x?>
    pto.texpands ins(%one : f32) outs(%v : !pto.tile_buf<vec, 8x8xf32, valid=?x?>)
    return
  }
})";

std::string place_of(Session& session, std::string_view name, std::uint32_t position) {
  const auto tile = session.find_tile(name, position);
  if (!tile) return "none";
  const TileRef ref = session.tile_at(*tile, position);
  return fmt::format("{}x{} of {}x{}{}", ref.valid_rows, ref.valid_cols, ref.rows(), ref.cols(),
                     ref.address == 65536 ? " there" : "");
}

}  // namespace

TEST_CASE("session tiles: by name, the one that the steps around work on, where they see it") {
  const SharedRecording recording = record_text(kScopes);
  REQUIRE(recording->count() == 10);
  Session session(recording);
  const std::uint32_t main_t = recording->bound(0).operands[1].id, helper_t = recording->bound(1).operands[1].id;
  REQUIRE(main_t != helper_t);
  CHECK(recording->program().tiles[helper_t].name == recording->program().tiles[main_t].name);
  CHECK(session.find_tile("t", 0) == main_t);
  CHECK(session.find_tile("t", 1) == helper_t);
  CHECK(session.find_tile("t", 3) == main_t);
  CHECK(session.find_tile("t", 10) == main_t);
  CHECK(session.find_tile("t", 1000) == main_t);
  // It moves with the step, not before.
  CHECK(place_of(session, "t", 0) == "8x8 of 8x8");
  CHECK(place_of(session, "t", 3) == "8x8 of 8x8");
  CHECK(place_of(session, "t", 4) == "8x8 of 8x8 there");
  CHECK(place_of(session, "t", 10) == "8x8 of 8x8 there");
  CHECK(place_of(session, "t2", 5) == "16x8 of 16x8");
  CHECK(place_of(session, "t2", 6) == "16x8 of 16x8");
  CHECK(place_of(session, "t2", 7) == "32x8 of 32x8");
  CHECK(place_of(session, "t2", 0) == "16x8 of 16x8");
  CHECK(place_of(session, "t2", 10) == "32x8 of 32x8");
  CHECK(place_of(session, "v", 0) == "8x8 of 8x8");
  CHECK(place_of(session, "v", 8) == "8x8 of 8x8");
  CHECK(place_of(session, "v", 9) == "2x4 of 8x8");
  CHECK(place_of(session, "v", 10) == "2x4 of 8x8");
  CHECK(place_of(session, "unused", 3) == "4x8 of 4x8");
  CHECK(place_of(session, "nobody", 3) == "none");
  CHECK(!session.find_buffer("t"));
}

TEST_CASE("session tiles: a part of a tile stands inside of it") {
  const SharedRecording recording = record_text(R"(module attributes {pto.target_arch = "a5"} {
  func.func @k() {
    %c8 = arith.constant 8 : index
    %one = arith.constant 1.0 : f32
    %whole = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>
    pto.texpands ins(%one : f32) outs(%whole : !pto.tile_buf<vec, 8x16xf32>)
    %part = pto.subset %whole[2, %c8] sizes [4, 8] : !pto.tile_buf<vec, 8x16xf32>
    %other = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>
    pto.texpands ins(%one : f32) outs(%other : !pto.tile_buf<vec, 4x8xf32>)
    pto.tadd ins(%part, %other : !pto.tile_buf<vec, 4x8xf32, valid=?x?>, !pto.tile_buf<vec, 4x8xf32>) outs(%other : !pto.tile_buf<vec, 4x8xf32>)
    return
  }
})");
  REQUIRE(recording->count() == 3);
  Session session(recording);
  const auto whole = session.find_tile("whole", 2), part = session.find_tile("part", 2);
  REQUIRE((whole && part));
  const TileRef all = session.tile_at(*whole, 2), inside = session.tile_at(*part, 2);
  CHECK(inside.address == all.at(2, 8));
  CHECK(inside.at(3, 7) == all.at(5, 15));
  CHECK((inside.valid_rows == 4 && inside.valid_cols == 8));
  // What reads the part, reads the whole; between its lines nothing is read.
  CHECK(session.flow().readers({Space::Ub, all.at(5, 15), 4}, 1, 10).size() == 1);
  CHECK(session.flow().readers({Space::Ub, all.at(5, 7), 4}, 1, 10).empty());
}

TEST_CASE("session tiles: a tile whose first step moves it stood elsewhere before; in the next block it is back") {
  OpenRequest request;
  request.blocks = 2;
  const SharedRecording recording = record_text(R"(module attributes {pto.target_arch = "a5"} {
  func.func @k() {
    %one = arith.constant 1.0 : f32
    %there = arith.constant 65536 : i64
    %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    pto.tassign ins(%t, %there : !pto.tile_buf<vec, 8x8xf32>, i64)
    pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
    return
  }
})",
                                                request);
  // begin, tassign, texpands, and again.
  REQUIRE(recording->count() == 6);
  Session session(recording);
  std::string there;
  for (std::uint32_t position = 0; position <= 6; ++position)
    there += session.tile_at(0, position).address == 65536 ? '+' : '-';
  CHECK(there == "--++-++");
  CHECK(recording->step(4).block == 1);
  // What the first block left is lost.
  Session other(recording);
  History history = other.history({Space::Ub, 65536, 4});
  while (history.look_on(100)) {
  }
  std::string rows;
  for (const HistoryRow& row : history.rows())
    rows += fmt::format("{}{} ", row.maker == Maker::Block ? "block " : "", row.step);
  CHECK(rows == "block 0 2 block 3 5 ");
}

TEST_CASE("session tiles: every step knows the turns of its loops") {
  const SharedRecording recording = record_text(R"(module attributes {pto.target_arch = "a5"} {
  func.func private @twice(%p: !pto.tile_buf<vec, 8x8xf32>) {
    %c5 = arith.constant 5 : index
    %c2 = arith.constant 2 : index
    %c9 = arith.constant 9 : index
    scf.for %k = %c5 to %c9 step %c2 {
      pto.tadd ins(%p, %p : !pto.tile_buf<vec, 8x8xf32>, !pto.tile_buf<vec, 8x8xf32>) outs(%p : !pto.tile_buf<vec, 8x8xf32>)
    }
    return
  }
  func.func @main() attributes {pto.entry} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %one = arith.constant 1.0 : f32
    %t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
    scf.for %i = %c0 to %c2 step %c1 {
      pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
      func.call @twice(%t) : (!pto.tile_buf<vec, 8x8xf32>) -> ()
      pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
    }
    pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
    return
  }
})");
  std::string turns;
  std::vector<std::set<std::uint32_t>> entries;  // by depth
  for (std::uint32_t step = 0; step < recording->count(); ++step) {
    for (std::size_t depth = 0; depth < recording->loops(step).size(); ++depth) {
      const LoopTurn& turn = recording->loops(step)[depth];
      turns += fmt::format("{}{}#{}", depth > 0 ? "/" : "", turn.variable, turn.turn);
      if (entries.size() <= depth) entries.resize(depth + 1);
      entries[depth].insert(turn.entry);
      CHECK(turn.pos.line == (depth == 0 ? 17 : 6));
    }
    turns += " ";
  }
  CHECK(turns == "0#0 0#0/5#0 0#0/7#1 0#0 1#1 1#1/5#0 1#1/7#1 1#1  ");
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].size() == 1);
  CHECK(entries[1].size() == 2);  // it was entered twice

  Session session(recording);
  session.seek({1, 0});
  CHECK(session.out(Direction::Forward).step == 3);
  CHECK(session.out(Direction::Forward).step == 8);
  CHECK(session.out(Direction::Forward).reason == Stopped::Reason::End);
  session.seek({6, 0});
  CHECK(session.out(Direction::Backward).step == 5);
  CHECK(session.out(Direction::Backward).reason == Stopped::Reason::Start);
}

TEST_CASE("commands: names and keys are unique, keys can be read, everything has help") {
  const std::set<std::string> keys_of_other_names{"Left", "Right", "Up", "Down"};
  std::set<std::string> names, keys;
  for (const CommandRow& row : commands()) {
    CAPTURE(std::string(row.name));
    CHECK(names.insert(row.name).second);
    CHECK(find_command(row.name) == &row);
    CHECK(!std::string(row.menu).empty());
    CHECK(!std::string(row.title).empty());
    const std::string help = row.help;
    REQUIRE(!help.empty());
    CHECK(help.back() == '.');
    CHECK((row.run != nullptr || !row.parameters.empty()));
    std::string key = row.keys;
    if (key.empty()) continue;
    CHECK(keys.insert(key).second);
    for (const std::string_view modifier : {"Ctrl+", "Shift+", "Alt+"})
      if (key.starts_with(modifier)) key = key.substr(modifier.size());
    const bool letter = key.size() == 1 && key[0] >= 'A' && key[0] <= 'Z';
    const bool function =
        key[0] == 'F' && key.size() > 1 && std::stoi(key.substr(1)) >= 1 && std::stoi(key.substr(1)) <= 12;
    CHECK_MESSAGE((letter || function || keys_of_other_names.contains(key)), key);
  }
  CHECK(find_command("nothing") == nullptr);
}

TEST_CASE("commands: every row without arguments does what it says") {
  const SharedRecording recording = record_sample("row_loop");
  Session session(recording);
  const auto run = [&](const char* name) { return std::get<Stopped>(find_command(name)->run(session, {name})); };
  CHECK(run("last").step == recording->count());
  CHECK(session.moment().position == recording->count());
  CHECK(run("first").step == 0);
  CHECK(session.moment() == Moment{});
  CHECK(run("over").step == 1);
  CHECK(run("overBack").step == 0);
  CHECK(run("overBack").reason == Stopped::Reason::Start);
  CHECK(run("continue").reason == Stopped::Reason::End);
  CHECK(run("reverse").reason == Stopped::Reason::Start);
  CHECK(run("visitBack").step == recording->count());
  CHECK(run("visitForward").step == 0);
  CHECK(run("visitForward").reason == Stopped::Reason::End);
  CHECK(run("nextFinding").reason == Stopped::Reason::End);
  CHECK(run("previousFinding").reason == Stopped::Reason::Start);
  session.seek({2, 0});
  run("into");
  CHECK(session.moment() > Moment{2, 0});
  run("intoBack");
  CHECK(session.moment() == Moment{2, 0});
  run("out");  // of the loop: two waits are behind it
  CHECK(session.moment() == Moment{recording->count() - 2, 0});
  run("outBack");  // of the whole program, because one is behind the loop
  CHECK(session.moment() == Moment{});
}

TEST_CASE("commands: rows take their arguments, and say what is missing") {
  const SharedRecording recording = record_sample("row_loop");
  Session session(recording);
  const auto run = [&](const char* name, std::vector<CommandValue> values) {
    return find_command(name)->run(session, {name, std::move(values)});
  };
  run("seek", {std::int64_t{5}});
  CHECK(session.moment() == Moment{5, 0});
  run("step", {std::int64_t{2}});
  CHECK(session.moment() == Moment{7, 0});
  run("back", {std::int64_t{3}});
  CHECK(session.moment() == Moment{4, 0});
  run("runTo", {"", "", "tadd"});
  const Moment before = session.moment();
  run("seek", {std::int64_t{before.position}, std::int64_t{1}});
  CHECK(session.moment() == Moment{before.position, 1});
  run("runTo", {std::int64_t{9}});
  CHECK(session.moment() == Moment{9, 0});
  const std::uint32_t line = recording->bound(3).pos.line;
  run("runBackTo", {"", std::int64_t{line}});
  CHECK(recording->bound(session.moment().position).pos.line == line);
  for (const char* name : {"seek", "runTo", "runBackTo"}) {
    CAPTURE(name);
    CHECK(std::holds_alternative<Refusal>(run(name, {})));
  }
}

}  // namespace ts::test
