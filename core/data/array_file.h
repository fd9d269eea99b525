// Arrays in files of any kind that is known.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/data/npy.h"

namespace ts::data {

// By extension: .npy; an array of an archive, "all.npz:x", or of one that holds no other, "x.npz"; else raw bytes. Files
// beyond `most_bytes` are refused before they are read.
std::variant<Array, Error> read_array(const std::string& path, std::uint64_t most_bytes = kMostArrayBytes);

// Whether a name ends as arrays do: .npy, .npz, .bin, .raw.
bool is_array_file(const std::string& path);

}  // namespace ts::data
