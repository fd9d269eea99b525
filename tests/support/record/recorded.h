// Recordings to ask things of: random programs and texts with loops, calls and blocks, whole or thinned, on both
// targets.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/compile/open.h"
#include "core/record/recording.h"
#include "tests/support/random.h"

namespace ts::test {

using SharedRecording = std::shared_ptr<const Recording>;

struct Recorded {
  std::string name;
  SharedRecording recording;
};

inline constexpr std::size_t kPlentyOfBytes = std::size_t{256} << 20;

// A text that opens without an error, run. Fails the test when it does not open.
SharedRecording record_text(std::string_view text, const OpenRequest& request = {},
                            const RecordOptions& options = {.budget_bytes = kPlentyOfBytes});
// A sample of samples/, on its own target.
SharedRecording record_sample(const std::string& name, const OpenRequest& request = {},
                              const RecordOptions& options = {.budget_bytes = kPlentyOfBytes});
SharedRecording record_random(std::uint64_t seed, Target target, std::uint32_t steps,
                              const RecordOptions& options = {.budget_bytes = kPlentyOfBytes});
SharedRecording record_random_text(std::uint64_t seed, Target target,
                                   const RecordOptions& options = {.budget_bytes = kPlentyOfBytes});
// The same recording with so small a budget that most of its snapshots are dropped.
SharedRecording thinned(const Recording& recording);

// The bytes that a step wrote.
std::set<Flat> bytes_written(const Recording& recording, std::uint32_t step);

// Some of each.
std::vector<Recorded> some_recordings(std::uint64_t seed);

}  // namespace ts::test
