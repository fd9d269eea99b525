// Running scripts.
#include "scripting/run/script.h"

#include <fmt/format.h>

#include "core/data/file.h"
#include "scripting/binding/object_type.h"
#include "scripting/run/engine.h"
#include "scripting/run/test_run.h"

namespace ts::scripting {
namespace {

constexpr std::uint64_t kMostFileBytes = std::uint64_t{16} << 20;

const Event kQuitting{60, "quitting"};

// Tables that stand in no other are there from the start.
void set_globals(lua_State* L) {
  for (const ObjectType* type : object_types()) {
    if (!type->is_table || std::string_view(type->name).find('.') != std::string_view::npos) continue;
    push_table(L, *type);
    lua_setglobal(L, type->name);
  }
}

}  // namespace

Script::Script(ScriptHost host, const SandboxLimits& limits)
    : sandbox_(limits), engine_(std::make_unique<Engine>(sandbox_, std::move(host))) {
  sandbox_.print = engine_->host().print;
  set_globals(sandbox_.state());
}

Script::~Script() = default;

const TestReport& Script::tests() const { return engine_->slot<TestRun>().report; }

int Script::run(std::string_view text, const std::string& name) {
  Outcome outcome = sandbox_.run(text, name);
  if (outcome.kind == Outcome::Kind::Ok) outcome = engine_->run_ticks();
  return finish(outcome);
}

int Script::run_file(const std::string& path) {
  const auto read = data::read_file(path, kMostFileBytes);
  if (const auto* error = std::get_if<data::Error>(&read)) {
    engine_->complain(error->hint.empty() ? error->text : fmt::format("{} ({})", error->text, error->hint));
    return static_cast<int>(ScriptStatus::CannotRun);
  }
  const auto& bytes = std::get<std::vector<std::byte>>(read);
  return run({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
}

int Script::finish(const Outcome& outcome) {
  if (outcome.kind == Outcome::Kind::Error || outcome.kind == Outcome::Kind::Limit) {
    engine_->complain(outcome.message);
    if (!outcome.traceback.empty()) engine_->complain(outcome.traceback);
  }
  if (!tests().empty()) engine_->print(tests().tap_plan());
  int status = status_of(outcome);
  engine_->tell(kQuitting, [&](lua_State* L) { lua_pushinteger(L, status); });
  // A listener that fails is an error of the script as well.
  if (status == 0 && engine_->failed()) status = static_cast<int>(ScriptStatus::Error);
  return status;
}

int Script::status_of(const Outcome& outcome) {
  const auto of = [](ScriptStatus status) { return static_cast<int>(status); };
  const TestRun& tests = engine_->slot<TestRun>();
  const bool raised_assertion =
      outcome.kind == Outcome::Kind::Error && !outcome.message.empty() && outcome.message == tests.assertion_text;
  if (outcome.kind == Outcome::Kind::Limit) return of(ScriptStatus::Limit);
  // A failure is not quit away.
  if (outcome.kind == Outcome::Kind::Quit && outcome.quit_code != 0) return outcome.quit_code;
  if (engine_->failed() || (outcome.kind == Outcome::Kind::Error && !raised_assertion)) return of(ScriptStatus::Error);
  return of(raised_assertion || tests.failed ? ScriptStatus::AssertionFailed : ScriptStatus::Ok);
}

}  // namespace ts::scripting
