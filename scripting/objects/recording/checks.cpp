// pto.check, and the findings of recordings.
#include "scripting/objects/recording/checks.h"

#include <fmt/format.h>

#include "scripting/binding/fields.h"
#include "scripting/run/engine.h"
#include "scripting/run/pto.h"

namespace ts::scripting {
namespace {

// What a script chose: in a slot of its engine.
struct ChosenChecks {
  CheckOptions options = {};
  std::uint32_t times_chosen = 0;
};

constexpr const char *kUlp = "ulp", *kClipped = "clipped";

std::vector<const char*> option_names() {
  std::vector<const char*> names{kUlp, kClipped};
  for (const CheckRow& row : checks()) names.push_back(name(row.kind));
  return names;
}

// True, false or a level.
Level check_level(const OptionTable& options, const CheckRow& row) {
  const char* key = name(row.kind);
  lua_State* L = options.state();
  const int type = options.push(key);
  const bool on = lua_toboolean(L, -1) != 0;
  const std::optional<Level> level = type == LUA_TSTRING ? find_level(lua_tostring(L, -1)) : std::nullopt;
  lua_pop(L, 1);
  if (type == LUA_TBOOLEAN) return on ? row.level : Level::Off;
  if (!level) options.wrong(key, "true, false, or one of off, note, warn, error, own");
  return *level == Level::Own ? row.level : *level;
}

void push_levels(lua_State* L, const CheckOptions& options) {
  lua_newtable(L);
  for (const CheckRow& row : checks()) set_field(L, name(row.kind), name(options.of(row.kind)));
  set_field(L, kUlp, static_cast<lua_Integer>(options.most_ulp));
  set_field(L, kClipped, static_cast<lua_Integer>(options.most_clipped));
}

int pto_check(lua_State* L) {
  const OptionTable options(L, 1, "checks", option_names());
  ChosenChecks& chosen = Engine::of(L).slot<ChosenChecks>();
  for (const CheckRow& row : checks())
    if (options.has(name(row.kind))) chosen.options.set(row.kind, check_level(options, row));
  if (const auto ulp = options.integer(kUlp, 0, INT64_MAX)) chosen.options.most_ulp = static_cast<std::uint64_t>(*ulp);
  if (const auto most = options.integer(kClipped, 0, INT64_MAX))
    chosen.options.most_clipped = static_cast<std::uint64_t>(*most);
  if (options.table() != 0) ++chosen.times_chosen;
  push_levels(L, chosen.options);
  return 1;
}

std::string check_help() {
  std::string text =
      "Chooses which checks run over recordings when their findings are asked for, and how grave it is "
      "what they find: true, false, or off, note, warn, error or own. Gives what is chosen now. ";
  for (const CheckRow& row : checks()) text += fmt::format("{}: {}. ", name(row.kind), row.summary);
  return text +
         "ulp: how far from its exact value a result may be for precision. clipped: how many elements of a step may be "
         "clipped for clip.";
}

std::vector<Binding> check_rows() {
  return {{"check", Binding::Kind::Function, pto_check, "pto.check(checks?: table) -> table", check_help(),
           R"(assert(pto.check().nan == "warn")
pto.check{nan="error", inf=false, order=true}
local rec = pto.load("row_loop"):record()
assert(rec:findings{kind="nan"}() == nil)
assert(pto.check().inf == "off"))"}};
}

const ListedRows kChecksRows{40, {pto_type, check_rows}};

}  // namespace

std::shared_ptr<const std::vector<Finding>> findings_of(lua_State* L, const std::shared_ptr<OpenRecording>& recording) {
  const ChosenChecks& chosen = Engine::of(L).slot<ChosenChecks>();
  Session& now = session_of(L, *recording);
  if (now.was_checked() && recording->checked_as == chosen.times_chosen) return now.shared_findings();
  const auto report = ask_session(L, recording, "checking", [&](Session& session) {
    return check(session.recording(), chosen.options, [&](std::uint32_t) { return session.go_on(); });
  });
  now.set_findings(std::make_shared<const std::vector<Finding>>(report.findings));
  recording->checked_as = chosen.times_chosen;
  weigh(L, *recording);
  return now.shared_findings();
}

}  // namespace ts::scripting
