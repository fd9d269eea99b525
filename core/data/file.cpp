// Reading and replacing files through the system's own calls, whose errors say what was wrong.
#include "core/data/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/data/descriptor.h"

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
  ~File() {
    if (is_open()) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

const char* kind_of(mode_t mode) {
  return S_ISDIR(mode)                    ? "a folder"
         : S_ISFIFO(mode)                 ? "a pipe"
         : S_ISCHR(mode) || S_ISBLK(mode) ? "a device"
                                          : "not a file";
}

Error wrong_kind(const std::string& path, mode_t mode) {
  return {fmt::format("{}: it is {}, expected a file", path, kind_of(mode)), "only files are read and written"};
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

// The file that a path names in the end; a path of nothing names itself.
std::string without_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real ? std::string(real.get()) : path;
}

Error exists_error(const std::string& path) {
  return {fmt::format("{}: there is such a file already", path), "choose another name, or remove the file"};
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

bool same_file(int descriptor, const std::string& path) {
  struct stat opened, there;
  return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &there) == 0 && opened.st_dev == there.st_dev &&
         opened.st_ino == there.st_ino;
}

// Opens or makes the file and takes hold of it; -1: errno says why, EWOULDBLOCK where somebody else has it.
int open_held(const std::string& name) {
  for (;;) {
    const int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (descriptor < 0) return -1;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      ::close(descriptor);
      errno = EWOULDBLOCK;
      return -1;
    }
    // Whoever had it before may have moved it to its place by now.
    if (same_file(descriptor, name)) return descriptor;
    ::close(descriptor);
  }
}

}  // namespace

std::variant<std::vector<std::byte>, Error> read_file(const std::string& path, std::uint64_t most_bytes) {
  // Opening a pipe would wait for its other end.
  File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (!file.is_open() || ::fstat(file.descriptor(), &status) != 0) return system_error("cannot be read", path);
  if (!S_ISREG(status.st_mode)) return wrong_kind(path, status.st_mode);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > most_bytes)
    return Error{fmt::format("{}: it has {} bytes, expected {} at most", path, size, most_bytes), {}};
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
  FileWriter writer(path);
  for (const auto part : parts) writer.write(part);
  return writer.finish();
}

std::optional<Error> Room::too_large(const std::string& path, std::uint64_t bytes) const {
  if (bytes <= left) return {};
  return Error{fmt::format("{}: it has more than the {} bytes that may still be written", path, left), hint};
}

FileWriter::FileWriter(std::string path, WriteRules rules) : path_(std::move(path)), rules_(rules) {
  struct stat status;
  if (rules_.replace == Replace::No && ::lstat(path_.c_str(), &status) == 0) {
    error_ = exists_error(path_);
    return;
  }
  target_ = without_links(path_);
  // Replacing a device by a file would do harm.
  if (::stat(target_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    error_ = wrong_kind(path_, status.st_mode);
    return;
  }
  descriptor_ = open_beside(target_, beside_);
  if (descriptor_ < 0)
    error_ = system_error("cannot be written", path_, "is there such a folder, and may you write to it?");
}

FileWriter::~FileWriter() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(beside_.c_str());
}

void FileWriter::write(std::span<const std::byte> bytes) {
  if (!good()) return;
  bytes_ += bytes.size();
  if (rules_.room != nullptr)
    if (auto error = rules_.room->too_large(path_, bytes_)) {
      error_ = std::move(*error);
      return;
    }
  constexpr std::size_t kBuffer = std::size_t{1} << 18;
  if (buffer_.size() + bytes.size() <= kBuffer) {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    return;
  }
  flush();
  if (bytes.size() <= kBuffer) {
    buffer_.assign(bytes.begin(), bytes.end());
  } else if (good() && !write_fully(descriptor_, bytes)) {
    error_ = system_error("cannot be written", path_);
  }
}

void FileWriter::flush() {
  if (good() && rules_.go_on && !rules_.go_on())
    error_ = {fmt::format("{}: not written: it was called off", path_), {}};
  if (good() && !write_fully(descriptor_, buffer_)) error_ = system_error("cannot be written", path_);
  buffer_.clear();
}

// The file is whole: it takes its place.
void FileWriter::take_place() {
  if (rules_.replace == Replace::Yes) {
    if (::rename(beside_.c_str(), target_.c_str()) != 0) error_ = system_error("cannot be written", path_);
    return;
  }
  if (::renameat2(AT_FDCWD, beside_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) == 0) return;
  // Some file systems cannot do that, but know links.
  const bool placed = (errno == EINVAL || errno == ENOSYS) && ::link(beside_.c_str(), target_.c_str()) == 0;
  if (!placed) error_ = errno == EEXIST ? exists_error(path_) : system_error("cannot be written", path_);
  else ::unlink(beside_.c_str());
}

Error FileWriter::finish() {
  if (descriptor_ < 0) return error_;
  flush();
  if (::close(std::exchange(descriptor_, -1)) != 0 && good()) error_ = system_error("cannot be written", path_);
  if (good()) take_place();
  if (!good()) ::unlink(beside_.c_str());
  else if (rules_.room != nullptr) rules_.room->left -= bytes_;
  return error_;
}

std::variant<std::string, Error> new_file_below(const std::string& folder, const std::string& path,
                                                std::initializer_list<std::string_view> endings) {
  const auto refused = [&](std::string_view why) {
    return Error{fmt::format("{}: {}", path, why), "scripts write new files below the current folder, such as out.csv"};
  };
  if (path.empty()) return Error{"the name of the file is empty", "such as out.csv"};
  if (path.find('\0') != std::string::npos) return Error{"the name of the file holds a zero byte", {}};
  if (path.front() == '/') return refused("the path begins at the root");
  if (path.front() == '.' || path.find("/.") != std::string::npos)
    return refused("a part of the path begins with a dot");
  if (std::ranges::none_of(endings, [&](std::string_view ending) { return path.ends_with(ending); }))
    return Error{fmt::format("{}: wanted a name that ends in {}", path, fmt::join(endings, " or ")), {}};
  const std::string whole = folder + "/" + path, root = without_links(folder);
  const std::string inside = without_links(whole.substr(0, whole.find_last_of('/')));
  struct stat status;
  if (::stat(inside.c_str(), &status) != 0)
    return Error{fmt::format("{}: there is no such folder", path), "make it first"};
  if (inside != root && !inside.starts_with(root + "/"))
    return refused("a link in the path leads out of the current folder");
  if (::lstat(whole.c_str(), &status) == 0) return exists_error(path);
  return whole;
}

std::uint64_t bytes_on_disk(const std::string& path) {
  constexpr std::uint64_t kStatBlock = 512;  // whatever the disk's are
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_blocks) * kStatBlock : 0;
}

std::uint64_t size_of(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::optional<Error> unreadable(const std::string& path) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (!file.is_open() || ::fstat(file.descriptor(), &status) != 0) return system_error("cannot be read", path);
  if (!S_ISREG(status.st_mode)) return wrong_kind(path, status.st_mode);
  return {};
}

Replacement::~Replacement() {
  if (descriptor_ < 0) return;
  ::unlink(beside_.c_str());
  ::close(descriptor_);
}

Error Replacement::begin(const std::string& path) {
  path_ = path;
  target_ = without_links(path);
  struct stat status;
  if (::stat(target_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return wrong_kind(path, status.st_mode);
  const std::size_t name_at = target_.find_last_of('/') + 1;
  beside_ = target_.substr(0, name_at) + "." + target_.substr(name_at) + ".saving";
  descriptor_ = open_held(beside_);
  if (descriptor_ < 0 && errno == EWOULDBLOCK)
    return {fmt::format("{}: somebody else is saving to it", path), "wait until that has ended, or take another name"};
  if (descriptor_ < 0)
    return system_error("cannot be written", path, "is there such a folder, and may you write to it?");
  if (::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode) && ::ftruncate(descriptor_, 0) == 0) return {};
  return system_error("cannot be written", path);
}

Error Replacement::commit() {
  if (::fsync(descriptor_) != 0 || ::rename(beside_.c_str(), target_.c_str()) != 0)
    return system_error("cannot be written", path_);
  ::close(std::exchange(descriptor_, -1));
  // So that the new name, too, is on the disk.
  const std::string folder = target_.substr(0, target_.find_last_of('/') + 1);
  const File opened(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.is_open()) ::fsync(opened.descriptor());
  return {};
}

}  // namespace ts::data
