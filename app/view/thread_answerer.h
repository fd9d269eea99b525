// Answers questions about a recording in a thread of its own: for what is shown beside the open program.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "app/view/later.h"
#include "core/debug/session/session.h"

namespace ts::ui {

class ThreadAnswerer : public Answerer {
 public:
  explicit ThreadAnswerer(std::shared_ptr<const Recording> recording);
  ~ThreadAnswerer() override;
  ThreadAnswerer(const ThreadAnswerer&) = delete;
  ThreadAnswerer& operator=(const ThreadAnswerer&) = delete;

  std::shared_ptr<Ticket> ask(Question question) override;
  void drop(const std::shared_ptr<Ticket>& ticket) override;
  // In every frame: what was answered meanwhile can be seen from now on. Whether something is still being found out.
  bool deliver();

 private:
  struct Asked {
    std::shared_ptr<Ticket> ticket;
    Question question;
    std::any answer = {};
  };
  void run();
  bool is_dropped(const Ticket& ticket);

  Session session_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Asked> waiting_;
  std::deque<Asked> answered_;
  bool works_ = false, end_ = false;
  std::thread thread_;
};

}  // namespace ts::ui
