// Comparing and then selecting by the mask that came out, on mask tiles that are declared in any way: the result is what
// the operands say, or there is a finding, or the program is refused; it is never silently wrong.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "core/check/check.h"
#include "core/program/builder.h"
#include "core/record/recording.h"
#include "tests/support/random.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

struct DeclaredComparison {
  Target target;
  const char *compare, *select;
  DType dtype, mask_type;
  std::uint32_t cols, valid_rows;  // of what is compared; the tiles have kRows
  std::uint32_t mask_cols, mask_valid_cols;
};
constexpr std::uint32_t kRows = 4;

std::string label(const DeclaredComparison& d) {
  return fmt::format("{} {} {} {} {}x{} of {} rows, mask {}x{} valid {}", name(d.target), d.compare, d.select,
                     name(d.dtype), d.valid_rows, d.cols, kRows, name(d.mask_type), d.mask_cols, d.mask_valid_cols);
}

// Small whole numbers, so that some are equal.
std::vector<std::byte> numbers(Random& random, const DeclaredComparison& d) {
  const std::uint32_t size = size_bytes(d.dtype);
  std::vector<std::byte> out(d.valid_rows * d.cols * size);
  for (std::size_t at = 0; at < out.size(); at += size) {
    const std::uint64_t bits = from_double(d.dtype, random.below(5));
    std::memcpy(out.data() + at, &bits, size);
  }
  return out;
}
double number(const DeclaredComparison& d, const std::vector<std::byte>& from, std::uint32_t i) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, from.data() + i * size_bytes(d.dtype), size_bytes(d.dtype));
  return to_double(d.dtype, bits);
}

struct Outcome {
  bool refused = false, right = true, told = false;
  std::string findings = {};
};

bool holds(std::string_view mode, double a, double b) { return mode == "lt" ? a < b : mode == "ne" ? a != b : a >= b; }

// dst = x < y ? x : y, or x < 2 ? x : 0 with scalars; each of the two may have its own. Other questions, too: A2A3 turns the
// bits of `eq` over for `ne`.
Outcome outcome_of(const DeclaredComparison& d, Random& random) {
  const char* const mode = random.pick({"lt", "ne", "ge"});
  ProgramBuilder builder(d.target, "compare");
  const std::uint32_t lanes = BLK / size_bytes(d.dtype);
  const TileType type = vec_tile(d.dtype, kRows, (d.cols + lanes - 1) / lanes * lanes,
                                 static_cast<std::int32_t>(d.valid_rows), static_cast<std::int32_t>(d.cols));
  const std::vector<std::byte> xs = numbers(random, d), ys = numbers(random, d);
  const TileId x = builder.tile("x", type), y = builder.tile("y", type), dst = builder.tile("dst", type);
  const TileId mask =
      builder.tile("mask", vec_tile(d.mask_type, kRows, d.mask_cols, static_cast<std::int32_t>(d.valid_rows),
                                    static_cast<std::int32_t>(d.mask_valid_cols)));
  builder.add("tload", {View{builder.buffer("xs", d.dtype, d.valid_rows * d.cols, xs), d.valid_rows, d.cols}}, {x});
  builder.add("tload", {View{builder.buffer("ys", d.dtype, d.valid_rows * d.cols, ys), d.valid_rows, d.cols}}, {y});
  const bool with_tile = std::string_view(d.compare) == "tcmp", both = std::string_view(d.select) == "tsel";
  const Scalar two{d.dtype, from_double(d.dtype, 2)}, zero{d.dtype, 0};
  if (with_tile) {
    builder.add("tcmp", {x, y}, {mask}, {{"cmpMode", mode}});
  } else {
    builder.add("tcmps", {x, two}, {mask}, {{"cmpMode", mode}});
  }
  std::vector<BuildOperand> inputs{mask, x};
  if (both) inputs.push_back(y);
  if (d.target == Target::A2A3)
    inputs.push_back(builder.tile("tmp", both ? vec_tile(DType::U32, 1, 8) : vec_tile(d.dtype, 1, lanes)));
  if (!both) inputs.push_back(zero);
  builder.add(d.select, inputs, {dst});
  const BufferId result = builder.buffer("result", d.dtype, d.valid_rows * d.cols);
  builder.add("tstore", {dst}, {View{result, d.valid_rows, d.cols}});

  Outcome out;
  Diagnostics diagnostics;
  Program program = builder.build(diagnostics);
  if (has_error(diagnostics)) return {.refused = true};
  const auto recording = Recording::run(std::move(program), {.budget_bytes = std::size_t{4} << 20});
  CHECK(recording->stop_reason() == StopReason::End);
  CheckOptions options;
  options.set(FindingKind::Sync, Level::Off);  // the program has no flags
  const CheckReport report = check(*recording, options);
  // That a declaration is unusual is told too; here it counts what is said of bits.
  const auto take = [&](const Finding& finding) {
    out.findings += finding.diagnostic.format() + "\n";
    const bool bits = finding.kind() == FindingKind::Mask || finding.kind() == FindingKind::Overread ||
                      finding.kind() == FindingKind::Defined;
    out.told = out.told || bits || finding.diagnostic.rule == "TCMPS-W4";
  };
  std::ranges::for_each(report.findings, take);
  std::ranges::for_each(recording->findings(), take);
  const BufferDecl& stored = recording->program().buffers.back();
  for (std::uint32_t i = 0; i < d.valid_rows * d.cols; ++i) {
    const double a = number(d, xs, i), b = number(d, ys, i);
    const double wanted = holds(mode, a, with_tile ? b : 2) ? a : both ? b : 0;
    const std::uint32_t size = size_bytes(d.dtype);
    out.right = out.right && to_double(d.dtype, recording->final_memory().element(Space::Gm, stored.address + i * size,
                                                                                  size)) == wanted;
  }
  return out;
}

template <class F>
void for_comparisons(F f) {
  for (const Target target : {Target::A2A3, Target::A5})
    for (const char* compare : {"tcmp", "tcmps"})
      for (const char* select : {"tsel", "tsels"})
        for (const DType dtype : {DType::F16, DType::F32, DType::I8, DType::I16, DType::I32})
          for (const DType mask_type : {DType::U8, DType::U16, DType::U32})
            for (const std::uint32_t cols : {1u, 8u, 20u, 33u, 64u, 100u, 264u})
              for (const std::uint32_t blocks : {1u, 2u, 3u}) {
                // Narrow integers are not compared on A2A3, and all of i32 compares as equal there: the pages say so.
                if (target == Target::A2A3 && !is_float(dtype)) continue;
                const std::uint32_t mask_cols = blocks * BLK / size_bytes(mask_type);
                const std::uint32_t tight = (cols + 8 * size_bytes(mask_type) - 1) / (8 * size_bytes(mask_type));
                for (const std::uint32_t valid : std::set{1u, tight, mask_cols})
                  for (const std::uint32_t rows : {kRows, 3u})
                    if (valid <= mask_cols)
                      f(DeclaredComparison{target, compare, select, dtype, mask_type, cols, rows, mask_cols, valid});
              }
}

}  // namespace

TEST_CASE("check compare: however the mask is declared, what is selected is right, or it is told") {
  Random random(4713);
  int turn = 0, right = 0, told = 0, refused = 0;
  for_comparisons([&](const DeclaredComparison& d) {
    if (++turn % rounds(61, 4, 1) != 0) return;
    CAPTURE(label(d));
    const Outcome outcome = outcome_of(d, random);
    CAPTURE(outcome.findings);
    if (outcome.refused) return void(++refused);
    CHECK((outcome.right || outcome.told));
    // A mask with room for every column works, and nothing is said of the bits behind the last one; but with as many
    // valid columns as the source, TCMPS of A5 packs a stream.
    const bool fits = d.mask_cols * size_bytes(d.mask_type) * 8 >= d.cols;
    const bool stream = d.target == Target::A5 && std::string_view(d.compare) == "tcmps" && d.mask_valid_cols == d.cols;
    if (fits && !stream) {
      CHECK(outcome.right);
      CHECK(!outcome.told);
    }
    ++(outcome.right && !outcome.told ? right : told);
  });
  CHECK(right > (kSanitized ? 20 : 500));
  CHECK(told > 0);
  CHECK(refused > 0);
}

}  // namespace ts::test
