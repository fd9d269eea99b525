// What double precision says of a run: as text and as JSON.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "app/files/source_texts.h"
#include "core/debug/exact/exact_run.h"

namespace ts {

// Each output, where rounding first passed a tolerance, and of what is wrong by the goldens whose fault it is.
void print_exact(std::FILE* out, const Recording& recording, const ExactRun& run, std::span<const GoldenResult> goldens,
                 SourceTexts& sources);
nlohmann::ordered_json exact_json(const Recording& recording, const ExactRun& run,
                                  std::span<const GoldenResult> goldens, SourceTexts& sources);

}  // namespace ts
