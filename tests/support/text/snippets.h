// Programs with one mistake each, and what the first message about it must say.
#pragma once

#include <span>
#include <string_view>

#include "core/isa/diagnostic.h"
#include "core/isa/target.h"

namespace ts::test {

// Whole programs. Those without a module are documents: names that nobody defines are their inputs. In functions
// everything is defined, unless that is the mistake.
struct Snippet {
  int number;             // kinds of mistakes; a kind may have a second program, of the same mistake done milder
  unsigned line, column;  // where the message points, from 1, in code points
  Severity severity = Severity::Error;
  std::string_view at;             // the text at that place; empty at the end of the file
  std::string_view says;           // what the message contains
  std::string_view expected = {};  // what Diagnostic::expected contains
  std::string_view hint = {};      // what Diagnostic::hint contains
  Target target = Target::A5;      // that of the module, where there is one
  std::string_view text;
};

std::span<const Snippet> snippets();

}  // namespace ts::test
