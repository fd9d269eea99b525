// TSORT32 and TMRGSORT where it is not by chance: ties, NaNs, blocks that are filled up, lists that end, and what text says.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/isa/special_registers.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/scale.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kKeysAt = 0x1000, kNumbersAt = 0x9000, kScratchAt = 0x12000, kSortedAt = 0x1A000;

struct Record {
  double key;
  std::uint32_t index;
  bool operator==(const Record& other) const {
    return index == other.index && (key == other.key || (std::isnan(key) && std::isnan(other.key)));
  }
};
std::string listed(const std::vector<Record>& records) {
  std::string text;
  for (const auto& [key, index] : records) text += fmt::format("{}:{} ", key, index);
  return text;
}

Record record_at(const Memory& memory, DType type, std::uint32_t address) {
  return {to_double(type, memory.element(Space::Ub, address, size_bytes(type))),
          static_cast<std::uint32_t>(memory.element(Space::Ub, address + 4, 4))};
}
std::vector<Record> records_at(const Memory& memory, DType type, std::uint32_t address, std::size_t count) {
  std::vector<Record> records;
  for (std::uint32_t i = 0; i < count; ++i) records.push_back(record_at(memory, type, address + 8 * i));
  return records;
}
void put_element(Memory& memory, std::uint32_t address, std::uint32_t size, std::uint64_t bits) {
  memory.set_element(Space::Ub, address, size, bits);
  memory.mark(memory.map().flat(Space::Ub, address), size, Definedness::Written);
}
void put_records(Memory& memory, DType type, std::uint32_t address, const std::vector<Record>& records) {
  for (const auto& [key, index] : records) {
    put_element(memory, address, 4, from_double(type, key));
    put_element(memory, address + 4, 4, index);
    address += 8;
  }
}

std::unique_ptr<Recording> run_alone(ProgramBuilder& builder, const std::function<void(Memory&)>& initial) {
  return Recording::run(build(builder), {.budget_bytes = std::size_t{2} << 20, .initial = initial});
}

// What a row of keys, numbered as they stand, becomes. Fewer than whole blocks: with tmp.
std::vector<Record> sorted(Target target, DType type, const std::vector<double>& keys) {
  const auto count = static_cast<std::uint32_t>(keys.size()), whole = rounded_up(count, 32);
  ProgramBuilder builder(target, "sort");
  const auto row = [&](const char* name, DType its, std::uint32_t cols, std::uint32_t valid, std::uint32_t address) {
    return builder.tile(name, vec_tile(its, 1, cols, kDynamic, kDynamic),
                        {.address = address, .valid_rows = 1, .valid_cols = valid});
  };
  std::vector<BuildOperand> inputs{row("src", type, whole, count, kKeysAt),
                                   row("indices", DType::U32, whole, count, kNumbersAt)};
  if (count != whole) inputs.emplace_back(row("tmp", type, whole, whole, kScratchAt));
  const std::uint32_t cols = whole * 8 / size_bytes(type);
  builder.add("tsort32", inputs, {row("dst", type, cols, cols, kSortedAt)});
  const auto recording = run_alone(builder, [&](Memory& memory) {
    for (std::uint32_t i = 0; i < whole; ++i) {
      if (i < count) put_element(memory, kKeysAt + i * size_bytes(type), size_bytes(type), from_double(type, keys[i]));
      put_element(memory, kNumbersAt + 4 * i, 4, i);
    }
  });
  REQUIRE(recording->count() == 1);
  return records_at(recording->final_memory(), type, kSortedAt, whole);
}

// Lists in tiles of their own, as one; and how many of each were taken. `room`: records in dst, 0: of all lists.
struct Merged {
  std::vector<Record> records;
  std::vector<std::uint32_t> taken;
  bool knows_taken = false;
  std::vector<std::string> told;
};
Merged merged(Target target, DType type, const std::vector<std::vector<Record>>& lists, bool exhausted,
              std::uint32_t room = 0) {
  ProgramBuilder builder(target, "merge");
  const std::uint32_t step = 8 / size_bytes(type), least = 32 / size_bytes(type);
  const auto list = [&](const std::string& name, std::size_t records, std::uint32_t address) {
    const auto cols = static_cast<std::uint32_t>(records) * step;
    return builder.tile(name, vec_tile(type, 1, std::max(rounded_up(cols, least), least), kDynamic, kDynamic),
                        {.address = address, .valid_rows = 1, .valid_cols = cols});
  };
  std::vector<BuildOperand> inputs;
  std::uint32_t all = 0, tmp = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    inputs.emplace_back(
        list(fmt::format("src{}", i), lists[i].size(), kKeysAt + static_cast<std::uint32_t>(i) * 0x2000));
    all += static_cast<std::uint32_t>(lists[i].size());
    tmp += std::max<std::uint32_t>(4, rounded_up(static_cast<std::uint32_t>(lists[i].size()), 4));
  }
  if (room == 0) room = all;
  inputs.emplace_back(list("tmp", tmp, kScratchAt));
  builder.add("tmrgsort", inputs, {list("dst", room, kSortedAt)}, {{"exhausted", exhausted ? "true" : "false"}});
  const auto recording = run_alone(builder, [&](Memory& memory) {
    for (std::size_t i = 0; i < lists.size(); ++i)
      put_records(memory, type, kKeysAt + static_cast<std::uint32_t>(i) * 0x2000, lists[i]);
    put_records(memory, type, kScratchAt, std::vector<Record>(tmp, {-5, 555}));
  });
  REQUIRE(recording->count() == 1);
  const Memory& after = recording->final_memory();
  const Flat counts = after.map().flat(Space::Spr, kVms4Sr);
  Merged out{
      records_at(after, type, kSortedAt, room), {}, after.worst_definedness(counts, 8) == Definedness::Written, {}};
  for (std::uint32_t i = 0; i < 4; ++i)
    out.taken.push_back(static_cast<std::uint32_t>(after.element(Space::Spr, kVms4Sr + 2 * i, 2)));
  for (const Finding& finding : recording->findings()) out.told.push_back(finding.diagnostic.rule);
  return out;
}

template <class F>
void each_kind(F f) {
  for (const Target target : kBothTargets)
    for (const DType type : {DType::F16, DType::F32}) {
      CAPTURE(std::string(name(target)));
      CAPTURE(std::string(name(type)));
      f(target, type);
    }
}
void check_records(const std::vector<Record>& got, const std::vector<Record>& wanted) {
  CHECK_MESSAGE(got == wanted, "got " << listed(got) << "\nwanted " << listed(wanted));
}
std::vector<Record> in_order(std::initializer_list<Record> first, double rest, std::uint32_t from, std::uint32_t to) {
  std::vector<Record> records(first);
  for (std::uint32_t i = from; i < to; ++i) records.push_back({rest, i});
  return records;
}

}  // namespace

TEST_CASE("tsort32: equal keys stay in their order, and -0 is one of them") {
  each_kind([](Target target, DType type) {
    std::vector<double> keys(32, 0.0);
    for (const std::uint32_t i : {4, 9, 30}) keys[i] = -0.0;
    keys[7] = keys[21] = 2;
    keys[0] = -1;
    std::vector<Record> wanted{{2, 7}, {2, 21}};
    for (std::uint32_t i = 1; i < 32; ++i)
      if (i != 7 && i != 21) wanted.push_back({0, i});
    wanted.push_back({-1, 0});
    check_records(sorted(target, type, keys), wanted);
  });
}

TEST_CASE("tsort32: NaNs of either sign come last, in their order; infinities are numbers") {
  each_kind([](Target target, DType type) {
    std::vector<double> keys(32, 1.0);
    keys[2] = -NAN, keys[5] = NAN, keys[8] = -INFINITY, keys[31] = INFINITY;
    std::vector<Record> wanted{{INFINITY, 31}};
    for (std::uint32_t i = 0; i < 31; ++i)
      if (i != 2 && i != 5 && i != 8) wanted.push_back({1, i});
    wanted.insert(wanted.end(), {{-INFINITY, 8}, {NAN, 2}, {NAN, 5}});
    check_records(sorted(target, type, keys), wanted);
  });
}

TEST_CASE("tsort32: a short last block is filled up behind all of its keys, NaNs too") {
  each_kind([](Target target, DType type) {
    std::vector<double> keys(32, 3.0);
    keys.insert(keys.end(), {1, NAN, -INFINITY, 2});
    std::vector<Record> wanted = in_order({}, 3, 0, 32);
    const std::vector<Record> last = in_order({{2, 35}, {1, 32}, {-INFINITY, 34}, {NAN, 33}}, NAN, 36, 64);
    wanted.insert(wanted.end(), last.begin(), last.end());
    check_records(sorted(target, type, keys), wanted);
  });
}

TEST_CASE("tsort32: more blocks than the unit sorts at once") {
  for (const Target target : kBothTargets) {
    Stage stage(target);
    Random random(5);
    for (const std::uint32_t blocks : {255u, 256u}) {
      ProgramBuilder builder(target, "many");
      const TileId src = builder.tile("src", vec_tile(DType::F16, 1, 32 * blocks)),
                   indices = builder.tile("indices", vec_tile(DType::U32, 1, 32 * blocks));
      builder.add("tsort32", {src, indices}, {builder.tile("dst", vec_tile(DType::F16, 1, 128 * blocks))});
      const Program program = build(builder);
      stage.fill(program, random, Values::Special);
      stage.check(program, random);
    }
  }
}

TEST_CASE("tmrgsort: of equal keys those of the lowest list come first") {
  each_kind([](Target target, DType type) {
    const Merged all =
        merged(target, type,
               {{{3, 10}, {1, 11}}, {{3, 20}, {-0.0, 21}}, {{4, 30}, {3, 31}}, {{3, 40}, {0, 41}, {NAN, 42}}}, false);
    check_records(all.records, {{4, 30}, {3, 10}, {3, 20}, {3, 31}, {3, 40}, {1, 11}, {0, 21}, {0, 41}, {NAN, 42}});
    CHECK(all.told == std::vector<std::string>{"TMRGSORT-N1"});
  });
}

TEST_CASE("tmrgsort: two and three lists, some of them empty") {
  each_kind([](Target target, DType type) {
    check_records(merged(target, type, {{}, {{2, 1}, {1, 2}}}, false).records, {{2, 1}, {1, 2}});
    check_records(merged(target, type, {{{2, 1}, {1, 2}}, {}, {{1.5, 3}}}, false).records, {{2, 1}, {1.5, 3}, {1, 2}});
  });
}

TEST_CASE("tmrgsort: it ends with a list that does, and tells how many records each gave") {
  using Counts = std::vector<std::uint32_t>;
  each_kind([](Target target, DType type) {
    const Merged one = merged(target, type, {{{9, 90}}, {{7, 70}}, {{8, 80}}, {{6, 60}}}, true);
    check_records(one.records, {{9, 90}, {-5, 555}, {-5, 555}, {-5, 555}});
    CHECK(one.taken == Counts{1, 0, 0, 0});
    CHECK(one.told == std::vector<std::string>{"TMRGSORT-N2"});
    const Merged some = merged(target, type, {{{9, 1}, {5, 2}, {1, 3}}, {{8, 4}, {6, 5}}, {{7, 6}, {2, 7}}}, true, 5);
    check_records(some.records, {{9, 1}, {8, 4}, {7, 6}, {6, 5}, {-5, 555}});
    CHECK(some.taken == Counts{1, 2, 1, 0});
    // A list without records ends nothing.
    CHECK(merged(target, type, {{}, {{2, 1}, {1, 2}}}, true).taken == Counts{0, 2, 0, 0});
    CHECK(one.knows_taken);
    CHECK_FALSE(merged(target, type, {{{2, 1}}, {{1, 2}}}, false).knows_taken);
  });
}

TEST_CASE("tmrgsort: a list that is not sorted is merged as it stands, and told") {
  each_kind([](Target target, DType type) {
    const Merged all = merged(target, type, {{{1, 1}, {9, 2}}, {{5, 3}, {4, 4}}}, false);
    check_records(all.records, {{5, 3}, {4, 4}, {1, 1}, {9, 2}});
    CHECK(all.told == std::vector<std::string>{"TMRGSORT-W1"});
  });
}

namespace {

std::string merge_text(const std::string& statement) {
  const std::string list = "!pto.tile_buf<vec, 1x8xf32>", wide = "!pto.tile_buf<vec, 1x16xf32>";
  std::string text = "module {\n  func.func @f() {\n    %e = arith.constant dense<0> : vector<4xi16>\n";
  for (const char* name : {"a", "b"}) text += fmt::format("    %{} = pto.alloc_tile : {}\n", name, list);
  for (const char* name : {"t", "d"}) text += fmt::format("    %{} = pto.alloc_tile : {}\n", name, wide);
  std::string body = statement;
  for (std::size_t at = 0; (at = body.find('L', at)) != std::string::npos; at += list.size()) body.replace(at, 1, list);
  for (std::size_t at = 0; (at = body.find('W', at)) != std::string::npos; at += wide.size()) body.replace(at, 1, wide);
  return text + "    " + body + "\n    return\n  }\n}\n";
}
// The first thing that is wrong with it; empty: it is a step.
std::string told_of(Target target, const std::string& statement) {
  const OpenedText opened = open_text(merge_text(statement), target);
  for (const Diagnostic& diagnostic : opened.diagnostics)
    if (diagnostic.severity == Severity::Error) return diagnostic.rule + " " + diagnostic.text;
  REQUIRE(opened.opened.has_value());
  CHECK(opened.opened->program.instructions.size() == 1);
  return "";
}

}  // namespace

TEST_CASE("tmrgsort: text may name a vector that nobody reads, and its scratch on either side") {
  for (const Target target : kBothTargets) {
    for (const char* fits : {
             "pto.tmrgsort ins(%a, %b, %t {exhausted = false} : L, L, W) outs(%d, %e : W, vector<4xi16>)",
             "pto.tmrgsort ins(%a, %b {exhausted = true} : L, L) outs(%d, %t, %e : W, W, vector<4xi16>)",
             "pto.tmrgsort ins(%a, %b, %t : L, L, W) outs(%d : W)",
         })
      CHECK(told_of(target, fits) == "");
    CHECK(told_of(target, "pto.tmrgsort ins(%a, %b, %t : L, L, W) outs(%d, %e : W, vector<8xi16>)") ==
          "E-TYPE %e is vector<8xi16>");
    CHECK(told_of(target, "pto.tmrgsort ins(%a, %b, %t : L, L, W) outs(%d, %x : W, vector<4xi16>)")
              .starts_with("E-NAME"));
  }
}

}  // namespace ts::test
