// Asking a recording, with what was asked last kept.
#include "core/debug/origins/questions.h"

#include <algorithm>
#include <utility>

#include "core/debug/origins/produced.h"

namespace ts {

Questions::Questions(std::shared_ptr<const Recording> recording)
    : recording_(std::move(recording)), inspector_(*recording_), reads_(*recording_, inspector_) {}

const StepIndex& Questions::index() {
  if (!index_) index_.emplace(*recording_);
  return *index_;
}

const Trace& Questions::trace(std::uint32_t step) {
  if (traced_ == step) return trace_;
  trace_ = inspector_.trace(step);
  trace_bytes_ = trace_.held_bytes();
  traced_ = step;
  return trace_;
}

std::size_t Questions::held_bytes() const {
  return inspector_.held_bytes() + reads_.held_bytes() + (index_ ? index_->held_bytes() : 0) + trace_bytes_;
}

std::optional<std::uint32_t> Questions::find_tile(std::string_view tile, std::uint32_t position) {
  const std::vector<TileDecl>& tiles = recording_->program().tiles;
  std::vector<std::uint32_t> named;
  for (std::uint32_t i = 0; i < tiles.size(); ++i)
    if (tiles[i].is_called(tile)) named.push_back(i);
  if (named.size() < 2) return named.empty() ? std::nullopt : std::optional(named.front());
  if (count() == 0) return named.front();
  // Scopes have names of their own: it is the one that a step worked on last.
  for (std::uint32_t step = std::min(position + 1, count()); step-- > 0;)
    for (const Operand& operand : recording_->bound(step).operands)
      if (operand.spec->kind == OperandKind::Tile && std::ranges::binary_search(named, operand.id)) return operand.id;
  return named.front();
}

std::optional<std::uint32_t> Questions::find_buffer(std::string_view buffer) const {
  const std::vector<BufferDecl>& buffers = recording_->program().buffers;
  const auto found = std::ranges::find(buffers, buffer, &BufferDecl::name);
  if (found == buffers.end()) return {};
  return static_cast<std::uint32_t>(found - buffers.begin());
}

TileRef Questions::tile_at(std::uint32_t tile, std::uint32_t position) {
  const auto uses = index().uses(tile);
  if (uses.empty()) return index().declared(tile);
  const auto after = std::ranges::upper_bound(uses, position, {}, &StepIndex::TileUse::position);
  return after == uses.begin() ? uses.front().tile : (after - 1)->tile;
}

bool Questions::writes_wanted(std::uint32_t step, bool nan, bool inf) {
  return wrote_specials(*recording_, inspector_, step, {nan, inf});
}

std::optional<Cell> Questions::produced(std::uint32_t step, bool nan, bool inf) {
  if (!writes_wanted(step, nan, inf)) return {};
  spent_ += kLookingInto;
  return first_special(*recording_, inspector_, step, {nan, inf},
                       [this](ByteRange place, std::uint32_t before) { return made_by_step(flow(), place, before); });
}

// The first byte of a place that a micro-operation of the step reads.
std::optional<ByteRange> Questions::first_read(std::uint32_t step, ByteRange place) {
  if (!reads_.may_read(step, place)) return {};
  spent_ += kLookingInto;
  std::optional<ByteRange> first;
  for (const MicroStep& micro : trace(step).steps) {
    for (const TraceAccess& read : micro.reads) {
      const std::uint32_t begin = std::max(read.address, place.address);
      if (!read.place().in_same_memory(place) ||
          begin >= std::min(read.address + read.size, place.address + place.size))
        continue;
      if (!first || begin < first->address) first = place.with(begin, 1);
    }
  }
  return first;
}

}  // namespace ts
