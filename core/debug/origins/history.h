// Every change of a range of bytes, in the order of time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/record/inspector.h"

namespace ts {

// What put bytes where they are.
enum class Maker : std::uint8_t {
  Step,
  Edit,    // somebody's hand, in a fork
  Block,   // a block began, and its core's memories held nothing
  Input,   // there before the first step
  Nobody,  // never written
};

struct HistoryRow {
  Maker maker = Maker::Step;                                                            // Step, Edit or Block
  std::uint32_t step = 0;                                                               // of an edit: the position
  Definedness defined_before = Definedness::Never, defined_after = Definedness::Never;  // the worst of the bytes
};

// The writes of a range, found piece by piece, so that the first of them can be shown while the others are looked for.
class History {
 public:
  History(const Recording& recording, Inspector& inspector, ByteRange range);

  // Looks at so many more steps; false when all have been looked at.
  bool look_on(std::uint32_t steps);
  bool complete() const { return next_step_ > recording_.count(); }
  std::uint32_t looked_at() const { return next_step_; }
  std::span<const HistoryRow> rows() const { return rows_; }
  std::span<const std::byte> before(std::size_t row) const {
    return {bytes_.data() + 2 * row * range_.size, range_.size};
  }
  std::span<const std::byte> after(std::size_t row) const {
    return {bytes_.data() + (2 * row + 1) * range_.size, range_.size};
  }
  ByteRange range() const { return range_; }

 private:
  void edits_at(std::uint32_t position);
  void add(Maker maker, std::uint32_t step);
  void add_bytes(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

  const Recording& recording_;
  Inspector& inspector_;
  ByteRange range_;
  Flat begin_, end_;
  std::uint32_t next_step_ = 0;
  std::vector<HistoryRow> rows_;
  std::vector<std::byte> bytes_;  // before and after, by row
};

}  // namespace ts
