// The longest end of a name that is there.
#include "core/data/source_file.h"

#include <filesystem>
#include <vector>

#include "core/data/reading.h"

namespace ts::data {
namespace {

namespace fs = std::filesystem;

// Nothing where the name is none that somebody could have meant.
std::vector<std::string> parts_of(std::string_view name) {
  constexpr std::size_t kMostBytes = 4096, kMostParts = 64;
  if (name.empty() || name.size() > kMostBytes || name.find('\0') != std::string_view::npos) return {};
  std::vector<std::string> parts;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find('/'), name.size());
    const std::string_view part = name.substr(0, end);
    name.remove_prefix(std::min(end + 1, name.size()));
    if (part == "..") parts.clear();  // what came before is elsewhere
    else if (!part.empty() && part != ".") parts.emplace_back(part);
  }
  if (parts.size() > kMostParts) parts.erase(parts.begin(), parts.end() - kMostParts);
  return parts;
}

std::optional<std::string> regular_file(const fs::path& folder, const fs::path& below) {
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (error) return {};
  const fs::path file = fs::canonical(root / below, error);
  if (error || !is_inside(file, root) || !fs::is_regular_file(file, error)) return {};
  return file.string();
}

}  // namespace

std::optional<std::string> find_below(std::span<const std::string> folders, std::string_view name) {
  const std::vector<std::string> parts = parts_of(name);
  for (std::size_t first = 0; first < parts.size(); ++first) {
    fs::path below;
    for (std::size_t i = first; i < parts.size(); ++i) below /= parts[i];
    for (const std::string& folder : folders)
      if (auto found = regular_file(folder.empty() ? "." : folder, below)) return found;
  }
  return {};
}

}  // namespace ts::data
