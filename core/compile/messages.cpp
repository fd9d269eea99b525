// Messages, each where it belongs.
#include "core/compile/messages.h"

namespace ts {

Diagnostic& Messages::tell(Severity severity, text::SourceRange where, std::string rule, std::string text,
                           std::string expected, std::string hint) {
  out_.push_back({std::move(rule), severity, position(where), "", std::move(text), std::move(hint), source_.span(where),
                  std::move(expected)});
  return out_.back();
}

Diagnostic& Messages::error(text::SourceRange where, std::string rule, std::string text, std::string expected,
                            std::string hint) {
  return tell(Severity::Error, where, std::move(rule), std::move(text), std::move(expected), std::move(hint));
}

Diagnostic& Messages::warn(text::SourceRange where, std::string rule, std::string text, std::string hint) {
  return tell(Severity::Warning, where, std::move(rule), std::move(text), "", std::move(hint));
}

}  // namespace ts
