// Copying elements out of memories and files.
#include "core/debug/elements.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace ts {
namespace {

// NumPy's names of element types, and ours.
constexpr std::pair<std::string_view, std::string_view> kArrayTypes[] = {
    {"i1", "i8"},  {"u1", "u8"},  {"i2", "i16"}, {"u2", "u16"}, {"i4", "i32"},  {"u4", "u32"}, {"i8", "i64"},
    {"u8", "u64"}, {"f2", "f16"}, {"f4", "f32"}, {"f8", "f64"}, {"b1", "bool"}, {"", "u8"},
};

const ElementFormat* array_format(std::string_view type) {
  for (const auto& [theirs, ours] : kArrayTypes)
    if (type == theirs) return find_element_format(ours);
  return nullptr;
}

Elements empty_elements(const ElementFormat& format, std::uint32_t rows, std::uint32_t cols) {
  Elements elements{&format, rows, cols, rows, cols};
  elements.bits.reserve(std::size_t{rows} * cols);
  return elements;
}

void add(Elements& elements, const Memory& memory, Space space, std::uint32_t address, std::uint32_t size) {
  elements.bits.push_back(memory.element(space, address, size));
  elements.worth.push_back(memory.worst_definedness(memory.map().flat(space, address), size));
}

}  // namespace

Elements elements_of(const Memory& memory, const TileRef& tile) {
  Elements elements = empty_elements(element_format(tile.type.dtype), tile.rows(), tile.cols());
  elements.valid_rows = tile.valid_rows;
  elements.valid_cols = tile.valid_cols;
  elements.worth.reserve(elements.bits.capacity());
  for (std::uint32_t row = 0; row < tile.rows(); ++row)
    for (std::uint32_t col = 0; col < tile.cols(); ++col)
      add(elements, memory, tile.space(), tile.at(row, col), tile.elem_bytes());
  return elements;
}

BufferShape shape_of(const BufferDecl& buffer) {
  const std::uint32_t cols = buffer.view_shape.empty() ? 0 : buffer.view_shape.back();
  if (cols == 0 || buffer.elements % cols != 0) return {1, buffer.elements};
  return {buffer.elements / cols, cols};
}

Elements elements_of(const Memory& memory, const BufferDecl& buffer) {
  const BufferShape shape = shape_of(buffer);
  Elements elements = empty_elements(element_format(buffer.dtype), shape.rows, shape.cols);
  const std::uint32_t size = size_bytes(buffer.dtype);
  for (std::uint32_t i = 0; i < buffer.elements; ++i) add(elements, memory, Space::Gm, buffer.address + i * size, size);
  return elements;
}

std::variant<Elements, Refusal> elements_of(const data::Array& array) {
  constexpr std::uint64_t kMostElements = std::uint64_t{1} << 31;
  const ElementFormat* format = array_format(array.type);
  if (format == nullptr)
    return Refusal{fmt::format("elements of type {} are not known here", array.type),
                   "use f2, f4, f8, i1 to i8, u1 to u8 or b1"};
  const std::uint64_t count = array.bytes.size() / format->size_bytes();
  if (count >= kMostElements)
    return Refusal{fmt::format("the array has {} elements", count), "arrays of up to 2^31 elements can be compared"};
  const std::uint64_t cols = array.shape.empty() ? 1 : array.shape.back();
  const std::uint64_t rows = cols == 0 ? 0 : count / cols;
  Elements elements = empty_elements(*format, static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(cols));
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, array.bytes.data() + i * format->size_bytes(), format->size_bytes());
    elements.bits.push_back(bits);
  }
  return elements;
}

}  // namespace ts
