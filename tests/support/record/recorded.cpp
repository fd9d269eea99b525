// Making recordings for tests.
#include "tests/support/record/recorded.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/text/render.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/record/random_program.h"
#include "tests/support/text/open_text.h"
#include "tests/support/text/sample_file.h"
#include "tests/support/text/text_program.h"

namespace ts::test {

SharedRecording record_text(std::string_view text, const OpenRequest& request, const RecordOptions& options) {
  OpenedText opened = open_text(text, {}, request);
  if (!opened.opened)
    for (const Diagnostic& diagnostic : opened.diagnostics) FAIL_CHECK(text::render(diagnostic, *opened.tree->source));
  REQUIRE(opened.opened.has_value());
  return Recording::run(std::move(opened.opened->program), options);
}

SharedRecording record_sample(const std::string& name, const OpenRequest& request, const RecordOptions& options) {
  std::ifstream file(sample_path(name), std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return record_text(text.str(), request, options);
}

SharedRecording record_random(std::uint64_t seed, Target target, std::uint32_t steps, const RecordOptions& options) {
  Random random(seed);
  return Recording::run(random_program(random, target, steps), options);
}

SharedRecording record_random_text(std::uint64_t seed, Target target, const RecordOptions& options) {
  Random random(seed);
  const TextProgram program = random_text_program(random, target);
  OpenRequest request{.target = target};
  request.inputs.data = program.data;
  return record_text(program.text, request, options);
}

SharedRecording thinned(const Recording& recording) {
  RecordOptions options = recording.options();
  options.budget_bytes = std::size_t{64} << 10;
  // Position 0 has to fit, and some more.
  for (;; options.budget_bytes += options.budget_bytes / 4) {
    SharedRecording few = Recording::run(recording.program(), options);
    if (few->count() < recording.count()) continue;
    // Some room to spare, for edits.
    options.budget_bytes += options.budget_bytes / 4;
    few = Recording::run(recording.program(), options);
    REQUIRE(few->thinning());
    return few;
  }
}

std::set<Flat> bytes_written(const Recording& recording, std::uint32_t step) {
  std::set<Flat> bytes;
  for (const WritePattern& pattern : recording.writes(step))
    for (std::uint32_t run = 0; run < pattern.count; ++run)
      for (std::uint32_t i = 0; i < pattern.size; ++i) bytes.insert(pattern.base + run * pattern.stride + i);
  return bytes;
}

std::vector<Recorded> some_recordings(std::uint64_t seed) {
  std::vector<Recorded> all;
  for (const Target target : kBothTargets) {
    const std::string on = fmt::format(" on {}, seed {}", name(target), seed);
    all.push_back({"random program" + on, record_random(seed, target, 60)});
    const auto whole = record_random(seed + 1, target, 300);
    all.push_back({"long random program, thinned" + on, thinned(*whole)});
    for (std::uint64_t i = 0; i < 3; ++i)
      all.push_back({fmt::format("random text {}", i) + on, record_random_text(seed + i, target)});
  }
  for (const char* sample :
       {"row_loop", "transpose_loop", "table_lookup", "masked_select", "block_lookup", "complex_merge"})
    all.push_back({sample, record_sample(sample)});
  OpenRequest blocks;
  blocks.blocks = 3;
  all.push_back({"row_loop in three blocks", record_sample("row_loop", blocks)});
  return all;
}

}  // namespace ts::test
