// Where steps read: found out once for steps that work on the same operands, by running one of them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/record/inspector.h"

namespace ts {

class StepReads {
 public:
  StepReads(const Recording& recording, Inspector& inspector) : recording_(recording), inspector_(inspector) {}

  // Whether a step may read one of these bytes, also beside its operands. Its micro-steps know for certain.
  bool may_read(std::uint32_t step, ByteRange place);
  std::size_t held_bytes() const { return runs_.size() * kBytesOfStep + run_count_ * sizeof(FlatRange); }

 private:
  // Sorted; those that are close are joined.
  const std::vector<FlatRange>& runs_of(std::uint32_t step);

  const Recording& recording_;
  Inspector& inspector_;
  static constexpr std::size_t kBytesOfStep = 80;                   // of its entry, without its runs
  std::unordered_map<std::uint32_t, std::vector<FlatRange>> runs_;  // by bound
  std::size_t run_count_ = 0;
};

}  // namespace ts
