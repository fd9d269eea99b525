// GLFW and OpenGL.
#include "app/window/shell/screen.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

namespace ts::ui {
namespace {

std::string glfw_problem() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "unknown";
}

Screen& screen_of(GLFWwindow* window) { return *static_cast<Screen*>(glfwGetWindowUserPointer(window)); }

// Keys are numbered by where they are on a keyboard of the United States; plus and minus are asked for by what is on them.
int key_with_sign(int key, int scancode) {
  const char* name = glfwGetKeyName(key, scancode);
  const std::string_view sign = name != nullptr ? name : "";
  if (sign == "+") return GLFW_KEY_EQUAL;
  return sign == "-" ? GLFW_KEY_MINUS : key;
}

void make_frame_buffer(int width, int height, unsigned& buffer, unsigned& color) {
  glGenFramebuffers(1, &buffer);
  glGenTextures(1, &color);
  glBindTexture(GL_TEXTURE_2D, color);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, buffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
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
  // Enter presses what has the focus, as people expect; Space is a command's.
  ImGui::GetIO().KeyMap[ImGuiKey_Space] = GLFW_KEY_ENTER;
  ImGui_ImplOpenGL3_Init("#version 330");
  if (wish.hidden) make_frame_buffer(wish.width, wish.height, screen->frame_buffer_, screen->color_);
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
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int scancode, int action, int mods) {
    Screen& screen = screen_of(window);
    key = key_with_sign(key, scancode);
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

bool Screen::wants_to_close() const { return glfwWindowShouldClose(window_) != 0; }

void Screen::close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }

void Screen::wait(double seconds) {
  input_ = false;
  if (seconds > 0) glfwWaitEventsTimeout(seconds);
  else glfwPollEvents();
}

void Screen::wake() { glfwPostEmptyEvent(); }

void Screen::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  if (hidden_) ImGui::GetIO().DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
  if (apart_scale_ > 0) {
    ImGui::GetIO().DisplaySize = {static_cast<float>(apart_width_), static_cast<float>(apart_height_)};
    ImGui::GetIO().DisplayFramebufferScale = {1, 1};
  }
  if (before_frame) before_frame();
  ImGui::NewFrame();
}

void Screen::draw_apart(float scale) {
  if (apart_buffer_ != 0) {
    glDeleteFramebuffers(1, &apart_buffer_);
    glDeleteTextures(1, &apart_color_);
    apart_buffer_ = apart_color_ = 0;
  }
  apart_scale_ = scale;
  if (scale <= 0) return;
  if (!hidden_) glfwGetFramebufferSize(window_, &width_, &height_);
  constexpr int kLargest = 16384;
  const auto side = [&](int pixels) {
    return std::clamp(static_cast<int>(std::lround(static_cast<float>(pixels) * scale)), 1, kLargest);
  };
  apart_width_ = side(width_);
  apart_height_ = side(height_);
  make_frame_buffer(apart_width_, apart_height_, apart_buffer_, apart_color_);
}

void Screen::end_frame(std::uint32_t ground) {
  ground_ = ground;
  if (is_out_of_sight()) return;
  glfwGetFramebufferSize(window_, &width_, &height_);
  paint();
  glfwSwapBuffers(window_);
}

// Of what nobody sees only the frames are painted that a picture is taken of: without a graphics card each takes long.
void Screen::paint() const {
  const bool apart = apart_buffer_ != 0;
  glBindFramebuffer(GL_FRAMEBUFFER, apart ? apart_buffer_ : frame_buffer_);
  glViewport(0, 0, apart ? apart_width_ : width_, apart ? apart_height_ : height_);
  glClearColor(static_cast<float>(ground_ >> 16 & 255) / 255, static_cast<float>(ground_ >> 8 & 255) / 255,
               static_cast<float>(ground_ & 255) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

data::Picture Screen::picture() const {
  if (is_out_of_sight()) paint();
  const bool apart = apart_buffer_ != 0;
  const auto width = static_cast<std::size_t>(apart ? apart_width_ : width_),
             height = static_cast<std::size_t>(apart ? apart_height_ : height_);
  data::Picture picture{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
  const std::size_t row_bytes = width * 3;
  std::vector<std::uint8_t> upside_down(row_bytes * height);
  glBindFramebuffer(GL_FRAMEBUFFER, apart ? apart_buffer_ : frame_buffer_);
  if (!apart && frame_buffer_ == 0) glReadBuffer(GL_FRONT);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, static_cast<int>(width), static_cast<int>(height), GL_RGB, GL_UNSIGNED_BYTE, upside_down.data());
  picture.rgb.resize(upside_down.size());
  for (std::size_t row = 0; row < height; ++row)
    std::memcpy(&picture.rgb[row * row_bytes], &upside_down[(height - 1 - row) * row_bytes], row_bytes);
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

void Screen::set_title(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }

void Screen::set_clipboard(const std::string& text) { glfwSetClipboardString(window_, text.c_str()); }

}  // namespace ts::ui
