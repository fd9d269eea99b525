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
      if (operand.spec->kind == OperandKind::Tile && std::ranges::find(tiles, operand.id) != tiles.end())
        return operand.id;
  return tiles.back();
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

data::Error write_output(const Recording& recording, const std::string& name, const std::string& path, Region region,
                         const CsvOptions& csv, const data::WriteRules& rules) {
  const NamedArray place = *find_array(recording.program(), name);
  const Memory& memory = recording.final_memory();
  if (place.buffer == nullptr)
    return write_cells(cells_of(memory, recording.tile_at_end(last_touched(recording, place.tiles)), region), path, csv,
                       rules);
  Cells cells = cells_of(memory, *place.buffer);
  cells.shape = place.shape.empty() ? std::vector<std::uint64_t>{place.buffer->elements} : place.shape;
  return write_cells(cells, path, csv, rules);
}

}  // namespace ts
