// What the compiler says about a text, with the places it speaks of.
#pragma once

#include <string>

#include "core/isa/diagnostic.h"
#include "core/text/tree.h"

namespace ts {

// Of the word behind a number.
constexpr const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

class Messages {
 public:
  Messages(const text::Source& source, Diagnostics& out) : source_(source), out_(out) {}

  Diagnostic& error(text::SourceRange where, std::string rule, std::string text, std::string expected = "",
                    std::string hint = "");
  Diagnostic& warn(text::SourceRange where, std::string rule, std::string text, std::string hint = "");
  Diagnostic& tell(Severity severity, text::SourceRange where, std::string rule, std::string text, std::string expected,
                   std::string hint);
  // So many that compiling on helps nobody.
  bool hopeless() const { return errors_ >= kMostErrors; }
  // Says how many were not kept.
  void finish();
  SourcePos position(text::SourceRange where) const { return source_.position(where.begin); }
  std::size_t count() const { return told_; }
  Diagnostics& all() { return out_; }

 private:
  static constexpr std::size_t kMostKept = 1000, kMostErrors = 10'000;

  const text::Source& source_;
  Diagnostics& out_;
  std::size_t told_ = 0, errors_ = 0, errors_kept_ = 0;
  Diagnostic spare_;  // for those that are not kept
};

}  // namespace ts
