// Versions of pages that are kept elsewhere than in memory: what a timeline asks when somebody looks at them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ts {

// Asked by one thread at a time.
class PageSource {
 public:
  virtual ~PageSource() = default;
  // Where the versions of a page begin, ascending. Nothing: they cannot be read.
  virtual std::optional<std::vector<std::uint32_t>> positions(std::uint32_t page) = 0;
  // Puts version number `version`, from 0, into `bytes`, and its planes into `planes` unless it is whole.
  enum class Read : std::uint8_t { Whole, WithPlanes, Damaged };
  virtual Read read(std::uint32_t page, std::uint32_t version, std::span<std::byte> bytes,
                    std::span<std::byte> planes) = 0;
};

// A timeline's pages that are read when somebody looks.
struct PagesElsewhere {
  std::unique_ptr<PageSource> source = {};
  std::size_t cache_bytes = 0;          // of what was read, up to this much is kept
  std::size_t versions = 0, pages = 0;  // how many there are: versions, and pages that have any
};

}  // namespace ts
