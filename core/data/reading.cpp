// Resolving names within places.
#include "core/data/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace ts::data {
namespace {

namespace fs = std::filesystem;

// Links and all "..", also where there is nothing yet; empty: it cannot be told.
fs::path whole(const fs::path& path) {
  std::error_code failed;
  fs::path found = fs::weakly_canonical(fs::absolute(path, failed), failed);
  return failed ? fs::path() : found;
}

}  // namespace

bool is_inside(const fs::path& path, const fs::path& place) {
  if (path.empty() || place.empty()) return false;
  const auto [end_of_place, there] = std::mismatch(place.begin(), place.end(), path.begin(), path.end());
  return end_of_place == place.end();
}

std::variant<std::string, Error> readable_path(const ReadingPlaces& places, const std::string& name) {
  if (name.find('\0') != std::string::npos) return Error{"the name of the file holds a zero byte", {}};
  const bool only_a_name = name.find('/') == std::string::npos;
  std::error_code failed;
  const auto allowed = [&](const fs::path& path) {
    return places.everywhere || std::ranges::any_of(places.paths, [&](const std::string& place) {
             return is_inside(whole(path), whole(place));
           });
  };
  const Error refused{fmt::format("{}: a script reads below its own folder only", name), places.hint};
  if (fs::path(name).is_relative() && !places.paths.empty() && fs::is_directory(places.paths.front(), failed)) {
    const fs::path beside = fs::path(places.paths.front()) / name;
    const bool there = fs::symlink_status(beside, failed).type() != fs::file_type::not_found;
    if (there && allowed(beside)) return beside.string();
    if (there) return refused;
  }
  if (allowed(name) || (only_a_name && !fs::exists(name, failed))) return name;
  return refused;
}

}  // namespace ts::data
