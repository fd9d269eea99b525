// The stage drawn without a screen: a step in a pane of any size, and what is drawn of it.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/look.h"
#include "app/stage/motion/motion.h"
#include "app/stage/stage_step.h"
#include "app/stage/whole/enough.h"
#include "app/stage/whole/whole.h"
#include "app/window/shell/fonts.h"
#include "scripting/run/gui_items.h"
#include "tests/support/record/recorded.h"

namespace ts::test {

using Glyph = ui::Rect;

// Of one step; `using namespace ts::ui` stays in here.
namespace drawn_stage {
using namespace ts::ui;

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

// The letters that the window has: what overlaps or is cut depends on them.
struct Letters {
  ImFontAtlas atlas;
  Fonts fonts;
};
inline Letters& letters() {
  static Letters all;
  if (all.fonts.mono != nullptr) return all;
  ImGuiContext* before = ImGui::GetCurrentContext();
  ImGuiContext* own = ImGui::CreateContext(&all.atlas);
  ImGui::SetCurrentContext(own);
  all.fonts = load_fonts(1, nullptr);
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  all.atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
  all.atlas.SetTexID(reinterpret_cast<ImTextureID>(std::intptr_t{7777}));  // not that of maps
  ImGui::DestroyContext(own);
  ImGui::SetCurrentContext(before);
  return all;
}

// A step of a program on the stage, drawn into lists that nobody shows.
class DrawnStage {
 public:
  DrawnStage(SharedRecording recording, std::uint32_t step)
      : answerer_(recording), context_(ImGui::CreateContext(&letters().atlas)) {
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {2000, 1400};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as where it is shown
    io.MousePos = {-1000, -1000};
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;
    set_look({.theme = &themes().front(), .fonts = letters().fonts, .scale = 1});
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
    bool whole = false;          // maps, instead of the family's picture
    bool all_seen = true;        // of all maps
    double shown = 1, used = 0;  // of what the family's picture is of; of the pane
    std::vector<Glyph> glyphs;
    std::size_t cut = 0;  // letters of which a part is outside of what may be drawn on
  };
  // After a few frames in a pane of this size.
  Drawn draw(ImVec2 size, const std::string& view = "", int frames = 3, std::optional<double> progress = {}) {
    Drawn drawn;
    memory_.modes["view"] = view;
    if (memory_.whole != nullptr) memory_.whole->maps.clear();
    for (int frame = 0; frame < frames; ++frame) {
      ImGui::NewFrame();
      ImGui::SetNextWindowPos({10, 10});
      ImGui::SetNextWindowSize({size.x + 40, size.y + 40});
      ImGui::Begin("stage", nullptr, ImGuiWindowFlags_NoDecoration);
      view_.begin_frame();
      const ui::Rect area{{20, 20}, {20 + size.x, 20 + size.y}};
      memory_.progress = progress;
      auto step = stage_step(view_, out_, memory_);
      REQUIRE(step.has_value());
      const bool last = frame + 1 == frames;
      if (last) memory_.measured = Measured{};
      ImGui::PushClipRect(area.min, area.max, true);
      // Behind the ground of the window, which covers everything.
      const int first_index = ImGui::GetWindowDrawList()->IdxBuffer.Size;
      draw_stage_step(*step, area);
      if (memory_.measured) drawn.shown = memory_.measured->shown;
      memory_.measured.reset();
      // Numbers on their way pass over others.
      if (last) take_texts(drawn);
      if (progress) draw_travellers(*step);
      ImGui::PopClipRect();
      if (frame + 1 == frames) take(drawn, area, first_index);
      ImGui::End();
      ImGui::Render();
    }
    return drawn;
  }

 private:
  void take(Drawn& drawn, const ui::Rect& area, int first_index) {
    drawn.used = share_drawn_on(*ImGui::GetWindowDrawList(), first_index, area);
    REQUIRE(memory_.whole != nullptr);
    drawn.whole = !memory_.whole->maps.empty();
    for (const auto& [operand, map] : memory_.whole->maps) drawn.all_seen = drawn.all_seen && map.grid.shows_all();
  }
  static void take_texts(Drawn& drawn) {
    const ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const ui::Rect clip{{command.ClipRect.x, command.ClipRect.y}, {command.ClipRect.z, command.ClipRect.w}};
      if (command.TextureId != ImGui::GetIO().Fonts->TexID || clip.width() <= 0) continue;
      for (unsigned i = 0; i + 5 < command.ElemCount;) {
        const auto corner = [&](unsigned k) -> const ImDrawVert& {
          return list.VtxBuffer[static_cast<int>(command.VtxOffset) +
                                list.IdxBuffer[static_cast<int>(command.IdxOffset + i + k)]];
        };
        if (corner(0).uv.x == white.x && corner(0).uv.y == white.y) {
          const bool box = &corner(0) == &corner(3) && &corner(2) == &corner(4);
          if (box && corner(0).col >> IM_COL32_A_SHIFT == 0xFF) cover(drawn, {corner(0).pos, corner(2).pos});
          i += box ? 6 : 3;
          continue;
        }
        take_glyph(drawn, {corner(0).pos, corner(2).pos}, clip);
        i += 6;
      }
    }
  }
  // What lies below a box of a full colour is not seen.
  static void cover(Drawn& drawn, const ui::Rect& box) {
    std::erase_if(drawn.glyphs, [&](const Glyph& glyph) {
      return glyph.min.x >= box.min.x && glyph.max.x <= box.max.x && glyph.min.y >= box.min.y &&
             glyph.max.y <= box.max.y;
    });
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

}  // namespace drawn_stage
using drawn_stage::DrawnStage;

// Letters that lie over each other by more than a hair.
inline std::size_t overlaps(std::vector<Glyph> glyphs) {
  std::ranges::sort(glyphs, {}, [](const Glyph& one) { return one.min.x; });
  std::size_t count = 0;
  for (std::size_t i = 0; i < glyphs.size(); ++i)
    for (std::size_t k = i + 1; k < glyphs.size() && glyphs[k].min.x < glyphs[i].max.x - 1.5f; ++k)
      if (glyphs[k].min.y < glyphs[i].max.y - 1.5f && glyphs[i].min.y < glyphs[k].max.y - 1.5f) ++count;
  return count;
}

}  // namespace ts::test
