// Arrays and what they are to a program.
#include "core/program/arrays.h"

#include <fmt/format.h>

#include <algorithm>

namespace ts {
namespace {

NamedArray buffer_array(const BufferDecl& buffer) {
  NamedArray array{buffer.dtype, {}, &buffer, {}};
  std::uint64_t dense = 1;
  for (const std::uint32_t size : buffer.view_shape) dense *= size;
  if (!buffer.view_shape.empty() && dense == buffer.elements)
    array.shape.assign(buffer.view_shape.begin(), buffer.view_shape.end());
  return array;
}

bool is_integer_type(const std::string& type) { return type[0] == 'i' || type[0] == 'u' || type[0] == 'b'; }

// Signs are taken as they come, and NumPy has no bf16 and no small floats: there they are bytes of any kind.
bool type_fits(const std::string& wanted, const std::string& given) {
  if (wanted == given || (wanted[0] == 'V' && given == "u" + wanted.substr(1))) return true;
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
  if (is_packed(dtype)) return "NumPy has none of 4 bits; save ml_dtypes' array, one a byte, or pairs of them as uint8";
  if (is_small_float(dtype)) return "NumPy has no such type; save ml_dtypes' array, or its bits as uint8";
  const char* kind = is_float(dtype) ? "float" : is_signed_int(dtype) ? "int" : "uint";
  return fmt::format("convert it with .astype(np.{}{}) before saving", kind, 8 * size_bytes(dtype));
}

}  // namespace

std::string npy_type(DType type) {
  if (type == DType::BF16) return "V2";
  if (is_small_float(type) || is_packed(type)) return "V1";
  return fmt::format("{}{}", is_float(type) ? "f" : is_signed_int(type) ? "i" : "u", size_bytes(type));
}

std::string memory_type(DType type) { return is_packed(type) ? "4bit" : npy_type(type); }

void pack_array(DType type, data::Array& array) {
  if (!is_packed(type)) return;
  const bool one_a_byte = array.type == "V1" || array.type == "i1";
  if (one_a_byte) {
    std::vector<std::byte> packed(bytes_for(type, array.bytes.size()));
    for (std::size_t i = 0; i < array.bytes.size(); ++i)
      store_element(packed.data(), type, i, std::to_integer<std::uint64_t>(array.bytes[i]));
    array.bytes = std::move(packed);
  } else if (array.type == "u1" && !array.shape.empty()) {
    array.shape.back() *= elements_in(type, 1);
  }
  if (one_a_byte || array.type == "u1") array.type = memory_type(type);
}

void unpack_array(DType type, data::Array& array) {
  if (!is_packed(type) || array.type != memory_type(type)) return;
  std::uint64_t count = 1;
  for (const std::uint64_t size : array.shape) count *= size;
  count = std::min(count, elements_in(type, array.bytes.size()));
  std::vector<std::byte> apart(count);
  for (std::size_t i = 0; i < count; ++i) apart[i] = static_cast<std::byte>(load_element(array.bytes.data(), type, i));
  array.bytes = std::move(apart);
  array.type = npy_type(type);
}

std::optional<NamedArray> find_array(const Program& program, const std::string& name) {
  for (const BufferDecl& buffer : program.buffers)
    if (buffer.name == name) return buffer_array(buffer);
  NamedArray array;
  for (std::uint32_t i = 0; i < program.tiles.size(); ++i) {
    const TileDecl& tile = program.tiles[i];
    if (!tile.is_called(name) || tile.implicit) continue;
    array.dtype = tile.type.dtype;
    array.shape = {tile.valid_rows, tile.valid_cols};
    array.tiles.push_back(i);
  }
  return array.tiles.empty() ? std::nullopt : std::optional(std::move(array));
}

std::optional<data::Error> misfit(const Program& program, const std::string& name, const ArrayFile& file) {
  const std::optional<NamedArray> array = find_array(program, name);
  if (!array || file.type.empty()) return {};
  if (!type_fits(memory_type(array->dtype), file.type))
    return data::Error{fmt::format("{}: holds {}, %{} is {}", file.path, file.type, name, ts::name(array->dtype)),
                       type_hint(array->dtype)};
  if (array->shape.empty() || file.shape.size() == 1 || without_ones(file.shape) == without_ones(array->shape))
    return {};
  return data::Error{
      fmt::format("{}: is {}, %{} is {}", file.path, shape_text(file.shape), name, shape_text(array->shape)),
      "reshape it, or save it flat"};
}

}  // namespace ts
