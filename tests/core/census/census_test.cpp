// Counting programs: what they hold, which run, and what is missing most.
#include "core/census/census.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/compile/has_meaning.h"
#include "core/text/ops/op_table.h"
#include "tests/support/text/waiting_op.h"

namespace ts::test {
namespace {

constexpr const char* kTile = "!pto.tile_buf<vec, 16x16xf32>";
constexpr const char* kHead = "func.func @f() {\n  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>\n";

// A function with these statements on %a.
std::string program(const std::string& statements) { return kHead + statements + "  return\n}\n"; }

std::string unary(const std::string& name) {
  const std::string tile = "%a : !pto.tile_buf<vec, 16x16xf32>";
  return "  pto." + name + " ins(" + tile + ") outs(" + tile + ")\n";
}

void add(Census& census, const std::string& name, const std::string& text) { REQUIRE(census.add(name, text, {}, {})); }

const CensusOperation* find(const std::vector<CensusOperation>& rows, const std::string& name) {
  const auto found = std::ranges::find(rows, name, &CensusOperation::name);
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("census: files and uses of operations and types, each listed once") {
  Census census;
  add(census, "one.pto", program(unary("tneg") + unary("tneg") + unary("tsqrt")));
  add(census, "two.pto", program(unary("tneg")));
  CHECK(census.count(Verdict::Runs) == 2);
  const auto rows = census.operations();
  const CensusOperation *neg = find(rows, "pto.tneg"), *root = find(rows, "pto.tsqrt");
  REQUIRE(neg != nullptr);
  REQUIRE(root != nullptr);
  CHECK(neg->count.files == 2);
  CHECK(neg->count.uses == 3);
  CHECK(neg->emulated);
  CHECK(neg->stops == 0);
  CHECK(root->count.files == 1);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) CHECK(rows[i].name != rows[k].name);
  const auto types = census.types();
  REQUIRE(!types.empty());
  CHECK(types.front().name == "tile of f32");
  CHECK(types.front().count.files == 2);
  CHECK(types.front().count.uses == 10);
  CHECK(census.missing().empty());
}

TEST_CASE("census: types of the generic form are counted as they are written") {
  Census census;
  add(census, "a.pto",
      "\"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> ({\n"
      "  %a = \"pto.alloc_tile\"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> !pto.tile_buf<vec, 16x16xf32>\n"
      "  \"func.return\"() : () -> ()\n}) : () -> ()\n");
  const auto types = census.types();
  const auto tile = std::ranges::find(types, "tile of f32", &CensusType::name);
  REQUIRE((tile != types.end()));
  CHECK(tile->count.uses == 1);
  CHECK(census.count(Verdict::Runs) == 1);
}

TEST_CASE("census: an old name counts as the one that is used now") {
  const auto old = std::ranges::find_if(text::op_rows(), [](const text::OpRow& row) { return !row.current.empty(); });
  REQUIRE(old != text::op_rows().end());
  Census census;
  add(census, "old.pto", program("  " + std::string(old->name) + " ins() outs()\n"));
  const auto rows = census.operations();
  CHECK(find(rows, std::string(old->name)) == nullptr);
  CHECK(find(rows, std::string(old->current)) != nullptr);
}

TEST_CASE("census: what is missing, in the order in which most files come to run") {
  const std::string a = waiting_line(kWaitingOp), b = waiting_line(kOtherWaitingOp);
  const auto waiting = [](const std::string& statements) {
    return fmt::format("func.func @f(%p: !pto.ptr<f32>) {{\n  %a = pto.alloc_tile : {}\n{}  return\n}}\n", kTile,
                       statements);
  };
  Census census;
  add(census, "runs.pto", program(unary("tneg")));
  add(census, "both1.pto", waiting(a + b));
  add(census, "both2.pto", waiting(a + b + b));
  add(census, "both3.pto", waiting(b + a));
  add(census, "b.pto", waiting(b));
  CHECK(census.count(Verdict::Runs) == 1);
  CHECK(census.count(Verdict::NotEmulated) == 4);
  CHECK(census.files()[1].missing.size() == 2);
  const auto missing = census.missing();
  REQUIRE(missing.size() == 2);
  CHECK(missing[0].name == kOtherWaitingOp);
  CHECK(missing[0].stops == 4);
  CHECK(missing[0].alone == 1);
  CHECK(missing[0].run_then == 2);
  CHECK(missing[1].name == kWaitingOp);
  CHECK(missing[1].stops == 3);
  CHECK(missing[1].alone == 0);
  CHECK(missing[1].run_then == 5);
  const auto rows = census.operations();
  CHECK(!find(rows, kWaitingOp)->emulated);
  CHECK(find(rows, kWaitingOp)->stops == 3);
}

TEST_CASE("census: what is refused, by its first error") {
  Census census;
  add(census, "broken.pto", "func.func @f( {\n");
  add(census, "unknown.pto", program("  pto.tnothing ins(%a : !pto.tile_buf<vec, 16x16xf32>) outs()\n"));
  add(census, "type.pto", program("  %b = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf99>\n"));
  add(census, "empty.pto", "");
  add(census, "binary.pto", std::string("\xff\x00\xfe(", 4));
  CHECK(census.count(Verdict::Refused) == 5);
  for (const CensusFile& file : census.files()) {
    CAPTURE(file.name);
    CHECK(!file.rule.empty());
    CHECK(!file.text.empty());
    CHECK(file.missing.empty());
  }
  std::uint64_t files = 0;
  for (const CensusType& row : census.refusals()) files += row.count.files;
  CHECK(files == 5);
  const auto rows = census.operations();
  const CensusOperation* unknown = find(rows, "pto.tnothing");
  REQUIRE(unknown != nullptr);
  CHECK(unknown->group == "unknown");
  CHECK(!unknown->emulated);
}

TEST_CASE("census: a program for one of two targets runs there, and ends when it is told to") {
  Census census;
  const std::string deinterleave =
      program(fmt::format("  %b = pto.alloc_tile : {0}\n  %c = pto.alloc_tile : {0}\n"
                          "  pto.tdeinterleave ins(%a, %a : {0}, {0}) outs(%b, %c : {0}, {0})\n",
                          kTile));
  add(census, "a5.pto", deinterleave);
  CHECK(census.count(Verdict::Runs) == 1);
  REQUIRE(census.add("a2a3.pto", deinterleave, Target::A2A3, {}));
  CHECK(census.count(Verdict::Refused) == 1);
  CHECK(!census.add("stopped.pto", deinterleave, {}, [] { return false; }));
  CHECK(census.files().size() == 2);
}

TEST_CASE("census: what only says that it is not supported is not emulated") {
  CHECK(!has_meaning(text::find_op("cf.br")));
  CHECK(has_meaning(text::find_op("scf.if")));
  CHECK(has_meaning(text::find_op("pto.tadd")));
}

}  // namespace ts::test
