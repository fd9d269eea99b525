// Pages whose contents are made when somebody looks at them: of a huge input a program may read a corner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace ts {

// Writes what stands from byte `first` of an input on. Asked by several threads at once.
using LateBytes = std::function<void(std::uint64_t first, std::span<std::byte> out)>;

// Which pages begin so. Every byte of them counts as written.
class LatePages {
 public:
  // The pages from `begin` up to `end`, behind those that are there already, hold the input from its byte `first` on.
  void add(std::uint32_t begin, std::uint32_t end, std::uint64_t first, LateBytes bytes) {
    runs_.push_back({begin, end, first, std::move(bytes)});
  }
  bool empty() const { return runs_.empty(); }
  bool holds(std::uint32_t page) const { return run_of(page) != nullptr; }
  // Of a page that is held; `out` is as long as a page.
  void make(std::uint32_t page, std::span<std::byte> out) const;

  struct Run {
    std::uint32_t begin, end;
    std::uint64_t first;
    LateBytes bytes;
  };
  std::span<const Run> runs() const { return runs_; }

 private:
  const Run* run_of(std::uint32_t page) const;

  std::vector<Run> runs_;
};

}  // namespace ts
