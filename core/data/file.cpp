// Reading and replacing files through the system's own calls, whose errors say what was wrong.
#include "core/data/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

namespace ts::data {
namespace {

// From errno, which therefore has to be asked first.
Error system_error(std::string_view what, const std::string& path, std::string hint = {}) {
  return {fmt::format("{}: {}: {}", path, what, std::generic_category().message(errno)), std::move(hint)};
}

// A descriptor that is closed when it goes out of scope.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  bool close() {  // false: what was written is not all there
    const int descriptor = std::exchange(descriptor_, -1);
    return descriptor < 0 || ::close(descriptor) == 0;
  }

 private:
  int descriptor_;
};

const char* kind_of(mode_t mode) {
  return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a pipe" : S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : "not a file";
}

Error wrong_kind(const std::string& path, mode_t mode) {
  return {fmt::format("{}: it is {}, expected a file", path, kind_of(mode)), "arrays are read from files and written to files only"};
}

// Bytes read, fewer than wanted when the file ends; negative: errno says why.
std::ptrdiff_t read_fully(int descriptor, std::span<std::byte> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    const ssize_t count = ::read(descriptor, to.data() + done, to.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return static_cast<std::ptrdiff_t>(done);
}

bool write_fully(int descriptor, std::span<const std::byte> from) {
  while (!from.empty()) {
    const ssize_t count = ::write(descriptor, from.data(), from.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    from = from.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

// The file that a path names in the end; a path of nothing names itself.
std::string without_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real ? std::string(real.get()) : path;
}

// A new file in the folder of `path`, with the rights that any new file gets there.
int open_beside(const std::string& path, std::string& name) {
  constexpr int kTries = 100;
  const std::string folder = path.substr(0, path.find_last_of('/') + 1);
  int descriptor = -1;
  for (int i = 0; i < kTries && descriptor < 0; ++i) {
    name = fmt::format("{}.tilescope-{}-{}.tmp", folder, ::getpid(), i);
    descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST) break;
  }
  return descriptor;
}

}  // namespace

std::variant<std::vector<std::byte>, Error> read_file(const std::string& path, std::uint64_t most_bytes) {
  // Opening a pipe would wait for its other end.
  File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (!file.is_open() || ::fstat(file.descriptor(), &status) != 0) return system_error("cannot be read", path);
  if (!S_ISREG(status.st_mode)) return wrong_kind(path, status.st_mode);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > most_bytes) return Error{fmt::format("{}: it has {} bytes, expected {} at most", path, size, most_bytes), {}};
  std::vector<std::byte> bytes(size);
  const std::ptrdiff_t count = read_fully(file.descriptor(), bytes);
  if (count < 0) return system_error("cannot be read", path);
  if (static_cast<std::uint64_t>(count) < size) {
    return Error{fmt::format("{}: it has {} bytes, expected {} as when it was opened", path, count, size),
                 "somebody else writes to it; try again"};
  }
  return bytes;
}

Error write_file(const std::string& path, std::initializer_list<std::span<const std::byte>> parts) {
  const std::string target = without_links(path);
  struct stat status;
  // Replacing a device by a file would do harm.
  if (::stat(target.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return wrong_kind(path, status.st_mode);
  std::string beside;
  File file(open_beside(target, beside));
  if (!file.is_open()) return system_error("cannot be written", path, "is there such a folder, and may you write to it?");
  bool good = true;
  for (const auto part : parts) good = good && write_fully(file.descriptor(), part);
  good = good && file.close() && ::rename(beside.c_str(), target.c_str()) == 0;
  if (good) return {};
  const Error error = system_error("cannot be written", path);
  ::unlink(beside.c_str());
  return error;
}

}  // namespace ts::data
