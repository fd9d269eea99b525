// Whole files in and out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/data/npy.h"

namespace ts::data {

// Regular files only, so that reading always ends. Files beyond `most_bytes` are refused before they are read.
std::variant<std::vector<std::byte>, Error> read_file(const std::string& path, std::uint64_t most_bytes);

// The parts one after the other. They are written beside the file, which is then replaced at once: a failure leaves the old
// one. A symbolic link stays, and the file it names is replaced. Empty text: it worked.
Error write_file(const std::string& path, std::initializer_list<std::span<const std::byte>> parts);

}  // namespace ts::data
