// The two 16-bit float formats: their element types, and exact scalar conversions for places that are not hot.
#pragma once

#include <cstdint>

namespace ts {

struct f16 {
  std::uint16_t bits;
};
struct bf16 {
  std::uint16_t bits;
};

float half_to_float(std::uint16_t bits);
float bfloat_to_float(std::uint16_t bits);
// Round to nearest, ties to even, once; NaN keeps its upper payload bits and becomes quiet.
std::uint16_t double_to_half(double value);
std::uint16_t double_to_bfloat(double value);

}  // namespace ts
