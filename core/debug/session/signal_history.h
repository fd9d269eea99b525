// Steps that wait for other cores beside queues: at a flag, where cores meet, for a device's signal. When each could go on.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/record/recording.h"

namespace ts {

class SignalHistory {
 public:
  // Reads the recording once.
  explicit SignalHistory(const Recording& recording);

  // What the step waited for at a position before it, and who had to do something; empty: it could have been made then.
  std::string waits_for(std::uint32_t step, std::uint32_t position, std::vector<CoreId>& on) const;

 private:
  // Somebody that has to come first: up to which position it had not.
  struct Bringer {
    CoreId core;
    std::uint32_t position;
  };
  struct Wait {
    std::string what;      // "flag 3"
    std::size_t bringers;  // in `brought_`
  };
  class Reader;

  std::vector<std::vector<Bringer>> brought_;
  std::unordered_map<std::uint32_t, Wait> waits_;  // by step
};

}  // namespace ts
