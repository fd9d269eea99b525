// What cores say to each other beside queues: flags with counters, and the places where all cores of a kind meet.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "core/program/program.h"

namespace ts {

// When each of `from` has set it once more, a counter of each of `to` goes up by one.
struct Signal {
  std::vector<CoreId> from, to;
  std::uint32_t counter = 0;
};
// What the step of a core signals: nobody, or on a5 both vector cores, one after the other.
std::vector<Signal> signals_of(const Program& program, const Bound& set);
// The counter that the step of a core waits for.
std::uint32_t counter_of(const Bound& wait);

class Signals {
 public:
  static constexpr std::uint32_t kCounters = 32, kMostCount = 15;  // counters have four bits

  explicit Signals(const Program& program) : counts_(program.cores_at_once()) {}
  // True where it went up at the receivers.
  bool set(const Signal& signal, CoreId by);
  std::uint32_t count(CoreId core, std::uint32_t counter) const { return counts_[core][counter]; }
  void take(CoreId core, std::uint32_t counter) { --counts_[core][counter]; }

 private:
  struct Sets {
    std::map<CoreId, std::uint32_t> by;
    std::uint32_t done = 0;
  };
  std::map<std::tuple<CoreId, CoreId, std::uint32_t>, Sets> sets_;  // by the first of each side, and the counter
  std::vector<std::array<std::uint32_t, kCounters>> counts_;        // by core
};

// Who meets at a syncall.
enum class MeetingOf : std::uint8_t { Vector, Cube, All };
bool takes_part(CoreKind kind, MeetingOf who);
MeetingOf meeting_of(const Bound& meet);

class Meetings {
 public:
  explicit Meetings(const Program& program) : waits_for_(program.cores_at_once(), 0) {}
  // A core comes, or asks again; true: enough others came as well, and it goes on. `needed`: cores at each meeting.
  bool come(CoreId core, MeetingOf who, std::uint32_t needed);
  // How often it came.
  std::uint32_t came(CoreId core, MeetingOf who) const;

 private:
  struct Arrivals {
    std::uint64_t all = 0;
    std::map<CoreId, std::uint32_t> of;
  };
  std::array<Arrivals, 3> arrivals_;
  std::vector<std::uint64_t> waits_for_;  // by core: until so many came; 0: it is at no meeting
};

}  // namespace ts
