// What can be asked of a recording at any position: its bytes, its micro-steps, where values came from. What was asked last
// is kept, so asking again costs nothing; nobody stands anywhere (a Session does).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "core/debug/origins/cell.h"
#include "core/debug/origins/data_flow.h"
#include "core/record/recording.h"

namespace ts {

class Questions {
 public:
  explicit Questions(std::shared_ptr<const Recording> recording);

  const Recording& recording() const { return *recording_; }
  std::shared_ptr<const Recording> shared_recording() const { return recording_; }
  std::uint32_t count() const { return recording_->count(); }

  // The memories at a position. Valid until anything else is asked.
  const Memory& memory_at(std::uint32_t position) { return inspector_.at(position); }
  // The bytes of a place at a position; what the worst of them is worth.
  Definedness peek(std::uint32_t position, ByteRange place, std::span<std::byte> out) {
    return inspector_.peek(position, place, out);
  }
  // The same, and what each of the bytes is worth.
  void peek_each(std::uint32_t position, ByteRange place, std::span<std::byte> out, std::span<Definedness> worth) {
    inspector_.peek_each(position, place, out, worth);
  }
  // The micro-steps of a step; kept for the step asked last. Valid until the next call.
  const Trace& trace(std::uint32_t step);
  // What it takes of the host at most, without the recording.
  std::size_t held_bytes() const;
  const StepIndex& index();
  DataFlow flow() { return {*recording_, inspector_, index(), reads_}; }
  Flow flow_of(std::uint32_t step) { return inspector_.flow(step); }
  History history(ByteRange range) { return {*recording_, inspector_, range}; }

  // The tile of this name; of several the one that the step at `position` works on, or else the last before it, or else
  // the first in the program.
  std::optional<std::uint32_t> find_tile(std::string_view name, std::uint32_t position);
  std::optional<std::uint32_t> find_buffer(std::string_view name) const;
  // Where a tile stands, as the steps around `position` see it.
  TileRef tile_at(std::uint32_t tile, std::uint32_t position);

  // The first element of a step's results that is NaN (or infinite) while nothing it was made of is; of what came in
  // from outside, the load that brought it.
  std::optional<Cell> produced(std::uint32_t step, bool nan, bool inf);
  // Whether a result of the step holds a NaN (an infinity) that the step wrote, wherever it came from.
  bool writes_wanted(std::uint32_t step, bool nan, bool inf);
  // The first byte of a place that a step reads.
  std::optional<ByteRange> first_read(std::uint32_t step, ByteRange place);

 protected:
  std::shared_ptr<const Recording> recording_;
  Inspector inspector_;
  // What the questions cost, in steps: a step's micro-steps or data flow take as long as some hundred.
  std::uint32_t spent_ = 0;

 private:
  static constexpr std::uint32_t kLookingInto = 400;

  StepReads reads_;
  std::optional<StepIndex> index_;
  std::optional<std::uint32_t> traced_;
  Trace trace_;
  std::size_t trace_bytes_ = 0;
};

}  // namespace ts
