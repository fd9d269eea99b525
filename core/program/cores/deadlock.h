// Whom a core waits for, and what is told where nobody can go on.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/program/cores/core_walk.h"
#include "core/program/cores/together.h"

namespace ts {

// One that has to do something before a core can go on.
struct AwaitedCore {
  CoreId core = 0;
  std::string act;    // "tfree_from_aic"
  std::string state;  // "popped 8, freed 0; blocked at line 52"
};
// A core that cannot go on.
struct CoreWait {
  CoreId core = 0;
  SourcePos pos = {};
  std::string line;  // of the source, for people: "line 29"
  std::string rule;
  std::string text;  // "tpush_to_aiv, pipe 0: all 8 slots are in use"
  std::vector<AwaitedCore> on;
  std::string hint;  // where the cause is plain
  // "tpush_to_aiv, pipe 0: all 8 slots are in use; waits for tfree_from_aic on AIV0 (popped 8, freed 0; ..)"
  std::string whole(const Program& program) const;
};

// By core; null: it did not begin.
using CoreWalks = std::span<const std::unique_ptr<CoreWalk>>;
// Nothing: it can go on, or is at its end.
std::optional<CoreWait> wait_of(const Program& program, const Together& together, CoreWalks walks, CoreId core);
Diagnostic deadlock_of(const Program& program, std::span<const CoreWait> waits);

}  // namespace ts
