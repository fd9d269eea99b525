// Writing PNG, with stb.
#include "core/data/png.h"

#include <stb_image_write.h>

namespace ts::data {
namespace {

void append(void* out, void* data, int size) {
  const auto* bytes = static_cast<const std::byte*>(data);
  auto& file = *static_cast<std::vector<std::byte>*>(out);
  file.insert(file.end(), bytes, bytes + size);
}

}  // namespace

std::vector<std::byte> format_png(const Picture& picture) {
  std::vector<std::byte> file;
  if (picture.rgb.empty()) return file;
  const auto width = static_cast<int>(picture.width), height = static_cast<int>(picture.height);
  if (stbi_write_png_to_func(append, &file, width, height, 3, picture.rgb.data(), 3 * width) == 0) file.clear();
  return file;
}

}  // namespace ts::data
