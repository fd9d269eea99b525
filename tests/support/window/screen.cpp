// The screen is Xvfb, whose picture lies in memory that the tests share.
#include "tests/support/window/screen.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

constexpr double kStartSeconds = 200;

// The first line that comes; empty when none does.
std::string read_line(int descriptor) {
  std::string line;
  char letter = 0;
  pollfd one{.fd = descriptor, .events = POLLIN, .revents = 0};
  while (::poll(&one, 1, static_cast<int>(kStartSeconds * 1000)) > 0 && ::read(descriptor, &letter, 1) == 1) {
    if (letter == '\n') return line;
    line += letter;
  }
  return "";
}

std::string& why_missing() {
  static std::string text;
  return text;
}

}  // namespace

// Xvfb writes the file in the form of `xwd`: a header of big-endian words, a table of colours, the pixels.
struct Screen::Memory {
  const std::uint8_t* data = nullptr;
  std::size_t size = 0;
  ~Memory() {
    if (data != nullptr) ::munmap(const_cast<std::uint8_t*>(data), size);
  }
  bool map(const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat about {};
    if (file.get() < 0 || ::fstat(file.get(), &about) != 0) return false;
    size = static_cast<std::size_t>(about.st_size);
    void* place = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
    if (place != MAP_FAILED) data = static_cast<const std::uint8_t*>(place);
    return data != nullptr;
  }
  std::uint32_t word(std::size_t index) const {
    const std::uint8_t* at = data + 4 * index;
    return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
  }
};

Screen::Screen() : memory_(std::make_shared<Memory>()) {}

std::string Screen::start() {
  const TempFolder folder;
  server_ = std::make_unique<Child>(
      ChildStart{.command = {"Xvfb", "-displayfd", "1", "-screen", "0", fmt::format("{}x{}x24", kWidth, kHeight),
                             "-fbdir", folder.path(), "-nolisten", "tcp", "-noreset", "-r"},
                 .output_to_pipe = true});
  const std::string number = read_line(server_->output());
  if (number.empty()) return "Xvfb does not start (Debian package xvfb)";
  display_ = ":" + number;
  // The file goes with its folder; the memory stays. -r above: a key held over a slow frame is still one key.
  if (!memory_->map(folder / "Xvfb_screen0")) return "the picture of Xvfb cannot be read";
  Child hand({.command = {"xdotool", "getmouselocation"}, .environment = environment()});
  if (hand.end(kStartSeconds) != 0) return "xdotool is missing (Debian package xdotool)";
  return "";
}

Screen* Screen::get() {
  static const std::unique_ptr<Screen> screen = [] {
    std::unique_ptr<Screen> made(new Screen);
    why_missing() = made->start();
    if (!why_missing().empty()) made.reset();
    return made;
  }();
  return screen.get();
}

const std::string& Screen::missing() {
  get();
  return why_missing();
}

std::vector<std::string> Screen::environment() const {
  return {"DISPLAY=" + display_, "LIBGL_ALWAYS_SOFTWARE=1", "WAYLAND_DISPLAY="};
}

Picture Screen::picture() const {
  const Memory& memory = *memory_;
  // Words of the header: 0 its size, 4 width, 5 height, 12 bytes a line, 19 colours in the table, of 12 bytes each.
  const std::size_t begin = memory.word(0) + std::size_t{12} * memory.word(19), line = memory.word(12);
  Picture picture{.width = static_cast<int>(memory.word(4)), .height = static_cast<int>(memory.word(5))};
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) {
      const std::uint8_t* at =
          memory.data + begin + line * static_cast<std::size_t>(y) + 4 * static_cast<std::size_t>(x);
      picture.pixels.push_back({at[2], at[1], at[0]});
    }
  return picture;
}

}  // namespace ts::test
