// Two trees, operation by operation.
#include "core/text/same_tree.h"

#include <unordered_map>

#include "core/text/spelling.h"

namespace ts::text {
namespace {

class Comparison {
 public:
  Comparison(const Tree& a, const Tree& b) : a_(a), b_(b) {}

  bool same_ops(OpId a, OpId b) {
    for (; a != kNoId && b != kNoId; a = a_.ops[a].next, b = b_.ops[b].next)
      if (!same_op(a_.ops[a], b_.ops[b])) return false;
    return a == b;
  }

 private:
  bool same_op(const Op& a, const Op& b) {
    return a.form == b.form && current_name(a_, a) == current_name(b_, b) && same_items(a_.results(a), b_.results(b)) &&
           same_items(a_.op_items(a), b_.op_items(b)) && a_.location_text(a.location) == b_.location_text(b.location);
  }

  bool same_items(std::span<const Item> a, std::span<const Item> b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!same_item(a[i], b[i])) return false;
    return true;
  }

  bool same_item(const Item& a, const Item& b) {
    if (a.kind != b.kind || a.comma_before != b.comma_before || a.style != b.style) return false;
    switch (a.kind) {
      case ItemKind::Use:
      case ItemKind::Def: return a.first == b.first && a_.text(a) == b_.text(b);
      case ItemKind::Int:
      case ItemKind::Float:
      case ItemKind::Bool:
      case ItemKind::String:
      case ItemKind::Word:
      case ItemKind::Symbol: return a_.text(a) == b_.text(b);
      case ItemKind::Attr: return a_.text(a) == b_.text(b) || attribute_text(a_.text(a)) == attribute_text(b_.text(b));
      case ItemKind::Type: return same_type(a.first, b.first);
      case ItemKind::Region: return same_blocks(a.first, b.first);
      case ItemKind::Enum: return same_enum(a_.children(a), b_.children(b));
      default: break;
    }
    if (a.kind == ItemKind::Param && a_.location_text(a.location()) != b_.location_text(b.location())) return false;
    if (a.is_named() && a_.name_of(a) != b_.name_of(b)) return false;
    return same_items(a_.children(a), b_.children(b));
  }

  bool same_enum(std::span<const Item> a, std::span<const Item> b) {
    if (a.size() != b.size() || a_.text(a.back()) != b_.text(b.back())) return false;
    return a.size() == 1 || current_family(a_.text(a[0])) == current_family(b_.text(b[0]));
  }

  bool same_blocks(BlockId a, BlockId b) {
    for (; a != kNoId && b != kNoId; a = a_.blocks[a].next, b = b_.blocks[b].next) {
      const Block& left = a_.blocks[a];
      const Block& right = b_.blocks[b];
      if (a_.text(left.label) != b_.text(right.label) || !same_items(a_.args(left), b_.args(right))) return false;
      if (!same_ops(left.first_op, right.first_op)) return false;
    }
    return a == b;
  }

  // Tables number types in the order they come; a pair that was the same once is the same.
  bool same_type(TypeId a, TypeId b) {
    const auto known = same_types_.find(a);
    if (known != same_types_.end()) return known->second == b;
    if (a_.types.print(a) != b_.types.print(b)) return false;
    same_types_[a] = b;
    return true;
  }

  const Tree& a_;
  const Tree& b_;
  std::unordered_map<TypeId, TypeId> same_types_;
};

}  // namespace

bool same_tree(const Tree& a, const Tree& b) { return Comparison(a, b).same_ops(a.first_op, b.first_op); }

}  // namespace ts::text
