// The first NaN and the first infinity of a program, and neighbours that have none.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/check/check.h"
#include "core/debug/session/session.h"
#include "tests/support/instructions/shapes.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"
#include "tests/support/text/small_text.h"

namespace ts::test {
namespace {

std::vector<Finding> specials(const Recording& recording) {
  CheckReport report = check(recording);
  std::erase_if(report.findings, [](const Finding& finding) {
    return finding.kind() != FindingKind::Nan && finding.kind() != FindingKind::Inf;
  });
  return report.findings;
}

std::string specials_text(const std::vector<Finding>& findings) {
  std::string all;
  for (const Finding& finding : findings)
    all += fmt::format("{} {} [{},{}] step {} line {}: {}\n", finding.diagnostic.rule,
                       name(finding.diagnostic.severity), finding.element->row, finding.element->col, finding.step,
                       finding.diagnostic.pos.line, finding.diagnostic.text);
  return all;
}

std::vector<std::byte> floats(const std::vector<float>& values, std::size_t count) {
  std::vector<std::byte> bytes(count * 4);
  std::memcpy(bytes.data(), values.data(), values.size() * 4);
  return bytes;
}

// Sums that are stored and come back.
SmallText sums(Target target) {
  SmallText text(target);
  text.buffer("x", "f32", 4, 8).buffer("y", "f32", 4, 8).buffer("out", "f32", 4, 8);
  text.tile("a", "4x8xf32", 0)
      .tile("b", "4x8xf32", 0x400)
      .tile("sum", "4x8xf32", 0x800)
      .tile("twice", "4x8xf32", 0xc00);
  text.step("tload", {"x"}, {"a"});              // 0, line 17
  text.step("tload", {"y"}, {"b"});              // 1
  text.step("tadd", {"a", "b"}, {"sum"});        // 2
  text.step("tadd", {"sum", "sum"}, {"twice"});  // 3
  text.step("tstore", {"twice"}, {"out"});       // 4
  text.step("tload", {"out"}, {"a"});            // 5
  return text;
}

std::string found_with(Target target, const std::vector<float>& x, const std::vector<float>& y) {
  OpenRequest request;
  request.inputs.data["x"] = floats(x, 32);
  request.inputs.data["y"] = floats(y, 32);
  return specials_text(specials(*record_text(sums(target).text(), request)));
}

}  // namespace

TEST_CASE("check specials: a sum that overflows, infinities that cancel, what comes from outside") {
  const float inf = HUGE_VALF, nan = std::nanf(""), large = 3e38f;
  for (const Target target : kBothTargets) {
    CAPTURE(name(target));
    CHECK(found_with(target, {1, 2}, {3, 4}) == "");
    // Where numbers become one; not again where it is handed on, stored and loaded.
    CHECK(found_with(target, {1, large}, {3, large}) ==
          "CHK-INF note [0,1] step 2 line 19: tadd: dst %sum[0,1] (ub 0x804) is +inf (0x7f800000); nothing it was made "
          "of is an infinity\n");
    CHECK(found_with(target, {1, 1.5e38f}, {3, 1.0e38f}) ==
          "CHK-INF note [0,1] step 3 line 20: tadd: dst %twice[0,1] (ub 0xc04) is +inf (0x7f800000); nothing it was "
          "made of is an infinity\n");
    CHECK(found_with(target, {1, 2, inf}, {3, 4, 5}) ==
          "CHK-INF note [0,2] step 0 line 17: tload: dst %a[0,2] (ub 0x8) is +inf (0x7f800000), brought in from "
          "outside by %x\n");
    const std::string cancelled = found_with(target, {inf}, {-inf});
    CAPTURE(cancelled);
    CHECK(cancelled.find("CHK-NAN warning [0,0] step 2 line 19: tadd: dst %sum[0,0] (ub 0x800) is nan") !=
          std::string::npos);
    CHECK(cancelled.find("nothing it was made of is a NaN") != std::string::npos);
    const std::string given = found_with(target, {nan, 1}, {1, 2});
    CHECK(given.find("CHK-NAN warning [0,0] step 0 line 17: tload: dst %a[0,0] (ub 0x0) is nan") != std::string::npos);
    CHECK(given.find("CHK-NAN", 1) == std::string::npos);
  }
}

TEST_CASE("check specials: integers, padding and bytes that were there before are no findings") {
  for (const Target target : kBothTargets) {
    CAPTURE(name(target));
    SmallText text(target);
    text.buffer("x", "i32", 4, 6)
        .buffer("z", "f32", 4, 6)
        .tile("a", "4x8xi32, valid=4x6", 0)
        .tile("b", "4x8xf32, valid=4x6", 0x400);
    text.step("tload", {"x"}, {"a"});
    text.step("tload", {"z"}, {"b"});
    OpenRequest request;
    request.inputs.data["x"].assign(96, std::byte{0xFF});
    request.inputs.data["z"].assign(96, std::byte{0});
    const auto nan_everywhere = [](Memory& memory) {
      std::memset(memory.bytes(Space::Ub, 0, 0x1000).data(), 0xFF, 0x1000);
    };
    CHECK(specials_text(specials(
              *record_text(text.text(), request, {.budget_bytes = kPlentyOfBytes, .initial = nan_everywhere}))) == "");
  }
}

TEST_CASE("check specials: half floats, and what a step wrote before somebody edited it") {
  for (const char* type : {"f16", "bf16"}) {
    CAPTURE(type);
    SmallText text(Target::A5);
    text.buffer("x", type, 2, 16)
        .tile("a", fmt::format("2x16x{}", type), 0)
        .tile("b", fmt::format("2x16x{}", type), 0x400);
    text.step("tload", {"x"}, {"a"});
    text.step("tadd", {"a", "a"}, {"b"});
    OpenRequest request;
    request.inputs.data["x"].assign(64, std::byte{0});
    const std::uint16_t largest = std::string(type) == "f16" ? 0x7BFF : 0x7F7F;
    std::memcpy(request.inputs.data["x"].data() + 62, &largest, 2);
    RecordOptions options{.budget_bytes = kPlentyOfBytes};
    for (const bool edited : {false, true}) {
      if (edited) options.edits = {{2, Space::Ub, 0x400, std::vector<std::byte>(64)}};
      const std::vector<Finding> found = specials(*record_text(text.text(), request, options));
      REQUIRE(found.size() == 1);
      CHECK(found[0].step == 1);
      CHECK(found[0].element->row == 1);
      CHECK(found[0].element->col == 15);
      CHECK(found[0].kind() == FindingKind::Inf);
    }
  }
}

// Who gives an infinity as a number means it.
static bool given_infinity(const Bound& bound) {
  return std::ranges::any_of(bound.operands, [](const Operand& operand) {
    return operand.spec->kind == OperandKind::Scalar && is_float(operand.scalar.dtype) &&
           std::isinf(to_double(operand.scalar.dtype, operand.scalar.bits));
  });
}

TEST_CASE("check specials: random programs have the findings that stopping at the first NaN finds, thinned or not") {
  int found = 0;
  for (const Target target : kBothTargets) {
    for (std::uint64_t seed = 0; seed < (kSanitized ? 2 : 10); ++seed) {
      CAPTURE(name(target));
      CAPTURE(seed);
      const auto recording = record_random(300 + seed, target, kSanitized ? 80 : 200);
      std::string expected;
      Session session(recording);
      for (std::uint32_t step = 0; step < recording->count(); ++step)
        for (const bool nan : {true, false})
          if (const auto cell = session.produced(step, nan, !nan);
              cell && (nan || !given_infinity(recording->bound(step))))
            expected += fmt::format("{} {} {} {} {}\n", step, nan, cell->operand, cell->row, cell->col), ++found;
      for (const auto& one : {recording, thinned(*recording)}) {
        std::string got;
        for (const Finding& finding : specials(*one))
          got += fmt::format("{} {} {} {} {}\n", finding.step, finding.kind() == FindingKind::Nan,
                             finding.element->operand, finding.element->row, finding.element->col);
        CHECK(got == expected);
      }
    }
  }
  CHECK(found > 0);
}

}  // namespace ts::test
