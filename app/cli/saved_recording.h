// Recordings in files, for the commands that take one instead of a program.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "core/program/inputs.h"
#include "core/record/recording_file.h"

namespace ts {

// Whether the command was given the file of a recording.
bool takes_recording(const RunArguments& arguments);
// Nothing: it cannot be opened, or the command asks to run it in another way; stderr says why.
std::optional<RecordingFile> open_saved(const RunArguments& arguments);
// What the program was given, for the report.
std::vector<InputSource> saved_inputs(const Program& program);
// With progress, and Ctrl+C; the status to end with. `sources`: sums of the files that the program came from.
int save_as(const Recording& recording, const std::vector<Finding>& findings, const std::vector<RecordingNote>& notes,
            const std::map<std::string, std::string>& sources, const std::string& path, bool full);

}  // namespace ts
