// Recordings as files (.ptorec): SQLite databases that hold the program, what it was given, its steps, findings and
// snapshots. The default keeps the newest state and every so many steps a full one, and runs the steps between them
// again; everything that is read is checked, so that a file from a stranger can do nothing but be refused.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/data/file.h"
#include "core/record/recording.h"

namespace ts {

// What people set in a recording: a bookmark, a breakpoint, a watch, a note. What `text` says is theirs.
struct RecordingNote {
  std::string kind, text;
  std::uint32_t position = 0;
};

struct SaveOptions {
  bool full = false;        // every snapshot there is
  std::uint32_t every = 0;  // steps from one full state to the next; 0: so that a seek takes a few milliseconds
  std::function<bool(std::uint32_t)> go_on = {};  // asked with the steps so far; false: nothing is written
  data::Room* room = nullptr;                     // how much may be written; null: all there is
  // Of the files that the program came from, by the names it has for them, their sums (core/data/checksum.h); empty: the
  // file had changed before. More than a file of a recording takes are left out.
  std::map<std::string, std::string> sources = {};
};

// Atomic: whenever it is killed, the path holds what it held before or the whole new file.
// `findings` are those that are to be kept: the recording's, or those of a check.
data::Error save_recording(const Recording& recording, const std::vector<Finding>& findings,
                           const std::vector<RecordingNote>& notes, const std::string& path,
                           const SaveOptions& options = {});

// What a file says of itself.
struct RecordingFacts {
  int format = 0;
  std::string program_version, digest;  // of the version that saved it; Recording::digest() then
  std::uint64_t file_bytes = 0;
  bool full = false;  // every snapshot that there was
  std::uint64_t page_versions = 0, pages = 0;
  std::map<std::string, std::string> sources = {};  // as SaveOptions has them
};

struct RecordingFile {
  std::shared_ptr<const Recording> recording;  // reads its snapshots from the file when they are asked for
  std::vector<Finding> findings = {};
  std::vector<RecordingNote> notes = {};
  RecordingFacts facts = {};
};

// Everything but the snapshots is read and checked. What it takes may be no more than the budget (0: as a recording's),
// which also bounds the snapshots that are kept in memory. False from `go_on` ends it: that is an error, too.
std::variant<RecordingFile, data::Error> open_recording(const std::string& path, std::size_t budget_bytes = 0,
                                                        const std::function<bool()>& go_on = {});

// Whether a file's name or first bytes say that it is one.
bool is_recording_file(const std::string& path);

}  // namespace ts
