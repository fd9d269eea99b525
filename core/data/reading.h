// Where somebody else's script may read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/data/error.h"

namespace ts::data {

struct ReadingPlaces {
  bool everywhere = false;
  std::vector<std::string> paths = {};  // folders, with all that is below them, and files
  std::string hint = {};                // how to read elsewhere
};

// Whether a path is a place, or below it. Both are whole: without links and "..".
bool is_inside(const std::filesystem::path& path, const std::filesystem::path& place);

// The path by which a script opens what it calls `name`: beside the first of the places, or from the current folder. A
// name without a folder that is no file stays as it is, since it may be a sample's. Whether there is a file elsewhere is
// not told.
std::variant<std::string, Error> readable_path(const ReadingPlaces& places, const std::string& name);

}  // namespace ts::data
