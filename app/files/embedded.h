// The files that the program brings along: samples and instruction pages.
#pragma once

#include <span>
#include <string_view>

namespace ts {

struct EmbeddedFile {
  std::string_view path;  // from the project's root: "samples/transpose.pto"
  std::string_view text;
};

// In the order of the build's list.
std::span<const EmbeddedFile> embedded_files();

}  // namespace ts
