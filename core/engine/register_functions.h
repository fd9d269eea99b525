// Functions of whole registers that stand in memory, as whoever found one calls it.
#pragma once

#include <cstdint>

#include "core/engine/registers.h"

namespace ts {

// From a register to the next, in bytes; 0: always the same one.
struct LaneSteps {
  std::uint32_t out = 0, in[3] = {};
};
// Every lane of `count` registers; operands that the operation does not have are not looked at. Nothing that is read may
// stand where something is written.
using LaneFunction = void (*)(std::uint8_t* out, const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* c,
                              std::uint32_t count, LaneSteps steps);

// Lanes under a predicate; where they are bits of a predicate, `out` is one. It may be `a`.
using MaskedFunction = void (*)(std::uint8_t* out, const VPred& pred, const std::uint8_t* a, const std::uint8_t* b);

// Two registers from two, for `count` of them: the first result steps by `steps.out`, the second by `steps.in[2]`.
using PairFunction = void (*)(std::uint8_t* lo, std::uint8_t* hi, const std::uint8_t* a, const std::uint8_t* b,
                              std::uint32_t count, LaneSteps steps);

// A register, or a predicate, from what stands somewhere.
using LoadFunction = void (*)(std::uint8_t* out, const std::uint8_t* from);

}  // namespace ts
