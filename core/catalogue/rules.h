// How an instruction's rules speak: each names its id, the operand, the values and what to do.
#pragma once

#include <string>

#include "core/catalogue/row.h"

namespace ts {

class RuleCheck {
 public:
  RuleCheck(const Bound& bound, Diagnostics& out) : bound_(bound), out_(out) {}

  const Bound& bound() const { return bound_; }
  const TileRef& tile(std::string_view name) const { return bound_.tile(name); }
  Target target() const { return bound_.target; }
  const Options& options() const { return *bound_.options; }

  void error(std::string_view rule, std::string_view operand, std::string text, std::string hint = "",
             std::string expected = "") {
    add(rule, Severity::Error, operand, std::move(text), std::move(hint));
    out_.back().expected = std::move(expected);
  }
  void warn(std::string_view rule, std::string_view operand, std::string text, std::string hint = "") {
    add(rule, Severity::Warning, operand, std::move(text), std::move(hint));
  }
  // A documented constraint that no hardware checks: a warning, and an error under `strict`.
  void documented(std::string_view rule, std::string_view operand, std::string text, std::string hint = "") {
    add(rule, options().strict ? Severity::Error : Severity::Warning, operand, std::move(text), std::move(hint));
  }
  void note(std::string_view rule, std::string_view operand, std::string text, std::string hint = "") {
    add(rule, Severity::Note, operand, std::move(text), std::move(hint));
  }

  // What the last message is about, where that is more than the rule itself; and its first element.
  void about(FindingKind kind, std::optional<DiagnosticElement> element = {}) {
    out_.back().kind = kind;
    out_.back().element = element;
  }

  void error_about(FindingKind kind, DiagnosticElement element, std::string_view rule, std::string_view operand,
                   std::string text, std::string hint = "") {
    error(rule, operand, std::move(text), std::move(hint));
    about(kind, element);
  }

  // The id of a rule of this instruction: "R3" becomes TSUB-R3.
  std::string own(std::string_view number) const { return own_rule(*bound_.row, number); }

  // Shapes of rules that many instructions share. Each adds one diagnostic at most.
  void need_row_major(std::string_view rule, std::string_view operand);
  void need_same_type(std::string_view rule, std::string_view operand, std::string_view as);
  void need_same_valid(std::string_view rule, std::string_view operand, std::string_view as);
  // G5: both are touched while the other still matters; `same_place_ok`: exactly in place is safe. A page that has an id
  // of its own for it says so in `rule`.
  void warn_overlap(std::string_view written, std::string_view other, bool same_place_ok, std::string_view rule = "G5");

 private:
  void add(std::string_view rule, Severity severity, std::string_view operand, std::string text, std::string hint);

  const Bound& bound_;
  Diagnostics& out_;
};

// All rules of a bound instruction: target and type, the common ones (G1 to G3, tile types), then the row's own.
// The row's own run only when the first two groups found no error, so that they may rely on them.
void check_rules(const Bound& bound, Diagnostics& out);

}  // namespace ts
