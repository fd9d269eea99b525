// Numbers that public goldens decided, where documents say otherwise or nothing: each on its target, by hand. All machines and
// the oracle are asked, and must say the same.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/instructions/stage.h"

namespace ts::test {
namespace {

using Bits = std::vector<std::uint64_t>;
constexpr std::uint64_t kPlusInf = 0x7F800000, kMinusInf = 0xFF800000, kNan = 0x7FC00000;

// One row each, in text order.
struct OneRow {
  const char* name;
  DType type;
  Bits bits;
};
TileType row_of(const OneRow& row) {
  const auto lanes = static_cast<std::uint32_t>(BLK / size_bytes(row.type)),
             count = static_cast<std::uint32_t>(row.bits.size());
  return vec_tile(row.type, 1, (count + lanes - 1) / lanes * lanes, 1, static_cast<std::int32_t>(count));
}
// The elements of the result, which comes last; it holds its bits before.
Bits result_of(Target target, const char* instruction, std::vector<OneRow> rows,
               std::vector<BuildAttribute> attributes = {}) {
  Stage stage(target);
  Random random(1);
  ProgramBuilder builder(target, "row");
  std::vector<BuildOperand> inputs;
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) inputs.push_back(builder.tile(rows[i].name, row_of(rows[i])));
  builder.add(instruction, inputs, {builder.tile("dst", row_of(rows.back()))}, std::move(attributes));
  const Program program = build(builder);
  stage.fill(program, random, Values::Plain);
  const Bound bound = bound_of(program, 0);
  for (const OneRow& row : rows)
    for (std::size_t i = 0; i < row.bits.size(); ++i)
      stage.set_element(bound.tile(row.name), 0, static_cast<std::uint32_t>(i), row.bits[i]);
  stage.check(program, random);
  Bits found;
  for (const oracle::Element& element : stage.effects(0).written) found.push_back(element.bits);
  found.resize(rows.back().bits.size());
  return found;
}
Bits shorts(std::initializer_list<int> values) {
  Bits out;
  for (const int value : values) out.push_back(static_cast<std::uint16_t>(value));
  return out;
}

}  // namespace

TEST_CASE("proven: a5 makes 0 of a negative i16 in a u32") {
  CHECK(result_of(Target::A5, "tcvt",
                  {{"src", DType::I16, shorts({-1, -32768, 0, 5, 32767})}, {"dst", DType::U32, Bits(5)}}) ==
        Bits{0, 0, 0, 5, 32767});
}

TEST_CASE("proven: f32 wraps to i16 through i32, or clamps") {
  const OneRow src{"src", DType::F32, {0x471C4000, kPlusInf, kMinusInf, kNan, 0xC71C4000}},  // 40000, -40000
      dst{"dst", DType::I16, Bits(5)};
  CHECK(result_of(Target::A5, "tcvt", {src, dst}) == shorts({-25536, -1, 0, 0, 25536}));
  CHECK(result_of(Target::A5, "tcvt", {src, dst}, {{"sat_mode", "off"}}) == shorts({-25536, -1, 0, 0, 25536}));
  CHECK(result_of(Target::A2A3, "tcvt", {src, dst}) == shorts({-25536, 0, 0, 0, 25536}));
  const OneRow tmp{"tmp", DType::F32, Bits(256)};
  CHECK(result_of(Target::A2A3, "tcvt", {src, tmp, dst}) == shorts({-25536, -1, 0, 0, 25536}));
  for (const Target target : kBothTargets)
    CHECK(result_of(target, "tcvt", {src, dst}, {{"sat_mode", "on"}}) == shorts({32767, 32767, -32768, 0, -32768}));
}

TEST_CASE("proven: sums of products in f16 are rounded twice, in f32 once on a5") {
  // (1 + e)^2 is 1 + 2e and something that the type has no room for; the sum takes 1 + 2e away.
  struct Type {
    DType type;
    std::uint64_t factor, less, rest;  // 1 + e, -(1 + 2e), e^2
  };
  for (const Type& of : {Type{DType::F16, 0x3C01, 0xBC02, 0x0010}, {DType::F32, 0x3F800800, 0xBF801000, 0x33800000}})
    for (const Target target : kBothTargets) {
      CAPTURE(target);
      CAPTURE(std::string(name(of.type)));
      const std::uint64_t left = target == Target::A5 && of.type == DType::F32 ? of.rest : 0;
      const OneRow a{"src0", of.type, {of.factor}};
      for (const char* fused : {"tfusedmuladd", "tfusedmuladdrelu"})
        CHECK(result_of(target, fused, {a, {"src1", of.type, {of.less}}, {"dst", of.type, {of.factor}}}) == Bits{left});
      CHECK(result_of(target, "tmuladddst", {a, {"src1", of.type, {of.factor}}, {"dst", of.type, {of.less}}}) ==
            Bits{left});
    }
}

}  // namespace ts::test
