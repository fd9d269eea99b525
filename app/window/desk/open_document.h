// From a file's name to a document: read, parsed, checked, recorded.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>

#include "app/files/files.h"
#include "app/view/document.h"
#include "core/cases/bind.h"
#include "core/cpp/build.h"
#include "core/cpp/cpp_kernel.h"
#include "core/isa/refusal.h"
#include "core/report/html_report.h"
#include "scripting/objects/lesson/lesson_file.h"

namespace ts::ui {

// A run that was cut off, to be made again as far as it was: its text then, whatever its file holds now, and its steps.
struct CutOffRun {
  std::string text;
  std::uint64_t steps = 0;
};

// What to open, and how it is to run. Kept, so that it can be opened again when the file changes.
struct Launch {
  std::string name;   // a file, a sample or a case's folder
  std::string entry;  // empty: the first
  OpenRequest open = {};
  std::map<std::string, std::string> array_files = {};  // where the arrays of the inputs came from, by input
  std::map<std::string, std::string> raw_types = {};    // what raw bytes of them hold: "bf16:16x32"
  std::vector<std::string> source_folders = {};         // where files are that it came from
  cpp::BuildRequest build = {};                         // of a kernel in C++
  cpp::HostMain host = {};                              // of one with a main
  bool may_compile = false;                             // of one, whose code then runs: somebody said so
  std::string setup = {};                               // by which the command line said all this; empty: by none
  std::vector<std::string> edits = {};                  // a fork that is opened at once
  std::size_t budget_bytes = 0;
  std::uint64_t most_text_bytes = kMostTextBytes;
  std::optional<CutOffRun> cut_off = {};  // the next time it is opened, and never after
  std::optional<ShowHint> at = {};        // where to stand and what to select; else what the text says of that
  // What outputs have to be: the run is looked at where the first wrong value was made. Null: nobody says it.
  std::shared_ptr<const std::vector<cases::Golden>> goldens = {};
  cases::Tolerance tolerance = {};
};

// Where a case's folder is named: how its program is run, with what the case gives. Anything else stays as it is.
struct CaseLaunch {
  Launch launch;
  std::vector<std::string> notes = {};  // what a person should know of it
};
std::variant<CaseLaunch, Refusal> with_case(Launch launch, const std::function<bool(std::uint64_t)>& go_on);

// What its file holds, or, of a run that was cut off, held then.
ProgramText source_text(const Launch& launch);

// How to run it again, as pages and scripts say it.
RunOrigin reproducible(const Launch& launch);

// Of a lesson its file, with the functions that judge answers, goes into `lesson`, and the target is the lesson's own;
// without `lesson` its program runs on the target of the launch.
// Refused when there is no text. A text that cannot run makes a document without a recording, whose diagnostics say
// why. `go_on` takes the steps recorded so far.
std::variant<std::shared_ptr<const Document>, Refusal> open_document(
    const Launch& launch, const std::function<bool(std::uint64_t)>& go_on,
    std::shared_ptr<scripting::LessonFile>* lesson = nullptr);

}  // namespace ts::ui
