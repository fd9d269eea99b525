// What a page is about: from what was asked for to a step and an element of it.
#pragma once

#include <optional>
#include <variant>

#include "core/debug/picture/step_map.h"
#include "core/debug/session/session.h"
#include "core/report/report_request.h"

namespace ts {

struct ReportSubject {
  std::uint32_t step = 0;
  bool made = true;  // false: the step that ended the program before it was made; it has no operands
  std::optional<std::size_t> finding = {};    // the number of the one that is asked for
  std::optional<StepElement> explained = {};  // of a result; nothing: the step has none
  std::optional<StepElement> pointed = {};    // the element that is asked for or was found, where that is another one
};

std::variant<ReportSubject, Refusal> find_report_subject(Session& session, const HtmlReportRequest& request);

// "im", of an operand of the step.
std::string plain_name(const Program& program, const Operand& operand);

}  // namespace ts
