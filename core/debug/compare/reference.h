// What a recording was compared with, and which of the two it is: stops and commands go by it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/debug/compare/compare_runs.h"
#include "core/debug/origins/cell.h"

namespace ts {

// Two recordings that are compared: this one is the first, or the second.
enum class Side : std::uint8_t { A, B };

struct Reference {
  std::shared_ptr<const RunDifferences> differences = {};  // null: none
  std::shared_ptr<const Recording> other = {};
  Side side = Side::A;

  explicit operator bool() const { return differences != nullptr; }
  // The first result of a step that differs; null: none does.
  const ResultDifference* of_step(std::uint32_t step) const;
  // The first step from `step` on, or the last one before it, that differs.
  std::optional<std::uint32_t> next(std::uint32_t step) const;
  std::optional<std::uint32_t> last_before(std::uint32_t step) const;
};

// The first differing element, as an operand of `recording`, which is the reference's own side.
Cell differing_cell(const Recording& recording, Side side, const ResultDifference& difference);

}  // namespace ts
