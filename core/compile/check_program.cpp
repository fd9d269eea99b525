// A walk that only checks.
#include "core/compile/check_program.h"

#include "core/catalogue/rules.h"
#include "core/program/execution.h"
#include "core/program/pointing.h"

namespace ts {

void check_program(const Program& program, Diagnostics& out, std::uint64_t most_steps,
                   std::function<bool(std::uint64_t)> go_on) {
  Execution walk(program, nullptr, Execution::Kind::Check, {most_steps, Execution::kCheckedCode, std::move(go_on)});
  std::vector<std::optional<Bound>> last(program.instructions.size());
  std::vector<char> refused(program.instructions.size());
  while (walk.next()) {
    std::optional<Bound> bound = walk.bind(walk.instruction());
    if (!bound) continue;
    std::optional<Bound>& before = last[walk.instruction()];
    const bool known = before && before->operands == bound->operands;
    // Each place of the program is told once, for the first operands that break a rule.
    Diagnostics found;
    char& wrong = refused[walk.instruction()];
    if (!known && !wrong) check_rules(*bound, found);
    wrong = wrong || has_error(found);
    for (Diagnostic& diagnostic : found) {
      if (before && !wrong) break;
      point_at_operand(program, walk.instruction(), diagnostic);
      out.push_back(std::move(diagnostic));
    }
    walk.apply_effect(*bound);
    before = std::move(bound);
    if (has_error(out) && out.size() > 20) break;
  }
  for (Diagnostic& diagnostic : walk.take_warnings()) out.push_back(std::move(diagnostic));
  if (walk.problem()) out.push_back(*walk.problem());
}

}  // namespace ts
