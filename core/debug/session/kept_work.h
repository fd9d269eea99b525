// What a user set in a program, to be kept for the next time: breakpoints, watches, bookmarks, notes. As JSON beside the user's
// settings, and as notes in a recording's file; a breakpoint is the same text in both.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/debug/session/session.h"
#include "core/record/recording_file.h"

namespace ts {

struct KeptWork {
  Moment moment = {};
  std::vector<StopEntry> stops = {};  // without those that ask a script
  std::vector<std::string> watches = {};
  std::map<std::string, std::uint32_t> bookmarks = {};
  std::vector<Note> notes = {};
  // Of edited texts: stops among them go by their numbers in `stops`, from 1 on.
  std::vector<FollowedMark> followed_marks = {};
  std::vector<KeptFork> forks = {};  // their names say where an edited text leaves them doubtful
  bool by_source = false;            // steps are visits to lines of sources
  std::size_t left_out = 0;          // of those that were read, because there may be only so many
};

KeptWork work_of(Session& session);
// Of many stops, those that can be kept.
std::vector<StopEntry> without_scripted(const std::vector<StopEntry>& stops);
// Of all that became of marks, those that are gone.
std::vector<FollowedMark> gone_marks(const std::vector<FollowedMark>& followed);
// Stops that can never fire there, and notes about what is not there, stay with the session as marks that are gone: `lost`
// gets a line for each of the first.
void put_into(Session& session, const KeptWork& work, std::vector<std::string>& lost);

// The moment is not kept: a program opens where its author, or its beginning, is.
nlohmann::json save_work(const KeptWork& work);
// What cannot be read is left out.
KeptWork load_work(const nlohmann::json& saved);

// The same for a file. Notes of other kinds are nobody's work.
std::vector<RecordingNote> notes_of(const KeptWork& work);
KeptWork work_of(const std::vector<RecordingNote>& notes);
// A session over an opened file, with its findings and what was set in it.
std::shared_ptr<Session> session_of(const RecordingFile& file, std::vector<std::string>& lost);
// Saves what a session looks at, with what was set and found in it.
data::Error save_session(Session& session, const std::string& path, const SaveOptions& options = {});

}  // namespace ts
