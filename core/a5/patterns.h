// The patterns of pset and pge: which lanes of a predicate are on, by name.
#pragma once

#include "core/engine/registers.h"

namespace ts::a5 {

struct Pattern {
  const char* name;
  enum class Rule : std::uint8_t { First, EachNth, Part } rule;
  std::uint32_t n;  // the first n lanes; every n-th lane; the lowest 1 / n of the lanes

  constexpr bool has(std::uint32_t lane, std::uint32_t lanes) const {
    switch (rule) {
      case Rule::First: return lane < n;
      case Rule::EachNth: return lane % n == 0;
      case Rule::Part: return lane < lanes / n;
    }
    return false;
  }
};

inline constexpr Pattern kPatterns[] = {
    {"PAT_ALL", Pattern::Rule::EachNth, 1},
    {"PAT_VL1", Pattern::Rule::First, 1},
    {"PAT_VL2", Pattern::Rule::First, 2},
    {"PAT_VL3", Pattern::Rule::First, 3},
    {"PAT_VL4", Pattern::Rule::First, 4},
    {"PAT_VL8", Pattern::Rule::First, 8},
    {"PAT_VL16", Pattern::Rule::First, 16},
    {"PAT_VL32", Pattern::Rule::First, 32},
    {"PAT_VL64", Pattern::Rule::First, 64},
    {"PAT_VL128", Pattern::Rule::First, 128},  // of fewer lanes all (unverified)
    {"PAT_M3", Pattern::Rule::EachNth, 3},
    {"PAT_M4", Pattern::Rule::EachNth, 4},
    {"PAT_H", Pattern::Rule::Part, 2},
    {"PAT_Q", Pattern::Rule::Part, 4},
    {"PAT_ALLF", Pattern::Rule::First, 0},
};

inline VPred lanes_of(const Pattern& pattern, std::uint32_t width) {
  VPred out{};
  for (std::uint32_t lane = 0; lane < VL / width; ++lane)
    if (pattern.has(lane, VL / width)) set_bit(out, lane * width);
  return out;
}

}  // namespace ts::a5
