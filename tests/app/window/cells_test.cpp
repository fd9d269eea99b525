// Marks of a cell as shapes: what each of them adds to the drawing, and that it stays when all colour is taken away.
#include <doctest/doctest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/draw/cells.h"
#include "app/draw/look.h"

using namespace ts::ui;

namespace {

// Every mark with the shape that says it without colour, and the colour it is drawn in; null: black or white.
struct MarkRow {
  const char* name;
  Mark mark;
  const char* shape;
  Color Theme::*color;
};
constexpr MarkRow kMarks[] = {
    {"undefined", Mark::Undefined, "diagonal hatch", nullptr},
    {"unspecified", Mark::Unspecified, "dots along the bottom", nullptr},
    {"padding", Mark::Padding, "cross-hatch", nullptr},
    {"written", Mark::Written, "triangle in the upper right corner", &Theme::written},
    {"read", Mark::Read, "dotted border", &Theme::read},
    {"finding", Mark::Finding, "double border and exclamation mark", &Theme::finding},
    {"different", Mark::Different, "crossed equals sign", &Theme::difference},
    {"selected", Mark::Selected, "thick ring", &Theme::select},
    {"hovered", Mark::Hovered, "thin ring", &Theme::select},
    {"provenance", Mark::Provenance, "thick dashed ring", &Theme::select},
};
// Where two marks share a shape: luminances that differ as much as this are told apart in grey.
constexpr double kLeastLuminance = 0.15;

// ImGui without a window: enough to draw into lists.
class ShapeDrawing {
 public:
  ShapeDrawing() : context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {200, 200};
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->AddFontDefault();
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    ImGui::NewFrame();
  }
  ~ShapeDrawing() {
    set_look({.theme = &themes().front(), .fonts = {}});
    ImGui::DestroyContext(context_);
  }
  ShapeDrawing(const ShapeDrawing&) = delete;
  ShapeDrawing& operator=(const ShapeDrawing&) = delete;

  // The corners of everything drawn for a cell, without colours, in their order.
  std::vector<float> shape(const Theme& theme, const CellLook& cell, float size) {
    ImFont* font = ImGui::GetIO().Fonts->Fonts[0];
    set_look({.theme = &theme, .fonts = {font, font, font, font, font, font}, .scale = 1});
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushTextureID(ImGui::GetIO().Fonts->TexID);
    list.PushClipRectFullScreen();
    draw_cell(list, {{20, 20}, {20 + size, 20 + size}}, cell);
    std::vector<float> corners;
    for (const ImDrawVert& corner : list.VtxBuffer) corners.insert(corners.end(), {corner.pos.x, corner.pos.y});
    return corners;
  }

 private:
  ImGuiContext* context_;
};

}  // namespace

TEST_CASE("cells: no two marks share a shape, or they differ in grey") {
  for (const Theme& theme : themes()) {
    for (const MarkRow& one : kMarks) {
      for (const MarkRow& other : kMarks) {
        if (&one >= &other || std::string(one.shape) != other.shape) continue;
        CAPTURE(std::string(theme.name));
        CAPTURE(std::string(one.name) + " and " + other.name);
        REQUIRE((one.color != nullptr && other.color != nullptr));
        CHECK(std::abs(luminance(theme.*one.color) - luminance(theme.*other.color)) >= kLeastLuminance);
      }
    }
  }
}

TEST_CASE("cells: every mark is in the table") {
  for (int bit = 1; bit < static_cast<int>(Mark::Faded); bit *= 2) {
    CAPTURE(bit);
    CHECK(std::ranges::count(kMarks, static_cast<Mark>(bit), &MarkRow::mark) == 1);
  }
}

TEST_CASE("cells: every mark draws a shape of its own, without colour") {
  ShapeDrawing drawing;
  for (const Theme& theme : themes()) {
    for (const float size : {18.0f, 44.0f}) {
      std::vector<std::vector<float>> shapes = {drawing.shape(theme, {}, size)};
      for (const MarkRow& row : kMarks) {
        CAPTURE(std::string(row.name));
        CAPTURE(size);
        std::vector<float> shape = drawing.shape(theme, {.marks = row.mark}, size);
        CHECK(shape.size() > shapes.front().size());
        CHECK(std::ranges::find(shapes, shape) == shapes.end());
        shapes.push_back(std::move(shape));
      }
    }
  }
}

TEST_CASE("cells: marks stand beside each other") {
  ShapeDrawing drawing;
  const Theme& theme = themes().front();
  for (const MarkRow& one : kMarks) {
    for (const MarkRow& other : kMarks) {
      if (&one == &other) continue;
      CAPTURE(std::string(one.name) + " and " + other.name);
      const auto both = drawing.shape(theme, {.marks = one.mark | other.mark}, 44);
      CHECK(both.size() > drawing.shape(theme, {.marks = one.mark}, 44).size());
    }
  }
}

TEST_CASE("cells: the operand a value came from is said by an edge, its side and its letter") {
  ShapeDrawing drawing;
  const Theme& theme = themes().front();
  const auto plain = drawing.shape(theme, {}, 44);
  const auto left = drawing.shape(theme, {.source = theme.src0, .letter = 'a'}, 44);
  const auto right = drawing.shape(theme, {.source = theme.src1, .letter = 'b', .edge_right = true}, 44);
  const auto without = drawing.shape(theme, {.source = theme.src0}, 44);
  CHECK(left.size() > plain.size());
  CHECK(left != right);
  CHECK(left.size() > without.size());
}

TEST_CASE("cells: text is left out where there is no room, and padding has none") {
  ShapeDrawing drawing;
  const Theme& theme = themes().front();
  const auto plain = drawing.shape(theme, {}, 44);
  CHECK(drawing.shape(theme, {.text = "2.5"}, 44).size() > plain.size());
  CHECK(drawing.shape(theme, {.text = "2.5"}, 12).size() == drawing.shape(theme, {}, 12).size());
  CHECK(drawing.shape(theme, {.text = "2.5", .marks = Mark::Padding}, 44) ==
        drawing.shape(theme, {.marks = Mark::Padding}, 44));
}
