// What one instruction wrote: appended once per micro-operation as a pattern, expanded only when a step is recorded.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/memory/memory.h"

namespace ts {

// `count` runs of `size` bytes, their starts `stride` bytes apart.
struct WritePattern {
  Flat base = 0;
  std::uint32_t size = 0, stride = 0, count = 0;
  bool operator==(const WritePattern&) const = default;
};

class WriteLog {
 public:
  WriteLog() : entries_(1024) {}

  // Where the next entry goes. A machine keeps a copy in its own registers and gives it back with `finish`.
  struct Cursor {
    WritePattern *next, *end;
  };
  Cursor start() {
    used_ = 0;
    unspecified_.clear();
    return {entries_.data(), entries_.data() + entries_.size()};
  }
  Cursor grow() {
    used_ = entries_.size();
    entries_.resize(2 * used_);
    return {entries_.data() + used_, entries_.data() + entries_.size()};
  }
  // These instead of any.
  void assign(std::span<const WritePattern> writes) {
    if (entries_.size() < writes.size()) entries_.resize(writes.size());
    std::ranges::copy(writes, entries_.begin());
    used_ = writes.size();
    unspecified_.clear();
  }
  void finish(Cursor cursor) { used_ = count(cursor); }

  std::size_t count(Cursor cursor) const { return static_cast<std::size_t>(cursor.next - entries_.data()); }

  void unspecified(Flat base, std::uint32_t size) { unspecified_.push_back({base, size, size, 1}); }

  const WritePattern* begin() const { return entries_.data(); }
  const WritePattern* end() const { return entries_.data() + used_; }
  // Marked after the writes of the same instruction.
  const std::vector<WritePattern>& unspecified_ranges() const { return unspecified_; }

 private:
  std::vector<WritePattern> entries_;
  std::size_t used_ = 0;
  std::vector<WritePattern> unspecified_;
};

// The same bytes in fewer patterns, sorted by base: adjacent and evenly spaced runs are joined. `out` is overwritten.
void join(const WritePattern* begin, const WritePattern* end, std::vector<WritePattern>& out);

// Calls f(base, size) for every run of a pattern.
template <class F>
void for_runs(const WritePattern& pattern, F f) {
  for (std::uint32_t i = 0; i < pattern.count; ++i) f(pattern.base + i * pattern.stride, pattern.size);
}

}  // namespace ts
