// Looking for the operation of a line.
#include "core/text/op_at_line.h"

#include <algorithm>

namespace ts::text {

std::uint32_t head_end(const Tree& tree, const Op& op) {
  std::uint32_t end = op.range.end;
  for (const Item& item : tree.op_items(op))
    if (item.kind == ItemKind::Region) end = std::min(end, item.range.begin);
  return end;
}

std::optional<std::uint32_t> op_line(const Tree& tree, std::uint32_t line) {
  std::optional<std::uint32_t> found;
  std::uint32_t begin = 0;
  for (const Op& op : tree.ops) {
    if (found && op.range.begin < begin) continue;
    const std::uint32_t end = head_end(tree, op);
    if (end <= op.range.begin || tree.source->position(op.range.begin).line > line ||
        tree.source->position(end - 1).line < line)
      continue;
    // Of several on one line the first, as always; of one in another, that one.
    const std::uint32_t at = tree.source->position(op.name.begin).line;
    if (found && *found == line) continue;
    found = at;
    begin = op.range.begin;
  }
  return found;
}

}  // namespace ts::text
