// A real socket, with clients that behave and clients that do not.
#include "app/remote/listener.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

using remote::Bounds;
using remote::Listener;
using Json = nlohmann::json;

constexpr int kPatienceMs = 60'000;

class Client {
 public:
  explicit Client(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), std::min(path.size(), sizeof address.sun_path - 1));
    timeval patience{kPatienceMs / 1000, 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    connected = ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  // False: it was closed meanwhile.
  bool send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t count = ::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }
  void finish() { ::shutdown(socket_.get(), SHUT_WR); }
  // Empty: it was closed.
  std::string line() {
    while (true) {
      if (const std::size_t end = in_.find('\n'); end != std::string::npos) {
        std::string line = in_.substr(0, end);
        in_.erase(0, end + 1);
        return line;
      }
      char part[4096];
      const ssize_t count = ::recv(socket_.get(), part, sizeof part, 0);
      if (count <= 0) return "";
      in_.append(part, static_cast<std::size_t>(count));
    }
  }
  Json answer() {
    const std::string text = line();
    return text.empty() ? Json() : Json::parse(text);
  }
  bool connected = false;

 private:
  remote::Descriptor socket_;
  std::string in_;
};

// Answers with the text that it was asked for.
class Echo {
 public:
  explicit Echo(const Bounds& bounds = {}) {
    auto made = Listener::start(
        folder_ / "socket", [this] { woken_ = true; }, bounds);
    REQUIRE(std::holds_alternative<std::unique_ptr<Listener>>(made));
    listener = std::move(std::get<std::unique_ptr<Listener>>(made));
    thread_ = std::thread([this] {
      while (!end_) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (silent || !woken_.exchange(false)) continue;
        for (const remote::Request& request : listener->take()) {
          const std::string text = request.lua == "long" ? std::string(size_t{1} << 20, 'x') : request.lua;
          listener->answer(request, "\"ok\":true,\"said\":" + Json(text).dump());
        }
      }
    });
  }
  ~Echo() {
    end_ = true;
    thread_.join();
  }
  Client client() { return Client(listener->path()); }
  Client friend_with_token() {
    Client made = client();
    made.send(hello());
    CHECK(made.answer()["ok"] == true);
    return made;
  }
  std::string hello() const { return "{\"token\": \"" + listener->token() + "\"}\n"; }
  std::unique_ptr<Listener> listener;
  std::atomic<bool> silent = false;

 private:
  TempFolder folder_;
  std::atomic<bool> woken_ = false, end_ = false;
  std::thread thread_;
};

std::string ask(Client& client, int id, const std::string& lua) {
  client.send(Json{{"id", id}, {"lua", lua}}.dump() + "\n");
  const Json answer = client.answer();
  if (!answer.is_object() || answer["id"] != id || answer["ok"] != true) return "no: " + answer.dump();
  return answer["said"];
}

}  // namespace

TEST_CASE("remote: with the token requests are answered, in their order") {
  Echo echo;
  Client client = echo.friend_with_token();
  for (int i = 0; i < 50; ++i) CHECK(ask(client, i, fmt::format("line {}", i)) == fmt::format("line {}", i));
  client.send("{\"id\": \"a\", \"lua\": \"1\"}\r\n\n{\"id\": null, \"lua\": \"2\"}\n");
  CHECK(client.answer()["id"] == "a");
  CHECK(client.answer()["said"] == "2");
  // Whoever says no more still gets what it asked for.
  client.send("{\"id\": 7, \"lua\": \"last\"}\n");
  client.finish();
  CHECK(client.answer()["said"] == "last");
  CHECK(client.line().empty());
}

TEST_CASE("remote: without the token nothing is taken") {
  Echo echo;
  std::string nearly = echo.hello();
  nearly[nearly.size() - 4] = nearly[nearly.size() - 4] == '0' ? '1' : '0';
  for (const std::string& text :
       {std::string("{\"lua\": \"1\"}\n"), std::string("{\"token\": \"\"}\n"), std::string("{\"token\": 7}\n"),
        std::string("\n"), std::string("garbage\n"), nearly, std::string("\0\xff\n", 3)}) {
    Client client = echo.client();
    client.send(text);
    const Json answer = client.answer();
    CHECK(answer["ok"] == false);
    CHECK(client.line().empty());
  }
  CHECK(echo.listener->take().empty());
  struct stat facts {};
  REQUIRE(::stat(echo.listener->path().c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0077) == 0);
  CHECK(echo.listener->token().size() == 48);
}

TEST_CASE("remote: garbage of a friend is refused line by line, and the next request is answered") {
  Echo echo;
  Client client = echo.friend_with_token();
  for (const char* wrong : {"garbage", "[1]", "{\"id\": 1}", "{\"id\": [1], \"lua\": \"1\"}", "{\"id\": 1, \"lua\": 7}",
                            "{\"id\": 1, \"lua\": \"1\"", "{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":{\"f\":1}}}}}}"}) {
    CAPTURE(wrong);
    client.send(std::string(wrong) + "\n");
    CHECK(client.answer()["ok"] == false);
  }
  client.send(std::string(5000, '[') + "\n");
  CHECK(client.answer()["ok"] == false);
  CHECK(ask(client, 3, "still here") == "still here");
}

TEST_CASE("remote: lines without an end are cut off at their bound, however much comes") {
  Echo echo;
  Client friendly = echo.friend_with_token();
  Client stranger = echo.client(), loud = echo.friend_with_token();
  const std::string much(std::size_t{1} << 16, 'x');
  // A gigabyte, or as much of it as is taken.
  std::size_t sent = 0;
  while (sent < (std::size_t{1} << 30) && stranger.send(much)) sent += much.size();
  CHECK(sent < (std::size_t{16} << 20));
  for (sent = 0; sent < (std::size_t{1} << 30) && loud.send(much);) sent += much.size();
  CHECK(sent < (std::size_t{16} << 20));
  CHECK(ask(friendly, 1, "fine") == "fine");
}

TEST_CASE("remote: half lines, and answers that nobody reads, end in time") {
  Echo echo({.patience = std::chrono::milliseconds(300)});
  Client friendly = echo.friend_with_token();
  Client silent = echo.client(), half = echo.friend_with_token();
  half.send("{\"id\": 1, ");
  CHECK(silent.answer()["ok"] == false);
  CHECK(silent.line().empty());
  CHECK(half.answer()["ok"] == false);
  CHECK(half.line().empty());
  // Somebody who is quiet between requests stays.
  CHECK(ask(friendly, 1, "fine") == "fine");
  Client deaf = echo.friend_with_token();
  for (int i = 0; i < 8; ++i) deaf.send("{\"id\": 1, \"lua\": \"long\"}\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  CHECK_FALSE((deaf.send("{}\n") && deaf.send("{}\n")));
  CHECK(ask(friendly, 2, "fine") == "fine");
}

TEST_CASE("remote: so many clients and no more; who leaves makes room") {
  Echo echo({.clients = 3});
  {
    std::vector<Client> some;
    for (int i = 0; i < 3; ++i) some.push_back(echo.friend_with_token());
    // The fourth waits, and is no burden to the others.
    Client fourth = echo.client();
    fourth.send(echo.hello());
    for (Client& one : some) CHECK(ask(one, 1, "x") == "x");
    some.pop_back();
    CHECK(fourth.answer()["ok"] == true);
  }
  for (int i = 0; i < 300; ++i) echo.client().send("x");
  CHECK(ask(*std::make_unique<Client>(echo.friend_with_token()), 1, "x") == "x");
}

TEST_CASE("remote: requests wait where they are too many, and none is lost") {
  Echo echo({.waiting = 4});
  Client client = echo.friend_with_token();
  echo.silent = true;
  std::string all;
  for (int i = 0; i < 40; ++i) all += Json{{"id", i}, {"lua", "x"}}.dump() + "\n";
  client.send(all);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK(echo.listener->take().size() <= 4);
  // Those four were taken and are never answered; so it stays closed to more, and to nobody else.
  echo.silent = false;
  Client other = echo.friend_with_token();
  CHECK(ask(other, 1, "x") == "x");
}

TEST_CASE("remote: where there cannot be a socket, that is said") {
  const TempFolder folder;
  const auto error_of = [&](const std::string& path) {
    auto made = Listener::start(path, [] {});
    const auto* error = std::get_if<data::Error>(&made);
    return error == nullptr ? "" : error->text;
  };
  CHECK(error_of("").starts_with("cannot listen at "));
  CHECK(error_of(folder / std::string(200, 'x')).starts_with("cannot listen at "));
  CHECK(error_of(folder / "none/socket").starts_with("cannot listen at "));
  const std::string path = folder / "socket";
  CHECK(error_of(path).empty());
  CHECK_FALSE(std::filesystem::exists(path));
  auto first = Listener::start(path, [] {});
  CHECK(error_of(path).starts_with("cannot listen at "));
}

}  // namespace ts::test
