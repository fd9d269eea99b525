// What if: values changed by hand, and the runs that come of it.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/view/shown_lesson.h"
#include "app/window/desk/desk.h"
#include "core/debug/edits/fork.h"

namespace ts::ui {

bool Desk::may_change_values() {
  const Document* document = view_.document();
  if (view_.recording() == nullptr) {
    tell("nothing is open that could be changed", "open a program first");
    return false;
  }
  if (view_.broken() != nullptr) {
    tell("the file does not run as it is now", "mend it first: what is shown is its last run");
    return false;
  }
  if (view_.hidden_step()) {
    tell("the lesson asks what a step does", "answer first; then values can be changed");
    return false;
  }
  if (document->lesson == nullptr || document->lesson->edits) return true;
  tell("this lesson is about its values as they are",
       "lessons say whether values may be changed; programs always let you");
  return false;
}

void Desk::edit(const std::vector<std::string>& edits) {
  if (may_change_values()) run_fork({"", edits}, true);
}

void Desk::show_fork(const std::string& name) {
  if (name == view_.fork() || view_.document() == nullptr) return;
  if (name.empty()) {
    const auto left = std::make_shared<const Left>(Left{state_.opened.document, work_of(view_.standing())});
    driver_.cancel();
    return driver_.post("going back", [this, base = state_.opened.document->base, left](LiveSession& live) {
      show_run(live, base, left, "");
    });
  }
  const auto& forks = view_.standing().forks;
  const auto fork = std::ranges::find(forks, name, &KeptFork::name);
  if (fork == forks.end()) return tell(fmt::format("there is no fork {}", name), "its tab has its name", true);
  if (may_change_values()) run_fork(*fork, false);
}

void Desk::run_fork(KeptFork fork, bool is_new) {
  const auto shown = state_.opened.document;
  const auto base = shown->base != nullptr ? shown->base : shown;
  Left left{shown, work_of(view_.standing())};
  const auto& from = is_new ? shown : base;
  driver_.cancel();
  driver_.post(fmt::format("running {} with a change", shown->name),
               [this, fork = std::move(fork), is_new, shown, base, from, left = std::move(left),
                here = view_.moment().position](LiveSession& live) mutable {
                 const auto go_on = [this](std::uint64_t steps) {
                   driver_.progress(steps);
                   return driver_.go_on();
                 };
                 auto made = fork_by_text(from->recording, fork.edits, here, go_on);
                 if (const auto* no = std::get_if<Refusal>(&made))
                   return driver_.reply([this, no = *no] { tell(no.text, no.hint, true); });
                 if (!driver_.go_on())
                   return driver_.reply([this] { tell("running with the change was ended", "nothing was changed"); });
                 auto& forked = std::get<Forked>(made);
                 if (is_new) {
                   fork.edits = shown->edits;
                   fork.edits.insert(fork.edits.end(), forked.edits.begin(), forked.edits.end());
                   fork.name = fork_name(fork.edits, left.work.forks);
                   left.work.forks.push_back(fork);
                   left.work.moment = {forked.position, 0};
                 }
                 auto document = std::make_shared<Document>(*base);
                 document->recording = forked.recording;
                 document->file.reset();
                 document->base = base;
                 document->edits = fork.edits;
                 show_run(live, std::move(document), std::make_shared<const Left>(std::move(left)), fork.name);
               });
}

// In the session's thread: another run of what is open.
void Desk::show_run(LiveSession& live, std::shared_ptr<const Document> document,
                    const std::shared_ptr<const Left>& left, const std::string& fork) {
  auto lesson = std::move(live.lesson);
  live = {};
  live.lesson = std::move(lesson);
  const std::optional<Standing> standing = start_session(live, *document, left);
  auto questions = std::make_shared<Session>(document->recording);
  questions->set_findings(live.session->shared_findings());
  questions->index();
  questions->sources();
  driver_.reply([this, document, questions, standing, fork] {
    show(document, questions, standing.value_or(Standing{}), true);
    state_.opened.fork = fork;
    if (document->base != nullptr) other_side_.compare_fork(fork, document->base);
  });
}

void Desk::rename_fork(const std::string& name, const std::string& to) {
  const std::string called = clean_note_text(to);
  if (called.empty() || called == name) return;
  const auto& forks = view_.standing().forks;
  if (std::ranges::find(forks, called, &KeptFork::name) != forks.end())
    return tell(fmt::format("there is a fork {} already", called), "give it another name");
  if (view_.fork() == name) state_.opened.fork = called;
  change("renaming a fork", [name, called](Session& session) -> std::optional<Refusal> {
    const auto& all = session.forks();
    const auto found = std::ranges::find(all, name, &KeptFork::name);
    if (found == all.end()) return Refusal{fmt::format("there is no fork {}", name), ""};
    KeptFork renamed{called, found->edits};
    session.remove_fork(name);
    return session.keep_fork(std::move(renamed));
  });
}

void Desk::close_fork(const std::string& name) {
  if (name == view_.fork() && !name.empty()) show_fork("");
  change("closing a fork", [name](Session& session) -> std::optional<Refusal> {
    if (session.remove_fork(name)) return {};
    return Refusal{fmt::format("there is no fork {}", name), ""};
  });
}

}  // namespace ts::ui
