// What is wrong with the bytes behind a value: found for all values of a step in one pass over its tags.
#pragma once

#include <vector>

#include "core/check/flow_taint.h"
#include "core/record/inspector.h"
#include "core/record/tag_fold.h"

namespace ts {

// Whether all bytes are written, specified, and no copies of others that are not.
bool all_good(const Memory& memory, const Taint& taint, Flat begin, std::uint32_t size);

// The first byte or bit of each kind, as its tag; kNoTag: none.
struct Verdict {
  Tag undefined = kNoTag;  // part of the value, or an offset that chose it
  Tag mask = kNoTag;       // an undefined bit that decided it
  Tag beside = kNoTag;     // in none of the operands, whatever it is worth
  explicit operator bool() const { return undefined != kNoTag || mask != kNoTag || beside != kNoTag; }
};

// The rule for a TagFold.
class VerdictRule {
 public:
  VerdictRule(const Bound& bound, const Memory& before, const Taint& taint);

  Verdict leaf(Tag tag) const;
  static Verdict joined(const Verdict& a, const Verdict& b);
  Verdict node(NodeKind kind, const Verdict& a, const Verdict& b) const;

 private:
  bool inside(Flat at) const;

  struct Range {
    Flat begin, end;
  };
  const Memory& before_;
  const Taint& taint_;
  std::vector<Range> inside_;  // the operands, and the special registers, which are nobody's
  bool by_offsets_ = false;
};

}  // namespace ts
