// What a run left in a program's buffers and tiles, for files.
#pragma once

#include <optional>
#include <string>

#include "core/program/arrays.h"
#include "core/record/recording.h"
#include "core/report/csv.h"

namespace ts {

// Why the program cannot give out what is called so; nothing: it can.
std::optional<data::Error> no_output(const Program& program, const std::string& name);
// A buffer in the shape of its first view; of a tile the region. In a loop or a branch there may be several tiles of a
// name: the last that ran, else the last in the text. Empty text: it worked.
data::Error write_output(const Recording& recording, const std::string& name, const std::string& path, Region region,
                         const CsvOptions& csv, const data::WriteRules& rules = {});

}  // namespace ts
