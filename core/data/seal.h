// Sums over a file, kept behind its end: what reads it finds out whether it reads what was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data/error.h"

namespace ts::data {

// Puts sums behind the end of a file, in place of old ones. Empty text: it worked.
Error seal(const std::string& path);

class Seal {
 public:
  static constexpr std::size_t kBlock = 4096;
  // Reads exactly these bytes of the file, from an offset on; false: it cannot.
  using ReadAt = std::function<bool(std::uint64_t, std::span<std::byte>)>;

  // Of a file of so many bytes, its seal included. Nothing: it has none, or one that is itself damaged.
  static std::optional<Seal> of(std::uint64_t file_bytes, const ReadAt& read);

  // Without the seal.
  std::uint64_t bytes() const { return bytes_; }
  // Whether the blocks from a multiple of kBlock on, of which the file's last one may be short, are as they were.
  bool holds(std::uint64_t offset, std::span<const std::byte> blocks) const;

 private:
  std::uint64_t bytes_ = 0;
  std::vector<std::uint64_t> sums_;
};

}  // namespace ts::data
