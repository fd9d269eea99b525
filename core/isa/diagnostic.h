// What a user is told when a program breaks a rule: a value with a place, never an exception.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/isa/finding_kind.h"

namespace ts {

struct SourcePos {
  std::uint32_t line = 0, column = 0;  // from 1; 0 = unknown
  bool operator==(const SourcePos&) const = default;
};

enum class Severity : std::uint8_t { Note, Warning, Error };
const char* name(Severity severity);

// Another place that matters: where a name was defined, where a region was opened.
struct DiagnosticNote {
  SourcePos pos;
  std::string text;
};

// An element of the operand that is meant.
struct DiagnosticElement {
  std::uint32_t row = 0, col = 0;
};

struct Diagnostic {
  std::string rule;  // the ISA pages' id, such as TDI-R5
  Severity severity = Severity::Error;
  SourcePos pos;
  std::string operand;        // the operand's name, empty when the instruction as a whole is meant
  std::string text;           // with the values
  std::string hint;           // what to do about it; may be empty
  std::uint32_t span = 0;     // code points from `pos` on that are meant; 0: unknown
  std::string expected = {};  // what would have been right there; may be empty
  std::vector<DiagnosticNote> notes = {};
  FindingKind kind = FindingKind::Rule;
  std::optional<DiagnosticElement> element = {};  // the first, where there is one
  std::string format() const;                     // "12:3: error: [TDI-R5] validCol 7 is odd"
};

using Diagnostics = std::vector<Diagnostic>;
bool has_error(const Diagnostics& diagnostics);

}  // namespace ts
