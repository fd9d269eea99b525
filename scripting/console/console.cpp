// Reading what people type.
#include "scripting/console/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/debug/session/commands.h"
#include "scripting/binding/arguments.h"
#include "scripting/binding/object.h"
#include "scripting/binding/show.h"
#include "scripting/run/engine.h"
#include "scripting/run/open_recording.h"

namespace ts::scripting {
namespace {

constexpr const char* kChunk = "=console";

std::string trimmed(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : line.substr(first, last - first + 1);
}

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Words that are numbers, as arguments: "12" or "3, 4" or "3 4".
std::optional<std::string> numbers(const std::string& text) {
  std::string arguments;
  bool apart = true;
  for (const char c : text) {
    if (c == ' ' || c == ',') {
      apart = true;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      if (apart && !arguments.empty()) arguments += ", ";
      arguments += c;
      apart = false;
    } else {
      return {};
    }
  }
  return arguments;
}

// Takes the place of the name.
int is_global(lua_State* L) {
  const auto& name = *static_cast<const std::string*>(lua_touserdata(L, 1));
  lua_pushglobaltable(L);
  lua_pushlstring(L, name.data(), name.size());
  lua_pushboolean(L, lua_rawget(L, -2) != LUA_TNIL);
  return 1;
}

int show_all(lua_State* L) {
  for (int i = 1, count = lua_gettop(L); i <= count; ++i) Engine::of(L).print(shown(L, i));
  return 0;
}

}  // namespace

// `over`, `seek 12` and `help tile:get` are what they mean, `? t[1,5]` and the bare name of a tile are watched;
// everything else is Lua.
std::string Console::as_lua(const std::string& line) {
  const std::string text = trimmed(line);
  if (text.starts_with('?')) return fmt::format("print(pto.watch({}))", scripting::quoted(trimmed(text.substr(1))));
  const std::string word(text.begin(), std::ranges::find_if_not(text, is_name)),
      rest = trimmed(text.substr(word.size()));
  if (word == "help" && (rest.empty() || is_name(rest.front())))
    return fmt::format("print(pto.help({}))", rest.empty() ? "" : scripting::quoted(rest));
  if (word == "quit" || word == "exit") return rest.empty() ? "pto.quit(0)" : line;
  const std::optional<std::string> arguments = find_command(word) != nullptr ? numbers(rest) : std::nullopt;
  if (!arguments) return names_data(text) ? fmt::format("print(pto.watch({}))", scripting::quoted(text)) : line;
  commanded_ = true;
  plain_ = fmt::format("rec:{}({})", word, *arguments);
  // Who typed the command sees where it went; only another reason to stop is worth words.
  return fmt::format("local stop = rec:{}({}) if stop and stop.reason ~= 'step' then return stop end", word,
                     *arguments);
}

// Whether a text is the name of a tile or buffer, and of nothing that the script has.
bool Console::names_data(const std::string& text) const {
  const auto& recording = script_.engine().slot<Recordings>().current();
  if (recording == nullptr || recording->session == nullptr || text.empty()) return false;
  Session& session = *recording->session;
  if (!session.find_tile(text, session.moment().position) && !session.find_buffer(text)) return false;
  return !is_known(text);
}

// Whether the script has something of this name.
bool Console::is_known(const std::string& text) const {
  lua_State* L = script_.sandbox().state();
  lua_pushcfunction(L, guarded<is_global>);
  lua_pushlightuserdata(L, const_cast<std::string*>(&text));
  const bool known = lua_pcall(L, 1, 1, 0) == LUA_OK && lua_toboolean(L, -1) != 0;
  lua_pop(L, 1);
  return known;
}

bool Console::compiles(const std::string& text, std::string* error) const {
  lua_State* L = script_.sandbox().state();
  const bool good = luaL_loadbufferx(L, text.data(), text.size(), kChunk, "t") == LUA_OK;
  if (!good && error != nullptr) *error = lua_tostring(L, -1);
  lua_pop(L, 1);
  return good;
}

Console::Fed Console::feed(const std::string& line) {
  commanded_ = false;
  ran_.clear();
  plain_.clear();
  pending_ += pending_.empty() ? as_lua(line) : "\n" + line;
  if (trimmed(pending_).empty()) {
    forget();
    return Fed::Done;
  }
  const std::string expression = "return " + pending_;
  std::string error;
  if (compiles(expression)) {
    // What only stands for a value is no line of a script: there it is printed.
    const bool has_comment = pending_.find("--") != std::string::npos;
    ran_ = compiles(pending_) ? pending_ : "print(" + pending_ + (has_comment ? "\n)" : ")");
    if (const std::optional<std::string> wrong = misspelt(trimmed(pending_))) {
      forget();
      ran_.clear();
      ran_well_ = false;
      script_.engine().complain(*wrong);
      return Fed::Done;
    }
    return run(expression);
  }
  ran_ = plain_.empty() ? pending_ : plain_;
  if (!compiles(pending_, &error) && error.ends_with("<eof>")) {
    ran_.clear();
    return Fed::More;
  }
  return run(pending_);
}

// Lua takes any word for a variable that may be nothing; here it is a command or a name that was misspelt.
std::optional<std::string> Console::misspelt(const std::string& text) const {
  const bool word = !text.empty() && std::ranges::all_of(text, is_name) &&
                    std::isdigit(static_cast<unsigned char>(text.front())) == 0;
  if (!word || text == "nil" || text == "true" || text == "false" || is_known(text)) return {};
  std::vector<std::string_view> known;
  for (const CommandRow& row : commands()) known.emplace_back(row.name);
  if (const auto& recording = script_.engine().slot<Recordings>().current();
      recording != nullptr && recording->session != nullptr)
    for (const TileDecl& tile : recording->session->recording().program().tiles) known.emplace_back(tile.name);
  return fmt::format("there is nothing called {}{}", text, did_you_mean(text, known));
}

Console::Fed Console::run(std::string text) {
  forget();
  ran_well_ = false;
  lua_State* L = script_.sandbox().state();
  const int before = lua_gettop(L);
  Outcome outcome;
  if (luaL_loadbufferx(L, text.data(), text.size(), kChunk, "t") != LUA_OK) {
    script_.engine().complain(lua_tostring(L, -1));
    lua_settop(L, before);
    return Fed::Done;
  }
  outcome = script_.sandbox().call(0, LUA_MULTRET);
  if (outcome.kind == Outcome::Kind::Ok && lua_gettop(L) > before) {
    // What is shown may ask objects for their text, and may need memory.
    lua_pushcfunction(L, guarded<show_all>);
    lua_insert(L, before + 1);
    outcome = script_.sandbox().call(lua_gettop(L) - before - 1, 0);
  }
  if (outcome.kind == Outcome::Kind::Ok) outcome = script_.engine().run_ticks();
  lua_settop(L, before);
  ran_well_ = outcome.kind == Outcome::Kind::Ok;
  if (outcome.kind == Outcome::Kind::Quit) {
    quit_code_ = outcome.quit_code;
    return Fed::Quit;
  }
  if (outcome.kind != Outcome::Kind::Ok) script_.engine().complain(outcome.message);
  return Fed::Done;
}

// --- answering -----------------------------------------------------------------------------------------------------

namespace {

using nlohmann::json;

constexpr int kDeepestAnswer = 8;
constexpr std::size_t kMostAnswered = 100'000;  // values, those in tables too

json json_at(lua_State* L, int index, int depth, std::size_t& count);

// A list where all keys count from 1 on; else an object by its texts and numbers.
json json_table(lua_State* L, int index, int depth, std::size_t& count) {
  const auto length = static_cast<lua_Integer>(lua_rawlen(L, index));
  json made = length > 0 ? json::array() : json::object();
  for (lua_Integer i = 1; i <= length && count < kMostAnswered; ++i) {
    lua_rawgeti(L, index, i);
    made.push_back(json_at(L, lua_gettop(L), depth + 1, count));
    lua_pop(L, 1);
  }
  if (length > 0) return made;
  const int top = lua_gettop(L);
  lua_pushnil(L);
  while (count < kMostAnswered && lua_next(L, index) != 0) {
    std::string key;
    if (lua_type(L, -2) == LUA_TSTRING) key = lua_tostring(L, -2);
    else if (lua_isinteger(L, -2) != 0) key = fmt::format("{}", lua_tointeger(L, -2));
    if (!key.empty()) made[key] = json_at(L, lua_gettop(L), depth + 1, count);
    lua_pop(L, 1);
  }
  lua_settop(L, top);  // where a limit ended the loop, the key is still there
  return made;
}

json json_at(lua_State* L, int index, int depth, std::size_t& count) {
  ++count;
  switch (lua_type(L, index)) {
    case LUA_TNIL: return nullptr;
    case LUA_TBOOLEAN: return lua_toboolean(L, index) != 0;
    case LUA_TNUMBER: {
      if (lua_isinteger(L, index) != 0) return static_cast<std::int64_t>(lua_tointeger(L, index));
      const double number = lua_tonumber(L, index);
      if (std::isfinite(number)) return number;
      return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
    }
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* text = lua_tolstring(L, index, &size);
      return std::string(text, size);
    }
    case LUA_TTABLE: {
      const bool is_plain = lua_getmetatable(L, index) == 0;
      if (!is_plain) lua_pop(L, 1);
      if (is_plain && depth < kDeepestAnswer) return json_table(L, index, depth, count);
      break;
    }
    default: break;
  }
  return shown(L, index);
}

// The values are below the text that they are written into.
int answer_all(lua_State* L) {
  auto& out = *static_cast<std::string*>(lua_touserdata(L, lua_gettop(L)));
  lua_pop(L, 1);
  json values = json::array();
  std::size_t count = 0;
  luaL_checkstack(L, 4 * kDeepestAnswer + LUA_MINSTACK, "answer");
  for (int i = 1, all = lua_gettop(L); i <= all; ++i) values.push_back(json_at(L, i, 0, count));
  out = values.dump(-1, ' ', false, json::error_handler_t::replace);
  return 0;
}

}  // namespace

Console::Answer Console::answer(const std::string& lua) {
  lua_State* L = script_.sandbox().state();
  const int before = lua_gettop(L);
  const std::string expression = "return " + lua;
  const std::string& text = compiles(expression) ? expression : lua;
  Answer answer;
  if (luaL_loadbufferx(L, text.data(), text.size(), "=remote", "t") != LUA_OK) {
    answer.error = lua_tostring(L, -1);
    lua_settop(L, before);
    return answer;
  }
  Outcome outcome = script_.sandbox().call(0, LUA_MULTRET);
  if (outcome.kind == Outcome::Kind::Ok) {
    const int count = lua_gettop(L) - before;
    lua_pushcfunction(L, guarded<answer_all>);
    lua_insert(L, before + 1);
    lua_pushlightuserdata(L, &answer.values);
    outcome = script_.sandbox().call(count + 1, 0);
  }
  if (outcome.kind == Outcome::Kind::Ok) outcome = script_.engine().run_ticks();
  lua_settop(L, before);
  answer.ok = outcome.kind == Outcome::Kind::Ok;
  if (!answer.ok) answer.error = outcome.kind == Outcome::Kind::Quit ? "pto.quit ends no window" : outcome.message;
  return answer;
}

// --- watching ------------------------------------------------------------------------------------------------------

namespace {

struct Watching {
  const std::string& text;
  WatchResult result = {};
};

// Takes the place where it stands.
int watch_current(lua_State* L) {
  auto& watching = *static_cast<Watching*>(lua_touserdata(L, 1));
  watching.result = evaluate_watch(L, check_current(L), watching.text);
  return 0;
}

}  // namespace

WatchResult Console::watch(const std::string& text) {
  Watching watching{.text = text};
  lua_State* L = script_.sandbox().state();
  lua_pushcfunction(L, guarded<watch_current>);
  lua_pushlightuserdata(L, &watching);
  const Outcome outcome = script_.sandbox().call(1, 0);
  return outcome.kind == Outcome::Kind::Ok ? watching.result : WatchResult{false, outcome.message};
}

// --- guessing ------------------------------------------------------------------------------------------------------

namespace {

// "pto.assert.eq" is made of the chain "pto.assert", the mark '.' and the begun name "eq".
struct Typed {
  std::string chain = {};
  char mark = 0;  // '.', ':' or none
  std::string begun = {};
  std::size_t begin = 0;
};

Typed typed_at_end(const std::string& line) {
  std::size_t begin = line.size();
  while (begin > 0 && is_name(line[begin - 1])) --begin;
  Typed typed{.begun = line.substr(begin), .begin = begin};
  if (begin == 0 || (line[begin - 1] != '.' && line[begin - 1] != ':')) return typed;
  typed.mark = line[begin - 1];
  std::size_t first = begin - 1;
  while (first > 0 && (is_name(line[first - 1]) || line[first - 1] == '.')) --first;
  typed.chain = line.substr(first, begin - 1 - first);
  return typed;
}

void add_bindings(const ObjectType& type, char mark, std::set<std::string>& names) {
  for (const Binding& binding : type.bindings)
    if ((binding.kind == Binding::Kind::Method) == (mark == ':')) names.insert(binding.name);
}

// Names in the table on top of the stack; nothing is called for it.
void add_keys(lua_State* L, std::set<std::string>& names) {
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING) names.insert(lua_tostring(L, -1));
  }
}

// Pushes the value of a chain of names, or nil.
void push_chain(lua_State* L, const std::string& chain) {
  lua_pushglobaltable(L);
  for (std::size_t at = 0; at <= chain.size() && !chain.empty();) {
    const std::size_t end = std::min(chain.find('.', at), chain.size());
    if (!lua_istable(L, -1)) {
      lua_pushnil(L);
    } else {
      lua_pushlstring(L, chain.data() + at, end - at);
      lua_rawget(L, -2);
    }
    lua_remove(L, -2);
    at = end + 1;
  }
}

// Takes the place where it is typed and where the names go.
int collect_names(lua_State* L) {
  const Typed& typed = *static_cast<const Typed*>(lua_touserdata(L, 1));
  auto& names = *static_cast<std::set<std::string>*>(lua_touserdata(L, 2));
  push_chain(L, typed.chain);
  for (const ObjectType* type : object_types()) {
    const bool table = type->is_table && type->owner == typed.chain;
    if (typed.mark != 0 && (table || object_of_type(L, -1, *type) != nullptr)) add_bindings(*type, typed.mark, names);
  }
  if (lua_istable(L, -1)) add_keys(L, names);
  if (lua_type(L, -1) == LUA_TSTRING && typed.mark == ':') {
    lua_getglobal(L, "string");
    if (lua_istable(L, -1)) add_keys(L, names);
  }
  return 0;
}

}  // namespace

Console::Guesses Console::guess(const std::string& line) const {
  Typed typed = typed_at_end(line);
  std::set<std::string> names;
  lua_State* L = script_.sandbox().state();
  lua_pushcfunction(L, guarded<collect_names>);
  lua_pushlightuserdata(L, &typed);
  lua_pushlightuserdata(L, &names);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) lua_pop(L, 1);
  if (typed.mark == 0 && typed.begin == line.find_first_not_of(" \t")) {
    for (const CommandRow& row : commands()) names.insert(row.name);
    names.insert({"help", "quit"});
  }
  Guesses guesses{.begin = typed.begin};
  for (const std::string& name : names)
    if (name.starts_with(typed.begun)) guesses.names.push_back(name);
  return guesses;
}

}  // namespace ts::scripting
