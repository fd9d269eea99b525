// The steps of a recording by the lines that people wrote: what `tilescope run --step-by source` lists.
#pragma once

#include <cstdio>

#include "app/files/source_texts.h"
#include "core/program/source_map.h"
#include "core/record/recording.h"

namespace ts {

// A line for each visit to a line of a source; of many the first and the last. `marked`: a step whose visit has a sign; -1: none.
void print_visits(std::FILE* out, const Recording& recording, const SourceMap& map, SourceTexts& sources, int marked);

}  // namespace ts
