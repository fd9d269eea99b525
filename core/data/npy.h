// Arrays in and out: NumPy's .npy, and raw little-endian bytes.
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

// An array as a file holds it, always in C order and little endian.
struct Array {
  std::string type;                  // NumPy's descr without byte order: "f4", "i2", "u1", "f2", "b1"; "" for raw bytes
  std::vector<std::uint64_t> shape;  // raw: one dimension, the bytes
  std::vector<std::byte> bytes;
};

// Of bytes already in memory; `name` is for messages. Never reads beyond them, and never makes an array larger than they are.
std::variant<Array, Error> parse_npy(std::span<const std::byte> file, const std::string& name);
// The same with the file's own bytes: files may be large.
std::variant<Array, Error> take_npy(std::vector<std::byte>&& file, const std::string& name);
std::vector<std::byte> format_npy(const Array& array);

// By its extension.
bool is_npy(std::string_view path);

inline constexpr std::uint64_t kMostArrayBytes = std::uint64_t{2} << 30;  // of a file, where nobody says less
// Writes beside the file and renames, so that a failure leaves the old file. Empty text: it worked.
Error write_array(const std::string& path, const Array& array);

}  // namespace ts::data
