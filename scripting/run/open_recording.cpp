// Opening and closing recordings of a script.
#include "scripting/run/open_recording.h"

#include "scripting/objects/recording/checks.h"
#include "scripting/objects/recording/finding.h"
#include "scripting/gui/gui_live.h"
#include "scripting/binding/object.h"
#include "scripting/objects/recording/stop.h"

namespace ts::scripting {
namespace {

void listen(Engine& engine, const std::shared_ptr<OpenRecording>& recording) {
  const std::weak_ptr<OpenRecording> weak = recording;
  const auto on_stop = [&engine, weak](const Stopped& stop) {
    const std::shared_ptr<OpenRecording> its = weak.lock();
    const Event event = stop.reason == Stopped::Reason::Done ? Event::Step : Event::Stop;
    if (its != nullptr && engine.anybody_listens(event))
      engine.tell(event, [&](lua_State* L) { push_stop(L, its, stop); });
  };
  recording->listen(on_stop, [&engine](const std::string& line) { engine.print(line); });
}

void tell_opened(lua_State* L, Engine& engine, const std::shared_ptr<OpenRecording>& recording) {
  engine.tell(Event::RecordingOpened, [&](lua_State* state) { push_recording(state, recording); });
  if (!engine.anybody_listens(Event::Finding)) return;
  const auto list = findings_of(L, recording);
  for (std::size_t i = 0; i < list->size() && recording->session != nullptr; ++i)
    engine.tell(Event::Finding, [&](lua_State* state) { push_finding(state, recording, list, i); });
}

}  // namespace

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
  for (const StopId id : scripted_stops) session->remove_stop(id);
  session.reset();
}

void check_may_move(lua_State* L) {
  if (Engine::of(L).gui().draws())
    raise(L, "what draws in the window changes nothing there, and moves no recording",
          "do it where ui.button gives back true");
}

std::shared_ptr<OpenRecording> open_session(lua_State* L, std::shared_ptr<Session> session, RunOrigin launch) {
  Engine& engine = Engine::of(L);
  auto recording = std::make_shared<OpenRecording>(std::move(session));
  recording->launch = std::move(launch);
  listen(engine, recording);
  engine.add_recording(recording);
  const Engine::Calling calling(L);
  const ScriptHost& host = engine.host();
  if (host.opened && recording->session != host.current) host.opened(recording->session, recording->launch);
  tell_opened(L, engine, recording);
  Sandbox::raise_if_over(L);
  return recording;
}

std::shared_ptr<OpenRecording> check_current(lua_State* L) {
  Engine& engine = Engine::of(L);
  if (engine.current() == nullptr && engine.host().current != nullptr)
    engine.keep(open_session(L, engine.host().current));
  if (engine.current() == nullptr) raise(L, "there is no recording", "pto.load(name):record() makes one");
  return engine.current();
}

void push_recording(lua_State* L, std::shared_ptr<OpenRecording> recording) {
  make_object<RecordingObject>(L, std::move(recording));
}

}  // namespace ts::scripting
