// Which reader a file is for.
#include "core/data/array_file.h"

#include <utility>

#include "core/data/file.h"
#include "core/data/npz.h"

namespace ts::data {

std::variant<Array, Error> read_array(const std::string& path, std::uint64_t most_bytes) {
  if (const auto place = place_in_npz(path)) return read_npz_array(place->archive, place->name, most_bytes);
  auto file = read_file(path, most_bytes);
  if (auto* error = std::get_if<Error>(&file)) return std::move(*error);
  auto& bytes = std::get<std::vector<std::byte>>(file);
  if (is_npy(path)) return take_npy(std::move(bytes), path);
  const std::uint64_t size = bytes.size();
  return Array{"", {size}, std::move(bytes)};
}

bool is_array_file(const std::string& path) {
  return path.ends_with(".npy") || path.ends_with(".npz") || path.ends_with(".bin") || path.ends_with(".raw");
}

}  // namespace ts::data
