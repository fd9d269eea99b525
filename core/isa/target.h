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
// they are kept like a memory, so that snapshots, digests and data flow cover them without a second mechanism. Reg is the
// same of the vector registers and masks that a program names.
enum class Space : std::uint8_t { Ub, L1, L0a, L0b, L0c, Bias, Fixpipe, L0aScales, L0bScales, Reg, Spr, Gm };
inline constexpr int kSpaces = 12;
// As a cube core names them: of the two vector cores of its block, the UB of the second. It is no memory of its own.
inline constexpr Space kSecondUb = static_cast<Space>(kSpaces);
inline constexpr int kSpaceNames = kSpaces + 1;
const char* name(Space space);  // "ub", "l1", ...
std::optional<Space> space_from_name(std::string_view name);

// Bytes of an on-chip memory; 0 where the target has none, and for Gm and Reg, whose sizes the program decides.
std::uint32_t capacity_bytes(Target target, Space space);

// What a core is. A joint one has the memories of a cube core and of a vector core, and does what both do.
enum class CoreKind : std::uint8_t { Joint, Cube, Vector };
const char* name(CoreKind kind);  // "core", "AIC", "AIV"
// Which of the cores of a launch; the first where there is only one.
using CoreId = std::uint16_t;

// The queues of a core; instructions of one pipe keep their order, those of two need a flag.
enum class Pipe : std::uint8_t { S, V, M, Mte1, Mte2, Mte3, Fix, None };
const char* name(Pipe pipe);

inline constexpr std::uint32_t VL = 256;  // bytes of an A5 vector register, and of one A2A3 vector repeat
inline constexpr std::uint32_t BLK = 32;  // bytes of a block

}  // namespace ts
