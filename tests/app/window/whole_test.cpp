// The stage without a screen: steps on tiles of every size in panes of every size, and what is drawn of them. Everything is
// in sight or the pane is used; no text lies over another one, and none is cut in two.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>

#include "app/draw/look.h"
#include "app/stage/motion/motion.h"
#include "app/stage/stage_step.h"
#include "app/stage/whole/enough.h"
#include "app/stage/whole/whole.h"
#include "scripting/run/gui_items.h"
#include "tests/support/random.h"
#include "tests/support/record/recorded.h"
#include "tests/support/text/small_text.h"

namespace ts::test {
namespace {

using namespace ts::ui;
using Glyph = ui::Rect;

// Questions are answered at once.
class AtOnce : public Answerer {
 public:
  explicit AtOnce(SharedRecording recording) : session_(std::move(recording)) { begin_opening(); }
  std::shared_ptr<Ticket> ask(Question question) override {
    auto ticket = std::make_shared<Ticket>();
    ticket->answer = question(session_, [] { return true; });
    ticket->answered = true;
    return ticket;
  }
  void drop(const std::shared_ptr<Ticket>&) override {}

 private:
  Session session_;
};

// A step of a program on the stage, drawn into lists that nobody shows.
class DrawnStage {
 public:
  DrawnStage(SharedRecording recording, std::uint32_t step) : answerer_(recording), context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {2000, 1400};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as where it is shown
    io.MousePos = {-1000, -1000};
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImFont* font = io.Fonts->AddFontDefault();
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    io.Fonts->SetTexID(reinterpret_cast<ImTextureID>(std::intptr_t{7777}));  // not that of maps
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;
    set_look({.theme = &themes().front(), .fonts = {font, font, font, font, font, font}, .scale = 1});
    auto document = std::make_shared<Document>();
    document->recording = recording;
    state_.opened = {document, std::make_shared<Session>(recording)};
    state_.walk.standing.moment = {step + 1, 0};
    state_.walk.standing.findings = std::make_shared<const std::vector<Finding>>();
    state_.scripts.items = std::make_shared<const scripting::GuiItems>();
  }
  ~DrawnStage() {
    memory_ = {};
    set_look({.theme = &themes().front(), .fonts = {}});
    ImGui::DestroyContext(context_);
  }
  DrawnStage(const DrawnStage&) = delete;
  DrawnStage& operator=(const DrawnStage&) = delete;

  // The move, at a progress: what is drawn, as numbers; and of how many elements that are in sight it has landed.
  struct Moving {
    std::vector<float> drawn;
    std::size_t landed = 0, waiting = 0;
    bool operator==(const Moving&) const = default;
  };
  Moving move_to(double progress, MotionMode mode, ImVec2 size) {
    REQUIRE(choose_motion_mode(memory_, mode == MotionMode::AsItRuns ? "as it runs"
                                        : mode == MotionMode::ByRows ? "row by row"
                                                                     : "at once"));
    Moving moving;
    for (int frame = 0; frame < 3; ++frame) {
      ImGui::NewFrame();
      ImGui::SetNextWindowPos({10, 10});
      ImGui::SetNextWindowSize({size.x + 40, size.y + 40});
      ImGui::Begin("stage", nullptr, ImGuiWindowFlags_NoDecoration);
      view_.begin_frame();
      memory_.progress = progress;
      auto step = stage_step(view_, out_, memory_);
      REQUIRE(step.has_value());
      // In its first frame a step is shown as it stands.
      if (step->is_new) memory_.progress = progress;
      else REQUIRE(step->move.has_value());
      const ui::Rect area{{20, 20}, {20 + size.x, 20 + size.y}};
      draw_stage_step(*step, area);
      draw_travellers(*step);
      moving = {};
      for (const ImDrawVert& vertex : ImGui::GetWindowDrawList()->VtxBuffer) {
        moving.drawn.push_back(vertex.pos.x);
        moving.drawn.push_back(vertex.pos.y);
        moving.drawn.push_back(static_cast<float>(vertex.col));
      }
      for (const auto& [cell, rect] : memory_.places) {
        if (!step->operand(cell.operand)->result) continue;
        if (!step->move) continue;
        const auto lands = step->move->motion->lands(mode, cell);
        const bool landed = !lands || *lands <= progress;
        CHECK(step->has_landed(cell) == landed);
        (landed ? moving.landed : moving.waiting) += 1;
      }
      ImGui::End();
      ImGui::Render();
    }
    return moving;
  }

  struct Drawn {
    bool whole = false;    // maps, instead of the family's picture
    bool all_seen = true;  // of all maps
    double shown = 1, used = 0;
    std::vector<Glyph> glyphs;
    std::size_t cut = 0;  // letters of which a part is outside of what may be drawn on
  };
  // After a few frames in a pane of this size.
  Drawn draw(ImVec2 size, const std::string& view = "", int frames = 3) {
    Drawn drawn;
    memory_.modes["view"] = view;
    for (int frame = 0; frame < frames; ++frame) {
      ImGui::NewFrame();
      ImGui::SetNextWindowPos({10, 10});
      ImGui::SetNextWindowSize({size.x + 40, size.y + 40});
      ImGui::Begin("stage", nullptr, ImGuiWindowFlags_NoDecoration);
      view_.begin_frame();
      const ui::Rect area{{20, 20}, {20 + size.x, 20 + size.y}};
      auto step = stage_step(view_, out_, memory_);
      REQUIRE(step.has_value());
      ImGui::PushClipRect(area.min, area.max, true);
      draw_stage_step(*step, area);
      ImGui::PopClipRect();
      if (frame + 1 == frames) take(drawn, area);
      ImGui::End();
      ImGui::Render();
    }
    return drawn;
  }

 private:
  void take(Drawn& drawn, const ui::Rect& area) {
    const ImDrawList& list = *ImGui::GetWindowDrawList();
    drawn.used = share_drawn_on(list, 0, area);
    REQUIRE(memory_.whole != nullptr);
    drawn.whole = !memory_.whole->maps.empty();
    for (const auto& [operand, map] : memory_.whole->maps) drawn.all_seen = drawn.all_seen && map.grid.shows_all();
    const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const ui::Rect clip{{command.ClipRect.x, command.ClipRect.y}, {command.ClipRect.z, command.ClipRect.w}};
      if (command.TextureId != ImGui::GetIO().Fonts->TexID || clip.width() <= 0) continue;
      for (unsigned i = 0; i + 5 < command.ElemCount;) {
        const auto corner = [&](unsigned k) {
          return list.VtxBuffer[static_cast<int>(command.VtxOffset) +
                                list.IdxBuffer[static_cast<int>(command.IdxOffset + i + k)]];
        };
        if (corner(0).uv.x == white.x && corner(0).uv.y == white.y) {
          i += 3;
          continue;
        }
        take_glyph(drawn, {corner(0).pos, corner(2).pos}, clip);
        i += 6;
      }
    }
  }
  static void take_glyph(Drawn& drawn, const Glyph& glyph, const ui::Rect& clip) {
    const bool outside = glyph.max.x <= clip.min.x || glyph.min.x >= clip.max.x || glyph.max.y <= clip.min.y ||
                         glyph.min.y >= clip.max.y;
    if (outside) return;
    const bool inside = glyph.min.x >= clip.min.x - 1 && glyph.max.x <= clip.max.x + 1 &&
                        glyph.min.y >= clip.min.y - 1 && glyph.max.y <= clip.max.y + 1;
    if (!inside) ++drawn.cut;
    drawn.glyphs.push_back(glyph);
  }

  AtOnce answerer_;
  ImGuiContext* context_;
  DeskState state_;
  std::vector<JournalLine> journal_;
  DebugView view_{answerer_, state_, journal_};
  CommandQueue out_;
  StageMemory memory_;
};

// Letters that lie over each other by more than a hair.
std::size_t overlaps(std::vector<Glyph> glyphs) {
  std::ranges::sort(glyphs, {}, [](const Glyph& one) { return one.min.x; });
  std::size_t count = 0;
  for (std::size_t i = 0; i < glyphs.size(); ++i)
    for (std::size_t k = i + 1; k < glyphs.size() && glyphs[k].min.x < glyphs[i].max.x - 1.5f; ++k)
      if (glyphs[k].min.y < glyphs[i].max.y - 1.5f && glyphs[i].min.y < glyphs[k].max.y - 1.5f) ++count;
  return count;
}

struct Kind {
  const char* instruction;
  int ins, outs;
  bool explains = false;  // its family's picture stays for larger tiles
  bool turns = false, from_row = false, from_scalar = false, to_column = false;
};
constexpr Kind kKinds[] = {
    {.instruction = "tinterleave", .ins = 2, .outs = 2, .explains = true},
    {.instruction = "tdeinterleave", .ins = 2, .outs = 2, .explains = true},
    {.instruction = "tadd", .ins = 2, .outs = 1},
    {.instruction = "ttrans", .ins = 1, .outs = 1, .turns = true},
    {.instruction = "tcolexpand", .ins = 1, .outs = 1, .from_row = true},
    {.instruction = "texpands", .ins = 0, .outs = 1, .from_scalar = true},
    {.instruction = "trowsum", .ins = 1, .outs = 1, .explains = true, .to_column = true},
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

// Small tiles keep the picture of their family, which may leave room; larger ones keep it while most is used.
TEST_CASE("whole stage: everything is in sight, or two thirds of the pane are used") {
  for (const Kind& kind : kKinds)
    for (const auto& [rows, cols] : kSizes) {
      if (kind.turns && rows % 8 != 0) continue;
      const SharedRecording recording = record_kind(kind, rows, cols);
      DrawnStage stage(recording, 0);
      for (const ImVec2 size : kPanes) {
        CAPTURE(std::string(kind.instruction));
        CAPTURE(fmt::format("{}x{} in {}x{}", rows, cols, size.x, size.y));
        const DrawnStage::Drawn drawn = stage.draw(size);
        if (drawn.whole) CHECK(drawn.all_seen);
        const bool small = rows * cols <= 512 || (rows * cols <= 2048 && drawn.used >= 0.4);
        CHECK((drawn.whole || drawn.used >= 2.0 / 3 || small || (kind.explains && rows * cols <= 4096)));
      }
    }
}

TEST_CASE("whole stage: no text lies over another one, and none is cut in two") {
  for (const Kind& kind : kKinds)
    for (const auto& [rows, cols] : kSizes) {
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
    for (const auto& [rows, cols] : {std::pair<std::uint32_t, std::uint32_t>{8, 8}, {64, 128}}) {
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
        CHECK(none.drawn != all.drawn);
        // Scrubbing back is free.
        CHECK(stage.move_to(some, mode, size) == before);
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
