// From a file's text to a recording of one entry point, with what a person is told on the way.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/cli/program_file.h"
#include "app/cli/report/edited_run.h"
#include "app/cli/request.h"
#include "core/record/recording.h"

namespace ts {

// The entry points that are asked for; none: stderr says why.
std::vector<EntryPoint> chosen_entries(const ProgramFile& file, const RunArguments& arguments);

struct RecordedEntry {
  std::shared_ptr<const Recording> recording;
  std::vector<InputSource> inputs;
  Diagnostics told;                      // of the text and of opening it
  std::optional<EditedRun> edited = {};  // what was changed in it by hand
};

// The file of a command, and the one entry point that it is about. Nothing: stderr says why.
struct ChosenProgram {
  ProgramFile file;
  EntryPoint entry;
};
std::optional<ChosenProgram> open_one_entry(const std::string& name, const RunArguments& arguments);

// Nothing: it cannot run, and that has been said, as JSON where that is asked for.
std::optional<RecordedEntry> record_entry(const ProgramFile& file, const EntryPoint& entry, const Request& request,
                                          const RunArguments& arguments);

// Both with progress, until Ctrl+C.
std::optional<Opened> open_entry(const ProgramFile& file, const EntryPoint& entry, OpenRequest open, Diagnostics& told);
std::unique_ptr<Recording> record_program(Program program, const WalkLimits& limits, std::uint64_t budget_mb);

// The exit status after a run.
int run_status(const Recording& recording);

}  // namespace ts
