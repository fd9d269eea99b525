// The table of special registers.
#include "core/isa/special_registers.h"

namespace ts {
namespace {

// The library's idle convention: normal mode, every lane on.
constexpr SpecialRegister kA2A3[] = {
    {"MASK", a2a3::kMask, 16, {{~0ull, ~0ull}}},
    {"MASK_MODE", a2a3::kMaskMode, 8, {{0, 0}}},
    {"CMPMASK", a2a3::kCmpMask, 16},
    {"VMS4_SR", kVms4Sr, 8},
    {"FMATRIX", kFmatrix, 8},
    {"FMATRIX_B", kFmatrixB, 8},
    {"IMG2COL_RPT", kImg2colRepeat, 8},
    {"IMG2COL_PADDING", kImg2colPadding, 8},
};
constexpr SpecialRegister kA5[] = {
    {"VMS4_SR", kVms4Sr, 8},
    {"FMATRIX", kFmatrix, 8},
    {"FMATRIX_B", kFmatrixB, 8},
    {"IMG2COL_RPT", kImg2colRepeat, 8},
    {"IMG2COL_PADDING", kImg2colPadding, 8},
    {"CTRL", a5::kCtrl, 8, {{0, 0}}},
};

}  // namespace

// A5 keeps no other over the end of a tile instruction.
std::span<const SpecialRegister> special_registers(Target target) {
  if (target == Target::A2A3) return kA2A3;
  return kA5;
}

}  // namespace ts
