// Every family on the stage, without a screen: small and large tiles, before, in the middle of and after their move, in panes
// of every size. Everything is in sight or two thirds of the pane are used; no text lies over another one, none is cut.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>

#include "tests/support/random.h"
#include "tests/support/scale.h"
#include "tests/support/text/sized_step.h"
#include "tests/support/window/drawn_stage.h"

namespace ts::test {
namespace {

SharedRecording record_sized(const SizedStep& sized) {
  OpenRequest request;
  request.inputs.data = sized.data;
  return record_text(sized.text, request);
}

struct Case {
  const SizedFamily* family;
  std::uint32_t rows, cols;
  ImVec2 pane;
  std::optional<double> progress;
};

void check_drawn(DrawnStage& stage, const Case& one) {
  CAPTURE(std::string(one.family->name));
  CAPTURE(fmt::format("{}x{} in {}x{}, at {}", one.rows, one.cols, one.pane.x, one.pane.y, one.progress.value_or(-1)));
  const DrawnStage::Drawn drawn = stage.draw(one.pane, "", 3, one.progress);
  CHECK(overlaps(drawn.glyphs) == 0);
  CHECK(drawn.cut == 0);
  CAPTURE(drawn.shown);
  CAPTURE(drawn.used);
  // Which picture a step has is found out as it stands: in the middle of its move links are still short.
  const bool in_sight = drawn.whole ? drawn.all_seen : drawn.shown >= 1;
  CHECK((in_sight || drawn.used >= (one.progress ? 0.4 : 2.0 / 3)));
}

const std::optional<double> kProgresses[] = {{}, 0.29, 0.57, 0.86};

}  // namespace

TEST_CASE("sized stage: every family, small, as kernels have them, and as large as the buffers allow") {
  for (const SizedFamily& family : sized_families())
    for (int size = 0; size < 3; ++size) {
      const std::uint32_t rows = size == 0   ? 4
                                 : size == 1 ? 64
                                             : family.large_rows,
                          cols = size == 0   ? 8
                                 : size == 1 ? 128
                                             : family.large_cols;
      const SizedStep sized = sized_step(family, rows, cols, size == 2 ? family.large_type : family.type);
      DrawnStage stage(record_sized(sized), sized.step);
      for (const ImVec2 pane : {ImVec2{700, 500}, ImVec2{380, 280}})
        for (const auto& progress : kProgresses) check_drawn(stage, {&family, rows, cols, pane, progress});
    }
}

TEST_CASE("sized stage: random families, shapes, panes and progress") {
  Random random(2608);
  for (int i = 0; i < rounds(10, 150, 2000); ++i) {
    const SizedFamily& family = sized_families()[random.below(static_cast<std::uint32_t>(sized_families().size()))];
    const std::uint32_t rows = random.between(1, random.below(3) == 0 ? 64 : 12),
                        cols = 2 * random.between(1, random.below(3) == 0 ? 64 : 12);
    const SizedStep sized = sized_step(family, rows, cols, family.type);
    DrawnStage stage(record_sized(sized), sized.step);
    for (int k = 0; k < 2; ++k) {
      const ImVec2 pane{static_cast<float>(random.between(360, 1500)), static_cast<float>(random.between(240, 900))};
      std::optional<double> progress;
      if (random.below(3) > 0) progress = random.between(0, 100) / 100.0;
      check_drawn(stage, {&family, rows, cols, pane, progress});
    }
  }
}

}  // namespace ts::test
