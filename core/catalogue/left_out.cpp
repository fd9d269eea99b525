// Optional operands that are not there.
#include "core/catalogue/left_out.h"

#include <algorithm>

namespace ts {

std::vector<LeftOut> scratch_left_out(const Bound& widest) {
  const InstructionRow& row = *widest.row;
  std::vector<LeftOut> out;
  if (row.scratch == nullptr || row.types(widest.target, *widest.options).empty()) return out;
  for (const OperandSpec& spec : row.forms[widest.form].operands) {
    const bool given = std::ranges::any_of(widest.operands, [&](const Operand& one) { return one.spec == &spec; });
    if (!spec.optional || given) continue;
    if (const TileType type = row.scratch(widest); type.rows != 0) out.push_back({&spec, type});
  }
  return out;
}

}  // namespace ts
