// Arrays, traces and pages of a run.
#include "app/cli/exports.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/terminal/terminal.h"
#include "app/cli/told.h"
#include "core/cases/array_type.h"
#include "core/check/check.h"
#include "core/debug/session/session.h"
#include "core/report/html_report.h"
#include "core/report/trace_export.h"

namespace ts {
namespace {

// NAME=VALUE, which has been checked.
GivenInput given(std::string_view text, GivenInput::Kind kind) {
  if (text.starts_with('%')) text.remove_prefix(1);
  const std::size_t equals = text.find('=');
  return {std::string(text.substr(0, equals)), kind, std::string(text.substr(equals + 1))};
}

RunOrigin launch_of(const RunArguments& arguments, const std::vector<InputSource>& inputs) {
  RunOrigin launch{.entry = arguments.entry, .seed = arguments.seed.value_or(1)};
  if (!arguments.files.empty()) launch.file = arguments.files.front();
  for (const std::string& text : arguments.in) launch.inputs.push_back(given(text, GivenInput::Kind::File));
  for (const std::string& text : arguments.set) launch.inputs.push_back(given(text, GivenInput::Kind::Number));
  for (const std::string& text : arguments.size) launch.inputs.push_back(given(text, GivenInput::Kind::Size));
  for (const std::string& text : arguments.arg) {
    GivenInput input = given(text, GivenInput::Kind::Size);
    if (const auto type = cases::parse_buffer_type(input.value))
      input.value = std::to_string(bytes_for(type->dtype, cases::count_of(type->shape)));
    launch.inputs.push_back(std::move(input));
  }
  launch.order = arguments.order == "usual" ? "" : arguments.order;
  launch.comm = arguments.comm == "alone" ? "" : arguments.comm;
  launch.private_slots = arguments.private_slots;
  for (const std::string& text : arguments.raw) launch.inputs.push_back(given(text, GivenInput::Kind::Raw));
  for (const std::string& text : arguments.make) launch.inputs.push_back(given(text, GivenInput::Kind::Made));
  for (const InputSource& input : inputs) launch.inputs.push_back({input.name, GivenInput::Kind::MadeUp, input.text});
  return launch;
}

data::Error write_trace(Session& session, const std::string& path) {
  TraceOptions options;
  options.go_on = [](std::uint32_t) { return !interrupted(); };
  const std::uint32_t count = session.count(), steps = trace_length(count, options);
  if (steps < count)
    fmt::print(stderr, "note: {} has the first {} of {} steps; viewers take no more\n", path, steps, count);
  return export_trace(session.recording(), session.findings(), session.bookmarks(), path, options);
}

// What `tilescope check --run` and the window find too, in their order: a run by itself only tells what stops it.
void find_all(Session& session) {
  const Watch watch(fmt::format("checking {}", session.recording().program().name));
  CheckReport report = check(session.recording(), {}, watch.question());
  session.set_findings(std::make_shared<const std::vector<Finding>>(std::move(report.findings)));
}

data::Error write_page(Session& session, const RunArguments& arguments, const std::vector<InputSource>& inputs,
                       const ReportOptions& show) {
  HtmlReportRequest request{.launch = launch_of(arguments, inputs)};
  if (arguments.finding >= 0) {
    find_all(session);
    request.finding = static_cast<std::size_t>(arguments.finding);
  } else if (show.step >= 0) {
    request.step = static_cast<std::uint32_t>(show.step);
    request.tile = show.tile;
    request.row = show.row;
    request.col = show.col;
  } else if (!session.findings().empty()) {
    request.finding = 0;
  } else if (session.count() > 0) {
    request.step = session.count() - 1;
  }
  return write_html_report(session, request, arguments.html);
}

}  // namespace

int write_exports(const std::shared_ptr<const Recording>& recording, const std::vector<InputSource>& inputs,
                  const Request& request, const RunArguments& arguments, const ReportOptions& show) {
  const Region region = arguments.whole ? Region::All : Region::Valid;
  data::WriteRules rules;
  rules.go_on = [] { return !interrupted(); };
  for (const auto& [name, path] : request.outputs) {
    const data::Error error = write_output(*recording, name, path, region, {.hex = arguments.hex}, rules);
    if (!error.text.empty()) return fail(error.text, error.hint);
  }
  Session session(recording);
  if (!arguments.trace_json.empty()) {
    const data::Error error = write_trace(session, arguments.trace_json);
    if (!error.text.empty()) return fail(error.text, error.hint);
  }
  if (!arguments.html.empty()) {
    const data::Error error = write_page(session, arguments, inputs, show);
    if (!error.text.empty()) return fail(error.text, error.hint);
  }
  return kOk;
}

}  // namespace ts
