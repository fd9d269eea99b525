// Arrays out to files.
#include "app/cli/arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ts {
namespace {

// Of several tiles of a name the one that a step touched last.
std::uint32_t last_touched(const Recording& recording, const std::vector<std::uint32_t>& tiles) {
  if (tiles.size() == 1) return tiles.front();
  for (std::uint32_t step = recording.count(); step-- > 0;)
    for (const Operand& operand : recording.bound(step).operands)
      if (operand.spec->kind == OperandKind::Tile && std::ranges::find(tiles, operand.id) != tiles.end()) return operand.id;
  return tiles.back();
}

void take_buffer(const Memory& memory, const BufferDecl& buffer, data::Array& out) {
  const auto bytes = memory.bytes(Space::Gm, buffer.address, buffer.size());
  out.bytes.assign(bytes.begin(), bytes.end());
  if (out.shape.empty()) out.shape = {buffer.elements};
}

void take_tile(const Memory& memory, const TileRef& tile, data::Array& out) {
  out.shape = {tile.valid_rows, tile.valid_cols};
  for (std::uint32_t row = 0; row < tile.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < tile.valid_cols; ++col) {
      const auto bytes = memory.bytes(tile.space(), tile.at(row, col), tile.elem_bytes());
      out.bytes.insert(out.bytes.end(), bytes.begin(), bytes.end());
    }
  }
}

}  // namespace

std::optional<data::Error> no_output(const Program& program, const std::string& name) {
  if (find_array(program, name)) return {};
  std::set<std::string> names;
  for (const BufferDecl& buffer : program.buffers) names.insert(buffer.name);
  for (const TileDecl& tile : program.tiles)
    if (!tile.implicit) names.insert(tile.name);
  return data::Error{fmt::format("--out {}: {} has no buffer or tile of that name", name, program.name),
                     names.empty() ? "" : fmt::format("it has {}", fmt::join(names, ", "))};
}

data::Error write_output(const Recording& recording, const std::string& name, const std::string& path) {
  const NamedArray place = *find_array(recording.program(), name);
  data::Array array{npy_type(place.dtype), place.shape, {}};
  if (place.buffer != nullptr) {
    take_buffer(recording.final_memory(), *place.buffer, array);
  } else {
    take_tile(recording.final_memory(), recording.tile_at_end(last_touched(recording, place.tiles)), array);
  }
  return data::write_array(path, array);
}

}  // namespace ts
