// The tag machine's shadows of one step, taken on to the next.
#include "core/debug/origins/shadow_walk.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/isa/element.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

// What only moves floats computes none, unless they are sums on their way out of the accumulator.
bool may_compute_floats(const Bound& bound) {
  return is_float(bound.dtype()) && (!bound.row->moves || &machines_for(bound) != &bound.row->machines);
}

// Of the element that begins here, if its bytes came here together.
Shadow shadow_of_result(const TagMemory& tags, Flat at, Flat end) {
  const Tag first = tags.tag(at);
  if (!is_node_tag(first) && !is_byte_tag(first)) return {};
  const Shadow shadow = is_node_tag(first) ? tags.shadow({first, 1}) : tags.shadows->at(first);
  if (!shadow || at + size_bytes(shadow.type) > end) return {};
  const Tag step = is_node_tag(first) ? 0 : 1;
  for (std::uint32_t k = 1; k < size_bytes(shadow.type); ++k)
    if (tags.tag(at + k) != first + k * step) return {};
  return shadow;
}

std::vector<MadeElement> made_by(const Flow& flow, std::span<const WritePattern> writes) {
  std::vector<MadeElement> out;
  const std::byte* left = flow.left().data();
  const auto look_at = [&](Flat base, std::uint32_t size) {
    for (std::uint32_t k = base % 2; k < size;) {
      MadeElement made{.at = base + k, .shadow = shadow_of_result(flow.tags(), base + k, base + size)};
      const std::uint32_t bytes = made.shadow ? size_bytes(made.shadow.type) : 2;
      if (made.shadow) {
        std::memcpy(&made.bits, left + k, bytes);
        if (to_double(made.shadow.type, made.bits) != made.shadow.value) out.push_back(made);
      }
      k += bytes;
    }
    left += size;
  };
  for (const WritePattern& pattern : writes) for_runs(pattern, look_at);
  return out;
}

}  // namespace

std::optional<ShadowWalk::Looked> ShadowWalk::look(Inspector& inspector, std::uint32_t step) {
  const Bound& bound = recording_.bound(step);
  for (const Edit& edit : recording_.edits_at(step)) forget(edit.place());
  if (bound.row->effect == Effect::StartsBlock) forget_core(bound.core);
  if (machines_for(bound).run == nullptr || !concerns(bound)) return {};
  const Flow flow = inspector.flow(step, &shadows_);
  return Looked{flow, made_by(flow, recording_.writes(step))};
}

void ShadowWalk::leave(std::uint32_t step, std::span<const MadeElement> made) {
  for (const WritePattern& pattern : recording_.writes(step))
    for_runs(pattern, [&](Flat base, std::uint32_t size) { shadows_.forget(base, size); });
  for (const MadeElement& one : made) shadows_.keep(one.at, one.shadow);
}

std::optional<FoundElement> ShadowWalk::result(std::uint32_t step, const MadeElement& made) const {
  const Bound& bound = recording_.bound(step);
  const ByteRange place = recording_.map().locate(made.at, size_bytes(made.shadow.type));
  const int number = operand_holding(bound, place, true);
  if (number < 0) return {};
  const Operand& operand = bound.operands[static_cast<std::size_t>(number)];
  const OperandElement element = element_of(operand, place.address);
  const bool valid = operand.spec->kind != OperandKind::Tile ||
                     (element.row < operand.tile.valid_rows && element.col < operand.tile.valid_cols);
  if (!valid || element_type(operand) != made.shadow.type || element.place != place) return {};
  return FoundElement{number, element.row, element.col, place};
}

void ShadowWalk::forget(const ByteRange& place) { shadows_.forget(recording_.map().flat(place), place.size); }

// As a block does that begins.
void ShadowWalk::forget_core(CoreId core) {
  const MemoryMap& map = recording_.map();
  shadows_.forget(map.begin_of(core), map.origin(Space::Spr, core) - map.begin_of(core));
}

// Whether shadows may come of it.
bool ShadowWalk::concerns(const Bound& bound) const {
  if (may_compute_floats(bound)) return true;
  return !shadows_.empty() && std::ranges::any_of(bound.operands, [&](const Operand& operand) {
    if (operand.spec->role == Role::Out && !operand.spec->reads) return false;
    const ByteRange place = bytes_of(operand);
    return place.size != 0 && shadows_.any(recording_.map().flat(place), place.size);
  });
}

}  // namespace ts
