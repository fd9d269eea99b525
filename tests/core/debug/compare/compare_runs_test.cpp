// Two recordings side by side: which results differ, against plain bytes; which steps correspond; where the two part.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "core/debug/compare/compare_runs.h"
#include "core/debug/compare/step_pairs.h"
#include "core/debug/session/stop_text.h"
#include "core/record/operand_place.h"
#include "core/record/recording_file.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/record/random_program.h"
#include "tests/support/record/recorded.h"
#include "tests/support/record/straight.h"
#include "tests/support/scale.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

constexpr int kPrograms = kSanitized ? 3 : 15;

// --- by plain bytes -------------------------------------------------------------------------------------------------

struct Expected {
  std::uint32_t step;
  int operand;
  std::uint64_t count;
  std::uint32_t row, col;
  bool inherited;
  bool operator==(const Expected&) const = default;
};

std::string shown(const std::vector<Expected>& all) {
  std::string text;
  for (const Expected& one : all)
    text += fmt::format(" {}.{}:{} from [{},{}]{}", one.step, one.operand, one.count, one.row, one.col,
                        one.inherited ? " inherited" : "");
  return text;
}

// Calls f(row, col, place) for the elements of a tile's valid region, or of a view's whole buffer.
template <class F>
void for_elements(const Operand& operand, F f) {
  if (operand.spec->kind == OperandKind::Tile) {
    for (std::uint32_t row = 0; row < operand.tile.valid_rows; ++row)
      for (std::uint32_t col = 0; col < operand.tile.valid_cols; ++col)
        f(row, col, ByteRange{operand.tile.space(), operand.tile.at(row, col), operand.tile.elem_bytes()});
  } else {
    const std::uint32_t size = size_bytes(operand.global.dtype);
    for (std::uint32_t at = operand.global.buffer_begin, col = 0; at < operand.global.buffer_end; at += size, ++col)
      f(0u, col, ByteRange{Space::Gm, at, size});
  }
}

// The same program recorded twice: both runs done over without pages, and all elements looked at, byte by byte.
std::vector<Expected> by_plain_bytes(const Recording& a, const Recording& b) {
  Straight of_a(a), of_b(b);
  std::vector<Expected> all;
  const auto differs = [&](ByteRange place) {
    const Flat at = a.map().flat(place);
    return of_a.worst(at, place.size) == Definedness::Written && of_b.worst(at, place.size) == Definedness::Written &&
           std::memcmp(of_a.bytes() + at, of_b.bytes() + at, place.size) != 0;
  };
  const auto wrote = [&](ByteRange place) {
    const Flat at = a.map().flat(place);
    for (Flat byte = at; byte < at + place.size; ++byte)
      if (of_a.wrote(byte) || of_b.wrote(byte)) return true;
    return false;
  };
  for (std::uint32_t step = 0; step < a.count(); ++step) {
    const Bound& bound = a.bound(step);
    bool inherited = false;
    for (const Operand& operand : bound.operands) {
      if (operand.spec->role == Role::Out || operand.spec->role == Role::Tmp ||
          operand.spec->kind == OperandKind::Scalar)
        continue;
      if (operand.spec->kind == OperandKind::Tile)
        for_elements(operand,
                     [&](std::uint32_t, std::uint32_t, ByteRange place) { inherited = inherited || differs(place); });
      else
        for (std::uint32_t row = 0; row < operand.global.rows(); ++row)
          for (std::uint32_t col = 0; col < operand.global.cols(); ++col)
            inherited = inherited || differs({Space::Gm, static_cast<std::uint32_t>(operand.global.at(row, col)),
                                              size_bytes(operand.global.dtype)});
    }
    of_a.step();
    of_b.step();
    for (std::size_t i = 0; i < bound.operands.size(); ++i) {
      const Operand& operand = bound.operands[i];
      if (operand.spec->role != Role::Out || operand.spec->kind == OperandKind::Scalar) continue;
      Expected one{step, static_cast<int>(i), 0, 0, 0, inherited};
      for_elements(operand, [&](std::uint32_t row, std::uint32_t col, ByteRange place) {
        if (!wrote(place) || !differs(place)) return;
        if (one.count++ == 0) one.row = row, one.col = col;
      });
      if (one.count > 0) all.push_back(one);
    }
  }
  return all;
}

std::vector<Expected> told(const RunDifferences& found) {
  std::vector<Expected> all;
  for (const ResultDifference& one : found.differences)
    all.push_back({one.step_a, one.operand_a, one.comparison.count, one.comparison.first->row,
                   one.comparison.first->col, one.inherited});
  return all;
}

// NaN are like no other here: bytes decide.
CompareRunsOptions by_bits() {
  CompareRunsOptions options;
  options.values.nan_equal = false;
  return options;
}

void check_against_bytes(const Recording& a, const Recording& b) {
  const std::vector<Expected> expected = by_plain_bytes(a, b);
  const RunDifferences found = compare_runs(a, b, {});
  CHECK(found.compared == a.count());
  CHECK(!found.parted);
  CHECK_MESSAGE(told(found) == expected, shown(told(found)), " expected", shown(expected));
  CHECK(found.same() == expected.empty());
}

// Random programs have no NaN in what they begin with, and inputs of one byte changed make other finite numbers.
// Some elements of one input, so that few programs read none of them.
RecordOptions one_input_else(const Recording& recording, Random& random) {
  RecordOptions options = recording.options();
  const auto& buffers = recording.program().buffers;
  const BufferDecl& buffer = buffers[random.below(static_cast<std::uint32_t>(buffers.size()))];
  std::set<std::uint32_t> addresses;
  for (int i = 0; i < 16; ++i) addresses.insert(buffer.address + random.below(std::max(buffer.size() / 4, 1u)) * 4);
  const auto before = recording.options().initial;
  options.initial = [before, addresses](Memory& memory) {
    if (before) before(memory);
    for (const std::uint32_t address : addresses) {
      const std::uint64_t bits = memory.element(Space::Gm, address, 4);
      memory.set_element(Space::Gm, address, 4, bits ^ 0x00400000);
      memory.mark(memory.map().flat(Space::Gm, address), 4, Definedness::Written);
    }
  };
  return options;
}

// --- texts ----------------------------------------------------------------------------------------------------------

// Lines 3 to 8 declare, the statements begin at line 9.
std::string module_of(const std::string& statements) {
  return "module attributes {pto.target_arch = \"a5\"} {\n  func.func @k(%n: index, %g: !pto.ptr<i32>) {\n"
         "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c3 = arith.constant 3 : index\n"
         "%one = arith.constant 1.0 : f32\n%a = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n"
         "%b = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n" +
         statements + "return\n  }\n}";
}
std::string fill(const std::string& tile) {
  return "pto.texpands ins(%one : f32) outs(%" + tile + " : !pto.tile_buf<vec, 8x8xf32>)\n";
}
std::string add(const std::string& x, const std::string& y, const std::string& sum) {
  return "pto.tadd ins(%" + x + ", %" + y + " : !pto.tile_buf<vec, 8x8xf32>, !pto.tile_buf<vec, 8x8xf32>) outs(%" +
         sum + " : !pto.tile_buf<vec, 8x8xf32>)\n";
}
std::string turn_over(const std::string& from, const std::string& to) {
  return "pto.ttrans ins(%" + from + " : !pto.tile_buf<vec, 8x8xf32>) outs(%" + to +
         " : !pto.tile_buf<vec, 8x8xf32>)\n";
}
std::string loop(const std::string& upper, const std::string& body) {
  return "scf.for %i = %c0 to %" + upper + " step %c1 {\n" + body + "}\n";
}
const std::string kScratch = "%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>\n";

SharedRecording run(const std::string& statements, const std::map<std::string, std::string>& numbers = {},
                    std::optional<std::int32_t> in_memory = {}) {
  OpenRequest request;
  request.inputs.numbers = numbers;
  if (in_memory) {
    request.inputs.data["g"].resize(32);
    std::memcpy(request.inputs.data["g"].data(), &*in_memory, 4);
  }
  return record_text(module_of(statements), request);
}

const std::string kLoop = fill("a") + fill("b") + loop("c3", add("a", "b", "a") + turn_over("a", "b"));

std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_of(const StepPairs& pairs) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  for (const PairedRun& run : pairs.runs)
    for (std::uint32_t i = 0; i < run.count; ++i) all.emplace_back(run.a + i, run.b + i);
  return all;
}

}  // namespace

TEST_CASE("compare runs: a program is the same as itself, whole or thinned") {
  for (const Recorded& recorded : some_recordings(3)) {
    CAPTURE(recorded.name);
    const SharedRecording again = Recording::run(recorded.recording->program(), recorded.recording->options());
    const RunDifferences found = compare_runs(*recorded.recording, *again, {});
    CHECK(found.same());
    CHECK(found.compared == recorded.recording->count());
    CHECK(found.paired == recorded.recording->count());
  }
}

TEST_CASE("compare runs: with one input changed, exactly the steps differ that plain bytes say") {
  int with_differences = 0;
  for (const Target target : kBothTargets)
    for (int i = 0; i < kPrograms; ++i) {
      CAPTURE(name(target));
      CAPTURE(i);
      Random random(static_cast<std::uint64_t>(100 + i));
      const SharedRecording a = i % 2 == 0 ? record_random(static_cast<std::uint64_t>(i), target, 40)
                                           : record_random_text(static_cast<std::uint64_t>(i), target);
      if (a->program().buffers.empty()) continue;
      const SharedRecording b = Recording::run(a->program(), one_input_else(*a, random));
      if (b->count() != a->count()) continue;  // it decided a branch
      check_against_bytes(*a, *b);
      with_differences += compare_runs(*a, *b, {}).differences.empty() ? 0 : 1;
    }
  CHECK(with_differences > kPrograms / 2);
}

TEST_CASE("compare runs: recordings without their snapshots differ in the same places") {
  const SharedRecording a = record_random(5, Target::A5, 300);
  Random random(9);
  SharedRecording b;
  std::vector<Expected> expected;
  while (expected.empty()) {  // until it is a byte that something reads
    b = Recording::run(a->program(), one_input_else(*a, random));
    expected = told(compare_runs(*a, *b, {}));
  }
  CHECK(told(compare_runs(*thinned(*a), *b, {})) == expected);
  CHECK(told(compare_runs(*thinned(*a), *thinned(*b), {})) == expected);
}

TEST_CASE("compare runs: a recording from a file differs in the same places") {
  const SharedRecording a = record_sample("row_loop");
  Random random(4);
  SharedRecording b;
  std::vector<Expected> expected;
  while (expected.empty()) {
    b = Recording::run(a->program(), one_input_else(*a, random));
    if (b->count() == a->count()) expected = told(compare_runs(*a, *b, {}));
  }
  TempFolder folder;
  REQUIRE(save_recording(*a, {}, {}, folder / "a.ptorec").text.empty());
  auto opened = open_recording(folder / "a.ptorec");
  REQUIRE(std::holds_alternative<RecordingFile>(opened));
  const SharedRecording saved = std::get<RecordingFile>(opened).recording;
  CHECK(compare_runs(*saved, *a, {}).same());
  CHECK(told(compare_runs(*saved, *b, {})) == expected);
}

TEST_CASE("compare runs: what was edited by hand is no result of the step before it") {
  const SharedRecording a = run(kLoop);
  Session session(a);
  const ByteRange place = a->bound(2).operands[0].tile.range();  // %a, of the first tadd
  const std::vector<std::byte> five{std::byte{0}, std::byte{0}, std::byte{0xA0}, std::byte{0x40}};
  for (const std::uint32_t position : {2u, 3u}) {
    CAPTURE(position);
    const auto forked = session.fork({{position, place.space, place.address, five}});
    const auto& b = std::get<std::shared_ptr<const Recording>>(forked);
    const RunDifferences found = compare_runs(*a, *b, {});
    REQUIRE(!found.differences.empty());
    CHECK(found.differences.front().step_a == position);
    CHECK(found.causes() == 0);
  }
}

TEST_CASE("compare runs: tolerances and the number of differences that are wanted") {
  const SharedRecording a =
      run("%x = arith.constant 1.0 : f32\npto.texpands ins(%x : f32) outs(%a : !pto.tile_buf<vec, 8x8xf32>)\n" +
          add("a", "a", "b"));
  const SharedRecording b =
      run("%x = arith.constant 0x3F800003 : f32\npto.texpands ins(%x : f32) outs(%a : !pto.tile_buf<vec, 8x8xf32>)\n" +
          add("a", "a", "b"));
  CompareRunsOptions options;
  const RunDifferences all = compare_runs(*a, *b, options);
  REQUIRE(all.differences.size() == 2);
  CHECK(all.differences[0].comparison.count == 64);
  CHECK(all.differences[0].comparison.first->ulps == 3u);
  CHECK(all.differences[0].comparison.first->a == 0x3F800000);
  CHECK(all.differences[0].comparison.first->b == 0x3F800003);
  CHECK(all.differences[0].name == "a");
  CHECK(!all.differences[0].inherited);  // the number in the text is another
  CHECK(all.differences[1].name == "b");
  CHECK(all.differences[1].inherited);
  CHECK(all.causes() == 1);
  options.most = 1;
  const RunDifferences first = compare_runs(*a, *b, options);
  CHECK(first.differences.size() == 1);
  CHECK(!first.complete);
  options = {};
  options.values.ulp = 3;
  CHECK(compare_runs(*a, *b, options).same());
  options.values.ulp = 2;
  CHECK(compare_runs(*a, *b, options).differences.size() == 2);
  options.values = {.abs = 1e-6};
  CHECK(compare_runs(*a, *b, options).differences.size() == 0);
  int asked = 0;
  const RunDifferences stopped = compare_runs(*a, *b, {}, [&](std::uint32_t) { return ++asked > 1; });
  CHECK(!stopped.complete);
  CHECK(!stopped.same());
}

TEST_CASE("compare runs: NaN are alike unless they are wanted to differ") {
  const std::string text =
      "%x = arith.constant 0x7FC00000 : f32\npto.texpands ins(%x : f32) outs(%a : !pto.tile_buf<vec, 8x8xf32>)\n";
  const SharedRecording a = run(text);
  CHECK(compare_runs(*a, *a, {}).same());
  const RunDifferences found = compare_runs(*a, *a, by_bits());
  REQUIRE(found.differences.size() == 1);
  CHECK(found.differences[0].comparison.count == 64);
}

// --- which steps correspond -----------------------------------------------------------------------------------------

TEST_CASE("step pairs: what two lists have in common is as long as it can be") {
  Random random(11);
  for (int i = 0; i < 500; ++i) {
    std::vector<std::uint32_t> a(random.below(12)), b(random.below(12));
    const std::uint32_t kinds = random.between(1, 4);
    for (auto* list : {&a, &b})
      for (std::uint32_t& one : *list) one = random.below(kinds);
    std::vector<std::vector<std::size_t>> longest(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t x = 0; x < a.size(); ++x)
      for (std::size_t y = 0; y < b.size(); ++y)
        longest[x + 1][y + 1] = a[x] == b[y] ? longest[x][y] + 1 : std::max(longest[x][y + 1], longest[x + 1][y]);
    std::size_t common = 0;
    std::uint32_t next_a = 0, next_b = 0;
    for (const PairedRun& run : common_runs(a, b, 100)) {
      REQUIRE(run.a >= next_a);
      REQUIRE(run.b >= next_b);
      REQUIRE(run.a + run.count <= a.size());
      REQUIRE(run.b + run.count <= b.size());
      for (std::uint32_t k = 0; k < run.count; ++k) CHECK(a[run.a + k] == b[run.b + k]);
      next_a = run.a + run.count;
      next_b = run.b + run.count;
      common += run.count;
    }
    CHECK(common == longest[a.size()][b.size()]);
  }
}

TEST_CASE("step pairs: beyond the edits that are allowed, the begins and the ends") {
  const std::vector<std::uint32_t> a{1, 2, 3, 4, 9}, b{1, 5, 6, 7, 9};
  CHECK(common_runs(a, b, 5) == std::vector<PairedRun>{{0, 0, 1}, {4, 4, 1}});
  CHECK(common_runs(a, b, 6) == std::vector<PairedRun>{{0, 0, 1}, {4, 4, 1}});
  CHECK(common_runs({}, b, 6).empty());
}

TEST_CASE("step pairs: an instruction more in a loop is left out in every turn") {
  const SharedRecording a = run(kScratch + kLoop);
  const SharedRecording b =
      run(kScratch + fill("a") + fill("b") + loop("c3", add("a", "b", "a") + add("a", "a", "t") + turn_over("a", "b")));
  const StepPairs pairs = pair_steps(*a, *b);
  CHECK(!pairs.same_program);
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  CHECK(pairs_of(pairs) == Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 4}, {4, 5}, {5, 7}, {6, 8}, {7, 10}});
  CHECK(pairs.only_a.empty());
  CHECK(pairs.only_b == std::vector<StepRange>{{3, 4}, {6, 7}, {9, 10}});
  CHECK(!pairs.parted);
  const RunDifferences found = compare_runs(*a, *b, {});
  CHECK(found.same());
  CHECK(found.only_b == pairs.only_b);
  // And the other way: one less.
  CHECK(pair_steps(*b, *a).only_a == pairs.only_b);
}

TEST_CASE("step pairs: an edited instruction is a cause, what follows is inherited") {
  const SharedRecording a = run(kLoop);
  const SharedRecording b = run(fill("a") + fill("b") + loop("c3", add("b", "b", "a") + turn_over("a", "b")));
  const RunDifferences found = compare_runs(*a, *b, {});
  // 1 + 1 is 2 in both; then 2 + 2 is 4 in both as well; a and b are alike in every turn.
  CHECK(found.same());
  const SharedRecording c = run(fill("a") + fill("b") + loop("c3", add("a", "a", "a") + turn_over("a", "b")));
  CHECK(compare_runs(*a, *c, {}).same());
  // Another operand is a cause, although the two operands hold something else.
  const std::string begin = kScratch + fill("a") + add("a", "a", "b");
  const SharedRecording e = run(begin + add("a", "b", "t")), f = run(begin + add("a", "a", "t"));
  const RunDifferences other = compare_runs(*e, *f, {});
  REQUIRE(other.differences.size() == 1);
  CHECK(other.differences[0].step_a == 2);
  CHECK(!other.differences[0].inherited);
  const SharedRecording d =
      run(fill("a") + fill("b") + add("a", "b", "b") + loop("c3", add("a", "b", "a") + turn_over("a", "b")));
  const RunDifferences more = compare_runs(*a, *d, {});
  REQUIRE(more.differences.size() == 6);
  CHECK(more.only_b == std::vector<StepRange>{{2, 3}});
  CHECK(more.differences[0].step_a == 2);
  CHECK(more.differences[0].step_b == 3);
  for (const ResultDifference& one : more.differences) CHECK(one.inherited);  // by a step without a partner
}

TEST_CASE("step pairs: turns more of a loop, also of one in another, are left out") {
  const std::string inner = loop("c1", add("a", "b", "a")), more = loop("c3", add("a", "b", "a"));
  const std::string nested = "scf.for %j = %c0 to %c3 step %c1 {\n", end = turn_over("a", "b") + "}\n";
  const SharedRecording a = run(fill("a") + fill("b") + nested + inner + end);
  const SharedRecording b = run(fill("a") + fill("b") + nested + more + end);
  const StepPairs pairs = pair_steps(*a, *b);
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  CHECK(pairs_of(pairs) == Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 5}, {4, 6}, {5, 9}, {6, 10}, {7, 13}});
  CHECK(pairs.only_b == std::vector<StepRange>{{3, 5}, {7, 9}, {11, 13}});
}

TEST_CASE("step pairs: a loop and the same steps written out") {
  const std::string body = add("a", "b", "a") + turn_over("a", "b");
  const SharedRecording a = run(kLoop), b = run(fill("a") + fill("b") + body + body + body);
  const StepPairs pairs = pair_steps(*a, *b);
  CHECK(pairs.runs == std::vector<PairedRun>{{0, 0, 8}});
  CHECK(compare_runs(*a, *b, {}).same());
}

TEST_CASE("step pairs: programs that have nothing in common say so") {
  const SharedRecording a = run(fill("a")), b = run(turn_over("a", "b"));
  const RunDifferences found = compare_runs(*a, *b, {});
  CHECK(!found.same());
  REQUIRE(found.parted.has_value());
  CHECK(found.parted->text == "no step of one has a step in the other that does the same");
  CHECK(found.only_a == std::vector<StepRange>{{0, 1}});
}

TEST_CASE("step pairs: long runs of equal steps are no work") {
  const std::string turns = "%many = arith.constant 30000 : index\n", fewer = "%many = arith.constant 20000 : index\n";
  const std::string body = loop("many", add("a", "a", "a"));
  const SharedRecording a = run(turns + fill("b") + body), b = run(fewer + fill("b") + body + turn_over("b", "a"));
  const StepPairs pairs = pair_steps(*a, *b);
  CHECK(pairs.runs == std::vector<PairedRun>{{0, 0, 20001}});
  CHECK(pairs.only_a == std::vector<StepRange>{{20001, 30001}});
  CHECK(pairs.only_b == std::vector<StepRange>{{20001, 20002}});
}

TEST_CASE("compare runs: where a number in memory decides the turns of a loop, the two part") {
  const std::string text =
      kScratch + "%x = pto.load_scalar %g[%c0] : !pto.ptr<i32> -> i32\n%turns = arith.index_cast %x : i32 to index\n" +
      fill("a") + loop("turns", add("a", "a", "a")) + turn_over("a", "b");
  const SharedRecording a = run(text, {}, 2), b = run(text, {}, 3);
  const RunDifferences found = compare_runs(*a, *b, {});
  CHECK(found.compared == 3);
  CHECK(found.differences.empty());
  CHECK(!found.same());
  REQUIRE(found.parted.has_value());
  CHECK(found.parted->step_a == 3);
  CHECK(found.parted->step_b == 3);
  CHECK(found.parted->text ==
        "the first runs ttrans at line 16; the second runs tadd at line 14 after 2 turns of the loop at line 13");
  const SharedRecording none = run(text, {}, 2);
  CHECK(compare_runs(*a, *none, {}).same());
}

TEST_CASE("compare runs: the same instruction in another turn is another step") {
  // The inner loop's last turn more would pass for the outer loop's next one.
  const std::string text = fill("a") + "scf.for %j = %c0 to %c3 step %c1 {\n" + loop("n", add("a", "a", "a")) + "}\n";
  const SharedRecording a = run(text, {{"n", "1"}}), b = run(text, {{"n", "2"}});
  const RunDifferences found = compare_runs(*a, *b, {});
  CHECK(found.compared == 2);
  REQUIRE(found.parted.has_value());
  CHECK(found.parted->step_a == 2);
}

TEST_CASE("compare runs: where one comes to its end before the other") {
  const std::string text = fill("a") + loop("n", add("a", "a", "a"));
  const SharedRecording a = run(text, {{"n", "1"}}), b = run(text, {{"n", "2"}});
  const RunDifferences found = compare_runs(*a, *b, {});
  REQUIRE(found.parted.has_value());
  CHECK(found.parted->text ==
        "the first is at its end; the second runs tadd at line 11 after 1 turn of the loop at line 10");
}

TEST_CASE("compare runs: random edited texts never pair different instructions, and never lose order") {
  for (int i = 0; i < kPrograms; ++i) {
    const SharedRecording a = record_random_text(static_cast<std::uint64_t>(i), Target::A5);
    const SharedRecording b = record_random_text(static_cast<std::uint64_t>(i / 2), Target::A2A3);
    const StepPairs pairs = pair_steps(*a, *b);
    std::uint32_t next_a = 0, next_b = 0, only_a = 0;
    for (const PairedRun& run : pairs.runs) {
      REQUIRE(run.a >= next_a);
      REQUIRE(run.b >= next_b);
      for (std::uint32_t k = 0; k < run.count; ++k) CHECK(a->bound(run.a + k).row == b->bound(run.b + k).row);
      next_a = run.a + run.count;
      next_b = run.b + run.count;
    }
    for (const StepRange& range : pairs.only_a) only_a += range.end - range.first;
    std::uint32_t paired = 0;
    for (const PairedRun& run : pairs.runs) paired += run.count;
    if (!pairs.same_program) CHECK(paired + only_a == a->count());
  }
}

// --- texts, stops ---------------------------------------------------------------------------------------------------

TEST_CASE("compare runs: a difference is told with its step, its line, both results and what they were made of") {
  const std::string begin = "%x = arith.constant ",
                    end = " : f32\npto.texpands ins(%x : f32) outs(%a : !pto.tile_buf<vec, 8x8xf32>)\n" +
                          add("a", "a", "b");
  const SharedRecording a = run(begin + "1.25" + end), b = run(begin + "1.0" + end);
  Session of_a(a), of_b(b);
  const RunDifferences found = compare_runs(of_a, of_b, {});
  REQUIRE(found.differences.size() == 2);
  CHECK(difference_text(of_a, of_b, found.differences[1]) ==
        "step 1 tadd, line 11: %b[0,0] is 2.5 (0x40200000) on the first and 2 (0x40000000) on the second, 2097152 ulp "
        "apart; 64 elements differ\n"
        "  on the first\n    from %a[0,0] = 1.25  at 0x0 + (0*8 + 0)*4 = 0x0, made by step 0 texpands\n"
        "  on the second\n    from %a[0,0] = 1  at 0x0 + (0*8 + 0)*4 = 0x0, made by step 0 texpands");
  const DifferingElement explained = explain(of_a, of_b, found.differences[0], *found.differences[0].comparison.first);
  REQUIRE(explained.from_a.size() == 1);
  CHECK(explained.from_a[0].kind == Source::Kind::Scalar);
  CHECK(explained.from_a[0].bits == 0x3FA00000);
  CHECK(explained.from_b[0].bits == 0x3F800000);
  CHECK(of_a.moment() == Moment{});
}

TEST_CASE("compare runs: a session stops at the steps that differ, and goes from one to the next") {
  const SharedRecording a = run(kLoop);
  Session session(a);
  const ByteRange place = a->bound(2).operands[0].tile.range();
  const std::vector<std::byte> five{std::byte{0}, std::byte{0}, std::byte{0xA0}, std::byte{0x40}};
  const auto forked = session.fork({{4, place.space, place.address + 4, five}});
  const auto other = std::get<std::shared_ptr<const Recording>>(forked);
  const auto refused = session.add_stop({.differs = true});
  REQUIRE(std::holds_alternative<Refusal>(refused));
  CHECK(std::get<Refusal>(refused).text == "the recording was not compared with another");
  CHECK(!session.to_difference(Direction::Forward));

  const auto found = std::make_shared<const RunDifferences>(compare_runs(*a, *other, {}));
  REQUIRE(found->differences.size() == 4);  // 4 tadd, 5 ttrans, 6 tadd, 7 ttrans
  Session second(other);
  second.set_reference({found, a, Side::B});
  session.set_reference({found, other, Side::A});
  for (Session* one : {&session, &second}) {
    std::vector<std::uint32_t> steps;
    while (const auto stop = one->to_difference(Direction::Forward)) {
      CHECK(one->moment() == Moment{stop->step + 1, 0});
      REQUIRE(stop->cell.has_value());
      steps.push_back(stop->step);
    }
    CHECK(steps == std::vector<std::uint32_t>{4, 5, 6, 7});
    std::vector<std::uint32_t> back;
    while (const auto stop = one->to_difference(Direction::Backward)) back.push_back(stop->step);
    CHECK(back == std::vector<std::uint32_t>{6, 5, 4});
    one->seek({6, 1});  // in the middle of a step, the place behind the one before it lies further back
    CHECK(one->to_difference(Direction::Backward)->step == 5);
    one->seek({0, 0});
    const auto rule = read_stop("differs", *one);
    REQUIRE(std::holds_alternative<StopRule>(rule));
    CHECK(describe(std::get<StopRule>(rule)) == "differs");
    const auto added = one->add_stop(std::get<StopRule>(rule));
    REQUIRE(std::holds_alternative<StopId>(added));
    const Stopped stop = one->run(Direction::Forward);
    CHECK(stop.reason == Stopped::Reason::Rule);
    CHECK(stop.step == 4);
    CHECK(one->moment() == Moment{5, 0});
    REQUIRE(stop.cell.has_value());
    CHECK(stop.cell->row == 0);
    CHECK(stop.cell->col == 1);
    CHECK(stop.cell->place == ByteRange{place.space, place.address + 4, 4});
  }
  const auto never = session.add_stop({.op = "texpands", .differs = true});
  REQUIRE(std::holds_alternative<Refusal>(never));
  CHECK(std::get<Refusal>(never).text == "no step is all of this at once");
  session.set_reference({std::make_shared<const RunDifferences>(compare_runs(*a, *a, {})), a, Side::A});
  CHECK(std::get<Refusal>(session.add_stop({.differs = true})).text ==
        "no step differs from the run that this one was compared with");
}

}  // namespace ts::test
