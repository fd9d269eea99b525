// What of a run's outputs is wrong: as text, as JSON, and as messages.
#pragma once

#include <cstdio>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "app/files/source_texts.h"
#include "core/debug/goldens/golden_check.h"

namespace ts {

// Nothing: an output and its golden cannot be compared, and stderr says why.
std::optional<std::vector<GoldenResult>> check_goldens(const std::shared_ptr<const Recording>& recording,
                                                       const std::vector<cases::Golden>& goldens,
                                                       const cases::Tolerance& said);
bool all_right(const std::vector<GoldenResult>& results);

// Of each output: how many are wrong, the worst, the first that was made, its step, its lines, the inputs it came from.
void print_goldens(std::FILE* out, const Recording& recording, const std::vector<GoldenResult>& results,
                   SourceTexts& sources);
nlohmann::ordered_json goldens_json(const Recording& recording, const std::vector<GoldenResult>& results,
                                    SourceTexts& sources);
nlohmann::ordered_json tolerance_json(const CompareOptions& options);
// One object: program, target, how it ended, whether all is right, and the goldens; `exact`, if there is one, beside them.
void print_json_goldens(std::FILE* out, const Recording& recording, const std::vector<GoldenResult>& results,
                        SourceTexts& sources, const nlohmann::ordered_json* exact = nullptr);

// Each wrong output as a message about the line that made the first wrong value.
struct GoldenMessage {
  Diagnostic diagnostic = {};
  std::optional<std::uint32_t> step = {};
  std::string element = {};
};
std::vector<GoldenMessage> golden_messages(const Recording& recording, const std::vector<GoldenResult>& results);

}  // namespace ts
