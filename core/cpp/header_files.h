// Our C++ header, as the program brings it along. Made by the build, of assets/cpp.
#pragma once

#include <span>
#include <string_view>

namespace ts::cpp {

struct HeaderFile {
  std::string_view path;  // from the project's root
  std::string_view text;
};
std::span<const HeaderFile> header_files();

}  // namespace ts::cpp
