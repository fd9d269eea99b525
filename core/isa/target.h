// The two targets and the memories each of them has.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ts {

enum class Target : std::uint8_t { A2A3, A5 };
inline constexpr int kTargets = 2;
inline constexpr Target kBothTargets[kTargets] = {Target::A2A3, Target::A5};
const char* name(Target target);  // "a2a3", "a5"

// Spr is the emulator's own name for the special registers that outlive an instruction (vector mask, CMPMASK, ...):
// they are kept like a memory, so that snapshots, digests and data flow cover them without a second mechanism.
enum class Space : std::uint8_t { Ub, L1, L0a, L0b, L0c, Bias, Fixpipe, L0aScales, L0bScales, Spr, Gm };
inline constexpr int kSpaces = 11;
const char* name(Space space);  // "ub", "l1", ...
std::optional<Space> space_from_name(std::string_view name);

// Bytes of an on-chip memory; 0 where the target has none, and for Gm, whose size the program decides.
std::uint32_t capacity_bytes(Target target, Space space);

// The queues of a core; instructions of one pipe keep their order, those of two need a flag.
enum class Pipe : std::uint8_t { S, V, M, Mte1, Mte2, Mte3, Fix, None };
const char* name(Pipe pipe);

inline constexpr std::uint32_t VL = 256;  // bytes of an A5 vector register, and of one A2A3 vector repeat
inline constexpr std::uint32_t BLK = 32;  // bytes of a block

}  // namespace ts
