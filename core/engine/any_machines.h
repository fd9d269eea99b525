// The three machines of a lowering that is compiled once for all element types and does the same on every target.
#pragma once

#include "core/catalogue/row.h"
#include "core/engine/any_core.h"

namespace ts {

enum class AnyMachine : std::uint8_t { Plain, Traced, Tagged };

template <AnyMachine machine, AnyLowering lowering>
void enter_any(StepContext& context, const Bound& bound) {
  constexpr auto kEnter = machine == AnyMachine::Traced ? trace_any : machine == AnyMachine::Tagged ? tag_any : run_any;
  kEnter(context, bound, bound.dtype(), lowering);
}

template <AnyMachine machine, AnyLowering lowering>
const LoweringTable& any_table() {
  static const LoweringTable made = [] {
    LoweringTable table;
    for (auto& target : table.entry)
      for (Lowering& entry : target) entry = enter_any<machine, lowering>;
    return table;
  }();
  return made;
}

template <AnyLowering lowering>
Machines any_machines() {
  return {any_table<AnyMachine::Plain, lowering>, any_table<AnyMachine::Traced, lowering>,
          any_table<AnyMachine::Tagged, lowering>};
}

}  // namespace ts
