// A local socket that takes requests: lines of JSON, from clients that have the token.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "app/remote/descriptor.h"
#include "core/data/error.h"

namespace ts::remote {

// What a client asks: a line of Lua.
struct Request {
  std::uint64_t client = 0;
  std::string id;  // as JSON: the answer has it too
  std::string lua;
};

struct Bounds {
  std::size_t clients = 8;
  std::size_t line_bytes = std::size_t{64} << 10;  // of a request
  std::size_t answer_bytes = std::size_t{4} << 20;
  std::size_t waiting = 32;  // requests of a client that have no answer yet
  // For the line with the token, for a line that has begun, for an answer to be read.
  std::chrono::milliseconds patience{10'000};
};

class Listener {
 public:
  // At `path`, which must not exist; `wake` is called, from a thread, when there is something to take.
  static std::variant<std::unique_ptr<Listener>, data::Error> start(const std::string& path, std::function<void()> wake,
                                                                    const Bounds& bounds = {});
  // The socket is gone afterwards.
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  const std::string& path() const { return path_; }
  const std::string& token() const { return token_; }

  // --- from any thread ---
  std::vector<Request> take();
  // `fields` are members of a JSON object, without its braces: "\"ok\":true". A client that went away is no error.
  void answer(const Request& request, const std::string& fields);

 private:
  using Clock = std::chrono::steady_clock;
  struct Client {
    std::uint64_t number = 0;
    Descriptor socket;
    std::string in = {}, out = {};
    bool known = false;     // it has given the token
    bool leaving = false;   // closed when what it is told has gone out
    bool finished = false;  // it says no more, and is closed when it was told everything
    std::size_t waiting = 0;
    Clock::time_point since;  // since when it has to do something; meaningless while it has not
  };

  Listener(std::string path, std::string token, Descriptor socket, Descriptor wakes, Descriptor woken,
           std::function<void()> wake, const Bounds& bounds);
  void run();
  bool look();
  void welcome();
  void read(Client& client);
  void read_lines(Client& client);
  void read_line(Client& client, const std::string& line);
  void greet(Client& client, const std::string& line);
  void tell(Client& client, const std::string& text);
  void dismiss(Client& client, const std::string& why);
  void write(Client& client);
  bool owes(const Client& client) const;

  const std::string path_, token_;
  const Bounds bounds_;
  Descriptor socket_, wakes_, woken_;  // a pipe ends the waiting
  std::function<void()> wake_;
  std::mutex mutex_;  // of all below
  std::vector<Client> clients_;
  std::deque<Request> requests_;
  std::uint64_t next_ = 1;
  bool end_ = false;
  std::thread thread_;
};

// Where the socket is put when nobody says it: below the user's own runtime folder, else in a fresh folder that only the
// user may enter. Empty: there is no such place.
std::string usual_socket_path();

}  // namespace ts::remote
