// Looking for findings beside the window, and going to them.
#include <fmt/format.h>

#include <algorithm>

#include "app/window/desk.h"

namespace ts::ui {
namespace {

// A longer recording is looked through only when somebody asks: it may take minutes.
constexpr std::uint32_t kMostStepsUnasked = 100'000;
// Jobs are worth a word on the screen when they have been running for so long.
constexpr double kWorthTelling = 0.3;

}  // namespace

void Desk::set_checking(bool automatic, const CheckOptions& options) {
  const bool other_levels = !std::ranges::equal(view_.checking_.options.level, options.level);
  view_.checking_.automatic = automatic;
  view_.checking_.options = options;
  if (other_levels && view_.checking_.state != Checking::State::Waiting) check_now();
}

void Desk::begin_checking() {
  checker_.cancel();
  view_.checking_.state = Checking::State::Waiting;
  if (view_.recording() == nullptr || !view_.checking_.automatic) return;
  if (view_.recording()->count() <= kMostStepsUnasked) check_now();
}

void Desk::check_now() {
  if (view_.recording() == nullptr) return;
  view_.checking_.state = Checking::State::Running;
  const auto recording = view_.document()->recording;
  checker_.start([this, recording, options = view_.checking_.options](const Beside::GoOn& go_on) -> Beside::Reply {
    auto report = std::make_shared<CheckReport>(
        check(*recording, options, [&go_on](std::uint32_t steps) { return go_on(steps); }));
    return [this, recording, report] { take_checked(recording, std::move(*report)); };
  });
}

// The session's thread keeps the findings; the window sees them when it says so.
void Desk::take_checked(const std::shared_ptr<const Recording>& recording, CheckReport report) {
  if (view_.recording() != recording.get() || !report.complete) return;
  view_.checking_.state = Checking::State::Done;
  auto findings = std::make_shared<const std::vector<Finding>>(std::move(report.findings));
  driver_.post("taking in findings", [this, recording, findings](Bench& bench) {
    if (bench.session == nullptr || bench.session->shared_recording() != recording) return;
    bench.session->set_findings(findings);
    driver_.reply([this, recording, findings] {
      if (view_.recording() == recording.get()) view_.take_findings(findings);
    });
  });
}

std::optional<Busy> Desk::busy_beside() const {
  const std::uint64_t steps = view_.recording() != nullptr ? view_.recording()->count() : 0;
  if (comparer_.busy() && comparer_.seconds() > kWorthTelling)
    return Busy{"comparing with " + view_.comparing_with_, comparer_.done(), steps, comparer_.seconds()};
  if (checker_.busy() && checker_.seconds() > kWorthTelling)
    return Busy{"looking for findings", checker_.done(), steps, checker_.seconds()};
  return {};
}

void Desk::show_finding(std::size_t index) {
  const bool behind = !view_.show_next_;
  driver_.post("going there", [this, index, behind](Bench& bench) {
    if (bench.session == nullptr) return;
    if (const auto stop = bench.session->show_finding(index, behind)) publish(bench, *stop);
  });
}

}  // namespace ts::ui
