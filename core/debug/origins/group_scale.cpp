// From an element to the scale of its group.
#include "core/debug/origins/group_scale.h"

#include "core/catalogue/shared_scale.h"
#include "core/record/operand_place.h"

namespace ts {

std::optional<GroupScale> group_scale(const Recording& recording, std::span<const Made> makers,
                                      const ByteRange& place) {
  if (makers.size() != 1 || makers[0].maker != Maker::Step) return {};
  const Bound& bound = recording.bound(makers[0].step);
  const int number = operand_holding(bound, place, true);
  if (number < 0) return {};
  const Operand& result = bound.operands[static_cast<std::size_t>(number)];
  const OperandElement element = element_of(result, place.address, place.part);
  const auto shared = shared_scale(bound, result.spec->name, element.row, element.col);
  const Operand* scales = shared ? bound.find(shared->operand) : nullptr;
  if (scales == nullptr) return {};
  return GroupScale{scales->id, shared->row, shared->col, scales->tile.place_of(shared->row, shared->col),
                    makers[0].step};
}

}  // namespace ts
