// Capacities of the memories, from the library's headers of each target.
#include "core/isa/target.h"

namespace ts {
namespace {

constexpr std::uint32_t kKiB = 1024;

struct SpaceRow {
  const char* name;
  std::uint32_t a2a3, a5;
};
constexpr SpaceRow kSpaceRows[kSpaceNames] = {
    {"ub", 192 * kKiB, 256 * kKiB},
    {"l1", 512 * kKiB, 512 * kKiB},
    {"l0a", 64 * kKiB, 64 * kKiB},
    {"l0b", 64 * kKiB, 64 * kKiB},
    {"l0c", 128 * kKiB, 256 * kKiB},
    {"bias", 1 * kKiB, 4 * kKiB},
    {"fixpipe", 2 * kKiB, 4 * kKiB},
    {"l0a_scales", 0, 4 * kKiB},
    {"l0b_scales", 0, 4 * kKiB},
    {"reg", 0, 0},
    {"spr", 2 * kKiB, 2 * kKiB},
    {"gm", 0, 0},
    {"ub of AIV1", 0, 0},
};

}  // namespace

const char* name(Target target) { return target == Target::A2A3 ? "a2a3" : "a5"; }
const char* name(Space space) { return kSpaceRows[static_cast<int>(space)].name; }

std::optional<Space> space_from_name(std::string_view wanted) {
  for (int i = 0; i < kSpaces; ++i)
    if (wanted == kSpaceRows[i].name) return static_cast<Space>(i);
  return std::nullopt;
}

const char* name(CoreKind kind) { return kind == CoreKind::Joint ? "core" : kind == CoreKind::Cube ? "AIC" : "AIV"; }

const char* name(Pipe pipe) {
  constexpr const char* kNames[] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX", "-"};
  return kNames[static_cast<int>(pipe)];
}

std::uint32_t capacity_bytes(Target target, Space space) {
  const SpaceRow& row = kSpaceRows[static_cast<int>(space)];
  return target == Target::A2A3 ? row.a2a3 : row.a5;
}

}  // namespace ts
