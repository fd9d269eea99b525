// Where a value was made and what it came from: as lines behind labels, and as JSON.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/files/source_texts.h"
#include "core/debug/origins/trace_value.h"
#include "core/program/source_map.h"

namespace ts {

// "  step    26 tadd": the label in its column.
void print_label(std::FILE* out, const char* label, const std::string& text);

// Step, line of the program, lines that it came from, inputs.
void print_traced(std::FILE* out, const Recording& recording, const SourceMap& map, const TracedValue& made,
                  SourceTexts& sources);
// The same into an object: step (null: none wrote it), op, element, loops, only_moved, stored, line, text, source, inputs,
// odd, complete.
void add_traced_json(const Recording& recording, const SourceMap& map, const TracedValue& made, SourceTexts& sources,
                     nlohmann::ordered_json& out);

}  // namespace ts
