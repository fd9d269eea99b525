// One step in depth: its tiles before and after, where an element came from, its micro-operations.
#pragma once

#include <cstdio>
#include <string>

#include "app/cli/report/report_options.h"
#include "app/files/source_texts.h"
#include "core/program/source_map.h"
#include "core/record/inspector.h"

namespace ts {

void print_step(std::FILE* out, const Recording& recording, Inspector& inspector, const SourceMap& map,
                SourceTexts& sources, const ReportOptions& options);

// A tile as a table at the memories' state, cut to what a terminal holds. Bytes that no instruction wrote are `..`,
// unspecified ones carry `?`, elements outside the valid region stand in brackets. Element (row, col) is among them, as far
// as the tile has it.
std::string tile_table(const Memory& memory, const TileRef& tile, std::uint32_t row, std::uint32_t col);

}  // namespace ts
