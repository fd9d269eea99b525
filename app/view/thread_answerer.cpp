// One question after the other.
#include "app/view/thread_answerer.h"

#include <utility>

namespace ts::ui {

ThreadAnswerer::ThreadAnswerer(std::shared_ptr<const Recording> recording) : session_(std::move(recording)) {
  begin_opening();
  thread_ = std::thread([this] { run(); });
}

ThreadAnswerer::~ThreadAnswerer() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::shared_ptr<Answerer::Ticket> ThreadAnswerer::ask(Question question) {
  auto ticket = std::make_shared<Ticket>();
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({ticket, std::move(question)});
  }
  changed_.notify_all();
  return ticket;
}

void ThreadAnswerer::drop(const std::shared_ptr<Ticket>& ticket) {
  const std::lock_guard lock(mutex_);
  ticket->dropped = true;
}

bool ThreadAnswerer::deliver() {
  const std::lock_guard lock(mutex_);
  for (Asked& one : answered_) {
    if (one.ticket->dropped) continue;
    one.ticket->answer = std::move(one.answer);
    one.ticket->answered = true;
  }
  answered_.clear();
  return works_ || !waiting_.empty();
}

bool ThreadAnswerer::is_dropped(const Ticket& ticket) {
  const std::lock_guard lock(mutex_);
  return end_ || ticket.dropped;
}

void ThreadAnswerer::run() {
  for (;;) {
    Asked one;
    {
      std::unique_lock lock(mutex_);
      works_ = false;
      changed_.wait(lock, [&] { return end_ || !waiting_.empty(); });
      if (end_) return;
      one = std::move(waiting_.front());
      waiting_.pop_front();
      works_ = true;
    }
    if (is_dropped(*one.ticket)) continue;
    one.answer = one.question(session_, [&] { return !is_dropped(*one.ticket); });
    const std::lock_guard lock(mutex_);
    answered_.push_back(std::move(one));
  }
}

}  // namespace ts::ui
