// Looking things up in a tree.
#include "core/text/tree.h"

namespace ts::text {

bool is_operand(ItemKind kind) {
  switch (kind) {
    case ItemKind::Use:
    case ItemKind::Element:
    case ItemKind::Int:
    case ItemKind::Float:
    case ItemKind::Bool:
    case ItemKind::String:
    case ItemKind::Symbol:
    case ItemKind::Address:
    case ItemKind::Enum: return true;
    default: return false;
  }
}

const Item* Tree::find(const Op& op, ItemKind kind) const {
  for (const Item& item : meaning(op))
    if (item.kind == kind) return &item;
  return nullptr;
}

const Item* Tree::find(const Op& op, std::string_view name) const {
  for (const Item& item : meaning(op)) {
    if (item.is_named() && name_of(item) == name) return &item;
    if (item.kind != ItemKind::Dict) continue;
    for (const Item& entry : children(item))
      if (name_of(entry) == name) return &entry;
  }
  return nullptr;
}

SourceOrigin Tree::origin_of(OpId op) const {
  const std::uint32_t written = ops[op].location;
  return written == kNoId ? SourceOrigin{} : text::origin_of(locations, *source, locations.written[written].what);
}

std::size_t Tree::memory_bytes() const {
  return items.size() * sizeof(Item) + ops.size() * sizeof(Op) + blocks.size() * sizeof(Block) +
         comments.size() * sizeof(Comment) + locations.memory_bytes();
}

}  // namespace ts::text
