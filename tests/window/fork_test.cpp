// What if, in the window: a value is typed or pasted, the run goes on, and the tabs lead back and forth.
#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/window/window.h"

namespace ts::test {
namespace {

using Json = nlohmann::json;

void type_into_console(Window& window, const std::string& text) {
  if (!window.state()["panes"].contains("console")) {
    window.click_on("tab/console");
    window.target("console/input");
  }
  // A click on the line: the keys are letters there.
  window.click_on("console/input");
  window.wait("the console's line takes letters", [](const Json& state) { return state["typing"] == true; });
  window.type_at_once(text);
  window.type("\n");
}

void wait_fork(Window& window, const std::string& name) {
  window.wait("the fork " + name, [&](const Json& state) { return state["forks"]["shown"] == name; });
}

// One line to a socket and back.
std::string line_of_socket(int socket, const std::string& line) {
  const std::string text = line + "\n";
  if (!line.empty() && ::send(socket, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
    return "";
  std::string answer;
  for (char letter = 0; ::recv(socket, &letter, 1, 0) == 1 && letter != '\n';) answer += letter;
  return answer;
}

}  // namespace

TEST_CASE("window: a value is typed into a cell, the comparison opens where it first matters, and a tab leads back") {
  Window window({.arguments = {"masked_sum"}});
  type_into_console(window, "rec:seek(5) gui.select('a', 1, 3)");
  window.wait_for("position", 5);
  window.wait_for("selected", "a[1,3]");
  window.press("F2");
  window.click_on("value/field");
  window.type_at_once("1000");
  window.type("\n");
  wait_fork(window, "a[1,3]=1000@5");
  window.wait("the first difference", [](const Json& state) {
    return state["compare"].is_object() && state["compare"].contains("chosen") && state["compare"]["chosen"] == 0;
  });
  window.wait_for("selected", "sum[1,3]");
  CHECK(window.state()["compare"]["title"] == "the run without the change");
  CHECK(window.state()["panes"].contains("compare"));
  // Back, and there again.
  window.click_on("forks/run");
  wait_fork(window, "");
  CHECK(window.state()["compare"].is_null());
  window.click_on("forks/a[1,3]=1000@5");
  wait_fork(window, "a[1,3]=1000@5");
  // Outside of the tile: words, and nothing is lost.
  type_into_console(window, "gui.edit('a[7,3]=1')");
  window.wait("it is refused", [](const Json& state) {
    return std::ranges::any_of(state["notices"],
                               [](const Json& text) { return has(text.get<std::string>(), "is outside"); });
  });
  CHECK(window.state()["forks"]["shown"] == "a[1,3]=1000@5");
  window.click_on("forks/close a[1,3]=1000@5");
  wait_fork(window, "");
  window.wait("it is closed", [](const Json& state) { return state["forks"]["names"].empty(); });
}

// The console asks for the caret again behind Enter, and may get it when the card has just opened, which closes it.
TEST_CASE("window: F2 right behind a line of the console opens the card, however fast the keys come") {
  Window window({.arguments = {"masked_sum"}});
  type_into_console(window, "rec:seek(5) gui.select('a', 1, 3)");
  window.wait_for("selected", "a[1,3]");
  for (int turn = 0; turn < 10; ++turn) {
    CAPTURE(turn);
    window.click_on("console/input");
    window.type_at_once("rec:seek(5)");
    window.press_blindly("Return");
    // Into each of the frames that follow.
    std::this_thread::sleep_for(std::chrono::milliseconds(2 * turn));
    window.press_blindly("F2");
    window.target("value/field");
    window.press("Escape");
    window.wait("the card to be gone", [](const Json& state) { return !state["targets"].contains("value/field"); });
  }
}

TEST_CASE("window: a click on a bit of a mask runs on with it turned over") {
  Window window({.arguments = {"masked_select"}});
  type_into_console(window, "rec:seek(5) gui.select('mask', 0, 1)");
  window.wait_for("selected", "mask[0,1]");
  window.click_on("inspector/bit 3");
  window.click_on("inspector/turn");
  window.wait("a fork",
              [](const Json& state) { return state["forks"]["shown"].get<std::string>().starts_with("mask[0,1]=0x"); });
  window.wait_for("selected", "out[0,11]");
}

TEST_CASE("window: other programs drive it by a socket, with the token that it prints") {
  const TempFolder folder;
  const std::string path = folder / "socket";
  Window window({.arguments = {"masked_sum", "--listen-at", path}});
  const std::string log = window.log();
  const std::size_t at = log.find("\"token\": \"");
  REQUIRE(at != std::string::npos);
  const std::string token = log.substr(at + 10, 48);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  REQUIRE(path.size() < sizeof address.sun_path);
  std::memcpy(address.sun_path, path.data(), path.size());
  const auto connected = [&] {
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    return socket;
  };
  const int stranger = connected();
  const std::string unasked = Json{{"id", 1}, {"lua", "rec:seek(3)"}}.dump();
  CHECK(has(line_of_socket(stranger, unasked), "\"ok\":false"));
  ::close(stranger);
  const int socket = connected();
  CHECK(has(line_of_socket(socket, Json{{"token", token}}.dump()), "\"ok\":true"));
  const auto ask = [&](const std::string& lua) {
    return Json::parse(line_of_socket(socket, Json{{"id", 1}, {"lua", lua}}.dump()));
  };
  CHECK(ask("rec:seek(3)")["position"] == 3);
  window.wait_for("position", 3);
  const Json answer = ask("print('hello') return rec.pos, 'text', {1, 2.5}, {a = true}, 0/0, nil");
  CHECK(answer["ok"] == true);
  CHECK(answer["printed"] == Json::array({"hello"}));
  CHECK(answer["values"].dump() == R"([3,"text",[1,2.5],{"a":true},"nan",null])");
  CHECK(ask("nonsense(")["ok"] == false);
  CHECK(ask("while true do end")["ok"] == false);
  // What the console may not, nobody outside may.
  CHECK(ask("io.open('/etc/passwd')")["ok"] == false);
  CHECK(ask("gui.edit('a[1,3]=1000@5')")["ok"] == true);
  wait_fork(window, "a[1,3]=1000@5");
  ::close(socket);
}

}  // namespace ts::test
