// Jobs, one after the other.
#include "app/window/desk/driver.h"

#include <algorithm>
#include <utility>

namespace ts::ui {

using Clock = std::chrono::steady_clock;

// A job is worth a word on the screen when it has been running for so long.
constexpr double kWorthTelling = 0.1;

Driver::Driver(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { run(); }) {}

Driver::~Driver() { end(); }

void Driver::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
    cancelled_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  thread_.join();
  live_ = {};
}

// --- the window's side ---

void Driver::post(std::string what, Job job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back({std::move(what), std::move(job)});
    // A question can wait: whoever asked sees that the answer is still to come.
    if (answering_) cancelled_ = true;
  }
  changed_.notify_all();
}

bool Driver::deliver() {
  std::vector<std::function<void()>> replies;
  {
    const std::lock_guard lock(mutex_);
    replies.swap(replies_);
  }
  for (const auto& reply : replies) reply();
  return !replies.empty();
}

void Driver::settle(std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, at_most, [&] { return jobs_.empty() && !running_; });
}

void Driver::cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  std::erase_if(jobs_, [](const Waiting& waiting) { return waiting.ticket == nullptr; });
}

std::optional<Busy> Driver::busy() const {
  const std::lock_guard lock(mutex_);
  if (!running_ || answering_) return {};
  const double seconds = std::chrono::duration<double>(Clock::now() - since_).count();
  if (seconds < kWorthTelling) return {};
  return Busy{.what = *running_, .done = done_, .seconds = seconds};
}

bool Driver::idle() const {
  const std::lock_guard lock(mutex_);
  return jobs_.empty() && !running_ && replies_.empty();
}

bool Driver::has_replies() const {
  const std::lock_guard lock(mutex_);
  return !replies_.empty();
}

std::shared_ptr<Answerer::Ticket> Driver::ask(Question question) {
  auto ticket = std::make_shared<Ticket>();
  const auto answer = [this, ticket, about = shown_, question = std::move(question)](LiveSession& live) {
    if (live.session == nullptr || live.session->shared_recording() != about) return;
    std::any found = question(*live.session, [this] { return go_on(); });
    // A question that was ended early has half an answer: it is asked again behind what was more urgent.
    if (!go_on()) return;
    reply([ticket, found = std::move(found)] {
      if (ticket->dropped) return;
      ticket->answer = found;
      ticket->answered = true;
    });
  };
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back({"looking", answer, ticket});
  }
  changed_.notify_all();
  return ticket;
}

void Driver::drop(const std::shared_ptr<Ticket>& ticket) {
  const std::lock_guard lock(mutex_);
  ticket->dropped = true;
  std::erase_if(jobs_, [&](const Waiting& waiting) { return waiting.ticket == ticket; });
  if (answering_ == ticket) cancelled_ = true;
}

// --- the thread's side ---

void Driver::reply(std::function<void()> in_window) {
  {
    const std::lock_guard lock(mutex_);
    replies_.push_back(std::move(in_window));
  }
  wake_();
}

void Driver::run() {
  for (;;) {
    Waiting waiting;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return end_ || !jobs_.empty(); });
      if (end_) break;
      // Commands before questions.
      auto next = std::ranges::find_if(jobs_, [](const Waiting& job) { return job.ticket == nullptr; });
      if (next == jobs_.end()) next = jobs_.begin();
      waiting = std::move(*next);
      jobs_.erase(next);
      running_ = waiting.what;
      answering_ = waiting.ticket;
      since_ = Clock::now();
      done_ = 0;
      cancelled_ = false;
    }
    run_job(waiting);
  }
  // Scripts end before the session that they work on.
  live_ = {};
}

void Driver::run_job(Waiting& waiting) {
  waiting.job(live_);
  {
    const std::lock_guard lock(mutex_);
    const bool interrupted = waiting.ticket != nullptr && cancelled_ && !waiting.ticket->dropped && !end_;
    if (interrupted) jobs_.push_back(std::move(waiting));
    running_.reset();
    answering_.reset();
  }
  changed_.notify_all();
  wake_();
}

}  // namespace ts::ui
