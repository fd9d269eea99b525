// Rules of the instructions that have tests of their own: a test is named after each rule of their pages. Those of all others
// are broken one by one (vector_rules_test.cpp).
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "core/catalogue/catalogue.h"
#include "tests/support/instructions/page_rules.h"
#include "tests/support/instructions/vector_plan.h"

namespace ts::test {
namespace {

// The names of all tests that break rules, and what single checks of them expect: "...TLOAD-R2, TSTORE-R2: ...".
std::string said_by_tests() {
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator("tests/core/instructions")) {
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);)
      if (line.find("//") == std::string::npos || line.find('"') < line.find("//")) text += line + "\n";
  }
  return text;
}
// "R1" is not meant where "R13" stands.
bool holds_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if (std::isdigit(static_cast<unsigned char>(text[at + word.size()])) == 0) return true;
  return false;
}

}  // namespace

TEST_CASE("named rules: every rule of a page has a test that says its id") {
  const std::string tests = said_by_tests();
  const std::vector<const InstructionRow*> others = vector_instructions();
  std::set<std::string> ids;
  for (const InstructionRow* row : catalogue()) {
    if (std::ranges::count(others, row) != 0 || page_path(*row).empty()) continue;
    for (const PageRule& rule : page_rules(*row)) {
      const bool own = rule.id[0] != 'G' && !rule.id.starts_with("TILE");
      if (own && !rule.advice.starts_with("cannot speak")) ids.insert(rule.id);
    }
  }
  CHECK(ids.size() > 50);
  for (const std::string& id : ids) CHECK_MESSAGE(holds_word(tests, id), "no test says " << id);
}

}  // namespace ts::test
