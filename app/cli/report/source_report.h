// The steps of a recording by the lines that people wrote: what `tilescope run --step-by source` lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "app/files/source_texts.h"
#include "core/program/source_map.h"
#include "core/record/recording.h"

namespace ts {

// A line for each visit to a line of a source; of many the first and the last. `marked`: a step whose visit has a sign; -1: none.
void print_visits(std::FILE* out, const Recording& recording, const SourceMap& map, SourceTexts& sources, int marked);

// Tiles and buffers that the steps made, each once, in their order.
std::vector<std::string> written_names(const Recording& recording, std::uint32_t first, std::uint32_t end,
                                       std::size_t most = ~std::size_t{0});

}  // namespace ts
