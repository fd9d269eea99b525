// Waiting for clients, and for what they say.
#include "app/remote/listener.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace ts::remote {
namespace {

using nlohmann::json;

constexpr std::size_t kTokenBytes = 24, kMostIdBytes = 200, kLongestGreeting = 1000;

constexpr const char* kFolder = "/tmp/tilescope-";

std::string new_token() {
  std::array<unsigned char, kTokenBytes> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return "";
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

// Takes as long for one that is nearly right as for any other.
bool same_token(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;
  unsigned char differs = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differs |= static_cast<unsigned char>(a[i] ^ b[i]);
  return differs == 0;
}

// An object; nothing: it is none. Depth is bounded, because parsing goes into it.
std::optional<json> parsed(const std::string& line) {
  constexpr int kDeepest = 4;
  bool too_deep = false;
  json object = json::parse(
      line,
      [&](int depth, json::parse_event_t, json&) {
        too_deep = too_deep || depth > kDeepest;
        return !too_deep;
      },
      false);
  if (too_deep || object.is_discarded() || !object.is_object()) return {};
  return object;
}

std::string error_fields(const std::string& text) {
  return fmt::format("\"ok\":false,\"error\":{}", json(text).dump(-1, ' ', false, json::error_handler_t::replace));
}

bool is_own_user(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

data::Error cannot(const std::string& path) {
  return {fmt::format("cannot listen at {}: {}", path, std::strerror(errno)),
          "--listen takes a path of at most 100 letters that is not there yet, in a folder of your own"};
}

}  // namespace

std::variant<std::unique_ptr<Listener>, data::Error> Listener::start(const std::string& path,
                                                                     std::function<void()> wake, const Bounds& bounds) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path || path.find('\0') != std::string::npos) {
    errno = ENAMETOOLONG;
    return cannot(path);
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  int ends[2] = {-1, -1};
  if (socket.get() < 0 || ::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return cannot(path);
  Descriptor woken(ends[0]), wakes(ends[1]);
  const std::string token = new_token();
  if (token.empty()) return cannot(path);
  // Nobody else may connect, not even between the two calls.
  const mode_t before = ::umask(0077);
  const bool bound = ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::umask(before);
  if (!bound) return cannot(path);
  if (::listen(socket.get(), static_cast<int>(bounds.clients)) != 0) {
    const data::Error error = cannot(path);
    ::unlink(path.c_str());
    return error;
  }
  return std::unique_ptr<Listener>(
      new Listener(path, token, std::move(socket), std::move(wakes), std::move(woken), std::move(wake), bounds));
}

Listener::Listener(std::string path, std::string token, Descriptor socket, Descriptor wakes, Descriptor woken,
                   std::function<void()> wake, const Bounds& bounds)
    : path_(std::move(path)),
      token_(std::move(token)),
      bounds_(bounds),
      socket_(std::move(socket)),
      wakes_(std::move(wakes)),
      woken_(std::move(woken)),
      wake_(std::move(wake)),
      thread_([this] { run(); }) {}

Listener::~Listener() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  [[maybe_unused]] const auto written = ::write(wakes_.get(), "", 1);
  thread_.join();
  ::unlink(path_.c_str());
  // A folder of `usual_socket_path`, where it is empty now.
  if (path_.starts_with(kFolder)) ::rmdir(path_.substr(0, path_.rfind('/')).c_str());
}

// --- for the others -----------------------------------------------------------------------------------------------------

std::vector<Request> Listener::take() {
  const std::lock_guard lock(mutex_);
  std::vector<Request> taken(std::make_move_iterator(requests_.begin()), std::make_move_iterator(requests_.end()));
  requests_.clear();
  return taken;
}

void Listener::answer(const Request& request, const std::string& fields) {
  {
    const std::lock_guard lock(mutex_);
    const auto client = std::ranges::find(clients_, request.client, &Client::number);
    if (client == clients_.end()) return;
    if (client->waiting > 0) --client->waiting;
    const bool fits = fields.size() + client->out.size() <= bounds_.answer_bytes;
    tell(*client, fmt::format("{{\"id\":{},{}}}", request.id,
                              fits ? fields : error_fields("the answer is too long: ask for a part of it")));
  }
  [[maybe_unused]] const auto written = ::write(wakes_.get(), "", 1);
}

// --- the thread ---------------------------------------------------------------------------------------------------------

void Listener::run() {
  while (look()) {
  }
}

// Whether the client has to do something soon.
bool Listener::owes(const Client& client) const {
  return !client.known || !client.in.empty() || !client.out.empty() || client.leaving;
}

// Waits for something to happen, and does what follows from it. False: it is over.
bool Listener::look() {
  std::vector<pollfd> watched;
  int most_ms = -1;
  {
    const std::lock_guard lock(mutex_);
    if (end_) return false;
    watched.push_back({woken_.get(), POLLIN, 0});
    // Those that are too many wait in the system's queue until somebody leaves.
    watched.push_back({clients_.size() < bounds_.clients ? socket_.get() : -1, POLLIN, 0});
    for (const Client& client : clients_) {
      const bool reads = !client.leaving && !client.finished && client.waiting < bounds_.waiting;
      watched.push_back(
          {client.socket.get(), static_cast<short>((reads ? POLLIN : 0) | (client.out.empty() ? 0 : POLLOUT)), 0});
      if (owes(client)) most_ms = 200;
    }
  }
  if (::poll(watched.data(), watched.size(), most_ms) < 0 && errno != EINTR) return false;
  const std::lock_guard lock(mutex_);
  std::array<char, 256> dropped{};
  while (::read(woken_.get(), dropped.data(), dropped.size()) > 0) {
  }
  if (end_) return false;
  const std::size_t known = watched.size() - 2;
  for (std::size_t i = 0; i < known; ++i) {
    Client& client = clients_[i];
    const short happened = watched[i + 2].revents;
    if ((happened & POLLIN) != 0) read(client);
    if ((happened & (POLLERR | POLLNVAL | POLLHUP)) != 0) client.socket = Descriptor();
  }
  for (Client& client : clients_) {
    // What came while too many of its requests waited.
    if (client.waiting < bounds_.waiting && !client.in.empty()) read_lines(client);
    if (client.socket.get() >= 0 && !client.out.empty()) write(client);
    if (!owes(client)) client.since = Clock::now();
    if (owes(client) && Clock::now() - client.since > bounds_.patience) {
      // Whoever does not read is not told.
      if (client.leaving || !client.out.empty()) client.socket = Descriptor();
      else if (client.waiting < bounds_.waiting) dismiss(client, "the line did not come to its end in time");
    }
    const bool done = client.leaving || (client.finished && client.waiting == 0);
    if (done && client.out.empty()) client.socket = Descriptor();
  }
  std::erase_if(clients_, [](const Client& client) { return client.socket.get() < 0; });
  if ((watched[1].revents & POLLIN) != 0) welcome();
  return true;
}

void Listener::welcome() {
  Descriptor socket(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (socket.get() < 0 || !is_own_user(socket.get())) return;
  Client client;
  client.number = next_++;
  client.socket = std::move(socket);
  client.since = Clock::now();
  clients_.push_back(std::move(client));
}

void Listener::read(Client& client) {
  std::array<char, 16384> part;
  const std::size_t most = client.known ? bounds_.line_bytes : std::min(bounds_.line_bytes, kLongestGreeting);
  const ssize_t count = ::read(client.socket.get(), part.data(), part.size());
  if (count < 0 && errno != EAGAIN && errno != EINTR) client.socket = Descriptor();
  if (count == 0) {
    client.finished = true;
    client.in.clear();
  }
  if (count <= 0) return;
  if (client.in.empty()) client.since = Clock::now();
  client.in.append(part.data(), static_cast<std::size_t>(count));
  read_lines(client);
  if (!client.leaving && client.in.size() > most + part.size() && client.in.find('\n') == std::string::npos)
    dismiss(client, fmt::format("a line has at most {} bytes", most));
}

void Listener::read_lines(Client& client) {
  while (!client.leaving && client.waiting < bounds_.waiting) {
    const std::size_t end = client.in.find('\n');
    const std::size_t most = client.known ? bounds_.line_bytes : std::min(bounds_.line_bytes, kLongestGreeting);
    if (std::min(end, client.in.size()) > most)
      return dismiss(client, fmt::format("a line has at most {} bytes", most));
    if (end == std::string::npos) return;
    std::string line = client.in.substr(0, end);
    client.in.erase(0, end + 1);
    client.since = Clock::now();
    if (line.ends_with('\r')) line.pop_back();
    if (client.known) read_line(client, line);
    else greet(client, line);
  }
}

void Listener::greet(Client& client, const std::string& line) {
  const auto object = parsed(line);
  const bool right = object && object->contains("token") && (*object)["token"].is_string() &&
                     same_token((*object)["token"].get<std::string>(), token_);
  if (!right) return dismiss(client, "the first line is {\"token\": \"...\"}, with the token that the window printed");
  client.known = true;
  tell(client, "{\"ok\":true,\"program\":\"TileScope\",\"api\":1}");
}

void Listener::read_line(Client& client, const std::string& line) {
  if (line.empty()) return;
  const auto object = parsed(line);
  if (!object)
    return tell(client, fmt::format("{{\"id\":null,{}}}", error_fields("a request is one line with a JSON object")));
  const json id = object->value("id", json());
  const std::string id_text = id.dump(-1, ' ', false, json::error_handler_t::replace);
  if (id.is_structured() || id_text.size() > kMostIdBytes)
    return tell(client, fmt::format("{{\"id\":null,{}}}", error_fields("an id is a number or a short text")));
  const auto lua = object->find("lua");
  if (lua == object->end() || !lua->is_string())
    return tell(client, fmt::format("{{\"id\":{},{}}}", id_text,
                                    error_fields("there is no lua: {\"id\": 1, \"lua\": \"return rec.pos\"}")));
  ++client.waiting;
  requests_.push_back({client.number, id_text, lua->get<std::string>()});
  wake_();
}

void Listener::tell(Client& client, const std::string& text) {
  if (client.out.empty()) client.since = Clock::now();
  client.out += text + "\n";
}

void Listener::dismiss(Client& client, const std::string& why) {
  client.in.clear();
  tell(client, "{" + error_fields(why) + "}");
  client.leaving = true;
}

void Listener::write(Client& client) {
  const ssize_t count = ::send(client.socket.get(), client.out.data(), client.out.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (count < 0 && errno != EAGAIN && errno != EINTR) {
    client.socket = Descriptor();
  } else if (count > 0) {
    client.out.erase(0, static_cast<std::size_t>(count));
    client.since = Clock::now();
  }
}

std::string usual_socket_path() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && *runtime == '/') return fmt::format("{}/tilescope-{}.sock", runtime, ::getpid());
  std::string folder = std::string(kFolder) + "XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) return "";
  return folder + "/socket";
}

}  // namespace ts::remote
