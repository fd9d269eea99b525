// Work that takes long and that nobody waits for: in a thread of its own, so that stepping and questions go on
// meanwhile. One job at a time; a new one takes the place of the one before.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace ts::ui {

class Beside {
 public:
  // `wake`: there is something to be delivered; called from the thread.
  explicit Beside(std::function<void()> wake);
  ~Beside();
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  // Given how far it is; false: it is to end.
  using GoOn = std::function<bool(std::uint64_t done)>;
  // Runs in the thread, and reaches for nothing of the window. What it gives back runs in the window's thread, unless
  // the job was cancelled or replaced before.
  using Reply = std::function<void()>;
  using Job = std::function<Reply(const GoOn&)>;

  // --- for the window's thread ---
  void start(Job job);
  void cancel();
  bool busy() const;
  bool has_reply() const;
  // True when there was one.
  bool deliver();
  void settle(std::chrono::milliseconds at_most);
  std::uint64_t done() const { return done_; }
  double seconds() const;

 private:
  void run();
  bool is_busy() const { return next_.has_value() || running_ == number_; }

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Job> next_;
  std::uint64_t number_ = 1, running_ = 0;  // of the job that is wanted, and of the one in the thread; 0: none
  Reply reply_;
  std::chrono::steady_clock::time_point since_;
  std::atomic<bool> cancelled_ = false;
  std::atomic<std::uint64_t> done_ = 0;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace ts::ui
