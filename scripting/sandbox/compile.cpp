// Feeds text to Lua's compiler in small pieces, and looks at the limits before each.
#include "scripting/sandbox/compile.h"

#include <algorithm>

#include "scripting/sandbox/budget.h"
#include "scripting/sandbox/call_watch.h"

namespace ts::scripting {

namespace {

constexpr std::uint64_t kStepsPerByte = 4;
// What follows one identifier can cost a search through all labels or all variables in sight, so pieces are short.
constexpr std::size_t kPieceBytes = 128;
constexpr char kBytecodeMark = LUA_SIGNATURE[0];
constexpr const char* kBytecodeText = "this is bytecode; scripts are source text";

struct Source {
  lua_State* L;
  CallWatch watch;
  std::string_view rest = {};
  int reader = 0;  // stack index of a function that gives more, or 0
  int piece = 0;   // stack index that keeps the reader's piece alive

  explicit Source(lua_State* state) : L(state), watch(state) {}
};

// Asks the script's function for more. Nil and the empty string are the end.
void ask_reader(Source& source) {
  lua_State* L = source.L;
  luaL_checkstack(L, 2, "too many nested functions");
  budget_of(L).charge(L, 1);
  lua_pushvalue(L, source.reader);
  lua_call(L, 0, 1);
  if (lua_isnil(L, -1)) return lua_pop(L, 1);
  if (!lua_isstring(L, -1)) luaL_error(L, "reader function must return a string");
  lua_replace(L, source.piece);
  std::size_t size = 0;
  const char* text = lua_tolstring(L, source.piece, &size);
  source.rest = {text, size};
}

const char* next_piece(lua_State* L, void* data, std::size_t* size) {
  Source& source = *static_cast<Source*>(data);
  if (source.watch.is_late()) source.watch.raise("compiling a script");
  if (source.rest.empty() && source.reader) ask_reader(source);
  const std::string_view piece = source.rest.substr(0, kPieceBytes);
  source.rest.remove_prefix(piece.size());
  budget_of(L).charge(L, piece.size() * kStepsPerByte);
  *size = piece.size();
  return piece.data();
}

bool load(Source& source, const char* chunk_name) {
  const int status = lua_load(source.L, next_piece, &source, chunk_name, "t");
  budget_of(source.L).raise_if_over(source.L);
  return status == LUA_OK;
}

}  // namespace

bool compile(lua_State* L, std::string_view text, const char* chunk_name) {
  if (text.starts_with(kBytecodeMark)) {
    lua_pushfstring(L, "%s: %s", *chunk_name == '@' || *chunk_name == '=' ? chunk_name + 1 : "load", kBytecodeText);
    return false;
  }
  Source source(L);
  source.rest = text;
  return load(source, chunk_name);
}

bool compile_pieces(lua_State* L, int reader, const char* chunk_name) {
  Source source(L);
  source.reader = lua_absindex(L, reader);
  lua_pushnil(L);
  source.piece = lua_gettop(L);
  const bool good = load(source, chunk_name);
  lua_remove(L, source.piece);
  return good;
}

}  // namespace ts::scripting
