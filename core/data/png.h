// Pictures as PNG files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ts::data {

struct Picture {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint8_t> rgb = {};  // rows from the top, three bytes a pixel
};
// The bytes of a file. Nothing where the picture is empty, or the writer has no memory.
std::vector<std::byte> format_png(const Picture& picture);

}  // namespace ts::data
