// Counting and placing the messages of the readers.
#include "core/text/report.h"

#include <fmt/format.h>

namespace ts::text {

bool Reporter::error(const char* rule, SourceRange range, Message message) {
  if (failed_) return false;
  failed_ = true;
  last_ = range;
  if (errors_++ < limits_.most_errors) add(rule, Severity::Error, range, std::move(message));
  return false;
}

void Reporter::remark(const char* rule, Severity severity, SourceRange range, Message message) {
  if (remarks_++ < limits_.most_errors) add(rule, severity, range, std::move(message));
}

void Reporter::add(const char* rule, Severity severity, SourceRange range, Message message) {
  out_.push_back({.rule = rule,
                  .severity = severity,
                  .pos = source_.position(range.begin),
                  .operand = {},
                  .text = std::move(message.text),
                  .hint = std::move(message.hint),
                  .span = source_.span(range),
                  .expected = std::move(message.expected),
                  .notes = std::move(message.notes)});
}

void Reporter::finish() {
  const auto more = [](std::uint32_t count, const char* what) {
    return fmt::format("{} more {}{} not shown", count, what, count == 1 ? " is" : "s are");
  };
  if (remarks_ > limits_.most_errors)
    add("E-MANY", Severity::Warning, last_, {.text = more(remarks_ - limits_.most_errors, "remark")});
  if (errors_ > limits_.most_errors) {
    std::string text = more(errors_ - limits_.most_errors, "error");
    if (hopeless()) text = "at least " + text + "; the rest of the text was not read";
    add("E-MANY", Severity::Error, last_, {.text = std::move(text)});
  }
}

}  // namespace ts::text
