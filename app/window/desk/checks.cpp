// The job that looks for findings.
#include "app/window/desk/checks.h"

#include <algorithm>

namespace ts::ui {
namespace {

// A longer recording is looked through only when somebody asks: it may take minutes.
constexpr std::uint32_t kMostStepsUnasked = 100'000;

}  // namespace

void Checks::set(bool automatic, const CheckOptions& options) {
  const bool other_levels = !std::ranges::equal(state_.options.level, options.level);
  state_.automatic = automatic;
  state_.options = options;
  if (other_levels && state_.state != Checking::State::Waiting) check_now();
}

void Checks::begin() {
  beside_.cancel();
  state_.state = Checking::State::Waiting;
  if (view_.recording() == nullptr || !state_.automatic) return;
  if (view_.recording()->count() <= kMostStepsUnasked) check_now();
}

void Checks::cancel() {
  if (beside_.busy()) state_.state = Checking::State::Ended;
  beside_.cancel();
}

void Checks::check_now() {
  if (view_.recording() == nullptr) return;
  state_.state = Checking::State::Running;
  const auto recording = view_.document()->recording;
  beside_.start([this, recording, options = state_.options](const Beside::GoOn& go_on) -> Beside::Reply {
    auto report = std::make_shared<CheckReport>(
        check(*recording, options, [&go_on](std::uint32_t steps) { return go_on(steps); }));
    return [this, recording, report] { take(recording, std::move(*report)); };
  });
}

// The session's thread keeps the findings; the window sees them when it says so.
void Checks::take(const std::shared_ptr<const Recording>& recording, CheckReport report) {
  if (view_.recording() != recording.get() || !report.complete) return;
  state_.state = Checking::State::Done;
  auto findings = std::make_shared<const std::vector<Finding>>(std::move(report.findings));
  walk_.driver().post("taking in findings", [this, recording, findings](LiveSession& live) {
    if (live.session == nullptr || live.session->shared_recording() != recording) return;
    live.session->set_findings(findings);
    walk_.driver().reply([this, recording, findings] {
      if (view_.recording() == recording.get()) walk_.take_findings(findings);
    });
  });
}

void Checks::show_finding(std::size_t index) {
  const bool behind = !view_.prefers_next();
  walk_.driver().post("going there", [this, index, behind](LiveSession& live) {
    if (live.session == nullptr) return;
    if (const auto stop = live.session->show_finding(index, behind)) walk_.publish(live, *stop);
  });
}

}  // namespace ts::ui
