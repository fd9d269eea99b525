// Files that are no programs, and programs that are too much: the window stays up and says so.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <string>

#include "tests/support/process/cli.h"
#include "tests/support/window/window.h"

namespace ts::test {
namespace {

using Json = nlohmann::json;

// It tells the user something that has these words in it, draws, and takes input.
void check_says(Window& window, const std::string& words) {
  window.wait("words: " + words,
              [&](const Json& state) { return has(state["notices"].dump() + state["problems"].dump(), words); });
  CHECK(window.draws());
  window.press("F10");
  window.press("ctrl+t");
  window.wait_for("theme", "light");
  CHECK(window.running());
}

std::string noise(std::size_t size) {
  std::mt19937 random(5);
  std::string text(size, 0);
  for (char& letter : text) letter = static_cast<char>(random());
  return text;
}

}  // namespace

TEST_CASE("window, hostile: a file that is not there") {
  const TempFolder folder;
  Window window({.arguments = {folder / "none.pto"}, .pixels = true});
  check_says(window, "none.pto");
}

TEST_CASE("window, hostile: a file that is no program") {
  const TempFolder folder;
  put_text(folder / "noise.pto", noise(5000));
  Window window({.arguments = {folder / "noise.pto"}, .pixels = true});
  check_says(window, "");
  CHECK(window.state()["count"] == 0);
}

TEST_CASE("window, hostile: an empty file") {
  const TempFolder folder;
  put_text(folder / "empty.pto", "");
  Window window({.arguments = {folder / "empty.pto"}, .pixels = true});
  window.wait("a message", [](const Json& state) { return !state["notices"].empty() || !state["problems"].empty(); });
  check_says(window, "");
}

TEST_CASE("window, hostile: a folder that is no case is refused before there is a window") {
  const TempFolder folder;
  const ProcessResult refused = tilescope({"open", folder.path()});
  CHECK(refused.status == kCannotRun);
  CHECK(has(refused.err, "is a folder without a .pto file"));
}

TEST_CASE("window, hostile: settings of a theme whose name has no end, and of no layout") {
  const TempFolder home;
  std::filesystem::create_directories(home / "tilescope");
  const std::string name(100'000, 'x');
  put_text(home / "tilescope/settings.json", R"({"layouts":{"compare":null},"theme":")" + name + "\"}");
  Window window({.arguments = {"complex_split"}, .home = home.path(), .pixels = true});
  window.wait("the message", [](const Json& state) { return has(state["notices"].dump(), "there is no theme xxx"); });
  CHECK(!has(window.state()["notices"].dump(), name));
  CHECK(window.draws());
}

TEST_CASE("window, hostile: 100 MB") {
  const TempFolder folder;
  put_text(folder / "large.pto", std::string(100'000'000, 'x'));
  Window window({.arguments = {folder / "large.pto"}, .pixels = true}, Window::Ready::FirstFrame);
  // Reading it takes its time; the window answers meanwhile.
  window.press("ctrl+t");
  window.wait_for("theme", "light");
  // Through all of them, back to the first one.
  window.press("ctrl+t");
  window.press("ctrl+t");
  window.wait_for("theme", "dark");
  window.wait(
      "a message", [](const Json& state) { return !state["notices"].empty() || !state["problems"].empty(); }, 180);
  check_says(window, "");
}

TEST_CASE("window, hostile: the file goes away while it is open") {
  const TempFolder folder;
  put_text(folder / "kernel.pto", get_text("samples/complex_split.pto"));
  Window window({.arguments = {folder / "kernel.pto"}, .pixels = true});
  window.wait_for("count", 11);
  std::filesystem::remove(folder / "kernel.pto");
  window.press("ctrl+r");
  check_says(window, "kernel.pto");
  // What was open is still there.
  CHECK(window.state()["count"] == 11);
}

TEST_CASE("window, hostile: a program broken while it is open") {
  const TempFolder folder;
  put_text(folder / "kernel.pto", get_text("samples/complex_split.pto"));
  Window window({.arguments = {folder / "kernel.pto"}, .pixels = true});
  window.wait_for("count", 11);
  put_text(folder / "kernel.new", "module {\n  func.func @f() {\n    pto.tadd ins(\n");
  std::rename((folder / "kernel.new").c_str(), (folder / "kernel.pto").c_str());
  window.wait("the bar", [](const Json& state) { return !state["broken"].is_null(); });
  CHECK(window.state()["count"] == 11);
}

TEST_CASE("window, hostile: a program that runs for ever, and F6") {
  const TempFolder folder;
  put_text(folder / "endless.pto", kEndless);
  Window window({.arguments = {folder / "endless.pto"}, .pixels = true}, Window::Ready::FirstFrame);
  window.press("F6");
  window.wait("its end", [](const Json& state) {
    return state["ready"] == true && (state["count"] > 0 || !state["notices"].empty());
  });
  check_says(window, "");
}

}  // namespace ts::test
