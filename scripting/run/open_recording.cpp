// Opening and closing recordings of a script.
#include "scripting/run/open_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/debug/session/kept_work.h"
#include "scripting/binding/fields.h"
#include "scripting/binding/object.h"

namespace ts::scripting {
namespace {

const Event kOpened{50, "recordingOpened"};

void listen(Engine& engine, const std::shared_ptr<OpenRecording>& recording) {
  const std::weak_ptr<OpenRecording> weak = recording;
  const auto on_stop = [&engine, weak](const Stopped& stop) {
    if (const std::shared_ptr<OpenRecording> its = weak.lock())
      for (const WhenStopped& one : Listed<WhenStopped>::all()) one.tell(engine, its, stop);
  };
  recording->listen(on_stop, [&engine](const std::string& line) { engine.print(line); });
}

int recording_to_text(lua_State* L) {
  const auto& recording = own_recording(L);
  if (recording->session == nullptr) return push_text_result(L, "closed recording");
  const Program& program = recording->session->recording().program();
  return push_text_result(L, fmt::format("recording of {} on {}, {} steps", program.name, name(program.target),
                                         recording->session->count()));
}

int recording_equal(lua_State* L) {
  const auto *a = to_object<RecordingObject>(L, 1), *b = to_object<RecordingObject>(L, 2);
  lua_pushboolean(L, a != nullptr && b != nullptr && a->recording == b->recording ? 1 : 0);
  return 1;
}

const ListedType kOpenRecordingType{30, RecordingObject::type};

}  // namespace

const ObjectType& RecordingObject::type() {
  static const ObjectType made{
      .name = "recording",
      .owner = "rec",
      .help = "A program's run, kept so that every position can be gone to. Position p is the state after p steps.",
      .bindings = listed_rows(type),
      .to_text = guarded<recording_to_text>,
      .equal = guarded<recording_equal>};
  return made;
}

const std::shared_ptr<OpenRecording>& own_recording(lua_State* L) { return check_self<RecordingObject>(L).recording; }

Session& own_session(lua_State* L) { return session_of(L, *own_recording(L)); }

Session& session_of(lua_State* L, const OpenRecording& recording) {
  if (recording.session == nullptr) raise(L, "the recording is closed");
  return *recording.session;
}

void OpenRecording::listen(std::function<void(const Stopped&)> on_stop,
                           std::function<void(const std::string&)> on_log) {
  on_stop_before_ = std::move(session->on_stop);
  on_log_before_ = std::move(session->on_log);
  session->on_stop = [this, tell = std::move(on_stop)](const Stopped& stop) {
    if (on_stop_before_) on_stop_before_(stop);
    tell(stop);
  };
  session->on_log = [this, tell = std::move(on_log)](const std::string& line) {
    if (on_log_before_) on_log_before_(line);
    tell(line);
  };
}

void OpenRecording::close() {
  if (session == nullptr) return;
  session->on_stop = std::move(on_stop_before_);
  session->on_log = std::move(on_log_before_);
  // The last one first: the others stay where they are.
  for (auto id = scripted_stops.rbegin(); id != scripted_stops.rend(); ++id) session->remove_stop(*id);
  session.reset();
  weight.release();
}

Recordings::~Recordings() {
  for (const auto& weak : opened_)
    if (const auto recording = weak.lock()) recording->close();
}

void Recordings::add(const std::shared_ptr<OpenRecording>& recording) {
  std::erase_if(opened_, [](const auto& weak) { return weak.expired(); });
  opened_.push_back(recording);
  current_ = recording;
}

std::shared_ptr<OpenRecording> Recordings::find(const Session& session) const {
  for (const auto& weak : opened_)
    if (auto recording = weak.lock(); recording != nullptr && recording->session.get() == &session) return recording;
  return nullptr;
}

void check_may_move(lua_State* L) {
  if (Engine::of(L).only_looks)
    raise(L, "what draws in the window changes nothing there, and moves no recording",
          "do it where ui.button gives back true");
}

void weigh(lua_State* L, OpenRecording& recording) {
  if (recording.session == nullptr || recording.is_window_s) return;
  constexpr std::size_t kFindingBytes = sizeof(Finding) + 256;  // with its texts
  const Session& session = *recording.session;
  const std::size_t findings = session.was_checked() ? session.findings().size() * kFindingBytes : 0;
  recording.weight.set(L, session.held_bytes() + findings + recording.said_bytes);
}

void weigh_marks(lua_State* L, OpenRecording& recording) {
  constexpr std::size_t kMarkBytes = 100, kStopBytes = sizeof(StopEntry) + 200;  // each with its place in a list
  Session& session = *recording.session;
  const std::size_t count = session.bookmarks().size() + session.watches().size() + session.notes().size();
  Sandbox::charge(L, (count + session.stops().size()) / 8);
  std::size_t bytes = count * kMarkBytes + session.stops().size() * kStopBytes;
  for (const auto& [name, position] : session.bookmarks()) bytes += name.size();
  for (const std::string& text : session.watches()) bytes += text.size();
  for (const Note& note : session.notes()) bytes += sizeof note + note.text.size();
  for (const StopEntry& stop : session.stops()) bytes += stop.rule.op.size() + stop.rule.log.size();
  recording.said_bytes = bytes;
  weigh(L, recording);
}

namespace {

std::shared_ptr<OpenRecording> open(lua_State* L, std::shared_ptr<OpenRecording> recording) {
  Engine& engine = Engine::of(L);
  weigh(L, *recording);
  listen(engine, recording);
  engine.slot<Recordings>().add(recording);
  const Engine::Calling calling(L);
  const ScriptHost& host = engine.host();
  if (host.opened && recording->session != host.current) host.opened(recording->session, recording->launch);
  engine.tell(kOpened, [&](lua_State* state) { push_recording(state, recording); });
  for (const WhenOpened& one : Listed<WhenOpened>::all()) one.tell(L, recording);
  Sandbox::raise_if_over(L);
  return recording;
}

}  // namespace

std::shared_ptr<OpenRecording> open_session(lua_State* L, std::shared_ptr<Session> session, RunOrigin launch) {
  auto recording = std::make_shared<OpenRecording>(std::move(session));
  recording->launch = std::move(launch);
  return open(L, std::move(recording));
}

std::shared_ptr<OpenRecording> open_window_session(lua_State* L, std::shared_ptr<Session> session) {
  auto recording = std::make_shared<OpenRecording>(std::move(session));
  recording->is_window_s = true;
  return open(L, std::move(recording));
}

std::shared_ptr<Session> open_file(lua_State* L, const std::string& path, const std::string& called,
                                   std::vector<std::string>& lost) {
  const ScriptHost& host = Engine::of(L).host();
  if (!host.open_recording) raise(L, fmt::format("{}: recordings cannot be opened here", called));
  // Its program, its steps and its pages have a budget each, which is for the largest of them.
  const std::size_t half = std::max<std::size_t>(Sandbox::memory_left(L) / 2, 1);
  std::optional<data::Error> error;
  RecordingFile file;
  {
    Sandbox::CallWatch watch(L);
    auto opened = host.open_recording(path, host.budget_bytes == 0 ? half : std::min(host.budget_bytes, half),
                                      [&] { return watch.go_on(); });
    if (watch.is_late()) watch.raise("opening the recording");
    if (const auto* wrong = std::get_if<data::Error>(&opened)) error = *wrong;
    else file = std::get<RecordingFile>(std::move(opened));
  }
  if (error) raise(L, fmt::format("{}: {}", called, error->text), error->hint);
  const std::size_t bytes = file.recording->held_bytes();
  file.recording = weighed(L, std::move(file.recording), bytes);
  return session_of(file, lost);
}

std::shared_ptr<OpenRecording> check_current(lua_State* L) {
  Engine& engine = Engine::of(L);
  Recordings& recordings = engine.slot<Recordings>();
  if (recordings.current() == nullptr && engine.host().current != nullptr)
    recordings.keep(open_window_session(L, engine.host().current));
  if (recordings.current() == nullptr) raise(L, "there is no recording", "pto.load(name):record() makes one");
  return recordings.current();
}

void push_recording(lua_State* L, std::shared_ptr<OpenRecording> recording) {
  make_object<RecordingObject>(L, std::move(recording));
}

}  // namespace ts::scripting
