// case.json: what a case says of its program and its arrays. assets/manual/cases.md has its form.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/cases/array_type.h"
#include "core/data/error.h"
#include "core/isa/options.h"

namespace ts::cases {

inline constexpr const char* kManifestName = "case.json";

// An array in the case's folder.
struct ArraySource {
  std::string file;                    // below the folder
  std::string member = {};             // of a .npz; empty: its only one
  std::optional<ArrayType> type = {};  // of raw bytes
  std::string called() const { return member.empty() ? file : file + ":" + member; }
};

// How far a result may be from its golden. What nobody says stays unset.
struct Tolerance {
  std::optional<double> abs = {}, rel = {};
  std::optional<std::uint64_t> ulp = {};
  explicit operator bool() const { return abs || rel || ulp; }
};

// An input or a golden.
struct Given {
  std::string name;  // empty: it is meant for what stands at its place in the list
  std::optional<ArraySource> array = {};
  std::string number = {};  // a literal; with neither, nothing is given at this place
  Tolerance tolerance = {};
};

struct GivenList {
  std::vector<Given> all = {};
  bool in_order = false;  // by their places, and not by their names
};

struct Manifest {
  std::string program = {}, entry = {}, target = {};  // empty: it does not say
  std::optional<std::uint32_t> blocks = {};
  Options options = {};
  GivenList inputs = {}, goldens = {};
  Tolerance tolerance = {};  // of goldens that have none of their own
  // Files that the program came from, by their names below the folder: their sums (core/data/checksum.h) when it was made.
  std::map<std::string, std::string> sources = {};
};

// `called` is for the messages.
std::variant<Manifest, data::Error> parse_manifest(std::string_view text, const std::string& called);

}  // namespace ts::cases
