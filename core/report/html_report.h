// One step, or one finding, as a page that stands on its own: a file that needs no network, no script and no TileScope.
#pragma once

#include <string>
#include <variant>

#include "core/data/file.h"
#include "core/debug/session/session.h"
#include "core/report/report_request.h"

namespace ts {

// Refused when there is no such step, finding or element.
std::variant<std::string, Refusal> html_report(Session& session, const HtmlReportRequest& request);

// The same as a file. Empty text: it worked.
data::Error write_html_report(Session& session, const HtmlReportRequest& request, const std::string& path,
                              const data::WriteRules& rules = {});

}  // namespace ts
