// What the readers of program text say about mistakes: one error a statement, and no more of them than anybody reads.
#pragma once

#include <string>
#include <vector>

#include "core/isa/diagnostic.h"
#include "core/isa/stop_question.h"
#include "core/text/parse/parse_limits.h"
#include "core/text/source.h"

namespace ts::text {

struct Message {
  std::string text, expected = {}, hint = {};
  std::vector<DiagnosticNote> notes = {};
};

class Mistakes {
 public:
  Mistakes(const Source& source, const ParseLimits& limits, Diagnostics& out)
      : source_(source), limits_(limits), out_(out), stop_(limits.go_on) {}

  // Only the first error of a statement is told. Returns false, so that a reader can end with it.
  bool error(const char* rule, SourceRange range, Message message);
  void remark(const char* rule, Severity severity, SourceRange range, Message message);

  // A statement that stands in another one's region has its own error.
  bool statement_failed() const { return failed_; }
  void set_statement_failed(bool failed) { failed_ = failed; }

  // So many errors that reading on helps nobody: a text without any structure would otherwise take long. Or it was
  // stopped.
  bool gives_up() { return stop_.stops() || hopeless(); }
  // Says how many were left out.
  void finish();

 private:
  static constexpr std::uint32_t kMostErrors = 10'000;

  bool hopeless() const { return errors_ >= kMostErrors; }

  void add(const char* rule, Severity severity, SourceRange range, Message message);

  const Source& source_;
  const ParseLimits& limits_;
  Diagnostics& out_;
  StopQuestion stop_;
  std::uint32_t errors_ = 0, remarks_ = 0;
  SourceRange last_;  // of the newest error
  bool failed_ = false;
};

}  // namespace ts::text
