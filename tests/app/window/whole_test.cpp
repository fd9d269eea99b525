// The stage without a screen: steps on tiles of every size in panes of every size, and what is drawn of them. Everything is
// in sight or the pane is used; no text lies over another one, and none is cut in two.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <set>

#include "tests/support/random.h"
#include "tests/support/text/small_text.h"
#include "tests/support/window/drawn_stage.h"

namespace ts::test {
namespace {

using namespace ts::ui;
struct Kind {
  const char* instruction;
  int ins, outs;
  bool turns = false, from_row = false, from_scalar = false, to_column = false;
};
constexpr Kind kKinds[] = {
    {.instruction = "tinterleave", .ins = 2, .outs = 2},
    {.instruction = "tdeinterleave", .ins = 2, .outs = 2},
    {.instruction = "tadd", .ins = 2, .outs = 1},
    {.instruction = "ttrans", .ins = 1, .outs = 1, .turns = true},
    {.instruction = "tcolexpand", .ins = 1, .outs = 1, .from_row = true},
    {.instruction = "texpands", .ins = 0, .outs = 1, .from_scalar = true},
    {.instruction = "trowsum", .ins = 1, .outs = 1, .to_column = true},
};

std::string type_of(std::uint32_t rows, std::uint32_t cols) { return fmt::format("{}x{}xf32", rows, cols); }

SharedRecording record_kind(const Kind& kind, std::uint32_t rows, std::uint32_t cols) {
  SmallText text(Target::A5);
  std::vector<std::string> ins, outs;
  if (kind.from_scalar) text.scalar(ins.emplace_back("s"), "f32", "3.0");
  for (int i = 0; i < kind.ins; ++i)
    text.tile(ins.emplace_back(fmt::format("i{}", i)), type_of(kind.from_row ? 1 : rows, cols));
  for (int i = 0; i < kind.outs; ++i)
    text.tile(outs.emplace_back(fmt::format("o{}", i)), kind.to_column ? fmt::format("{}x8xf32, valid={}x1", rows, rows)
                                                        : kind.turns   ? type_of(cols, rows)
                                                                       : type_of(rows, cols));
  text.step(kind.instruction, ins, outs);
  return record_text(text.text());
}

constexpr std::pair<std::uint32_t, std::uint32_t> kSizes[] = {{1, 8},   {4, 8},    {8, 8},    {8, 64},   {64, 8},
                                                              {24, 40}, {64, 128}, {1, 4096}, {512, 16}, {48, 128}};
const ImVec2 kPanes[] = {{360, 240}, {520, 330}, {900, 480}, {1560, 760}};

}  // namespace

TEST_CASE("whole stage: everything is in sight, or two thirds of the pane are used") {
  for (const Kind& kind : kKinds)
    for (const auto& sized : kSizes) {
      const auto rows = sized.first, cols = sized.second;
      if (kind.turns && rows % 8 != 0) continue;
      const SharedRecording recording = record_kind(kind, rows, cols);
      DrawnStage stage(recording, 0);
      for (const ImVec2 size : kPanes) {
        CAPTURE(std::string(kind.instruction));
        CAPTURE(fmt::format("{}x{} in {}x{}", rows, cols, size.x, size.y));
        const DrawnStage::Drawn drawn = stage.draw(size);
        if (drawn.whole) CHECK(drawn.all_seen);
        CHECK((drawn.whole || drawn.shown >= 1 || drawn.used >= 2.0 / 3));
      }
    }
}

TEST_CASE("whole stage: no text lies over another one, and none is cut in two") {
  for (const Kind& kind : kKinds)
    for (const auto& sized : kSizes) {
      const auto rows = sized.first, cols = sized.second;
      if (kind.turns && rows % 8 != 0) continue;
      const SharedRecording recording = record_kind(kind, rows, cols);
      DrawnStage stage(recording, 0);
      for (const ImVec2 size : kPanes) {
        CAPTURE(std::string(kind.instruction));
        CAPTURE(fmt::format("{}x{} in {}x{}", rows, cols, size.x, size.y));
        const DrawnStage::Drawn drawn = stage.draw(size, "whole");
        CHECK(drawn.whole);
        CHECK(overlaps(drawn.glyphs) == 0);
        CHECK(drawn.cut == 0);
      }
    }
}

TEST_CASE("moving stage: every picture is a function of the step and its progress, and cells land as the order says") {
  Random random(2603);
  for (const Kind& kind : kKinds)
    for (const auto& shape : {std::pair<std::uint32_t, std::uint32_t>{8, 8}, {64, 128}}) {
      const std::uint32_t rows = shape.first, cols = shape.second;
      CAPTURE(kind.instruction);
      CAPTURE(rows);
      DrawnStage stage(record_kind(kind, rows, cols), 0);
      const ImVec2 size{1000, 600};
      for (const MotionMode mode : {MotionMode::AsItRuns, MotionMode::ByRows, MotionMode::AtOnce}) {
        const double some = random.between(1, 99) / 100.0;
        CAPTURE(some);
        const auto before = stage.move_to(some, mode, size);
        const auto none = stage.move_to(0, mode, size), all = stage.move_to(1, mode, size);
        CHECK(none.landed <= before.landed);
        CHECK(all.waiting == 0);
        // Values travel between cells that are in sight.
        if (rows == 8) CHECK(all.landed > 0);
        CHECK(none.drawn != all.drawn);
        // Scrubbing back is free.
        CHECK(stage.move_to(some, mode, size) == before);
      }
    }
}

TEST_CASE("whole stage: long threads, tiles of NaN alone, and one large number among zeros") {
  SmallText threads(Target::A5);
  threads.scalar("s", "i8", "3").tile("wide", "1x8192xi8").tile("tall", "8192x1xi8, blayout=col_major");
  threads.step("texpands", {"s"}, {"wide"});
  threads.step("texpands", {"s"}, {"tall"});
  const std::uint32_t nan = 0x7FC00000;
  const float large = 1e38f;
  std::vector<std::byte> nans(64 * 128 * 4), zeros(64 * 128 * 4);
  for (std::size_t at = 0; at < nans.size(); at += 4) std::memcpy(nans.data() + at, &nan, 4);
  std::memcpy(zeros.data() + 5000, &large, 4);
  SmallText values(Target::A5);
  values.buffer("x", "f32", 64, 128).buffer("y", "f32", 64, 128);
  values.tile("a", "64x128xf32").tile("b", "64x128xf32").tile("c", "64x128xf32");
  values.step("tload", {"x"}, {"a"});
  values.step("tload", {"y"}, {"b"});
  values.line("pto.set_flag [<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]");
  values.line("pto.wait_flag [<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]");
  values.step("tmul", {"a", "b"}, {"c"});
  OpenRequest request;
  request.inputs.data = {{"x", nans}, {"y", zeros}};
  const struct {
    SharedRecording recording;
    std::uint32_t step;
  } cases[] = {
      {record_text(threads.text()), 0}, {record_text(threads.text()), 1}, {record_text(values.text(), request), 4}};
  for (const auto& one : cases) {
    DrawnStage stage(one.recording, one.step);
    for (const ImVec2 size : {ImVec2{360, 240}, ImVec2{1000, 600}})
      for (const std::optional<double> progress : {std::optional<double>{}, std::optional(0.4)}) {
        CAPTURE(one.step);
        CAPTURE(size.x);
        const DrawnStage::Drawn drawn = stage.draw(size, "", 3, progress);
        CHECK((drawn.whole ? drawn.all_seen : drawn.shown >= 1 || drawn.used >= 2.0 / 3));
        CHECK(overlaps(drawn.glyphs) == 0);
        CHECK(drawn.cut == 0);
      }
  }
}

TEST_CASE("whole stage: panes of a pixel, and tiles of which nothing is valid") {
  SmallText text(Target::A5);
  text.tile("a", "16x64xf32, valid=0x64").tile("b", "16x64xf32, valid=0x64").tile("c", "16x64xf32, valid=0x64");
  text.step("tadd", {"a", "b"}, {"c"});
  const SharedRecording recordings[] = {record_text(text.text()), record_kind(kKinds[0], 64, 128)};
  for (const SharedRecording& recording : recordings) {
    DrawnStage stage(recording, 0);
    for (const ImVec2 size : {ImVec2{1, 1}, ImVec2{1, 300}, ImVec2{300, 1}, ImVec2{40, 40}, ImVec2{1200, 700}})
      for (const char* view : {"whole", "close up", ""}) CHECK(stage.draw(size, view, 2).used >= 0);
  }
}

}  // namespace ts::test
