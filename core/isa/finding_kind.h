// What something that was found is about: people choose by it what they want to hear of.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ts {

enum class FindingKind : std::uint8_t {
  Rule,      // a rule of the instruction, and whatever has no kind of its own
  Bounds,    // a tile or access over its memory's end, or over its operand's
  Align,     // a misaligned address
  Reach,     // an operand in a memory that the instruction cannot reach
  Offset,    // an offset or index outside its source
  Order,     // operands that overlap, so that the order of accesses matters
  Defined,   // never-written or unspecified bytes that reach a result
  Overread,  // bytes beside the operand that reach a result
  Mask,      // mask bits that nobody wrote and that decide a result
  Alias,     // two tiles in the same bytes, both still needed
  Scratch,   // scratch put over something that is still needed
  Sync,      // two pipes at the same bytes with nothing that orders them
  Flags,     // flags raised or waited for without their partner
  Nan,       // produced: nothing it was made of is one
  Inf,
  Precision,  // further from the exact value than a bound, while what it was made of is not
  Device,     // legal, but not what devices are known to take
  Collision,  // lanes that write different values to one element
  Clip,       // elements that the range of their type cut off
  Cores,      // two cores at the same bytes with nothing that orders them
};
inline constexpr int kFindingKinds = 20;
const char* name(FindingKind kind);  // "bounds"
std::optional<FindingKind> find_finding_kind(std::string_view name);

}  // namespace ts
