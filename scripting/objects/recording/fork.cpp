// Running a program again with bytes changed by hand: rec:fork.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "core/debug/edits/fork.h"
#include "scripting/binding/object.h"
#include "scripting/objects/recording/stop_rule.h"
#include "scripting/objects/values/elements.h"
#include "scripting/run/open_recording.h"
#include "scripting/run/recording_memory.h"

namespace ts::scripting {
namespace {

std::vector<std::byte> little_endian(std::uint64_t bits, std::uint32_t size) {
  std::vector<std::byte> bytes(size);
  for (std::uint32_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(bits >> (8 * i));
  return bytes;
}

// {tile=, row=, col=, value= | bits=}
Edit element_edit(const OptionTable& options, Session& session, std::uint32_t position) {
  lua_State* L = options.state();
  const TileRef tile = check_tile(options, "tile", session, position);
  const auto row = options.index("row", tile.rows()), col = options.index("col", tile.cols());
  if (!row || !col) raise(L, "rec:fork: row and col say which element of the tile");
  if (options.has("value") == options.has("bits")) raise(L, "rec:fork: give the element's value, or its bits");
  std::uint64_t bits = 0;
  if (options.push("value") != LUA_TNIL) bits = check_element(L, -1, "value", element_format(tile.type.dtype));
  lua_pop(L, 1);
  if (const auto given = options.integer("bits", INT64_MIN, INT64_MAX)) bits = static_cast<std::uint64_t>(*given);
  const ByteRange place = tile.place_of(*row, *col);
  if (place.part != BytePart::Whole) {
    // The other half of the byte stays what it is there.
    std::byte other{};
    const bool low = place.part == BytePart::Low;
    session.peek(position, {place.space, place.address, 1, low ? BytePart::High : BytePart::Low, place.core},
                 std::span(&other, 1));
    const auto beside = std::to_integer<std::uint64_t>(other);
    bits = low ? (bits & 0xF) | beside << 4 : beside | (bits & 0xF) << 4;
  }
  return {position, place.space, place.address, little_endian(bits, place.size), place.core};
}

// "00ff10", or a list of numbers.
std::vector<std::byte> check_byte_list(const OptionTable& options) {
  lua_State* L = options.state();
  std::vector<std::byte> bytes;
  const int type = options.push("bytes");
  if (type == LUA_TSTRING) {
    const std::string_view text = lua_tostring(L, -1);
    for (std::size_t i = 0; i < text.size(); i += 2) {
      std::uint8_t byte = 0;
      const std::string_view pair = text.substr(i, 2);
      const auto [end, error] = std::from_chars(pair.data(), pair.data() + pair.size(), byte, 16);
      if (error != std::errc{} || end != pair.data() + 2) options.wrong("bytes", "pairs of hexadecimal digits");
      bytes.push_back(static_cast<std::byte>(byte));
    }
  } else if (type == LUA_TTABLE) {
    const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L, -1, i);
      bytes.push_back(static_cast<std::byte>(check_index(L, -1, 256, "bytes")));
      lua_pop(L, 1);
    }
  } else {
    options.wrong("bytes", "a list of bytes, or pairs of hexadecimal digits");
  }
  lua_pop(L, 1);
  if (bytes.empty()) raise(L, "rec:fork: bytes is empty");
  return bytes;
}

// {mem=, offset=, bytes=}
Edit memory_edit(const OptionTable& options, std::uint32_t position) {
  lua_State* L = options.state();
  const Space space = check_space(L, *options.text("mem"));
  const auto offset = options.index("offset", std::uint64_t{1} << 31);
  if (!offset) raise(L, "rec:fork: offset says where in the memory");
  return {position, space, *offset, check_byte_list(options)};
}

// {edit="t2[1,5]=3@12"}, or a list of such texts.
std::vector<std::string> edit_texts(const OptionTable& options) {
  lua_State* L = options.state();
  std::vector<std::string> texts;
  const int type = options.push("edit");
  if (type == LUA_TSTRING) {
    texts.emplace_back(lua_tostring(L, -1));
  } else if (type == LUA_TTABLE) {
    const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
    for (lua_Integer i = 1; i <= std::min<lua_Integer>(count, kMostForks); ++i) {
      if (lua_rawgeti(L, -1, i) != LUA_TSTRING) options.wrong("edit", "a text, or a list of texts");
      texts.emplace_back(lua_tostring(L, -1));
      lua_pop(L, 1);
    }
  } else {
    options.wrong("edit", "a text, or a list of texts");
  }
  lua_pop(L, 1);
  return texts;
}

// What is asked for, as it is made: by texts, or by one table of what changes.
struct ForkWish {
  std::vector<std::string> texts;
  std::vector<Edit> edits;
  std::uint32_t position = 0;
};
ForkWish fork_wish(const OptionTable& options, Session& session) {
  ForkWish wish{{}, {}, options.index("step", std::uint64_t{session.count()} + 1).value_or(session.moment().position)};
  const int ways = (options.has("tile") ? 1 : 0) + (options.has("mem") ? 1 : 0) + (options.has("edit") ? 1 : 0);
  if (ways != 1)
    raise(options.state(), "rec:fork: say what changes",
          "edit=\"t2[1,5]=3\"; or tile, row, col and value; or mem, offset and bytes");
  if (options.has("edit")) wish.texts = edit_texts(options);
  else
    wish.edits = {options.has("tile") ? element_edit(options, session, wish.position)
                                      : memory_edit(options, wish.position)};
  return wish;
}

int recording_fork(lua_State* L) {
  const std::shared_ptr<OpenRecording> recording = check_self<RecordingObject>(L).recording;
  Session& session = session_of(L, *recording);
  const OptionTable options(L, 2, "options",
                            {"step", "tile", "row", "col", "value", "bits", "mem", "offset", "bytes", "edit"});
  const ForkWish wish = fork_wish(options, session);
  const RecordOptions& made = session.recording().options();
  const RecordingMemory memory(L, session.recording().program(), made.budget_bytes);
  const ForkBounds bounds{memory.options().budget_bytes, memory.options().most_bytes};
  using Made = std::variant<std::shared_ptr<const Recording>, Refusal>;
  const auto forked = ask_session(L, recording, "recording the fork", [&](Session& its) -> Made {
    const auto go_on = [&its](std::uint64_t) { return its.go_on(); };
    if (wish.texts.empty()) return its.fork(wish.edits, go_on, bounds);
    auto run = fork_by_text(its.shared_recording(), wish.texts, wish.position, go_on, bounds);
    if (auto* no = std::get_if<Refusal>(&run)) return *no;
    return std::get<Forked>(run).recording;
  });
  if (const auto* refusal = std::get_if<Refusal>(&forked))
    raise(L, fmt::format("rec:fork: {}", refusal->text), refusal->hint);
  const auto weighed = memory.weigh(L, std::get<std::shared_ptr<const Recording>>(forked));
  push_recording(L, open_session(L, std::make_shared<Session>(weighed)));
  return 1;
}

constexpr RowMaker kForkRow{"rec", "local rec = pto.load(\"row_loop\"):record()\n"};

std::vector<Binding> fork_rows() {
  return {
      kForkRow.method(
          "fork", recording_fork,
          "{edit=, step=, tile=, row=, col=, value=, bits=, mem=, offset=, bytes=} -> recording",
          "Runs the program again with something changed where a step begins: by texts as the command line takes them "
          "(\"t2[1,5]=3@12\", a part of a tile, a mask's bit, bytes, a number of the program; without @ at `step`, or "
          "where the session stands), by an element of a tile, or by bytes of a memory. What was changed in this one "
          "stays changed.",
          R"(local s = rec:find{op="tadd"}()
local other = rec:fork{step=s.step, tile="x_even", row=0, col=0, value=1000}
assert(other ~= rec and other.count == rec.count)
assert(other:digest() ~= rec:digest())
local same = rec:fork{edit="x_even[0,0]=1000@" .. s.step}
assert(same:digest() == other:digest()))"),
  };
}

const ListedRows kForkRows{44, {RecordingObject::type, fork_rows}};

}  // namespace
}  // namespace ts::scripting
