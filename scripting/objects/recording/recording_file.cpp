// Recordings in files: rec:save, pto.open.
#include <fmt/format.h>

#include "core/debug/session/kept_work.h"
#include "scripting/binding/object.h"
#include "scripting/run/new_file.h"
#include "scripting/run/open_recording.h"
#include "scripting/run/pto.h"

namespace ts::scripting {
namespace {

int recording_save(lua_State* L) {
  const std::shared_ptr<OpenRecording> recording = check_self<RecordingObject>(L).recording;
  session_of(L, *recording);
  const NewFile file = check_new_file(L, {".ptorec"});
  const OptionTable options(L, 3, "options", {"full"});
  const SaveOptions how{.full = options.truth("full"), .room = file.rules.room};
  const data::Error error = ask_session(L, recording, "saving the recording", [&](Session& session) {
    SaveOptions asked = how;
    asked.go_on = [&](std::uint32_t) { return session.go_on(); };
    return save_session(session, file.path, asked);
  });
  if (!error.text.empty()) raise_error(L, error);
  return 0;
}

int pto_open(lua_State* L) {
  const std::string path = check_text(L, 1, "path");
  std::vector<std::string> lost;
  std::shared_ptr<Session> session = open_file(L, path, "pto.open", lost);
  for (const std::string& text : lost) Engine::of(L).complain("pto.open: " + text);
  RunOrigin launch;
  launch.file = path;
  push_recording(L, open_session(L, std::move(session), std::move(launch)));
  return 1;
}

std::vector<Binding> open_rows() {
  return {
      {"open", Binding::Kind::Function, pto_open, "pto.open(path: string) -> recording",
       "Opens the file of a recording, with its bookmarks, breakpoints and watches. Its program does not run again.",
       R"(pto.load("row_loop"):record():save("row_loop.ptorec")
local rec = pto.open("row_loop.ptorec")
assert(rec.name == "row_loop" and rec.stopReason == "end"))"}};
}

std::vector<Binding> save_rows() {
  return {{"save", Binding::Kind::Method, recording_save, "rec:save(path: string, {full=})",
           "Writes the recording to a new .ptorec file below the current folder, with its bookmarks, breakpoints and "
           "watches. full=true keeps the memories after every step; else some are kept, and the steps between them are "
           "made again when they are looked at.",
           R"(local rec = pto.load("row_loop"):record()
rec:bookmark("here", 3)
rec:save("kept.ptorec", {full=true})
assert(pto.open("kept.ptorec"):bookmarks()[1].position == 3))"}};
}

const ListedRows kOpen{80, {pto_type, open_rows}};
const ListedRows kSave{80, {RecordingObject::type, save_rows}};

}  // namespace

}  // namespace ts::scripting
