// GLFW and OpenGL.
#include "app/window/screen.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <glad/gl.h>
#include <imgui.h>

#include <cstring>

namespace ts::ui {
namespace {

std::string glfw_problem() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "unknown";
}

Screen& screen_of(GLFWwindow* window) {
  return *static_cast<Screen*>(glfwGetWindowUserPointer(window));
}

}  // namespace

std::unique_ptr<Screen> Screen::open(const Wish& wish, std::string& problem) {
  if (glfwInit() == GLFW_FALSE) {
    problem = "no display: " + glfw_problem();
    return nullptr;
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_VISIBLE, wish.hidden ? GLFW_FALSE : GLFW_TRUE);
  std::unique_ptr<Screen> screen(new Screen);
  screen->hidden_ = wish.hidden;
  screen->wished_scale_ = wish.scale;
  screen->window_ = glfwCreateWindow(wish.width, wish.height, "TileScope", nullptr, nullptr);
  if (screen->window_ == nullptr) {
    problem = "no window with OpenGL 3.3: " + glfw_problem();
    return nullptr;
  }
  glfwMakeContextCurrent(screen->window_);
  if (gladLoadGL(glfwGetProcAddress) == 0) {
    problem = "no OpenGL 3.3";
    return nullptr;
  }
  glfwSwapInterval(wish.hidden ? 0 : 1);
  glfwSetWindowSizeLimits(screen->window_, 480, 320, GLFW_DONT_CARE, GLFW_DONT_CARE);
  screen->width_ = wish.width;
  screen->height_ = wish.height;
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  screen->listen();
  // Ours are installed first: ImGui calls them from its own.
  ImGui_ImplGlfw_InitForOpenGL(screen->window_, true);
  ImGui_ImplOpenGL3_Init("#version 330");
  if (wish.hidden) {
    glGenFramebuffers(1, &screen->frame_buffer_);
    glGenTextures(1, &screen->color_);
    glBindTexture(GL_TEXTURE_2D, screen->color_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, wish.width, wish.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, screen->frame_buffer_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, screen->color_, 0);
  }
  return screen;
}

Screen::~Screen() {
  if (ImGui::GetCurrentContext() != nullptr) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  if (window_ != nullptr) glfwDestroyWindow(window_);
  glfwTerminate();
}

void Screen::listen() {
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int, int action, int mods) {
    Screen& screen = screen_of(window);
    screen.input_ = true;
    ++screen.inputs_;
    if (action == GLFW_RELEASE && screen.on_key_up) screen.on_key_up(chord_of(key, mods));
    if (action != GLFW_RELEASE && screen.on_key) screen.on_key(chord_of(key, mods), action == GLFW_REPEAT);
  });
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    Screen& screen = screen_of(window);
    screen.input_ = true;
    if (screen.on_drop) screen.on_drop({paths, paths + count});
  });
  const auto note = [](GLFWwindow* window) { screen_of(window).input_ = true; };
  static const auto note_input = note;
  glfwSetCursorPosCallback(window_, [](GLFWwindow* window, double, double) { note_input(window); });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int, int, int) {
    note_input(window);
    ++screen_of(window).inputs_;
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* window, double, double) {
    note_input(window);
    ++screen_of(window).inputs_;
  });
  glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned) { note_input(window); });
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* window, int) { note_input(window); });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* window, int) { note_input(window); });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* window, int, int) { note_input(window); });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { note_input(window); });
}

bool Screen::wants_to_close() const {
  return glfwWindowShouldClose(window_) != 0;
}

void Screen::close() {
  glfwSetWindowShouldClose(window_, GLFW_TRUE);
}

void Screen::wait(double seconds) {
  input_ = false;
  if (seconds > 0)
    glfwWaitEventsTimeout(seconds);
  else
    glfwPollEvents();
}

void Screen::wake() {
  glfwPostEmptyEvent();
}

void Screen::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  if (hidden_) ImGui::GetIO().DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
  ImGui::NewFrame();
}

void Screen::end_frame(std::uint32_t ground) {
  if (!hidden_) glfwGetFramebufferSize(window_, &width_, &height_);
  glBindFramebuffer(GL_FRAMEBUFFER, frame_buffer_);
  glViewport(0, 0, width_, height_);
  glClearColor(static_cast<float>(ground >> 16 & 255) / 255, static_cast<float>(ground >> 8 & 255) / 255,
               static_cast<float>(ground & 255) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  if (!hidden_) glfwSwapBuffers(window_);
}

data::Picture Screen::picture() const {
  data::Picture picture{static_cast<std::uint32_t>(width_), static_cast<std::uint32_t>(height_), {}};
  const auto row_bytes = static_cast<std::size_t>(width_) * 3;
  std::vector<std::uint8_t> upside_down(row_bytes * static_cast<std::size_t>(height_));
  glBindFramebuffer(GL_FRAMEBUFFER, frame_buffer_);
  if (frame_buffer_ == 0) glReadBuffer(GL_FRONT);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, upside_down.data());
  picture.rgb.resize(upside_down.size());
  for (std::size_t row = 0; row < static_cast<std::size_t>(height_); ++row)
    std::memcpy(&picture.rgb[row * row_bytes], &upside_down[(static_cast<std::size_t>(height_) - 1 - row) * row_bytes],
                row_bytes);
  return picture;
}

void Screen::reload_fonts_texture() {
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

float Screen::scale() const {
  if (wished_scale_) return *wished_scale_;
  float across = 1, down = 1;
  glfwGetWindowContentScale(window_, &across, &down);
  return across > 0 ? across : 1;
}

void Screen::set_title(const std::string& title) {
  glfwSetWindowTitle(window_, title.c_str());
}

void Screen::set_clipboard(const std::string& text) {
  glfwSetClipboardString(window_, text.c_str());
}

}  // namespace ts::ui
