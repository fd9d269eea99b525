// What stands beside something else: the other target's step on one clock, a second tile, what changed; drawn without a
// window.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "app/panes/tiles/second_tile.h"
#include "app/view/targets.h"
#include "app/view/thread_answerer.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/record/recorded.h"
#include "tests/support/window/drawn.h"
#include "tests/support/window/open_desk.h"

namespace ts::test {
namespace {

using namespace ts::ui;

// 2x3x2 slices of 4x8 elements, with a row between.
constexpr std::string_view kFiveDimensions = R"(module attributes {pto.target_arch = "a5"} {
  func.func @nd(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c40 = arith.constant 40 : index
    %c80 = arith.constant 80 : index
    %c240 = arith.constant 240 : index
    %v = pto.make_tensor_view %x, shape = [%c2, %c3, %c2, %c4, %c8], strides = [%c240, %c80, %c40, %c8, %c1] : !pto.tensor_view<2x3x2x4x8xf32>
    %p = pto.partition_view %v, offsets = [%c0, %c0, %c0, %c0, %c0], sizes = [%c2, %c3, %c2, %c4, %c8]
        : !pto.tensor_view<2x3x2x4x8xf32> -> !pto.partition_tensor_view<2x3x2x4x8xf32>
    %w = pto.make_tensor_view %y, shape = [%c2, %c3, %c2, %c4, %c8], strides = [%c240, %c80, %c40, %c8, %c1] : !pto.tensor_view<2x3x2x4x8xf32>
    %q = pto.partition_view %w, offsets = [%c0, %c0, %c0, %c0, %c0], sizes = [%c2, %c3, %c2, %c4, %c8]
        : !pto.tensor_view<2x3x2x4x8xf32> -> !pto.partition_tensor_view<2x3x2x4x8xf32>
    %t = pto.alloc_tile : !pto.tile_buf<vec, 48x8xf32>
    pto.tload ins(%p : !pto.partition_tensor_view<2x3x2x4x8xf32>) outs(%t : !pto.tile_buf<vec, 48x8xf32>)
    pto.tstore ins(%t : !pto.tile_buf<vec, 48x8xf32>) outs(%q : !pto.partition_tensor_view<2x3x2x4x8xf32>)
    return
  }
}
)";

class OnePane {
 public:
  OnePane(const char* id, const char* sample) : desk_(sample), panes_(make_panes()) {
    pane_ = std::ranges::find_if(panes_, [&](const auto& one) { return std::string_view(one->id()) == id; })->get();
    want_targets(true);
  }
  ~OnePane() { want_targets(false); }

  ProgramDesk& desk() { return desk_; }
  bool act(const std::string& name, std::vector<CommandValue> values = {}) {
    CommandQueue out;
    const bool taken = pane_->act({name, std::move(values)}, desk_.view(), out);
    for (const Command& command : out.take()) desk_.give(command.name, command.values);
    return taken;
  }
  // After frames in which everything that is found out beside the window has come.
  int vertices() {
    for (int frame = 0; frame < 40; ++frame) {
      begin_targets();
      for (const Command& command : drawn_.draw(*pane_, desk_.view())) desk_.give(command.name, command.values);
      desk_.settle();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return ImGui::GetDrawData()->TotalVtxCount;
  }
  std::vector<Command> click(const std::string& target) {
    const auto found = targets().find(target);
    REQUIRE_MESSAGE(found != targets().end(), target);
    std::vector<Command> asked;
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = found->second.center();
    for (const bool down : {false, true, false}) {
      io.MouseDown[0] = down;
      for (Command& one : drawn_.draw(*pane_, desk_.view())) asked.push_back(std::move(one));
    }
    io.MousePos = {-100, -100};
    return asked;
  }

 private:
  DrawnPanes drawn_;
  ProgramDesk desk_;
  std::vector<std::unique_ptr<Pane>> panes_;
  Pane* pane_ = nullptr;
};

}  // namespace

TEST_CASE("beside: the other target's step stands beside this one, at the same progress") {
  OnePane stage("stage", "transpose");
  stage.desk().give("seek", {std::int64_t{4}});
  stage.vertices();
  const int alone = stage.vertices();
  REQUIRE(stage.act("stageBeside"));
  REQUIRE(stage.desk().view().against() != nullptr);
  const int both = stage.vertices();
  CHECK(both != alone);
  REQUIRE(stage.act("progress", {std::string("0.4")}));
  const int early = stage.vertices();
  REQUIRE(stage.act("progress", {std::string("0.9")}));
  const int late = stage.vertices();
  CHECK(early != late);
  // Scrubbing back draws the same.
  REQUIRE(stage.act("progress", {std::string("0.4")}));
  CHECK(stage.vertices() == early);
  REQUIRE(stage.act("stageBeside", {std::int64_t{0}}));
  REQUIRE(stage.act("progress"));
  CHECK(stage.vertices() == alone);
}

TEST_CASE("beside: a second tile, at another position, and as another type") {
  OnePane tiles("tiles", "complex_split");
  tiles.desk().give("last");
  const int alone = tiles.vertices();
  REQUIRE(tiles.act("splitTiles"));
  tiles.vertices();
  CHECK(targets().contains("tiles/second"));
  REQUIRE(tiles.act("splitTiles", {std::string("im"), std::int64_t{0}, std::string("f16")}));
  CHECK(tiles.vertices() != alone);
  REQUIRE(tiles.act("splitTiles"));
  CHECK(tiles.vertices() == alone);
  CHECK_FALSE(targets().contains("tiles/second"));
}

TEST_CASE("slices: the tiles pane shows one, follows the selection, and keeps which") {
  OnePane tiles("tiles", "masked_scores");
  tiles.vertices();
  REQUIRE(tiles.act("showTile", {std::string("scores")}));
  tiles.vertices();
  CHECK(targets().contains("tiles/slice 0"));
  const auto slice = [&] { return tiles.desk().view().tile_displays().of("scores").slice; };
  CHECK_FALSE(slice().has_value());
  REQUIRE(tiles.act("showSlice", {std::int64_t{1}}));
  tiles.vertices();
  CHECK(slice() == 1);
  REQUIRE(tiles.desk().view().tiles_look().only.has_value());
  CHECK(*tiles.desk().view().tiles_look().only == Window{36, 0, 36, 100});
  CHECK(tiles.desk().view().tiles_look().row >= 36);
  tiles.click("tiles/slice 0 on");
  CHECK(slice() == 2);
  REQUIRE(tiles.act("nextSlice"));
  CHECK(slice() == 0);
  REQUIRE(tiles.act("previousSlice"));
  CHECK(slice() == 2);
  tiles.desk().give("select", {std::string("scores"), std::int64_t{40}, std::int64_t{3}});
  tiles.vertices();
  CHECK(slice() == 1);
  const auto kept = tiles.desk().view().tile_displays().save();
  CHECK(kept["scores"]["slice"] == 1);
  tiles.click("tiles/slice all");
  CHECK_FALSE(slice().has_value());
  tiles.desk().view().tile_displays().load(kept);
  CHECK(slice() == 1);
  // Of a file that somebody changed: the last one there is.
  tiles.desk().view().tile_displays().of("scores").slice = 4'000'000'000u;
  tiles.vertices();
  CHECK(tiles.desk().view().tiles_look().only->row == 72);
  REQUIRE(tiles.act("showSlice", {std::int64_t{-5}}));
  CHECK(slice() == 0);
  REQUIRE(tiles.act("showSlice"));
  CHECK_FALSE(slice().has_value());
  // Two dimensions have none.
  REQUIRE(tiles.act("showTile", {std::string("masked")}));
  tiles.vertices();
  CHECK_FALSE(targets().contains("tiles/slice 0"));
  CHECK_FALSE(tiles.act("showSlice", {std::int64_t{1}}));
}

TEST_CASE("heat: each line that ran has its share of the emulation's time") {
  OnePane program("program", "masked_scores");
  const auto hot_lines = [&] {
    program.vertices();
    std::vector<std::uint32_t> lines;
    for (const auto& [name, rect] : targets())
      if (name.starts_with("program/heat ")) lines.push_back(static_cast<std::uint32_t>(std::stoul(name.substr(13))));
    return lines;
  };
  program.desk().give("seek", {std::int64_t{10}});
  CHECK(hot_lines().empty());
  REQUIRE(program.act("showLineTimes"));
  const std::vector<std::uint32_t> lines = hot_lines();
  CHECK(lines.size() > 3);
  const Recording& recording = *program.desk().view().recording();
  const auto ran = [&](std::uint32_t line) {
    for (std::uint32_t step = 0; step < recording.count(); ++step)
      if (recording.bound(step).pos.line == line) return true;
    return false;
  };
  for (const std::uint32_t line : lines) CHECK(ran(line));
  REQUIRE(program.act("showLineTimes"));
  CHECK(hot_lines().empty());
}

TEST_CASE("slices: the stage shows one of an operand, or all, and follows the focus") {
  const TempFolder folder;
  put_text(folder / "five.pto", kFiveDimensions);
  OnePane stage("stage", (folder / "five.pto").c_str());
  stage.desk().give("seek", {std::int64_t{1}});
  stage.desk().give("select", {std::string("t"), std::int64_t{20}, std::int64_t{3}});
  stage.vertices();
  const auto shown = [&](std::uint32_t row) { return targets().contains(fmt::format("stage/x[{},0]", row)); };
  const auto go_on = [&](const char* where) {
    stage.click(fmt::format("stage/slice of x {}", where));
    stage.vertices();
  };
  // Row 20 of the tile is row 0 of slice [0,2,1], which stands in row 25 of the buffer: each slice has a row between.
  CHECK(shown(25));
  go_on("on");
  CHECK(shown(30));
  CHECK(shown(33));
  CHECK_FALSE(shown(29));
  CHECK_FALSE(shown(34));
  for (int slice = 7; slice <= 12; ++slice) go_on("on");
  CHECK(shown(0));
  CHECK_FALSE(shown(4));
  // The focus leads to another one.
  stage.desk().give("select", {std::string("t"), std::int64_t{47}, std::int64_t{1}});
  stage.vertices();
  CHECK(shown(58));
  CHECK_FALSE(shown(54));
  go_on("all");
  CHECK(shown(54));
  // A tile of two dimensions has none.
  CHECK_FALSE(targets().contains("stage/slice of t on"));
}

TEST_CASE("boxes: the tiles pane draws those that a tile stands in, and keeps that it does") {
  OnePane tiles("tiles", "matmul");
  tiles.desk().give("last");
  tiles.vertices();
  const auto shown = [&](const std::string& name) { return tiles.desk().view().tile_displays().of(name).boxes; };
  for (const std::string name : {"a", "b", "l", "r", "c"}) {
    CAPTURE(name);
    REQUIRE(tiles.act("showTile", {name}));
    const int alone = tiles.vertices();
    REQUIRE(tiles.act("showBoxes"));
    CHECK(shown(name));
    CHECK(tiles.vertices() > alone);
    REQUIRE(tiles.act("showBoxes", {std::int64_t{0}}));
    CHECK_FALSE(shown(name));
    CHECK(tiles.vertices() == alone);
  }
  tiles.click("tiles/boxes");
  CHECK(shown("c"));
  // A row stands in none, and neither does a buffer.
  for (const char* name : {"bias", "a_at"}) {
    REQUIRE(tiles.act("showTile", {std::string(name)}));
    tiles.vertices();
    CHECK_FALSE(targets().contains("tiles/boxes"));
    CHECK_FALSE(tiles.act("showBoxes"));
  }
}

TEST_CASE("bits: a click on one in the inspector runs on with it turned over") {
  OnePane inspector("inspector", "masked_select");
  inspector.desk().give("seek", {std::int64_t{5}});
  inspector.desk().give("select", {std::string("mask"), std::int64_t{0}, std::int64_t{1}});
  inspector.vertices();
  inspector.click("inspector/bit 3");
  inspector.vertices();
  const auto asked = inspector.click("inspector/turn");
  REQUIRE(asked.size() == 1);
  CHECK(asked[0].name == "edit");
  const std::string text = asked[0].text(0);
  REQUIRE(text.starts_with("mask[0,1]=0x"));
  inspector.desk().give("edit", {text});
  CHECK(inspector.desk().view().fork().starts_with("mask[0,1]=0x"));
  // Lane 8 + 3 is taken from the other tile.
  CHECK(inspector.desk().selected() == "out[0,11]");
}

TEST_CASE("beside: bytes as another type are cut into its elements, where rows stand one after the other") {
  TileRef tile;
  tile.type.dtype = DType::F32;
  tile.type.rows = 4;
  tile.type.cols = 8;
  tile.valid_rows = 4;
  tile.valid_cols = 5;
  const auto halves = seen_as(tile, DType::F16), bytes = seen_as(tile, DType::F8E4M3), same = seen_as(tile, DType::I32);
  REQUIRE(halves.has_value());
  CHECK(halves->cols() == 16);
  CHECK(halves->valid_cols == 10);
  REQUIRE(bytes.has_value());
  CHECK(bytes->cols() == 32);
  REQUIRE(same.has_value());
  CHECK(same->cols() == 8);
  tile.type.dtype = DType::F16;
  tile.type.cols = 5;
  CHECK_FALSE(seen_as(tile, DType::F32).has_value());
}

TEST_CASE("beside: what changed in the last step, and each row is a jump") {
  OnePane changed("changed", "complex_split");
  changed.desk().give("seek", {std::int64_t{6}});
  changed.vertices();
  // The de-interleave of step 5.
  const auto asked = changed.click("changed/im");
  REQUIRE(asked.size() == 2);
  CHECK(asked[0].name == "seek");
  CHECK(asked[0].number(0) == 6);
  CHECK(asked[1].name == "select");
  CHECK(asked[1].text(0) == "im");
  REQUIRE(changed.act("changedBetween", {std::int64_t{0}, std::int64_t{11}}));
  changed.vertices();
  CHECK(targets().contains("changed/result"));
  CHECK(targets().contains("changed/first"));
}

TEST_CASE("beside: questions are answered in a thread, in their order; what was dropped is not") {
  ThreadAnswerer answerer(record_sample("complex_split"));
  const auto ask = [&](int number) {
    return answerer.ask([number](Session& session, const auto&) {
      return std::any(number + static_cast<int>(session.recording().count()));
    });
  };
  const auto first = ask(100), dropped = ask(200), last = ask(300);
  answerer.drop(dropped);
  for (int i = 0; i < 2000 && !last->answered; ++i) {
    answerer.deliver();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  REQUIRE(last->answered);
  CHECK(std::any_cast<int>(first->answer) == 111);
  CHECK(std::any_cast<int>(last->answer) == 311);
  CHECK_FALSE(dropped->answered);
}

}  // namespace ts::test
