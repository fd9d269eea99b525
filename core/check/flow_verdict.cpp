// Judging single bytes and bits, and what is made of them.
#include "core/check/flow_verdict.h"

#include <algorithm>

#include "core/record/operand_place.h"

namespace ts {

bool all_good(const Memory& memory, const Taint& taint, Flat begin, std::uint32_t size) {
  return memory.worst_definedness(begin, size) == Definedness::Written && !taint.any(begin, size);
}

VerdictRule::VerdictRule(const Bound& bound, const Memory& before, const Taint& taint)
    : before_(before), taint_(taint) {
  const MemoryMap& map = before.map();
  const auto add = [&](const ByteRange& range) {
    const Flat begin = map.flat(range);
    inside_.push_back({begin, begin + range.size});
  };
  for (const Operand& operand : bound.operands) {
    by_offsets_ = by_offsets_ || operand.spec->role == Role::Offsets;
    if (operand.spec->kind != OperandKind::Scalar) add(bytes_of(operand));
  }
  add({Space::Spr, 0, map.size(Space::Spr), BytePart::Whole, bound.core});
}

bool VerdictRule::inside(Flat at) const {
  return std::ranges::any_of(inside_, [&](const Range& range) { return at >= range.begin && at < range.end; });
}

Verdict VerdictRule::leaf(Tag tag) const {
  const bool bit = is_bit_tag(tag);
  if (!is_memory_tag(tag)) return {};
  const Flat at = byte_of(tag);
  const Taint::Origin* origin = taint_.at(at);
  const bool tainted = origin != nullptr && (!bit || (origin->bits >> (tag - kFirstBitTag) % 8 & 1) != 0);
  const bool good = before_.definedness(at) == Definedness::Written && !tainted;
  if (!good) return bit ? Verdict{.mask = tag} : Verdict{.undefined = tag};
  return inside(at) ? Verdict{} : Verdict{.beside = tag};
}

Verdict VerdictRule::joined(const Verdict& a, const Verdict& b) {
  const auto first = [](Tag one, Tag other) { return one != kNoTag ? one : other; };
  return {first(a.undefined, b.undefined), first(a.mask, b.mask), first(a.beside, b.beside)};
}

Verdict VerdictRule::node(NodeKind kind, const Verdict& a, const Verdict& b) const {
  switch (kind) {
    case NodeKind::Combine:
    case NodeKind::Halves: return joined(a, b);
    case NodeKind::Chosen: {
      // Where an offset points is the business of the instruction's data rule, which tells of offsets outside the
      // source.
      Verdict value = a;
      if (by_offsets_) value.beside = kNoTag;
      return joined(value, b);
    }
    case NodeKind::HalfOf:
    case NodeKind::Bits: return a;
    case NodeKind::BitOf:
      return {.undefined = kNoTag, .mask = a.undefined != kNoTag ? a.undefined : a.mask, .beside = a.beside};
    case NodeKind::Unspecified: break;  // told when it reaches a result of another step
  }
  return {};
}

}  // namespace ts
