// The check itself.
#include "tests/support/instructions/verdicts.h"

#include <doctest/doctest.h>

namespace ts::test {

bool of_target(Target target, DType type) {
  using enum DType;
  if (one_of(type, {I4, U4})) return false;
  return target == Target::A5 || !(four_bits(type) || one_of(type, {F8E4M3, F8E5M2, HIF8, E8M0}));
}

void check_verdict(const Diagnostics& told, bool legal, const std::string& what, Verdicts& verdicts) {
  ++(legal ? verdicts.legal : verdicts.illegal);
  std::string text = what;
  for (const Diagnostic& one : told) text += "\n  " + one.format();
  const auto is_refusal = [](const Diagnostic& d) { return d.severity == Severity::Error && d.rule != "E-EMULATE"; };
  const auto refused = std::ranges::find_if(told, is_refusal);
  if (legal) {
    CHECK_MESSAGE(refused == told.end(), text);
  } else if (refused == told.end()) {
    FAIL_CHECK("passes: " << text);
  } else {
    CHECK_MESSAGE(!(refused->rule.empty() || refused->text.empty()), text);
    CHECK_MESSAGE(!(refused->operand.empty() && refused->hint.empty()), text);
  }
}

}  // namespace ts::test
