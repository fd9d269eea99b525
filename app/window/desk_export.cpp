// What goes from the window into files: the recording, a page about the step that is shown, the steps as a trace.
#include <fmt/format.h>

#include "app/window/desk.h"
#include "core/debug/session/kept_work.h"
#include "core/report/html_report.h"
#include "core/report/trace_export.h"

namespace ts::ui {
void Desk::write(std::string what, const std::string& path, std::function<data::Error(Session&)> write) {
  driver_.post(std::move(what), [this, path, write = std::move(write)](Bench& bench) {
    if (bench.session == nullptr) return;
    const data::Error error = write(*bench.session);
    driver_.reply([this, path, error] {
      if (error.text.empty())
        tell(path + " is written");
      else
        tell(error.text, error.hint, true);
    });
  });
}

void Desk::save_recording(const std::string& path) {
  write("saving the recording", path, [path](Session& session) {
    SaveOptions options;
    options.go_on = [&](std::uint32_t) { return !session.go_on || session.go_on(); };
    return save_session(session, path, options);
  });
}

void Desk::export_trace(const std::string& path) {
  write("writing the trace", path, [path](Session& session) {
    TraceOptions options;
    options.go_on = [&](std::uint32_t) { return !session.go_on || session.go_on(); };
    return ts::export_trace(session.recording(), session.findings(), session.bookmarks(), path, options);
  });
}

// About the finding that is shown, or else the first of the step that is shown, or else that step.
void Desk::export_page(const std::string& path) {
  HtmlReportRequest request{.step = view_.shown_step(), .finding = view_.finding(), .launch = reproducible(launch_)};
  write("writing the page", path, [path, request](Session& session) mutable {
    const auto found = session.findings_of(request.step.value_or(session.count()));
    if (!request.finding && !found.empty())
      request.finding = static_cast<std::size_t>(found.data() - session.findings().data());
    if (request.finding) request.step = {};
    return write_html_report(session, request, path);
  });
}

}  // namespace ts::ui
