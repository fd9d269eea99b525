// ImGui without a window.
#include "tests/support/window/drawn.h"

#include <glad/gl.h>

#include "app/draw/look.h"

namespace ts::test {
namespace {

// Textures are made of nothing: nobody sees them.
void draw_without_gl() {
  glad_glGenTextures = [](GLsizei count, GLuint* ids) {
    for (GLsizei i = 0; i < count; ++i) ids[i] = 1;
  };
  glad_glDeleteTextures = [](GLsizei, const GLuint*) {};
  glad_glBindTexture = [](GLenum, GLuint) {};
  glad_glTexParameteri = [](GLenum, GLenum, GLint) {};
  glad_glPixelStorei = [](GLenum, GLint) {};
  glad_glTexImage2D = [](GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void*) {};
  glad_glGenerateMipmap = [](GLenum) {};
  glad_glGetIntegerv = [](GLenum, GLint* value) { *value = 4096; };
}

}  // namespace

DrawnPanes::DrawnPanes() : context_(ImGui::CreateContext()) {
  draw_without_gl();
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = size_;
  io.DeltaTime = 1.0f / 60;
  ImFont* font = io.Fonts->AddFontDefault();
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  ui::set_look({.theme = &ui::themes().front(), .fonts = {font, font, font, font, font, font}});
}

DrawnPanes::~DrawnPanes() {
  ui::set_look({.theme = &ui::themes().front(), .fonts = {}});
  ImGui::DestroyContext(context_);
}

std::vector<ui::Command> DrawnPanes::draw(ui::Pane& pane, ui::DebugView& view) {
  ui::CommandQueue asked;
  ImGui::NewFrame();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(size_);
  ImGui::Begin(pane.id(), nullptr, ImGuiWindowFlags_NoDecoration);
  pane.draw(view, asked);
  ImGui::End();
  ImGui::Render();
  return asked.take();
}

void DrawnPanes::click(ui::Pane& pane, ui::DebugView& view, ImVec2 at) {
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = at;
  draw(pane, view);
  for (const bool down : {true, false}) {
    io.MouseDown[0] = down;
    draw(pane, view);
  }
}

}  // namespace ts::test
