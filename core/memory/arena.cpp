// The background thread that touches the arena ahead of its use.
#include "core/memory/arena.h"

#include <algorithm>

namespace ts {
namespace {

// A short recording costs little memory and little of the system's time; a long one is soon far enough ahead of itself.
constexpr std::size_t kLeastAhead = std::size_t{4} << 20, kMostAhead = std::size_t{64} << 20;
constexpr std::size_t kSlice = std::size_t{2} << 20;
constexpr std::size_t kHostPage = 4096;

std::size_t ahead_of(std::size_t used) { return std::clamp(used / 4, kLeastAhead, kMostAhead); }

}  // namespace

Arena::Arena(std::size_t budget_bytes) : pages_(budget_bytes), limit_(budget_bytes) {
  wanted_ = std::min(ahead_of(0), pages_.size());
  wake_at_ = ahead_of(0) / 2;
  toucher_ = std::thread([this] { touch_loop(); });
}

Arena::~Arena() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  toucher_.join();
}

void Arena::wake() {
  const std::size_t ahead = ahead_of(used_);
  wake_at_ = used_ + ahead / 2;
  {
    std::lock_guard lock(mutex_);
    wanted_ = std::min(used_ + ahead, limit_);
  }
  changed_.notify_all();
}

void Arena::rewind(std::size_t used, std::size_t limit) {
  used_ = used;
  {
    std::lock_guard lock(mutex_);
    limit_ = std::max(limit, used);
    // The toucher may still be at work on a slice beyond; that costs memory until the next rewind, nothing else.
    touched_ = std::min(touched_.load(), limit_);
    pages_.release_from(limit_);
  }
  wake();
}

void Arena::settle() {
  std::unique_lock lock(mutex_);
  wanted_ = 0;
  changed_.wait(lock, [&] { return !touching_; });
  limit_ = used_;
  touched_ = std::min(touched_.load(), limit_);
  pages_.release_from(limit_);
}

void Arena::touch_ahead(std::size_t bytes) {
  std::unique_lock lock(mutex_);
  const std::size_t goal = std::min(used_ + bytes, pages_.size());
  wanted_ = std::max(wanted_.load(), goal);
  changed_.notify_all();
  changed_.wait(lock, [&] { return touched_.load() >= goal; });
}

void Arena::touch_loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stop_ || touched_.load() < wanted_.load(); });
    if (stop_) return;
    const std::size_t begin = touched_, end = std::min(begin + kSlice, wanted_.load());
    touching_ = true;
    lock.unlock();
    // An atomic add of zero maps the page and cannot lose a byte that the recorder writes at the same time.
    for (std::size_t at = begin; at < end; at += kHostPage)
      std::atomic_ref(*reinterpret_cast<std::uint8_t*>(pages_.data() + at)).fetch_add(0, std::memory_order_relaxed);
    lock.lock();
    touching_ = false;
    touched_ = end;
    changed_.notify_all();
  }
}

}  // namespace ts
