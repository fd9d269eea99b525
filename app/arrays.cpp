// Arrays between files and programs.
#include "app/arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ts {
namespace {

// What a program has under a name.
struct Place {
  DType dtype = DType::F32;
  std::vector<std::uint64_t> shape;  // empty: only the number of elements is known
  const BufferDecl* buffer = nullptr;
  std::vector<std::uint32_t> tiles;  // of that name, in the text's order
};

// The element type as NumPy names it.
std::string npy_type(DType type) {
  if (type == DType::BF16) return "V2";
  return fmt::format("{}{}", is_float(type) ? "f" : is_signed_int(type) ? "i" : "u", size_bytes(type));
}

Place buffer_place(const BufferDecl& buffer) {
  Place place{buffer.dtype, {}, &buffer, {}};
  std::uint64_t dense = 1;
  for (const std::uint32_t size : buffer.view_shape) dense *= size;
  if (!buffer.view_shape.empty() && dense == buffer.elements) place.shape.assign(buffer.view_shape.begin(), buffer.view_shape.end());
  return place;
}

std::optional<Place> find_place(const Program& program, const std::string& name) {
  for (const BufferDecl& buffer : program.buffers)
    if (buffer.name == name) return buffer_place(buffer);
  Place place;
  for (std::uint32_t i = 0; i < program.tiles.size(); ++i) {
    const TileDecl& tile = program.tiles[i];
    if (tile.name != name || tile.implicit) continue;
    place.dtype = tile.type.dtype;
    place.shape = {tile.valid_rows, tile.valid_cols};
    place.tiles.push_back(i);
  }
  return place.tiles.empty() ? std::nullopt : std::optional(std::move(place));
}

bool is_integer_type(const std::string& type) { return type[0] == 'i' || type[0] == 'u' || type[0] == 'b'; }

// Signs are taken as they come, and NumPy has no bf16: there it is two bytes of any kind.
bool type_fits(const std::string& wanted, const std::string& given) {
  if (wanted == given || (wanted == "V2" && given == "u2")) return true;
  return is_integer_type(wanted) && is_integer_type(given) && wanted.substr(1) == given.substr(1);
}

std::vector<std::uint64_t> without_ones(std::vector<std::uint64_t> shape) {
  std::erase(shape, 1u);
  return shape;
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  return shape.empty() ? "a single number" : fmt::format("{}", fmt::join(shape, "x"));
}

// How the program in NumPy would have to save it.
std::string type_hint(DType dtype) {
  if (dtype == DType::BF16) return "NumPy has no bf16; save its bits as uint16";
  const char* kind = is_float(dtype) ? "float" : is_signed_int(dtype) ? "int" : "uint";
  return fmt::format("convert it with .astype(np.{}{}) before saving", kind, 8 * size_bytes(dtype));
}

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

std::optional<data::Error> misfit(const Program& program, const std::string& name, const InputFile& file) {
  const std::optional<Place> place = find_place(program, name);
  if (!place || file.type.empty()) return {};
  if (!type_fits(npy_type(place->dtype), file.type))
    return data::Error{fmt::format("{}: holds {}, %{} is {}", file.path, file.type, name, ts::name(place->dtype)), type_hint(place->dtype)};
  if (place->shape.empty() || file.shape.size() == 1 || without_ones(file.shape) == without_ones(place->shape)) return {};
  return data::Error{fmt::format("{}: is {}, %{} is {}", file.path, shape_text(file.shape), name, shape_text(place->shape)),
                     "reshape it, or save it flat"};
}

std::optional<data::Error> no_output(const Program& program, const std::string& name) {
  if (find_place(program, name)) return {};
  std::set<std::string> names;
  for (const BufferDecl& buffer : program.buffers) names.insert(buffer.name);
  for (const TileDecl& tile : program.tiles)
    if (!tile.implicit) names.insert(tile.name);
  return data::Error{fmt::format("--out {}: {} has no buffer or tile of that name", name, program.name),
                     names.empty() ? "" : fmt::format("it has {}", fmt::join(names, ", "))};
}

data::Error write_output(const Recording& recording, const std::string& name, const std::string& path) {
  const Place place = *find_place(recording.program(), name);
  data::Array array{npy_type(place.dtype), place.shape, {}};
  if (place.buffer != nullptr) {
    take_buffer(recording.final_memory(), *place.buffer, array);
  } else {
    take_tile(recording.final_memory(), recording.tile_at_end(last_touched(recording, place.tiles)), array);
  }
  return data::write_array(path, array);
}

}  // namespace ts
