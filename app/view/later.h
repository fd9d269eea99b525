// Answers that may take longer than a frame: asked beside the window, null until they are there.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace ts {
class Session;
}

namespace ts::ui {

// Where questions are answered. One at a time, in their order, each with a session that stands still.
class Answerer {
 public:
  virtual ~Answerer() = default;
  // `made` gets the answer, in the window's thread, unless the question was dropped before: then `go_on` says false.
  using Question = std::function<std::any(Session& session, const std::function<bool()>& go_on)>;
  struct Ticket {
    bool dropped = false;  // guarded by the answerer
    bool answered = false;
    std::any answer = {};
  };
  virtual std::shared_ptr<Ticket> ask(Question question) = 0;
  virtual void drop(const std::shared_ptr<Ticket>& ticket) = 0;

  // How often something else was opened: answers about what was open before are worth nothing.
  std::uint64_t opening() const { return opening_; }
  void begin_opening() { ++opening_; }

 private:
  std::uint64_t opening_ = 0;
};

// The answer to the newest question of one kind. A pane holds it as a member.
template <class T>
class Later {
 public:
  // The answer for `key`, or null while it is being found. `find(session, go_on)` gives a T; it may run in another
  // thread, and so holds on to nothing of the pane or the view. A new key drops the question before.
  template <class Find>
  const T* get(Answerer& answerer, const std::string& key, Find find) {
    if (!ticket_ || key != key_ || opening_ != answerer.opening()) {
      if (ticket_) answerer.drop(ticket_);
      key_ = key;
      opening_ = answerer.opening();
      ticket_ = answerer.ask([find](Session& session, const std::function<bool()>& go_on) {
        return std::any(std::make_shared<const T>(find(session, go_on)));
      });
    }
    if (!ticket_->answered) return nullptr;
    const auto* answer = std::any_cast<std::shared_ptr<const T>>(&ticket_->answer);
    return answer != nullptr ? answer->get() : nullptr;
  }

 private:
  std::string key_;
  std::uint64_t opening_ = 0;
  std::shared_ptr<Answerer::Ticket> ticket_;
};

}  // namespace ts::ui
