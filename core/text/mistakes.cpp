// Counting and placing the messages of the readers.
#include "core/text/mistakes.h"

#include <fmt/format.h>

#include "core/data/utf8.h"

namespace ts::text {
namespace {

// A message quotes what it is about, and that may be as long as the text.
constexpr std::size_t kLongest = 400, kKeptBefore = 240, kKeptBehind = 80;

std::string shortened(std::string text) {
  if (text.size() <= kLongest) return text;
  std::size_t before = kKeptBefore, behind = text.size() - kKeptBehind;
  // No character is cut in two.
  while (before > 0 && data::continues_character(text[before])) --before;
  while (behind < text.size() && data::continues_character(text[behind])) ++behind;
  return text.substr(0, before) + " … " + text.substr(behind);
}

}  // namespace

bool Mistakes::error(const char* rule, SourceRange range, Message message) {
  if (failed_) return false;
  failed_ = true;
  last_ = range;
  if (errors_++ < limits_.most_errors) add(rule, Severity::Error, range, std::move(message));
  return false;
}

void Mistakes::remark(const char* rule, Severity severity, SourceRange range, Message message) {
  if (remarks_++ < limits_.most_errors) add(rule, severity, range, std::move(message));
}

void Mistakes::add(const char* rule, Severity severity, SourceRange range, Message message) {
  out_.push_back({.rule = rule,
                  .severity = severity,
                  .pos = source_.position(range.begin),
                  .operand = {},
                  .text = shortened(std::move(message.text)),
                  .hint = shortened(std::move(message.hint)),
                  .span = source_.span(range),
                  .expected = shortened(std::move(message.expected)),
                  .notes = std::move(message.notes)});
}

void Mistakes::finish() {
  if (stop_.stopped())
    add("E-STOPPED", Severity::Error, last_, {.text = "reading was stopped; the rest of the text was not read"});
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
