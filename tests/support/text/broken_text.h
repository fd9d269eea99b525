// Texts with one broken statement, and where and how it must be told.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/isa/diagnostic.h"

namespace ts::test {

// Statements in a function of a kernel that has some numbers and tiles; the first message of the rule must stand at (line, the
// text `at`).
struct Broken {
  const char* rule;
  const char* statements;
  const char* at;  // where it points: a text of the line
  std::uint32_t line;
  const char* says;
  const char* hint;  // of the hint, or of what was expected
  const char* target = "a5";
  const char* core = "vector";
};

// The kernel @k: the numbers %c0 %c1 %c3 %c16 %c17 %c32 (index), %i5 %i0 (i32), %far (i64), %one (f32), the tiles %fixed and
// %open, the arguments %p (pointer to i32) and %n (index); @outside is only declared.
std::string text_of(const Broken& broken);
// Null: nothing of this rule was told.
const Diagnostic* first_of(const Diagnostics& all, std::string_view rule);
void check_message(const Broken& broken, const std::string& text, const Diagnostic* told, bool exact_column);
// Opens it: the message stands where it must, and the text opens exactly where that is no error.
void check_broken(const Broken& broken, bool exact_column = true);

}  // namespace ts::test
