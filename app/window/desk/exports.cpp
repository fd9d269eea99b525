// Files, written in the session's thread.
#include "app/window/desk/exports.h"

#include "core/debug/session/kept_work.h"
#include "core/report/html_report.h"
#include "core/report/trace_export.h"

namespace ts::ui {
namespace {

// `more` is said of it beside.
void write(Walk& walk, std::string what, const std::string& path, std::function<data::Error(Session&)> write,
           const std::string& more = "") {
  walk.driver().post(std::move(what), [&walk, path, more, write = std::move(write)](LiveSession& live) {
    if (live.session == nullptr) return;
    const data::Error error = write(*live.session);
    walk.driver().reply([&walk, path, more, error] {
      if (error.text.empty()) walk.tell(path + " is written", more);
      else walk.tell(error.text, error.hint, true);
    });
  });
}

}  // namespace

// Of a fork the run that it came from, with all its forks: they are changes to that one, and a fork with another number of the
// program can be saved in no other way.
void save_recording(Walk& walk, const std::string& path) {
  const Document* document = walk.view().document();
  if (document == nullptr) return;
  write(
      walk, "saving the recording", path,
      [path, texts = SourceTexts(document->path, walk.view().source_folders(), document->source_sums()),
       sums = document->source_sums(), base = document->base](Session& session) mutable {
        SaveOptions options;
        options.sources = sums;
        options.sources.merge(texts.sums(session.sources().files()));
        options.go_on = [&](std::uint32_t) { return !session.go_on || session.go_on(); };
        if (base == nullptr) return save_session(session, path, options);
        Session run(base->recording);
        return ts::save_recording(*base->recording, run.findings(), notes_of(work_of(session)), path, options);
      },
      document->base != nullptr ? "the run that the forks came from, with all of them" : "");
}

void export_trace(Walk& walk, const std::string& path) {
  write(walk, "writing the trace", path, [path](Session& session) {
    TraceOptions options;
    options.go_on = [&](std::uint32_t) { return !session.go_on || session.go_on(); };
    return ts::export_trace(session.recording(), session.findings(), session.bookmarks(), path, options);
  });
}

void export_page(Walk& walk, const Launch& launch, const std::string& path) {
  const DebugView& view = walk.view();
  HtmlReportRequest request{.step = view.shown_step(), .finding = view.finding(), .launch = reproducible(launch)};
  write(walk, "writing the page", path, [path, request](Session& session) mutable {
    const auto found = session.findings_of(request.step.value_or(session.count()));
    if (!request.finding && !found.empty())
      request.finding = static_cast<std::size_t>(found.data() - session.findings().data());
    if (request.finding) request.step = {};
    return write_html_report(session, request, path);
  });
}

}  // namespace ts::ui
