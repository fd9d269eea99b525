// The special registers that outlive an instruction: where each stands in the spr space, and what it holds at the start.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/isa/target.h"

namespace ts {

struct SpecialRegister {
  std::string_view name;
  std::uint32_t address, size_bytes;
  // Its words before the first step; none: it holds nothing yet.
  std::optional<std::array<std::uint64_t, 2>> start = {};
};
std::span<const SpecialRegister> special_registers(Target target);

namespace a2a3 {
inline constexpr std::uint32_t kMask = 0;  // 16 bytes: MASK[0], MASK[1]; in counter mode MASK[0] is the element count
inline constexpr std::uint32_t kMaskMode = 16;  // 8 bytes: 0 norm, 1 counter
inline constexpr std::uint32_t kCmpMask = 32;   // 16 bytes
}  // namespace a2a3
// 8 bytes, of both targets: how many records the last merge that could end early took from each list, 16 bits a list.
inline constexpr std::uint32_t kVms4Sr = 48;
// Of both targets: the map that windows are taken of. 8 bytes each; FMATRIX_B is that of right operands.
inline constexpr std::uint32_t kFmatrix = 56, kFmatrixB = 64, kImg2colRepeat = 72, kImg2colPadding = 80;
namespace a5 {
inline constexpr std::uint32_t kCtrl = 88;  // 8 bytes
// Of its bits (inferred; the first value of all is unverified): the former hands over to the latter whether conversions
// saturate, which else each of them says. 0 there: they do.
inline constexpr std::uint32_t kCtrlDecides = 60, kCtrlKeepsLowBits = 59;
}  // namespace a5

}  // namespace ts
