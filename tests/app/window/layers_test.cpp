// The walls of the house: a folder includes only what it says it uses, nothing further up, and no two units need each other.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// A line of layers.txt, which the build writes: "folder: name: what it uses".
struct Layer {
  std::string folder;
  std::set<std::string> uses;
};

// By name, and in the order of the build: from the ground up.
struct House {
  std::vector<std::string> order;
  std::map<std::string, Layer> layers;

  // The layer whose folder holds the file; of two, the inner one. Empty: none.
  std::string holding(const std::string& file) const {
    std::string best;
    std::size_t length = 0;
    for (const auto& [name, layer] : layers)
      if (file.starts_with(layer.folder + "/") && layer.folder.size() > length)
        best = name, length = layer.folder.size();
    return best;
  }
};

House read_house() {
  House house;
  std::ifstream in(TILESCOPE_LAYERS);
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(": "), second = line.find(':', first + 2);
    const std::string name = line.substr(first + 2, second - first - 2);
    Layer layer{line.substr(0, first), {}};
    std::istringstream uses(line.substr(second + 1));
    for (std::string use; uses >> use;) layer.uses.insert(use);
    house.order.push_back(name);
    house.layers.emplace(name, std::move(layer));
  }
  return house;
}

// The project's own headers that a file includes.
std::vector<std::string> includes_of(const fs::path& file) {
  static const std::regex kInclude(R"(^\s*#\s*include \"((core|app|scripting|tests)/[^"]+)\".*)");
  std::vector<std::string> found;
  std::ifstream in(file);
  std::smatch match;
  for (std::string line; std::getline(in, line);)
    if (std::regex_match(line, match, kInclude)) found.push_back(match[1]);
  return found;
}

std::vector<std::string> sources() {
  std::vector<std::string> found;
  for (const char* top : {"core", "scripting", "app"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top))
      if (const std::string end = entry.path().extension(); end == ".cpp" || end == ".h") found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

}  // namespace

TEST_CASE("layers: a folder uses only what stands below it") {
  const House house = read_house();
  REQUIRE(house.order.size() > 20);
  std::set<std::string> below;
  for (const std::string& name : house.order) {
    for (const std::string& use : house.layers.at(name).uses) {
      CAPTURE(name);
      CAPTURE(use);
      CHECK(below.contains(use));
    }
    below.insert(name);
  }
}

TEST_CASE("layers: a file includes only what its folder says it uses") {
  const House house = read_house();
  std::map<std::string, std::set<std::string>> used;
  for (const std::string& file : sources()) {
    const std::string own = house.holding(file);
    if (own.empty()) continue;  // the program, which may use everything
    for (const std::string& header : includes_of(file)) {
      const std::string from = house.holding(header);
      if (from != own) used[own].insert(from);
      CAPTURE(file);
      CAPTURE(header);
      CHECK((from == own || house.layers.at(own).uses.contains(from)));
    }
  }
  for (const auto& one : house.layers)
    for (const std::string& use : one.second.uses) {
      CAPTURE(one.first);
      CAPTURE(use);
      CHECK_MESSAGE(used[one.first].contains(use), "it says that it uses what it does not");
    }
}

namespace {

// A header with its source file: core/text/lexer. What is spread over several files counts once.
std::string unit_of(std::string file) {
  for (const char* end : {"-inl.h", ".cpp", ".h"})
    if (file.ends_with(end)) return file.substr(0, file.size() - std::string_view(end).size());
  return file;
}

// Whom each unit needs.
using Needs = std::map<std::string, std::set<std::string>>;

Needs all_needs() {
  Needs needs;
  for (const std::string& file : sources())
    for (const std::string& header : includes_of(file))
      if (unit_of(header) != unit_of(file)) needs[unit_of(file)].insert(unit_of(header));
  return needs;
}

// A way from a unit back to itself; empty: there is none.
std::vector<std::string> circle_from(const Needs& needs, const std::string& start) {
  std::set<std::string> seen;
  std::vector<std::string> way;
  const std::function<bool(const std::string&)> go = [&](const std::string& unit) {
    way.push_back(unit);
    const auto found = needs.find(unit);
    if (found != needs.end())
      for (const std::string& next : found->second) {
        if (next == start) return true;
        if (seen.insert(next).second && go(next)) return true;
      }
    way.pop_back();
    return false;
  };
  go(start);
  return way;
}

}  // namespace

TEST_CASE("layers: no two units need each other") {
  const Needs needs = all_needs();
  for (const auto& [unit, needed] : needs) {
    const std::vector<std::string> circle = circle_from(needs, unit);
    std::string way;
    for (const std::string& one : circle) way += one + " -> ";
    way += unit;
    CHECK_MESSAGE(circle.empty(), way);
  }
}

TEST_CASE("layers: no folder holds more than a person can look over") {
  constexpr int kMost = 45;
  std::map<std::string, int> files;
  for (const char* top : {"app", "assets", "core", "samples", "scripting", "tests"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top))
      if (entry.is_regular_file()) ++files[entry.path().parent_path()];
  for (const auto& folder : files)
    CHECK_MESSAGE(folder.second <= kMost, folder.first, " holds ", folder.second, " files");
}
