// The header of a .npy file: what its few words of Python say of the data behind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/data/error.h"

namespace ts::data {

struct NpyHeader {
  std::string type;  // as Array::type
  std::uint32_t item_bytes = 0;
  bool big_endian = false;
  bool fortran_order = false;  // the first index runs fastest
  std::vector<std::uint64_t> shape;
  std::size_t data_offset = 0;  // the data are the rest of the file, and exactly as much as the shape takes
};

std::variant<NpyHeader, Error> parse_npy_header(std::span<const std::byte> file, const std::string& name);

// Everything in front of the data, for data in C order and little endian.
std::string format_npy_header(std::string_view type, std::span<const std::uint64_t> shape);

// Bytes of an element of a type; 0: no such type.
std::uint32_t item_bytes(std::string_view type);

}  // namespace ts::data
