// Types and shapes of arrays.
#include "core/cases/array_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/program/arrays.h"
#include "core/text/count.h"

namespace ts::cases {

std::optional<ArrayType> parse_array_type(std::string_view text) {
  constexpr std::size_t kMostDimensions = 8;
  const std::size_t colon = text.find(':');
  const auto dtype = dtype_from_name(text.substr(0, colon));
  if (!dtype) return {};
  ArrayType type{*dtype};
  if (colon == text.npos) return type;
  for (std::string_view rest = text.substr(colon + 1);;) {
    const std::size_t end = rest.find('x');
    std::uint64_t size = 0;
    if (type.shape.size() == kMostDimensions || !text::parse_count(rest.substr(0, end), size)) return {};
    type.shape.push_back(size);
    if (end == rest.npos) return type;
    rest.remove_prefix(end + 1);
  }
}

std::optional<ArrayType> parse_buffer_type(std::string_view text) {
  std::string said(text);
  if (const std::size_t open = said.find('['); open != said.npos && said.ends_with(']')) {
    said.pop_back();
    said[open] = ':';
  }
  std::optional<ArrayType> type = parse_array_type(said);
  if (!type || type->shape.empty()) return {};
  const std::uint64_t count = count_of(type->shape);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;  // what is too much for a run is told there
  if (count == 0 || count > kMost) return {};
  return type;
}

void put_buffer(const std::string& name, const ArrayType& type, InputValues& inputs) {
  inputs.element_types[name] = type.dtype;
  inputs.size_bytes[name] = bytes_for(type.dtype, count_of(type.shape));
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  return shape.empty() ? "a single number" : fmt::format("{}", fmt::join(shape, "x"));
}

std::uint64_t count_of(const std::vector<std::uint64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape) {
    if (size != 0 && count > ~std::uint64_t{0} / size) return ~std::uint64_t{0};
    count *= size;
  }
  return count;
}

std::optional<data::Error> take_type(data::Array& array, const ArrayType& type, const std::string& called) {
  pack_array(type.dtype, array);
  const std::uint64_t size = size_bytes(type.dtype), bytes = array.bytes.size();
  const std::string wanted = memory_type(type.dtype);
  const bool is_its_bits = wanted[0] == 'V' && array.type == "u" + wanted.substr(1);
  if (!array.type.empty() && array.type != wanted && !is_its_bits)
    return data::Error{fmt::format("{}: holds {}, and {} is said of it", called, array.type, name(type.dtype)),
                       "a .npy file says its type itself; leave the type out"};
  if (bytes % size != 0)
    return data::Error{fmt::format("{}: {} bytes are no whole number of {} elements", called, bytes, name(type.dtype)),
                       "is it of another type?"};
  std::vector<std::uint64_t> shape = type.shape;
  const std::uint64_t elements = elements_in(type.dtype, bytes);
  if (shape.empty()) shape = array.type.empty() ? std::vector<std::uint64_t>{elements} : array.shape;
  if (count_of(shape) != elements && bytes_for(type.dtype, count_of(shape)) != bytes)
    return data::Error{fmt::format("{}: has {} elements of {} in {} bytes, {} takes {}", called, elements,
                                   name(type.dtype), bytes, shape_text(shape), count_of(shape)),
                       "is it of another type or shape?"};
  array.type = wanted;
  array.shape = std::move(shape);
  return {};
}

}  // namespace ts::cases
