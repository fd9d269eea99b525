// A seal: a sum for each block of the file, then the end: a sum of those, the file's bytes, and a word to know it by.
#include "core/data/seal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "core/data/descriptor.h"

namespace ts::data {
namespace {

static_assert(std::endian::native == std::endian::little);  // sums stand in the file as in memory

constexpr char kWord[8] = {'P', 'T', 'O', 'S', 'E', 'A', 'L', '1'};

struct SealEnd {
  std::uint64_t sum, bytes;
  char word[sizeof kWord];
};

std::uint64_t sum_of(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::uint64_t blocks_in(std::uint64_t bytes) { return (bytes + Seal::kBlock - 1) / Seal::kBlock; }

// The sums' own sum also says of how many bytes they are.
std::uint64_t sum_of_sums(std::span<const std::uint64_t> sums, std::uint64_t bytes) {
  return XXH3_64bits_withSeed(sums.data(), sums.size_bytes(), bytes);
}

bool read_at(int descriptor, std::uint64_t offset, std::span<std::byte> to) {
  while (!to.empty()) {
    const ssize_t count = ::pread(descriptor, to.data(), to.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    offset += static_cast<std::uint64_t>(count);
    to = to.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

// False: errno says why not.
bool seal_open_file(int descriptor) {
  struct stat status;
  if (::fstat(descriptor, &status) != 0) return false;
  auto bytes = static_cast<std::uint64_t>(status.st_size);
  const auto read = [&](std::uint64_t offset, std::span<std::byte> to) { return read_at(descriptor, offset, to); };
  if (const auto old = Seal::of(bytes, read)) bytes = old->bytes();
  std::vector<std::uint64_t> sums;
  sums.reserve(blocks_in(bytes));
  std::vector<std::byte> block(Seal::kBlock);
  for (std::uint64_t at = 0; at < bytes; at += block.size()) {
    block.resize(std::min<std::uint64_t>(Seal::kBlock, bytes - at));
    if (!read(at, block)) return false;
    sums.push_back(sum_of(block));
  }
  SealEnd end{.sum = sum_of_sums(sums, bytes), .bytes = bytes, .word = {}};
  std::memcpy(end.word, kWord, sizeof kWord);
  return ::ftruncate(descriptor, static_cast<off_t>(bytes)) == 0 &&
         ::lseek(descriptor, static_cast<off_t>(bytes), SEEK_SET) >= 0 &&
         write_fully(descriptor, std::as_bytes(std::span(sums))) &&
         write_fully(descriptor, std::as_bytes(std::span(&end, 1)));
}

}  // namespace

Error seal(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  const bool good = descriptor >= 0 && seal_open_file(descriptor);
  const int why = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (good) return {};
  return {fmt::format("{}: cannot be written: {}", path, std::generic_category().message(why)),
          "is there room on the disk?"};
}

std::optional<Seal> Seal::of(std::uint64_t file_bytes, const ReadAt& read) {
  SealEnd end{};
  if (file_bytes < sizeof end || !read(file_bytes - sizeof end, std::as_writable_bytes(std::span(&end, 1)))) return {};
  if (std::memcmp(end.word, kWord, sizeof kWord) != 0 || end.bytes > file_bytes) return {};
  const std::uint64_t blocks = blocks_in(end.bytes);
  if (end.bytes + blocks * sizeof(std::uint64_t) + sizeof end != file_bytes) return {};
  Seal found;
  found.bytes_ = end.bytes;
  found.sums_.resize(blocks);
  if (!read(end.bytes, std::as_writable_bytes(std::span(found.sums_)))) return {};
  if (sum_of_sums(found.sums_, end.bytes) != end.sum) return {};
  return found;
}

bool Seal::holds(std::uint64_t offset, std::span<const std::byte> blocks) const {
  for (std::uint64_t at = offset / kBlock; !blocks.empty(); ++at) {
    const std::size_t size = std::min(kBlock, blocks.size());
    if (at >= sums_.size() || sum_of(blocks.first(size)) != sums_[at]) return false;
    blocks = blocks.subspan(size);
  }
  return true;
}

}  // namespace ts::data
