// Runs with something changed by hand, as `--edit t2[1,5]=3@12` asks for it, and what came of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/record/recording.h"

namespace ts {

struct EditedRun {
  std::shared_ptr<const Recording> recording;
  std::vector<std::string> edits;             // with their positions
  std::optional<std::uint32_t> differs = {};  // the first step whose results are not those of the run without them
  std::string text = {};                      // all of it, for people
};

// Nothing: it cannot be, and stderr says why.
std::optional<EditedRun> run_with_edits(const std::shared_ptr<const Recording>& run,
                                        const std::vector<std::string>& edits);

}  // namespace ts
