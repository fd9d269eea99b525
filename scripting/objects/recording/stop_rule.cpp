// Reading what a script wants to wait for.
#include "scripting/objects/recording/stop_rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/memory/place_word.h"
#include "core/text/byte_span.h"
#include "core/text/count.h"
#include "core/text/tree.h"
#include "scripting/binding/object.h"
#include "scripting/objects/compare/comparison.h"
#include "scripting/objects/compare/run_comparison.h"
#include "scripting/objects/values/tile.h"

namespace ts::scripting {
namespace {

constexpr std::size_t kMostRanges = 100'000;
constexpr const char* kTouchKeys[] = {"writes", "changes", "reads"};  // by Touch

// "ub[0x400,0x800)": nothing where the text is not of that form.
std::optional<ByteRange> read_region(lua_State* L, std::string_view text, const MemoryMap& map) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos) return {};
  const auto span = text::read_byte_span(text.substr(open));
  if (!span)
    raise(L, fmt::format("'{}' is no range of bytes", text),
          "as in \"ub[0x400,0x800)\": a memory, the first byte, and the byte after the last");
  const std::string_view word = text.substr(0, open);
  const auto memory = memory_of_word(word);
  const MemoryOfCore found = memory ? *memory : MemoryOfCore{check_space(L, word), 0};
  if (found.core >= map.cores())
    raise(L, fmt::format("there is no core {} for '{}'", found.core, text), fmt::format("there are {}", map.cores()));
  if (span->end <= span->begin) raise(L, fmt::format("'{}' has no bytes", text), "the end is not part of a range");
  return ByteRange{found.space, span->begin, span->end - span->begin, BytePart::Whole, found.core};
}

// The tile or buffer of a name, as it is at a position.
NamedBytes find_named(lua_State* L, Session& session, std::uint32_t position, const std::string& text) {
  const std::string plain = text.starts_with('%') ? text.substr(1) : text;
  if (const auto tile = session.find_tile(plain, position)) {
    const TileRef ref = session.tile_at(*tile, position);
    return {plain, ref, ref.range()};
  }
  if (const auto buffer = session.find_buffer(plain)) {
    const BufferDecl& decl = session.recording().program().buffers[*buffer];
    return {plain, {}, {Space::Gm, decl.address, decl.size()}};
  }
  std::vector<std::string_view> names;
  for (const TileDecl& tile : session.recording().program().tiles)
    if (!tile.implicit) names.push_back(tile.name);
  for (const BufferDecl& buffer : session.recording().program().buffers) names.push_back(buffer.name);
  raise(L, fmt::format("the program has no tile or buffer '{}'{}", plain, did_you_mean(plain, names)),
        "bytes are written as \"ub[0x400,0x800)\"");
}

// What stands at a place of the stack: a text or an object. `name` is for messages.
NamedBytes check_named(lua_State* L, int index, const char* name, Session& session, std::uint32_t position) {
  if (auto named = to_named_bytes(L, index)) return *named;
  if (lua_type(L, index) != LUA_TSTRING)
    wrong_argument(L, index, name, "a tile, its name, or bytes as in \"ub[0x400,0x800)\"");
  const std::string text = lua_tostring(L, index);
  if (const auto region = read_region(L, text, session.recording().map())) return {text, {}, *region};
  return find_named(L, session, position, text);
}

// First and last, both included; without the key all of them.
struct Span {
  std::uint32_t first = 0, end = 0;
};
Span check_span(const OptionTable& options, const char* key, std::uint32_t count) {
  if (options.push(key) == LUA_TNIL) {
    lua_pop(options.state(), 1);
    return {0, count};
  }
  lua_State* L = options.state();
  if (!lua_istable(L, -1) || lua_rawlen(L, -1) != 2) options.wrong(key, "a list of the first and the last");
  lua_rawgeti(L, -1, 1);
  lua_rawgeti(L, -2, 2);
  const std::uint32_t first = check_index(L, -2, count, key), last = check_index(L, -1, count, key);
  lua_pop(L, 3);
  if (last < first) raise(L, fmt::format("{}: {} comes before {}", key, last, first));
  return {first, last + 1};
}

// The bytes of a part of a tile, with what stands side by side joined.
std::vector<ByteRange> tile_bytes(const TileRef& tile, Span rows, Span cols) {
  std::vector<std::uint32_t> starts;
  for (std::uint32_t row = rows.first; row < rows.end; ++row)
    for (std::uint32_t col = cols.first; col < cols.end; ++col) starts.push_back(tile.at(row, col));
  std::ranges::sort(starts);
  std::vector<ByteRange> ranges;
  for (const std::uint32_t start : starts) {
    if (!ranges.empty() && ranges.back().address + ranges.back().size == start) ranges.back().size += tile.elem_bytes();
    else ranges.push_back(tile.range().with(start, tile.elem_bytes()));
  }
  return ranges;
}

// Several ranges of bytes, as a list on top of the stack, which is taken off.
Watched check_ranges(const OptionTable& options, const char* key, Touch touch, Session& session) {
  lua_State* L = options.state();
  const lua_Unsigned count = lua_rawlen(L, -1);
  if (count == 0 || count > kMostRanges || options.has("rows") || options.has("cols") || options.has("cell"))
    options.wrong(key, fmt::format("1 to {} ranges of bytes, without rows, cols and cell", kMostRanges));
  Watched watch{{}, touch, ""};
  for (lua_Unsigned i = 1; i <= count; ++i) {
    lua_rawgeti(L, -1, static_cast<lua_Integer>(i));
    const NamedBytes named = check_named(L, -1, key, session, session.moment().position);
    watch.bytes.push_back(named.bytes);
    if (watch.text.size() < 200) watch.text += (i == 1 ? "" : ", ") + named.name;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return watch;
}

// The key says which of the three it is; only one of them can be.
std::optional<Watched> check_touch(const OptionTable& options, Session& session) {
  std::optional<Watched> watch;
  for (int touch = 0; touch < 3; ++touch) {
    if (!options.has(kTouchKeys[touch])) continue;
    if (watch)
      raise(
          options.state(),
          fmt::format("{} and {} cannot stand together", kTouchKeys[static_cast<int>(watch->touch)], kTouchKeys[touch]),
          "add two breakpoints");
    watch = check_watched(options, kTouchKeys[touch], static_cast<Touch>(touch), session);
  }
  if (!watch && (options.has("rows") || options.has("cols") || options.has("cell")))
    raise(options.state(), "rows, cols and cell are of a tile that is given with writes, changes or reads");
  return watch;
}

// true or "produced".
bool check_produced(const OptionTable& options, const char* key) {
  const int type = options.push(key);
  lua_State* L = options.state();
  bool wanted = false;
  if (type == LUA_TSTRING && std::string_view(lua_tostring(L, -1)) == "produced") wanted = true;
  else if (type == LUA_TSTRING && std::string_view(lua_tostring(L, -1)) == "any")
    raise(L, fmt::format("this version has no {}=\"any\" yet", key),
          "\"produced\" stops where the first of them is made");
  else if (type == LUA_TBOOLEAN) wanted = lua_toboolean(L, -1) != 0;
  else if (type != LUA_TNIL) options.wrong(key, "true or \"produced\"");
  lua_pop(L, 1);
  return wanted;
}

// A recording to compare with, which the session goes by from then on; or true, for the one compared with last.
bool check_differs(const OptionTable& options, Session& session) {
  lua_State* L = options.state();
  const int type = options.push("differs");
  const auto* other = to_object<RecordingObject>(L, -1);
  const bool wanted = other != nullptr || (type == LUA_TBOOLEAN && lua_toboolean(L, -1) != 0);
  if (!wanted && type != LUA_TNIL && type != LUA_TBOOLEAN) options.wrong("differs", "a recording, or true");
  if (other != nullptr) compare_with(L, session, session_of(L, *other->recording), tolerances(options));
  lua_pop(L, 1);
  if (wanted && session.reference().differences == nullptr)
    raise(L, "differs: the recording was not compared with another", "give the other one: differs=other");
  if (other == nullptr && (options.has("abs") || options.has("rel") || options.has("ulp")))
    raise(L, "abs, rel and ulp are of a recording that is given with differs");
  return wanted;
}

}  // namespace

const std::vector<const char*>& stop_keys() {
  static const std::vector<const char*> keys{"step",    "op",      "line", "core", "writes", "changes",
                                             "reads",   "rows",    "cols", "cell", "nan",    "inf",
                                             "finding", "differs", "abs",  "rel",  "ulp"};
  return keys;
}

StopRule check_rule(const OptionTable& options, Session& session) {
  StopRule rule;
  if (const auto step = options.integer("step", 0, ~0u)) rule.step = static_cast<std::uint32_t>(*step);
  const WantedLine wanted = check_line(options, session);
  rule.line = wanted.line;
  rule.source = wanted.source;
  rule.op = plain_op(options.text("op").value_or(""));
  rule.core = check_core(options, session);
  rule.watch = check_touch(options, session);
  rule.nan = check_produced(options, "nan");
  rule.inf = check_produced(options, "inf");
  rule.finding = options.truth("finding");
  rule.differs = check_differs(options, session);
  return rule;
}

bool says_anything(const StopRule& rule) {
  return rule.step || rule.line || rule.source || !rule.op.empty() || rule.core || rule.watch || rule.nan || rule.inf ||
         rule.finding || rule.differs;
}

std::optional<CoreChoice> check_core(const OptionTable& options, Session& session) {
  lua_State* L = options.state();
  const int type = options.push("core");
  lua_pop(L, 1);
  if (type == LUA_TNIL) return {};
  if (type != LUA_TNUMBER && type != LUA_TSTRING) options.wrong("core", "a number, or a name such as \"AIV0\"");
  auto read =
      read_core(type == LUA_TNUMBER ? std::to_string(*options.integer("core", 0, 1 << 20)) : *options.text("core"),
                session.recording());
  if (const auto* refusal = std::get_if<Refusal>(&read)) raise(L, "core: " + refusal->text, refusal->hint);
  return std::get<CoreChoice>(std::move(read));
}

WantedLine check_line(const OptionTable& options, Session& session) {
  lua_State* L = options.state();
  const int type = options.push("line");
  lua_pop(L, 1);
  if (type == LUA_TNIL) return {};
  if (type != LUA_TSTRING) return {static_cast<std::uint32_t>(*options.integer("line", 1, ~0u)), {}};
  const std::string text = *options.text("line");
  const std::size_t colon = text.rfind(':');
  std::string_view rest = std::string_view(text).substr(colon == std::string::npos ? 0 : colon + 1);
  std::uint32_t number = 0;
  if (!text::parse_count(rest, number)) options.wrong("line", "a number, or as in \"kernel.pto:88\"");
  const auto& tree = session.recording().program().tree;
  const std::string file = colon == std::string::npos ? "" : text.substr(0, colon);
  const std::string own = tree == nullptr ? session.recording().program().name : tree->source->name();
  const bool same = file.empty() || own == file || own.ends_with("/" + file) || file.ends_with("/" + own);
  if (same) return {number, {}};
  const SourceMap& sources = session.sources();
  if (sources.find_file(file)) return {{}, SourceStop{file, number}};
  if (sources.empty()) raise(L, fmt::format("line: the program is {}, not {}", own, file));
  raise(L, fmt::format("line: the program is {}, and came from no single file called {}", own, file),
        fmt::format("it came from {}", fmt::join(sources.files(), ", ")));
}

std::optional<Watched> check_watched(const OptionTable& options, const char* key, Touch touch, Session& session) {
  lua_State* L = options.state();
  if (options.push(key) == LUA_TNIL) {
    lua_pop(L, 1);
    return {};
  }
  if (lua_istable(L, -1)) return check_ranges(options, key, touch, session);
  const NamedBytes named = check_named(L, -1, key, session, session.moment().position);
  lua_pop(L, 1);
  Watched watch{{named.bytes}, touch, named.name};
  if (!named.tile) {
    if (options.has("rows") || options.has("cols") || options.has("cell"))
      raise(L, fmt::format("rows, cols and cell are of a tile, and {} is none", named.name));
    return watch;
  }
  const TileRef& tile = *named.tile;
  Span rows{0, tile.valid_rows}, cols{0, tile.valid_cols};
  if (options.has("cell")) {
    if (options.has("rows") || options.has("cols"))
      raise(L, "cell says row and column; rows and cols cannot stand beside it");
    options.push("cell");
    if (!lua_istable(L, -1) || lua_rawlen(L, -1) != 2) options.wrong("cell", "a list of row and column");
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, -2, 2);
    const std::uint32_t row = check_index(L, -2, tile.rows(), "cell's row"),
                        col = check_index(L, -1, tile.cols(), "cell's column");
    lua_pop(L, 3);
    rows = {row, row + 1};
    cols = {col, col + 1};
    watch.text = fmt::format("{}[{},{}]", named.name, row, col);
  } else {
    if (options.has("rows")) rows = check_span(options, "rows", tile.rows());
    if (options.has("cols")) cols = check_span(options, "cols", tile.cols());
  }
  watch.bytes = tile_bytes(tile, rows, cols);
  return watch;
}

TileRef check_tile(const OptionTable& options, const char* key, Session& session, std::uint32_t position) {
  lua_State* L = options.state();
  options.push(key);
  const NamedBytes named = check_named(L, -1, key, session, position);
  lua_pop(L, 1);
  if (!named.tile) raise(L, fmt::format("{}: {} is no tile", key, named.name));
  return *named.tile;
}

Space check_space(lua_State* L, std::string_view wanted) {
  std::string names;
  for (int i = 0; i < kSpaces; ++i) {
    const auto space = static_cast<Space>(i);
    if (wanted == name(space)) return space;
    names += fmt::format("{}{}", i == 0 ? "" : ", ", name(space));
  }
  raise(L, fmt::format("there is no memory '{}'", wanted), "memories are " + names);
}

ByteRange check_range(lua_State* L, int index, const char* name, Session& session) {
  return check_named(L, index, name, session, session.moment().position).bytes;
}

ByteRange check_bytes(lua_State* L, int index, Session& session) {
  const NamedBytes named = check_named(L, index, "bytes", session, session.moment().position);
  if (lua_isnoneornil(L, index + 1)) return named.bytes;
  if (!named.tile) raise(L, fmt::format("row and column are of a tile, and {} is none", named.name));
  const std::uint32_t row = check_index(L, index + 1, named.tile->rows(), "row"),
                      col = check_index(L, index + 2, named.tile->cols(), "col");
  return {named.tile->space(), named.tile->at(row, col), named.tile->elem_bytes()};
}

}  // namespace ts::scripting
