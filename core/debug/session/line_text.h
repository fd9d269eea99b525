// A line of a program's text, as people know it.
#pragma once

#include <string>

#include "core/isa/diagnostic.h"
#include "core/program/source_map.h"

namespace ts {

// "kernel.cpp:41" where the program says where its lines came from, else "line 7".
std::string line_text(const SourceMap& sources, const Program& program, SourcePos pos);

}  // namespace ts
