// Reading the tables of rules.
#include "tests/support/instructions/page_rules.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
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

std::vector<Target> targets_in_cell(const std::string& cell) {
  if (cell == "A5") return {Target::A5};
  if (cell == "A2A3") return {Target::A2A3};
  CHECK_MESSAGE(cell == "both", "a target is A5, A2A3 or both, not " << cell);
  return {Target::A2A3, Target::A5};
}

// Of the page, with lines joined: from "Element types" to the sentence's end, or to what stands in brackets.
std::string types_sentence(const InstructionRow& row) {
  std::ifstream in(page_path(row));
  std::string text;
  for (std::string line; std::getline(in, line);) text += line + " ";
  const std::size_t begin = text.find("Element types");
  if (begin == std::string::npos) return {};
  text = text.substr(begin, std::min(text.find(". ", begin), text.find('(', begin)) - begin);
  return text.substr(0, text.find(" with "));
}

bool has_word(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }

// "i8 to u64, f32" are nine.
DTypeSet types_in(std::string text) {
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = ' ';
  DTypeSet types;
  if (has_word(text, " all ")) types = kAllTypes;
  std::optional<DType> last;
  bool onwards = false;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    const std::optional<DType> type = dtype_from_name(word);
    if (type && onwards)
      for (int between = static_cast<int>(*last); between < static_cast<int>(*type); ++between)
        types = types | DTypeSet{static_cast<DType>(between)};
    if (type) types = types | DTypeSet{*type};
    onwards = word == "to" && last;
    if (type || !onwards) last = type;
  }
  return types;
}

}  // namespace

std::vector<std::string> page_paths() {
  std::vector<std::string> paths;
  std::error_code failed;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("assets/instructions", failed))
    if (entry.path().extension() == ".md") paths.push_back(entry.path().generic_string());
  std::ranges::sort(paths);
  return paths;
}

std::string page_path(const InstructionRow& row) {
  const std::string ending = "/" + std::string(row.name) + ".md";
  const std::vector<std::string> paths = page_paths();
  const auto found = std::ranges::find_if(paths, [&](const std::string& path) { return path.ends_with(ending); });
  return found == paths.end() ? "" : *found;
}

std::vector<PageRule> page_rules(const InstructionRow& row) {
  std::ifstream in(page_path(row));
  std::vector<PageRule> rules;
  bool here = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) here = line == "## Rules";
    if (!here || !line.starts_with("| ") || line.starts_with("| id ")) continue;
    const std::vector<std::string> cells = cells_of(line);
    REQUIRE_MESSAGE(cells.size() == 4, std::string(row.name) << ": a rule has four columns: " << line);
    for (const std::string& id : ids_of(cells[0]))
      for (const Target target : targets_in_cell(cells[1])) rules.push_back({id, target, cells[2], cells[3]});
  }
  return rules;
}

std::optional<DTypeSet> page_types(const InstructionRow& row, Target target) {
  std::string sentence = types_sentence(row);
  if (sentence.empty()) {
    const std::vector<PageRule> rules = page_rules(row);
    const auto it = std::ranges::find_if(
        rules, [&](const PageRule& rule) { return rule.target == target && rule.id == type_rule(row, target); });
    const DTypeSet named = it == rules.end() ? DTypeSet{} : types_in(it->asks);
    return named.empty() ? std::nullopt : std::optional(named);
  }
  if (sentence.starts_with("Element types on both targets:")) return std::nullopt;
  DTypeSet of_target, last;
  std::istringstream in(sentence);
  for (std::string piece; std::getline(in, piece, ';');) {
    DTypeSet types = types_in(piece);
    if (types.empty()) continue;
    if (has_word(piece, "the same")) types = types | last;
    last = types;
    const bool a5 = has_word(piece, "A5"), a2a3 = has_word(piece, "A2A3");
    if (target == Target::A5 ? a2a3 && !a5 : a5 && !a2a3) continue;
    of_target = has_word(piece, " also ") ? of_target | types : types;
  }
  return of_target;
}

}  // namespace ts::test
