// Who hears of a flag, and who is there.
#include "core/program/cores/signals.h"

#include <algorithm>

#include "core/program/sync.h"

namespace ts {
namespace {

constexpr std::uint32_t kSecondCore = 16;  // a5: the cube core's flags to and from the second vector core begin here
enum FlagMode : std::uint8_t { kAllOfKind, kVectorCores, kCubeAndVector };

std::vector<CoreId> vector_cores(const Program& program, CoreId first) {
  std::vector<CoreId> out;
  for (std::size_t i = 0; i < program.cores.size(); ++i)
    if (program.cores[i].kind == CoreKind::Vector) out.push_back(static_cast<CoreId>(first + i));
  return out;
}

std::vector<CoreId> all_of_kind(const Program& program, CoreKind kind) {
  std::vector<CoreId> out;
  for (CoreId core = 0; core < program.cores_at_once(); ++core)
    if (program.cores[core % program.cores.size()].kind == kind) out.push_back(core);
  return out;
}

// a2a3: one flag for all vector cores of a block, and from all of them.
Signal shared_signal(const Program& program, CoreKind kind, CoreId core, CoreId first, std::uint8_t mode) {
  if (mode == kAllOfKind) return {all_of_kind(program, kind), all_of_kind(program, kind)};
  const std::vector<CoreId> vectors = vector_cores(program, first);
  if (mode == kVectorCores) return {vectors, vectors};
  return kind == CoreKind::Cube ? Signal{{core}, vectors} : Signal{vectors, {first}};
}

}  // namespace

std::vector<Signal> signals_of(const Program& program, const Bound& set) {
  const auto cores = static_cast<CoreId>(program.cores.size());
  const CoreId core = set.core, in_block = core % cores;
  const auto first = static_cast<CoreId>(core - in_block);
  const CoreKind kind = program.cores[in_block].kind;
  const std::uint32_t id = set.attributes.back();
  if (kind == CoreKind::Joint) return {};
  if (program.target == Target::A2A3) {
    Signal signal = shared_signal(program, kind, core, first, set.attributes[kFlagMode]);
    signal.counter = id;
    return {signal};
  }
  if (kind == CoreKind::Vector) return {{{core}, {first}, id % kSecondCore + (in_block - 1) * kSecondCore}};
  std::vector<Signal> out;
  const auto add = [&](std::uint32_t counter) {
    const auto to = static_cast<CoreId>(first + 1 + counter / kSecondCore);
    if (to < first + cores) out.push_back({{core}, {to}, counter % kSecondCore});
  };
  add(id);
  if (set.attributes[kFlagMirrored] != 0) add(id + kSecondCore);
  return out;
}

std::uint32_t counter_of(const Bound& wait) { return wait.attributes.back(); }

bool Signals::set(const Signal& signal, CoreId by) {
  Sets& sets = sets_[{signal.from.front(), signal.to.front(), signal.counter}];
  ++sets.by[by];
  for (const CoreId core : signal.from)
    if (sets.by[core] <= sets.done) return false;
  ++sets.done;
  for (const CoreId core : signal.to) ++counts_[core][signal.counter];
  return true;
}

bool takes_part(CoreKind kind, MeetingOf who) {
  return kind == CoreKind::Joint || who == MeetingOf::All || (kind == CoreKind::Vector) == (who == MeetingOf::Vector);
}

MeetingOf meeting_of(const Bound& meet) { return static_cast<MeetingOf>(meet.attributes[kMeetingCores]); }

bool Meetings::come(CoreId core, MeetingOf who, std::uint32_t needed) {
  Arrivals& arrivals = arrivals_[static_cast<std::size_t>(who)];
  if (waits_for_[core] == 0) {
    waits_for_[core] = (arrivals.all / needed + 1) * needed;
    ++arrivals.all;
    ++arrivals.of[core];
  }
  if (arrivals.all < waits_for_[core]) return false;
  waits_for_[core] = 0;
  return true;
}

std::uint32_t Meetings::came(CoreId core, MeetingOf who) const {
  const auto& of = arrivals_[static_cast<std::size_t>(who)].of;
  const auto found = of.find(core);
  return found == of.end() ? 0 : found->second;
}

}  // namespace ts
