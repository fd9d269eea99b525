// Elements of a recording, read where they stand.
#include "scripting/objects/values/place.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <span>

#include "scripting/objects/values/elements.h"
#include "scripting/run/open_recording.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {
Elements all_elements(lua_State* L, const Place& place) {
  Session& session = session_of(L, *place.recording);
  const std::uint64_t count = std::uint64_t{place.rows} * place.cols;
  Sandbox::need_memory(L, bytes_of_elements(count));
  Sandbox::charge(L, count / 2);
  const Memory& memory = place.memory(L);
  return place.is_buffer ? elements_of(memory, session.recording().program().buffers[place.id])
                         : elements_of(memory, place.tile);
}

ByteRange Place::at(std::uint32_t row, std::uint32_t col) const {
  if (is_buffer) return element_place(Space::Gm, address, format->size_bits, row * cols + col);
  return tile.place_of(row, col);
}

ByteRange Place::range() const {
  return is_buffer ? ByteRange{Space::Gm, address, (rows * cols * format->size_bits + 7) / 8} : tile.range();
}

const Memory& Place::memory(lua_State* L) const {
  Session& session = session_of(L, *recording);
  if (micro == 0) return session.memory_at(position);
  if (session.moment() != Moment{position, micro})
    raise(L,
          fmt::format("{} was asked for in the middle of step {}, and the recording stands elsewhere now", name,
                      position),
          fmt::format("rec:seek({}, {}) goes back", position, micro));
  return session.memory();
}

Place tile_place(std::shared_ptr<OpenRecording> recording, std::uint32_t position, std::uint32_t id,
                 const TileRef& tile) {
  const std::string name = recording->session->recording().program().tiles[id].name;
  return {.recording = std::move(recording),
          .position = position,
          .id = id,
          .name = name,
          .format = &element_format(tile.type.dtype),
          .rows = tile.rows(),
          .cols = tile.cols(),
          .valid_rows = tile.valid_rows,
          .valid_cols = tile.valid_cols,
          .tile = tile,
          .address = tile.address};
}

Place buffer_place(std::shared_ptr<OpenRecording> recording, std::uint32_t position, std::uint32_t id) {
  const BufferDecl& buffer = recording->session->recording().program().buffers[id];
  const BufferShape shape = shape_of(buffer);
  return {.recording = std::move(recording),
          .position = position,
          .id = id,
          .is_buffer = true,
          .name = buffer.name,
          .format = &element_format(buffer.dtype),
          .rows = shape.rows,
          .cols = shape.cols,
          .valid_rows = shape.rows,
          .valid_cols = shape.cols,
          .address = buffer.address};
}

Element read_element(lua_State* L, const Place& place, std::uint32_t row, std::uint32_t col) {
  const ByteRange range = place.at(row, col);
  if (place.micro != 0) {
    const Memory& memory = place.memory(L);
    return {memory.element(range), memory.worst_definedness(memory.map().flat(range), range.size)};
  }
  std::array<std::byte, 8> bytes{};
  Element element;
  element.worth = session_of(L, *place.recording).peek(place.position, range, std::span(bytes).first(range.size));
  std::memcpy(&element.bits, bytes.data(), sizeof element.bits);
  return element;
}

CellArguments check_cell(lua_State* L, const Place& place) {
  if (place.is_buffer && lua_type(L, 3) != LUA_TNUMBER) {
    const std::uint32_t index = check_index(L, 2, std::uint64_t{place.rows} * place.cols, "index");
    return {index / place.cols, index % place.cols, 3};
  }
  const std::uint32_t row = check_index(L, 2, place.rows, "row");
  return {row, check_index(L, 3, place.cols, "col"), 4};
}

}  // namespace ts::scripting
