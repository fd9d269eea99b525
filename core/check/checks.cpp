// The table of what is looked for.
#include <fmt/format.h>

#include <algorithm>

#include "core/check/check.h"
#include "core/text/near.h"

namespace ts {
namespace {

constexpr std::string_view kLevels[] = {"off", "note", "warn", "error", "own"};

// By kind.
constexpr CheckRow kChecks[] = {
    {FindingKind::Rule, "", Level::Own, "rules of the instructions"},
    {FindingKind::Bounds, "", Level::Own, "tiles and accesses over the end of their memory"},
    {FindingKind::Align, "", Level::Own, "misaligned addresses"},
    {FindingKind::Offset, "", Level::Own, "offsets and indices outside their source"},
    {FindingKind::Order, "", Level::Own, "operands that overlap, so that the order of accesses matters"},
    {FindingKind::Defined, "CHK-DEFINED", Level::Error, "never-written or unspecified bytes that reach a result"},
    {FindingKind::Overread, "CHK-OVERREAD", Level::Warn, "bytes beside the operand that reach a result"},
    {FindingKind::Mask, "CHK-MASK", Level::Error, "mask bits that nobody wrote and that decide a result"},
    {FindingKind::Alias, "CHK-ALIAS", Level::Warn, "two tiles in the same bytes, both still needed"},
    {FindingKind::Scratch, "CHK-SCRATCH", Level::Warn, "scratch put over something that is still needed"},
    {FindingKind::Sync, "CHK-SYNC", Level::Warn, "two pipes at the same bytes with nothing that orders them"},
    {FindingKind::Flags, "", Level::Own, "flags raised or waited for without their partner"},
    {FindingKind::Nan, "CHK-NAN", Level::Warn, "the first NaN: nothing it was made of is one"},
    {FindingKind::Inf, "CHK-INF", Level::Note, "the first infinity: nothing it was made of is one"},
    {FindingKind::Precision, "CHK-PRECISION", Level::Note, "results far from their exact value, while their sources are not"},
};
static_assert(std::size(kChecks) == kFindingKinds);

}  // namespace

const char* name(Level level) { return kLevels[static_cast<int>(level)].data(); }

std::optional<Level> find_level(std::string_view name) {
  const auto* found = std::ranges::find(kLevels, name);
  if (found == std::end(kLevels)) return {};
  return static_cast<Level>(found - kLevels);
}

std::span<const CheckRow> checks() { return kChecks; }
const CheckRow& check_row(FindingKind kind) { return kChecks[static_cast<int>(kind)]; }

CheckOptions::CheckOptions() {
  for (const CheckRow& row : kChecks) set(row.kind, row.level);
}

}  // namespace ts
