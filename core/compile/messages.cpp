// Messages, each where it belongs.
#include "core/compile/messages.h"

#include <fmt/format.h>

namespace ts {

Diagnostic& Messages::tell(Severity severity, text::SourceRange where, std::string rule, std::string text,
                           std::string expected, std::string hint) {
  if (severity == Severity::Error) ++errors_;
  if (++told_ > kMostKept) return spare_ = {};
  if (severity == Severity::Error) ++errors_kept_;
  out_.push_back({std::move(rule), severity, position(where), "", std::move(text), std::move(hint), source_.span(where),
                  std::move(expected)});
  return out_.back();
}

void Messages::finish() {
  if (told_ <= kMostKept) return;
  const bool hides_errors = errors_ > errors_kept_;
  out_.push_back({"E-MANY",
                  hides_errors ? Severity::Error : Severity::Warning,
                  {},
                  "",
                  fmt::format("{}{} more messages are not shown", hopeless() ? "at least " : "", told_ - kMostKept),
                  ""});
}

Diagnostic& Messages::error(text::SourceRange where, std::string rule, std::string text, std::string expected,
                            std::string hint) {
  return tell(Severity::Error, where, std::move(rule), std::move(text), std::move(expected), std::move(hint));
}

Diagnostic& Messages::warn(text::SourceRange where, std::string rule, std::string text, std::string hint) {
  return tell(Severity::Warning, where, std::move(rule), std::move(text), "", std::move(hint));
}

}  // namespace ts
