// What takes long, ended by F6 and by closing the window: nobody waits for its end.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/process/cli.h"
#include "tests/support/window/window.h"

namespace ts::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kTile = "!pto.tile_buf<vec, 8x64xf32>";

std::string adding(const std::string& times) {
  const std::string tile = kTile;
  return "module attributes {pto.target_arch = \"a5\"} {\n  func.func @f() {\n    %c0 = arith.constant 0 : index\n"
         "    %c1 = arith.constant 1 : index\n    %n = arith.constant " +
         times + " : index\n    %a = pto.alloc_tile : " + tile +
         "\n    scf.for %i = %c0 to %n step %c1 {\n      pto.tadd ins(%a, %a : " + tile + ", " + tile +
         ") outs(%a : " + tile + ")\n    }\n    return\n  }\n}\n";
}

// A gigabyte of made-up data.
std::string reading() {
  const std::string view = "!pto.tensor_view<4194304x64xf32>", part = "!pto.partition_tensor_view<8x64xf32>";
  return "module attributes {pto.target_arch = \"a5\"} {\n  func.func @f(%x: !pto.ptr<f32>) {\n"
         "    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n    %c8 = arith.constant 8 : index\n"
         "    %c64 = arith.constant 64 : index\n    %n = arith.constant 4194304 : index\n"
         "    %all = pto.make_tensor_view %x, shape = [%n, %c64], strides = [%c64, %c1] : " +
         view + "\n    %a = pto.alloc_tile : " + kTile + "\n    scf.for %i = %c0 to %n step %c8 {\n" +
         "      %p = pto.partition_view %all, offsets = [%i, %c0], sizes = [%c8, %c64] : " + view + " -> " + part +
         "\n      pto.tload ins(%p : " + part + ") outs(%a : " + kTile + ")\n    }\n    return\n  }\n}\n";
}

std::string many_lines() {
  std::string text = "module {\n  func.func @f() {\n";
  while (text.size() < 100'000'000)
    text += "    %c" + std::to_string(text.size()) + " = arith.constant " + std::to_string(text.size()) + " : index\n";
  return text + "    return\n  }\n}\n";
}

// Each would take minutes, or for ever. The files stand in the folder.
const std::vector<std::pair<const char*, std::string>>& long_work() {
  static const std::vector<std::pair<const char*, std::string>> all = {
      {"steps.pto", adding("100000000")},
      {"text.pto", many_lines()},
      {"data.pto", reading()},
      {"script.lua", "print('begun') while true do pto.load('softmax_online'):record() end"},
      {"save.lua", "while true do pto.load('softmax_online'):record():save('x' .. math.random(1e9) .. '.ptorec') end"},
      {"pictures.lua", "while true do gui.screenshot('x' .. math.random(1e9) .. '.png') end"},
      {"lesson.lua", "-- pto.lesson\nwhile true do pto.load('softmax_online'):record() end"},
  };
  return all;
}

// There is work, and nothing to look at yet.
bool is_busy(const Json& state) { return state.value("ready", true) == false; }

// f(window), while it is at each of them.
template <class F>
void in_long_work(F f) {
  for (const auto& [name, text] : long_work()) {
    CAPTURE(name);
    const TempFolder folder;
    put_text(folder / name, text);
    Window window({.arguments = {folder / name}}, Window::Ready::FirstFrame);
    window.wait("work", is_busy);
    f(window);
  }
}

}  // namespace

TEST_CASE("window, stop: F6 ends what is opened or run, and the window goes on") {
  in_long_work([](Window& window) {
    window.press("F6");
    window.wait("its end", [](const Json& state) { return state["ready"] == true; });
    window.press("ctrl+t");
    window.wait_for("theme", "light");
    CHECK(window.running());
  });
}

TEST_CASE("window, stop: it closes at once, whatever is in work") {
  in_long_work([](Window& window) {
    window.press_blindly("ctrl+q");
    CHECK(window.end() == 0);
  });
}

TEST_CASE("window, stop: checks and comparisons end with F6 and with the window") {
  const TempFolder folder;
  put_text(folder / "steps.pto", adding("99000"));
  for (const bool quits : {false, true}) {
    CAPTURE(quits);
    Window window({.arguments = {folder / "steps.pto"}}, Window::Ready::FirstFrame);
    window.wait("steps", [](const Json& state) { return state.value("count", 0) > 0; });
    window.press("ctrl+shift+p");
    window.wait_for("popup", "palette");
    window.type_at_once("compare with the other target");
    window.press("Return");
    if (quits) {
      window.press_blindly("ctrl+q");
      CHECK(window.end() == 0);
      continue;
    }
    window.press("F6");
    window.wait("the end of both", [](const Json& state) {
      return state["ready"] == true && state["findings"]["state"] != "running" &&
             (state["compare"].is_null() || state["compare"]["running"] != true);
    });
    CHECK(window.running());
  }
}

}  // namespace ts::test
