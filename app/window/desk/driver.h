// The thread that owns the session and the scripts. The window gives it jobs and questions; what they come to is
// brought back to the window's thread. So nothing that takes long stops a frame.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/view/debug_view.h"
#include "core/debug/session/session.h"
#include "scripting/console/console.h"
#include "scripting/objects/lesson/lesson_file.h"
#include "scripting/run/script.h"

namespace ts::ui {

// What the thread works on. The script and its console are made when somebody first needs them.
struct LiveSession {
  std::shared_ptr<Session> session = {};
  std::unique_ptr<scripting::Script> script = {};
  std::unique_ptr<scripting::Console> console = {};
  std::shared_ptr<scripting::LessonFile> lesson = {};
  // Nobody goes behind the start of this step: a lesson asks what it does.
  std::optional<std::uint32_t> hidden_step = {};
};

class Driver final : public Answerer {
 public:
  // `wake`: something is there to be delivered; called from the thread.
  explicit Driver(std::function<void()> wake);
  ~Driver() override;

  // --- for the window's thread ---
  using Job = std::function<void(LiveSession&)>;
  void post(std::string what, Job job);
  // Runs, in the window's thread, what jobs sent back. True when there was something.
  bool deliver();
  // Waits a moment for the jobs that are there: most of them take less than a frame.
  void settle(std::chrono::milliseconds at_most);
  // Ends the job that runs, and drops those that wait.
  void cancel();
  // A job that has been running for a while.
  std::optional<Busy> busy() const;
  // What the window shows from now on: questions are about that, and one that meets another session is not answered.
  void set_shown(std::shared_ptr<const Recording> recording) { shown_ = std::move(recording); }
  bool idle() const;
  // Nothing runs any more. What was asked for and not begun is never done.
  void end();
  bool has_replies() const;

  // --- for jobs ---
  void reply(std::function<void()> in_window);
  // Asked by jobs now and then: whether to go on.
  bool go_on() const { return !cancelled_; }
  void progress(std::uint64_t done) { done_ = done; }

  // --- Answerer ---
  std::shared_ptr<Ticket> ask(Question question) override;
  void drop(const std::shared_ptr<Ticket>& ticket) override;

 private:
  struct Waiting {
    std::string what;
    Job job;
    std::shared_ptr<Ticket> ticket = {};  // of a question
  };
  void run();
  void run_job(Waiting& waiting);

  std::function<void()> wake_;
  std::shared_ptr<const Recording> shown_;  // of the window's thread
  LiveSession live_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> jobs_;
  std::vector<std::function<void()>> replies_;
  std::optional<std::string> running_;
  std::shared_ptr<Ticket> answering_;
  std::chrono::steady_clock::time_point since_;
  std::atomic<bool> cancelled_ = false;
  std::atomic<std::uint64_t> done_ = 0;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace ts::ui
