// Random numbers that are the same on every machine: pto.rng(seed).
#pragma once

#include <cstdint>

#include "scripting/binding/object_type.h"

namespace ts::scripting {

// SplitMix64: one number of state, and no two seeds give the same row.
struct Rng {
  std::uint64_t state = 0;
  std::uint64_t next();
  static const ObjectType& type();
};

}  // namespace ts::scripting
