// One thread, one job.
#include "app/window/desk/beside.h"

#include <utility>

namespace ts::ui {

using Clock = std::chrono::steady_clock;

Beside::Beside(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { run(); }) {}

Beside::~Beside() {
  {
    const std::lock_guard lock(mutex_);
    end_ = cancelled_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Beside::start(Job job) {
  {
    const std::lock_guard lock(mutex_);
    ++number_;
    next_ = std::move(job);
    reply_ = nullptr;
    cancelled_ = true;
    done_ = 0;
    since_ = Clock::now();
  }
  changed_.notify_all();
}

void Beside::cancel() {
  {
    const std::lock_guard lock(mutex_);
    ++number_;
    next_.reset();
    reply_ = nullptr;
    cancelled_ = true;
  }
  changed_.notify_all();
}

bool Beside::busy() const {
  const std::lock_guard lock(mutex_);
  return is_busy();
}

bool Beside::has_reply() const {
  const std::lock_guard lock(mutex_);
  return reply_ != nullptr;
}

bool Beside::deliver() {
  Reply reply;
  {
    const std::lock_guard lock(mutex_);
    reply = std::exchange(reply_, nullptr);
  }
  if (reply) reply();
  return reply != nullptr;
}

void Beside::settle(std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, at_most, [&] { return !is_busy(); });
}

double Beside::seconds() const {
  const std::lock_guard lock(mutex_);
  return std::chrono::duration<double>(Clock::now() - since_).count();
}

void Beside::run() {
  for (;;) {
    Job job;
    std::uint64_t number = 0;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return end_ || next_.has_value(); });
      if (end_) return;
      job = std::move(*std::exchange(next_, std::nullopt));
      number = running_ = number_;
      cancelled_ = false;
    }
    Reply reply = job([this](std::uint64_t done) {
      if (cancelled_) return false;
      done_ = done;
      return true;
    });
    {
      const std::lock_guard lock(mutex_);
      running_ = 0;
      if (number == number_) reply_ = std::move(reply);
    }
    changed_.notify_all();
    wake_();
  }
}

}  // namespace ts::ui
