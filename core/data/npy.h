// Arrays in and out: NumPy's .npy, and raw little-endian bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
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
std::vector<std::byte> format_npy(const Array& array);

// By extension: .npy, else raw bytes. Files beyond `most_bytes` are refused before they are read.
inline constexpr std::uint64_t kMostArrayBytes = std::uint64_t{2} << 30;  // where nobody says less
std::variant<Array, Error> read_array(const std::string& path, std::uint64_t most_bytes = kMostArrayBytes);
// Writes beside the file and renames, so that a failure leaves the old file. Empty text: it worked.
Error write_array(const std::string& path, const Array& array);

}  // namespace ts::data
