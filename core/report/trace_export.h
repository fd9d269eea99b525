// A recording as a trace for chrome://tracing and ui.perfetto.dev: a thread for each pipe, an event for each step.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/data/file.h"
#include "core/record/recording.h"

namespace ts {

struct TraceOptions {
  // The steps [first, end); of more than `most_steps` the first ones, and the file says so.
  std::uint32_t first = 0, end = ~0u;
  std::uint32_t most_steps = 1'000'000;
  std::function<bool(std::uint32_t)> go_on = {};  // asked with the steps so far; false: nothing is written
  data::WriteRules rules = {};
};

// How many steps of a recording of that length are written.
std::uint32_t trace_length(std::uint32_t count, const TraceOptions& options);

// Nothing knows how long a step takes: each is one microsecond long and stands where its number says, so the axis
// counts steps. `findings` are by step, as Session::findings() has them; bookmarks are positions. Written step by step:
// length needs no memory. Empty text: it worked.
data::Error export_trace(const Recording& recording, const std::vector<Finding>& findings,
                         const std::map<std::string, std::uint32_t>& bookmarks, const std::string& path,
                         const TraceOptions& options = {});

}  // namespace ts
