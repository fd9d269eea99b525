// Reading the tables of rules.
#include "tests/support/page_rules.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace ts::test {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) {
    std::erase(cell, '`');
    const std::size_t first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

// "G1 G2 G3, TILE-R1..R3" names six.
std::vector<std::string> ids_of(std::string cell) {
  std::ranges::replace(cell, ',', ' ');
  std::vector<std::string> ids;
  std::istringstream words(cell);
  for (std::string word; words >> word;) {
    const std::size_t dots = word.find("..R");
    if (dots == std::string::npos) {
      ids.push_back(word);
      continue;
    }
    for (char digit = word[dots - 1]; digit <= word[dots + 3]; ++digit) ids.push_back(word.substr(0, dots - 1) + digit);
  }
  return ids;
}

std::vector<Target> targets_of(const std::string& cell) {
  if (cell == "A5") return {Target::A5};
  if (cell == "A2A3") return {Target::A2A3};
  CHECK_MESSAGE(cell == "both", "a target is A5, A2A3 or both, not " << cell);
  return {Target::A2A3, Target::A5};
}

}  // namespace

std::vector<PageRule> page_rules(const InstructionRow& row) {
  std::ifstream in("assets/instructions/" + std::string(row.name) + ".md");
  std::vector<PageRule> rules;
  bool here = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) here = line == "## Rules";
    if (!here || !line.starts_with("| ") || line.starts_with("| id ")) continue;
    const std::vector<std::string> cells = cells_of(line);
    REQUIRE_MESSAGE(cells.size() == 4, std::string(row.name) << ": a rule has four columns: " << line);
    for (const std::string& id : ids_of(cells[0]))
      for (const Target target : targets_of(cells[1])) rules.push_back({id, target, cells[2], cells[3]});
  }
  return rules;
}

}  // namespace ts::test
