// Where snapshots go: a range of host memory of the budget's size, filled from its start and touched ahead by a
// background thread, so that the recording path never waits for the system to hand out a page.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

#include "core/memory/host_pages.h"

namespace ts {

class Arena {
 public:
  explicit Arena(std::size_t budget_bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // The next `bytes` bytes, or null when the budget is used up. Valid until a rewind to before them.
  std::byte* take(std::size_t bytes) {
    if (bytes > pages_.size() - used_) return nullptr;
    std::byte* place = pages_.data() + used_;
    used_ += bytes;
    if (used_ >= wake_at_) wake();
    return place;
  }
  std::byte* at(std::size_t offset) const { return pages_.data() + offset; }
  std::size_t offset(const std::byte* place) const { return static_cast<std::size_t>(place - pages_.data()); }
  std::size_t used() const { return used_; }
  std::size_t budget() const { return pages_.size(); }

  // Everything from offset `used` on is free again. No more than `limit` bytes will be asked for from now on: memory
  // beyond goes back to the system.
  void rewind(std::size_t used, std::size_t limit);
  // Nothing more is expected: what was touched ahead goes back to the system. More may be taken all the same.
  void settle();

  // Blocks until `bytes` more are touched (or the budget's end): for benchmarks, which must not measure the system.
  void touch_ahead(std::size_t bytes);

 private:
  void wake();
  void touch_loop();

  HostPages pages_;
  std::size_t used_ = 0;
  std::size_t limit_;  // nothing is touched ahead beyond
  std::size_t wake_at_ = 0;
  std::atomic<std::size_t> touched_{0};
  std::atomic<std::size_t> wanted_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  bool touching_ = false;
  std::thread toucher_;
};

}  // namespace ts
