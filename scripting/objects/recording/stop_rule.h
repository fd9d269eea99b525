// What scripts may wait for, as rules of a session: {op="TADD", writes="ub[0x400,0x800)", nan=true}.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scripting/run/open_recording.h"

namespace ts::scripting {

// Keys of such a table.
const std::vector<const char*>& stop_keys();
// Raises where it makes no sense; whether it can ever fire is for the session to say.
StopRule check_rule(const OptionTable& options, Session& session);
// Whether the table says anything to wait for.
bool says_anything(const StopRule& rule);

// Under the key "line": 88 or "k.pto:88" of the program's text, "attn.py:41" of what the text was made of.
struct WantedLine {
  std::optional<std::uint32_t> line = {};
  std::optional<SourceStop> source = {};
};
WantedLine check_line(const OptionTable& options, Session& session);
// Under the key "core": a number, or as in "AIV0".
std::optional<CoreChoice> check_core(const OptionTable& options, Session& session);
// The bytes under a key: "ub[0x400,0x800)", the end not part of it; the name of a tile or buffer; or such an object.
// `rows`, `cols` and `cell` of the table narrow a tile down. Nothing where there is no such key.
std::optional<Watched> check_watched(const OptionTable& options, const char* key, Touch touch, Session& session);
// The tile under a key, as it stands at a position.
TileRef check_tile(const OptionTable& options, const char* key, Session& session, std::uint32_t position);
// The memory of this name.
Space check_space(lua_State* L, std::string_view name);
// All bytes of a range, or of a tile or buffer or its name, at a place of the stack.
ByteRange check_range(lua_State* L, int index, const char* name, Session& session);
// The bytes that arguments name: (place), or (place, row, col).
ByteRange check_bytes(lua_State* L, int index, Session& session);

}  // namespace ts::scripting
