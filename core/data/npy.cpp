// Arrays from and to files: whatever order a file has its data in, an array has one.
#include "core/data/npy.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string_view>

#include "core/data/file.h"
#include "core/data/npy_header.h"

namespace ts::data {
namespace {

using Shape = std::vector<std::uint64_t>;

// `to[row * to_row + col] = from[row + col * from_col]`, in tiles, so that the caches hold what both sides touch.
template <std::size_t kItem>
void transpose(std::byte* to, std::uint64_t to_row, const std::byte* from, std::uint64_t from_col, std::uint64_t rows,
               std::uint64_t cols) {
  constexpr std::uint64_t kTile = 16;
  for (std::uint64_t first_row = 0; first_row < rows; first_row += kTile) {
    const std::uint64_t end_row = std::min(rows, first_row + kTile);
    for (std::uint64_t first_col = 0; first_col < cols; first_col += kTile) {
      const std::uint64_t end_col = std::min(cols, first_col + kTile);
      for (std::uint64_t row = first_row; row < end_row; ++row)
        for (std::uint64_t col = first_col; col < end_col; ++col)
          std::memcpy(to + (row * to_row + col) * kItem, from + (row + col * from_col) * kItem, kItem);
    }
  }
}

// From Fortran order, where the first dimension is dense, to C order, where the last one is: those two are transposed for
// every index of the dimensions between them. Two dimensions at least, and none is 0.
template <std::size_t kItem>
void copy_in_c_order(std::byte* to, const std::byte* from, const Shape& shape) {
  const std::size_t last = shape.size() - 1;
  Shape to_stride(shape.size(), 1), from_stride(shape.size(), 1);  // in elements
  for (std::size_t d = 1; d <= last; ++d) from_stride[d] = from_stride[d - 1] * shape[d - 1];
  for (std::size_t d = last; d > 0; --d) to_stride[d - 1] = to_stride[d] * shape[d];
  Shape index(shape.size(), 0);
  std::uint64_t to_offset = 0, from_offset = 0;
  while (true) {
    transpose<kItem>(to + to_offset * kItem, to_stride[0], from + from_offset * kItem, from_stride[last], shape[0],
                     shape[last]);
    std::size_t d = 1;
    for (; d < last; ++d) {
      to_offset += to_stride[d];
      from_offset += from_stride[d];
      if (++index[d] < shape[d]) break;
      to_offset -= to_stride[d] * shape[d];
      from_offset -= from_stride[d] * shape[d];
      index[d] = 0;
    }
    if (d == last) return;
  }
}

void to_c_order(std::vector<std::byte>& data, Shape shape, std::uint32_t item_bytes) {
  std::erase(shape, 1);  // they move nothing; without them a shape has few dimensions
  if (shape.size() < 2 || data.empty()) return;
  std::vector<std::byte> out(data.size());
  switch (item_bytes) {
    case 1: copy_in_c_order<1>(out.data(), data.data(), shape); break;
    case 2: copy_in_c_order<2>(out.data(), data.data(), shape); break;
    case 4: copy_in_c_order<4>(out.data(), data.data(), shape); break;
    case 8: copy_in_c_order<8>(out.data(), data.data(), shape); break;
    default: assert(false);
  }
  data = std::move(out);
}

void swap_bytes(std::vector<std::byte>& data, std::uint32_t item_bytes) {
  for (std::size_t at = 0; at < data.size(); at += item_bytes)
    std::reverse(data.begin() + at, data.begin() + at + item_bytes);
}

Array make_array(NpyHeader&& header, std::vector<std::byte>&& data) {
  if (header.fortran_order) to_c_order(data, header.shape, header.item_bytes);
  if (header.big_endian && header.item_bytes > 1) swap_bytes(data, header.item_bytes);
  return {std::move(header.type), std::move(header.shape), std::move(data)};
}

// Raw bytes are an array of u1.
std::string header_of(const Array& array) {
  return format_npy_header(array.type.empty() ? "u1" : array.type, array.shape);
}

}  // namespace

bool is_npy(std::string_view path) { return path.ends_with(".npy") || path.ends_with(".NPY"); }

std::variant<Array, Error> parse_npy(std::span<const std::byte> file, const std::string& name) {
  auto header = parse_npy_header(file, name);
  if (auto* error = std::get_if<Error>(&header)) return std::move(*error);
  auto& good = std::get<NpyHeader>(header);
  const auto data = file.subspan(good.data_offset);
  return make_array(std::move(good), {data.begin(), data.end()});
}

std::variant<Array, Error> take_npy(std::vector<std::byte>&& file, const std::string& name) {
  auto header = parse_npy_header(file, name);
  if (auto* error = std::get_if<Error>(&header)) return std::move(*error);
  auto& good = std::get<NpyHeader>(header);
  file.erase(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(good.data_offset));
  return make_array(std::move(good), std::move(file));
}

std::vector<std::byte> format_npy(const Array& array) {
  const std::string header = header_of(array);
  std::vector<std::byte> file(header.size() + array.bytes.size());
  std::memcpy(file.data(), header.data(), header.size());
  std::ranges::copy(array.bytes, file.begin() + static_cast<std::ptrdiff_t>(header.size()));
  return file;
}

Error write_array(const std::string& path, const Array& array) {
  if (!is_npy(path)) return write_file(path, {array.bytes});
  const std::string header = header_of(array);
  return write_file(path, {std::as_bytes(std::span(header)), array.bytes});
}

}  // namespace ts::data
