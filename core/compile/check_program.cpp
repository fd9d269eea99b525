// A walk that only checks.
#include "core/compile/check_program.h"

#include <algorithm>

#include "core/catalogue/rules.h"
#include "core/program/execution.h"
#include "core/program/pointing.h"

namespace ts {
namespace {

bool same_message(const Diagnostic& a, const Diagnostic& b) {
  return a.rule == b.rule && a.severity == b.severity && a.operand == b.operand && a.text == b.text;
}

// Of a text, its reader tells at the type of a tile that its lines are no whole blocks.
bool told_by_reader(const Program& program, const Diagnostic& told) {
  return program.tree != nullptr && told.rule == "TILE-R2" && told.severity == Severity::Warning;
}

// What rules say of an instruction some of whose operands nobody knows yet: what they say whatever those are.
Diagnostics said_anyway(const Execution& walk, std::uint32_t instruction) {
  Diagnostics said;
  for (int guess = 0; guess < kGuesses; ++guess) {
    const std::optional<Bound> bound = walk.bind_guessing(instruction, guess);
    if (!bound) return {};
    Diagnostics found;
    check_rules(*bound, found);
    if (guess == 0) said = found;
    std::erase_if(said, [&](const Diagnostic& one) {
      return std::ranges::none_of(found, [&](const Diagnostic& other) { return same_message(one, other); });
    });
    if (said.empty()) break;
  }
  return said;
}

class ProgramCheck {
 public:
  ProgramCheck(const Program& program, Diagnostics& out)
      : program_(program), out_(out), places_(program.instructions.size()) {}

  void look(Execution& walk) {
    const std::uint32_t instruction = walk.instruction();
    Place& place = places_[instruction];
    std::optional<Bound> bound = walk.bind(instruction);
    if (!bound) {
      if (std::exchange(place.guessed, true) || place.before) return;
      return tell(instruction, said_anyway(walk, instruction));
    }
    // Each place of the program is told once, for the first operands that break a rule.
    if (!place.wrong && !(place.before && place.before->operands == bound->operands)) {
      Diagnostics found;
      check_rules(*bound, found);
      if (!place.before || has_error(found)) tell(instruction, std::move(found));
    }
    walk.apply_effect(*bound);
    place.before = std::move(bound);
  }

 private:
  struct Place {
    std::optional<Bound> before;
    Diagnostics told;  // while not everything was known
    bool guessed = false, wrong = false;
  };

  void tell(std::uint32_t instruction, Diagnostics found) {
    Place& place = places_[instruction];
    place.wrong = has_error(found);
    for (Diagnostic& diagnostic : found) {
      if (told_by_reader(program_, diagnostic)) continue;
      if (std::ranges::any_of(place.told, [&](const Diagnostic& one) { return same_message(one, diagnostic); }))
        continue;
      if (!place.before && place.guessed) place.told.push_back(diagnostic);
      point_at_operand(program_, instruction, diagnostic);
      out_.push_back(std::move(diagnostic));
    }
  }

  const Program& program_;
  Diagnostics& out_;
  std::vector<Place> places_;
};

}  // namespace

void check_program(const Program& program, Diagnostics& out, std::uint64_t most_steps,
                   std::function<bool(std::uint64_t)> go_on) {
  ProgramCheck check(program, out);
  for (std::size_t core = 0; core < program.cores.size(); ++core) {
    Execution walk(program, nullptr, Execution::Kind::Check, {most_steps, Execution::kCheckedCode, {}, go_on},
                   static_cast<CoreId>(core));
    while (walk.next()) {
      check.look(walk);
      if (has_error(out) && out.size() > 20) break;
    }
    for (Diagnostic& diagnostic : walk.take_warnings()) out.push_back(std::move(diagnostic));
    if (walk.problem()) out.push_back(*walk.problem());
  }
}

}  // namespace ts
