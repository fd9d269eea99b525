// Diagnostics as text.
#include "core/isa/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

namespace ts {

const char* name(Severity severity) {
  switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: break;
  }
  return "error";
}

std::string Diagnostic::format() const {
  std::string out;
  if (pos.line != 0) out = fmt::format("{}:{}: ", pos.line, pos.column);
  out += fmt::format("{}: [{}] {}", name(severity), rule, text);
  if (!hint.empty()) out += fmt::format("\n  hint: {}", hint);
  return out;
}

bool has_error(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

}  // namespace ts
