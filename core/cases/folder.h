// What is in a case's folder. Nothing outside of it is opened, also not by a link or `..`, and nothing is waited for.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/cases/manifest.h"

namespace ts::cases {

// An array of a folder without a manifest, by what its name says.
struct FoundArray {
  std::string name;  // "x" of x.npy, of golden_x.npy, and of all.npz:x; empty: of golden.npy
  ArraySource source;
};

struct Folder {
  std::string path;
  std::string program;  // its path
  bool has_manifest = false;
  Manifest manifest = {};
  std::vector<FoundArray> inputs = {}, goldens = {};  // without a manifest, by name
  std::vector<std::string> notes = {};                // what a person should know of it
};

std::variant<Folder, data::Error> open_folder(const std::string& path);

// The sums of the files that a program in this folder came from, as case.json has them; none where it has not.
std::map<std::string, std::string> source_sums(const std::string& path);

// The path of a file in the folder.
std::variant<std::string, data::Error> file_in(const std::string& folder, const std::string& name);

// "y" of golden_y, y.golden, y_expected; "" of golden; nothing: it is no golden's name.
std::optional<std::string> golden_of(std::string_view stem);

}  // namespace ts::cases
