// What the compiler says about a text, with the places it speaks of.
#pragma once

#include <string>

#include "core/isa/diagnostic.h"
#include "core/text/tree.h"

namespace ts {

class Messages {
 public:
  Messages(const text::Source& source, Diagnostics& out) : source_(source), out_(out) {}

  Diagnostic& error(text::SourceRange where, std::string rule, std::string text, std::string expected = "",
                    std::string hint = "");
  Diagnostic& warn(text::SourceRange where, std::string rule, std::string text, std::string hint = "");
  Diagnostic& tell(Severity severity, text::SourceRange where, std::string rule, std::string text, std::string expected,
                   std::string hint);
  SourcePos position(text::SourceRange where) const { return source_.position(where.begin); }
  std::size_t count() const { return out_.size(); }
  Diagnostics& all() { return out_; }

 private:
  const text::Source& source_;
  Diagnostics& out_;
};

}  // namespace ts
