// The lines of a source that addresses of its program stand for.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/cpp/live/loops.h"

namespace ts::cpp {

// By address: its line, then the lines it was inlined into; without those of our own header.
using SourceLines = std::map<std::uint64_t, std::vector<ChainPlace>>;
SourceLines lines_of_addresses(const std::string& program, const std::vector<std::uint64_t>& addresses);

}  // namespace ts::cpp
