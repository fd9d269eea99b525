// The table of what is looked for.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/check/check.h"
#include "core/text/count.h"
#include "core/text/near.h"

namespace ts {
namespace {

constexpr std::string_view kLevels[] = {"off", "note", "warn", "error", "own"};

// By kind.
// clang-format off
constexpr CheckRow kChecks[] = {
    {FindingKind::Rule, "", Level::Own, "rules of the instructions; rows that nobody wrote, columns that are left out, terms that a product should not have"},
    {FindingKind::Bounds, "", Level::Own, "tiles and accesses over the end of their memory"},
    {FindingKind::Align, "", Level::Own, "misaligned addresses"},
    {FindingKind::Reach, "", Level::Own, "operands in a memory that the instruction cannot reach"},
    {FindingKind::Offset, "", Level::Own, "offsets and indices outside their source"},
    {FindingKind::Order, "", Level::Own, "operands that overlap, so that the order of accesses matters"},
    {FindingKind::Defined, "CHK-DEFINED", Level::Error, "never-written or unspecified bytes that reach a result"},
    {FindingKind::Overread, "CHK-OVERREAD", Level::Warn, "bytes beside the operand that reach a result"},
    {FindingKind::Mask, "CHK-MASK", Level::Error, "mask bits that nobody wrote and that decide a result"},
    {FindingKind::Alias, "CHK-ALIAS", Level::Warn, "two tiles in the same bytes, both still needed"},
    {FindingKind::Scratch, "CHK-SCRATCH", Level::Warn, "scratch put over something that is still needed"},
    {FindingKind::Sync, "CHK-SYNC", Level::Warn, "two pipes at the same bytes with nothing that orders them"},
    {FindingKind::Flags, "", Level::Own, "flags raised or waited for without their partner; that there are none at all"},
    {FindingKind::Nan, "CHK-NAN", Level::Warn, "the first NaN: nothing it was made of is one"},
    {FindingKind::Inf, "CHK-INF", Level::Note, "the first infinity: nothing it was made of is one"},
    {FindingKind::Precision, "CHK-PRECISION", Level::Note, "results far from their exact value, while their sources are not"},
    {FindingKind::Device, "CHK-DEVICE", Level::Warn, "legal, but not what devices are known to take"},
    {FindingKind::Collision, "", Level::Own, "elements that several lanes of a scatter write with different values"},
    {FindingKind::Clip, "CHK-CLIP", Level::Note, "elements that quantising cuts off at the ends of their type"},
    {FindingKind::Cores, "MK-33", Level::Warn, "two cores at the same bytes with nothing that orders them"},
};
// clang-format on
static_assert(std::size(kChecks) == kFindingKinds);

constexpr std::string_view kMostUlp = "precision.ulp", kMostClipped = "clip.elements", kUbLimit = "device.ub",
                           kCaches = "cores.caches";

constexpr std::uint32_t kMostUb = 1u << 20;

std::vector<std::string_view> check_names() {
  std::vector<std::string_view> names{"all", kMostUlp, kMostClipped, kUbLimit, kCaches};
  for (const CheckRow& row : kChecks) names.push_back(name(row.kind));
  return names;
}

Refusal no_such_check(std::string_view what) {
  const auto near = text::near_names(what, check_names());
  return {fmt::format("no check is called {}", what), near.empty()
                                                          ? fmt::format("there are {}", fmt::join(check_names(), ", "))
                                                          : fmt::format("did you mean {}?", fmt::join(near, " or "))};
}

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

std::optional<Refusal> set_check(CheckOptions& options, std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view what = text.substr(0, equals), value = equals == text.npos ? "" : text.substr(equals + 1);
  if (what == kMostUlp) {
    if (!text::parse_count(value, options.most_ulp))
      return Refusal{fmt::format("{}: {} is no number", what, value),
                     "elements between the result and the exact value, such as precision.ulp=4"};
    return {};
  }
  if (what == kMostClipped) {
    if (!text::parse_count(value, options.most_clipped))
      return Refusal{fmt::format("{}: {} is no number", what, value),
                     "elements of a step that may be cut off, such as clip.elements=40"};
    return {};
  }
  if (what == kUbLimit) {
    std::uint64_t limit = 0;
    if (!text::parse_count(value, limit) || limit > kMostUb)
      return Refusal{fmt::format("{}: {} is no number of bytes up to {}", what, value, kMostUb),
                     "how much of ub is safe, such as device.ub=188416"};
    options.ub_limit = static_cast<std::uint32_t>(limit);
    return {};
  }
  if (what == kCaches) {
    if (value != "on" && value != "off")
      return Refusal{fmt::format("{}: {} is neither on nor off", what, value),
                     "on: scalars that are stored and read by others need their cache lines written back"};
    options.caches = value == "on";
    return {};
  }
  const auto kind = find_finding_kind(what);
  if (!kind && what != "all") return no_such_check(what);
  const auto level = find_level(value);
  if (!level)
    return Refusal{fmt::format("{}: {} is no level", what, value.empty() ? "nothing" : value),
                   "one of off, note, warn, error, own"};
  for (const CheckRow& row : kChecks)
    if (!kind || *kind == row.kind) options.set(row.kind, *level == Level::Own ? row.level : *level);
  return {};
}

}  // namespace ts
