// Tables of small programs, legal and illegal: a row is some statements, and what becomes of them. To add one is to write it.
#pragma once

#include <string>

#include "tests/support/record/recorded.h"
#include "tests/support/text/open_text.h"

namespace ts::test {

// What every row may name: pointers %p and %q to f32, %h to f16, %m to ui8; the numbers %n (index), %s (f32), %si (i32),
// %sh (f16) that nobody gives; the constants %c0 %c1 %c2 %c4 %c8 %c16 %c32 %c64 (index), %zero (i64) and %two (f32).
std::string row_text(const char* target, const char* statements);

// Whether `targets`, such as "a5 a2a3", has `target` among them.
bool names_target(const char* targets, const char* target);

// It runs to its end, and nothing is said of it but notes; or it stops at what nobody emulates yet, and nothing else is said.
enum class Becomes { Runs, NotEmulated };
struct LegalRow {
  const char* name;
  const char* page;     // that says so
  const char* targets;  // "a5", "a2a3", "a5 a2a3"
  Becomes becomes;
  const char* statements;
};
void check_legal(const LegalRow& row, const char* target);

// Before anything runs, and without its numbers, this is told.
struct IllegalRow {
  const char* name;
  const char* targets;
  const char* rule;
  const char* says;  // a part of the message
  const char* statements;
  Severity severity = Severity::Error;
};
void check_illegal(const IllegalRow& row, const char* target);

}  // namespace ts::test
