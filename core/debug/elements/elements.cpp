// Copying elements out of memories and files.
#include "core/debug/elements/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/record/inspector.h"

namespace ts {
namespace {

// NumPy's names of element types, and ours.
constexpr std::pair<std::string_view, std::string_view> kArrayTypes[] = {
    {"i1", "i8"},  {"u1", "u8"},   {"i2", "i16"},  {"u2", "u16"}, {"i4", "i32"},
    {"u4", "u32"}, {"i8", "i64"},  {"u8", "u64"},  {"f2", "f16"}, {"f4", "f32"},
    {"f8", "f64"}, {"b1", "bool"}, {"V2", "bf16"}, {"V1", "u8"},  {"", "u8"},
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

Definedness worst_of(const Definedness* worth, std::size_t size) {
  Definedness worst = Definedness::Written;
  for (std::size_t i = 0; i < size; ++i) {
    if (worth[i] == Definedness::Never) return Definedness::Never;
    if (worth[i] == Definedness::Unspecified) worst = Definedness::Unspecified;
  }
  return worst;
}

// Elements of a row that stand `stride` elements apart in memory, from number `first` on.
struct RowRun {
  std::uint64_t first;
  std::uint32_t stride, count;
};

// Calls f(run) for the pieces of a row, from left to right.
template <class F>
void for_row_runs(const TileType& type, std::uint32_t row, F f) {
  if (!type.boxed()) {
    f(RowRun{element_index(type, row, 0), type.blayout == BoxOrder::RowMajor ? 1 : type.line_pitch(), type.cols});
    return;
  }
  const Box box = box_of(type);
  const std::uint32_t stride = type.slayout == InnerOrder::RowMajor ? 1 : box.rows;
  for (std::uint32_t col = 0; col < type.cols; col += box.cols)
    f(RowRun{element_index(type, row, col), stride, std::min(box.cols, type.cols - col)});
}

// Puts the elements of a run to number `at` and on; what lies behind the copied bytes counts as never written.
template <class T>
void add_run(const CopiedBytes& from, const RowRun& run, Elements& elements, std::size_t at) {
  for (std::uint32_t i = 0; i < run.count; ++i, ++at) {
    const std::uint64_t begin = (run.first + std::uint64_t{i} * run.stride) * sizeof(T);
    if (begin + sizeof(T) > from.bytes.size()) continue;
    T value, worth, all_written;
    std::memcpy(&value, from.bytes.data() + begin, sizeof value);
    std::memcpy(&worth, from.worth.data() + begin, sizeof worth);
    std::memset(&all_written, static_cast<int>(Definedness::Written), sizeof all_written);
    elements.bits[at] = value;
    elements.worth[at] = worth == all_written ? Definedness::Written : worst_of(from.worth.data() + begin, sizeof(T));
  }
}

// Two elements a byte.
void add_packed_run(const CopiedBytes& from, const RowRun& run, Elements& elements, std::size_t at) {
  for (std::uint32_t i = 0; i < run.count; ++i, ++at) {
    const std::uint64_t number = run.first + std::uint64_t{i} * run.stride;
    if (number / 2 >= from.bytes.size()) continue;
    elements.bits[at] = load_element(from.bytes.data(), DType::U4, number);
    elements.worth[at] = from.worth[number / 2];
  }
}

void add_run(const CopiedBytes& from, DType type, const RowRun& run, Elements& elements, std::size_t at) {
  switch (size_bits(type)) {
    case 4: return add_packed_run(from, run, elements, at);
    case 8: return add_run<std::uint8_t>(from, run, elements, at);
    case 16: return add_run<std::uint16_t>(from, run, elements, at);
    case 32: return add_run<std::uint32_t>(from, run, elements, at);
    default: return add_run<std::uint64_t>(from, run, elements, at);
  }
}

}  // namespace

CopiedBytes copy_of(const Memory& memory, ByteRange place) {
  CopiedBytes copied(place);
  copy_bytes(memory, place, copied.bytes, copied.worth);
  return copied;
}

ByteRange extent_of(const TileRef& tile) {
  if (tile.rows() == 0 || tile.cols() == 0) return tile.range().with(tile.address, 0);
  // Where boxes are not full, elements stand behind the tile's bytes, and which is the last one depends on the layout.
  std::uint64_t last = 0;
  for (std::uint32_t col = 0; col < tile.cols(); ++col)
    last = std::max(last, element_index(tile.type, tile.rows() - 1, col));
  return tile.range().with(tile.address, static_cast<std::uint32_t>(bytes_for(tile.type.dtype, last + 1)));
}

// The masks that programs name are bits.
const ElementFormat& format_of(const TileType& type) {
  constexpr std::uint64_t kMaskBytes = VL / 8;
  const bool mask = type.loc == TileLoc::Register && type.size_bytes() == kMaskBytes;
  return mask ? mask_byte_format() : element_format(type.dtype);
}

Elements elements_of(const CopiedBytes& bytes, const TileRef& tile) {
  Elements elements = empty_elements(format_of(tile.type), tile.rows(), tile.cols());
  elements.valid_rows = tile.valid_rows;
  elements.valid_cols = tile.valid_cols;
  elements.bits.resize(std::size_t{tile.rows()} * tile.cols());
  elements.worth.resize(elements.bits.size());
  std::size_t at = 0;
  for (std::uint32_t row = 0; row < tile.rows(); ++row) {
    for_row_runs(tile.type, row, [&](const RowRun& run) {
      add_run(bytes, tile.type.dtype, run, elements, at);
      at += run.count;
    });
  }
  return elements;
}

Elements elements_of(const Memory& memory, const TileRef& tile) {
  return elements_of(copy_of(memory, extent_of(tile)), tile);
}

BufferShape shape_of(const BufferDecl& buffer) {
  const std::uint32_t cols = buffer.view_shape.empty() ? 0 : buffer.view_shape.back();
  if (cols == 0 || buffer.elements % cols != 0) return {1, buffer.elements};
  return {buffer.elements / cols, cols};
}

Elements elements_of(const CopiedBytes& bytes, DType dtype, std::uint32_t rows, std::uint32_t cols, std::uint32_t pitch,
                     std::uint32_t before) {
  Elements elements = empty_elements(element_format(dtype), rows, cols);
  elements.bits.resize(std::size_t{rows} * cols);
  elements.worth.resize(elements.bits.size());
  for (std::uint32_t row = 0; row < rows; ++row)
    add_run(bytes, dtype, {std::uint64_t{row} * pitch + before, 1, cols}, elements, elements.index(row, 0));
  return elements;
}

Elements elements_of(const Memory& memory, const BufferDecl& buffer) {
  const BufferShape shape = shape_of(buffer);
  const CopiedBytes bytes = copy_of(memory, {Space::Gm, buffer.address, buffer.size()});
  return elements_of(bytes, buffer.dtype, shape.rows, shape.cols, shape.cols);
}

std::variant<Elements, Refusal> elements_of(const data::Array& array, DType type) {
  const bool byte_each = array.type == "V1" && size_bits(type) <= 8;
  auto made = elements_of(array);
  if (auto* elements = std::get_if<Elements>(&made); elements != nullptr && byte_each)
    elements->format = &element_format(type);
  return made;
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
