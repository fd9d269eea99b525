// The flow of whole steps: every element's origin is what the data flow says of it, and bands are the smallest rectangles
// around that.
#include "core/debug/picture/whole_flow.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/debug/session/session.h"
#include "tests/support/random.h"
#include "tests/support/record/recorded.h"
#include "tests/support/text/small_text.h"

namespace ts::test {
namespace {

// One step on tiles that nobody loaded: where elements go does not depend on what they hold.
struct OneStep {
  const char* instruction;
  std::vector<std::string> ins, outs;
};

std::vector<OneStep> random_steps(Random& random) {
  const std::uint32_t rows = 1 + random.below(12), blocks = 1 + random.below(4), cols = 8 * blocks;
  const std::string tile = fmt::format("{}x{}xf32", rows, cols),
                    part = fmt::format("{}x{}xf32, valid={}x{}", rows, cols, rows, 2 * (1 + random.below(cols / 2)));
  return {{"tinterleave", {part, part}, {part, part}},
          {"tdeinterleave", {part, part}, {part, part}},
          {"tadd", {tile, tile}, {tile}},
          {"ttrans", {fmt::format("{}x{}xf32", 8 * (1 + random.below(3)), cols)}, {}},
          {"tcolexpand", {fmt::format("1x{}xf32", cols)}, {tile}}};
}

SharedRecording record(const OneStep& one) {
  SmallText text(Target::A5);
  std::vector<std::string> ins, outs;
  for (const std::string& type : one.ins) text.tile(ins.emplace_back(fmt::format("i{}", ins.size())), type);
  std::vector<std::string> types = one.outs;
  if (types.empty()) {  // of a transposition
    const auto by = one.ins[0].find('x'), end = one.ins[0].find('x', by + 1);
    types.push_back(one.ins[0].substr(by + 1, end - by - 1) + "x" + one.ins[0].substr(0, by) + "xf32");
  }
  for (const std::string& type : types) text.tile(outs.emplace_back(fmt::format("o{}", outs.size())), type);
  text.step(one.instruction, ins, outs);
  return record_text(text.text());
}

bool holds(const Window& window, const StepElement& element) {
  return element.row >= window.row && element.row < window.row + window.rows && element.col >= window.col &&
         element.col < window.col + window.cols;
}

// Every source is in the band of its element, and every edge of a band's source has an element.
void check_bands(const Recording& recording, const Flow& flow, const WholeFlow& whole) {
  const Bound& bound = recording.bound(0);
  StepMap map;
  map.look_at(0);
  for (const FlowBand& band : whole.bands) {
    CAPTURE(band.from);
    CAPTURE(band.to);
    Window reached{~0u, ~0u, 0, 0};
    for (std::uint32_t row = band.result.row; row < band.result.row + band.result.rows; ++row)
      for (std::uint32_t col = band.result.col; col < band.result.col + band.result.cols; ++col)
        for (const Source& source : map.sources(recording, flow, {band.to, row, col})) {
          const auto element = element_of_source(recording.program(), bound, source);
          if (!element || source.operand != band.from || source.decided != band.decided) continue;
          CHECK(holds(band.source, *element));
          reached = {std::min(reached.row, element->row), std::min(reached.col, element->col),
                     std::max(reached.rows, element->row + 1), std::max(reached.cols, element->col + 1)};
        }
    CHECK(band.source == Window{reached.row, reached.col, reached.rows - reached.row, reached.cols - reached.col});
  }
}

void check_origins(const Recording& recording, const Flow& flow, const WholeFlow& whole) {
  StepMap map;
  map.look_at(0);
  for (const WholeOrigins& origins : whole.results)
    for (std::uint32_t row = 0; row < origins.rows; ++row)
      for (std::uint32_t col = 0; col < origins.cols; ++col) {
        const StepElement element{origins.operand, row, col};
        const TileRef& tile = recording.bound(0).operands[static_cast<std::size_t>(origins.operand)].tile;
        const std::int8_t from = origins.from[origins.index(row, col)];
        if (row >= tile.valid_rows || col >= tile.valid_cols) {
          CHECK(from == WholeOrigins::kNothing);
          continue;
        }
        std::vector<int> operands;
        for (const Source& source : map.sources(recording, flow, element))
          if (!source.decided && source.operand >= 0) operands.push_back(source.operand);
        std::ranges::sort(operands);
        operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
        if (operands.size() == 1) CHECK(from == operands[0]);
        else CHECK(from == (operands.empty() ? WholeOrigins::kNothing : WholeOrigins::kSeveral));
        // Every element is in a band.
        for (const int operand : operands)
          CHECK(std::ranges::any_of(whole.bands, [&](const FlowBand& band) {
            return band.from == operand && band.to == element.operand && holds(band.result, element);
          }));
      }
}

}  // namespace

TEST_CASE("whole flow: origins and bands of random steps are those of the data flow") {
  Random random(26);
  for (int round = 0; round < 6; ++round)
    for (const OneStep& one : random_steps(random)) {
      CAPTURE(one.instruction);
      CAPTURE(one.ins);
      const SharedRecording recording = record(one);
      Inspector inspector(*recording);
      const Flow flow = inspector.flow(0);
      const WholeFlow whole = whole_flow(*recording, 0, flow);
      CHECK(whole.lattice == 1);
      check_origins(*recording, flow, whole);
      check_bands(*recording, flow, whole);
    }
}

TEST_CASE("whole flow: what has too many sources is asked on a lattice, and says so") {
  const SharedRecording recording = record({"tadd", {"64x64xf32", "64x64xf32"}, {"64x64xf32"}});
  Inspector inspector(*recording);
  const Flow flow = inspector.flow(0);
  const WholeFlow all = whole_flow(*recording, 0, flow), some = whole_flow(*recording, 0, flow, {}, 1000);
  CHECK(all.lattice == 1);
  CHECK(some.lattice > 1);
  CHECK(some.results[0].from == all.results[0].from);
  CHECK(all.bands.size() == 2 * kMostBands);
  for (const FlowBand& band : some.bands) CHECK(band.source.rows <= 64 / kMostBands);
}

TEST_CASE("whole flow: a row that is spread is one band, and a scalar is one too") {
  const SharedRecording recording = record({"tcolexpand", {"1x16xf32"}, {"8x16xf32"}});
  Inspector inspector(*recording);
  const WholeFlow whole = whole_flow(*recording, 0, inspector.flow(0));
  REQUIRE(whole.bands.size() == 1);
  CHECK(whole.bands[0].source == Window{0, 0, 1, 16});
  CHECK(whole.bands[0].result == Window{0, 0, 8, 16});
  SmallText text(Target::A5);
  text.scalar("three", "f32", "3.0").tile("o", "4x8xf32");
  text.step("texpands", {"three"}, {"o"});
  const SharedRecording filled = record_text(text.text());
  Inspector other(*filled);
  const WholeFlow fill = whole_flow(*filled, 0, other.flow(0));
  REQUIRE(fill.bands.size() == 1);
  CHECK(fill.bands[0].result == Window{0, 0, 4, 8});
}

TEST_CASE("whole flow: it ends when nobody waits for it any more") {
  const SharedRecording recording = record({"tadd", {"8x8xf32", "8x8xf32"}, {"8x8xf32"}});
  Inspector inspector(*recording);
  const WholeFlow none = whole_flow(*recording, 0, inspector.flow(0), [] { return false; });
  CHECK(none.bands.empty());
}

}  // namespace ts::test
